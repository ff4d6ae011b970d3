//! The box in the terminal, drawn with braille dots at every sample.

use std::io::Write;
use std::time::{Duration, Instant};

use hard_discs::{HardSpheres, Hit, Schedule};
use saltus::observe::{GO_ON, Verdict};
use saltus::{Header, Observer};

/// Lines of the box where there is room for them. It is twice as many characters wide, so that it looks square on a terminal
/// whose characters are twice as high as wide.
const HEIGHT: usize = 32;

pub(crate) struct Watch {
    height: usize,
    /// Redraw in place and slowly enough to be seen; otherwise only keep the last picture.
    live: bool,
    drawn: bool,
    picture: String,
    /// Time spent so that the pictures can be seen.
    pub(crate) waited: Duration,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        let terminal = console::Term::stderr();
        // Two lines of frame, one of text, and the line of the cursor; two columns of frame.
        let room = |(rows, columns): (u16, u16)| {
            let (rows, columns) = (usize::from(rows), usize::from(columns));
            rows.saturating_sub(4).min(columns.saturating_sub(2) / 2).clamp(4, HEIGHT)
        };
        Watch {
            height: terminal.size_checked().map_or(HEIGHT, room),
            live: terminal.is_term(),
            drawn: false,
            picture: String::new(),
            waited: Duration::ZERO,
        }
    }

    fn draw<const D: usize, S: Schedule>(&mut self, t: f64, model: &HardSpheres<D, S>) {
        self.picture = picture(t, model, self.height, if self.live { "\x1b[K" } else { "" });
        if !self.live {
            return;
        }
        let up = if self.drawn { format!("\x1b[{}A", self.height + 3) } else { String::new() };
        self.drawn = true;
        // A terminal that is gone is no reason to end the run.
        let _ = write!(std::io::stderr(), "{up}{}", self.picture);
        let begin = Instant::now();
        std::thread::sleep(Duration::from_millis(40));
        self.waited += begin.elapsed();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.live {
            let _ = write!(std::io::stderr(), "{}", self.picture);
        }
    }
}

impl<const D: usize, S: Schedule> Observer<HardSpheres<D, S>> for Watch {
    type Cause = ();

    fn before(&mut self, event: &Header<f64>, hit: &Hit, model: &HardSpheres<D, S>) -> Verdict {
        if *hit == Hit::Sample {
            self.draw(event.time, model);
        }
        GO_ON
    }
}

/// The box as seen from above, stretched to a square. `clear` wipes the rest of a line that may have been longer before.
fn picture<const D: usize, S: Schedule>(t: f64, model: &HardSpheres<D, S>, height: usize, clear: &str) -> String {
    let width = 2 * height;
    let mut dots = vec![vec![0u8; width]; height];
    let mut set = |x: f64, y: f64| {
        let column = (x * (2 * width) as f64) as usize;
        let row = ((1.0 - y) * (4 * height) as f64) as usize;
        if let Some(cell) = dots.get_mut(row / 4).and_then(|line| line.get_mut(column / 2)) {
            // Braille numbers its dots down the left side, down the right side, then the lowest two.
            *cell |= [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]][row % 4][column % 2];
        }
    };
    let (walls, lengths) = (model.walls(), model.walls().lengths());
    for (i, place) in model.positions_at(t).enumerate() {
        let radius = model.disc(i).radius;
        let [[x, across], [y, up]] =
            [0, 1].map(|axis| [(place[axis] - walls.low[axis]) / lengths[axis], radius / lengths[axis]]);
        let steps = (across.max(up) * 1200.0).clamp(1.0, 400.0) as u32;
        for step in 0..steps {
            let angle = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
            set(x + across * angle.cos(), y + up * angle.sin());
        }
    }
    let edge = "─".repeat(width);
    let mut text = format!("┌{edge}┐\n");
    for line in dots {
        text.push('│');
        text.extend(line.into_iter().map(|bits| char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')));
        text.push_str("│\n");
    }
    let (work, now) = (model.work(), model.elapsed() + t);
    text + &format!("└{edge}┘\nt = {now:<10} {} pair events, {} wall events{clear}\n", work.pairs, work.walls)
}
