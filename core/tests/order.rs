//! In which order events run: time, then priority, then the order in which they were scheduled.

mod common;

use std::fmt::Write;
use std::process::Command;

use common::Act::*;
use common::{Script, start};
use saltus::observe::Trace;
use saltus::queue::{Heap, QueueKind, SortedArray};
use saltus::{Context, Entity, Handles, Model, Outcome, Settings, Simulation, Stamps, Stop, Stream, TieOrder, When};

#[test]
fn events_that_do_nothing_never_change_the_order_of_others() {
    for trial in 0..1000 {
        let mut random = Stream::new(trial, 0, 0);
        let mut sim = Simulation::new(Script::default());
        for word in ["a", "b", "c", "end"] {
            for _ in 0..random.below(51) {
                let time = 1.0 + random.below(9) as f64;
                sim.context().schedule_at(time, "no-op").unwrap();
            }
            if word != "end" {
                sim.context().schedule_at(5.0, word).unwrap();
            }
        }
        sim.run().unwrap();
        let words: Vec<_> = sim.model().words().into_iter().filter(|&word| word != "no-op").collect();
        assert_eq!(words, ["a", "b", "c"], "trial {trial}");
    }
}

/// Two periodic events of one period; at each firing A sends a message without delay, which B reads.
struct Mail {
    priority: i16,
    box_of_b: u64,
    sum: u64,
}

#[derive(Clone)]
enum Post {
    A,
    B,
    Message(u64),
}

impl Model for Mail {
    type Time = f64;
    type Event = Post;
    type Refs = Handles<0>;

    fn handle(&mut self, post: Post, cx: &mut impl Context<Self>) -> Outcome {
        match post {
            Post::A => {
                let message = When::after(0.0).priority(self.priority);
                cx.schedule(message, Post::Message(cx.now() as u64))?;
            }
            Post::B => self.sum += self.box_of_b,
            Post::Message(k) => self.box_of_b = k,
        }
        Ok(())
    }
}

fn sum_of_mail(priority: i16) -> u64 {
    let mut sim = Simulation::new(Mail { priority, box_of_b: 0, sum: 0 });
    sim.context().schedule_every(1.0, 1.0, Post::A).unwrap();
    sim.context().schedule_every(1.0, 1.0, Post::B).unwrap();
    sim.run_until(10.0).unwrap();
    sim.model().sum
}

#[test]
fn a_message_without_delay_comes_after_what_was_waiting_unless_its_priority_says_otherwise() {
    assert_eq!(sum_of_mail(0), 45, "B reads the message of the cycle before");
    assert_eq!(sum_of_mail(-1), 55, "B reads the message of this cycle");
}

/// Which of a thousand pairs at equal times came with the first of them in front.
fn first_in_front(ties: TieOrder) -> Vec<bool> {
    let settings = Settings { ties, ..Settings::default() };
    let mut sim: Simulation<_> = Simulation::with(Script::default(), settings, ());
    for i in 0..1000 {
        sim.context().schedule_at(f64::from(i), "first").unwrap();
        sim.context().schedule_at(f64::from(i), "second").unwrap();
    }
    sim.run().unwrap();
    assert_eq!(sim.counters().ties, 1000, "ties are counted in every order");
    sim.model().log.chunks(2).map(|pair| pair[0].1 == "first").collect()
}

#[test]
fn ties_run_as_scheduled_or_in_a_seeded_order_that_favours_neither() {
    assert!(first_in_front(TieOrder::Scheduled).into_iter().all(|first| first));
    let lists: Vec<_> = (1..=20).map(|seed| first_in_front(TieOrder::Shuffled { seed })).collect();
    for list in &lists {
        let count = list.iter().filter(|&&first| first).count();
        // Three standard deviations of a fair coin are 47.4.
        assert!(count.abs_diff(500) <= 48, "{count}");
    }
    assert_eq!(lists[0], first_in_front(TieOrder::Shuffled { seed: 1 }));
    assert_ne!(lists[0], lists[1]);
}

#[test]
fn ties_are_neighbours_of_one_time_and_priority() {
    let mut sim = start(
        Script::default(),
        &[At(1.0, "a"), At(1.0, "b"), Ranked(1.0, 1, "c"), At(2.0, "d"), At(2.0, "e"), At(2.0, "f")],
    );
    sim.run_events(1).unwrap();
    assert_eq!(sim.run_until(2.0).unwrap(), Stop::QueueEmpty);
    assert_eq!(sim.counters().ties, 3, "a-b, across two calls, and d-e, e-f; c has another priority");
}

#[test]
fn priority_counts_before_the_order_of_scheduling() {
    for (priority, seen) in [(i16::MAX, 5), (0, 0)] {
        let adds = [At(10.0, "add"); 5];
        let mut sim =
            start(Script::default().on("model", &adds), &[Ranked(10.0, priority, "statistics"), At(9.0, "model")]);
        sim.run().unwrap();
        let words = sim.model().words();
        let statistics = words.iter().position(|&word| word == "statistics").unwrap();
        let before = words[..statistics].iter().filter(|&&word| word == "add").count();
        assert_eq!(before, seen);
    }
}

#[test]
fn priorities_have_sixteen_bits_and_do_not_wrap() {
    let mut sim = start(
        Script::default(),
        &[
            Ranked(1.0, 1000, "1000"),
            Ranked(1.0, 127, "127"),
            Ranked(1.0, 128, "128"),
            Ranked(1.0, -129, "-129"),
            Ranked(1.0, -1000, "-1000"),
            Ranked(1.0, 0, "0"),
            Ranked(1.0, i16::MAX, "max"),
            Ranked(1.0, i16::MIN, "min"),
        ],
    );
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["min", "-1000", "-129", "0", "127", "128", "1000", "max"]);
}

