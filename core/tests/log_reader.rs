//! Logs that are cut, damaged, or no logs at all.

#![cfg(feature = "log")]

use proptest::prelude::*;
use saltus::log::{Log, LogHeader, Problem, Selection};
use saltus::observe::Recorder;
use saltus::{BoxError, Context, Entity, Model, Settings, Simulation, Stamps, When};

/// Predictions that void one another, with labels that need escapes.
#[derive(Default)]
struct Duels {
    entities: Vec<Entity>,
}

impl Model for Duels {
    type Time = f64;
    type Event = u32;
    type Refs = Stamps<2>;

    fn handle(&mut self, n: u32, cx: &mut impl Context<Self>) -> Result<(), BoxError> {
        let (a, b) = (self.entities[(n % 3) as usize], self.entities[(n % 3 + 1) as usize]);
        cx.touch(a);
        cx.touch(b);
        for k in 1..=2 {
            cx.schedule(When::after(f64::from(n % 5 + k) / 3.0).stamp(a).stamp(b), n + k)?;
        }
        Ok(())
    }

    fn kind(n: &u32) -> &'static str {
        if n.is_multiple_of(2) { "even" } else { "odd" }
    }
}

fn sample() -> Vec<u8> {
    let settings = Settings { seed: 7, ..Settings::default() };
    let header = LogHeader::new("duels \"of\" discs", &settings).setting("who", "all\n");
    let recorder = Recorder::streaming(Vec::new(), &header).unwrap();
    let recorder = recorder.labelled(|n: &u32| if n.is_multiple_of(4) { format!("é\n\"{n}\"") } else { n.to_string() });
    let mut sim = Simulation::<_, _>::with(Duels::default(), settings, recorder);
    let (duels, cx) = sim.parts();
    duels.entities = (0..4).map(|_| cx.spawn()).collect();
    for n in 0..4 {
        cx.schedule_at(f64::from(n), n).unwrap();
    }
    let result = sim.run_until(20.0);
    sim.into_parts().1.finish(&result).unwrap()
}

/// Asks everything. The answers do not matter, only that they come.
fn ask_all(log: &Log) {
    let _ = (log.summary(), log.critical(false), log.critical(true), log.stale(Some(1)), log.warnings());
    let picks = [log.events().first(), log.events().last(), log.events().get(log.events().len() / 2)];
    for event in picks.into_iter().flatten() {
        let _ = (log.why(event.id), log.genealogy(event.id), log.effects(event.id, 3, true), log.name(event));
    }
    assert!(log.diff(log).is_same());
    for out in [log.write_csv(Vec::new()), log.write_dot(Vec::new()), log.write_chrome(Vec::new())] {
        out.unwrap();
    }
    let text = log.write_slice(&Selection { entity: Some(1), ..Selection::default() }, Vec::new()).unwrap();
    Log::read(&text[..]).unwrap();
}

#[test]
fn a_log_cut_at_any_byte_is_read_up_to_the_cut() {
    let text = sample();
    let whole = Log::read(&text[..]).unwrap();
    let header = text.iter().position(|&byte| byte == b'\n').unwrap();
    for length in 0..text.len() {
        let read = Log::read(&text[..length]);
        if length < header {
            let expected = if length == 0 { "line 1: the file is empty" } else { "line 1: the header is cut off" };
            assert!(read.unwrap_err().to_string().starts_with(expected), "{length}");
            continue;
        }
        let log = read.unwrap_or_else(|error| panic!("{length}: {error}"));
        let lines = text[..length].iter().filter(|&&byte| byte == b'\n').count() as u64;
        // A record is whole once its last brace is there.
        let braced = u64::from(text[length - 1] == b'}' && text[length] == b'\n');
        if length < text.len() - 1 {
            assert_eq!(log.lines, lines + braced, "{length}");
            assert_eq!(log.cut.is_some(), text[length - 1] != b'\n' && braced == 0, "{length}");
            assert!(!log.is_complete());
        }
        let whole_id = whole.executed().map(|event| event.id);
        assert!(log.executed().map(|event| event.id).eq(whole_id.take(log.executed().len())), "{length}");
    }
}

