//! Three clocks side by side: what is marked is what the experiment counts, and the page shows it when it happens.

use std::path::Path;
use std::process::Command;

use browser_test::{Browser, LAPTOP, PHONE, Theme, key};
use hard_discs::HardDiscs;
use hard_discs::movie::Leg;
use hard_discs::starts::{Start, make};
use saltus::BoxError;
use serde_json::Value;
use timewheel_compare::experiments::discs::Experiment;
use timewheel_compare::experiments::side_by_side::{Overlap, Take, takes};

const SLOT: f64 = 1.0;
const STEP: f64 = 2.0;

fn experiments() -> Result<Vec<(HardDiscs, Experiment)>, BoxError> {
    let starts = [(Start::Billiards, 60.0), (Start::Random, 20.0), (Start::Squeeze, 80.0), (Start::WreckingBall, 5.0)];
    let experiment = |(start, until)| {
        let discs = make(start, None, None, 1)?;
        Ok((discs.clone(), Experiment::new(discs, until)?))
    };
    starts.into_iter().map(experiment).collect()
}

#[test]
fn what_is_marked_is_what_the_experiment_counts() -> Result<(), BoxError> {
    for (_, experiment) in experiments()? {
        let [truth, wheel, step] = takes(&experiment, SLOT, STEP)?;
        assert_eq!(truth.collisions, experiment.event_driven().collisions);
        assert_eq!((truth.missed.len(), truth.spurious.len()), (0, 0));
        assert_eq!(truth.overlaps, [], "the event-driven run lets no discs overlap");
        for (take, counted) in [(&wheel, experiment.quantised(SLOT)?), (&step, experiment.stepped(STEP)?)] {
            assert_eq!(take.collisions, counted.collisions, "{}", take.clock);
            assert_eq!(take.missed.len(), counted.missed, "{}", take.clock);
            assert_eq!(take.spurious.len(), counted.spurious, "{}", take.clock);
            assert!(counted.missed > 0 && !take.overlaps.is_empty());
            let [pairs, walls] = take.film.collisions();
            assert_eq!((pairs + walls) as usize, counted.collisions);
        }
        // The experiment looks when discs collide; the deepest may lie before that.
        let deepest = wheel.overlaps.iter().map(|overlap| overlap.depth).fold(0.0, f64::max);
        assert!(deepest >= experiment.quantised(SLOT)?.deepest - 1e-12);
    }
    Ok(())
}

#[test]
fn what_a_page_cannot_hold_is_refused() -> Result<(), BoxError> {
    let experiment = Experiment::new(make(Start::Random, Some(10), Some(0.12), 1)?, 150_000.0)?;
    let error = takes(&experiment, SLOT, STEP).err().expect("too many").to_string();
    assert!(error.starts_with("event-driven: too many collisions for a page, which holds 200000 changes"), "{error}");
    Ok(())
}

#[test]
fn overlaps_are_where_a_look_at_all_pairs_finds_them() -> Result<(), BoxError> {
    for (discs, experiment) in experiments()? {
        for take in &takes(&experiment, SLOT, STEP)? {
            let legs = take.film.legs();
            for look in 0..40 {
                // Off the times of slots and steps, at which discs jump.
                let t = take.film.end() * (f64::from(look) + 0.377) / 40.0;
                let mut seen = overlapping(&discs, &legs, t);
                let mut told: Vec<(usize, usize)> =
                    take.overlaps.iter().filter(|o| is_at(o, t)).map(|o| o.discs).collect();
                seen.sort_unstable();
                told.sort_unstable();
                assert_eq!(told, seen, "{} at {t}", take.clock);
            }
        }
    }
    Ok(())
}

fn is_at(overlap: &Overlap, t: f64) -> bool {
    overlap.from < t && t < overlap.to
}

fn overlapping(discs: &HardDiscs, legs: &[Vec<Leg>], t: f64) -> Vec<(usize, usize)> {
    let at = |disc: usize| {
        legs[disc].iter().rev().find(|leg| leg.from <= t).expect("the first begins at zero").position_at(t)
    };
    let places: Vec<_> = (0..legs.len()).map(at).collect();
    let discs = discs.discs();
    let mut found = Vec::new();
    for j in 0..legs.len() {
        for i in 0..j {
            let ([x, y], [u, v]) = (places[i], places[j]);
            if (x - u).hypot(y - v) < (discs[i].radius + discs[j].radius) * (1.0 - 1e-9) {
                found.push((i, j));
            }
        }
    }
    found
}

struct Page {
    folder: tempfile::TempDir,
}

impl Page {
    fn make(arguments: &[&str]) -> Page {
        let page = Page { folder: tempfile::tempdir().expect("a folder") };
        let output = Command::new(env!("CARGO_BIN_EXE_timewheel-compare"))
            .args(["discs", "--movie"])
            .arg(page.path())
            .args(arguments)
            .output()
            .expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        page
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("side.html")
    }

    fn open(&self, browser: &Browser) {
        browser.open(Path::new(&self.path()));
    }
}

const BILLIARDS: [&str; 8] = ["--start", "billiards", "--until", "60", "--wheel-granularity", "4,1", "--dt", "0.1,2"];

