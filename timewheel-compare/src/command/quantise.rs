//! `timewheel-compare quantise`: where events end up.

use serde::Serialize;
use timewheel_compare::experiments::quantise::quantise;
use timewheel_compare::table::Table;

use super::{Form, Outcome, Resolution, Unit, Wheel};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// When events are due, in milliseconds
    #[arg(required = true, value_name = "MS")]
    times: Vec<String>,
    #[command(flatten)]
    wheel: Wheel,
    /// The unit of which all times are whole multiples
    #[arg(long, value_enum, default_value = "1ms")]
    resolution: Resolution,
    #[command(flatten)]
    form: Form,
}

#[derive(Serialize)]
struct Row {
    event: String,
    due_ms: String,
    slot: u64,
    happens_ms: String,
    delay_ms: String,
}

pub(crate) fn run(args: Args) -> Outcome {
    let settings = args.wheel.settle();
    let resolution = args.resolution;
    let due: Result<Vec<u64>, _> = args.times.iter().map(|text| resolution.parse(text, Unit::Milliseconds)).collect();
    let rows: Vec<Row> = (0..)
        .zip(quantise(&due?, &settings, resolution.ticks())?)
        .map(|(number, event)| Row {
            event: name(number),
            due_ms: resolution.milliseconds(event.due),
            slot: event.slot,
            happens_ms: resolution.milliseconds(event.happens),
            delay_ms: resolution.milliseconds(event.delay()),
        })
        .collect();
    args.form.print(&rows, || {
        let mut table = Table::new(["event", "due/ms", "slot", "happens/ms", "delay/ms"]);
        for row in &rows {
            let Row { event, due_ms, slot, happens_ms, delay_ms } = row;
            table.row([event.clone(), due_ms.clone(), slot.to_string(), happens_ms.clone(), delay_ms.clone()]);
        }
        table.text()
    })
}

/// A, B, ... Z, then numbers.
fn name(number: u32) -> String {
    match char::from_u32('A' as u32 + number) {
        Some(letter) if letter.is_ascii_uppercase() => letter.to_string(),
        _ => format!("#{}", number + 1),
    }
}
