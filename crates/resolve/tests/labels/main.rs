//! Do the labels of the small programs say what a compiler or a run says? `cargo xtask labels` asks.
//!
//! A program is run, or compiled and its instructions are read, and each place of a call or of a field gives *sightings*: the
//! line, the name and what was reached. A label that has a sighting of its name on its line is decided: one of them must be what
//! it says. What is not run, or what a compiler does not know yet, stays undecided and is counted.

mod bytecode;
mod tools;

use std::collections::BTreeMap;

use codegraph_fixture::{Label, labelled};
use regex::Regex;

use tools::{Tool, sightings};

/// Compilers take minutes: only who asks waits for them.
const ASKED: &str = "CODEGRAPH_LABELS";

/// Something that was reached from a line.
pub(crate) struct Sighting {
    pub(crate) path: String,
    pub(crate) line: u32,
    /// What it may be called in the text.
    pub(crate) names: Vec<String>,
    /// The type that it belongs to, where that is all that is known of its place.
    pub(crate) owner: String,
    /// The first line of it that has code.
    pub(crate) place: Option<(String, u32)>,
}

#[derive(Default)]
struct Count {
    programs: usize,
    silent: Vec<String>,
    labels: usize,
    decided: usize,
    wrong: Vec<String>,
    open: Vec<String>,
}

#[test]
fn labels_say_what_compilers_and_runs_say() {
    let Ok(asked) = std::env::var(ASKED) else {
        println!("not asked: `cargo xtask labels` runs and compiles the programs");
        return;
    };
    let wanted = |tool: &&Tool| asked.is_empty() || asked.split(',').any(|language| language == tool.language);
    let mut wrong = 0;
    for tool in tools::ALL.iter().filter(wanted) {
        if let Some(missing) = tool.missing() {
            println!("{:8} SKIPPED: there is no {missing} here, nothing was checked", tool.language);
            continue;
        }
        let count = check(tool);
        wrong += count.wrong.len();
        report(tool, &count);
    }
    assert_eq!(wrong, 0, "labels say what no compiler or run says");
}

fn report(tool: &Tool, count: &Count) {
    let (spoken, all) = (count.programs - count.silent.len(), count.programs);
    let (decided, labels, wrong) = (count.decided, count.labels, count.wrong.len());
    println!("{:8} {decided} of {labels} labels decided in {spoken} of {all} programs, {wrong} wrong", tool.language);
    count.wrong.iter().for_each(|line| println!("    {line}"));
    count.silent.iter().for_each(|line| println!("    says nothing: {line}"));
    if std::env::var_os("CODEGRAPH_LABELS_UNDECIDED").is_some() {
        count.open.iter().for_each(|line| println!("    undecided: {line}"));
    }
}

fn check(tool: &Tool) -> Count {
    let path = format!("{}/tests/programs/{}.txt", env!("CARGO_MANIFEST_DIR"), tool.language);
    let text = std::fs::read_to_string(path).expect("every tool's language has programs");
    let mut count = Count::default();
    for part in format!("\n{text}").split("\n== ").skip(1) {
        let (title, text) = part.split_once('\n').expect("a program has files");
        let (files, labels) = labelled(text);
        let seen = sightings(tool, &order(text), &without_open(&files, &labels), &labels);
        count.programs += 1;
        if seen.is_empty() {
            count.silent.push(title.to_owned());
        }
        compare(title, &files, &labels, &seen, &mut count);
    }
    count
}

/// The paths of a program's files in the order in which they are written.
fn order(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.strip_prefix("//- /")).map(|path| path.trim().to_owned()).collect()
}

/// Lines with names that must stay open are left out: most would not compile or run.
fn without_open(files: &BTreeMap<String, String>, labels: &[Label]) -> BTreeMap<String, String> {
    let open = labels.iter().filter(|label| label.name == "?");
    let open: Vec<_> = open.map(|label| (label.path.clone(), label.line)).collect();
    without(files, &open)
}

