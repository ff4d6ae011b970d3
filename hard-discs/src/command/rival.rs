//! Another program to be timed beside: `CMD FILE.sph SECONDS` runs the snapshot for so many CPU seconds and prints, as the last line
//! of its output, the pair collisions and the CPU seconds that they took.

use std::path::Path;
use std::process::{Command, Stdio};

use saltus::BoxError;

use super::pages;

/// Collisions for each CPU second.
pub(crate) fn rate_of(command: &str, start: &Path, seconds: f64) -> Result<f64, BoxError> {
    let fail = |what: String| -> BoxError { format!("--rival {command}: {what}").into() };
    let mut words = command.split_whitespace();
    let program = words.next().ok_or_else(|| fail("is empty".to_owned()))?;
    let mut command = Command::new(program);
    // It runs as it would from a shell: what this command has set for itself is not for others.
    if std::env::var(pages::TUNABLES).is_ok_and(|value| value == pages::LARGE) {
        command.env_remove(pages::TUNABLES);
    }
    let output = command
        .args(words)
        .arg(start)
        .arg(seconds.to_string())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| fail(format!("cannot be run: {error}")))?;
    if !output.status.success() {
        return Err(fail(format!("ended with {}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    parse(&text).ok_or_else(|| fail("does not end with a line `COLLISIONS CPU_SECONDS`".to_owned()))
}

fn parse(text: &str) -> Option<f64> {
    let mut numbers = text.lines().rfind(|line| !line.trim().is_empty())?.split_whitespace().map(str::parse::<f64>);
    let (collisions, seconds) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(collisions / seconds).filter(|rate| numbers.next().is_none() && seconds > 0.0 && rate.is_finite())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_last_line_is_collisions_and_seconds() {
        assert_eq!(parse("hello\n300 1.5\n\n"), Some(200.0));
        for text in ["", "300", "300 0", "300 1.5 7", "a b", "300 1.5\nbye", "300 nan", "1e400 1"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
