//! The models that several tests share.

use saltus::hybrid::*;

pub(crate) const G: f64 = 9.81;

/// A ball that falls from a metre and loses speed at each impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) e: f64,
    pub(crate) lock: Lock,
}

/// When it comes to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lock {
    Never,
    /// The next height would be below this.
    Height(f64),
    Speed(f64),
}

pub(crate) const MASS: f64 = 0.1;

pub(crate) fn height(_: &Ball, at: &At<Ball>) -> Curve {
    Curve::accelerated(at.x[0], at.x[1], -G)
}

impl Hybrid for Ball {
    type State = [f64; 2];
    type Mode = ();

    const RULES: &'static [Rule<Self>] =
        &[Rule::<Self>::falling("floor", |_, at| at.x[0], |ball, now| now.reinit(1, -ball.e * now.pre.x[1]))
            .closed(height)];

    fn derivative(&self, at: &At<Self>) -> [f64; 2] {
        [at.x[1], -G]
    }

    fn closed_form(&self, at: &At<Self>) -> Option<[Curve; 2]> {
        Some([height(self, at), Curve::uniform(at.x[1], -G)])
    }

    fn rest(&self, at: &At<Self>) -> Option<[f64; 2]> {
        let [_, v] = at.x;
        let rests = match self.lock {
            Lock::Never => false,
            Lock::Height(least) => v * v / (2.0 * G) < least,
            Lock::Speed(least) => v < least,
        };
        rests.then_some([0.0, 0.0])
    }

    fn energy(&self, at: &At<Self>) -> Option<f64> {
        let [h, v] = at.x;
        Some(MASS * (G * h + 0.5 * v * v))
    }
}

pub(crate) fn ball(e: f64, lock: Lock) -> Run<Ball> {
    Run::new(Ball { e, lock }, [1.0, 0.0], ()).unwrap()
}

pub(crate) fn closed_ball(e: f64, lock: Lock) -> Run<Ball, ClosedForm<[f64; 2]>> {
    Run::with(Ball { e, lock }, [1.0, 0.0], (), ClosedForm::new(), Settings::default()).unwrap()
}

/// The time of the n-th impact.
pub(crate) fn impact(e: f64, n: i32) -> f64 {
    let first = (2.0 / G).sqrt();
    first + (1..n).map(|i| 2.0 * first * e.powi(i)).sum::<f64>()
}