/// The files without some lines, as far as these close what they open.
pub(crate) fn without(files: &BTreeMap<String, String>, lines: &[(String, u32)]) -> BTreeMap<String, String> {
    let balanced =
        |line: &str| ["()", "{}", "[]"].iter().all(|pair| count(line, &pair[..1]) == count(line, &pair[1..]));
    let kept = |path: &str, number: u32, line: &str| !balanced(line) || !lines.contains(&(path.to_owned(), number));
    let file = |(path, text): (&String, &String)| {
        let lines = text.lines().zip(1..).map(|(line, number)| if kept(path, number, line) { line } else { "" });
        (path.clone(), lines.map(|line| format!("{line}\n")).collect())
    };
    files.iter().map(file).collect()
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// A place that a label names: by the label of a definition, or as it is.
struct Definition {
    path: String,
    line: u32,
    column: u32,
}

fn compare(title: &str, files: &BTreeMap<String, String>, labels: &[Label], seen: &[Sighting], count: &mut Count) {
    let defs: Vec<&Label> = labels.iter().filter(|label| label.word == "def").collect();
    for label in labels.iter().filter(|label| label.word == "ref") {
        let Some(definition) = definition(label, &defs) else { continue };
        count.labels += 1;
        let name = name_at(files, &label.path, label.line, label.column);
        // A type is decided where it is made: other things may have its name.
        let is_type = is_type(files, &definition);
        let here = |s: &&Sighting| {
            let made = !is_type || s.owner == name || s.owner.is_empty();
            made && s.path == label.path && s.line == label.line && s.names.contains(&name)
        };
        let here: Vec<&Sighting> = seen.iter().filter(here).collect();
        let at = format!("{title}: {}:{}:{} {name}", label.path, label.line, label.column);
        // A run reaches what stands for an abstract method, not the method, and says nothing of variables.
        let unseen = before(files, &definition);
        if here.is_empty() || unseen.contains("abstract ") || unseen.ends_with('$') {
            count.open.push(at);
            continue;
        }
        count.decided += 1;
        if !here.iter().any(|sighting| meets(sighting, &definition, files, &defs)) {
            let reached = here.iter().map(|s| match &s.place {
                Some((path, line)) => format!("{path}:{line}"),
                None => s.owner.clone(),
            });
            let reached: Vec<String> = reached.collect();
            count.wrong.push(format!("{at} is {}, not {}", reached.join(" or "), label.name));
        }
    }
}

fn definition(label: &Label, defs: &[&Label]) -> Option<Definition> {
    if let Some(def) = defs.iter().find(|def| def.name == label.name) {
        return Some(Definition { path: def.path.clone(), line: def.line, column: def.column });
    }
    let mut parts = label.name.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(Definition { path: parts.next()?.to_owned(), line, column })
}

/// Whether what was reached is what a label says: the nearest definition of that name above its first line, or by its type.
fn meets(sighting: &Sighting, meant: &Definition, files: &BTreeMap<String, String>, defs: &[&Label]) -> bool {
    let name = name_at(files, &meant.path, meant.line, meant.column);
    let Some((path, line)) = &sighting.place else {
        let of_type = is_type(files, meant) && sighting.owner == name;
        return of_type || sighting.owner == owner_at(files, meant) || sighting.owner.is_empty();
    };
    let same = |def: &&&Label| def.path == *path && name_at(files, &def.path, def.line, def.column) == name;
    let nearest = defs.iter().filter(same).map(|def| def.line).filter(|at| at <= line).max();
    meant.path == *path && nearest.unwrap_or(meant.line) == meant.line && meant.line <= *line
}

fn name_at(files: &BTreeMap<String, String>, path: &str, line: u32, column: u32) -> String {
    let line = files.get(path).and_then(|text| text.lines().nth(line as usize - 1)).unwrap_or_default();
    let rest = line.get(column as usize..).unwrap_or_default();
    rest.chars().take_while(|c| c.is_alphanumeric() || "_?!".contains(*c)).collect()
}

/// The line of a definition up to its name.
fn before<'f>(files: &'f BTreeMap<String, String>, of: &Definition) -> &'f str {
    let line = files.get(&of.path).and_then(|text| text.lines().nth(of.line as usize - 1)).unwrap_or_default();
    line.get(..of.column as usize).unwrap_or_default()
}

fn is_type(files: &BTreeMap<String, String>, of: &Definition) -> bool {
    let words = ["class", "struct", "interface", "trait", "record", "object", "enum", "module"];
    before(files, of).split_whitespace().next_back().is_some_and(|word| words.contains(&word))
}

/// The name of the type around a definition: on its line before it, or above with less indentation.
fn owner_at(files: &BTreeMap<String, String>, of: &Definition) -> String {
    let types =
        Regex::new(r"\b(?:enum class|class|struct|interface|trait|record|object|enum)\s+(\w+)|\bcompanion object")
            .expect("the pattern is written here");
    let named = |line: &str| {
        let found = types.captures_iter(line).last()?;
        Some(found.get(1).map_or("Companion".to_owned(), |name| name.as_str().to_owned()))
    };
    let Some(text) = files.get(&of.path) else { return String::new() };
    let lines: Vec<&str> = text.lines().take(of.line as usize).collect();
    let Some((own, above)) = lines.split_last() else { return String::new() };
    if let Some(name) = named(before(files, of).trim_end()) {
        return name;
    }
    let depth = |line: &str| line.len() - line.trim_start().len();
    let around = above.iter().rev().filter(|line| depth(line) < depth(own) && !line.trim_start().starts_with("//"));
    around.into_iter().find_map(|line| named(line)).unwrap_or_default()
}

fn decided(says: &str, reached: u32) -> Count {
    let defs = "//- /a.rb\ndef one; end\n#   ^ def first\ndef one; end\n#   ^ def second\n";
    let text = format!("{defs}  one\n# ^ ref {says}\n");
    let (files, labels) = labelled(&text);
    let place = Some(("a.rb".to_owned(), reached));
    let seen = Sighting { path: "a.rb".into(), line: 5, names: vec!["one".into()], owner: String::new(), place };
    let mut count = Count::default();
    compare("it", &files, &labels, &[seen], &mut count);
    count
}

#[test]
fn a_label_is_wrong_if_something_else_was_reached() {
    assert_eq!((decided("first", 1).decided, decided("first", 1).wrong.len()), (1, 0));
    assert_eq!(decided("first", 3).wrong, ["it: a.rb:5:2 one is a.rb:3, not first"]);
}

#[test]
fn a_line_goes_only_if_it_closes_what_it_opens() {
    let files = BTreeMap::from([("a".to_owned(), "f(x)\ng {\n}\n".to_owned())]);
    let left = without(&files, &[("a".to_owned(), 1), ("a".to_owned(), 2)]);
    assert_eq!(left["a"], "\ng {\n}\n");
}
