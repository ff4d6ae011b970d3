//! Why did it happen, and what was the longest way?

use std::collections::BTreeSet;

#[cfg(feature = "serde")]
use serde::Serialize;

use super::history::{Event, Log, View};
use crate::event::EventId;

/// A chain of causes, from its last event back to its first.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Chain<'a> {
    /// The last event first.
    pub links: Vec<Link<'a>>,
    /// What the first event came from.
    pub root: Root,
}

/// An event of a chain.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Link<'a> {
    /// The event.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub event: View<'a>,
    /// How long it came after its cause; `None` at the root.
    pub gap: Option<f64>,
}

/// Where a chain begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Root {
    /// With an event that no event caused: it was scheduled from outside.
    Outside,
    /// With an event whose cause, this one, is not in the log.
    External(EventId),
}

/// All that an event goes back to, by causes and parents.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Genealogy<'a> {
    /// The event and its ancestors, the youngest first.
    pub events: Vec<View<'a>>,
    /// Those that go back to nothing.
    pub roots: Vec<EventId>,
    /// Ancestors that are not in the log.
    pub external: Vec<EventId>,
}

/// The longest chains of a log.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Critical<'a> {
    /// The chain of most events.
    pub longest: Chain<'a>,
    /// The chain over the longest simulated time.
    pub slowest: Chain<'a>,
}

impl Chain<'_> {
    /// From the first event to the last.
    pub fn span(&self) -> f64 {
        match (self.links.first(), self.links.last()) {
            (Some(last), Some(first)) => last.event.time.minus(first.event.time),
            _ => 0.0,
        }
    }
}

impl Log {
    /// The chain of causes of an event. `None` if the log does not know the event.
    pub fn why(&self, id: EventId) -> Option<Chain<'_>> {
        self.event(id)?;
        Some(self.chain(id, |_, event| event.cause))
    }

    /// Follows one origin of each event.
    fn chain(&self, id: EventId, origin: impl Fn(usize, &Event) -> Option<EventId>) -> Chain<'_> {
        let mut links: Vec<Link<'_>> = Vec::new();
        let mut next = Some(id);
        // Ids fall along a chain, so this ends.
        while let Some(id) = next {
            let Some(place) = self.place(id) else { return Chain { links, root: Root::External(id) } };
            let event = &self.events[place];
            if let Some(effect) = links.last_mut() {
                effect.gap = Some(effect.event.time.minus(event.time()));
            }
            links.push(Link { event: self.view(event), gap: None });
            next = origin(place, event);
        }
        Chain { links, root: Root::Outside }
    }

    /// Everything that an event goes back to: its cause and, for each entity, the event that set its version, and theirs.
    pub fn genealogy(&self, id: EventId) -> Option<Genealogy<'_>> {
        self.event(id)?;
        let mut genealogy = Genealogy { events: Vec::new(), roots: Vec::new(), external: Vec::new() };
        let mut open = BTreeSet::from([id]);
        while let Some(id) = open.pop_last() {
            let Some(event) = self.event(id) else {
                genealogy.external.push(id);
                continue;
            };
            genealogy.events.push(self.view(event));
            let before = open.len();
            open.extend(event.origins());
            if event.origins().next().is_none() && open.len() == before {
                genealogy.roots.push(id);
            }
        }
        Some(genealogy)
    }

    /// The longest chains that end with an event that ran: of causes or, with `all`, through any parent. `None` if nothing ran.
    pub fn critical(&self, all: bool) -> Option<Critical<'_>> {
        let origins = |event: &Event| {
            let parents = if all { event.parents } else { [None; 2] };
            event.cause.into_iter().chain(parents.into_iter().flatten()).filter_map(|id| self.place(id))
        };
        // Each event's number in its longest chain, the start of its slowest, and the step back in both. Ids fall along a
        // chain, so what an event comes from is always done before it.
        let nobody = u32::MAX;
        let mut number = vec![1u32; self.events.len()];
        let mut first: Vec<u32> = (0..self.events.len() as u32).collect();
        let mut back = vec![[nobody; 2]; self.events.len()];
        for (place, event) in self.events.iter().enumerate() {
            for origin in origins(event) {
                if number[origin] + 1 > number[place] {
                    number[place] = number[origin] + 1;
                    back[place][0] = origin as u32;
                }
                let start = |place: u32| self.events[place as usize].time();
                if back[place][1] == nobody || start(first[origin]) < start(first[place]) {
                    first[place] = first[origin];
                    back[place][1] = origin as u32;
                }
            }
        }
        let span = |place: usize| self.events[place].time().minus(self.events[first[place] as usize].time());
        let ran = || self.executed.iter().map(|&place| place as usize);
        // The first of equals, so that the answer is one and the same.
        let longest = ran().rev().max_by_key(|&place| number[place])?;
        let slowest = ran().rev().max_by(|&a, &b| span(a).total_cmp(&span(b)))?;
        let chain = |last: usize, which: usize| {
            let external = |event: &Event| event.cause.filter(|&cause| self.place(cause).is_none());
            self.chain(self.events[last].id, |place, event| match back[place][which] {
                step if step == nobody => external(event),
                step => Some(self.events[step as usize].id),
            })
        };
        Some(Critical { longest: chain(longest, 0), slowest: chain(slowest, 1) })
    }
}
