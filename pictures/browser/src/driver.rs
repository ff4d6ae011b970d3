//! A session of chromedriver: a process, a port, and commands in JSON.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

/// A driver with one session.
pub(crate) struct Driver {
    process: Child,
    agent: Agent,
    session: String,
    _profile: TempDir,
}

impl Driver {
    /// `None`, and a word on the standard error, where there is no browser.
    pub(crate) fn start() -> Option<Driver> {
        let Some(chromium) = on_path("chromium").or_else(|| on_path("google-chrome")) else {
            return missing("chromium");
        };
        let process = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut process = match process {
            Err(error) if error.kind() == ErrorKind::NotFound => return missing("chromedriver"),
            process => process.expect("chromedriver starts"),
        };
        let address = address(&mut process);
        let agent = Agent::config_builder().http_status_as_error(false).build().into();
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut driver = Driver { process, agent, session: address, _profile: profile };
        let id = driver.command("session", capabilities(&chromium, &driver._profile))["sessionId"].take();
        driver.session = format!("{}/session/{}", driver.session, id.as_str().expect("the id of the session"));
        Some(driver)
    }

    /// Asks the driver to do something.
    pub(crate) fn command(&self, name: &str, arguments: Value) -> Value {
        let request = self.agent.post(format!("{}/{name}", self.session)).content_type("application/json");
        answer(name, &arguments, request.send(arguments.to_string()))
    }

    /// Asks the driver for something.
    pub(crate) fn query(&self, name: &str) -> Value {
        answer(name, &Value::Null, self.agent.get(format!("{}/{name}", self.session)).call())
    }

    /// Asks the browser for what WebDriver has no word for.
    pub(crate) fn devtools(&self, name: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({"cmd": name, "params": parameters}))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Without it, the browser would outlive its driver. A test that fails must not fail here again.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Past the test's capture, since a test that is skipped passes.
fn missing(program: &str) -> Option<Driver> {
    assert!(std::env::var_os("CI").is_none(), "{program} is not installed, but CI is set: the pages must be tested");
    let _ = writeln!(std::io::stderr(), "skipped: {program} is not installed (Debian: chromium, chromium-driver)");
    None
}

fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Chromedriver chooses a port and says so.
fn address(process: &mut Child) -> String {
    let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let port =
        lines.find_map(|line| Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned()));
    // What it says later must not end it for want of a reader.
    std::thread::spawn(move || lines.for_each(drop));
    format!("http://127.0.0.1:{}", port.expect("chromedriver tells its port"))
}

fn capabilities(chromium: &Path, profile: &TempDir) -> Value {
    let profile = format!("--user-data-dir={}", profile.path().display());
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        // No name leads anywhere: a page that wants the network has an error to show.
        "--host-resolver-rules=MAP * ~NOTFOUND",
        &profile,
    ];
    json!({"capabilities": {"alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": {"binary": chromium, "args": arguments},
        "goog:loggingPrefs": {"browser": "ALL"},
    }}})
}

fn answer(name: &str, arguments: &Value, answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    let text = answer.and_then(|mut response| response.body_mut().with_config().limit(u64::MAX).read_to_string());
    let text = text.unwrap_or_else(|error| panic!("{name} {arguments}: {error}"));
    let mut body: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
    let value = body["value"].take();
    assert!(value["error"].is_null(), "{name} {arguments}: {}: {}", value["error"], value["message"]);
    value
}
