//! SCIP through the binary: what is written is valid, the same every time, and says what the index says.

use codegraph_scip::types::{Document, Index, Occurrence, SymbolRole};
use codegraph_scip::{lint, parse};

use crate::support::Project;

const FILES: &[(&str, &str)] = &[
    (
        "shop/models.py",
        "\"\"\"What is sold.\"\"\"\n\nclass Item:\n    \"\"\"A thing with a price.\"\"\"\n\n    def price(self):\n        return 1\n\n\n\
         class Book(Item):\n    def price(self):\n        return 2\n\n    def price(self):\n        return 3\n",
    ),
    ("shop/__init__.py", ""),
    (
        "app.py",
        "import os\nfrom shop.models import Book\n\n\ndef total(count):\n    book = Book()\n    os.getcwd()\n    \
         count = count + 1\n    return book.price() * count\n",
    ),
    ("odd name/ä.js", "export function größe() { return 1; }\ngröße();\n"),
];

fn exported(project: &Project) -> Index {
    let run = project.run(&["export", "--format", "scip", "--out", "out.scip"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    parse(&std::fs::read(project.path().join("out.scip")).expect("it was written")).expect("it is SCIP")
}

fn document<'i>(index: &'i Index, path: &str) -> &'i Document {
    index.documents.iter().find(|document| document.relative_path == path).expect("it is indexed")
}

fn at(document: &Document, range: [i32; 3]) -> Vec<&Occurrence> {
    document.occurrences.iter().filter(|occurrence| occurrence.range == range).collect()
}

#[test]
fn an_export_is_valid_sorted_and_the_same_every_time() {
    let project = Project::new(FILES);
    let index = exported(&project);
    assert_eq!(lint(&index), Vec::<String>::new());
    let metadata = index.metadata.clone().expect("who wrote it");
    assert_eq!(metadata.tool_info.expect("the tool").name, "codegraph");
    assert!(metadata.project_root.starts_with("file:///"), "{}", metadata.project_root);
    let paths: Vec<_> = index.documents.iter().map(|document| document.relative_path.as_str()).collect();
    assert_eq!(paths, ["app.py", "odd name/ä.js", "shop/__init__.py", "shop/models.py"]);
    for document in &index.documents {
        assert!(document.occurrences.is_sorted_by_key(|occurrence| (occurrence.range[0], occurrence.range[1])));
    }
    let first = std::fs::read(project.path().join("out.scip")).expect("it was written");
    exported(&project);
    assert!(first == std::fs::read(project.path().join("out.scip")).expect("it was written"));
}

#[test]
fn occurrences_say_what_names_mean_and_how_they_are_used() {
    let project = Project::new(FILES);
    let index = exported(&project);
    let app = document(&index, "app.py");
    let book = "codegraph . demo . shop/`models.py`/Book#";
    let import = at(app, [1, 24, 28]);
    assert_eq!((import[0].symbol.as_str(), import[0].symbol_roles), (book, SymbolRole::Import as i32));
    assert_eq!(at(app, [5, 11, 15])[0].symbol, book);
    // The last definition of a name is the one that runs.
    assert_eq!(at(app, [8, 16, 21])[0].symbol, format!("{book}price(+1)."));
    let count = at(app, [7, 12, 17]);
    assert_eq!(count[0].symbol, "codegraph . demo . `app.py`/total().(count)");
    assert_eq!(count[0].symbol_roles, SymbolRole::ReadAccess as i32);
    let book_variable = at(app, [8, 11, 15]);
    assert!(book_variable[0].symbol.starts_with("local "), "{}", book_variable[0].symbol);
    assert_eq!(at(app, [7, 4, 9])[0].symbol, count[0].symbol);
    assert_eq!(at(app, [6, 7, 13])[0].symbol, "codegraph . os . getcwd.");
    assert!(index.external_symbols.iter().any(|symbol| symbol.symbol == "codegraph . os . getcwd."));
    let total = at(app, [4, 4, 9]);
    assert_eq!(total[0].symbol_roles, SymbolRole::Definition as i32);
    assert_eq!(total[0].enclosing_range, [4, 0, 8, 31]);
    // Columns are bytes.
    let odd = document(&index, "odd name/ä.js");
    assert_eq!(at(odd, [1, 0, 7])[0].symbol, "codegraph . demo . `odd name`/`ä.js`/`größe`().");
}

#[test]
fn symbols_are_described() {
    let project = Project::new(FILES);
    let index = exported(&project);
    let models = document(&index, "shop/models.py");
    let symbol = |name: &str| {
        let name = format!("codegraph . demo . shop/`models.py`/{name}");
        models.symbols.iter().find(|symbol| symbol.symbol == name).unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(symbol("").documentation, ["What is sold."]);
    assert_eq!(symbol("Item#").documentation, ["A thing with a price."]);
    let signature = symbol("Item#price().").signature_documentation.clone().expect("a signature");
    assert_eq!(signature.text, "def price(self)");
    assert_eq!(symbol("Item#price().").display_name, "price");
    let bases = |name: &str| symbol(name).relationships.iter().map(|r| r.symbol.clone()).collect::<Vec<_>>();
    assert_eq!(bases("Book#"), ["codegraph . demo . shop/`models.py`/Item#"]);
    assert_eq!(bases("Book#price()."), ["codegraph . demo . shop/`models.py`/Item#price()."]);
    assert_eq!(symbol("Book#price(+1).").display_name, "price");
    let local = document(&index, "app.py").symbols.iter().find(|symbol| symbol.display_name == "book");
    assert_eq!(local.expect("a local").enclosing_symbol, "codegraph . demo . `app.py`/total().");
}

#[test]
fn an_export_goes_to_the_file_that_is_asked_for() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    assert_eq!(project.run(&["export"]).code, 0);
    let written = std::fs::read(project.path().join("index.scip")).expect("the default file");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_codegraph"));
    let printed = command.args(["export", "--out", "-"]).current_dir(project.path()).output().expect("it runs");
    assert_eq!(printed.stdout, written);
    assert_eq!(project.json(&["export"])["documents"], 1);
    let refused = project.run(&["export", "--out", "no/folder/x.scip"]);
    assert_eq!(refused.code, 2);
    assert_eq!(project.run(&["export", "--format", "xyz"]).code, 2);
}

