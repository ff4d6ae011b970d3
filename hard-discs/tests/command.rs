//! The built command, from outside: what it prints, how it ends, what it leaves behind.

#[path = "common/calls.rs"]
mod calls;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use calls::{Folder, assert_one_line, call, call_with_input, ended, good, hard_discs};
use serde_json::Value;

#[test]
fn a_run_prints_its_summary_in_words() {
    let out = good(&["run", "--start", "billiards", "--until", "200", "--certify"]);
    for line in [
        "discs                11\n",
        "simulated time       200 (end reached)\n",
        "pair events          27\n",
        "wall events          11\n",
        "certificate          holds over 38 events\n",
    ] {
        assert!(out.contains(line), "{line:?} is missing in\n{out}");
    }
    for name in ["predictions", "pushes", "stale, swept events", "largest queue", "energy", "wall-clock"] {
        assert!(out.lines().any(|line| line.starts_with(name)), "{name} is missing in\n{out}");
    }
}

#[test]
fn a_run_prints_its_summary_as_one_json_object() {
    let arguments = ["run", "--start", "squeeze", "--until", "40", "--json", "--certify", "--work"];
    let out = good(&arguments);
    assert_eq!(out.lines().count(), 1);
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["n"], 3);
    assert_eq!(summary["simulated_time"], 40.0);
    assert_eq!(summary["pair_events"], 108);
    assert_eq!(summary["wall_events"], 0);
    assert_eq!(summary["certificate"]["holds"], true);
    assert_eq!(summary["work_per_collision"]["moves"], 2.0);
    for key in [
        "predictions",
        "pushes",
        "stale",
        "swept",
        "largest_queue",
        "energy",
        "energy_drift",
        "wall_clock_seconds",
        "events_per_second",
        "shared_contacts",
        "stopped",
    ] {
        assert!(!summary[key].is_null(), "{key} is missing in {out}");
    }
}

#[test]
fn a_run_ends_at_100_unless_told_otherwise() {
    let summary: Value = serde_json::from_str(&good(&["run", "--start", "billiards", "--json"])).unwrap();
    assert_eq!(summary["simulated_time"], 100.0);
    assert_eq!(summary["certificate"], Value::Null);
}

#[test]
fn a_run_writes_events_samples_and_the_final_state() {
    let folder = Folder::new();
    let (events, samples, last) = (folder.path("e.csv"), folder.path("s.csv"), folder.path("f.txt"));
    let mut arguments = vec!["run", "--start", "cradle", "--until", "60", "--events", &events];
    arguments.extend(["--samples", &samples, "--sample-every", "30", "--final", &last]);
    good(&arguments);
    assert_eq!(folder.names().len(), 3, "nothing else is left: {:?}", folder.names());

    let events = folder.read("e.csv");
    let rows: Vec<&str> = events.lines().collect();
    assert_eq!((rows.len(), rows[0]), (10, "seq,time,kind,a,b"));
    let fields: Vec<Vec<&str>> = rows[1..].iter().map(|row| row.split(',').collect()).collect();
    assert!(fields.iter().enumerate().all(|(k, row)| row[0] == (k + 1).to_string()));
    assert_eq!(fields[0][2..], ["pair", "0", "1"]);
    assert!((fields[0][1].parse::<f64>().unwrap() - 12.001).abs() < 1e-9);
    assert_eq!(fields[4][2..], ["wall-x", "4", ""]);

    let samples = folder.read("s.csv");
    assert_eq!(samples.lines().count(), 1 + 3 * 5);
    assert!(samples.starts_with("time,disc,rx,ry,vx,vy\n0,0,0.2,0.8,0.02,0\n"));
    assert!(samples.lines().last().unwrap().starts_with("60,4,"));

    // The final state is an input again, and the run goes on from there.
    let summary: Value = serde_json::from_str(&good(&["run", &last, "--json", "--certify"])).unwrap();
    assert_eq!(summary["n"], 5);
}

#[test]
fn a_wall_above_or_below_is_called_wall_y() {
    let folder = Folder::new();
    let events = folder.path("e.csv");
    let end = call_with_input(&["run", "-", "--events", &events, "--until", "4"], b"1\n.5 .5 0 .1 .25 1\n");
    assert_eq!(end.code, 0, "{}", end.err);
    assert_eq!(folder.read("e.csv"), "seq,time,kind,a,b\n1,2.5,wall-y,0,\n");
}

