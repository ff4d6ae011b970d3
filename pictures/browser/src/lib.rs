//! A real browser for the tests of the pages that the commands write.
//!
//! [`Browser::start`] starts Chromium through its driver, chromedriver, and speaks WebDriver with it. Where one of them
//! is not installed, a test says so and is skipped, except in continuous integration (`CI` is set), where it fails.
//!
//! ```no_run
//! # fn main() {
//! use browser_test::{Browser, LAPTOP, PHONE, Theme, key};
//!
//! let Some(browser) = Browser::start() else { return };
//! browser.window(PHONE, Theme::Dark);
//! browser.open("page.html".as_ref());
//! browser.wait("window.ready === true");
//! browser.click("#play");
//! browser.press(key::RIGHT);
//! let time: f64 = browser.get("page.time");
//! assert_eq!(browser.errors(), [""; 0]);
//! # }
//! ```
//!
//! It is for tests alone: whatever goes wrong is a panic that says what was asked for.

mod driver;

use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use driver::Driver;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Width and height of a window, in CSS pixels.
pub type Size = (u32, u32);

/// A laptop's window.
pub const LAPTOP: Size = (1280, 800);

/// A phone, held upright.
pub const PHONE: Size = (390, 844);

/// What the reader prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Keys that have no character, as WebDriver names them.
pub mod key {
    /// Tab.
    pub const TAB: char = '\u{E004}';
    /// Enter.
    pub const ENTER: char = '\u{E007}';
    /// Escape.
    pub const ESCAPE: char = '\u{E00C}';
    /// Page up.
    pub const PAGE_UP: char = '\u{E00E}';
    /// Page down.
    pub const PAGE_DOWN: char = '\u{E00F}';
    /// End.
    pub const END: char = '\u{E010}';
    /// Home.
    pub const HOME: char = '\u{E011}';
    /// Arrow to the left.
    pub const LEFT: char = '\u{E012}';
    /// Arrow up.
    pub const UP: char = '\u{E013}';
    /// Arrow to the right.
    pub const RIGHT: char = '\u{E014}';
    /// Arrow down.
    pub const DOWN: char = '\u{E015}';
}

/// A browser with one window; it is closed on drop.
pub struct Browser {
    driver: Driver,
}

impl Browser {
    /// Starts a browser with an empty profile and a window of the size of a laptop's. `None` where there is none.
    ///
    /// # Panics
    /// If there is none, and `CI` is set; or if it does not start.
    pub fn start() -> Option<Browser> {
        let browser = Browser { driver: Driver::start()? };
        browser.window(LAPTOP, Theme::Light);
        Some(browser)
    }

