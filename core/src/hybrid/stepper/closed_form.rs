//! No integration at all: the model knows its state at every time.

use super::{Step, Stepper};
use crate::hybrid::error::Error;
use crate::hybrid::model::{At, Hybrid};
use crate::hybrid::state::State;

/// For models that move with constant velocity or acceleration and say so: [`Hybrid::closed_form`] and
/// [`Rule::closed`](crate::hybrid::Rule::closed). Event times come from the formula, and one step reaches to the next event.
#[derive(Clone, Debug)]
pub struct ClosedForm<X: State> {
    start: f64,
    curves: Option<X::Curves>,
}

impl<X: State> ClosedForm<X> {
    /// Ready to start.
    pub fn new() -> Self {
        ClosedForm { start: f64::NAN, curves: None }
    }
}

impl<X: State> Default for ClosedForm<X> {
    fn default() -> Self {
        ClosedForm::new()
    }
}

impl<X: State, H: Hybrid<State = X>> Stepper<H> for ClosedForm<X> {
    fn restart(&mut self) {}

    fn step(&mut self, model: &H, from: &At<H>, limit: f64) -> Result<Step<X>, Error> {
        let curves = model.closed_form(from).ok_or(Error::NoClosedForm { what: "the state", time: from.time })?;
        (self.start, self.curves) = (from.time, Some(curves));
        let state = Stepper::<H>::state_at(self, limit);
        Ok(Step { end: limit, state, retries: 0, evaluations: 0 })
    }

    #[inline]
    fn state_at(&self, time: f64) -> X {
        match &self.curves {
            Some(curves) => X::from_fn(|i| curves.as_ref()[i].at(time - self.start)),
            None => X::from_fn(|_| f64::NAN),
        }
    }

    fn is_exact(&self) -> bool {
        true
    }
}
