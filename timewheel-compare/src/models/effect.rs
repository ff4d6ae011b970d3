//! An effect that ticks and can be extended. Its time is in milliseconds, or whatever ticks one likes.

use saltus::{Context, Entity, Model, Outcome, Stamps, When};

use crate::drivers::Workload;

/// How many whole ticks a duration has if it is rounded to whole ticks: to the nearest number, and from the middle between two
/// to the even one. The one place where ticks are rounded, for times and counts alike.
pub fn whole_ticks(duration: u64, tick: u64) -> u64 {
    let (whole, rest) = (duration / tick, duration % tick);
    match rest.cmp(&(tick - rest)) {
        std::cmp::Ordering::Less => whole,
        std::cmp::Ordering::Greater => whole + 1,
        std::cmp::Ordering::Equal => whole + whole % 2,
    }
}

/// What happens to an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectEvent {
    /// The k-th whole tick.
    Tick(u64),
    /// The end, at which what is left of a tick is dealt.
    End,
    /// Somebody extends it.
    Extend,
}

/// An effect from time zero on.
#[derive(Clone, Debug)]
pub struct Effect {
    tick: u64,
    end: u64,
    /// When it is extended, and by how much.
    extension: Option<(u64, u64)>,
    /// Whoever predicts the end must be touched when that changes.
    entity: Option<Entity>,
    /// When it has ticked.
    pub ticks: Vec<u64>,
    /// When a part of a tick was dealt, and which part.
    pub parts: Vec<(u64, f64)>,
}

impl Effect {
    /// An effect that deals the part of a tick that is left at its end.
    pub fn with_part(duration: u64, tick: u64) -> Effect {
        Effect { tick, end: duration, extension: None, entity: None, ticks: Vec::new(), parts: Vec::new() }
    }

    /// An effect whose duration is rounded to whole ticks.
    pub fn of_whole_ticks(duration: u64, tick: u64) -> Effect {
        Effect::with_part(whole_ticks(duration, tick) * tick, tick)
    }

    /// The same effect, extended at a time.
    pub fn extended(self, at: u64, by: u64) -> Effect {
        Effect { extension: Some((at, by)), ..self }
    }

    /// Ticks come at whole multiples, never from a running sum.
    fn schedule_tick(&self, k: u64, cx: &mut impl Context<Self>) -> Outcome {
        if k * self.tick <= self.end {
            cx.schedule(self.stamp(When::at(k * self.tick)), EffectEvent::Tick(k))?;
        }
        Ok(())
    }

    fn schedule_end(&self, cx: &mut impl Context<Self>) -> Outcome {
        // After a tick at the same time, which is whole.
        cx.schedule(self.stamp(When::at(self.end).priority(1)), EffectEvent::End)?;
        Ok(())
    }

    fn stamp(&self, when: When<u64>) -> When<u64> {
        self.entity.into_iter().fold(when, When::stamp)
    }
}

impl Workload for Effect {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        self.entity = Some(cx.spawn());
        self.schedule_tick(1, cx)?;
        self.schedule_end(cx)?;
        if let Some((at, _)) = self.extension {
            cx.schedule_at(at, EffectEvent::Extend)?;
        }
        Ok(())
    }
}

impl Model for Effect {
    type Time = u64;
    type Event = EffectEvent;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: EffectEvent, cx: &mut impl Context<Self>) -> Outcome {
        match event {
            EffectEvent::Tick(k) => {
                self.ticks.push(cx.now());
                self.schedule_tick(k + 1, cx)
            }
            EffectEvent::End => {
                let rest = self.end % self.tick;
                if rest > 0 {
                    self.parts.push((cx.now(), rest as f64 / self.tick as f64));
                }
                Ok(())
            }
            EffectEvent::Extend => {
                self.end += self.extension.map_or(0, |(_, by)| by);
                // All that was predicted for the old end is void.
                self.entity.map(|entity| cx.touch(entity));
                self.schedule_tick(self.ticks.len() as u64 + 1, cx)?;
                self.schedule_end(cx)
            }
        }
    }

    fn kind(event: &EffectEvent) -> &'static str {
        match event {
            EffectEvent::Tick(_) => "tick",
            EffectEvent::End => "end",
            EffectEvent::Extend => "extend",
        }
    }
}
