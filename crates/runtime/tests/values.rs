//! Small programs in which functions are values, with the calls that a run of each shows: what `callers` says is scored.
//!
//! A program starts with `== kind: what it shows`, a file with `//- /path`. `//= caller -> callee …` is what ran, as a
//! profiler saw it; `//+` says the same of calls that the runtime makes later, where a profiler sees no caller. A function
//! without a name is its surroundings' affair, and so is the body of a class.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_fixture::Sandbox;
use codegraph_index::{BuildOptions, InitOptions, Silent};
use codegraph_model::{Certainty, SymbolKind};
use codegraph_query::{Calls, CallsAnswer, Selector, Window};
use codegraph_runtime::Projects;
use codegraph_store::SqlLimits;

type Edges = BTreeSet<(String, String)>;

struct Program<'t> {
    title: &'t str,
    files: Vec<(&'t str, String)>,
    edges: Edges,
}

fn programs(text: &str) -> Vec<Program<'_>> {
    let parts = text.split("\n== ").map(|part| part.trim_start_matches("== "));
    let mut all = Vec::new();
    for part in parts {
        let (title, body) = part.split_once('\n').expect("a program has files");
        let mut program = Program { title, files: Vec::new(), edges: Edges::new() };
        for line in body.lines().filter(|line| !line.starts_with("//+ ")) {
            if let Some(path) = line.strip_prefix("//- /") {
                program.files.push((path, String::new()));
            } else if let Some(edge) = line.strip_prefix("//= ") {
                let (caller, callees) = edge.split_once(" -> ").expect("an edge has two ends");
                program.edges.extend(callees.split(' ').map(|callee| (caller.to_owned(), callee.to_owned())));
            } else if let Some((_, text)) = program.files.last_mut() {
                text.push_str(line);
                text.push('\n');
            }
        }
        all.push(program);
    }
    all
}

/// The callers of every function of a program, and which edges are exact.
fn found(program: &Program<'_>) -> BTreeMap<(String, String), Certainty> {
    let files: Vec<(&str, &str)> = program.files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let sandbox = Sandbox::new(&files);
    let (init, build) = (InitOptions::default(), BuildOptions::default());
    codegraph_runtime::init(sandbox.root(), &init, &build, &Silent).expect("indexed");
    let projects = Projects::new(sandbox.root(), &[]);
    let answer = projects.get(None).expect("open").ask(|session| {
        let statement = "SELECT symbol_id, display_fqn, kind FROM symbols";
        let rows = codegraph_query::sql(session, statement, SqlLimits::rows(10_000))?.rows;
        let word =
            |row: &serde_json::Map<String, serde_json::Value>, name: &str| row[name].as_str().unwrap_or("").to_owned();
        let mut edges = BTreeMap::new();
        for row in rows.iter().filter(|row| is_function(&word(row, "kind"))) {
            let symbol = Selector::from(word(row, "symbol_id").as_str());
            let question = Calls { symbol, window: Window { limit: 1_000, offset: 0 }, ..Calls::default() };
            let CallsAnswer::Found(list) = codegraph_query::callers(session, &question)? else { continue };
            for call in list.calls {
                let mut caller = call.symbol.expect("a caller is a symbol");
                if !matches!(caller.kind, SymbolKind::Module) && !is_function(&format!("{:?}", caller.kind)) {
                    caller.fqn = caller.fqn.rsplit_once('.').map_or(caller.fqn.clone(), |(outer, _)| outer.to_owned());
                }
                edges.insert((caller.fqn, word(row, "display_fqn")), call.certainty);
            }
        }
        Ok(edges)
    });
    answer.expect("answered")
}

fn is_function(kind: &str) -> bool {
    matches!(kind, "Function" | "Method" | "Constructor" | "Getter" | "Setter" | "Property")
}

/// What was found of what ran.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    missed: usize,
    lines: Vec<String>,
}

fn score(text: &str) -> Score {
    let mut score = Score::default();
    for program in programs(text) {
        let found = found(&program);
        let edges: Edges = found.keys().cloned().collect();
        score.right += edges.intersection(&program.edges).count();
        for (caller, callee) in edges.difference(&program.edges) {
            score.wrong += 1;
            let certainty = found[&(caller.clone(), callee.clone())];
            score.lines.push(format!("{}: {caller} -> {callee} did not run ({certainty:?})", program.title));
        }
        for (caller, callee) in program.edges.difference(&edges) {
            score.missed += 1;
            score.lines.push(format!("{}: {caller} -> {callee} is missing", program.title));
        }
    }
    score
}

fn check(text: &str, precision: f64, recall: f64) {
    let score = score(text);
    let share = |part: usize, rest: usize| part as f64 / (part + rest).max(1) as f64;
    let own = (share(score.right, score.wrong), share(score.right, score.missed));
    println!("precision {:.3}, recall {:.3}\n{}", own.0, own.1, score.lines.join("\n"));
    assert!(own.0 >= precision && own.1 >= recall, "{own:?} of {:?}\n{}", (precision, recall), score.lines.join("\n"));
}

#[test]
fn python() {
    check(include_str!("values/python.txt"), 0.98, 0.98);
}

#[test]
fn javascript() {
    check(include_str!("values/javascript.txt"), 0.98, 0.98);
}
