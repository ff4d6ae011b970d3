//! Where events end up, and the wheel itself.

use saltus::BoxError;
use timewheel_compare::experiments::quantise::quantise;
use timewheel_compare::plots::{Axis, Chart, Corner, Look, Series, wheel_as_svg};
use timewheel_compare::settings::Settings;
use timewheel_compare::table::{Table, csv};

use super::Part;

pub(crate) fn make() -> Result<Part, BoxError> {
    let settings = Settings::default();
    let mut table = Table::new(["event", "due/ms", "slot", "happens/ms", "delay/ms"]);
    for (name, event) in ["A", "B", "C", "D"].into_iter().zip(quantise(&[0, 12, 30, 31], &settings, 1000)?) {
        let numbers = [event.due, event.slot, event.happens, event.delay()];
        table.row(std::iter::once(name.to_owned()).chain(numbers.map(|number| number.to_string())));
    }
    let all: Vec<u64> = (0..1000).collect();
    let second = quantise(&all, &settings, 1000)?;
    let delays: Vec<u64> = second.iter().map(|event| event.delay()).collect();
    let mean = delays.iter().sum::<u64>() as f64 / delays.len() as f64;
    let most = delays.iter().max().copied().unwrap_or(0);
    let mut series = Vec::new();
    for (granularity, look) in [(32, Look::Thick), (64, Look::Dashed)] {
        let microseconds: Vec<u64> = (0..125_000).step_by(125).collect();
        let events = quantise(&microseconds, &Settings { granularity, ..settings }, 1_000_000)?;
        let points = events.iter().map(|event| (event.due as f64 / 1000.0, event.delay() as f64 / 1000.0)).collect();
        series.push(Series::new(format!("{granularity} slots a second"), look, points));
    }
    let chart = Chart {
        title: "Delay that the wheel adds, by when an event is due".to_owned(),
        x: Axis::linear("time at which an event is due / ms", 0.0, 125.0),
        y: Axis::linear("added delay / ms", 0.0, 45.0),
        series,
        legend: Corner::UpperRight,
    };
    let text = format!(
        "\
## Where events end up

{}
A, B and C are due at three different times and happen together, at the end of the first slot; D is due one millisecond after C
and happens 31 ms after it. (Times are whole milliseconds here: slots are 31, 31, 31 and 32 ms long in turn. Everywhere else on
this page time has a resolution of 1 ns.)

![delay by time](delay.svg)

*The delay that an event gets depends on nothing but where in its slot it is due: a whole slot at the beginning, nothing at the
end. Over all milliseconds of a second it is {mean:.3} ms in the mean and {most} ms at most. Finer slots make the teeth smaller;
there is no granularity at which they are gone.*

![the wheel](wheel.svg)

*The wheel. Its slots are numbered by the bits of second and piece without a gap, which is why both settings are powers of two.
The slot that the pointer leaves is at once the farthest one, so the wheel turns for ever; only no delay may be longer than a
turn.*
",
        table.markdown()
    );
    Ok(Part {
        gist: format!(
            "A wheel delays events by {mean:.1} ms in the mean (32 slots a second, whole milliseconds), and lets events at \
             different times happen together."
        ),
        text,
        files: vec![
            ("delay.svg".to_owned(), chart.svg()?),
            ("quantise.csv".to_owned(), csv(&second)?),
            ("wheel.svg".to_owned(), wheel_as_svg(&settings, 192)),
        ],
    })
}
