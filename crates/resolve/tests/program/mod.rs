//! Reads a program with labels, indexes it, links it in several orders and compares.

use std::collections::BTreeMap;
use std::path::Path;

use codegraph_fixture::{Label, Sandbox, labelled};
use codegraph_index::{BuildOptions, InitOptions, Project, Silent, build};
use codegraph_model::{BindingKind, Certainty};
use codegraph_resolve::{Link, Linker, Program, Target};
use codegraph_store::Access;

use crate::memory::Memory;

/// What checking a program gave.
pub(crate) struct Checked {
    pub(crate) labels: usize,
    pub(crate) wrong: Vec<String>,
}

pub(crate) fn check(text: &str) -> Checked {
    let (_, labels) = labelled(text);
    let sandbox = Sandbox::program(text);
    let memory = index(sandbox.root());
    let links = linked(&memory);
    let mut wrong = orders(&memory, &links);
    let (defs, refs): (Vec<_>, Vec<_>) = labels.iter().partition(|label| label.word == "def");
    let names: BTreeMap<String, String> =
        defs.iter().map(|d| (place(&d.path, d.line, d.column), d.name.clone())).collect();
    for label in &refs {
        let (sure, name) = match label.name.split_once(' ') {
            Some(("exact", name)) => (Some(Certainty::Exact), name),
            Some(("inferred", name)) => (Some(Certainty::Inferred), name),
            _ => (None, label.name.as_str()),
        };
        let found = meaning(&memory, &links, label, &names);
        if sure.is_some() && certainty(&memory, &links, label) != sure {
            wrong.push(format!("{}:{}:{} is not as sure as {}", label.path, label.line, label.column, label.name));
        }
        if found != name {
            wrong.push(format!("{}:{}:{} is {found}, not {}", label.path, label.line, label.column, label.name));
        }
    }
    Checked { labels: labels.len(), wrong }
}

fn index(folder: &Path) -> Memory {
    let project = Project::init(folder, &InitOptions::default()).expect("a folder can be indexed").project;
    build(&project, &BuildOptions::default(), &Silent).expect("the index can be built");
    Memory::load(&project.store(Access::Read).expect("the index can be read"))
}

fn linked(memory: &Memory) -> Vec<Vec<Link>> {
    let mut linker = Linker::new(memory);
    (0..memory.units.len() as u32).map(|file| linker.link(file)).collect()
}

/// The links must not depend on what was linked before, nor on what is remembered.
fn orders(memory: &Memory, links: &[Vec<Link>]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut backwards = Linker::new(memory);
    let mut forgetful = Linker::new(memory);
    for file in (0..memory.units.len()).rev() {
        forgetful.forget();
        if backwards.link(file as u32) != links[file] || forgetful.link(file as u32) != links[file] {
            wrong.push(format!("{} is linked differently in another order", memory.records[file].path));
        }
    }
    wrong
}

fn place(path: &str, line: u32, column: u32) -> String {
    format!("{path}:{line}:{column}")
}

/// How sure the link of the name at a label is.
fn certainty(memory: &Memory, links: &[Vec<Link>], label: &Label) -> Option<Certainty> {
    let file = memory.file_at(&label.path)?;
    let facts = &memory.units[file as usize].facts;
    let at = |link: &&Link| {
        let span = facts.refs[link.reference.index()].span;
        facts.position(span.start) == (label.line, label.column)
    };
    links[file as usize].iter().find(at).map(|link| link.certainty)
}

/// What the name at a label means, in the words of labels.
fn meaning(memory: &Memory, links: &[Vec<Link>], label: &Label, names: &BTreeMap<String, String>) -> String {
    let Some(file) = memory.file_at(&label.path) else { return "in no file".to_owned() };
    let unit = &memory.units[file as usize];
    let at = |span: codegraph_model::Span| unit.facts.position(span.start) == (label.line, label.column);
    let Some(place) = unit.facts.refs.iter().position(|r| at(r.span)) else {
        let binds = unit.facts.bindings.iter().any(|b| at(b.span) && b.kind != BindingKind::Again);
        return if binds { "a definition".to_owned() } else { "no reference".to_owned() };
    };
    match links[file as usize].iter().find(|link| link.reference.index() == place) {
        Some(link) => target(memory, file, &link.target, names),
        None => "?".to_owned(),
    }
}

fn target(memory: &Memory, from: u32, target: &Target, names: &BTreeMap<String, String>) -> String {
    let (file, span) = match target {
        Target::Symbol(sym) => (sym.file, memory.units[sym.file as usize].symbol(sym.symbol).name_span),
        Target::Local(binding) => (from, memory.units[from as usize].facts.bindings[*binding as usize].span),
        Target::Parameter(file, binding) => {
            (*file, memory.units[*file as usize].facts.bindings[*binding as usize].span)
        }
        Target::Module(file) => return format!("module {}", memory.path(*file)),
        Target::Package(name) => return format!("package {name}"),
        Target::External(path) => return format!("external {}", path.render(memory)),
    };
    let (line, column) = memory.units[file as usize].facts.position(span.start);
    let place = place(&memory.path(file), line, column);
    names.get(&place).cloned().unwrap_or(place)
}