#[test]
fn what_is_no_log_is_refused_with_line_value_and_rule() {
    const HEADER: &str = r#"{"saltus":1,"model":"m","time":"real","start":0.0,"settings":{},"parts":[]}"#;
    const ONE: &str = r#"{"do":"schedule","id":1,"due":1.0,"kind":"a"}"#;
    let cases = [
        ("", "line 1: the file is empty; a log begins with a header"),
        ("\n \n", "line 1: the file is empty; a log begins with a header"),
        (
            "id,time\n1,2\n",
            r#"line 1: not a log: the first line must be an object with a field "saltus", but reads id,time"#,
        ),
        (
            "\u{0}\u{1}\n",
            r#"line 1: not a log: the first line must be an object with a field "saltus", but reads \0\u{1}"#,
        ),
        ("{}\n", r#"line 1: not a log: the first line must be an object with a field "saltus", but reads {}"#),
        ("{\"saltus\":2,\"model\":7}\n", "line 1: format version 2, but this program reads version 1"),
        ("{\"saltus\":1}\n", r#"line 1: a record "header" needs a field "time""#),
        ("{\"saltus\":1,\"time\":\"years\"}\n", r#"line 1: "time" cannot be years: "real" or "ticks""#),
        ("HEADER\nhello\n", "line 2: not a record: expected value at line 1 column 1 in hello"),
        ("HEADER\n{\"do\":\"jump\"}\n", r#"line 2: no record is called "jump""#),
        ("HEADER\n{\"id\":1}\n", "line 2: not a record: missing field `do`"),
        ("HEADER\nONE\nONE\n", "line 3: event #1 is scheduled a second time; ids are never reused"),
        (
            "HEADER\nONE\n{\"do\":\"execute\",\"id\":1,\"at\":1}\n{\"do\":\"stale\",\"id\":1}\n",
            "line 4: event #1 is stale, but it was executed before",
        ),
        (
            "HEADER\n{\"do\":\"schedule\",\"id\":3,\"due\":1,\"kind\":\"a\",\"cause\":3}\n",
            "line 2: event #3 cannot come from #3: a cause or parent has a smaller id",
        ),
        (
            "HEADER\n{\"do\":\"schedule\",\"id\":3,\"due\":1,\"kind\":\"a\",\"entities\":[0],\"parents\":[9]}\n",
            "line 2: event #3 cannot come from #9: a cause or parent has a smaller id",
        ),
        (
            "HEADER\n{\"do\":\"schedule\",\"id\":0,\"due\":1,\"kind\":\"a\"}\n",
            r#"line 2: "id" cannot be 0: ids count from 1"#,
        ),
        (
            "HEADER\n{\"do\":\"schedule\",\"id\":1,\"due\":1,\"kind\":\"a\",\"entities\":[1,2,3]}\n",
            r#"line 2: "entities" cannot be 3 entities: an event has at most two stamps"#,
        ),
        (
            "HEADER\n{\"do\":\"schedule\",\"id\":1,\"kind\":\"a\"}\n",
            r#"line 2: a record "schedule" needs a field "due""#,
        ),
        (
            "HEADER\n{\"do\":\"clock\",\"at\":2}\n{\"do\":\"clock\",\"at\":1.5}\n",
            "line 3: the clock cannot go back from 2.0 to 1.5",
        ),
        ("HEADER\n{\"do\":\"clock\",\"at\":1e999}\n", "line 2: not a record: number out of range"),
        ("HEADER\n{\"do\":\"clock\",\"at\":null}\n", r#"line 2: a record "clock" needs a field "at""#),
        (
            "HEADER\n{\"do\":\"end\",\"outcome\":\"ok\",\"clock\":1,\"lines\":1}\nONE\n",
            "line 3: nothing can follow the end record",
        ),
        (
            "HEADER\n{\"do\":\"end\",\"outcome\":\"fine\",\"clock\":1,\"lines\":1}\n",
            r#"line 2: "outcome" cannot be fine: ok, error or stopped"#,
        ),
    ];
    for (text, expected) in cases {
        let text = text.replace("HEADER", HEADER).replace("ONE", ONE);
        let error = Log::read(text.as_bytes()).expect_err(&text).to_string();
        assert!(error.starts_with(expected), "{text}\n{error}\n{expected}");
    }
    let missing = Log::open(std::path::Path::new("no such file")).unwrap_err();
    assert!(matches!(missing.problem, Problem::Unreadable(_)));
}

#[test]
fn a_cause_that_does_not_exist_is_external_and_counted() {
    let text = r#"{"saltus":1,"time":"ticks"}
{"do":"schedule","id":5,"due":3,"kind":"a","cause":4,"extra":[1,{"x":null}]}
{"do":"execute","id":5,"at":3}
{"do":"execute","id":2,"at":3}
"#;
    let log = Log::read(text.as_bytes()).unwrap();
    assert_eq!(log.summary().external, 1);
    let kinds: Vec<_> = log.executed().map(|event| log.kind(event)).collect();
    assert_eq!(kinds, ["a", "?"]);
    ask_all(&log);
}

#[test]
fn lines_that_were_lost_are_noticed() {
    let text = String::from_utf8(sample()).unwrap();
    let lost: String = text.split_inclusive('\n').enumerate().filter(|&(i, _)| i != 9).map(|(_, line)| line).collect();
    let log = Log::read(lost.as_bytes()).unwrap();
    assert_eq!(log.warnings().len(), 1, "{:?}", log.warnings());
}

proptest! {
    // With those of the other property 12,000 inputs.
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn a_damaged_log_never_panics(damage in prop::collection::vec((any::<prop::sample::Index>(), 0u8..6, any::<u8>()), 1..8)) {
        let mut text = sample();
        for (place, how, byte) in damage {
            if text.is_empty() {
                break;
            }
            let at = place.index(text.len());
            match how {
                0 => text[at] = byte,
                1 => drop(text.remove(at)),
                2 => text.insert(at, byte),
                3 => text.truncate(at),
                // A line is doubled, or lost.
                _ => {
                    let begin = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |b| b + 1);
                    let end = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |e| at + e + 1);
                    let line = text[begin..end].to_vec();
                    drop(text.splice(begin..end, if how == 4 { [line.clone(), line].concat() } else { Vec::new() }));
                }
            }
        }
        if let Ok(log) = Log::read(&text[..]) {
            ask_all(&log);
        }
    }

    #[test]
    fn records_of_any_numbers_never_panic(lines in prop::collection::vec((0usize..8, prop::collection::vec(numbers(), 8)), 0..30)) {
        const DO: [&str; 8] = ["schedule", "execute", "touch", "stale", "sweep", "cancel", "move", "clock"];
        let mut text = "{\"saltus\":1,\"time\":\"real\"}\n".to_owned();
        for (what, n) in lines {
            text += &format!(
                r#"{{"do":"{}","id":{},"at":{},"due":{},"kind":"k","entities":[{}],"parents":[{}],"cause":{},"entity":{},"version":{},"by":{},"to":{}}}"#,
                DO[what], n[0], n[1], n[2], n[3], n[4], n[5], n[3], n[6], n[7], n[0]
            );
            text.push('\n');
        }
        if let Ok(log) = Log::read(text.as_bytes()) {
            ask_all(&log);
        }
    }
}

fn numbers() -> impl Strategy<Value = String> {
    prop_oneof![
        10 => (1u64..20).prop_map(|n| n.to_string()),
        1 => any::<u64>().prop_map(|n| n.to_string()),
        1 => any::<f64>().prop_filter("a number", |x| x.is_finite()).prop_map(|x| format!("{x:?}")),
        1 => Just("null".to_owned()),
        1 => Just("4294967295".to_owned()),
        1 => Just("-1".to_owned()),
    ]
}
