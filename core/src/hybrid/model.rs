//! What a user writes, a [`Hybrid`], and what it is given.

use super::rule::Rule;
use super::state::State;

/// A hybrid model: numbers that follow a differential equation, a mode that changes at events only, and rules that say when.
pub trait Hybrid: Sized + 'static {
    /// The continuous state: `[f64; N]`.
    type State: State;

    /// The discrete state: whatever is constant between events. `()` if there is none. A value that differs from itself, as NaN
    /// does, never stops changing; for "not yet known" take an [`Option`].
    type Mode: Clone + PartialEq;

    /// What makes an event and what it does, at most 64. Rules that come true at one instant act in this order, those of a time
    /// before those of an indicator.
    const RULES: &'static [Rule<Self>];

    /// The time derivative of the state. A condition in here never makes an event: that is where a guard without physical
    /// meaning, such as one against division by zero, belongs.
    fn derivative(&self, at: &At<Self>) -> Self::State;

    /// Each component of the state as a [`Curve`](super::Curve) in the time since `at`, if the model moves with constant
    /// velocity or acceleration; for the stepper [`ClosedForm`](super::ClosedForm).
    fn closed_form(&self, at: &At<Self>) -> Option<<Self::State as State>::Curves> {
        let _ = at;
        None
    }

    /// Equations between discrete variables. They are evaluated in each pass of an instant, after the actions, until nothing
    /// changes any more.
    fn update(&self, now: &mut Now<Self>) {
        let _ = now;
    }

    /// Asked after each event: the state in which to stay from now on, if the model has come to rest. A model at rest follows no
    /// curve and watches no indicator; rules of a time go on, and if one of them changes anything, the model moves again.
    ///
    /// This is how a model with infinitely many events in finite time, as a bouncing ball, comes to an end.
    fn rest(&self, at: &At<Self>) -> Option<Self::State> {
        let _ = at;
        None
    }

    /// The energy, or whatever else is to be audited. It is written to the log before and after each event.
    fn energy(&self, at: &At<Self>) -> Option<f64> {
        let _ = at;
        None
    }
}

/// A point of a trajectory.
pub struct At<'a, H: Hybrid> {
    /// The time.
    pub time: f64,
    /// The continuous state.
    pub x: H::State,
    /// The discrete state, by reference: compare `*at.mode`.
    pub mode: &'a H::Mode,
}

/// An instant as an action sees it: the values from before, and a copy to change. The copy counts once nothing changes any more.
pub struct Now<'a, H: Hybrid> {
    /// The clock.
    pub time: f64,
    /// Values from before the event; in the second and later passes of an instant, from before the pass.
    pub pre: At<'a, H>,
    /// The discrete state to be.
    pub mode: H::Mode,
    pub(super) new: H::State,
}

impl<H: Hybrid> Now<'_, H> {
    /// Sets a component of the state anew. Compute the value from [`pre`](Now::pre): then it does not matter in which order an
    /// action does things.
    #[inline]
    pub fn reinit(&mut self, component: usize, value: f64) {
        self.new.values_mut()[component] = value;
    }

    /// A component as this pass has set it so far. An action that reads it feeds on itself, and its result hangs on the order
    /// of the rules; it is here so that this can be shown.
    #[inline]
    pub fn new_value(&self, component: usize) -> f64 {
        self.new.values()[component]
    }
}
