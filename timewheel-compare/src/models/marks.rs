//! Events at given times that do nothing but note when they happened.

use saltus::{Context, Model, Outcome, Stamps};

use crate::drivers::Workload;

/// A mark for each of some times.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// When they are due.
    pub due: Vec<u64>,
    /// Which of them have happened, and when, in the order in which they did.
    pub happened: Vec<(usize, u64)>,
}

impl Marks {
    /// Marks that have yet to happen.
    pub fn new(due: Vec<u64>) -> Marks {
        Marks { due, happened: Vec::new() }
    }
}

impl Workload for Marks {
    fn start(&mut self, cx: &mut impl Context<Self>) -> Outcome {
        for (number, &time) in self.due.iter().enumerate() {
            cx.schedule_at(time, number)?;
        }
        Ok(())
    }
}

impl Model for Marks {
    type Time = u64;
    type Event = usize;
    type Refs = Stamps<0>;

    fn handle(&mut self, number: usize, cx: &mut impl Context<Self>) -> Outcome {
        self.happened.push((number, cx.now()));
        Ok(())
    }

    fn kind(_: &usize) -> &'static str {
        "mark"
    }
}
