//! The command: its right values, and what it says when something is wrong.

use std::process::{Command, Output};

use saltus::log::{Log, LogTime, Outcome, Root};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_timewheel-compare")).args(args).output().expect("the command runs")
}

fn good(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn bad(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn quantise() {
    let csv = good(&["quantise", "0", "12", "30", "31", "--csv"]);
    assert_eq!(csv, "event,due_ms,slot,happens_ms,delay_ms\nA,0,1,30,30\nB,12,1,30,18\nC,30,1,30,0\nD,31,2,61,30\n");
    let json = good(&["quantise", "100", "--json"]);
    assert!(json.contains("\"happens_ms\": \"124\""), "{json}");
    assert!(good(&["quantise", "154"]).contains("155"), "31 ms added by hand give 154");
    assert!(good(&["quantise", "2000000"]).contains("2000030"), "farther than a turn");
    assert!(good(&["quantise", "0.5", "--resolution", "1us"]).contains("31.249"));
    assert!(bad(&["quantise", "0.5"]).contains("finer than the resolution"));
    assert!(bad(&["quantise", "--", "-1"]).contains("\"-1\" is not a time"));
    assert!(bad(&["quantise", "99999999999999999999"]).contains("beyond the end of time"));
    assert!(
        bad(&["quantise", "1", "--wheel-granularity", "2048"])
            .contains("2048 slots need at least one tick each, and there are 1000")
    );
}

#[test]
fn scan() {
    let csv = good(&["scan", "--csv"]);
    assert!(csv.contains("event-driven,3,0,0,0,1,6000\n"), "{csv}");
    assert!(csv.contains("quantising wheel,3,193,192,0,193,6030\n"), "{csv}");
    assert!(good(&["scan"]).contains("5.999  slot 192: empty"));
    assert!(good(&["scan", "--delay", "600", "--wheel-granularity", "1"]).contains("explodes"));
    assert!(bad(&["scan", "--delay", "2000"]).contains("beyond what the queue can hold"));
}

#[test]
fn settings() {
    let text = good(&["settings", "--wheel-granularity", "65", "--wheel-seconds", "601"]);
    assert!(text.starts_with("wheel_granularity=64\nwheel_seconds=1024\n# wheel_granularity: 65 is not"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wheel.txt");
    let name = file.to_str().expect("a name");
    std::fs::write(&file, text).expect("written");
    assert!(good(&["settings", name]).starts_with("wheel_granularity=64\nwheel_seconds=1024\n# 65536 slots"));
    assert!(good(&["settings", name, "--wheel-granularity", "-3"]).contains("-3 is not above zero, 32 is used"));
    std::fs::write(&file, "# slots\nwheel_granularity=many\n").expect("written");
    assert!(bad(&["settings", name]).contains("wheel.txt:2: wheel_granularity: \"many\" is not a whole number"));
    assert!(bad(&["settings", "no such file"]).contains("no such file: cannot be read"));
    assert!(bad(&["settings", "--wheel-seconds", "100000000"]).contains("a wheel has at most"));
}

#[test]
fn wheel() {
    let text = good(&["wheel"]);
    assert!(text.contains("0 | 1 1 1 1 1 1 1 1 1 1 | 1 1 1 1 1   slot 32767 = 0x7fff"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wheel.svg");
    good(&["wheel", "--out", file.to_str().expect("a name")]);
    let svg = std::fs::read_to_string(file).expect("a drawing");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
}

#[test]
fn haste_and_discs() {
    let csv = good(&["haste", "--wheel-granularity", "32", "--delta", "1%", "--csv"]);
    assert_eq!(csv.lines().count(), 3);
    assert!(bad(&["haste", "--delta", "0.03%"]).contains("not a multiple of 0.05%"));
    assert!(bad(&["haste", "--model", "P", "--latency", "100,10"]).contains("know no latency"));
    let text = good(&["discs", "--start", "squeeze", "--until", "30", "--dt", "1"]);
    assert!(text.contains("fixed step"), "{text}");
    let csv = good(&["discs", "--start", "billiards", "--walls-only", "--until", "100", "--dt", "0.01", "--csv"]);
    assert_eq!(csv, "dt,bounces,exact,steps\n0.01,2,2,10000\n", "the cue ball alone moves, and crosses the box twice");
    assert!(bad(&["discs", "no such file"]).contains("cannot be read"));
}

#[test]
fn traces() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.log");
    let name = path.to_str().expect("a name");
    let times = |log: &Log| {
        let mut times: Vec<LogTime> = log.executed().map(|event| event.time()).collect();
        times.dedup();
        times
    };
    let read = || Log::open(&path).expect("a log");

    assert_eq!(good(&["scan", "--trace", name]), good(&["scan"]));
    let log = read();
    let explosion = log.find("explode@1").expect("it explodes");
    let chain = log.why(explosion.id).expect("a chain");
    assert_eq!((chain.links.len(), chain.root, chain.span()), (3, Root::Outside, 6000.0));
    assert_eq!(log.executed().len(), 3, "three events, all in that chain");
    assert_eq!(times(&log), [LogTime::Ticks(0), LogTime::Ticks(6000)], "and one leap");
    assert!(!std::fs::read_to_string(&path).expect("text").contains("\"do\":\"clock\""), "with no stop on the way");
    assert_eq!(log.end.as_ref().map(|end| (end.outcome, end.clock)), Some((Outcome::Ok, LogTime::Ticks(6000))));

    good(&["scan", "--trace", name, "--trace-driver", "quantising-wheel"]);
    assert_eq!(times(&read()), [LogTime::Ticks(0), LogTime::Ticks(6030)], "late by what is left of the slot");

    let short = ["discs", "--start", "billiards", "--until", "40", "--dt", "1", "--wheel-granularity", "8", "--csv"];
    let csv = good(&[&short[..], &["--trace", name]].concat());
    let log = read();
    let reference = csv.lines().nth(1).expect("the event-driven run");
    let executed = log.executed().len().to_string();
    assert!(reference.split(',').any(|field| field == executed), "{executed} events: {reference}");
    assert!(log.end.is_some());

    assert!(bad(&["scan", "--trace", "no such folder/run.log"]).contains("cannot be written"));
    assert!(bad(&["scan", "--trace-driver", "quantising-wheel"]).contains("--trace"));
    assert!(bad(&["discs", "--start", "cradle", "--trace", name, "--movie", name]).contains("named twice"));
    assert!(bad(&["discs", "--start", "cradle", "--movie", "-"]).contains("outputs are files"));
}
