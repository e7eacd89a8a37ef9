//! Indexes a folder, links it in memory and writes the links as SCIP: `scip FOLDER OUT`.
#![allow(clippy::unwrap_used, reason = "a tool for developers of the linker")]

mod memory;

use std::collections::BTreeSet;
use std::time::Instant;

use codegraph_index::{BuildOptions, InitOptions, Project, Silent, build};
use codegraph_model::*;
use codegraph_resolve::*;
use codegraph_store::Access;
use memory::Memory;

fn main() {
    let folder = std::env::args().nth(1).expect("usage: scip FOLDER OUT");
    let out = std::env::args().nth(2).expect("usage: scip FOLDER OUT");
    let _ = std::fs::remove_dir_all(format!("{folder}/.codegraph"));
    let project = Project::init(folder.as_ref(), &InitOptions::default()).unwrap().project;
    build(&project, &BuildOptions::default(), &Silent).unwrap();
    let store = project.store(Access::Read).unwrap();
    let memory = Memory::load(&store);
    let _ = std::fs::remove_dir_all(format!("{folder}/.codegraph"));
    let (start, busy) = (Instant::now(), cpu());
    let mut linker = Linker::new(&memory);
    let mut links = Vec::new();
    let mut refs = 0;
    for file in 0..memory.units.len() as u32 {
        refs += memory.units[file as usize].facts.refs.len();
        links.push(linker.link(file));
    }
    let linked: usize = links.iter().map(Vec::len).sum();
    let busy = cpu() - busy;
    eprintln!("{} files, {refs} refs, {linked} linked in {:?}, {busy} ms of CPU", links.len(), start.elapsed());
    if std::env::var_os("OPEN").is_some() {
        print_open(&memory, &links);
    }
    std::fs::write(out, index(&memory, &links)).unwrap();
}

/// References that stay open although the project defines their name, for a look at what is missing.
fn print_open(memory: &Memory, links: &[Vec<Link>]) {
    for (file, links) in links.iter().enumerate() {
        let unit = &memory.units[file];
        let bound: BTreeSet<RefId> = links.iter().map(|link| link.reference).collect();
        for (i, r) in unit.facts.refs.iter().enumerate() {
            let name = unit.name(r.name);
            if !bound.contains(&RefId(i as u32)) && !memory.defining(name).is_empty() {
                let (line, column) = unit.facts.position(r.span.start);
                println!("{}:{line}:{column} {:?} {}", memory.path(file as u32), r.kind, memory.text(name));
            }
        }
    }
}

/// Milliseconds of CPU time of this thread, where the system tells.
fn cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<u64>().ok()).unwrap_or(0) / 1_000_000
}

fn index(memory: &Memory, links: &[Vec<Link>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut tool = Vec::new();
    bytes(&mut tool, 1, b"codegraph");
    let mut meta = Vec::new();
    bytes(&mut meta, 2, &tool);
    bytes(&mut out, 1, &meta);
    for (file, links) in links.iter().enumerate() {
        let unit = &memory.units[file];
        let mut doc = Vec::new();
        bytes(&mut doc, 1, memory.records[file].path.as_bytes());
        for i in 1..unit.facts.symbols.len() {
            let symbol = &unit.facts.symbols[i];
            if symbol.kind == SymbolKind::Impl {
                continue;
            }
            let name = symbol_name(memory, file as u32, SymbolId(i as u32));
            occurrence(&mut doc, unit, symbol.name_span, &name, 1, Some(symbol.span));
        }
        for (i, b) in unit.facts.bindings.iter().enumerate() {
            if !matches!(b.kind, BindingKind::Again | BindingKind::Global | BindingKind::Nonlocal) {
                occurrence(&mut doc, unit, b.span, &local_name(memory, file as u32, i as u32), 1, None);
            }
        }
        let is_here = |link: &Link| matches!(link.target, Target::Symbol(_) | Target::Local(_) | Target::Parameter(..));
        let links: Vec<&Link> = links.iter().filter(|link| is_here(link)).collect();
        for (i, link) in links.iter().enumerate() {
            let r = &unit.facts.refs[link.reference.index()];
            // A key that is its own value is a member first.
            let one_meaning = unit.language.values_have_context;
            if one_meaning
                && links.get(i + 1).is_some_and(|next| unit.facts.refs[next.reference.index()].span == r.span)
            {
                continue;
            }
            let name = match &link.target {
                Target::Symbol(sym) => symbol_name(memory, sym.file, sym.symbol),
                Target::Local(binding) => local_name(memory, file as u32, *binding),
                Target::Parameter(file, binding) if is_parameter(memory, *file, *binding) => {
                    local_name(memory, *file, *binding)
                }
                _ => continue,
            };
            occurrence(&mut doc, unit, r.span, &name, 0, None);
        }
        tag(&mut doc, 6, 0);
        varint(&mut doc, 1);
        bytes(&mut out, 2, &doc);
    }
    out
}

/// Keys of literals without a name are locals of their file.
fn is_parameter(memory: &Memory, file: u32, binding: u32) -> bool {
    memory.units[file as usize].facts.bindings[binding as usize].kind == BindingKind::Param
}

/// Calls of other files name parameters, so these are no locals.
fn local_name(memory: &Memory, file: u32, binding: u32) -> String {
    let unit = &memory.units[file as usize];
    let entry = &unit.facts.bindings[binding as usize];
    match entry.kind {
        BindingKind::Param => {
            format!("codegraph . . . f{file}/s{}().(p{binding})", unit.scope(entry.scope).owner.0)
        }
        _ => format!("local {binding}"),
    }
}

fn symbol_name(memory: &Memory, file: u32, id: SymbolId) -> String {
    let symbol = memory.units[file as usize].symbol(id);
    let suffix = match symbol.kind {
        k if k.is_callable() => "().",
        SymbolKind::Property => "().",
        k if k.is_type() => "#",
        SymbolKind::TypeAlias => "#",
        SymbolKind::Macro => "!",
        k if k.is_module() => "/",
        _ => ".",
    };
    format!("codegraph . . . f{file}/s{}{suffix}", id.0)
}

fn occurrence(doc: &mut Vec<u8>, unit: &Unit, span: Span, name: &str, role: u64, around: Option<Span>) {
    let mut msg = Vec::new();
    bytes(&mut msg, 1, &range(unit, span));
    bytes(&mut msg, 2, name.as_bytes());
    if role != 0 {
        tag(&mut msg, 3, 0);
        varint(&mut msg, role);
    }
    if let Some(around) = around {
        bytes(&mut msg, 7, &range(unit, around));
    }
    bytes(doc, 2, &msg);
}

fn range(unit: &Unit, span: Span) -> Vec<u8> {
    let (line, col) = unit.facts.position(span.start);
    let (end_line, end_col) = unit.facts.position(span.end);
    let mut out = Vec::new();
    varint(&mut out, line as u64 - 1);
    varint(&mut out, col as u64);
    if end_line != line {
        varint(&mut out, end_line as u64 - 1);
    }
    varint(&mut out, end_col as u64);
    out
}

fn tag(out: &mut Vec<u8>, number: u64, wire: u64) {
    varint(out, number << 3 | wire);
}

fn bytes(out: &mut Vec<u8>, number: u64, payload: &[u8]) {
    tag(out, number, 2);
    varint(out, payload.len() as u64);
    out.extend_from_slice(payload);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
