//! Temporary projects, and everything that an index says as text that does not depend on internal numbers.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use codegraph_index::{BuildOptions, BuildReport, InitOptions, Project, Scope, Silent, UpdateOptions, UpdateReport};
use codegraph_model::{ExprOp, FileId, StrId, SymbolId};
use codegraph_store::{Access, Store, Stored};

/// A project in a temporary folder of its own.
pub(crate) struct Sandbox {
    pub(crate) files: codegraph_fixture::Sandbox,
    pub(crate) project: Project,
}

impl Sandbox {
    /// A project with these files, not indexed yet.
    pub(crate) fn new(files: &[(&str, &str)]) -> Sandbox {
        let files = codegraph_fixture::Sandbox::new(files);
        let options = InitOptions { name: Some("demo".to_owned()), ..InitOptions::default() };
        let project = Project::init(files.root(), &options).expect("a project").project;
        Sandbox { files, project }
    }

    pub(crate) fn built(files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox::new(files);
        sandbox.build();
        sandbox
    }

    pub(crate) fn root(&self) -> &Path {
        self.project.root()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.files.write(path, text);
    }

    pub(crate) fn delete(&self, path: &str) {
        self.files.remove(path);
    }

    pub(crate) fn build(&self) -> BuildReport {
        codegraph_index::build(&self.project, &BuildOptions::default(), &Silent).expect("a build")
    }

    pub(crate) fn update(&self) -> UpdateReport {
        self.update_scope(Scope::All)
    }

    pub(crate) fn update_scope(&self, scope: Scope) -> UpdateReport {
        codegraph_index::update(&self.project, scope, &UpdateOptions::default(), &Silent).expect("an update")
    }

    pub(crate) fn store(&self) -> Store {
        self.project.store(Access::Read).expect("an index")
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.store().files().expect("files").into_iter().map(|file| file.path).collect()
    }

    pub(crate) fn snapshot(&self) -> String {
        snapshot(&self.store())
    }

    /// A new project with the same files, indexed from nothing.
    pub(crate) fn fresh(&self) -> Sandbox {
        let files = codegraph_fixture::Sandbox::new(&[]);
        files.copy(self.root(), |path| !path.ends_with(".codegraph"));
        let config = ".codegraph/config.json";
        files.write(config, &self.files.read(config));
        let project = Project::open(files.root()).expect("a project");
        let sandbox = Sandbox { files, project };
        sandbox.build();
        sandbox
    }
}

/// Everything that an index says, without numbers of files and terms, ids of lines, and times.
pub(crate) fn snapshot(store: &Store) -> String {
    let mut out = String::new();
    let mut paths: BTreeMap<FileId, String> = BTreeMap::new();
    for file in store.files().expect("files") {
        paths.insert(file.id, file.path.clone());
        let (mut plain, id) = (file.clone(), file.id);
        (plain.id, plain.mtime_ns, plain.mark, plain.indexed_at) = (FileId(0), 0, 0, 0);
        let stored = store.facts(id).expect("facts");
        writeln!(out, "{plain:?}").expect("text");
        writeln!(out, "  {:?} {:?}", stored.classes, stored.ordinals).expect("text");
        writeln!(out, "  {}", facts(store, &stored)).expect("text");
        let ids = store.symbol_ids(id).expect("ids");
        for (place, symbol_id) in ids.into_iter().enumerate() {
            let symbol = SymbolId(place as u32);
            let fqn = store.fqn(&file, &stored, symbol).expect("a name");
            let rows = store.symbols_by_id(&format!("{symbol_id:032x}")).expect("rows");
            assert!(rows.iter().any(|row| row.file == id && row.symbol == symbol), "{fqn} is not found by its id");
            writeln!(out, "  {symbol_id:032x} {fqn}").expect("text");
        }
    }
    out.push_str(&terms(store, &paths));
    for input in store.inputs().expect("inputs") {
        writeln!(out, "{:?} {:?}", input.path, input.watched).expect("text");
    }
    out
}

