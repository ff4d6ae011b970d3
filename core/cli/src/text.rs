//! Answers for people.

use std::fmt::Write as _;
use std::io::{self, Write};

use saltus::EventId;
use saltus::log::{Chain, Critical, Diff, Effects, Genealogy, Log, Root, Stale, Summary, View};

/// `#12 pair of 0 and 3`.
fn what(event: &View<'_>) -> String {
    let mut text = format!("{} {}", event.id, event.kind.escape_debug());
    for (i, entity) in event.entities.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}{entity}", if i == 0 { " of " } else { " and " });
    }
    text
}

/// `#12 pair of 0 and 3 at 30.167197630926`, and the label if there is one.
fn name(event: &View<'_>) -> String {
    let mut text = format!("{} at {}", what(event), event.time);
    if event.fate != "executed" {
        let _ = write!(text, ", {}", event.fate);
    }
    if let Some(label) = event.label {
        let _ = write!(text, "  \"{}\"", short(label));
    }
    text
}

/// A label in one line.
fn short(text: &str) -> String {
    let mut line = text.chars().take(60).collect::<String>().escape_debug().to_string();
    if text.chars().nth(60).is_some() {
        line.push_str("...");
    }
    line
}

/// How many of `length` lines to show from the front and from the back; 0 is no limit.
fn ends(length: usize, limit: usize) -> (usize, usize) {
    if limit == 0 || length <= limit { (length, 0) } else { (limit.div_ceil(2), limit / 2) }
}

/// What there is to say of a run in a line each, by name.
pub(crate) fn facts(summary: &Summary) -> Vec<(&str, String)> {
    let header = &summary.header;
    let mut rows =
        vec![("model", format!("{}, seed {}, replication {}", header.model, header.seed, header.replication))];
    if let Some(seed) = header.tie_seed {
        rows.push(("tie order", format!("shuffled by seed {seed}")));
    }
    rows.extend(header.settings.iter().map(|(name, value)| (name.as_str(), value.clone())));
    rows.extend(header.parts.iter().map(|part| ("part", part.clone())));
    rows.push((
        "end",
        match &summary.end {
            Some(end) => format!("{}: {} (clock {})", end.outcome.name(), end.reason, end.clock),
            None => "unknown".to_owned(),
        },
    ));
    rows.extend(summary.warnings.iter().map(|warning| ("warning", warning.clone())));
    if let Some((first, last)) = summary.span {
        rows.push(("ran", format!("from {first} to {last}")));
    }
    rows.push(("longest chain", format!("{} events", summary.longest_chain)));
    rows.push(("stale share", format!("{:.1} %", 100.0 * summary.stale_share)));
    rows.push(("ties", format!("{} events placed by the tie rule alone", summary.ties)));
    if summary.external > 0 {
        rows.push(("external", format!("{} causes and parents are not in the log", summary.external)));
    }
    if !summary.busiest.is_empty() {
        let busiest: Vec<_> = summary.busiest.iter().map(|(entity, events)| format!("{entity} ({events})")).collect();
        rows.push(("busiest", format!("entity {}", busiest.join(", "))));
    }
    if !summary.rate.is_empty() {
        let bins: Vec<_> = summary.rate.iter().map(usize::to_string).collect();
        rows.push(("rate", format!("{} in tenths of the span", bins.join(" "))));
    }
    rows
}

pub(crate) fn summary(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    for (name, value) in facts(summary) {
        writeln!(out, "{name:<15} {}", short_line(&value))?;
    }
    let width = summary.kinds.iter().map(|(kind, _)| kind.escape_debug().count()).max().unwrap_or(0).max(5);
    writeln!(out)?;
    writeln!(
        out,
        "{:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "kind", "scheduled", "executed", "stale", "swept", "cancelled", "moved", "pending"
    )?;
    let all = [("all".to_owned(), summary.total)];
    for (kind, fates) in summary.kinds.iter().chain(&all) {
        writeln!(
            out,
            "{:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            kind.escape_debug().to_string(),
            fates.scheduled,
            fates.executed,
            fates.stale,
            fates.swept,
            fates.cancelled,
            fates.moved,
            fates.pending
        )?;
    }
    Ok(())
}

fn short_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(crate) fn chain(out: &mut impl Write, chain: &Chain<'_>, limit: usize, indent: &str) -> io::Result<()> {
    let length = chain.links.len();
    let (front, back) = ends(length, limit);
    for (i, link) in chain.links.iter().enumerate() {
        if i == front && length > front + back {
            writeln!(out, "{indent}  ... {} more ...", length - front - back)?;
        }
        if i >= front && i < length - back {
            continue;
        }
        let gap = link.gap.map_or(String::new(), |gap| format!("  ({gap} after)"));
        let because = if i == 0 { "" } else { "because of " };
        writeln!(out, "{indent}{because}{}{gap}", name(&link.event))?;
    }
    match chain.root {
        Root::Outside => writeln!(out, "{indent}no cause: scheduled from outside")?,
        Root::External(cause) => writeln!(out, "{indent}because of {cause}, which is not in this log")?,
    }
    writeln!(out, "{indent}{length} events, {} of simulated time", chain.span())
}

