//! The harness against pages whose behaviour is known.

use std::path::PathBuf;

use browser_test::{Browser, LAPTOP, PHONE, Theme, key};
use serde_json::{Value, json};

fn page(folder: &tempfile::TempDir, html: &str) -> PathBuf {
    let path = folder.path().join("a page.html");
    std::fs::write(&path, format!("<!doctype html><meta charset=utf-8><title>page</title>{html}")).unwrap();
    path
}

#[test]
fn every_kind_of_error_is_heard_once() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    browser.open(&page(&folder, "<p>quiet<script>console.log('only information')</script>"));
    assert_eq!(browser.errors(), [""; 0]);
    for (html, word) in [
        ("<script>throw new Error('thrown')</script>", "thrown"),
        ("<script>console.error('told')</script>", "told"),
        ("<script>Promise.reject(new Error('promised'))</script>", "promised"),
        ("<script>this is no script</script>", "SyntaxError"),
        ("<img src=nowhere.png>", "nowhere.png"),
        ("<script src='https://example.org/library.js'></script>", "ERR_NAME_NOT_RESOLVED"),
    ] {
        browser.open(&page(&folder, html));
        let errors = browser.errors();
        assert!(errors.len() == 1 && errors[0].contains(word), "{html}: {errors:?}");
        assert_eq!(browser.errors(), [""; 0]);
    }
}

#[test]
fn windows_have_the_size_and_theme_that_was_asked_for() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    browser.open(&page(&folder, "<meta name=viewport content='width=device-width'><p>text"));
    for (size, theme) in [(LAPTOP, Theme::Dark), (PHONE, Theme::Light), (PHONE, Theme::Dark), (LAPTOP, Theme::Light)] {
        browser.window(size, theme);
        let dark = "matchMedia('(prefers-color-scheme: dark)').matches";
        let seen: Value = browser.get(&format!("[innerWidth, innerHeight, {dark}]"));
        assert_eq!(seen, json!([size.0, size.1, theme == Theme::Dark]));
        let file = folder.path().join("shot.png");
        browser.screenshot(&file);
        let png = std::fs::read(&file).unwrap();
        assert_eq!(&png[1..4], b"PNG");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), size);
    }
}

#[test]
fn mouse_wheel_and_keys_arrive_as_a_person_s_would() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let html = "<input id=field autofocus><button id=button style='position:fixed;left:300px;top:200px'>press</button>
        <script>
        var seen = [];
        for (const name of ['pointerdown', 'pointerup', 'keydown', 'wheel', 'click']) {
            addEventListener(name, event => seen.push([name, event.isTrusted, event.key ?? event.deltaY ?? event.clientX]));
        }
        </script>";
    browser.open(&page(&folder, html));
    browser.drag((20.0, 100.0), (220.0, 100.0));
    assert_eq!(browser.run::<Value>("return seen.splice(0)")[1], json!(["pointerup", true, 220]));
    browser.wheel((100.0, 100.0), (0, 120));
    browser.wait("seen.length > 0");
    assert_eq!(browser.run::<Value>("return seen.splice(0)"), json!([["wheel", true, 120]]));
    browser.press(key::LEFT);
    assert_eq!(browser.run::<Value>("return seen.splice(0)"), json!([["keydown", true, "ArrowLeft"]]));
    browser.click("#button");
    assert_eq!(browser.get::<Value>("seen.at(-1)[0]"), "click");
    browser.click("#field");
    browser.write("pair 12");
    assert_eq!(browser.get::<String>("document.querySelector('#field').value"), "pair 12");
    browser.frame();
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
#[should_panic(expected = "no such element")]
fn a_script_that_fails_fails_the_test() {
    let Some(browser) = Browser::start() else { panic!("no such element, nor a browser") };
    browser.get::<Value>("(() => { throw new Error('no such element') })()");
}
