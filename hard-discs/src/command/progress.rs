//! The progress bar: on a terminal only, and gone when the work is done.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often it moves.
const BEAT: Duration = Duration::from_millis(200);

/// A bar that shows how much is done and how long the rest may take.
pub(crate) struct Progress {
    bar: ProgressBar,
    last: Instant,
}

impl Progress {
    pub(crate) fn new(is_hidden: bool) -> Progress {
        let target = if is_hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}%  {msg}  {eta} left") {
            bar.set_style(style);
        }
        Progress { bar, last: Instant::now() }
    }

    /// Shows that this part is done, if the last time is long enough ago; `message` is told how long.
    pub(crate) fn show(&mut self, part: f64, message: impl FnOnce(Duration) -> String) {
        let since = self.last.elapsed();
        if since < BEAT {
            return;
        }
        self.last = Instant::now();
        self.bar.set_message(message(since));
        self.bar.set_position((1000.0 * part) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
