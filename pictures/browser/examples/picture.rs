//! Takes a picture of a page, for the documentation:
//!
//! ```text
//! cargo run -p browser-test --example picture -- PAGE.html OUT.png 1280x800 light 'SCRIPT'
//! ```
//!
//! The script runs in the page before the picture is taken.

use std::time::Duration;

use browser_test::{Browser, Theme};
use serde_json::Value;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, out, size, theme, script] = arguments.as_slice() else {
        panic!("PAGE.html OUT.png WIDTHxHEIGHT light|dark SCRIPT");
    };
    let (width, height) = size.split_once('x').expect("WIDTHxHEIGHT");
    let size = (width.parse().expect("a width"), height.parse().expect("a height"));
    let browser = Browser::start().expect("a browser");
    browser.window(size, if theme == "dark" { Theme::Dark } else { Theme::Light });
    browser.open(page.as_ref());
    browser.run::<Value>(script);
    // What moves comes to rest.
    std::thread::sleep(Duration::from_secs(1));
    browser.frame();
    browser.screenshot(out.as_ref());
    browser.errors().iter().for_each(|error| eprintln!("{error}"));
}
