//! The Markdown tables: ratios with their bars, and the absolute numbers behind them.

use std::fmt::Write;

use super::measure::Measured;

const MEGABYTE: f64 = 1_000_000.0;

/// A line of the table of ratios.
struct Row {
    what: &'static str,
    bar: &'static str,
    cell: fn(&Measured) -> Option<Cell>,
}

/// A measured value and whether it is within its bar, if it has one.
struct Cell {
    text: String,
    within: bool,
}

const ROWS: &[Row] = &[
    Row { what: "full index without linking: CPU time / raw parsing", bar: "≤ 1.5", cell: index_cpu },
    Row { what: "full index: CPU time / raw parsing", bar: "≤ 1.9", cell: linked_cpu },
    Row { what: "full index: busy cores / threads", bar: "≥ 0.8", cell: busy_cores },
    Row { what: "index size / source bytes", bar: "≤ 0.8", cell: index_size },
    Row { what: "peak memory / (150 MB + 1.5 × source)", bar: "≤ 1", cell: peak_memory },
    Row { what: "exact query as a process, median", bar: "< 15 ms", cell: query_time },
    Row { what: "exact query / `rg -w`, medians", bar: "< 1 from 1 000 files", cell: query_ratio },
    Row { what: "`update`, nothing changed", bar: "< 100 ms per 10 000 files", cell: nothing_changed },
    Row { what: "`update`, one file changed", bar: "< 60 ms", cell: one_changed },
    Row { what: "full index: CPU time / `ctags -R`", bar: "", cell: against_ctags },
];

fn cell(text: String, within: bool) -> Option<Cell> {
    Some(Cell { text, within })
}

fn index_cpu(m: &Measured) -> Option<Cell> {
    let ratio = (m.index.cpu? - m.linking) / m.parse.cpu?;
    cell(format!("{ratio:.2}"), ratio <= 1.5)
}

fn linked_cpu(m: &Measured) -> Option<Cell> {
    let ratio = m.index.cpu? / m.parse.cpu?;
    cell(format!("{ratio:.2}"), ratio <= 1.9)
}

fn busy_cores(m: &Measured) -> Option<Cell> {
    let share = m.index.cores? / m.threads as f64;
    cell(format!("{share:.2}"), share >= 0.8)
}

fn index_size(m: &Measured) -> Option<Cell> {
    let ratio = m.index_bytes as f64 / m.source_bytes as f64;
    cell(format!("{ratio:.2}"), ratio <= 0.8)
}

fn peak_memory(m: &Measured) -> Option<Cell> {
    let allowed = 150.0 * MEGABYTE + 1.5 * m.source_bytes as f64;
    let ratio = m.index.peak_bytes? as f64 / allowed;
    cell(format!("{ratio:.2}"), ratio <= 1.0)
}

fn query_time(m: &Measured) -> Option<Cell> {
    let median = m.query.median();
    cell(format!("{median:.1} ms"), median < 15.0)
}

fn query_ratio(m: &Measured) -> Option<Cell> {
    let ratio = m.query.median() / m.ripgrep.as_ref()?.median();
    cell(format!("{ratio:.2}"), ratio < 1.0 || m.files < 1_000)
}

fn nothing_changed(m: &Measured) -> Option<Cell> {
    let median = m.unchanged.median();
    let allowed = 100.0 * (m.files as f64 / 10_000.0).max(1.0);
    cell(format!("{median:.1} ms"), median < allowed)
}

fn one_changed(m: &Measured) -> Option<Cell> {
    let median = m.changed.median();
    cell(format!("{median:.1} ms"), median < 60.0)
}

fn against_ctags(m: &Measured) -> Option<Cell> {
    let ratio = m.index.cpu? / m.ctags?.cpu?;
    cell(format!("{ratio:.1}"), true)
}

/// The names of the bars that were missed, with the source tree.
pub(super) fn missed(all: &[Measured]) -> Vec<String> {
    let mut missed = Vec::new();
    for measured in all {
        for row in ROWS {
            if let Some(cell) = (row.cell)(measured).filter(|cell| !cell.within) {
                missed.push(format!("{}: {}: {} is not {}", measured.name, row.what, cell.text, row.bar));
            }
        }
    }
    missed
}

/// The ratios: a line for each bar, a column for each source tree.
pub(super) fn summary(all: &[Measured]) -> String {
    let mut out = line(["what", "bar"].into_iter().map(str::to_owned).chain(all.iter().map(|m| m.name.clone())));
    out += &line(["---", "---"].into_iter().chain(all.iter().map(|_| "--:")).map(str::to_owned));
    for row in ROWS {
        let cells = all.iter().map(|measured| shown((row.cell)(measured)));
        out += &line([row.what.to_owned(), row.bar.to_owned()].into_iter().chain(cells));
    }
    out
}