    /// Gives the window a size, however narrow, and the reader a preference.
    pub fn window(&self, (width, height): Size, theme: Theme) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.driver.devtools("Emulation.setDeviceMetricsOverride", metrics);
        let value = if theme == Theme::Dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.driver.devtools("Emulation.setEmulatedMedia", features);
    }

    /// Opens a page from disk and returns once it has loaded.
    pub fn open(&self, page: &Path) {
        let path = page.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        self.driver.command("url", json!({"url": format!("file://{}", path.display())}));
    }

    /// Runs a script in the page, the body of a function, and returns what it returns; a promise is waited for.
    pub fn run<T: DeserializeOwned>(&self, script: &str) -> T {
        let value = self.driver.command("execute/sync", json!({"script": script, "args": []}));
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// The value of an expression in the page.
    pub fn get<T: DeserializeOwned>(&self, expression: &str) -> T {
        self.run(&format!("return ({expression});"))
    }

    /// Waits until an expression in the page is true.
    ///
    /// # Panics
    /// After two minutes, so that a page that hangs ends a test, not blocks it.
    pub fn wait(&self, condition: &str) {
        const PAUSE: Duration = Duration::from_millis(20);
        for _ in 0..6000 {
            if self.get::<Value>(&format!("Boolean({condition})")) == true {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        panic!("{condition} has not become true; the page's errors: {:?}", self.errors());
    }

    /// Waits for the next frame, so that what was asked for is drawn.
    pub fn frame(&self) {
        self.run::<Value>(
            "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
        );
    }

    /// Clicks with the mouse into the middle of the first element that a CSS selector selects.
    pub fn click(&self, selector: &str) {
        let middle = format!(
            "const element = document.querySelector({selector:?});
             element.scrollIntoView({{block: 'nearest'}});
             // Of a text that is broken into lines, the first.
             const box = element.getClientRects()[0];
             return [box.x + box.width / 2, box.y + box.height / 2];"
        );
        self.click_at(self.run(&middle));
    }

    /// Clicks with the mouse at a point of the window.
    pub fn click_at(&self, point: (f64, f64)) {
        self.mouse(&[
            moved(point),
            json!({"type": "pointerDown", "button": 0}),
            json!({"type": "pointerUp", "button": 0}),
        ]);
    }

    /// Moves the mouse to a point of the window.
    pub fn hover(&self, point: (f64, f64)) {
        self.mouse(&[moved(point)]);
    }

    /// Drags with the mouse from one point of the window to another.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let (down, up) = (json!({"type": "pointerDown", "button": 0}), json!({"type": "pointerUp", "button": 0}));
        self.mouse(&[moved(from), down, moved(middle), moved(to), up]);
    }

    /// Touches the window with two fingers, moves each from its first point to its second, and lifts them.
    pub fn pinch(&self, fingers: [[(f64, f64); 2]; 2]) {
        let finger = |(id, [from, to]): (usize, [(f64, f64); 2])| {
            let (down, up) = (json!({"type": "pointerDown", "button": 0}), json!({"type": "pointerUp", "button": 0}));
            let actions = [moved(from), down, moved(to), up];
            let kind = json!({"pointerType": "touch"});
            json!({"type": "pointer", "id": format!("finger {id}"), "parameters": kind, "actions": actions})
        };
        let fingers: Vec<Value> = fingers.into_iter().enumerate().map(finger).collect();
        self.driver.command("actions", json!({"actions": fingers}));
    }

    /// Turns the wheel of the mouse at a point of the window; down and to the right are positive.
    pub fn wheel(&self, (x, y): (f64, f64), (right, down): (i32, i32)) {
        let scroll = json!({"type": "scroll", "x": x as i32, "y": y as i32, "deltaX": right, "deltaY": down});
        self.act(json!({"type": "wheel", "id": "wheel", "actions": [scroll]}));
    }

    /// Presses a key and releases it: a character or one of [`key`].
    pub fn press(&self, key: char) {
        let keys = [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        self.act(json!({"type": "key", "id": "keyboard", "actions": keys}));
    }

    /// Types a text.
    pub fn write(&self, text: &str) {
        text.chars().for_each(|character| self.press(character));
    }

    /// Writes what the window shows to a file, as PNG.
    pub fn screenshot(&self, file: &Path) {
        let picture = self.driver.query("screenshot");
        let bytes = BASE64.decode(picture.as_str().expect("a text")).expect("base64");
        std::fs::write(file, bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }

    /// What the browser's console has said since it was asked last that is more than information: errors of scripts, of
    /// loading and of parsing, `console.error` and `console.warn`. There is no network: a page that wants it is found out.
    pub fn errors(&self) -> Vec<String> {
        let entries = self.driver.command("se/log", json!({"type": "browser"}));
        let entries = entries.as_array().expect("a list of entries").iter();
        let errors = entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        errors.map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    fn mouse(&self, actions: &[Value]) {
        let mouse = json!({"pointerType": "mouse"});
        self.act(json!({"type": "pointer", "id": "mouse", "parameters": mouse, "actions": actions}));
    }

    fn act(&self, source: Value) {
        self.driver.command("actions", json!({"actions": [source]}));
    }
}

fn moved((x, y): (f64, f64)) -> Value {
    json!({"type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y})
}
