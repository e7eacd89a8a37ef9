//! Linking: from the facts of all files to the links in the index, all at once or after a change.
//!
//! A reference is bound only when scopes, imports and types prove what it means; the link says by which rule and whether an
//! inference was needed. What stays open although the project defines the name is a *candidate*: it is counted, and shown
//! when asked for. What lies outside the project is bound to a path of names (`os.path.join`), never to a symbol of the same
//! name. Methods that may run in place of the one that is bound (`dispatch`) are found through the hierarchy when asked.
//!
//! The first build links from packed facts in memory, on all cores (`fresh.rs`). An answer of the linker that
//! met no cycle is the same wherever the question started, so it may be remembered; one that was cut short is forgotten when
//! the question ends. So links do not depend on the order of files, on threads, or on what was linked before.
//!
//! An update links again what it can have reached (`relink.rs`, `spread.rs`), and the index is then what a new one would be:
//!
//! - The *interface* of a file (`resolve/src/interface/`) says for each declaration what others can learn from it: kinds,
//!   flags, types, bases, and what a return type is inferred from. Positions and other bodies do not count.
//! - Where a declaration means something else, the links to it lead to the files that use it: they are linked again.
//! - Where one came or went, it may be found under its name by anyone who has the name in the code. The postings know those
//!   files; only their references of that name are looked up, and a file is linked again if one of them leads elsewhere.
//! - A declaration that mentions a reference which leads elsewhere, or to something that has changed, has changed itself.
//!
//! So nothing has to be recorded while linking, an edit inside a body links one file, and a common name costs a look.
//!
//! A link points to a *slot*, not to a position: a symbol keeps its slot while it keeps its name, so that an edit above it
//! rewrites no link of other files. Local names are not stored; they are found again from the facts of their file.

mod fresh;
mod relink;
mod spread;

pub(crate) use fresh::{Linkable, link_all};
pub(crate) use relink::{Dirty, new_interface, relink, stored_interface};

use codegraph_model::{FileId, RefId, RefKind, SymbolId, TermId};
use codegraph_resolve::{Link, Linker, Program, Target, Unit};
use codegraph_store::{BoundRef, FileLinks, LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;

/// The metadata key of the linker's version: another one would link differently.
pub(crate) const LINKER_KEY: &str = "linker";

/// The links of a file, and how often it uses each name that nothing proved.
pub(crate) struct Linked {
    pub(crate) links: FileLinks,
    pub(crate) unbound: Vec<(TermId, u32)>,
}

/// Links one file.
fn link_file(linker: &mut Linker<'_>, program: &dyn Program, file: FileId) -> Linked {
    let found = linker.link(file.0);
    let unit = program.unit(file.0);
    let mut targets: Vec<(LinkTarget, usize)> = Vec::new();
    let mut bound = Vec::new();
    for link in &found {
        if let Some(target) = stored_target(&link.target) {
            targets.push((target, bound.len()));
            let (reference, certainty, how) = (link.reference, link.certainty, link.how);
            let makes = makes(program, &unit, link);
            bound.push(BoundRef { reference, target: 0, certainty, how, makes });
        }
    }
    targets.sort_unstable();
    let mut distinct: Vec<LinkTarget> = Vec::new();
    for (target, place) in targets {
        if distinct.last() != Some(&target) {
            distinct.push(target);
        }
        bound[place].target = distinct.len() as u32 - 1;
    }
    let unbound = unbound(program, &unit, &found);
    let mut counts: FxHashMap<TermId, u32> = FxHashMap::default();
    for reference in &unbound {
        *counts.entry(TermId(unit.name(unit.facts.refs[reference.index()].name))).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable();
    Linked { links: FileLinks { targets: distinct, bound, unbound }, unbound: counts }
}

/// Whether a link is a call of a type.
fn makes(program: &dyn Program, unit: &Unit, link: &Link) -> bool {
    let Target::Symbol(sym) = link.target else { return false };
    unit.facts.refs[link.reference.index()].kind == RefKind::Call
        && program.unit(sym.file).symbol(sym.symbol).kind.is_type()
}

/// Local names are found again from the file alone, and packages have no symbol: neither is stored.
fn stored_target(target: &Target) -> Option<LinkTarget> {
    match target {
        Target::Symbol(sym) => Some(LinkTarget::Symbol(SymbolRow::new(FileId(sym.file), sym.symbol))),
        Target::Module(file) => Some(LinkTarget::Symbol(SymbolRow::new(FileId(*file), SymbolId(0)))),
        Target::External(external) => Some(LinkTarget::External(external.names.iter().map(|t| TermId(*t)).collect())),
        Target::Local(_) | Target::Parameter(..) | Target::Package(_) => None,
    }
}

/// The references that stay open although the project defines their name.
fn unbound(program: &dyn Program, unit: &Unit, found: &[Link]) -> Vec<RefId> {
    let mut bound = found.iter().map(|link| link.reference).peekable();
    let mut known: FxHashMap<u32, bool> = FxHashMap::default();
    let mut open = Vec::new();
    for (i, reference) in unit.facts.refs.iter().enumerate() {
        let id = RefId(i as u32);
        if bound.peek() == Some(&id) {
            bound.next();
            continue;
        }
        let name = unit.name(reference.name);
        if *known.entry(name).or_insert_with(|| is_defined(program, unit, name)) {
            open.push(id);
        }
    }
    open
}

fn is_defined(program: &dyn Program, unit: &Unit, name: u32) -> bool {
    program.defining(name).iter().any(|file| unit.language.is_related(program.language(*file)))
}
