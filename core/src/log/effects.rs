//! What did it lead to?

#[cfg(feature = "serde")]
use serde::Serialize;

use super::history::{Log, View};
use crate::event::EventId;

/// Everything that an event led to.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Effects<'a> {
    /// The tree in reading order: each event is followed by what it caused.
    pub tree: Vec<Effect<'a>>,
    /// Effects that ran, however deep.
    pub ran: usize,
    /// Effects that came to nothing: stale, swept, cancelled or moved.
    pub nothing: usize,
    /// Effects still pending.
    pub pending: usize,
    /// The longest way from the event to an effect.
    pub depth: usize,
    /// Predictions that the event itself voided by touching entities.
    pub voided: usize,
}

/// An event of the tree.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Effect<'a> {
    /// 0 for the event asked for.
    pub depth: usize,
    /// The event.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub event: View<'a>,
    /// Effects of this one that the tree leaves out, since they lie beyond the depth that was asked for.
    pub beyond: usize,
    /// Events that this one scheduled and that did not run, if the tree leaves those out.
    pub unrun: usize,
}

impl Log {
    /// What an event led to, down to a depth; with `all`, also events that did not run. `None` if the log does not know it.
    pub fn effects(&self, id: EventId, most: usize, all: bool) -> Option<Effects<'_>> {
        let root = self.place(id)?;
        // Marks every descendant with its depth; causes come before their effects.
        let mut depth = vec![usize::MAX; self.events.len()];
        depth[root] = 0;
        let mut children: Vec<(usize, usize)> = Vec::new();
        for (place, event) in self.events.iter().enumerate().skip(root + 1) {
            if let Some(cause) = event.cause.and_then(|cause| self.place(cause))
                && depth[cause] != usize::MAX
            {
                depth[place] = depth[cause] + 1;
                children.push((cause, place));
            }
        }
        let mut below = vec![0usize; self.events.len()];
        for &(cause, place) in children.iter().rev() {
            below[cause] += below[place] + usize::from(all || self.events[place].ran());
        }
        children.sort_unstable();

        let mut effects = Effects {
            tree: Vec::new(),
            ran: 0,
            nothing: 0,
            pending: 0,
            depth: 0,
            voided: self.events.iter().filter(|event| event.fate.void().is_some_and(|v| v.by == Some(id))).count(),
        };
        for &(_, place) in &children {
            match self.events[place].fate.name() {
                "executed" => effects.ran += 1,
                "pending" => effects.pending += 1,
                _ => effects.nothing += 1,
            }
            effects.depth = effects.depth.max(depth[place]);
        }
        let mut open = vec![root];
        while let Some(place) = open.pop() {
            let first = children.partition_point(|&(cause, _)| cause < place);
            let own = children[first..].iter().take_while(|&&(cause, _)| cause == place).map(|&(_, child)| child);
            let shown = |&child: &usize| all || self.events[child].ran();
            let deep = depth[place] >= most;
            effects.tree.push(Effect {
                depth: depth[place],
                event: self.view(&self.events[place]),
                beyond: if deep { below[place] } else { 0 },
                unrun: own.clone().filter(|child| !shown(child)).count(),
            });
            if !deep {
                let before = open.len();
                open.extend(own.filter(shown));
                open[before..].reverse();
            }
        }
        Some(effects)
    }
}