fn facts(store: &Store, stored: &Stored) -> String {
    let text = |place: usize| store.text(stored.names[place]).expect("a text").to_string();
    let mut order: Vec<usize> = (0..stored.names.len()).collect();
    order.sort_by_key(|place| text(*place));
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(to, from)| rank[*from] = to as u32);
    let renamed = |id: StrId| id.get().map_or(id, |id| StrId(rank[id.index()]));
    let mut facts = stored.facts.clone();
    facts.package = renamed(facts.package);
    facts.symbols.iter_mut().for_each(|s| (s.name, s.qualifier) = (renamed(s.name), renamed(s.qualifier)));
    facts.bindings.iter_mut().for_each(|b| b.name = renamed(b.name));
    facts.refs.iter_mut().for_each(|r| r.name = renamed(r.name));
    facts.imports.iter_mut().for_each(|i| (i.source, i.alias) = (renamed(i.source), renamed(i.alias)));
    for expr in facts.exprs.iter_mut().filter(|expr| matches!(expr.op, ExprOp::Key | ExprOp::Literal)) {
        expr.b = renamed(StrId(expr.b)).0;
    }
    let texts: Vec<String> = order.into_iter().map(text).collect();
    format!("{texts:?} {facts:?}")
}

fn terms(store: &Store, paths: &BTreeMap<FileId, String>) -> String {
    let mut lines = Vec::new();
    for term in store.terms_matching(|_| true).expect("terms") {
        let postings = store.postings(term.id).expect("postings").into_iter();
        let mut postings: Vec<_> = postings.map(|posting| (&paths[&posting.file], posting.lines)).collect();
        postings.sort_by(|a, b| a.0.cmp(b.0));
        let mut definers: Vec<_> = store.definers(term.id).expect("files").iter().map(|file| &paths[file]).collect();
        definers.sort();
        lines.push(format!("{:?} {postings:?} {definers:?}\n", term.text));
    }
    lines.sort();
    lines.concat()
}

/// The first line at which two texts differ.
pub(crate) fn assert_same(left: &str, right: &str, when: &str) {
    if left == right {
        return;
    }
    let differing = left.lines().zip(right.lines()).find(|(a, b)| a != b);
    match differing {
        Some((a, b)) => panic!("{when}: the indexes differ\n  {a}\n  {b}"),
        None => panic!("{when}: one index says more: {} and {} lines", left.lines().count(), right.lines().count()),
    }
}

pub(crate) const PYTHON: &str = "\"\"\"Shapes.\"\"\"
import math
from .base import Shape as Base


class Circle(Base):
    \"\"\"A round shape.\"\"\"

    def __init__(self, radius: float) -> None:
        self.radius = radius

    def area(self) -> float:
        # Pi times the square of the radius.
        return math.pi * self.radius ** 2


def make(radius=1.0):
    return Circle(radius)
";

pub(crate) const RUST: &str = "//! Counters.
use std::collections::HashMap;

/// Counts words.
pub(crate) struct Counter {
    words: HashMap<String, usize>,
}

impl Counter {
    pub(crate) fn add(&mut self, word: &str) {
        *self.words.entry(word.to_owned()).or_default() += 1;
    }
}

pub(crate) fn total(counter: &Counter) -> usize {
    counter.words.values().sum()
}
";

/// A small tree with packages, manifests and an ignore file.
pub(crate) fn small_tree() -> Vec<(&'static str, &'static str)> {
    vec![
        (".gitignore", "*.log\nbuild/\n"),
        ("shapes/__init__.py", "from .circle import Circle\n"),
        ("shapes/circle.py", PYTHON),
        ("shapes/base.py", "class Shape:\n    def area(self):\n        raise NotImplementedError\n"),
        ("main.py", "import shapes\n\n\ndef main():\n    print(shapes.Circle(2).area())\n"),
        ("build/generated.py", "x = 1\n"),
        ("counter/Cargo.toml", "[package]\nname = \"word-counter\"\n"),
        ("counter/src/lib.rs", RUST),
        ("counter/src/main.rs", "fn main() {\n    println!(\"{}\", 1);\n}\n"),
        ("notes.txt", "nothing for us\n"),
    ]
}

pub(crate) fn path(text: &str) -> PathBuf {
    PathBuf::from(text)
}