#[test]
fn the_page_opens_without_a_complaint_at_any_width_and_in_any_light() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::make(&BILLIARDS);
    for size in [LAPTOP, PHONE] {
        for theme in [Theme::Light, Theme::Dark] {
            browser.window(size, theme);
            page.open(&browser);
            browser.frame();
            assert_eq!(browser.errors(), [""; 0]);
            assert_eq!(browser.get::<u32>("document.documentElement.scrollWidth"), size.0);
            // All three boxes and the player are in view at once.
            let lowest: f64 = browser.get(
                "Math.max(...[...document.querySelectorAll('.stage, .buttons')].map(e => e.getBoundingClientRect().bottom))",
            );
            assert!(lowest <= f64::from(size.1), "{lowest} of {size:?}");
            let heads: [String; 3] = browser.get("[...document.querySelectorAll('h2')].map(e => e.textContent)");
            assert_eq!(heads, ["event-driven", "time wheel", "fixed step"]);
        }
    }
}

#[test]
fn the_page_marks_each_thing_at_its_time() -> Result<(), BoxError> {
    let Some(browser) = Browser::start() else { return Ok(()) };
    let page = Page::make(&BILLIARDS);
    page.open(&browser);
    let experiment = Experiment::new(make(Start::Billiards, None, None, 1)?, 60.0)?;
    let takes = takes(&experiment, SLOT, STEP)?;
    let mut times: Vec<f64> = takes
        .iter()
        .flat_map(|take| {
            let marks = take.missed.iter().chain(&take.spurious).map(|mark| mark.time);
            marks.chain(take.overlaps.iter().map(|overlap| overlap.from)).collect::<Vec<f64>>()
        })
        .collect();
    times.extend([0.0, 30.0, 60.0]);
    for time in times {
        // Just before and just then.
        for time in [time.next_down().max(0.0), time] {
            let states: Vec<Value> =
                browser.run(&format!("player.seek({time:?}); return sides.map(side => side.state())"));
            for (take, state) in takes.iter().zip(states) {
                assert_eq!(shown(&state), due(take, time), "{} at {time}", take.clock);
            }
        }
    }
    assert_eq!(browser.errors(), [""; 0]);
    Ok(())
}

fn shown(state: &Value) -> [u64; 4] {
    ["collisions", "missed", "spurious", "overlaps"].map(|what| state[what].as_u64().expect("a count"))
}

/// What has happened by a time.
fn due(take: &Take, time: f64) -> [u64; 4] {
    let by = |count: usize| count as u64;
    [
        take.film.collisions_by(time).iter().map(|&count| u64::from(count)).sum(),
        by(take.missed.iter().filter(|mark| mark.time <= time).count()),
        by(take.spurious.iter().filter(|mark| mark.time <= time).count()),
        by(take.overlaps.iter().filter(|overlap| overlap.from <= time).count()),
    ]
}

#[test]
fn an_overlap_is_seen_in_its_box_and_the_event_driven_box_stays_clean() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::make(&BILLIARDS);
    for box_number in [1, 2] {
        // Anew, since the browser complains of pixels that are read over and over.
        page.open(&browser);
        browser.press('t');
        // The first overlap that is deep enough to have a middle, when it is deepest.
        let [red, green, blue, elsewhere]: [u32; 4] = browser.run(&format!(
            "const overlap = takes[{box_number}].overlaps.find(overlap => overlap.depth > 0.15);
             const moment = player.moments[{box_number}];
             const centres = (time) => {{
               player.seek(time);
               return overlap.discs.map((disc) => moment.position(disc));
             }};
             const distance = ([p, q]) => Math.hypot(p[0] - q[0], p[1] - q[1]);
             const looks = Array.from({{ length: 99 }}, (_, i) => overlap.from + ((i + 1) / 100) * (overlap.to - overlap.from));
             looks.sort((a, b) => distance(centres(a)) - distance(centres(b)));
             const [p, q] = centres(looks[0]);
             player.draw();
             const [clean, marked] = [0, {box_number}].map((box) => document.querySelectorAll('.stage')[box]);
             const at = [0, 1].map((axis) => (p[axis] + q[axis]) / 2);
             const middle = [at[0] * marked.width, (1 - at[1]) * marked.height, 1, 1];
             const pixels = clean.getContext('2d').getImageData(0, 0, clean.width, clean.height).data;
             const isAlarm = (_, i) => i % 4 === 0 && pixels[i] === 0xd5 && pixels[i + 1] === 0x5e && pixels[i + 2] === 0;
             return [...marked.getContext('2d').getImageData(...middle).data.slice(0, 3), pixels.filter(isAlarm).length];"
        ));
        assert_eq!([red, green, blue], [0xd5, 0x5e, 0x00], "box {box_number}");
        assert_eq!(elsewhere, 0, "pixels of that colour in the event-driven box");
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn steps_go_through_the_events_of_all_three_clocks_and_playing_ends_at_the_end() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::make(&BILLIARDS);
    page.open(&browser);
    let all: Vec<f64> = browser.get("takes.flatMap(take => [...take.film.time]).sort((a, b) => a - b)");
    for &time in &all {
        browser.press(key::RIGHT);
        assert_eq!(browser.get::<f64>("player.time"), time);
    }
    let counts: [usize; 3] = browser.get("player.moments.map(moment => moment.events)");
    assert_eq!(counts.iter().sum::<usize>(), all.len());
    for &time in all.iter().rev().skip(1) {
        browser.press(key::LEFT);
        assert_eq!(browser.get::<f64>("player.time"), time);
    }
    browser.press(key::HOME);
    browser.click(".toggle");
    (0..12).for_each(|_| browser.press(key::UP));
    browser.wait("!player.playing");
    assert_eq!(browser.get::<f64>("player.time"), 60.0);
    assert_eq!(browser.errors(), [""; 0]);
}
