//! The page of a log: what is in the file, and what a reader meets in a browser.

mod rally;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use browser_test::{Browser, LAPTOP, PHONE, Theme, key};
use rally::rally;
use serde_json::{Value, json};

const NO_ERRORS: [&str; 0] = [];

/// A log and its page.
struct Page {
    folder: tempfile::TempDir,
    log: PathBuf,
    html: PathBuf,
}

impl Page {
    fn of(log: &[u8]) -> Page {
        let folder = tempfile::tempdir().unwrap();
        let page = Page { log: folder.path().join("run.log"), html: folder.path().join("run.html"), folder };
        std::fs::write(&page.log, log).unwrap();
        let output = saltus(&["view", path(&page.log), "--out", path(&page.html)]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{output:?}");
        page
    }

    /// What the command answers to a question about an event.
    fn ask(&self, question: &str, event: &str, options: &[&str]) -> String {
        let output = saltus(&[&[question, path(&self.log), event], options].concat());
        assert_eq!(output.status.code(), Some(0), "{event}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The ids of the chain that `saltus why` prints, from the event back to its root.
    fn why(&self, event: &str) -> Vec<u64> {
        let chain: Value = serde_json::from_str(&self.ask("why", event, &["--json"])).unwrap();
        chain["links"].as_array().unwrap().iter().map(|link| link["id"].as_u64().unwrap()).collect()
    }

    fn open(&self, browser: &Browser) {
        browser.open(&self.html);
        browser.wait("'ready' in document.body.dataset");
    }
}

fn saltus(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_saltus")).args(arguments).output().unwrap()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Waits until nothing glides any more, and the last frame is drawn.
fn settle(browser: &Browser) {
    browser.wait("journey === null && asked === 0");
}

fn selected(browser: &Browser) -> Option<u64> {
    browser.get("focus.selected === NOWHERE ? null : log.ids[focus.selected]")
}

/// The ids of the events that are drawn in some layers, in their order.
fn drawn(browser: &Browser, layers: &[&str]) -> Vec<u64> {
    let layers: Vec<String> = layers.iter().map(|layer| format!("LAYER.{layer}")).collect();
    let layers = layers.join(", ");
    browser.get(&format!("Array.from(log.ids.filter((_, place) => [{layers}].includes(focus.layers[place])))"))
}

/// Types into the search field, as if it were empty.
fn search(browser: &Browser, text: &str) {
    browser.press(key::ESCAPE);
    browser.press('/');
    browser.write(text);
}

/// Where on the window the mark of an event is.
fn mark(browser: &Browser, id: u64) -> (f64, f64) {
    browser.run(&format!(
        "const place = log.place({id});
         const box = canvas.getBoundingClientRect();
         return [box.x + camera.x(log.times[place]), box.y + camera.y(log.lane[0][place])];"
    ))
}

/// Whether an event has a mark of its own, and no other mark lies on that.
fn is_alone(browser: &Browser, id: u64) -> bool {
    browser.run(&format!(
        "const place = log.place({id});
         const [x, y] = [camera.x(log.times[place]), camera.y(log.lane[0][place])];
         const near = picture.spots.filter((spot) =>
             spot.cell === undefined ? Math.hypot(spot.x - x, spot.y - y) < 14 : inside(spot, x, y));
         return near.length === 1 && near[0].place === place;"
    ))
}

/// The colour of a point of the lanes, as `#rrggbbaa`.
fn pixel(browser: &Browser, x: f64, y: f64) -> String {
    browser.run(&format!(
        "const copy = new OffscreenCanvas(1, 1).getContext('2d', {{willReadFrequently: true}});
         copy.drawImage(canvas, -Math.round({x}), -Math.round({y}));
         const parts = Array.from(copy.getImageData(0, 0, 1, 1).data);
         return '#' + parts.map((part) => part.toString(16).padStart(2, '0')).join('');"
    ))
}

/// What a part of the panel says, a line each.
fn lines(browser: &Browser, part: &str) -> Vec<String> {
    browser.get(&format!("[...document.querySelectorAll('{part} .line')].map((line) => line.textContent)"))
}

#[test]
fn the_page_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run.html");
    let log = folder.path().join("no.log");
    std::fs::write(&log, "this is no log\n").unwrap();
    let output = saltus(&["view", path(&log), "--out", path(&out)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no.log: line 1"), "{output:?}");
    assert!(!out.exists());
    let page = Page::of(&rally(3, 10));
    let nowhere = folder.path().join("nowhere/run.html");
    let output = saltus(&["view", path(&page.log), "--out", path(&nowhere)]);
    assert_eq!(output.status.code(), Some(2));
    let first = std::fs::read(&page.html).unwrap();
    assert_eq!(saltus(&["view", path(&page.log), "--out", path(&page.html)]).status.code(), Some(0));
    assert_eq!(std::fs::read(&page.html).unwrap(), first);
    assert_eq!(std::fs::read_dir(page.folder.path()).unwrap().count(), 2);
    // Nor does it take the place of its log.
    let log = std::fs::read(&page.log).unwrap();
    assert_eq!(saltus(&["view", path(&page.log), "--out", path(&page.log)]).status.code(), Some(2));
    assert_eq!(std::fs::read(&page.log).unwrap(), log);
    assert_eq!(saltus(&["view", path(&page.log), "--out", "-"]).status.code(), Some(2));
}

/// Texts of a model that would like to be more than texts.
const HOSTILE: [&str; 8] = [
    "</script><script>window.broken = true</script>",
    "<!--<script>",
    "]]><img src=x onerror='window.broken = true'>",
    "{{script}}{{log}}",
    "\u{2028}\u{2029}\u{202e}\u{0}\t\"quoted\" \\u003c",
    "__proto__",
    "${broken}`",
    "&lt;b&gt;\u{1f3b1} \u{e4}",
];

fn hostile() -> Vec<u8> {
    let texts = HOSTILE.map(|text| json!(text));
    let header = json!({"saltus": 1, "model": HOSTILE[0], "time": "real", "seed": u64::MAX,
        "settings": {HOSTILE[2]: HOSTILE[1], HOSTILE[3]: HOSTILE[0]}, "parts": [HOSTILE[2]]});
    let mut lines = vec![header];
    for (id, text) in (1..).zip(&texts) {
        lines.push(json!({"do": "schedule", "id": id, "due": id, "kind": text, "label": text, "entities": [id % 3]}));
        lines.push(json!({"do": "execute", "id": id, "at": id}));
    }
    let end =
        json!({"do": "end", "outcome": "ok", "reason": HOSTILE[0], "clock": 9.0, "last": 8, "lines": lines.len()});
    lines.push(end);
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

#[test]
fn texts_of_the_model_stay_texts() {
    let page = Page::of(&hostile());
    let html = std::fs::read_to_string(&page.html).unwrap();
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    let (data, rest) = rest.split_once("</script>").unwrap();
    assert!(!data.contains('<'));
    assert_eq!(rest.matches("</script").count(), 1, "the page's own script ends the page's only other script");
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["model"], HOSTILE[0]);
    for (place, text) in HOSTILE.iter().enumerate() {
        assert_eq!(data["labels"][place], json!([place, text]));
        assert_eq!(data["kinds"][data["kind"][place].as_u64().unwrap() as usize], *text);
    }

    let Some(browser) = Browser::start() else { return };
    page.open(&browser);
    assert_eq!(browser.get::<String>("document.title"), format!("{} · saltus", HOSTILE[0]));
    for id in 1..=HOSTILE.len() as u64 {
        search(&browser, &id.to_string());
        browser.press(key::ENTER);
        settle(&browser);
        assert_eq!(selected(&browser), Some(id));
        let label: String = browser.get("document.querySelector('.label').textContent");
        assert_eq!(label, HOSTILE[id as usize - 1]);
        browser.hover(mark(&browser, id));
    }
    browser.click("#help");
    let own: Value = browser.get("[document.images.length, document.scripts.length, window.broken ?? null]");
    assert_eq!(own, json!([0, 2, null]));
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn every_log_opens_without_errors_at_both_widths_and_in_both_themes() {
    let Some(browser) = Browser::start() else { return };
    let whole = rally(5, 60);
    let page = Page::of(&whole);
    let part = page.folder.path().join("part.log");
    assert!(saltus(&["slice", path(&page.log), "--from", "40", "--to", "90", "--out", path(&part)]).status.success());
    let header = "{\"saltus\":1,\"model\":\"few\",\"time\":\"ticks\"}\n";
    let event = "{\"do\":\"schedule\",\"id\":7,\"due\":18446744073709551615,\"kind\":\"late\"}\n";
    let times = [-1.7e308, -5e-324, 0.0, 5e-324, 1.7e308].iter().zip(1..);
    let wide = times.map(|(due, id)| format!("{}\n", json!({"do": "schedule", "id": id, "due": due, "kind": "any"})));
    let logs = [
        ("{\"saltus\":1,\"model\":\"wide\",\"time\":\"real\",\"start\":-1.7e308}\n".to_owned()
            + &wide.collect::<String>())
            .into(),
        whole.clone(),
        std::fs::read(part).unwrap(),
        whole[..whole.len() / 2].to_vec(),
        header.into(),
        format!("{header}{event}").into(),
    ];
    for log in logs {
        let page = Page::of(&log);
        let mut grounds = Vec::new();
        for size in [LAPTOP, PHONE] {
            for theme in [Theme::Light, Theme::Dark] {
                browser.window(size, theme);
                page.open(&browser);
                browser.press(key::RIGHT);
                settle(&browser);
                let inside = "[...document.querySelectorAll('header, header *, main, canvas, aside')].every((part) => {
                    const box = part.getBoundingClientRect();
                    return box.left >= 0 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
                }) && canvas.clientHeight >= 250";
                assert!(browser.get::<bool>(inside), "{size:?} {theme:?}");
                grounds.push(browser.get::<String>("getComputedStyle(document.body).backgroundColor"));
                assert_eq!(browser.errors(), NO_ERRORS, "{size:?} {theme:?}");
            }
        }
        assert_eq!(grounds, [grounds[0].as_str(), &grounds[1], &grounds[0], &grounds[1]]);
        assert_ne!(grounds[0], grounds[1]);
    }
}

#[test]
fn a_page_that_is_open_follows_the_theme() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(5, 60));
    page.open(&browser);
    search(&browser, "last");
    browser.press(key::ENTER);
    settle(&browser);
    let (x, y): (f64, f64) =
        browser.get("[camera.x(log.times[focus.selected]), camera.y(log.lane[0][focus.selected])]");
    let mut before = Vec::new();
    for theme in [Theme::Light, Theme::Dark, Theme::Light] {
        browser.window(LAPTOP, theme);
        let dark = theme == Theme::Dark;
        browser.wait(&format!("(picture.ink === '#f1f3f6') === {dark} && asked === 0"));
        let colours: Vec<String> = browser.get("picture.colours");
        let kind: usize = browser.get("colourOf(log.kind[focus.selected])");
        assert_eq!(pixel(&browser, x, y), format!("{}ff", colours[kind]));
        assert_ne!(colours, before);
        before = colours;
    }
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn a_click_lights_exactly_the_chain_that_why_prints() {
    let Some(browser) = Browser::start() else { return };
    let whole = Page::of(&rally(6, 200));
    let part = whole.folder.path().join("part.log");
    assert!(saltus(&["slice", path(&whole.log), "--from", "100", "--out", path(&part)]).status.success());
    let part = Page::of(&std::fs::read(part).unwrap());
    for (page, first) in [(&whole, 1), (&part, 101)] {
        page.open(&browser);
        let last: u64 = browser.get("log.ids.at(-1)");
        for id in (first..=last).step_by(41) {
            let name = id.to_string();
            search(&browser, &name);
            browser.press(key::ENTER);
            settle(&browser);
            browser.press(key::ESCAPE);
            assert_eq!((selected(&browser), drawn(&browser, &["chain"])), (None, vec![]));
            // Near enough that nothing lies on it; then by hand.
            while !is_alone(&browser, id) {
                browser.wheel(mark(&browser, id), (0, -400));
                settle(&browser);
            }
            browser.click_at(mark(&browser, id));
            assert_eq!(selected(&browser), Some(id));

            let mut chain = page.why(&name);
            assert_eq!(browser.get::<Vec<u64>>("focus.chain.map((place) => log.ids[place])"), chain);
            chain.reverse();
            assert_eq!(drawn(&browser, &["chain"]), chain);
            assert_eq!(lines(&browser, "#why"), page.ask("why", &name, &[]).lines().collect::<Vec<_>>());

            let tree: Value =
                serde_json::from_str(&page.ask("effects", &name, &["--all", "--depth", "999", "--json"])).unwrap();
            let mut effects: Vec<u64> =
                tree["tree"].as_array().unwrap().iter().skip(1).map(|event| event["id"].as_u64().unwrap()).collect();
            effects.sort_unstable();
            assert_eq!(drawn(&browser, &["restEffect", "effect"]), effects);
            let printed = page.ask("effects", &name, &[]);
            let printed: Vec<&str> = printed.lines().collect();
            let own = lines(&browser, "#effects").len() - 2;
            assert_eq!(lines(&browser, "#effects").split_off(own), printed[printed.len() - 2..]);
        }
    }
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn the_panel_tells_the_record() {
    let Some(browser) = Browser::start() else { return };
    let log = concat!(
        r#"{"saltus":1,"model":"records","time":"real"}"#,
        "\n",
        r#"{"do":"schedule","id":1,"due":1,"kind":"go","entities":[4],"parents":[null]}"#,
        "\n",
        r#"{"do":"execute","id":1,"at":1.25}"#,
        "\n",
        r#"{"do":"touch","entity":4,"version":2,"by":1}"#,
        "\n",
        r#"{"do":"schedule","id":2,"due":3,"kind":"stop","entities":[4,9],"parents":[1,null],"cause":1,"priority":-7}"#,
        "\n",
        r#"{"do":"schedule","id":3,"due":4,"kind":"stop","entities":[4],"parents":[1],"cause":1,"class":1}"#,
        "\n",
        r#"{"do":"schedule","id":4,"due":5,"kind":"go","cause":1,"label":"two\nlines"}"#,
        "\n",
        r#"{"do":"schedule","id":5,"due":6,"kind":"go","cause":1}"#,
        "\n",
        r#"{"do":"move","id":4,"to":5}"#,
        "\n",
        r#"{"do":"cancel","id":5,"by":1}"#,
        "\n",
        r#"{"do":"touch","entity":9,"version":6}"#,
        "\n",
        r#"{"do":"stale","id":2}"#,
        "\n",
    );
    let page = Page::of(log.as_bytes());
    page.open(&browser);
    let records = [
        json!({"time": "1.25", "due": "1.0", "fate": "executed", "cause": "none: scheduled from outside",
            "entity 4": "set from outside"}),
        json!({"time": "3.0", "fate": "stale: 9 was touched at 1.25 from outside", "cause": "#1 go of 4",
            "entity 4": "set by #1 go of 4", "entity 9": "set from outside", "order": "priority -7"}),
        json!({"time": "4.0", "fate": "pending", "cause": "#1 go of 4", "entity 4": "set by #1 go of 4",
            "order": "state event, priority 0"}),
        json!({"time": "5.0", "fate": "moved: goes on as #5 go", "cause": "#1 go of 4", "label": "two\nlines"}),
        json!({"time": "6.0", "fate": "cancelled at 1.25 by #1 go of 4", "cause": "#1 go of 4"}),
    ];
    for (record, id) in records.into_iter().zip(1..) {
        search(&browser, &format!("{id}"));
        browser.press(key::ENTER);
        let shown: Value = browser.get(
            "Object.fromEntries([...document.querySelectorAll('#panel dt')].map((name) =>
                [name.textContent, name.nextSibling.textContent]))",
        );
        assert_eq!(shown, record);
    }
    assert_eq!(browser.get::<Value>("log.lanes"), json!(["go", 4, 9]));
    browser.click("#panel dd a");
    assert_eq!(selected(&browser), Some(1));
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn the_search_finds_what_the_command_finds_and_more() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(4, 50));
    page.open(&browser);
    let found = |text: &str| {
        search(&browser, text);
        browser.get::<Vec<u64>>("focus.hits.map((place) => log.ids[place])")
    };
    for name in ["12", "#12", "@3", "meet@3", "solo@2", "last", "meet@last"] {
        assert_eq!(found(name), [page.why(name)[0]], "{name}");
    }
    for name in ["0", "9999", "@0", "@9999", "nobody", "nobody@1", "of 77", "of", "meet of 0 and 77", "@"] {
        assert_eq!(found(name), [0; 0], "{name}");
    }
    let all = browser.get::<Vec<(u64, f64, String, Vec<u64>)>>(
        "Array.from(log.byTime, (place) =>
            [log.ids[place], log.times[place], log.kinds[log.kind[place]], log.entities(place)])",
    );
    assert!(all.is_sorted_by(|a, b| a.1 <= b.1));
    let chosen = |choose: &dyn Fn(&str, &[u64]) -> bool| -> Vec<u64> {
        all.iter().filter(|(_, _, kind, entities)| choose(kind, entities)).map(|event| event.0).collect()
    };
    assert_eq!(found("MEE"), chosen(&|kind, _| kind == "meet"));
    assert_eq!(found("of 2"), chosen(&|_, entities| entities.contains(&2)));
    assert_eq!(found("solo entity 1"), chosen(&|kind, entities| kind == "solo" && entities.contains(&1)));
    let both = found("meet of 3 and 1");
    assert_eq!(both, chosen(&|_, entities| entities.contains(&1) && entities.contains(&3)));
    assert!(both.len() > 1);
    assert_eq!(drawn(&browser, &["restHit", "hit"]).len(), both.len());

