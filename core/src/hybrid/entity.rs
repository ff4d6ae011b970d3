//! A trajectory among other events: what comes next is scheduled, stamped with the version of its entity.

use super::error::Error;
use super::model::{Hybrid, Now};
use super::stepper::Stepper;
use super::trajectory::{Fired, Trajectory};
use crate::entity::Entity;
use crate::event::Class;
use crate::model::{Context, Model, When};

impl<H: Hybrid, S: Stepper<H>> Trajectory<H, S> {
    /// Starts at the clock, as an entity of its own. `event` is what the model is to be given when something is to be done: hand
    /// it on to [`advance`](Trajectory::advance). The model needs room for one stamp.
    pub fn start<M: Model<Time = f64>>(&mut self, cx: &mut impl Context<M>, event: M::Event) -> Result<Entity, Error> {
        self.begin(cx.now())?;
        let entity = cx.spawn();
        self.entity = Some(entity);
        self.schedule(cx, event)?;
        Ok(entity)
    }

    /// Does what is due and schedules what comes next. Tells the rules that have come true; none, if only a step has ended.
    pub fn advance<M: Model<Time = f64>>(
        &mut self,
        cx: &mut impl Context<M>,
        event: M::Event,
    ) -> Result<Fired<H>, Error> {
        let fired = self.fire()?;
        self.schedule(cx, event)?;
        Ok(fired)
    }

    /// Lets a discrete event change state or mode, now. What was predicted is void, and what comes next is scheduled. The name
    /// stands in the log.
    pub fn change<M: Model<Time = f64>>(
        &mut self,
        cx: &mut impl Context<M>,
        event: M::Event,
        name: &'static str,
        change: impl FnMut(&H, &mut Now<H>),
    ) -> Result<Fired<H>, Error> {
        let fired = self.change_at(cx.now(), name, change);
        // After an error nothing may come that was predicted before it.
        if let Some(entity) = self.entity {
            cx.touch(entity);
        }
        let fired = fired?;
        self.schedule(cx, event)?;
        Ok(fired)
    }

    /// The entity, once it has started.
    pub fn entity(&self) -> Option<Entity> {
        self.entity
    }

    fn schedule<M: Model<Time = f64>>(&mut self, cx: &mut impl Context<M>, event: M::Event) -> Result<(), Error> {
        // Under a clock that moves in ticks it may have passed already.
        let mut when = When::at(self.next_time().max(cx.now()));
        if self.next_class() == Class::State {
            when = when.state();
        }
        if let Some(entity) = self.entity {
            when = when.stamp(entity);
        }
        cx.schedule(when, event)?;
        Ok(())
    }
}
