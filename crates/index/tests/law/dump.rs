//! Everything that an index says, as rows of text without internal numbers, times and the ids of lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use codegraph_index::Project;
use codegraph_model::{FileId, SymbolId, TermId};
use codegraph_store::{Access, AstNode, Cell, FileLinks, LinkTarget, Sources, SqlLimits, Store, SymbolRow};

/// The tables of `codegraph sql`. Syntax trees are made when they are asked for, from sources alone.
const TABLES: &[&str] = &[
    "symbols", "files", "lines", "items", "occurrences", "signatures", "methods", "types", "classes", "functions",
    "\"references\"", "calls", "usages", "entity_cross_ref", "dependencies", "metadata",
];

/// Columns that tell when or in which order something was done.
const INTERNAL: &[&str] = &["line_id", "last_indexed", "last_modified", "created_at", "last_checked"];
/// Facts about the index that differ from folder to folder.
const OWN_FACTS: &[&str] = &["created_at", "project_root", "made_as"];

/// The rows of an index, sorted.
pub(crate) fn dump(project: &Project) -> Vec<String> {
    let store = project.store(Access::Read).expect("an index");
    let names = Names::of(&store);
    let sources: Arc<dyn Sources> = Arc::new(Disk(project.root().to_owned()));
    let mut rows = Vec::new();
    for table in TABLES {
        let answer =
            store.query_sql(&format!("SELECT * FROM {table}"), SqlLimits::rows(usize::MAX), Arc::clone(&sources));
        let answer = answer.expect("a table");
        for row in answer.rows {
            let row: BTreeMap<&str, Cell> = answer.columns.iter().map(String::as_str).zip(row).collect();
            rows.extend(names.row(table, row));
        }
    }
    for input in store.inputs().expect("inputs") {
        rows.push(format!("input {:?} {:?}", input.path, input.watched));
    }
    relations(&store, &names, &mut rows);
    rows.sort();
    rows
}

/// What numbers stand for.
struct Names {
    files: BTreeMap<i64, String>,
    symbols: BTreeMap<i64, String>,
    terms: BTreeMap<i64, String>,
}

impl Names {
    fn of(store: &Store) -> Names {
        let mut names = Names { files: BTreeMap::new(), symbols: BTreeMap::new(), terms: BTreeMap::new() };
        for file in store.files().expect("files") {
            let stored = store.outline(file.id).expect("an outline");
            for (place, id) in store.symbol_ids(file.id).expect("ids").into_iter().enumerate() {
                let symbol = SymbolId(place as u32);
                let fqn = store.fqn(&file, &stored, symbol).expect("a name");
                names.symbols.insert(number(SymbolRow::new(file.id, symbol)), format!("{fqn} {id:032x}"));
            }
            names.files.insert(file.id.0.into(), file.path);
        }
        for term in store.terms_matching(|_| true).expect("terms") {
            names.terms.insert(term.id.0.into(), term.text);
        }
        names
    }

    fn row(&self, table: &str, mut row: BTreeMap<&str, Cell>) -> Option<String> {
        if table == "metadata" && matches!(&row["key"], Cell::Text(key) if OWN_FACTS.contains(&key.as_str())) {
            return None;
        }
        row.retain(|column, _| !INTERNAL.contains(column));
        let own = ["symbols", "methods", "types", "classes", "functions"].contains(&table);
        let cells = row.iter().map(|(column, cell)| match (*column, cell) {
            ("id", _) if !own => String::new(),
            ("file_id", Cell::Integer(id)) => named(&self.files, *id),
            ("item_id", Cell::Integer(id)) => named(&self.terms, *id),
            (name, Cell::Integer(id)) if name == "id" || name.ends_with("_id") => {
                format!("{column}={}", named(&self.symbols, *id))
            }
            (_, Cell::Null) => String::new(),
            (_, Cell::Integer(number)) => format!("{column}={number}"),
            (_, Cell::Text(text)) => format!("{column}={text}"),
            (_, other) => format!("{column}={other:?}"),
        });
        let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
        Some(format!("{table} {}", cells.join(" | ")))
    }
}