    let text = "document.getElementById('found').textContent";
    assert_eq!(browser.get::<String>(text), format!("{} found", both.len()));
    for id in &both {
        browser.press(key::ENTER);
        assert_eq!(selected(&browser), Some(*id));
    }
    assert_eq!(browser.get::<String>(text), format!("{0} of {0}", both.len()));
    browser.press(key::ENTER);
    assert_eq!(selected(&browser), Some(both[0]));
    browser.click("#hit-before");
    assert_eq!(selected(&browser), both.last().copied());
    browser.click("#hit-next");
    assert_eq!(selected(&browser), Some(both[0]));
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn the_keyboard_goes_everywhere() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(5, 80));
    page.open(&browser);
    let ran: Vec<u64> = browser.get("Array.from(log.ran, (place) => log.ids[place])");
    for &id in &ran[..10] {
        browser.press(key::RIGHT);
        assert_eq!(selected(&browser), Some(id));
    }
    browser.press(key::LEFT);
    assert_eq!(selected(&browser), Some(ran[8]));

    // Up along the chain to its root, where there is no further.
    search(&browser, "last");
    browser.press(key::ENTER);
    browser.press(key::ESCAPE);
    search(&browser, "last");
    browser.press(key::ENTER);
    browser.run::<Value>("query.blur()");
    for id in page.why("last") {
        assert_eq!(selected(&browser), Some(id));
        browser.press(key::UP);
    }
    assert_eq!(selected(&browser), page.why("last").last().copied());
    browser.press(key::DOWN);
    let tree: Value =
        serde_json::from_str(&page.ask("effects", page.why("last").last().unwrap().to_string().as_str(), &["--json"]))
            .unwrap();
    assert_eq!(selected(&browser), tree["tree"][1]["id"].as_u64());

    settle(&browser);
    let span = || browser.get::<f64>("camera.span");
    let whole = span();
    browser.press('+');
    settle(&browser);
    assert!((span() / whole - 0.5).abs() < 1e-9);
    // Faster than it glides.
    browser.run::<Value>("KEYS['+'](); KEYS['+']()");
    settle(&browser);
    assert!((span() / whole - 0.125).abs() < 1e-9);
    browser.press('c');
    settle(&browser);
    let inside = "focus.chain.every((place) => log.times[place] > camera.start && log.times[place] < camera.end)";
    assert!(browser.get::<bool>(inside));
    let start: f64 = browser.get("camera.start");
    browser.run::<Value>("camera.zoom(0.01, middle())");
    browser.press('0');
    settle(&browser);
    assert_eq!(span(), whole);
    assert_ne!(start, browser.get::<f64>("camera.start"));
    browser.press(']');
    settle(&browser);
    assert!(browser.get::<f64>("camera.shown") < 5.0);
    browser.press('[');
    settle(&browser);
    assert_eq!(browser.get::<f64>("camera.shown"), 5.0);

    browser.press(key::ESCAPE);
    let rest_drawn = || drawn(&browser, &["rest"]).len();
    let hollow = rest_drawn();
    assert!(hollow > 0);
    browser.press('s');
    assert_eq!(rest_drawn(), 0);
    browser.press('s');
    assert_eq!(rest_drawn(), hollow);

    // By keyboard alone: a chip of the legend, a link of the panel.
    browser.run::<Value>("document.getElementById('kind-1').focus()");
    browser.press(key::ENTER);
    assert_eq!(
        browser.get::<Value>("[document.activeElement.id, document.activeElement.ariaPressed]"),
        json!(["kind-1", "false"])
    );
    browser.press(key::ENTER);
    assert_eq!(
        browser.get::<Value>("[document.activeElement.id, document.activeElement.ariaPressed]"),
        json!(["kind-1", "true"])
    );
    search(&browser, "last");
    browser.press(key::ENTER);
    browser.run::<Value>("document.querySelectorAll('#why a')[1].focus()");
    browser.press(key::ENTER);
    assert_eq!(selected(&browser), Some(page.why("last")[1]));
    assert_eq!(browser.get::<String>("document.activeElement.id"), "panel");

    browser.press('?');
    assert!(browser.get::<bool>("document.querySelector('dialog').open"));
    browser.press(key::ESCAPE);
    assert!(!browser.get::<bool>("document.querySelector('dialog').open"));
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn the_mouse_zooms_moves_and_opens_what_is_crowded() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(30, 3000));
    page.open(&browser);
    let point = (500.0, 400.0);
    let time_at = |x: f64| browser.get::<f64>(&format!("camera.timeAt({x} - canvas.getBoundingClientRect().x)"));
    let before = (time_at(point.0), browser.get::<f64>("camera.span"));
    browser.wheel(point, (0, -300));
    settle(&browser);
    let after = (time_at(point.0), browser.get::<f64>("camera.span"));
    assert!((before.0 - after.0).abs() < 1e-9 * before.1, "the time under the mouse stays: {before:?} {after:?}");
    assert!(after.1 < 0.7 * before.1);
    let held = time_at(600.0);
    browser.drag((600.0, 300.0), (450.0, 300.0));
    assert!((time_at(450.0) - held).abs() < 1e-9 * before.1, "what is dragged follows the mouse");
    assert_eq!(selected(&browser), None, "a drag is no click");
    browser.click("#overview");
    settle(&browser);
    let middle = browser.get::<Vec<f64>>("[(camera.start + camera.end) / 2, (camera.home[0] + camera.home[1]) / 2]");
    assert!((middle[0] - middle[1]).abs() < 0.01 * before.1, "{middle:?}");

    // A crowded cell lists what is in it; from there each event can be reached.
    browser.click("#whole");
    settle(&browser);
    let bar = "picture.spots.findLast((spot) => spot.cell !== undefined)";
    let members: Vec<u64> =
        browser.get(&format!("picture.grid.members({bar}.cell, {bar}.layer).map((place) => log.ids[place])"));
    assert_eq!(browser.get::<usize>(&format!("picture.grid.layers[{bar}.layer].counts[{bar}.cell]")), members.len());
    let at: (f64, f64) = browser.run(&format!(
        "const box = canvas.getBoundingClientRect(); const bar = {bar};
         return [box.x + bar.x + bar.width / 2, box.y + bar.y + bar.height / 2]"
    ));
    browser.click_at(at);
    assert_eq!(
        browser.get::<String>("document.querySelector('#panel h2').textContent"),
        format!("{} events here", members.len())
    );
    browser.click("#panel .line a");
    assert_eq!(selected(&browser), Some(members[0]));

    browser.click("#kind-0");
    browser.press(key::ESCAPE);
    assert_eq!(browser.get::<usize>("log.kind.filter((kind, place) => kind === 0 && focus.layers[place]).length"), 0);
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn two_fingers_zoom_time_and_lanes_apart() {
    let Some(browser) = Browser::start() else { return };
    browser.window(PHONE, Theme::Light);
    let page = Page::of(&rally(30, 300));
    page.open(&browser);
    let seen = || {
        settle(&browser);
        browser.get::<(f64, f64)>("[camera.span, camera.shown]")
    };
    let whole = seen();
    browser.pinch([[(200.0, 300.0), (150.0, 300.0)], [(250.0, 300.0), (350.0, 300.0)]]);
    let wide = seen();
    assert!(wide.0 < 0.5 * whole.0 && wide.1 == whole.1, "{whole:?} {wide:?}");
    browser.pinch([[(200.0, 300.0), (200.0, 220.0)], [(200.0, 350.0), (200.0, 420.0)]]);
    let high = seen();
    assert!(high.0 == wide.0 && high.1 < 0.5 * wide.1, "{wide:?} {high:?}");
    assert_eq!(selected(&browser), None);
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn a_prediction_for_the_far_future_is_in_nobody_s_way() {
    let Some(browser) = Browser::start() else { return };
    let mut log = "{\"saltus\":1,\"model\":\"far\",\"time\":\"real\"}\n".to_owned();
    for (id, due) in [(1, 1.0), (2, 1.0 + 1e-9), (3, 2.0), (4, 3e17)] {
        log += &format!("{{\"do\":\"schedule\",\"id\":{id},\"due\":{due},\"kind\":\"go\",\"entities\":[0]}}\n");
        if id != 4 {
            log += &format!("{{\"do\":\"execute\",\"id\":{id},\"at\":{due}}}\n");
        }
    }
    let page = Page::of(log.as_bytes());
    page.open(&browser);
    assert!(browser.get::<bool>("camera.span < 1.2"), "at first the window shows what ran");
    let place = |id: u64| mark(&browser, id).0;
    while place(2) - place(1) < 50.0 {
        browser.wheel(mark(&browser, 1), (0, -400));
        settle(&browser);
    }
    browser.click_at(mark(&browser, 2));
    assert_eq!(selected(&browser), Some(2));
    search(&browser, "4");
    browser.press(key::ENTER);
    settle(&browser);
    browser.click_at(mark(&browser, 4));
    assert_eq!(selected(&browser), Some(4));
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn what_ran_is_filled_and_what_did_not_is_hollow() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(4, 40));
    page.open(&browser);
    let ids: Vec<u64> = browser.get("Array.from(log.ids)");
    let mut seen = [0, 0];
    for id in ids.into_iter().filter(|&id| is_alone(&browser, id)) {
        let (x, y, ran, colour): (f64, f64, bool, String) = browser.run(&format!(
            "const place = log.place({id});
             const colour = picture.colours[colourOf(log.kind[place])];
             return [camera.x(log.times[place]), camera.y(log.lane[0][place]), log.fates[place] === 'e', colour];"
        ));
        seen[usize::from(ran)] += 1;
        let middle = pixel(&browser, x, y);
        if ran {
            assert_eq!(middle, format!("{colour}ff"), "#{id}");
        } else {
            // As the ground around it, where no line crosses that.
            let around = [(10.0, 0.0), (-10.0, 0.0), (0.0, 10.0), (0.0, -10.0)];
            let around = around.map(|(right, down)| pixel(&browser, x + right, y + down));
            assert!(around.contains(&middle), "#{id}: {middle} {around:?}");
        }
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn a_hundred_thousand_events_take_no_more_marks_than_there_is_room_for() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(300, 50_000));
    page.open(&browser);
    assert!(browser.get::<usize>("log.size") >= 100_000);
    let frame = || {
        settle(&browser);
        let drawn: Value = browser.get("picture.drawn");
        ["events", "marks", "arrows"].map(|name| drawn[name].as_u64().unwrap())
    };
    let [events, marks, arrows] = frame();
    assert!(events > 100_000, "all is shown: {events}");
    // A window of 1280 x 800 has room for about 60 x 30 cells.
    assert!(marks < 8000 && arrows < 1000, "{marks} marks, {arrows} arrows");
    let mut last = events;
    for _ in 0..60 {
        browser.wheel((400.0, 400.0), (0, -200));
        let [events, marks, arrows] = frame();
        assert!(events <= last && marks < 8000 && arrows < 1500, "{events} events, {marks} marks, {arrows} arrows");
        last = events;
    }
    assert!(last < 10, "{last} events in the narrowest window");
    search(&browser, "last");
    browser.press(key::ENTER);
    let [_, marks, _] = frame();
    assert!(marks < 8000);
    let mut chain = page.why("last");
    chain.reverse();
    assert_eq!(drawn(&browser, &["chain"]), chain);
    browser.press(key::ESCAPE);
    search(&browser, "@1");
    browser.press(key::ENTER);
    let [_, marks, _] = frame();
    assert!(marks < 8000, "with all effects of the first event: {marks}");
    assert_eq!(browser.errors(), NO_ERRORS);
}

