//! A debuff that explodes when it ends: three events that follow from one another, the example of the original.

use saltus::{Context, Model, Outcome, Stamps};

use crate::drivers::Workload;

/// What happens to a debuff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebuffEvent {
    /// Somebody applies it.
    Apply,
    /// Its time is over.
    End,
    /// It explodes, at once.
    Explode,
}

/// A debuff of some length.
#[derive(Clone, Debug)]
pub struct Debuff {
    length: u64,
    /// What has happened, and when.
    pub happened: Vec<(u64, DebuffEvent)>,
}

impl Debuff {
    /// A debuff that lasts that many ticks.
    pub fn new(length: u64) -> Debuff {
        Debuff { length, happened: Vec::new() }
    }
}

impl Workload for Debuff {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        cx.schedule_at(cx.now(), DebuffEvent::Apply)?;
        Ok(())
    }
}

impl Model for Debuff {
    type Time = u64;
    type Event = DebuffEvent;
    type Refs = Stamps<0>;

    fn handle(&mut self, event: DebuffEvent, cx: &mut impl Context<Self>) -> Outcome {
        self.happened.push((cx.now(), event));
        match event {
            DebuffEvent::Apply => drop(cx.schedule_in(self.length, DebuffEvent::End)?),
            DebuffEvent::End => drop(cx.schedule_in(0, DebuffEvent::Explode)?),
            DebuffEvent::Explode => {}
        }
        Ok(())
    }

    fn kind(event: &DebuffEvent) -> &'static str {
        match event {
            DebuffEvent::Apply => "apply",
            DebuffEvent::End => "end",
            DebuffEvent::Explode => "explode",
        }
    }
}
