//! The generated part of the summary as text: languages, entry points, main types, dependencies, structure.

use codegraph_index::{Declared, DeclaredDependency, Need};
use codegraph_query::{FolderCount, OverviewAnswer};

use crate::markdown::{BEGIN, END};

const MOST_DEPENDENCIES: usize = 60;

/// The whole part, markers included, lines ending in `\n`.
pub(crate) fn text(overview: &OverviewAnswer, declared: &Declared) -> String {
    let mut out = format!("{BEGIN} generated: what stands between this line and its end is replaced -->\n");
    languages(&mut out, overview);
    list(
        &mut out,
        "Entry points",
        &entry_points(overview, declared),
        left(overview.total_entry_points, overview.entry_points.len()),
    );
    list(&mut out, "Main types", &main_types(overview), left(overview.total_types, overview.main_types.len()));
    list(&mut out, "Dependencies", &dependencies(declared), 0);
    list(&mut out, "Structure", &structure(&overview.folders), left(overview.total_folders, overview.folders.len()));
    out.push_str(&format!("{END} -->\n"));
    out
}

fn left(total: usize, shown: usize) -> usize {
    total.saturating_sub(shown)
}

fn list(out: &mut String, heading: &str, rows: &[String], left: usize) {
    if rows.is_empty() {
        return;
    }
    out.push_str(&format!("\n## {heading}\n\n"));
    for row in rows {
        // Names of files may hold anything; a line break would end the list and could look like a marker.
        let row: String = row.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        let inner = row.trim_start();
        out.push_str(&format!("{}- {inner}\n", &row[..row.len() - inner.len()]));
    }
    if left > 0 {
        out.push_str(&format!("- and {left} more\n"));
    }
}

fn languages(out: &mut String, overview: &OverviewAnswer) {
    let rows = overview.languages.iter().map(|one| format!("{}: {}", one.language, files(one.files as usize)));
    let mut rows: Vec<String> = rows.collect();
    if rows.len() > 1 {
        rows.push(format!("in all: {}, {} lines", files(overview.files as usize), overview.lines));
    }
    list(out, "Languages", &rows, 0);
}

fn files(number: usize) -> String {
    if number == 1 { "1 file".to_owned() } else { format!("{number} files") }
}

/// Where programs start, as one line each: what the code shows, then what manifests name.
pub(crate) fn entry_points(overview: &OverviewAnswer, declared: &Declared) -> Vec<String> {
    let of_code = overview.entry_points.iter().map(|entry| match &entry.symbol {
        Some(symbol) => format!("`{}:{}` {}", entry.file, symbol.line_number, symbol.fqn),
        None => format!("`{}`", entry.file),
    });
    let known = |target: &str| overview.entry_points.iter().any(|entry| entry.file == target);
    let named = declared.entries.iter().filter(|entry| entry.command.is_some() || !known(&entry.target));
    let named = named.map(|entry| match &entry.command {
        Some(command) => format!("`{}` command `{command}` ({})", entry.target, entry.manifest),
        None => format!("`{}` ({})", entry.target, entry.manifest),
    });
    of_code.chain(named).collect()
}

fn main_types(overview: &OverviewAnswer) -> Vec<String> {
    let row = |one: &codegraph_query::MainType| {
        let symbol = &one.symbol;
        let place = format!("`{}:{}`", symbol.file, symbol.line_number);
        format!("{} {} {place} used by {}", symbol.kind.word(), symbol.fqn, files(one.used_by_files))
    };
    overview.main_types.iter().map(row).collect()
}

fn dependencies(declared: &Declared) -> Vec<String> {
    let needs = [(Need::Runtime, "runtime"), (Need::Build, "build"), (Need::Development, "development")];
    let rows = needs.into_iter().filter_map(|(need, word)| {
        let of_need: Vec<&DeclaredDependency> = declared.dependencies.iter().filter(|one| one.need == need).collect();
        let shown: Vec<String> = of_need.iter().take(MOST_DEPENDENCIES).map(|one| dependency(one)).collect();
        let left = of_need.len() - shown.len();
        let rest = if left > 0 { format!(" and {left} more") } else { String::new() };
        (!shown.is_empty()).then(|| format!("{word}: {}{rest}", shown.join(", ")))
    });
    let unread = declared
        .unread
        .iter()
        .map(|(path, reason)| format!("`{path}` could not be read: {}", reason.lines().next().unwrap_or_default()));
    rows.chain(unread).collect()
}

fn dependency(one: &DeclaredDependency) -> String {
    match &one.version {
        Some(version) => format!("{} {version}", one.name),
        None => one.name.clone(),
    }
}

fn structure(folders: &[FolderCount]) -> Vec<String> {
    let row = |folder: &FolderCount| {
        let indent = "  ".repeat(folder.path.matches('/').count());
        format!("{indent}`{}/` {}, {}", folder.path, files(folder.files), folder.language)
    };
    folders.iter().map(row).collect()
}
