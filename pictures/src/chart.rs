//! One kind of chart for all plots: named series over two axes, each linear or logarithmic.

use crate::Error;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

/// A chart.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn, in this order.
    pub series: Vec<Series>,
    /// Where the names of the series stand.
    pub legend: Corner,
}

/// A corner of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Corner {
    UpperLeft,
    UpperRight,
    LowerLeft,
    LowerRight,
}

/// One axis.
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// From where.
    pub from: f64,
    /// To where.
    pub to: f64,
    /// Whether equal distances are equal factors.
    pub logarithmic: bool,
}

/// Points with a name.
pub struct Series {
    /// What they are.
    pub name: String,
    /// Where they are.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub look: Look,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A thick black line.
    Thick,
    /// A thin black line.
    Thin,
    /// A thin grey line.
    Grey,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
    /// Filled circles on a thin line.
    Circles,
    /// Triangles on a dashed line.
    Triangles,
    /// Crosses on a dotted line.
    Crosses,
    /// A large filled circle for each point, and no line.
    Point,
}

impl Axis {
    /// An axis of equal distances.
    pub fn linear(label: &str, from: f64, to: f64) -> Axis {
        Axis { label: label.to_owned(), from, to, logarithmic: false }
    }

    /// An axis of equal factors.
    pub fn logarithmic(label: &str, from: f64, to: f64) -> Axis {
        Axis { label: label.to_owned(), from, to, logarithmic: true }
    }
}

impl Series {
    /// Points with a name.
    pub fn new(name: impl Into<String>, look: Look, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.into(), points, look }
    }
}

const SIZE: (u32, u32) = (900, 540);
const GREY: RGBColor = RGBColor(140, 140, 140);

impl Chart {
    /// The chart as an SVG file.
    pub fn svg(&self) -> Result<String, Error> {
        let (x, y) = (self.x.from..self.x.to, self.y.from..self.y.to);
        match (self.x.logarithmic, self.y.logarithmic) {
            (false, false) => self.draw(x, y),
            (true, false) => self.draw(x.log_scale(), y),
            (false, true) => self.draw(x, y.log_scale()),
            (true, true) => self.draw(x.log_scale(), y.log_scale()),
        }
    }

    fn draw<X, Y>(&self, x: X, y: Y) -> Result<String, Error>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            root.fill(&WHITE).map_err(fail)?;
            let mut chart = ChartBuilder::on(&root)
                .caption(&self.title, ("sans-serif", 21))
                .margin(16)
                .x_label_area_size(48)
                .y_label_area_size(78)
                .build_cartesian_2d(x, y)
                .map_err(fail)?;
            chart
                .configure_mesh()
                .x_desc(&self.x.label)
                .y_desc(&self.y.label)
                .axis_desc_style(("sans-serif", 16))
                .label_style(("sans-serif", 14))
                .bold_line_style(BLACK.mix(0.15))
                .light_line_style(TRANSPARENT)
                .x_label_formatter(&|value| short(*value))
                .y_label_formatter(&|value| short(*value))
                .draw()
                .map_err(fail)?;
            for series in &self.series {
                draw_series(&mut chart, series)?;
            }
            let (x, y) = chart.plotting_area().get_pixel_range();
            self.draw_legend(&root, [x.start, x.end], [y.start, y.end])?;
            root.present().map_err(fail)?;
        }
        Ok(svg)
    }

    fn draw_legend(&self, root: &Root, x: [i32; 2], y: [i32; 2]) -> Result<(), Error> {
        let named: Vec<&Series> = self.series.iter().filter(|series| !series.name.is_empty()).collect();
        let Some(longest) = named.iter().map(|series| series.name.chars().count()).max() else { return Ok(()) };
        let (row, margin) = (22, 12);
        // Without a font at hand the width of a text is a guess.
        let (width, height) = ((7.4 * longest as f64) as i32 + 64, row * named.len() as i32 + 10);
        let left = if matches!(self.legend, Corner::UpperLeft | Corner::LowerLeft) {
            x[0] + margin
        } else {
            x[1] - margin - width
        };
        let top = if matches!(self.legend, Corner::UpperLeft | Corner::UpperRight) {
            y[0] + margin
        } else {
            y[1] - margin - height
        };
        let corners = [(left, top), (left + width, top + height)];
        root.draw(&Rectangle::new(corners, WHITE.filled())).map_err(fail)?;
        root.draw(&Rectangle::new(corners, BLACK.mix(0.4).stroke_width(1))).map_err(fail)?;
        for (number, series) in (0..).zip(named) {
            let middle = top + 5 + row / 2 + row * number;
            draw_sample(root, series.look, left + 10, middle)?;
            let text = Text::new(series.name.as_str(), (left + 54, middle - 7), ("sans-serif", 15));
            root.draw(&text).map_err(fail)?;
        }
        Ok(())
    }
}