#[test]
fn an_index_agrees_with_its_own_export() {
    let project = Project::new(FILES);
    exported(&project);
    let same = project.json(&["verify", "--scip", "out.scip"]);
    for row in ["all", "cross-file", "call", "local"] {
        let row = &same["references"][row];
        assert_eq!((&row["recall"], &row["precision"]), (&1.0.into(), &1.0.into()), "{row}");
    }
    let claims = |row: &str| same["references"][row]["claims"].as_u64().expect("a number");
    assert_eq!(claims("exact only") + claims("inferred only"), claims("all"));
    assert_eq!(same["references"]["exact only"]["precision"], 1.0);
    assert_eq!(same["edges"]["function to function"]["recall"], 1.0);
    assert_eq!((same["misses"].as_array().map(Vec::len), same["wrong"].as_array().map(Vec::len)), (Some(0), Some(0)));
    assert_eq!(same["not_indexed"]["count"], 0);
}

#[test]
fn a_damaged_index_does_not_agree() {
    let project = Project::new(FILES);
    let mut index = exported(&project);
    for document in &mut index.documents {
        for occurrence in &mut document.occurrences {
            if occurrence.symbol.ends_with("Book#") && occurrence.symbol_roles != SymbolRole::Definition as i32 {
                occurrence.symbol = occurrence.symbol.replace("Book#", "Item#");
            }
        }
    }
    index.documents.retain(|document| !document.relative_path.contains("odd"));
    write(&project, &index);
    let answer = project.json(&["verify", "--scip", "out.scip", "--misses", "2"]);
    let all = &answer["references"]["all"];
    assert!(all["recall"].as_f64() < Some(1.0) && all["precision"].as_f64() < Some(1.0), "{all}");
    assert_eq!(answer["misses"][0]["outcome"], "wrong target");
    assert_eq!(answer["misses"][0]["examples"][0]["expected"], "shop/models.py:3");
    assert_eq!(answer["not_in_truth"]["first"][0], "odd name/ä.js");
    let text = project.run(&["verify", "--scip", "out.scip"]).out;
    assert!(text.contains("wrong target") && text.contains("cross-file"), "{text}");
}

#[test]
fn what_is_no_index_is_refused() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    let refused = project.run(&["verify", "--scip", "a.py"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is no SCIP index") && refused.err.contains("hint: give a file"), "{}", refused.err);
    assert_eq!(project.run(&["import", "scip", "none.scip"]).code, 2);
}

const OPEN: &[(&str, &str)] = &[
    ("lib.py", "class A:\n    def go(self):\n        return 1\n\n\nclass B:\n    def go(self):\n        return 2\n"),
    ("use.py", "def run(thing):\n    return thing.go()\n"),
    ("other.py", "from lib import A\n\n\ndef more():\n    return A().go()\n"),
];

/// What a compiler would say about a call that names alone cannot prove.
fn said_by_a_compiler(project: &Project) {
    let mut index = exported(project);
    let target = "codegraph . demo . `lib.py`/B#go().".to_owned();
    let user = index.documents.iter_mut().find(|document| document.relative_path == "use.py").expect("it is indexed");
    user.occurrences.push(Occurrence { range: vec![1, 17, 19], symbol: target, ..Default::default() });
    index.documents.retain(|document| document.relative_path != "other.py");
    write(project, &index);
}

fn write(project: &Project, index: &Index) {
    let bytes = codegraph_scip::encode(index);
    std::fs::write(project.path().join("out.scip"), bytes).expect("it can be written");
}

/// Certainty, rule and target of the call in `use.py`.
fn call(project: &Project) -> String {
    let sql =
        "SELECT certainty, how, target FROM \"references\" WHERE file_path = 'use.py' AND referenced_symbol = 'go'";
    let rows = project.json(&["sql", sql]);
    let row = &rows["rows"][0];
    let text = |column: &str| row[column].as_str().unwrap_or("-").to_owned();
    format!("{} {} {}", text("certainty"), text("how"), text("target"))
}

#[test]
fn an_import_makes_a_candidate_exact_until_its_file_changes() {
    let project = Project::new(OPEN);
    assert_eq!(call(&project), "candidate - -");
    said_by_a_compiler(&project);
    let report = project.json(&["import", "scip", "out.scip"]);
    assert_eq!(report["added"], 1);
    assert_eq!(call(&project), "exact compiler lib.B.go");
    // Another file changes, and the target moves.
    project.write("other.py", "from lib import B\n\n\ndef more():\n    return B().go()\n");
    project.write("lib.py", &OPEN[0].1.replace("class B", "# moved\n\nclass B"));
    assert_eq!(call(&project), "exact compiler lib.B.go");
    // The target goes and comes back.
    project.write("lib.py", &OPEN[0].1.replace("class B", "class C"));
    assert_eq!(call(&project), "candidate - -");
    project.write("lib.py", OPEN[0].1);
    assert_eq!(call(&project), "exact compiler lib.B.go");
    // Its own file changes.
    project.write("use.py", "def run(thing):\n    return thing.go() + 1\n");
    assert_eq!(call(&project), "candidate - -");
    assert_eq!(project.run(&["doctor", "--full"]).code, 0);
}
