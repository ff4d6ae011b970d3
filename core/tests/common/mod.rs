//! A model whose events are words, and which does at each word what a test has told it to.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;

use saltus::{Context, Entity, Handle, Handles, Model, Outcome, Simulation, When};

pub(crate) type Word = &'static str;

/// What to do when a word comes up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    At(f64, Word),
    In(f64, Word),
    /// With a priority.
    Ranked(f64, i16, Word),
    /// With the stamp of an entity.
    Stamped(f64, Word, Entity),
    /// With a handle, kept under the word.
    Held(f64, Word),
    Cancel(Word),
    Move(Word, f64),
    Touch(Entity),
    Halt,
    Fail,
}

#[derive(Default)]
pub(crate) struct Script {
    /// What has run, and when.
    pub(crate) log: Vec<(f64, Word)>,
    /// What cancelling has answered, and rescheduling whether there was an event to move.
    pub(crate) answers: Vec<bool>,
    pub(crate) handles: BTreeMap<Word, Handle>,
    acts: BTreeMap<Word, Vec<Act>>,
}

impl Script {
    pub(crate) fn on(mut self, word: Word, acts: &[Act]) -> Self {
        self.acts.insert(word, acts.to_vec());
        self
    }

    pub(crate) fn words(&self) -> Vec<Word> {
        self.log.iter().map(|&(_, word)| word).collect()
    }

    pub(crate) fn act(&mut self, act: Act, cx: &mut impl Context<Self>) -> Outcome {
        match act {
            Act::At(time, word) => drop(cx.schedule_at(time, word)?),
            Act::In(delay, word) => drop(cx.schedule_in(delay, word)?),
            Act::Ranked(time, priority, word) => drop(cx.schedule(When::at(time).priority(priority), word)?),
            Act::Stamped(time, word, entity) => drop(cx.schedule(When::at(time).stamp(entity), word)?),
            Act::Held(time, word) => {
                let handle = cx.schedule_with_handle(time, word)?;
                self.handles.insert(word, handle);
            }
            Act::Cancel(word) => self.answers.push(cx.cancel(self.handles[word])),
            Act::Move(word, time) => {
                let moved = cx.reschedule(self.handles[word], time)?;
                self.answers.push(moved.is_some());
            }
            Act::Touch(entity) => drop(cx.touch(entity)),
            Act::Halt => cx.stop(),
            Act::Fail => return Err("told to fail".into()),
        }
        Ok(())
    }
}

impl Model for Script {
    type Time = f64;
    type Event = Word;
    type Refs = Handles<2>;

    fn handle(&mut self, word: Word, cx: &mut impl Context<Self>) -> Outcome {
        self.log.push((cx.now(), word));
        for act in self.acts.get(word).cloned().unwrap_or_default() {
            self.act(act, cx)?;
        }
        Ok(())
    }

    fn kind(word: &Word) -> &'static str {
        word
    }
}

/// A simulation of the script, with the first acts done.
pub(crate) fn start(script: Script, acts: &[Act]) -> Simulation<Script> {
    let mut sim = Simulation::new(script);
    act(&mut sim, acts);
    sim
}

/// Does something from outside of handlers.
pub(crate) fn act(sim: &mut Simulation<Script>, acts: &[Act]) {
    let (script, cx) = sim.parts();
    for &act in acts {
        script.act(act, cx).unwrap();
    }
}
