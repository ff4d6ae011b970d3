//! Movies: a run as a page that plays it exactly.
//!
//! ```
//! use hard_discs::movie::{Cast, Film, movie};
//! use hard_discs::starts::{Start, make};
//! use saltus::{Settings, Simulation};
//!
//! let model = make(Start::Billiards, None, None, 1)?;
//! let (cast, film) = (Cast::new(&model), Film::new(&model));
//! let mut simulation = Simulation::with(model, Settings::default(), film);
//! let (discs, cx) = simulation.parts();
//! discs.start(cx)?;
//! simulation.run_until(200.0)?;
//! let mut film = simulation.into_parts().1;
//! film.finish(200.0);
//! let html = movie("billiards", cast, &film)?;
//! assert!(html.starts_with("<!doctype html>"));
//! # Ok::<(), saltus::BoxError>(())
//! ```

mod film;

use pictures::{Page, integers, numbers};
use serde::Serialize;

use crate::model::{HardSpheres, Schedule};

pub use film::{Film, FilmColumns, Leg, MOST_CHANGES};

/// The style that all pages of discs share.
pub const STYLE: &str = include_str!("page/player.css");

/// The scripts that all pages of discs share: films, the discs drawn, the clock and its controls.
pub const SCRIPTS: [&str; 5] = [
    include_str!("page/film.js"),
    include_str!("page/stage.js"),
    include_str!("page/timeline.js"),
    include_str!("page/player.js"),
    include_str!("page/controls.js"),
];

/// The controls that all pages of discs share.
pub const CONTROLS: &str = include_str!("page/controls.html");

/// The discs and their box as a page holds them.
#[derive(Serialize)]
pub struct Cast {
    /// `null` is a wall at infinity.
    low: Vec<Option<f64>>,
    high: Vec<Option<f64>>,
    periodic: Vec<bool>,
    radius: String,
    mass: String,
    /// Red, green and blue, eight bits each; all bits set where there is none.
    colour: String,
}

impl Cast {
    /// The discs of a model and their box.
    pub fn new<const D: usize, S: Schedule>(model: &HardSpheres<D, S>) -> Cast {
        let finite = |side: &[f64]| side.iter().map(|&wall| wall.is_finite().then_some(wall)).collect::<Vec<_>>();
        let discs = model.discs();
        let colour = |colour: Option<[u8; 3]>| match colour {
            Some([r, g, b]) => u32::from_be_bytes([0, r, g, b]),
            None => u32::MAX,
        };
        Cast {
            low: finite(&model.walls().low),
            high: finite(&model.walls().high),
            periodic: model.walls().periodic.to_vec(),
            radius: numbers(discs.iter().map(|disc| disc.radius)),
            mass: numbers(discs.iter().map(|disc| disc.mass)),
            colour: integers(discs.iter().map(|disc| colour(disc.colour))),
        }
    }
}

#[derive(Serialize)]
struct Movie<'a> {
    title: &'a str,
    cast: Cast,
    film: FilmColumns,
}

/// A page that plays a film of these discs.
pub fn movie<const D: usize>(title: &str, cast: Cast, film: &Film<D>) -> serde_json::Result<String> {
    let own = [include_str!("page/speeds.js"), include_str!("page/movie.js")];
    let page = Page {
        title: &format!("{title} - hard {}", if D == 2 { "discs" } else { "spheres" }),
        styles: &[STYLE],
        body: &[include_str!("page/movie.html"), CONTROLS, include_str!("page/readings.html")],
        scripts: &[SCRIPTS.as_slice(), &own].concat(),
    };
    page.html(&Movie { title, cast, film: film.columns() })
}