#[test]
fn a_run_stops_after_so_many_collisions() {
    for (most, events) in [("0", 0), ("1", 1), ("5", 5)] {
        let out = good(&["run", "--start", "billiards", "--max-events", most, "--json", "--certify"]);
        let summary: Value = serde_json::from_str(&out).unwrap();
        let sum = summary["pair_events"].as_u64().unwrap() + summary["wall_events"].as_u64().unwrap();
        assert_eq!(sum, events);
        assert_eq!(summary["certificate"]["events_checked"], events);
        let time = summary["simulated_time"].as_f64().unwrap();
        assert!(if most == "0" { time == 0.0 } else { (30.0..31.0).contains(&time) });
    }
}

#[test]
fn a_run_until_zero_ends_at_once_with_what_happens_at_zero() {
    let input = b"2\n.4 .5 1 0 .1 1\n.6 .5 -1 0 .1 1\n";
    let end = call_with_input(&["run", "-", "--until", "0", "--json"], input);
    let summary: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!((&summary["pair_events"], &summary["simulated_time"]), (&1.into(), &0.0.into()));
}

#[test]
fn a_run_in_which_nothing_more_can_happen_ends_at_any_time() {
    let rest = b"1\n.5 .5 0 0 .1 1\n";
    let end = call_with_input(&["run", "-", "--until", "1e308", "--json", "--certify"], rest);
    let summary: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(summary["simulated_time"], 1e308);
    assert_eq!(summary["stopped"], "nothing more can happen");
}

#[test]
fn no_disc_at_all_is_a_run_too() {
    assert_eq!(call_with_input(&["run", "-", "--certify"], b"0\n").code, 0);
    assert_eq!(good(&["make", "random", "-n", "0"]), "0\n");
    assert_eq!(call(&["run", "--random", "0", "--certify"]).code, 0);
}

