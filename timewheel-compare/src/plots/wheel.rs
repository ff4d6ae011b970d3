//! The wheel drawn: its pointer, its slots, the bits of a slot's number, and what a full turn uses again.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::settings::Settings;

/// The bits of a slot's number: the second, then the piece of it.
fn bits(settings: &Settings) -> (u32, u32) {
    (settings.seconds.trailing_zeros(), settings.granularity.trailing_zeros())
}

/// In characters, with the pointer on slot `slot` counted from the beginning of time.
pub fn wheel_as_text(settings: &Settings, slot: u64) -> String {
    let (seconds, pieces) = bits(settings);
    let slots = settings.granularity * settings.seconds;
    let place = slot & (slots - 1);
    let around = |step: i64| (place as i64 + step).rem_euclid(slots as i64) as u64;
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} slots a second = 2^{pieces}, {} s around = 2^{seconds}: {slots} slots, numbered by {} bits\n",
        settings.granularity,
        settings.seconds,
        seconds + pieces
    );
    let row = |number: u64| {
        let second: Vec<String> = bit_row(number >> pieces, seconds);
        let piece: Vec<String> = bit_row(number, pieces);
        format!("0 | {} | {}", second.join(" "), piece.join(" "))
    };
    let wide = 2 * seconds.max(4) as usize - 1;
    let _ = writeln!(text, "  unused | {:^wide$} | piece", "second");
    for (number, what) in [(place, "under the pointer"), (slots - 1, "the last one")] {
        let _ = writeln!(text, "       {}   slot {number} = {number:#06x}, {what}", row(number));
    }
    let cells: Vec<String> = (-2..=3).map(|step| format!("{:^9}", around(step))).collect();
    let _ = writeln!(text, "\n{:>28}", "pointer");
    let _ = writeln!(text, "{:>26}", "v");
    let _ = writeln!(text, "... |{}| ...", cells.join("|"));
    let _ = writeln!(text, "     used, free      |  now    |  still to come, in this order\n");
    let _ = writeln!(
        text,
        "The slot that the pointer leaves is at once the farthest one: slot {} now holds times up to {} s ahead.",
        around(-1),
        settings.seconds
    );
    let _ = writeln!(
        text,
        "After a full turn slot {place} comes again, as number {} since the beginning; nothing is moved or cleared.",
        slot + slots
    );
    text
}

fn bit_row(number: u64, bits: u32) -> Vec<String> {
    (0..bits).rev().map(|bit| (number >> bit & 1).to_string()).collect()
}

/// Sectors that are drawn; the wheel has too many for all.
const DRAWN: u32 = 48;

/// As SVG, with the pointer on slot `slot` counted from the beginning of time.
pub fn wheel_as_svg(settings: &Settings, slot: u64) -> String {
    let slots = settings.granularity * settings.seconds;
    let place = slot & (slots - 1);
    let mut svg = String::from(concat!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="900" height="560" viewBox="0 0 900 560" "#,
        r#"font-family="sans-serif" font-size="14">"#,
        r#"<rect width="900" height="560" fill="white"/>"#,
    ));
    let (x, y, inner, outer) = (270.0, 285.0, 150.0, 215.0);
    let point = |radius: f64, turn: f64| (x + radius * (turn * TAU).sin(), y - radius * (turn * TAU).cos());
    for sector in 0..DRAWN {
        // The pointer stands at the top; what is to come follows clockwise, and what has been lies before it.
        let step = if sector < DRAWN / 2 { i64::from(sector) } else { i64::from(sector) - i64::from(DRAWN) };
        let (from, to) = ((f64::from(sector) - 0.5) / f64::from(DRAWN), (f64::from(sector) + 0.5) / f64::from(DRAWN));
        let [a, b, c, d] = [point(inner, from), point(outer, from), point(outer, to), point(inner, to)];
        let fill = match step {
            0 => "#555",
            -1 => "#bbb",
            _ => "white",
        };
        let _ = write!(
            svg,
            r##"<path d="M{:.1} {:.1}L{:.1} {:.1}A{outer} {outer} 0 0 1 {:.1} {:.1}L{:.1} {:.1}A{inner} {inner} 0 0 0 {:.1} {:.1}Z" fill="{fill}" stroke="black"/>"##,
            a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1, a.0, a.1
        );
        if (-4..=6).contains(&step) {
            let number = (place as i64 + step).rem_euclid(slots as i64);
            let middle = point(0.5 * (inner + outer), f64::from(sector) / f64::from(DRAWN));
            let angle = 360.0 * f64::from(sector) / f64::from(DRAWN) - 90.0;
            let angle = if (90.0..270.0).contains(&(angle + 360.0).rem_euclid(360.0)) { angle + 180.0 } else { angle };
            let ink = if step == 0 { "white" } else { "black" };
            let _ = write!(
                svg,
                r#"<text x="{0:.1}" y="{1:.1}" transform="rotate({angle:.1} {0:.1} {1:.1})" text-anchor="middle" dominant-baseline="central" font-size="12" fill="{ink}">{number}</text>"#,
                middle.0, middle.1
            );
        }
    }
    let dots = point(0.5 * (inner + outer), 0.5);
    let _ = write!(
        svg,
        concat!(
            r#"<line x1="{x}" y1="{y}" x2="{x}" y2="{tip}" stroke="black" stroke-width="3"/>"#,
            r#"<path d="M{x} {head}l-8 20h16z"/><circle cx="{x}" cy="{y}" r="7"/>"#,
            r#"<text x="{x}" y="{below}" text-anchor="middle">the pointer visits every slot</text>"#,
            r#"<text x="{x}" y="{lower}" text-anchor="middle">in turn, empty or not</text>"#,
            r#"<rect x="{bx}" y="{by}" width="170" height="26" fill="white" stroke="black"/>"#,
            r#"<text x="{x}" y="{ty}" text-anchor="middle">{slots} slots in all</text>"#,
        ),
        x = x,
        y = y,
        tip = y - inner + 20.0,
        head = y - inner + 6.0,
        below = y + 34.0,
        lower = y + 54.0,
        bx = dots.0 - 85.0,
        by = dots.1 - 13.0,
        ty = dots.1 + 5.0,
        slots = slots,
    );
    write_notes(&mut svg, settings, place);
    svg.push_str("</svg>\n");
    svg
}

