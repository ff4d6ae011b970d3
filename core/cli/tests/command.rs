//! The command as a user meets it: what it prints, how it exits.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use saltus::log::{Log, LogHeader};
use saltus::observe::Recorder;
use saltus::{BoxError, Context, Entity, Model, Settings, Simulation, Stamps, When};

/// A door that is opened now and then, and closes by itself three seconds after it was opened last.
struct Door(Option<Entity>);

impl Model for Door {
    type Time = f64;
    type Event = &'static str;
    type Refs = Stamps<1>;

    fn handle(&mut self, event: &'static str, cx: &mut impl Context<Self>) -> Result<(), BoxError> {
        if event == "open" {
            let door = self.0.ok_or("no door")?;
            cx.touch(door);
            cx.schedule(When::after(3.0).stamp(door), "close")?;
        }
        Ok(())
    }

    fn kind(event: &&'static str) -> &'static str {
        event
    }
}

fn log(opened: &[f64]) -> Vec<u8> {
    let settings = Settings { seed: 9, ..Settings::default() };
    let header = LogHeader::new("door", &settings).setting("hinges", 2);
    let recorder = Recorder::streaming(Vec::new(), &header).unwrap();
    let recorder = recorder.labelled(|event: &&str| format!("the door\n{event}s"));
    let mut simulation = Simulation::<_, _>::with(Door(None), settings, recorder);
    let (door, cx) = simulation.parts();
    door.0 = Some(cx.spawn());
    for &time in opened {
        cx.schedule_at(time, "open").unwrap();
    }
    let result = simulation.run();
    simulation.into_parts().1.finish(&result).unwrap()
}

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, text: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn saltus(log: &Path, arguments: &[&str]) -> Output {
    let (question, rest) = arguments.split_first().unwrap();
    Command::new(env!("CARGO_BIN_EXE_saltus")).arg(question).arg(log).args(rest).output().unwrap()
}

fn text(log: &Path, arguments: &[&str]) -> String {
    let output = saltus(log, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(log: &Path, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&text(log, &[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn why_tells_the_chain_and_all_that_an_event_goes_back_to() {
    let files = Files::new();
    let log = files.put("run.log", &log(&[0.0, 2.0, 7.5]));
    let expected = "\
#5 close of 0 at 5.0  \"the door\\ncloses\"  (3 after)
because of #2 open at 2.0  \"the door\\nopens\"
no cause: scheduled from outside
2 events, 3 of simulated time
";
    assert_eq!(text(&log, &["why", "close@1"]), expected);
    let expected = "\
#5 close of 0 at 5.0  \"the door\\ncloses\"  <- #2 (set 0, its cause)
#2 open at 2.0  \"the door\\nopens\"  <- nothing: a root
2 events go into this; roots: #2
";
    assert_eq!(text(&log, &["why", "5", "--all"]), expected);
    let chain = json(&log, &["why", "5"]);
    assert_eq!(chain["root"], "outside");
    assert_eq!(chain["links"][0]["gap"], 3.0);
    assert_eq!(chain["links"][1]["id"], 2);
}

#[test]
fn the_other_questions_answer_in_text_and_json() {
    let files = Files::new();
    let log = files.put("run.log", &log(&[0.0, 2.0, 7.5]));
    assert_eq!(
        text(&log, &["stale"]),
        "#4 close of 0 at 3.0, stale  \"the door\\ncloses\": 0 was touched at 2.0 by #2 open\n1 stale, 0 swept\n"
    );
    assert_eq!(json(&log, &["stale", "--entity", "0"])["events"][0]["void"]["by"], 2);
    let summary = text(&log, &["summary"]);
    for part in ["door, seed 9", "hinges", "ok: nothing is pending", "longest chain   2 events", "16.7 %"] {
        assert!(summary.contains(part), "{part}\n{summary}");
    }
    assert_eq!(json(&log, &["summary"])["total"]["executed"], 5);
    let effects = text(&log, &["effects", "2", "--all"]);
    assert!(effects.contains("\n  #5 close of 0 at 5.0") && effects.contains("voided 1 predictions"), "{effects}");
    assert_eq!(json(&log, &["effects", "1"])["nothing"], 1);
    assert_eq!(json(&log, &["critical"])["longest"]["links"][0]["id"], 5);
    assert!(text(&log, &["critical", "--all"]).starts_with("longest by number of events:"));
}

#[test]
fn slices_are_logs_also_through_pipes() {
    let files = Files::new();
    let path = files.put("run.log", &log(&[0.0, 2.0, 7.5]));
    let out = path.with_file_name("part.log");
    assert_eq!(text(&path, &["slice", "--kind", "close", "--out", out.to_str().unwrap()]), "");
    assert_eq!(text(&path, &["slice", "--kind", "close"]), std::fs::read_to_string(&out).unwrap());
    let part = Log::open(&out).unwrap();
    assert_eq!((part.events().len(), part.summary().external), (3, 3));
    assert!(text(&out, &["why", "5"]).contains("because of #2, which is not in this log"));

    let mut child = Command::new(env!("CARGO_BIN_EXE_saltus"))
        .args(["why", "-", "5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&log(&[0.0, 2.0, 7.5])).unwrap();
    assert!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().starts_with("#5 close"));
}

#[test]
fn a_difference_is_exit_code_one() {
    let files = Files::new();
    let (a, b) = (files.put("a.log", &log(&[0.0, 2.0])), files.put("b.log", &log(&[0.0, 2.5])));
    let same = saltus(&a, &["diff", a.to_str().unwrap()]);
    assert_eq!((same.status.code(), &same.stdout[..]), (Some(0), &b"the same 3 events, the same end\n"[..]));
    let differ = saltus(&a, &["diff", b.to_str().unwrap()]);
    let words = String::from_utf8(differ.stdout).unwrap();
    assert_eq!(differ.status.code(), Some(1));
    assert!(words.starts_with("1 events are the same; the next differs in time:\n< #2 open at 2.0"), "{words}");
    assert_eq!(saltus(&a, &["diff", b.to_str().unwrap(), "--json"]).status.code(), Some(1));
}

#[test]
fn exports_are_what_they_should_be() {
    let files = Files::new();
    let log = files.put("run.log", &log(&[0.0, 2.0, 7.5]));
    let chrome: serde_json::Value = serde_json::from_str(&text(&log, &["export", "--format", "chrome"])).unwrap();
    let events = chrome["traceEvents"].as_array().unwrap();
    let count = |phase: &str| events.iter().filter(|event| event["ph"] == phase).count();
    assert_eq!((count("X"), count("s"), count("f")), (5, 2, 2));
    let dot = text(&log, &["export", "--format", "dot"]);
    assert!(dot.contains("  2 -> 5;\n") && dot.ends_with("}\n"), "{dot}");
    let csv = text(&log, &["export", "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("id,time,due,fate,kind,entities,priority,cause,parents,label"));
    assert!(csv.contains("5,5.0,5.0,executed,close,0,0,2,2,\"the door\ncloses\"\n"), "{csv}");
}

#[test]
fn bad_input_is_exit_code_two_and_says_where() {
    let files = Files::new();
    let fails = |path: &Path, arguments: &[&str], expected: &str| {
        let output = saltus(path, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains(expected), "{words}");
    };
    fails(&files.put("table.csv", b"a,b\n1,2\n"), &["summary"], "table.csv: line 1: not a log");
    fails(
        &files.put("new.log", b"{\"saltus\":9}\n"),
        &["summary"],
        "format version 9, but this program reads version 1",
    );
    fails(Path::new("nowhere.log"), &["summary"], "nowhere.log: cannot be read");
    let whole = log(&[0.0]);
    fails(&files.put("run.log", &whole), &["why", "77"], "no event 77 in this log");
    fails(&files.put("run.log", &whole), &["slice", "--from", "0"], "ids count from 1");

    // A log that is cut is read, with a warning.
    let cut = files.put("cut.log", &whole[..whole.len() - 60]);
    let output = saltus(&cut, &["why", "1"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("incomplete"));
    assert!(text(&cut, &["summary"]).contains("incomplete: the log has no end record"));
}
