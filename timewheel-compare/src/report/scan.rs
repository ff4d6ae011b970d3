//! What waiting costs.

use saltus::BoxError;
use timewheel_compare::drivers::Driver;
use timewheel_compare::experiments::scan::{Scanned, scan};
use timewheel_compare::settings::Settings;
use timewheel_compare::table::csv;

use super::Part;
use crate::command::Resolution;
use crate::command::scan::table;

pub(crate) fn make() -> Result<Part, BoxError> {
    let rows: Result<Vec<Scanned>, BoxError> =
        Driver::ALL.iter().map(|&driver| scan(driver, 6000, &Settings::default(), 1000)).collect();
    let rows = rows?;
    let (event_driven, wheel) = (&rows[0], &rows[1]);
    let text = format!(
        "\
## Waiting

A debuff is applied at the start, ends after 6 s and explodes.

{}
The wheel visits {} slots, of which {} are empty, and comes too late: at {:.3} s. The event-driven driver executes {} events and
moves its clock {}. The sorted-bucket wheel keeps the time and the skipping one spares the visits; each mends one half.
",
        table(&rows, Resolution::Millisecond).markdown(),
        wheel.visited,
        wheel.empty,
        wheel.fired as f64 / 1000.0,
        event_driven.events,
        times(event_driven.moves)
    );
    Ok(Part {
        gist: format!(
            "To wait for 6 s it visits {} slots, {} of them empty; the event-driven driver leaps {}.",
            wheel.visited,
            wheel.empty,
            times(event_driven.moves)
        ),
        text,
        files: vec![("scan.csv".to_owned(), csv(&rows)?)],
    })
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
