//! `hard-discs run --movie` and `--plot`: the page, in a real browser, shows what the run has computed.

use std::path::Path;
use std::process::Command;

use browser_test::{Browser, LAPTOP, PHONE, Theme, key};
use hard_discs::movie::{Cast, Film, movie};
use hard_discs::{Earliest, HardSpheres, Sphere, Walls};
use saltus::{Settings, Simulation};
use serde_json::Value;
use tempfile::TempDir;

fn call(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_hard-discs")).args(arguments).env_remove("RUST_LOG").output().unwrap()
}

#[track_caller]
fn good(arguments: &[&str]) -> String {
    let output = call(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

/// Positions and velocities in the textbook's format.
fn states(text: &str) -> Vec<[f64; 4]> {
    let row = |line: &str| {
        let fields: Vec<f64> = line.split(' ').take(4).map(|field| field.parse().unwrap()).collect();
        fields.try_into().unwrap()
    };
    text.lines().skip(1).map(row).collect()
}

/// The same as the page has them.
const STATES: &str = "Array.from({ length: cast.size }, (_, disc) => {
    const moment = player.moments[0];
    const velocity = [0, 1].map((axis) => film.velocity[moment.change[disc] * 2 + axis]);
    return [...moment.position(disc), ...velocity];
})";

/// The colour in the middle of the first disc.
const PIXEL: &str = "
    player.draw();
    const canvas = document.querySelector('.stage');
    const [x, y] = player.moments[0].position(0);
    const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, -x * canvas.width, (y - 1) * canvas.height);
    return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)];";

fn event_times(csv: &str) -> Vec<f64> {
    csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn a_movie_opens_without_a_complaint_at_any_width_and_in_any_light() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let page = folder.path("movie.html");
    good(&["run", "--start", "billiards", "--until", "60", "--movie", &page]);
    for size in [LAPTOP, PHONE] {
        for theme in [Theme::Light, Theme::Dark] {
            browser.window(size, theme);
            browser.open(Path::new(&page));
            browser.frame();
            assert_eq!(browser.errors(), [""; 0]);
            let width: u32 = browser.get("document.documentElement.scrollWidth");
            assert_eq!(width, size.0, "nothing reaches beyond the window");
            let play: [f64; 4] = browser.run(
                "const box = document.querySelector('.curtain svg').getBoundingClientRect();
                 return [box.left, box.top, box.right, box.bottom];",
            );
            assert!(play[0] > 0.0 && play[1] > 0.0 && play[2] < f64::from(size.0) && play[3] < f64::from(size.1));
            let caption: String = browser.get("document.querySelector('.caption').textContent");
            assert_eq!(caption, "first collision after 6 s");
            // The discs are drawn in blue, where they are.
            assert_eq!(browser.run::<[u8; 3]>(PIXEL), [40, 90, 200], "{size:?} {theme:?}");
            // Coloured by speed, it rests.
            browser.press('c');
            assert_eq!(browser.get::<[bool; 3]>("colours.map(choice => choice.checked)"), [false, true, false]);
            assert_eq!(browser.run::<[u8; 3]>(PIXEL), [43, 88, 190]);
        }
    }
}