pub(crate) fn genealogy(out: &mut impl Write, genealogy: &Genealogy<'_>, limit: usize) -> io::Result<()> {
    let length = genealogy.events.len();
    let (front, back) = ends(length, limit);
    for (i, event) in genealogy.events.iter().enumerate() {
        if i == front && length > front + back {
            writeln!(out, "  ... {} more ...", length - front - back)?;
        }
        if i >= front && i < length - back {
            continue;
        }
        let mut origins: Vec<String> = Vec::new();
        for (entity, parent) in event.entities.iter().zip(&event.parents) {
            if let Some(parent) = parent {
                let caused = if event.cause == Some(*parent) { ", its cause" } else { "" };
                origins.push(format!("{parent} (set {entity}{caused})"));
            }
        }
        if let Some(cause) = event.cause.filter(|cause| !event.parents.contains(&Some(*cause))) {
            origins.push(format!("{cause} (its cause)"));
        }
        let origins = if origins.is_empty() { "nothing: a root".to_owned() } else { origins.join(", ") };
        writeln!(out, "{}  <- {origins}", name(event))?;
    }
    let list = |ids: &[EventId]| {
        let shown: Vec<_> = ids.iter().take(10).map(EventId::to_string).collect();
        let more = ids.len().saturating_sub(10);
        format!("{}{}", shown.join(", "), if more > 0 { format!(" and {more} more") } else { String::new() })
    };
    writeln!(out, "{length} events go into this; roots: {}", list(&genealogy.roots))?;
    if !genealogy.external.is_empty() {
        writeln!(out, "not in this log: {}", list(&genealogy.external))?;
    }
    Ok(())
}

pub(crate) fn effects(out: &mut impl Write, effects: &Effects<'_>, limit: usize) -> io::Result<()> {
    let length = effects.tree.len();
    let shown = if limit == 0 { length } else { limit };
    for effect in effects.tree.iter().take(shown) {
        let mut notes = Vec::new();
        if effect.beyond > 0 {
            notes.push(format!("{} deeper", effect.beyond));
        }
        if effect.unrun > 0 {
            notes.push(format!("{} that did not run", effect.unrun));
        }
        let notes = if notes.is_empty() { String::new() } else { format!("  + {}", notes.join(", ")) };
        writeln!(out, "{:indent$}{}{notes}", "", name(&effect.event), indent = 2 * effect.depth)?;
    }
    if length > shown {
        writeln!(out, "... {} more lines; --limit 0 shows all", length - shown)?;
    }
    let Effects { ran, nothing, pending, depth, voided, .. } = effects;
    writeln!(out, "led to {ran} events that ran, {nothing} that came to nothing, {pending} pending; {depth} deep")?;
    writeln!(out, "voided {voided} predictions")
}

pub(crate) fn stale(out: &mut impl Write, log: &Log, stale: &Stale<'_>, limit: usize) -> io::Result<()> {
    let shown = if limit == 0 { stale.events.len() } else { limit };
    for nothing in stale.events.iter().take(shown) {
        let reason = match nothing.void {
            None => "voided before this log begins".to_owned(),
            Some(void) => {
                let by = match void.by {
                    None => "from outside".to_owned(),
                    Some(by) => {
                        log.event(by).map_or(format!("by {by}"), |event| format!("by {}", what(&log.view(event))))
                    }
                };
                format!("{} was touched at {} {by}", void.entity, void.at)
            }
        };
        writeln!(out, "{}: {reason}", name(&nothing.event))?;
    }
    if stale.events.len() > shown {
        writeln!(out, "... {} more; --limit 0 shows all", stale.events.len() - shown)?;
    }
    writeln!(out, "{} stale, {} swept", stale.stale, stale.swept)
}

pub(crate) fn diff(out: &mut impl Write, diff: &Diff<'_>, limit: usize) -> io::Result<()> {
    for difference in &diff.headers {
        writeln!(out, "headers differ: {}", short_line(difference))?;
    }
    let Some(parting) = &diff.first else {
        match &diff.ends {
            None => writeln!(out, "the same {} events, the same end", diff.same)?,
            Some((left, right)) => {
                writeln!(out, "the same {} events, but they end differently:", diff.same)?;
                for (side, end) in [('<', left), ('>', right)] {
                    let words = end.as_ref().map_or("no end record".to_owned(), |end| {
                        format!("{}: {} (clock {})", end.outcome.name(), end.reason, end.clock)
                    });
                    writeln!(out, "{side} {}", short_line(&words))?;
                }
            }
        }
        return Ok(());
    };
    writeln!(out, "{} events are the same; the next differs in {}:", diff.same, parting.fields.join(", "))?;
    for (side, event) in [('<', &parting.left), ('>', &parting.right)] {
        writeln!(out, "{side} {}", event.as_ref().map_or("nothing more ran".to_owned(), name))?;
    }
    for (side, why) in [('<', &parting.left_chain), ('>', &parting.right_chain)] {
        if let Some(why) = why {
            writeln!(out)?;
            chain(out, why, limit, &format!("{side} "))?;
        }
    }
    Ok(())
}

pub(crate) fn critical(out: &mut impl Write, critical: Option<&Critical<'_>>, limit: usize) -> io::Result<()> {
    let Some(critical) = critical else { return writeln!(out, "nothing ran") };
    writeln!(out, "longest by number of events:")?;
    chain(out, &critical.longest, limit, "  ")?;
    if critical.slowest == critical.longest {
        return writeln!(out, "the same is longest by simulated time");
    }
    writeln!(out, "longest by simulated time:")?;
    chain(out, &critical.slowest, limit, "  ")
}