fn shown(cell: Option<Cell>) -> String {
    match cell {
        None => "n/a".to_owned(),
        Some(Cell { text, within: true }) => text,
        Some(Cell { text, within: false }) => format!("**{text}** (missed)"),
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut out = String::from("|");
    for cell in cells {
        write!(out, " {cell} |").expect("a string takes everything");
    }
    out.push('\n');
    out
}

/// The numbers behind the ratios: a column for each source tree.
pub(super) fn details(all: &[Measured]) -> String {
    type Number = (&'static str, fn(&Measured) -> String);
    const NUMBERS: &[Number] = &[
        ("commit", |m| m.commit.as_ref().map_or_else(|| "n/a".to_owned(), |commit| format!("`{commit}`"))),
        ("files", |m| m.files.to_string()),
        ("source, MB", |m| megabytes(Some(m.source_bytes))),
        ("raw parsing: CPU s", |m| seconds(m.parse.cpu)),
        ("raw parsing: wall s", |m| seconds(Some(m.parse.wall))),
        ("full index: CPU s", |m| seconds(m.index.cpu)),
        ("full index: CPU s of linking", |m| seconds(Some(m.linking))),
        ("full index: wall s", |m| seconds(Some(m.index.wall))),
        ("full index: peak memory, MB", |m| megabytes(m.index.peak_bytes)),
        ("index, MB", |m| megabytes(Some(m.index_bytes))),
        ("exact query: median, p99 ms", |m| pair(m.query.median(), m.query.p99())),
        ("`rg -w`: median, p99 ms", |m| {
            m.ripgrep.as_ref().map_or_else(|| "n/a".to_owned(), |rg| pair(rg.median(), rg.p99()))
        }),
        ("`update`, nothing changed: median, p99 ms", |m| pair(m.unchanged.median(), m.unchanged.p99())),
        ("`update`, one file changed: median, p99 ms", |m| pair(m.changed.median(), m.changed.p99())),
        ("`ctags -R`: CPU s", |m| seconds(m.ctags.and_then(|ctags| ctags.cpu))),
    ];
    let mut out = line(std::iter::once("what".to_owned()).chain(all.iter().map(|m| m.name.clone())));
    out += &line(std::iter::once("---").chain(all.iter().map(|_| "--:")).map(str::to_owned));
    for (what, number) in NUMBERS {
        out += &line(std::iter::once((*what).to_owned()).chain(all.iter().map(number)));
    }
    out
}

fn seconds(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.2}"))
}

fn megabytes(value: Option<u64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{:.1}", value as f64 / MEGABYTE))
}

fn pair(median: f64, p99: f64) -> String {
    format!("{median:.1}, {p99:.1}")
}

#[cfg(test)]
mod tests {
    use super::super::process::{Cost, Latencies};
    use super::*;

    fn measured() -> Measured {
        let cost = |cpu| Cost { cpu: Some(cpu), wall: cpu / 2.0, cores: Some(2.0), peak_bytes: Some(100_000_000) };
        let constant = |ms| Latencies::of(vec![ms; 3]);
        Measured {
            name: "django".to_owned(),
            commit: None,
            files: 2_929,
            source_bytes: 20_000_000,
            threads: 2,
            parse: cost(2.0),
            index: cost(3.5),
            linking: 0.3,
            index_bytes: 10_000_000,
            query: constant(5.0),
            ripgrep: Some(constant(50.0)),
            unchanged: constant(20.0),
            changed: constant(30.0),
            ctags: None,
        }
    }

    #[test]
    fn a_missed_bar_is_marked_and_listed() {
        let all = [measured()];
        let summary = summary(&all);
        assert!(summary.contains("| full index without linking: CPU time / raw parsing | ≤ 1.5 | **1.60** (missed) |"));
        assert!(summary.contains("| full index: CPU time / raw parsing | ≤ 1.9 | 1.75 |"));
        assert_eq!(missed(&all), ["django: full index without linking: CPU time / raw parsing: 1.60 is not ≤ 1.5"]);
    }

    #[test]
    fn what_was_not_measured_is_not_missed() {
        let all = [Measured { ripgrep: None, ..measured() }];
        assert!(summary(&all).contains("| exact query / `rg -w`, medians | < 1 from 1 000 files | n/a |"));
        assert_eq!(missed(&all).len(), 1);
    }
}
