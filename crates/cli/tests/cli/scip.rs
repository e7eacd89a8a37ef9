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
    assert_eq!(index.metadata.tool_info.name, "codegraph");
    assert!(index.metadata.project_root.starts_with("file:///"), "{}", index.metadata.project_root);
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
    assert_eq!(at(app, [8, 16, 21])[0].symbol, format!("{book}price()."));
    let count = at(app, [7, 12, 17]);
    assert!(count[0].symbol.starts_with("local ") && count[0].symbol_roles == SymbolRole::ReadAccess as i32);
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
    assert_eq!(symbol("Item#price().").signature_documentation.text, "def price(self)");
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
