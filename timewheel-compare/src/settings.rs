//! The two settings of the original, `wheel_granularity` and `wheel_seconds`: how they are read, rounded and refused.
//!
//! Both are rounded down to a power of two, so that a slot is found by masks. Then a length below 600 s is refused in favour of
//! 1024 s, since the longest timer of the original takes ten minutes; so 600 itself becomes 512, and the shortest length that
//! is ever accepted is 1024. A granularity of zero or less is replaced by 32.

use std::fmt;
use std::path::Path;

use saltus::driver::Slots;

use crate::slots::{RuleR, TooFine};
use crate::wheel::Wheel;

/// Slots a second unless told otherwise.
pub const GRANULARITY: u64 = 32;
/// Seconds around the wheel unless told otherwise.
pub const SECONDS: u64 = 1024;
/// A shorter wheel is refused.
pub const SHORTEST: i64 = 600;
/// More slots than that are refused: each costs four bytes and a bit.
pub const MOST_SLOTS: u64 = 1 << 30;

/// What a user asks for, in options or a file; what is not asked for is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// `wheel_granularity`: slots a second.
    pub granularity: Option<i64>,
    /// `wheel_seconds`: the length of the wheel.
    pub seconds: Option<i64>,
}

/// What is used: two powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Settings {
    /// Slots a second.
    pub granularity: u64,
    /// Seconds around the wheel.
    pub seconds: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { granularity: GRANULARITY, seconds: SECONDS }
    }
}

/// Something that was asked for and is not what is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A value was no power of two.
    Rounded {
        /// Which setting.
        name: &'static str,
        /// What was asked for.
        from: i64,
        /// What it became.
        to: u64,
    },
    /// A granularity of zero or less.
    NotAGranularity(i64),
    /// After rounding, the wheel would be too short.
    TooShort(i64),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Rounded { name, from, to } => {
                write!(f, "{name}: {from} is not a power of two, rounded down to {to}")
            }
            Note::NotAGranularity(value) => {
                write!(f, "wheel_granularity: {value} is not above zero, {GRANULARITY} is used instead")
            }
            Note::TooShort(value) => {
                write!(f, "wheel_seconds: {value} is below {SHORTEST} and refused, {SECONDS} is used instead")
            }
        }
    }
}

/// Why settings cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Slots would be shorter than a tick.
    #[error("wheel_granularity: {0}")]
    TooFine(#[from] TooFine),
    /// The wheel would not fit into memory.
    #[error(
        "wheel_granularity {granularity} times wheel_seconds {seconds} is {} slots; a wheel has at most {MOST_SLOTS}",
        u128::from(*granularity) * u128::from(*seconds)
    )]
    TooMany {
        /// Slots a second.
        granularity: u64,
        /// Seconds around the wheel.
        seconds: u64,
    },
}

impl Asked {
    /// What is used, and what there is to say about it.
    pub fn settle(self) -> (Settings, Vec<Note>) {
        let mut notes = Vec::new();
        let granularity = match self.granularity {
            None => GRANULARITY,
            Some(value) => round_down("wheel_granularity", value, &mut notes).unwrap_or_else(|| {
                notes.push(Note::NotAGranularity(value));
                GRANULARITY
            }),
        };
        let seconds = match self.seconds {
            None => SECONDS,
            Some(value) => {
                let rounded = round_down("wheel_seconds", value, &mut notes);
                rounded.filter(|&seconds| seconds >= SHORTEST as u64).unwrap_or_else(|| {
                    notes.push(Note::TooShort(rounded.map_or(value, |seconds| seconds as i64)));
                    SECONDS
                })
            }
        };
        (Settings { granularity, seconds }, notes)
    }

    /// These, and where they say nothing the others.
    pub fn or(self, others: Asked) -> Asked {
        Asked { granularity: self.granularity.or(others.granularity), seconds: self.seconds.or(others.seconds) }
    }
}

/// The largest power of two that is not larger; `None` for zero and less.
fn round_down(name: &'static str, value: i64, notes: &mut Vec<Note>) -> Option<u64> {
    let to = 1 << u64::try_from(value).ok()?.checked_ilog2()?;
    if to != value as u64 {
        notes.push(Note::Rounded { name, from: value, to });
    }
    Some(to)
}

impl Settings {
    /// Slots around the wheel.
    pub fn slots(&self) -> Option<u64> {
        self.granularity.checked_mul(self.seconds).filter(|&slots| slots <= MOST_SLOTS)
    }

    /// The wheel with these settings when a second has `resolution` ticks.
    pub fn wheel(&self, resolution: u64) -> Result<Wheel<RuleR>, SettingsError> {
        let Settings { granularity, seconds } = *self;
        let slots = self.slots().ok_or(SettingsError::TooMany { granularity, seconds })?;
        Ok(Wheel::new(RuleR::new(resolution, granularity)?, slots))
    }

    /// Where on the wheel a time lies: the second, which is the upper bits of the slot's number, and the piece of it.
    pub fn place(&self, time: u64, slots: &RuleR) -> (u64, u64) {
        let place = slots.slot_of(time) & (self.granularity * self.seconds - 1);
        (place >> self.granularity.trailing_zeros(), place & (self.granularity - 1))
    }
}

/// What is wrong with a file of settings, and where.
#[derive(Debug)]
pub struct FileError {
    /// The file's name.
    pub file: String,
    /// The line, counted from 1; `None` if it is the file as a whole.
    pub line: Option<usize>,
    /// The rule that was broken.
    pub problem: Problem,
}

