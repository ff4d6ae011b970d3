//! Tables as text, as Markdown, and as CSV or JSON.

use std::fmt::Write as _;

use saltus::BoxError;
use serde::Serialize;

/// Rows under headings.
#[derive(Clone, Debug, Default)]
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<H: Into<String>>(headings: impl IntoIterator<Item = H>) -> Table {
        Table { headings: headings.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Aligned columns: the first to the left, all others to the right.
    pub fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.headings.len()).map(|column| self.width(column)).collect();
        let mut text = String::new();
        for row in std::iter::once(&self.headings).chain(&self.rows) {
            let cells = row.iter().zip(&widths).enumerate();
            let line: Vec<String> = cells
                .map(
                    |(column, (cell, &width))| {
                        if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                    },
                )
                .collect();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", line.join("  ").trim_end());
        }
        text
    }

    /// A Markdown table, aligned in the same way.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> =
            (0..self.headings.len()).map(|column| if column == 0 { "---" } else { "---:" }.to_owned()).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}{}{rows}", line(&self.headings), line(&rule))
    }

    fn width(&self, column: usize) -> usize {
        let cells = std::iter::once(&self.headings).chain(&self.rows).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

/// Records as CSV, with a heading.
pub fn csv<R: Serialize>(records: &[R]) -> Result<String, BoxError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    records.iter().try_for_each(|record| writer.serialize(record))?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Records as JSON, over several lines.
pub fn json<R: Serialize + ?Sized>(records: &R) -> Result<String, BoxError> {
    Ok(serde_json::to_string_pretty(records)? + "\n")
}