type Root<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

type Place<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

fn draw_series<X, Y>(chart: &mut Place<X, Y>, series: &Series) -> Result<(), Error>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let points = || series.points.iter().copied();
    let (thin, thick) = (BLACK.stroke_width(1), BLACK.stroke_width(3));
    let look = series.look;
    let drawn = match look {
        Look::Thick => chart.draw_series(LineSeries::new(points(), thick)),
        Look::Thin | Look::Circles => chart.draw_series(LineSeries::new(points(), BLACK.stroke_width(2))),
        Look::Grey => chart.draw_series(LineSeries::new(points(), GREY.stroke_width(2))),
        Look::Dashed => chart.draw_series(DashedLineSeries::new(points(), 9, 5, BLACK.stroke_width(2))),
        Look::Triangles => chart.draw_series(DashedLineSeries::new(points(), 7, 5, thin)),
        Look::Dotted | Look::Crosses => chart.draw_series(DashedLineSeries::new(points(), 2, 4, BLACK.stroke_width(2))),
        Look::Point => chart.draw_series(LineSeries::new(std::iter::empty(), thin)),
    };
    drawn.map_err(fail)?;
    match look {
        Look::Circles => drop(chart.draw_series(points().map(|p| Circle::new(p, 5, BLACK.filled()))).map_err(fail)?),
        Look::Point => drop(chart.draw_series(points().map(|p| Circle::new(p, 8, BLACK.filled()))).map_err(fail)?),
        Look::Triangles => {
            chart.draw_series(points().map(|p| TriangleMarker::new(p, 7, BLACK.filled()))).map_err(fail)?;
        }
        Look::Crosses => {
            chart.draw_series(points().map(|p| Cross::new(p, 5, BLACK.stroke_width(2)))).map_err(fail)?;
        }
        _ => {}
    }
    Ok(())
}

/// A piece of the line, 36 pixels wide, and its mark.
fn draw_sample(root: &Root, look: Look, x: i32, y: i32) -> Result<(), Error> {
    let style = match look {
        Look::Thick => BLACK.stroke_width(3),
        Look::Grey => GREY.stroke_width(2),
        Look::Triangles => BLACK.stroke_width(1),
        _ => BLACK.stroke_width(2),
    };
    let (dash, gap) = match look {
        Look::Dashed => (9, 5),
        Look::Triangles => (7, 5),
        Look::Dotted | Look::Crosses => (2, 4),
        Look::Point => (0, 36),
        _ => (36, 36),
    };
    for from in (0..36).step_by((dash + gap) as usize) {
        let to = (from + dash).min(36);
        root.draw(&PathElement::new([(x + from, y), (x + to, y)], style)).map_err(fail)?;
    }
    let centre = (x + 18, y);
    match look {
        Look::Circles => root.draw(&Circle::new(centre, 5, BLACK.filled())),
        Look::Point => root.draw(&Circle::new(centre, 8, BLACK.filled())),
        Look::Triangles => root.draw(&TriangleMarker::new(centre, 7, BLACK.filled())),
        Look::Crosses => root.draw(&Cross::new(centre, 5, BLACK.stroke_width(2))),
        _ => Ok(()),
    }
    .map_err(fail)
}

fn fail(error: impl std::fmt::Display) -> Error {
    format!("a plot cannot be drawn: {error}").into()
}

/// A number for an axis.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !(1e-3..1e5).contains(&size) {
        return format!("{value:.0e}");
    }
    let digits = (2 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
