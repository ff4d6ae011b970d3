//! `timewheel-compare cost`: a simulated hour on the wall clock.

use saltus::BoxError;
use timewheel_compare::drivers::Driver;
use timewheel_compare::experiments::cost::{Cost, cost};
use timewheel_compare::settings::Settings;
use timewheel_compare::table::Table;

use super::{Form, Outcome, granularities, positive};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Slots a second, one wheel for each
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "8,32,128,512")]
    wheel_granularity: Vec<i64>,
    /// Events a second
    #[arg(long, value_name = "R,R", value_delimiter = ',', default_value = "0.2,2,20,200", value_parser = positive)]
    density: Vec<f64>,
    /// How often to run each; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    times: u32,
    #[command(flatten)]
    form: Form,
}

pub(crate) fn run(args: Args) -> Outcome {
    let rows = costs(&granularities(&args.wheel_granularity), &args.density, args.times)?;
    args.form.print(&rows, || table(&rows).text())
}

/// All drivers, one after the other on one thread, so that they do not disturb each other.
pub(crate) fn costs(granularities: &[u64], densities: &[f64], times: u32) -> Result<Vec<Cost>, BoxError> {
    let mut rows = Vec::new();
    for &density in densities {
        for &driver in Driver::ALL {
            let all = if driver == Driver::EventDriven {
                &granularities[..granularities.len().min(1)]
            } else {
                granularities
            };
            for &granularity in all {
                let settings = Settings { granularity, ..Settings::default() };
                rows.push(cost(driver, density, &settings, times)?);
            }
        }
    }
    Ok(rows)
}

pub(crate) fn table(rows: &[Cost]) -> Table {
    let mut table = Table::new([
        "driver",
        "slots/s",
        "events/s asked",
        "events",
        "slots visited",
        "empty",
        "ms a simulated hour",
        "ns an event",
        "mean delay/ms",
    ]);
    for row in rows {
        table.row([
            row.driver.to_owned(),
            row.granularity.map_or("-".to_owned(), |granularity| granularity.to_string()),
            row.density.to_string(),
            row.events.to_string(),
            if row.visited == 0 { "-".to_owned() } else { row.visited.to_string() },
            if row.visited == 0 { "-".to_owned() } else { format!("{:.2} %", 100.0 * row.empty_share()) },
            format!("{:.3}", row.milliseconds),
            format!("{:.0}", 1e6 * row.milliseconds / row.events.max(1) as f64),
            format!("{:.3}", 1000.0 * row.delay),
        ]);
    }
    table
}