#[test]
fn at_any_time_discs_are_where_the_run_has_them_to_the_last_bit() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (page, last) = (folder.path("movie.html"), folder.path("last.txt"));
    for start in [["--start", "billiards"], ["--random", "50"], ["--start", "squeeze"]] {
        good(&[&["run"], &start[..], &["--until", "200", "--movie", &page]].concat());
        browser.open(Path::new(&page));
        // Not in order: the page goes backwards as well.
        for time in ["200", "30.18", "117.5", "0", "60"] {
            good(&[&["run"], &start[..], &["--until", time, "--final", &last]].concat());
            let found: Vec<[f64; 4]> = browser.run(&format!("player.seek({time}); return {STATES}"));
            assert_eq!(found, states(&folder.read("last.txt")), "{start:?} at {time}");
        }
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn playing_ends_at_the_end_and_typing_a_time_goes_there() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (page, last) = (folder.path("movie.html"), folder.path("last.txt"));
    good(&["run", "--start", "billiards", "--until", "80", "--movie", &page, "--final", &last]);
    browser.open(Path::new(&page));
    // The big button; then as fast as it goes.
    browser.click(".curtain");
    assert!(browser.get::<bool>("player.playing && document.querySelector('.curtain').hidden"));
    for _ in 0..12 {
        browser.press(key::UP);
    }
    browser.wait("!player.playing");
    assert_eq!(browser.get::<f64>("player.time"), 80.0);
    assert_eq!(browser.get::<Vec<[f64; 4]>>(STATES), states(&folder.read("last.txt")));

    browser.press('g');
    browser.write("30.175");
    browser.press(key::ENTER);
    good(&["run", "--start", "billiards", "--until", "30.175", "--final", &last]);
    assert_eq!(browser.get::<f64>("player.time"), 30.175);
    assert_eq!(browser.get::<Vec<[f64; 4]>>(STATES), states(&folder.read("last.txt")));

    // What is no time is refused and nothing moves.
    browser.press('g');
    browser.write("soon");
    browser.press(key::ENTER);
    assert_eq!(browser.get::<String>("controls.clock.validationMessage"), "not a time");
    assert_eq!(browser.get::<f64>("player.time"), 30.175);
    browser.press(key::ESCAPE);
    browser.press(' ');
    browser.wait("player.playing && player.time > 30.175");
    browser.press(' ');
    assert!(browser.get::<bool>("!player.playing"));
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn steps_land_on_the_times_of_events_forwards_and_backwards() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (page, events, twins) = (folder.path("movie.html"), folder.path("events.csv"), folder.path("twins.txt"));
    // Two pairs that meet at the same instant, again and again.
    let rows = ["0.25 0.2 0.125 0", "0.75 0.2 -0.125 0", "0.25 0.8 0.125 0", "0.75 0.8 -0.125 0"];
    std::fs::write(&twins, format!("4\n{} 0.125 1\n", rows.join(" 0.125 1\n"))).unwrap();
    for source in [&["--start", "cradle"][..], &[&twins]] {
        good(&[&["run"], source, &["--until", "300", "--movie", &page, "--events", &events]].concat());
        let times = event_times(&folder.read("events.csv"));
        assert!(times.len() > 30, "{}", times.len());
        browser.open(Path::new(&page));
        for (before, &time) in times.iter().enumerate() {
            browser.press(key::RIGHT);
            assert_eq!(browser.get::<(f64, usize)>("[player.time, player.done]"), (time, before + 1));
        }
        browser.frame();
        let counted =
            browser.get::<[String; 2]>("['pairs', 'walls'].map(id => document.getElementById(id).textContent)");
        let counted: usize = counted.iter().map(|count| count.parse::<usize>().unwrap()).sum();
        assert_eq!(counted, times.len());
        // From after the last event back to it, then one by one.
        browser.run::<Value>("player.seek(player.end); return 0");
        for (before, &time) in times.iter().enumerate().rev() {
            browser.click("[data-do=previous]");
            assert_eq!(browser.get::<(f64, usize)>("[player.time, player.done]"), (time, before + 1));
        }
        browser.press(key::LEFT);
        assert_eq!(browser.get::<(f64, usize)>("[player.time, player.done]"), (0.0, 0));
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn the_colliding_pair_flashes_where_it_is() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (page, events) = (folder.path("movie.html"), folder.path("events.csv"));
    good(&["run", "--start", "billiards", "--until", "60", "--movie", &page, "--events", &events]);
    let first = folder.read("events.csv").lines().nth(1).unwrap().to_owned();
    assert!(first.ends_with(",pair,4,10") || first.ends_with(",pair,0,10"), "{first}");
    let discs: Vec<usize> = first.split(',').skip(3).map(|disc| disc.parse().unwrap()).collect();
    browser.open(Path::new(&page));
    browser.press(key::RIGHT);
    let flashing: Vec<Vec<usize>> = browser.get("player.flashesOf(0).map(flash => flash.discs)");
    assert_eq!(flashing, [discs]);
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn the_histogram_has_area_one_and_so_has_the_curve() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let page = folder.path("movie.html");
    for start in [["--random", "30"], ["--random", "400"], ["--start", "brownian"]] {
        good(&[&["run"], &start[..], &["--until", "20", "--movie", &page]].concat());
        browser.open(Path::new(&page));
        for time in ["0", "0.7", "20"] {
            let [bars, curve]: [f64; 2] = browser.run(&format!(
                "player.seek({time});
                 const bars = speeds.bins(player.moments[0]).reduce((a, b) => a + b) * speeds.fastest / BINS;
                 const step = speeds.fastest / (speeds.curve.length - 1);
                 return [bars, speeds.curve.reduce((a, b) => a + b) * step];"
            ));
            assert!((bars - 1.0).abs() < 1e-12, "{start:?} at {time}: {bars}");
            assert!((curve - 1.0).abs() < 2e-3, "{start:?}: {curve}");
        }
    }
}

#[test]
fn two_thousand_discs_play_and_a_long_run_is_thinned_and_says_so() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (page, last) = (folder.path("movie.html"), folder.path("last.txt"));
    good(&["run", "--random", "2000", "--until", "1", "--movie", &page, "--final", &last]);
    browser.open(Path::new(&page));
    assert!(browser.get::<bool>("document.querySelector('.note').hidden"));
    browser.press('k');
    browser.wait("player.time > 0.02");
    browser.press('k');
    let found: Vec<[f64; 4]> = browser.run(&format!("player.seek(1); return {STATES}"));
    assert_eq!(found, states(&folder.read("last.txt")));

    let summary = good(&["run", "--random", "60", "--radius", "0.05", "--until", "8000", "--movie", &page, "--json"]);
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let collisions = summary["pair_events"].as_u64().unwrap() + summary["wall_events"].as_u64().unwrap();
    assert!(collisions > 150_000, "{collisions}");
    let size = std::fs::metadata(&page).unwrap().len();
    assert!(size < 15_000_000, "{size}");
    browser.open(Path::new(&page));
    let note: String = browser.get("document.querySelector('.note').textContent");
    assert!(note.starts_with("Too many collisions for a page"), "{note}");
    let counted: u64 = browser.run("player.seek(player.end); return player.moments[0].pairs + player.moments[0].walls");
    assert_eq!(counted, collisions);
    // Between its known places, a disc flies straight from one to the next and never out of the box.
    let outside: u64 = browser.run(
        "let outside = 0;
         for (let step = 0; step <= 500; step++) {
           player.seek((step / 500) * player.end);
           for (let disc = 0; disc < cast.size; disc++) {
             outside += player.moments[0].position(disc).some((x) => x < 0.05 - 1e-9 || x > 0.95 + 1e-9);
           }
         }
         return outside;",
    );
    assert_eq!(outside, 0);
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn spheres_in_a_periodic_box_with_a_fixed_obstacle_play_too() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let page = folder.path("movie.html");
    let walls = Walls { high: [1.0, 0.5, 0.75], periodic: [true, true, false], ..Walls::UNIT };
    let sphere = |i: u32| {
        let mass = if i == 5 { f64::INFINITY } else { 1.0 + f64::from(i % 3) };
        let speed = if i == 5 { 0.0 } else { 0.2 };
        let position = [i % 4, i / 4 % 2, i / 8].map(|place| 0.125 + 0.25 * f64::from(place));
        Sphere::new(position, [1, 2, 3].map(|k| speed * (f64::from(i * k) * 1.7).sin()), 0.08, mass)
    };
    let model = HardSpheres::<3, Earliest>::new((0..24).map(sphere).collect(), walls).unwrap();
    let (cast, film) = (Cast::new(&model), Film::new(&model));
    let mut simulation = Simulation::with(model, Settings::default(), film);
    let (spheres, cx) = simulation.parts();
    spheres.start(cx).unwrap();
    simulation.run_until(10.0).unwrap();
    let (spheres, mut film) = simulation.into_parts();
    film.finish(10.0);
    std::fs::write(&page, movie("spheres", cast, &film).unwrap()).unwrap();
    browser.open(Path::new(&page));
    browser.frame();
    let found: Vec<[f64; 3]> = browser.run(
        "player.seek(10);
         return Array.from({ length: cast.size }, (_, disc) => player.moments[0].position(disc).map((x, axis) => cast.wrap(x, axis)));",
    );
    assert_eq!(found, spheres.positions_at(10.0).collect::<Vec<_>>());
    // A fixed obstacle has no part in energy, momentum and speeds.
    let [energy, bars, curve]: [f64; 3] = browser.run(
        "const bars = speeds.bins(player.moments[0]).reduce((a, b) => a + b) * speeds.fastest / BINS;
         const step = speeds.fastest / (speeds.curve.length - 1);
         return [player.moments[0].energy(), bars, speeds.curve.reduce((a, b) => a + b) * step];",
    );
    assert!(
        (energy / spheres.energy() - 1.0).abs() < 1e-12 && (bars - 1.0).abs() < 1e-12 && (curve - 1.0).abs() < 2e-3
    );
    assert!(!browser.get::<String>("document.body.innerText").contains("NaN"));
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn a_gas_in_space_ends_where_its_snapshot_has_it_and_says_what_it_is_made_of() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (page, last) = (folder.path("movie.html"), folder.path("last.sph"));
    // In a box the spheres of a lattice touch the walls: the first event is at time zero.
    for boundary in ["periodic", "box"] {
        let start = ["run", "--start", "lattice", "--eta", "0.3", "-N", "108", "--dim", "3", "--boundary", boundary];
        good(&[&start[..], &["--collisions", "300", "--movie", &page, "--final", &last]].concat());
        browser.open(Path::new(&page));
        browser.frame();
        let about: String = browser.get("document.querySelector('.about').textContent");
        assert!(about.starts_with("108 spheres, "), "{about}");
        assert!(!browser.get::<String>("document.body.innerText").contains("NaN"), "{boundary}");
        let found: Vec<[f64; 3]> = browser.run(
            "player.seek(player.end);
             const moment = player.moments[0];
             return Array.from({ length: cast.size }, (_, disc) =>
               moment.position(disc).map((x, axis) => cast.wrap(x, axis)));",
        );
        let place = |line: &str| -> [f64; 3] {
            let numbers: Vec<f64> = line.split(' ').skip(1).take(3).map(|field| field.parse().unwrap()).collect();
            numbers.try_into().unwrap()
        };
        assert_eq!(found, folder.read("last.sph").lines().skip(2).map(place).collect::<Vec<_>>(), "{boundary}");
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn colours_go_round_whatever_there_is_to_colour() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let (input, page) = (folder.path("discs.txt"), folder.path("movie.html"));
    let (light, heavy) = ("0.25 0.5 0.1 0.05 0.1 1\n", "0.75 0.5 0 0 0.1 2\n");
    for (discs, kinds) in [
        ("0\n".to_owned(), vec!["speed"]),
        (format!("1\n{light}"), vec!["speed"]),
        (format!("2\n{light}{heavy}"), vec!["speed", "mass"]),
    ] {
        std::fs::write(&input, &discs).unwrap();
        good(&["run", &input, "--until", "10", "--movie", &page]);
        browser.open(Path::new(&page));
        let mut seen = Vec::new();
        for _ in 0..2 * kinds.len() {
            browser.frame();
            seen.push(browser.get::<String>("colours.find((choice) => choice.checked).value"));
            browser.press('c');
        }
        assert_eq!(seen, [&kinds[..], &kinds].concat(), "{discs}");
    }
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn a_name_is_shown_and_never_run() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let name = "<img src=x onerror=alert(1)><!-- <script> {script}.txt";
    let (input, page) = (folder.path(name), folder.path("movie.html"));
    std::fs::write(&input, "1\n0.5 0.5 0.1 0.05 0.1 1\n").unwrap();
    good(&["run", &input, "--until", "10", "--movie", &page]);
    browser.open(Path::new(&page));
    assert_eq!(browser.get::<String>("document.querySelector('h1').textContent"), name);
    assert_eq!(browser.get::<u32>("document.images.length"), 0);
    assert!(browser.get::<String>("document.title").contains(name));
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
fn plots_are_drawn_and_files_are_whole_or_not_there() {
    let folder = Folder::new();
    let plots = folder.path("plots");
    good(&["run", "--random", "100", "--until", "50", "--plot", &plots]);
    for (name, words) in [("speeds.svg", "Maxwell-Boltzmann"), ("events.svg", "with a wall")] {
        let svg = folder.read(&format!("plots/{name}"));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains(words), "{name}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
    // No discs have no energy, not minus none.
    std::fs::write(folder.path("none.txt"), "0\n").unwrap();
    assert!(!good(&["run", &folder.path("none.txt")]).contains("-0e0"));
    // Nothing happens in these, and there is still something to see.
    for arguments in [["--until", "0"], ["--max-events", "0"]] {
        good(&[&["run", "--start", "billiards", "--plot", &plots][..], &arguments].concat());
        assert!(!folder.read("plots/speeds.svg").contains("NaN"));
    }
    let file = folder.path("movie.html");
    let ended = call(&["run", "--start", "billiards", "--movie", &file, "--final", &file]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("named twice: an output needs a place of its own"));
    // Under another name it is the same file still, and so is a plot.
    std::fs::create_dir_all(folder.path("plots")).unwrap();
    let detour = folder.path("plots/../movie.html");
    for outputs in
        [["--movie", &file, "--trace", &detour], ["--movie", &folder.path("plots/events.svg"), "--plot", &plots]]
    {
        let ended = call(&[&["run", "--start", "billiards"][..], &outputs].concat());
        assert_eq!(ended.status.code(), Some(2), "{outputs:?}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains("named twice"), "{outputs:?}");
    }
    let nowhere = folder.path("nowhere/movie.html");
    let ended = call(&["run", "--start", "billiards", "--movie", &nowhere]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("nowhere/movie.html: cannot be written"));
    assert!(!Path::new(&file).exists());
}
