//! Takes a picture of a page that a command has written, as the README shows it.
//!
//! `cargo run -p browser-test --example picture -- PAGE.html OUT.png [WIDTHxHEIGHT] [dark] [#FRAGMENT]`

use std::path::Path;

use browser_test::{Browser, LAPTOP, Theme};
use serde_json::Value;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, out, options @ ..] = &arguments[..] else {
        panic!("usage: picture PAGE.html OUT.png [WIDTHxHEIGHT] [dark] [#FRAGMENT]");
    };
    let mut size = LAPTOP;
    let mut theme = Theme::Light;
    let mut fragment = "";
    for option in options {
        match option.split_once('x') {
            Some((width, height)) => {
                size = (width.parse().expect("a width"), height.parse().expect("a height"));
            }
            None if option == "dark" => theme = Theme::Dark,
            None => fragment = option,
        }
    }
    let browser = Browser::start().expect("a browser and its driver");
    browser.window(size, theme);
    browser.open(Path::new(page));
    browser.run::<Value>(&format!("location.hash = {fragment:?}; return 0"));
    // What fades has faded by then.
    std::thread::sleep(std::time::Duration::from_secs(1));
    browser.frame();
    browser.screenshot(Path::new(out));
}