/// The rule that a line of a file broke.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// There is no `=`.
    #[error("\"{0}\" is not of the form key=value")]
    NotAPair(String),
    /// Another key.
    #[error("\"{0}\" is not a setting; there are wheel_granularity and wheel_seconds")]
    UnknownKey(String),
    /// The value is something else.
    #[error("{key}: \"{value}\" is not a whole number")]
    NotANumber {
        /// Of which setting.
        key: &'static str,
        /// What stands there.
        value: String,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for FileError {}

/// Reads a file of `key=value` lines. What follows a `#` is a comment; of a key that is given twice the last value counts.
pub fn read(path: &Path) -> Result<Asked, FileError> {
    let fail = |line, problem| FileError { file: path.display().to_string(), line, problem };
    let text = std::fs::read_to_string(path).map_err(|error| fail(None, error.into()))?;
    parse(&text).map_err(|(line, problem)| fail(Some(line), problem))
}

/// Reads settings from a text; an error comes with its line.
pub fn parse(text: &str) -> Result<Asked, (usize, Problem)> {
    let mut asked = Asked::default();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default().trim();
        if !text.is_empty() {
            parse_line(text, &mut asked).map_err(|problem| (line, problem))?;
        }
    }
    Ok(asked)
}

fn parse_line(text: &str, asked: &mut Asked) -> Result<(), Problem> {
    let (key, value) = text.split_once('=').ok_or_else(|| Problem::NotAPair(cut(text)))?;
    let (key, place) = match key.trim() {
        "wheel_granularity" => ("wheel_granularity", &mut asked.granularity),
        "wheel_seconds" => ("wheel_seconds", &mut asked.seconds),
        other => return Err(Problem::UnknownKey(cut(other))),
    };
    let value = value.trim();
    *place = Some(value.parse().map_err(|_| Problem::NotANumber { key, value: cut(value) })?);
    Ok(())
}

/// As much of a text as an error message should quote.
fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().count() > 40 {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(granularity: i64, seconds: i64) -> (u64, u64, usize) {
        let (settings, notes) = Asked { granularity: Some(granularity), seconds: Some(seconds) }.settle();
        (settings.granularity, settings.seconds, notes.len())
    }

    #[test]
    fn granularities() {
        for (asked, used, notes) in [
            (32, 32, 0),
            (64, 64, 0),
            (65, 64, 1),
            (100, 64, 1),
            (127, 64, 1),
            (1, 1, 0),
            (0, 32, 1),
            (-5, 32, 1),
            (i64::MIN, 32, 1),
            (i64::MAX, 1 << 62, 1),
        ] {
            assert_eq!(settle(asked, 1024), (used, 1024, notes), "{asked}");
        }
    }

    #[test]
    fn lengths() {
        for (asked, used, notes) in [
            (1024, 1024, 0),
            (601, 1024, 2),
            (600, 1024, 2),
            (512, 1024, 1),
            (1023, 1024, 2),
            (1025, 1024, 1),
            (1535, 1024, 1),
            (1537, 1024, 1),
            (2047, 1024, 1),
            (2048, 2048, 0),
            (0, 1024, 1),
            (-1, 1024, 1),
        ] {
            assert_eq!(settle(32, asked), (32, used, notes), "{asked}");
        }
    }

    #[test]
    fn notes_say_what_happened_in_order() {
        let (_, notes) = Asked { granularity: Some(65), seconds: Some(601) }.settle();
        let notes: Vec<String> = notes.iter().map(Note::to_string).collect();
        assert_eq!(
            notes,
            [
                "wheel_granularity: 65 is not a power of two, rounded down to 64",
                "wheel_seconds: 601 is not a power of two, rounded down to 512",
                "wheel_seconds: 512 is below 600 and refused, 1024 is used instead",
            ]
        );
    }

    #[test]
    fn files() {
        let text = "# finer slots\nwheel_granularity=64\n\n  wheel_seconds = 2048 # longer\r\nwheel_granularity=128\n";
        let asked = parse(text).expect("a good file");
        assert_eq!(asked, Asked { granularity: Some(128), seconds: Some(2048) });
        let wrong = |text: &str| {
            let (line, problem) = parse(text).expect_err("a bad file");
            format!("{line}: {problem}")
        };
        assert_eq!(wrong("\nwheel_seconds"), "2: \"wheel_seconds\" is not of the form key=value");
        assert_eq!(
            wrong("wheel_shift=5"),
            "1: \"wheel_shift\" is not a setting; there are wheel_granularity and wheel_seconds"
        );
        assert_eq!(wrong("#\n#\nwheel_seconds=10.5"), "3: wheel_seconds: \"10.5\" is not a whole number");
        assert_eq!(wrong("wheel_seconds="), "1: wheel_seconds: \"\" is not a whole number");
    }

    #[test]
    fn the_number_of_a_slot_is_five_bits_of_the_second_and_ten_bits_of_seconds() {
        let settings = Settings::default();
        let slots = RuleR::new(1000, settings.granularity).expect("not too fine");
        assert_eq!(settings.slots(), Some(1 << 15));
        assert_eq!(settings.place(1_023_999, &slots), (1023, 31));
        assert_eq!(settings.place(1_024_000, &slots), (0, 0), "used again after a turn");
        assert_eq!(settings.place(6_000, &slots), (6, 0));
        let too_many = Settings { granularity: 1 << 20, seconds: 1 << 11 }.wheel(1_000_000_000);
        assert!(matches!(too_many, Err(SettingsError::TooMany { .. })));
        assert!(matches!(Settings { granularity: 2048, seconds: 1024 }.wheel(1000), Err(SettingsError::TooFine(_))));
    }
}