/// The legend on the right, and the bits.
fn write_notes(svg: &mut String, settings: &Settings, place: u64) {
    let (seconds, pieces) = bits(settings);
    let slots = settings.granularity * settings.seconds;
    let notes = [
        ("#555", "under the pointer: all of it happens now"),
        ("#bbb", "just left: at once the farthest slot"),
        ("white", "still to come"),
    ];
    for (row, (fill, note)) in notes.into_iter().enumerate() {
        let y = 95 + 32 * row;
        let _ = write!(
            svg,
            r##"<rect x="510" y="{y}" width="20" height="20" fill="{fill}" stroke="black"/><text x="540" y="{}" font-size="13">{note}</text>"##,
            y + 15
        );
    }
    let _ = write!(
        svg,
        r#"<text x="510" y="50" font-size="18">{} slots a second, {} s around</text><text x="510" y="235">The number of slot {place}, {} bits and an unused one:</text>"#,
        settings.granularity,
        settings.seconds,
        seconds + pieces
    );
    let width = (350.0 / f64::from(seconds + pieces + 1)).min(22.0);
    for (row, number) in [(0.0, place), (1.0, slots - 1)] {
        let y = 275.0 + 110.0 * row;
        for bit in 0..=seconds + pieces {
            let from_left = f64::from(seconds + pieces - bit);
            let gap = if bit < pieces { 14.0 } else { 0.0 } + if bit < seconds + pieces { 14.0 } else { 0.0 };
            let x = 510.0 + from_left * width + gap;
            let fill = if bit == seconds + pieces { "#ddd" } else { "white" };
            let _ = write!(
                svg,
                r##"<rect x="{x:.1}" y="{y}" width="{width:.1}" height="26" fill="{fill}" stroke="black"/><text x="{:.1}" y="{}" text-anchor="middle">{}</text>"##,
                x + 0.5 * width,
                y + 18.0,
                number >> bit & 1
            );
        }
        let middle = |from: u32, to: u32, gap: f64| 510.0 + gap + width * 0.5 * f64::from(from + to);
        for (at, text) in [
            (middle(1, seconds + 1, 14.0), format!("second {}", number >> pieces)),
            (middle(seconds + 1, seconds + pieces + 1, 28.0), format!("piece {}", number & (settings.granularity - 1))),
        ] {
            let _ =
                write!(svg, r#"<text x="{at:.1}" y="{}" text-anchor="middle" font-size="13">{text}</text>"#, y + 44.0);
        }
    }
    let _ =
        write!(svg, r#"<text x="510" y="372">The last slot, {:#06x}; the next one is slot 0 again:</text>"#, slots - 1);
}
