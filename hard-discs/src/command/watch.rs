//! The box in the terminal, drawn with braille dots at every sample.

use std::io::Write;
use std::time::Duration;

use hard_discs::{HardDiscs, Hit};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Header, Observer};

/// Characters across and down: square on a terminal whose characters are twice as high as wide.
const WIDTH: usize = 64;
const HEIGHT: usize = 32;

pub(crate) struct Watch {
    /// Redraw in place and slowly enough to be seen; otherwise only keep the last picture.
    live: bool,
    drawn: bool,
    picture: String,
}

impl Watch {
    pub(crate) fn new(live: bool) -> Watch {
        Watch { live, drawn: false, picture: String::new() }
    }

    fn draw(&mut self, t: f64, model: &HardDiscs) {
        self.picture = picture(t, model, if self.live { "\x1b[K" } else { "" });
        if !self.live {
            return;
        }
        let up = if self.drawn { format!("\x1b[{}A", HEIGHT + 3) } else { String::new() };
        self.drawn = true;
        // A terminal that is gone is no reason to end the run.
        let _ = write!(std::io::stderr(), "{up}{}", self.picture);
        std::thread::sleep(Duration::from_millis(40));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.live {
            let _ = write!(std::io::stderr(), "{}", self.picture);
        }
    }
}

impl Observer<HardDiscs> for Watch {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardDiscs) -> Verdict {
        if *hit == Hit::Sample {
            self.draw(event.time, model);
        }
        GO_ON
    }
}

/// `clear` wipes the rest of a line that may have been longer before.
fn picture(t: f64, model: &HardDiscs, clear: &str) -> String {
    let mut dots = [[0u8; WIDTH]; HEIGHT];
    let mut set = |x: f64, y: f64| {
        let column = (x * (2 * WIDTH) as f64) as usize;
        let row = ((1.0 - y) * (4 * HEIGHT) as f64) as usize;
        if let Some(cell) = dots.get_mut(row / 4).and_then(|line| line.get_mut(column / 2)) {
            // Braille numbers its dots down the left side, down the right side, then the lowest two.
            *cell |= [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]][row % 4][column % 2];
        }
    };
    for (disc, [x, y]) in model.discs().iter().zip(model.positions_at(t)) {
        let steps = (disc.radius * 1200.0).clamp(1.0, 400.0) as u32;
        for step in 0..steps {
            let angle = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
            set(x + disc.radius * angle.cos(), y + disc.radius * angle.sin());
        }
    }
    let edge = "─".repeat(WIDTH);
    let mut text = format!("┌{edge}┐\n");
    for line in dots {
        text.push('│');
        text.extend(line.map(|bits| char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')));
        text.push_str("│\n");
    }
    let work = model.work();
    text + &format!("└{edge}┘\nt = {t:<10} {} pair events, {} wall events{clear}\n", work.pairs, work.walls)
}
