//! The table of many source trees: a line for each, and lines that are there already stay until their tree is measured again.

use super::measure::Brief;

const MEGABYTE: f64 = 1_000_000.0;
/// CPU time of the index beside that of raw parsing, with and without links.
const BARS: [f64; 2] = [1.9, 1.5];
const MOST_INDEX: f64 = 0.8;
const HEAD: &str = "\
| tree | commit | files | source, MB | raw parsing, CPU s | index / raw parsing | without links | index / source bytes \
| memory / (150 MB + 1.5 × source) | one file changed, ms |
| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |";

/// With links, without.
fn ratios(measured: &Brief) -> Option<[f64; 2]> {
    let ratio = measured.index.cpu? / measured.parse.cpu?;
    Some([ratio, ratio * (1.0 - measured.linking)])
}

fn size(measured: &Brief) -> f64 {
    measured.index_bytes as f64 / measured.source_bytes as f64
}

fn memory(measured: &Brief) -> Option<f64> {
    Some(measured.index.peak_bytes? as f64 / (150.0 * MEGABYTE + 1.5 * measured.source_bytes as f64))
}

fn shown(value: Option<f64>, bar: f64) -> String {
    match value {
        None => "n/a".to_owned(),
        Some(value) if value <= bar => format!("{value:.2}"),
        Some(value) => format!("**{value:.2}**"),
    }
}

/// The line of a tree.
pub(super) fn line(measured: &Brief) -> String {
    let [with, without] = [0, 1].map(|at| shown(ratios(measured).map(|both| both[at]), BARS[at]));
    format!(
        "| {} | {} | {} | {:.1} | {:.2} | {with} | {without} | {} | {} | {:.0} |",
        measured.name,
        measured.commit.as_deref().unwrap_or("n/a"),
        measured.files,
        measured.source_bytes as f64 / MEGABYTE,
        measured.parse.cpu.unwrap_or(f64::NAN),
        shown(Some(size(measured)), MOST_INDEX),
        shown(memory(measured), 1.0),
        measured.changed.median(),
    )
}

/// The table with the line of a tree put in, the lines in the order of their names.
pub(super) fn table(old: &str, measured: &Brief) -> String {
    let name = format!("| {} |", measured.name);
    let mut lines: Vec<&str> =
        old.lines().filter(|line| line.starts_with('|') && !line.starts_with(&name) && !HEAD.contains(line)).collect();
    let new = line(measured);
    lines.push(&new);
    lines.sort_by_key(|line| line.to_lowercase());
    format!("{HEAD}\n{}", lines.join("\n"))
}

/// The bars that are missed.
pub(super) fn missed(measured: &Brief) -> Vec<String> {
    let both = ratios(measured);
    let bars = [
        ("CPU time with links", both.map(|both| both[0]), BARS[0]),
        ("CPU time without links", both.map(|both| both[1]), BARS[1]),
        ("index size", Some(size(measured)), MOST_INDEX),
        ("memory", memory(measured), 1.0),
    ];
    let over = bars.into_iter().filter(|(_, value, bar)| value.is_some_and(|value| value > *bar));
    over.map(|(what, value, bar)| format!("{}: {what}: {:.2} is not ≤ {bar}", measured.name, value.unwrap_or(f64::NAN)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::process::{Cost, Latencies};
    use super::*;

    fn measured(name: &str, cpu: f64) -> Brief {
        let cost = |cpu| Cost { cpu: Some(cpu), wall: cpu, cores: None, peak_bytes: Some(90_000_000) };
        Brief {
            name: name.to_owned(),
            commit: None,
            files: 3,
            source_bytes: 20_000_000,
            parse: cost(1.0),
            index: cost(cpu),
            linking: 0.2,
            index_bytes: 10_000_000,
            changed: Latencies::of(vec![12.0]),
        }
    }

    #[test]
    fn a_tree_that_is_measured_again_takes_the_place_of_its_line() {
        let once = table("", &measured("salt", 1.8));
        let both = table(&once, &measured("Angular", 1.7));
        let again = table(&both, &measured("salt", 2.0));
        let lines: Vec<&str> = again.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| Angular | n/a | 3 | 20.0 | 1.00 | 1.70 | 1.36 | 0.50 | 0.50 | 12 |",
                "| salt | n/a | 3 | 20.0 | 1.00 | **2.00** | **1.60** | 0.50 | 0.50 | 12 |",
            ]
        );
        let over = ["salt: CPU time with links: 2.00 is not ≤ 1.9", "salt: CPU time without links: 1.60 is not ≤ 1.5"];
        assert_eq!(missed(&measured("salt", 2.0)), over);
    }
}