#[test]
fn an_earlier_time_counts_before_every_priority() {
    let mut sim =
        start(Script::default(), &[Ranked(1.0f64.next_up(), i16::MIN, "later"), Ranked(1.0, i16::MAX, "earlier")]);
    sim.run().unwrap();
    assert_eq!(sim.model().words(), ["earlier", "later"]);
}

#[test]
fn a_rescheduled_event_is_the_last_of_its_instant_even_if_it_has_not_moved() {
    for moves in [&[Move("e1", 7.0), Move("e1", 5.0)][..], &[Move("e1", 5.0)]] {
        let mut sim = start(Script::default(), &[Held(5.0, "e1"), Held(5.0, "e2")]);
        common::act(&mut sim, moves);
        sim.run().unwrap();
        assert_eq!(sim.model().words(), ["e2", "e1"]);
    }
}

/// Payloads that can be neither compared nor ordered.
struct Jobs<E>(Vec<E>);

impl Model for Jobs<Box<dyn FnOnce() -> usize>> {
    type Time = f64;
    type Event = Box<dyn FnOnce() -> usize>;
    type Refs = Stamps<0>;

    fn handle(&mut self, job: Self::Event, _: &mut impl Context<Self>) -> Outcome {
        let n = job();
        self.0.push(Box::new(move || n));
        Ok(())
    }
}

struct Reading {
    value: f64,
    number: usize,
}

impl Model for Jobs<Reading> {
    type Time = f64;
    type Event = Reading;
    type Refs = Stamps<0>;

    fn handle(&mut self, reading: Reading, _: &mut impl Context<Self>) -> Outcome {
        assert!(reading.value.is_nan());
        self.0.push(reading);
        Ok(())
    }
}

#[test]
fn payloads_need_no_order_so_closures_and_nan_may_be_carried() {
    let mut closures = Simulation::new(Jobs::<Box<dyn FnOnce() -> usize>>(Vec::new()));
    let mut readings = Simulation::new(Jobs::<Reading>(Vec::new()));
    for number in 0..100 {
        closures.context().schedule_at(1.0, Box::new(move || number)).unwrap();
        let value = f64::NAN;
        readings.context().schedule_at(1.0, Reading { value, number }).unwrap();
    }
    closures.run().unwrap();
    readings.run().unwrap();
    let numbers: Vec<_> = closures.into_parts().0.0.into_iter().map(|job| job()).collect();
    assert!(numbers.into_iter().eq(0..100));
    assert!(readings.model().0.iter().map(|reading| reading.number).eq(0..100));
}

/// Sixty-four members listen to one topic, and each schedules something when it is told.
struct Club {
    members: Vec<Entity>,
}

enum News {
    Topic,
    Heard(usize),
}

impl Model for Club {
    type Time = f64;
    type Event = News;
    type Refs = Stamps<1>;

    fn handle(&mut self, news: News, cx: &mut impl Context<Self>) -> Outcome {
        match news {
            News::Topic => {
                for (i, &member) in self.members.iter().enumerate() {
                    // Many delays are equal, and some members lose what they had in mind.
                    let delay = cx.stream(i as u64).below(4) as f64 / 2.0;
                    cx.schedule(When::after(delay).stamp(member), News::Heard(i))?;
                }
                cx.schedule_in(1.0, News::Topic)?;
            }
            News::Heard(i) => {
                let other = cx.stream(1000).below(self.members.len() as u64) as usize;
                if other != i {
                    cx.touch(self.members[other]);
                }
            }
        }
        Ok(())
    }

    fn kind(news: &News) -> &'static str {
        match news {
            News::Topic => "topic",
            News::Heard(_) => "heard",
        }
    }
}

fn trace_of_club<Q: QueueKind<f64> + Default>() -> String {
    let settings = Settings { seed: 7, ..Settings::default() };
    let club = Club { members: Vec::new() };
    let mut sim = Simulation::with_queue(club, settings, Trace::default(), Q::default());
    let (club, cx) = sim.parts();
    club.members = (0..64).map(|_| cx.spawn()).collect();
    cx.schedule_at(0.0, News::Topic).unwrap();
    sim.run_until(100.0).unwrap();
    assert!(sim.counters().executed > 1000 && sim.counters().ties > 100);
    sim.observer().events.iter().fold(String::new(), |mut text, event| {
        let cause = event.cause.map_or(0, |cause| cause.sequence());
        writeln!(text, "{} {:x} {cause} {}", event.id, event.time.to_bits(), event.kind).unwrap();
        text
    })
}

#[test]
fn every_queue_gives_the_same_trace() {
    assert!(trace_of_club::<Heap>() == trace_of_club::<SortedArray>());
}

/// FNV-1a: any hash that does not depend on the process will do.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn every_process_gives_the_same_trace() {
    let here = hash(&trace_of_club::<Heap>());
    if std::env::var_os("SALTUS_CHILD").is_some() {
        println!("hash {here:016x}");
        return;
    }
    for _ in 0..19 {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "every_process_gives_the_same_trace", "--nocapture"])
            .env("SALTUS_CHILD", "1")
            .output()
            .unwrap();
        let text = String::from_utf8(child.stdout).unwrap();
        assert!(text.contains(&format!("hash {here:016x}")), "{text}");
    }
}

#[test]
fn no_source_file_uses_a_map_whose_order_differs_between_processes() {
    fn files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    files(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 10);
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("HashMap") && !text.contains("HashSet"), "{}", path.display());
    }
}
