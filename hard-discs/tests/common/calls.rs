//! Calls of the built command, and folders that go away with their test.

// Every test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) fn hard_discs(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hard-discs"));
    command.args(arguments).env_remove("RUST_LOG");
    command
}

pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn ended(output: Output) -> Ended {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended {
        code: output.status.code().expect("not ended by a signal"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

pub(crate) fn call(arguments: &[&str]) -> Ended {
    ended(hard_discs(arguments).stdin(Stdio::null()).output().unwrap())
}

/// What it prints if all goes well.
#[track_caller]
pub(crate) fn good(arguments: &[&str]) -> String {
    let end = call(arguments);
    assert_eq!((end.code, &end.err[..]), (0, ""), "{arguments:?}");
    end.out
}

pub(crate) fn call_with_input(arguments: &[&str], input: &[u8]) -> Ended {
    let mut child =
        hard_discs(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    ended(child.wait_with_output().unwrap())
}

/// A folder that goes away with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn names(&self) -> BTreeSet<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        fs::read_dir(self.0.path()).unwrap().map(name).collect()
    }
}

#[track_caller]
pub(crate) fn assert_one_line(end: &Ended, word: &str) {
    assert_eq!((end.code, &end.out[..]), (2, ""), "{}", end.err);
    assert_eq!(end.err.lines().count(), 1, "{}", end.err);
    assert!(end.err.starts_with("hard-discs: ") && end.err.contains(word), "{word:?} is missing in {}", end.err);
}