#[test]
fn numbers_are_written_as_the_command_writes_them() {
    let Some(browser) = Browser::start() else { return };
    let page = Page::of(&rally(3, 10));
    page.open(&browser);
    let mut numbers =
        vec![0.0, -0.0, 1.0, 0.1, 1e-5, 9.999e-6, 1e-7, 1e15, 1e16, 123456789.125, 1e21, -2.5e-300, f64::MAX];
    numbers.extend([f64::MIN_POSITIVE, 5e-324, 30.167197630926236, 9007199254740993.0, 12345678901234567.0]);
    let mut bits = 0x9E37_79B9_7F4A_7C15u64;
    while numbers.len() < 2000 {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        numbers.extend(Some(f64::from_bits(bits)).filter(|number| number.is_finite()));
        numbers.push((bits >> 40) as f64 / 4096.0);
    }
    let list = serde_json::to_string(&numbers).unwrap();
    let times: Vec<String> = browser.get(&format!("{list}.map(formatTime)"));
    let spans: Vec<String> = browser.get(&format!("{list}.map(formatSpan)"));
    for (number, (time, span)) in numbers.iter().zip(times.iter().zip(&spans)) {
        assert_eq!(*time, format!("{number:?}"));
        assert_eq!(*span, format!("{}", number + 0.0));
    }
}
