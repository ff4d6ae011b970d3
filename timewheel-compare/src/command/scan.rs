//! `timewheel-compare scan`: the cost of waiting.

use std::fmt::Write as _;
use std::path::PathBuf;

use saltus::driver::Slots;
use saltus::log::LogHeader;
use timewheel_compare::drivers::Driver;
use timewheel_compare::experiments::scan::{Scanned, scan, watch};
use timewheel_compare::table::Table;

use super::{Form, Outcome, Resolution, Unit, Wheel, trace};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long the debuff lasts, in seconds
    #[arg(long, value_name = "S", default_value = "6")]
    delay: String,
    #[command(flatten)]
    wheel: Wheel,
    /// The unit of which all times are whole multiples
    #[arg(long, value_enum, default_value = "1ms")]
    resolution: Resolution,
    /// Write an event log of one of the runs, which the command `saltus` answers questions from
    #[arg(long, value_name = "LOG")]
    trace: Option<PathBuf>,
    /// Which run that is
    #[arg(long, value_enum, value_name = "DRIVER", default_value = "event-driven", requires = "trace")]
    trace_driver: Driver,
    #[command(flatten)]
    form: Form,
}

pub(crate) fn run(args: Args) -> Outcome {
    let settings = args.wheel.settle();
    let resolution = args.resolution;
    let delay = resolution.parse(&args.delay, Unit::Seconds)?;
    let rows: Result<Vec<Scanned>, _> =
        Driver::ALL.iter().map(|&driver| scan(driver, delay, &settings, resolution.ticks())).collect();
    let rows = rows?;
    if let Some(path) = &args.trace {
        let driver = args.trace_driver;
        let header = LogHeader::new("debuff", &saltus::Settings::<u64>::default())
            .setting("driver", driver.name())
            .setting("delay-ticks", delay)
            .setting("ticks-a-second", resolution.ticks())
            .setting("wheel-granularity", settings.granularity)
            .setting("wheel-seconds", settings.seconds);
        trace(path, &header, |log| watch(driver, delay, &settings, resolution.ticks(), log))?;
    }
    let slots = settings.wheel(resolution.ticks())?.slots;
    args.form.print(&rows, || {
        let last = slots.slot_of(delay);
        let end = |slot| resolution.seconds(slots.end_of(slot).unwrap_or(u64::MAX));
        let mut text = format!("{:>9}  the debuff is applied\n", resolution.seconds(0));
        // Writing to a String cannot fail.
        for slot in (0..last).filter(|slot| last <= 10 || *slot < 5 || *slot + 1 == last) {
            if last > 10 && slot + 1 == last {
                let _ = writeln!(text, "{:>9}", "...");
            }
            let _ = writeln!(text, "{:>9}  slot {}: empty", end(slot), slot + 1);
        }
        let _ = writeln!(text, "{:>9}  slot {}: it ends and explodes\n", end(last), last + 1);
        text + &table(&rows, resolution).text()
    })
}

pub(crate) fn table(rows: &[Scanned], resolution: Resolution) -> Table {
    let mut table =
        Table::new(["driver", "events", "clock moves", "slots visited", "empty", "leapt over", "explodes at/s"]);
    for row in rows {
        let Scanned { driver, events, visited, empty, skipped, moves, fired } = row;
        // A list that looks for the next event itself does not tell how many slots it has looked into.
        let is_counted = visited + skipped > 0;
        let counts = [(events, true), (moves, true), (visited, is_counted), (empty, is_counted), (skipped, is_counted)]
            .map(|(count, is_counted)| if is_counted { count.to_string() } else { "-".to_owned() });
        let ends = [(*driver).to_owned()].into_iter().chain(counts);
        table.row(ends.chain([resolution.seconds(*fired)]));
    }
    table
}