#[test]
fn more_samples_than_anyone_can_want_are_refused() {
    let folder = Folder::new();
    let samples = folder.path("s.csv");
    for every in ["1e-300", "1e-8"] {
        let end = call(&["run", "--random", "5", "--samples", &samples, "--sample-every", every]);
        assert_one_line(&end, "samples");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn a_picture_is_drawn_for_who_watches() {
    let end = call(&["run", "--start", "billiards", "--until", "2", "--watch"]);
    assert_eq!(end.code, 0);
    assert!(end.err.contains("┌────"), "{}", end.err);
}

#[test]
fn executed_events_are_traced_for_who_listens() {
    let mut command = hard_discs(&["run", "--start", "billiards", "--until", "31"]);
    let end = ended(command.env("RUST_LOG", "saltus=trace").output().unwrap());
    assert_eq!(end.code, 0);
    assert!(end.err.lines().filter(|line| line.contains("pair")).count() >= 10, "{}", end.err);
}

#[test]
fn three_processes_write_the_same_bytes() {
    let folder = Folder::new();
    for k in 0..3 {
        let (events, last) = (folder.path(&format!("e{k}")), folder.path(&format!("f{k}")));
        good(&["run", "--random", "80", "--seed", "3", "--events", &events, "--final", &last]);
    }
    assert!(folder.read("e0").lines().count() > 200);
    for k in 1..3 {
        assert_eq!(folder.read(&format!("e{k}")), folder.read("e0"));
        assert_eq!(folder.read(&format!("f{k}")), folder.read("f0"));
    }
}

#[test]
fn what_watches_a_run_does_not_change_it() {
    let folder = Folder::new();
    let events = |name: &str, more: &[&str]| {
        let path = folder.path(name);
        let mut arguments = vec!["run", "--random", "60", "--events", &path];
        arguments.extend(more);
        assert_eq!(call(&arguments).code, 0, "{more:?}");
        folder.read(name)
    };
    let plain = events("plain", &[]);
    let samples = folder.path("samples");
    assert!(plain.lines().count() > 100);
    assert_eq!(events("certified", &["--certify"]), plain);
    assert_eq!(events("worked", &["--work", "--json"]), plain);
    assert_eq!(events("sampled", &["--samples", &samples, "--sample-every", "0.01"]), plain);
    assert_eq!(events("watched", &["--watch"]), plain);
}

#[test]
fn every_start_state_can_be_written_and_run() {
    for name in ["billiards", "cradle", "brownian", "diffusion", "squeeze", "pendulum", "wrecking-ball", "random"] {
        let made = good(&["make", name]);
        let end = call_with_input(&["run", "-", "--until", "1", "--certify"], made.as_bytes());
        assert_eq!(end.code, 0, "{name}: {}", end.err);
        assert_eq!(good(&["make", name]), made, "the same each time");
        let start = good(&["run", "--start", name, "--max-events", "1"]);
        assert!(start.contains(&format!("discs                {}\n", made.lines().next().unwrap())));
    }
}

#[test]
fn random_discs_take_a_number_a_radius_and_a_seed() {
    let folder = Folder::new();
    let out = folder.path("r.txt");
    good(&["make", "random", "-n", "60", "--radius", "0.05", "--seed", "9", "--out", &out]);
    let text = folder.read("r.txt");
    assert_eq!(text, good(&["make", "random", "-n", "60", "--radius", "0.05", "--seed", "9"]));
    assert_ne!(text, good(&["make", "random", "-n", "60", "--radius", "0.05", "--seed", "8"]));
    assert!(text.starts_with("60\n") && text.lines().nth(1).unwrap().contains(" 0.05 1"));
    assert_one_line(&call(&["make", "random", "-n", "200", "--radius", ".05"]), "1.5708");
    assert_one_line(&call(&["run", "--random", "200", "--radius", ".05"]), "1.5708");
    assert_one_line(&call(&["make", "random", "-n", "1", "--radius", "1e300"]), "radius 1e300");
    assert_one_line(&call(&["make", "brownian", "--radius", "0.2"]), "0.2");
    assert_one_line(&call(&["make", "wrecking-ball", "--radius", "0.3"]), "overlap");
}

#[test]
fn the_drill_names_the_first_divergence_and_recovers() {
    let out = good(&["drill", "--start", "billiards", "--until", "200"]);
    for words in [
        "baseline    38 events by t = 200, every law holds",
        "diverges    at event ",
        "noticed     law of validity broken",
        "physics     law of ",
        "38 events and the final state are bit for bit the baseline",
    ] {
        assert!(out.contains(words), "{words:?} is missing in\n{out}");
    }
}

#[test]
fn the_step_view_tells_the_five_stages() {
    let out = good(&["step", "--start", "cradle", "-n", "3"]);
    for stage in ["predict ", "insert ", "move ", "validate ", "respond ", "void ", "predict again "] {
        assert!(out.contains(&format!("\n  {stage}")), "{stage:?} is missing in\n{out}");
    }
    let first = "validate        pair 0-1 has number 2, against version 1 of disc 0 and version 1 of disc 1: it holds";
    assert!(out.contains(first), "{out}");
    assert!(out.contains("pair 1-2 has number 7, against version 6 of disc 1 and version 1 of disc 2"), "{out}");
    assert!(out.contains("event 1: pair 0-1 at t = 12.00") && out.contains("event 3: "), "{out}");
    let rest = call_with_input(&["step", "-"], b"1\n.5 .5 0 0 .1 1\n");
    assert!(rest.code == 0 && rest.out.contains("nothing more can happen"), "{}", rest.out);
}

#[test]
fn reversal_shows_the_distance_against_the_collisions() {
    let out = good(&["reverse", "--random", "20", "--until", "20", "--rows", "3", "--json"]);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[0]["largest_distance"].as_f64().unwrap() < 1e-9);
    assert_eq!(rows[2]["until"], 20.0);
    assert!(good(&["reverse", "--start", "squeeze", "--until", "30"]).lines().count() == 11);
}

#[test]
fn bad_input_is_told_in_one_line_and_leaves_nothing_behind() {
    let disc = ".5 .5 0 0 .1 1";
    let bad: &[(&str, String, &str)] = &[
        ("empty", String::new(), ": is empty; the first line must be the number of particles"),
        ("blank", "\n  \n\n".into(), ": is empty; the first line must be the number of particles"),
        ("word", format!("many\n{disc}\n"), ":1: \"many\" is not a number of particles"),
        ("negative", format!("-1\n{disc}\n"), ":1: \"-1\" is not a number of particles"),
        ("fraction", format!("1.5\n{disc}\n"), ":1: \"1.5\" is not a number of particles"),
        ("beyond", "99999999999999999999999\n".into(), ":1: \"99999999999999999999999\" is not a number of particles"),
        ("few", format!("2\n{disc}\n"), ":1: 2 particles are announced, but 1 follow"),
        ("more", format!("1\n{disc}\n\n{disc}\n"), ":4: 1 particles are announced, but 2 follow"),
        ("huge", format!("10000000\n{disc}\n.1 .1 0 0 .1 1\n"), ":1: 10000000 particles are announced, but 2 follow"),
        ("short", "1\n.5 .5 0 0 .1\n".into(), ":2: 5 fields; a disc has 6"),
        ("long", format!("1\n{disc} 1 2\n"), ":2: 8 fields; a disc has 6"),
        ("longer", format!("1\n{disc} 1 2 3 4\n"), ":2: 10 fields; a disc has 6"),
        ("text", "1\n.5 .5 0 zero .1 1\n".into(), ":2: vy: \"zero\" is not a number"),
        ("comma", "1\n0,5 .5 0 0 .1 1\n".into(), ":2: rx: \"0,5\" is not a number"),
        ("nan", "1\n.5 .5 NaN 0 .1 1\n".into(), ":2: particle 0: vx NaN is not finite"),
        ("inf", "1\n.5 .5 0 -inf .1 1\n".into(), ":2: particle 0: vy -inf is not finite"),
        ("overflow", "1\n.5 .5 0 0 .1 1e999\n".into(), ":2: mass: 1e999 is beyond all numbers"),
        ("moving", "1\n.5 .5 0 .1 .1 inf\n".into(), ":2: particle 0: a mass of inf is a fixed obstacle's, which must"),
        ("below", "1\n.5 .5 0 0 .1 -inf\n".into(), ":2: particle 0: mass -inf is not finite"),
        ("massnan", "1\n.5 .5 0 0 .1 nan\n".into(), ":2: particle 0: mass NaN is not finite"),
        ("radiusnan", "1\n.5 .5 0 0 NaN 1\n".into(), ":2: particle 0: radius NaN is not finite"),
        ("fast", "1\n.5 .5 1e300 0 .1 1\n".into(), ":2: particle 0: vx 1e300 is beyond 1e50"),
        ("radius", "1\n.5 .5 0 0 -.1 1\n".into(), ":2: particle 0: radius -0.1 is not positive"),
        ("point", "1\n.5 .5 0 0 0 1\n".into(), ":2: particle 0: radius 0.0 is not positive"),
        ("tiny", "1\n.5 .5 0 0 1e-300 1\n".into(), ":2: particle 0: radius 1e-300 is below 1e-50"),
        ("mass", "1\n.5 .5 0 0 .1 -1\n".into(), ":2: particle 0: mass -1.0 is not positive"),
        ("massless", "1\n.5 .5 0 0 .1 0\n".into(), ":2: particle 0: mass 0.0 is not positive"),
        ("overlap", format!("2\n{disc}\n\n.65 .5 0 0 .1 1\n"), ":4: particles overlap: 0 and 1 by 0.05"),
        (
            "same",
            format!("3\n{disc}\n{disc}\n{disc}\n"),
            ":3: particles overlap: 0 and 1 by 0.2, 0 and 2 by 0.2, 1 and 2 by 0.2",
        ),
        ("wall", "1\n.05 .5 0 0 .1 1\n".into(), ":2: particle 0: overlaps the left wall by 0.05"),
        ("outside", "1\n.5 1.5 0 0 .1 1\n".into(), ":2: particle 0: overlaps the top wall by 0.6"),
        ("large", "1\n.5 .5 0 0 .6 1\n".into(), ":2: particle 0: radius 0.6 does not fit into a box 1.0 wide"),
        ("colour", format!("1\n{disc} 0 256 0\n"), ":2: g: 256 is not a colour from 0 to 255"),
        ("colour2", format!("1\n{disc} -1 0 0\n"), ":2: r: -1 is not a colour from 0 to 255"),
        ("colour3", format!("1\n{disc} 0 0 .5\n"), ":2: b: .5 is not a colour from 0 to 255"),
    ];
    for (name, content, message) in bad {
        let folder = Folder::new();
        let input = folder.write(name, content.as_bytes());
        let (events, last, samples) = (folder.path("e.csv"), folder.path("f.txt"), folder.path("s.csv"));
        let end = call(&["run", &input, "--events", &events, "--final", &last, "--samples", &samples]);
        assert_one_line(&end, &format!("{input}{message}"));
        assert_eq!(folder.names().len(), 1, "{name}: {:?}", folder.names());
        for other in ["drill", "step", "reverse"] {
            assert_one_line(&call(&[other, &input]), &format!("{input}{message}"));
        }
        let end = call_with_input(&["run", "-"], content.as_bytes());
        assert_one_line(&end, &format!("standard input{message}"));
    }
}

#[test]
fn a_file_that_is_no_text_is_told_in_one_line() {
    let folder = Folder::new();
    let program = fs::read(env!("CARGO_BIN_EXE_hard-discs")).unwrap();
    for content in [&program[..4096], b"1\n.5 .5 0 0 .1 1\0", b"\xff\xfe1\0"] {
        let input = folder.write("binary", content);
        assert_one_line(&call(&["run", &input]), ": is not a text file");
    }
    assert_one_line(&call(&["run", &folder.path("nowhere")]), "nowhere: cannot be read: ");
    assert_one_line(&call(&["run", &folder.path("")]), "cannot be read: ");
}

#[test]
fn input_may_have_blank_lines_and_any_line_ends() {
    for text in ["\n\n 1 \r\n\r\n\t.5 .5 0 0 .1 1 1 2 3  \r\n\n", "1\n+.5 5e-1 -0 0. 1E-1 1"] {
        assert_eq!(call_with_input(&["run", "-"], text.as_bytes()).code, 0, "{text:?}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_run_and_leaves_nothing_behind() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder")).unwrap();
    let before = folder.names();
    for option in ["--events", "--final", "--samples"] {
        for path in ["nowhere/out", "folder"] {
            let (path, good) = (folder.path(path), folder.path("good"));
            let other = if option == "--events" { "--final" } else { "--events" };
            // A run that would take for ever if it began.
            let end = call(&["run", "--random", "9", "--until", "1e9", option, &path, other, &good]);
            assert_one_line(&end, &format!("{path}: cannot be written: "));
            assert!(!end.err.replace(&path, "").contains('/'), "only the path that was asked for: {}", end.err);
            assert_eq!(folder.names(), before);
        }
    }
    assert_one_line(&call(&["make", "squeeze", "--out", &folder.path("nowhere/out")]), "cannot be written");
}

#[test]
fn a_file_that_is_there_is_replaced_whole() {
    let folder = Folder::new();
    let out = folder.write("out.csv", &[b'x'; 100_000]);
    good(&["run", "--start", "billiards", "--events", &out, "--until", "30.2"]);
    assert!(folder.read("out.csv").starts_with("seq,time") && folder.read("out.csv").len() < 1000);
    assert_eq!(folder.names().len(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;

    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = hard_discs(&["run", "--start", "cradle", "--until", "60", "--events", &pipe])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let text = fs::read_to_string(&pipe).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(text.lines().count(), 10);
    assert!(Path::new(&pipe).metadata().unwrap().file_type().is_fifo());
}

#[test]
fn wrong_options_end_with_2_and_name_the_option() {
    for (arguments, words) in [
        (&["run"][..], "required"),
        (&["run", "a.txt", "--random", "5"], "cannot be used with"),
        (&["run", "--start", "billiard"], "billiard"),
        (&["run", "--random", "5", "--untill", "5"], "--untill"),
        (&["run", "--random", "5", "--until", "inf"], "'inf' for '--until <T>': must be a finite number, zero or more"),
        (&["run", "--random", "5", "--until", "NaN"], "'NaN' for '--until <T>': must be a finite number, zero or more"),
        (&["run", "--random", "5", "--until", "-1"], "'-1' for '--until <T>': must be a finite number, zero or more"),
        (&["run", "--random", "5", "--until", "soon"], "'soon' for '--until <T>': not a number"),
        (&["run", "--random", "5", "--sample-every", "0"], "'0' for '--sample-every <DT>': must be"),
        (&["run", "--random", "5", "--sample-every", "-2"], "'-2' for '--sample-every <DT>': must be"),
        (&["run", "--random", "5", "--max-events", "1.5"], "--max-events"),
        (&["run", "--random", "-5"], "-5"),
        (&["run", "--random", "5", "--radius", "-1"], "'-1' for '--radius <R>': must be"),
        (&["run", "--random", "5", "--seed", "x"], "--seed"),
        (&["make"], "required"),
        (&["make", "nothing"], "nothing"),
        (&["drill", "--start", "squeeze", "--until", "inf"], "'inf' for '--until <T>': must be"),
        (&["reverse", "--start", "squeeze", "--until", "0"], "'0' for '--until <T>': must be"),
        (&["step", "--start", "squeeze", "-n", "-1"], "-1"),
        (&["fly"], "fly"),
        (&[], "Usage"),
    ] {
        let end = call(arguments);
        assert_eq!((end.code, &end.out[..]), (2, ""), "{arguments:?}");
        assert!(end.err.contains(words), "{words:?} is missing in\n{}", end.err);
    }
}

#[test]
fn options_that_nothing_would_look_at_are_refused() {
    let folder = Folder::new();
    let input = folder.write("one.txt", b"1\n.5 .5 0 0 .1 1\n");
    for command in ["run", "drill", "step", "reverse"] {
        for option in ["--radius", "--seed"] {
            assert_one_line(&call(&[command, &input, option, "1"]), option);
            assert_one_line(&call(&[command, "--start", "billiards", option, "1"]), option);
        }
    }
    for start in ["billiards", "cradle", "pendulum", "squeeze"] {
        for option in ["-n", "--radius", "--seed"] {
            assert_one_line(&call(&["make", start, option, "1"]), option);
        }
    }
    assert_one_line(&call(&["make", "wrecking-ball", "--seed", "1"]), "--seed");
    good(&["make", "wrecking-ball", "-n", "10", "--radius", "0.01"]);
    for start in ["brownian", "diffusion", "random"] {
        good(&["make", start, "-n", "10", "--radius", "0.01", "--seed", "1"]);
    }
}

#[test]
fn help_is_no_error() {
    for arguments in [&["--help"][..], &["--version"], &["help", "run"], &["run", "--help"]] {
        assert!(!good(arguments).is_empty());
    }
}

/// Reads one line and closes the pipe.
fn read_a_line_of(arguments: &[&str]) -> (i32, String) {
    let mut child = hard_discs(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut byte = [0];
    child.stdout.take().unwrap().read_exact(&mut byte).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code().unwrap(), err)
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for arguments in [
        &["make", "random", "-n", "5000"][..],
        &["step", "--random", "100", "-n", "2000"],
        &["reverse", "--random", "5", "--until", "5", "--rows", "2000"],
    ] {
        assert_eq!(read_a_line_of(arguments), (0, String::new()), "{arguments:?}");
    }
}

#[test]
fn a_path_may_have_spaces() {
    let folder = Folder::new();
    let path: PathBuf = folder.path("ten balls.txt").into();
    good(&["make", "billiards", "--out", path.to_str().unwrap()]);
    good(&["run", path.to_str().unwrap(), "--certify"]);
}

#[test]
fn fixed_obstacles_are_read_stay_and_are_written() {
    let folder = Folder::new();
    let text =
        b"4\n0.5 0.5 0 0 0.2 inf\n0.1 0.1 0.3 0.2 0.05 1\n0.9 0.2 -0.1 0.4 0.05 2 1 2 3\n0.15 0.85 0 0 0.1 inf\n";
    let (input, last, again) = (folder.write("in.txt", text), folder.path("out.txt"), folder.path("again.txt"));
    let (movie, plot) = (folder.path("m.html"), folder.path("plots"));
    let outputs = ["--final", &last, "--movie", &movie, "--plot", &plot, "--json"];
    let out = good(&[&["run", &input, "--until", "50", "--certify"][..], &outputs].concat());
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert!(summary["pair_events"].as_u64().unwrap() > 10, "{out}");
    assert!(
        summary["energy_drift"].as_f64().unwrap().abs() < 1e-12 && summary["certificate"]["holds"] == true,
        "{out}"
    );
    let lines: Vec<String> = folder.read("out.txt").lines().map(str::to_owned).collect();
    assert_eq!((&lines[1][..], &lines[4][..]), ("0.5 0.5 0 0 0.2 inf", "0.15 0.85 0 0 0.1 inf"));
    assert!(lines[3].ends_with(" 0.05 2 1 2 3"), "{}", lines[3]);
    assert!(folder.read("m.html").contains("</html>") && !folder.read("plots/speeds.svg").contains("NaN"));
    // What was written is read to the same bits, and by the other commands as well.
    good(&["run", &last, "--until", "0", "--final", &again]);
    assert_eq!(folder.read("again.txt"), folder.read("out.txt"));
    for command in ["drill", "step", "reverse"] {
        assert_eq!(call(&[command, &input]).code, 0, "{command}");
    }
}

/// What a terminal shows of a run; `None` where there is no `script` to make one.
#[cfg(unix)]
fn on_a_terminal(arguments: &str) -> Option<String> {
    let folder = Folder::new();
    let shown = folder.path("shown");
    let command = format!("stty cols 100; {} {arguments}", env!("CARGO_BIN_EXE_hard-discs"));
    let mut script = Command::new("script");
    match script.args(["-qec", &command, &shown]).stdin(Stdio::null()).stdout(Stdio::null()).status() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        status => assert!(status.as_ref().is_ok_and(|status| status.success()), "{status:?}"),
    }
    Some(folder.read("shown"))
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_progress_that_is_gone_at_the_end() {
    for (arguments, words) in [
        ("run --start lattice --eta 0.3 -N 1000 --equilibrate 1e5 --collisions 1e6", " collisions, "),
        ("run --start grow --eta 0.7 -N 20000 --until 0", "20000 particles grow"),
    ] {
        let Some(shown) = on_a_terminal(arguments) else {
            eprintln!("skipped: there is no `script`");
            return;
        };
        assert!(shown.contains(words) && shown.contains("%") && shown.contains(" left"), "{shown:?}");
        assert!(words != " collisions, " || shown.contains(" a second"), "{shown:?}");
        // What is left on the last line that had it is wiped, and the summary begins there.
        let (bars, summary) = shown.rsplit_once("discs   ").unwrap();
        assert!(bars.ends_with("\r\u{1b}[2K"), "{bars:?}");
        assert!(!summary.contains(" left") && !summary.contains('\u{1b}') && summary.contains("energy"), "{summary:?}");
    }
    // Elsewhere nothing is seen of it: `good` wants standard error empty.
    good(&["run", "--start", "lattice", "--eta", "0.3", "-N", "1000", "--collisions", "500000"]);
}

#[test]
fn a_rival_is_timed_in_turns_with_us() {
    let folder = Folder::new();
    // Takes a snapshot and a time, and says what it did.
    let script = folder.write("rival.sh", b"head -1 \"$1\" | grep -qx 64 || exit 1\necho hello\necho \"5000 $2\"\n");
    let rival = format!("sh {script}");
    let point = ["bench", "--dim", "2", "--eta", "0.3", "-N", "64", "--seconds", "0.05", "--repeats", "2", "--json"];
    let out = good(&[&point[..], &["--rival", &rival]].concat());
    let row: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(row["rival_per_second"].as_f64(), Some(100_000.0));
    let rate = row["collisions_per_second"].as_f64().unwrap();
    assert!((row["ratio"].as_f64().unwrap() * 100_000.0 / rate - 1.0).abs() < 1e-9);
    assert!((row["ns_a_collision"].as_f64().unwrap() * rate / 1e9 - 1.0).abs() < 1e-9);
    assert!(row["kernel_share"].as_f64().unwrap() > 0.0);
    for (command, words) in
        [("no-such-program-at-all", "cannot be run"), ("false", "ended with"), ("true", "does not end with a line")]
    {
        let end = call(&[&point[..], &["--rival", command]].concat());
        assert_eq!(end.code, 2);
        assert_one_line(&end, words);
    }
    let end = call(&["bench", "--dim", "2", "--eta", "0.99", "-N", "64"]);
    assert_eq!(end.code, 2);
    assert_one_line(&end, "no packing exceeds");
}