fn number(row: SymbolRow) -> i64 {
    i64::from(row.file.0) << 24 | i64::from(row.symbol.0)
}

fn named(names: &BTreeMap<i64, String>, id: i64) -> String {
    names.get(&id).cloned().unwrap_or_else(|| format!("nothing has the number {id}"))
}

/// Links by position, and that they are turned round as they should be.
fn relations(store: &Store, names: &Names, rows: &mut Vec<String>) {
    let mut sources: BTreeSet<(i64, FileId)> = BTreeSet::new();
    let mut unbound: BTreeMap<TermId, BTreeMap<FileId, u32>> = BTreeMap::new();
    for file in store.files().expect("files") {
        let links = store.links(file.id).expect("links");
        let stored = store.facts(file.id).expect("facts");
        for bound in &links.bound {
            let start = stored.facts.refs[bound.reference.index()].span.start;
            let target = target(store, names, links.target(bound));
            rows.push(format!("link {} {start} {:?} {:?} {target}", file.path, bound.certainty, bound.how));
        }
        sources.extend(links.symbols().map(|row| (number(row), file.id)));
        for reference in &links.unbound {
            let reference = stored.facts.refs[reference.index()];
            rows.push(format!("open {} {}", file.path, reference.span.start));
            *unbound.entry(stored.term(reference.name)).or_default().entry(file.id).or_default() += 1;
        }
        check_targets(&links, &file.path);
    }
    check_sources(store, &sources);
    check_unbound(store, &unbound);
}

fn target(store: &Store, names: &Names, target: &LinkTarget) -> String {
    match target {
        LinkTarget::Symbol(row) => named(&names.symbols, number(*row)),
        LinkTarget::External(path) => {
            let texts: Vec<String> = path.iter().map(|term| store.text(*term).expect("a text").to_string()).collect();
            texts.join(" ")
        }
    }
}

fn check_targets(links: &FileLinks, path: &str) {
    let mut used: Vec<bool> = vec![false; links.targets.len()];
    links.bound.iter().for_each(|bound| used[bound.target as usize] = true);
    assert!(used.iter().all(|used| *used), "{path} has a target that no reference has");
}

fn check_sources(store: &Store, expected: &BTreeSet<(i64, FileId)>) {
    let mut found: BTreeSet<(i64, FileId)> = BTreeSet::new();
    for file in store.file_ids().expect("files") {
        for (symbol, source) in store.all_sources(file).expect("sources") {
            found.insert((number(SymbolRow::new(file, symbol)), source));
        }
    }
    assert_eq!(&found, expected, "who refers to whom is not the links turned round");
    let targets: BTreeSet<i64> = expected.iter().map(|(target, _)| target >> 24).collect();
    assert_eq!(count(store, "backlink"), targets.len(), "something refers to a file that is gone");
}

fn check_unbound(store: &Store, expected: &BTreeMap<TermId, BTreeMap<FileId, u32>>) {
    for (term, counts) in expected {
        let found: BTreeMap<FileId, u32> = store.unbound(*term).expect("counts").into_iter().collect();
        assert_eq!(&found, counts, "how often {:?} is open", store.text(*term).expect("a text"));
    }
    assert_eq!(count(store, "unbound"), expected.len(), "names are counted that are not open");
}

fn count(store: &Store, table: &str) -> usize {
    let answer =
        store.query_sql(&format!("SELECT count(*) FROM {table}"), SqlLimits::rows(1), Arc::new(Disk(PathBuf::new())));
    match answer.expect("a count").rows[0][0] {
        Cell::Integer(count) => count as usize,
        _ => panic!("a count is a number"),
    }
}

/// Reads source files for the tables that are made of text.
struct Disk(PathBuf);

impl Sources for Disk {
    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        std::fs::read(self.0.join(path)).ok().map(Arc::from)
    }

    fn ast(&self, _: &str, _: &str) -> Option<Vec<AstNode>> {
        None
    }
}
