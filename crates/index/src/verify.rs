//! Whether the index says about a file what extraction says now.

use std::hash::{BuildHasher, Hash};

use codegraph_model::{ExprOp, FileFacts, StrId, Strings};
use codegraph_store::{FileRecord, Store, Stored};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::Result;

/// The parts of a file's facts that differ from what is stored.
pub(crate) fn differences(store: &Store, record: &FileRecord, facts: &FileFacts) -> Result<Vec<&'static str>> {
    let stored = store.facts(record.id)?;
    let facts = renamed(store, &stored, facts)?;
    let old = &stored.facts;
    let parts = [
        ("lines", old.line_starts == facts.line_starts && old.length == facts.length),
        ("symbols", old.symbols == facts.symbols),
        ("scopes", old.scopes == facts.scopes),
        ("bindings", old.bindings == facts.bindings),
        ("imports", old.imports == facts.imports),
        ("references", old.refs == facts.refs),
        ("expressions", old.exprs == facts.exprs),
        ("notes", old.notes == facts.notes),
        ("header", old.header == facts.header),
        ("package", old.package == facts.package),
        ("problems", record.problems == facts.problems),
        ("generated", record.generated == facts.generated),
    ];
    Ok(parts.into_iter().filter(|(_, same)| !same).map(|(part, _)| part).collect())
}

/// The facts with their strings numbered as in the index. A string that the index does not know differs from all.
fn renamed(store: &Store, stored: &Stored, facts: &FileFacts) -> Result<FileFacts> {
    const UNKNOWN: u32 = u32::MAX - 1;
    let mut places = FxHashMap::default();
    for (place, term) in stored.names.iter().enumerate() {
        places.insert(store.text(*term)?, place as u32);
    }
    let place = |id: StrId| match id.get() {
        Some(id) => StrId(places.get(facts.name(id)).copied().unwrap_or(UNKNOWN)),
        None => id,
    };
    let mut out = FileFacts { strings: Strings::default(), terms: Vec::new(), ..facts.clone() };
    out.package = place(out.package);
    out.symbols.iter_mut().for_each(|s| (s.name, s.qualifier) = (place(s.name), place(s.qualifier)));
    out.bindings.iter_mut().for_each(|b| b.name = place(b.name));
    out.refs.iter_mut().for_each(|r| r.name = place(r.name));
    out.imports.iter_mut().for_each(|i| (i.source, i.alias) = (place(i.source), place(i.alias)));
    for expr in out.exprs.iter_mut().filter(|expr| matches!(expr.op, ExprOp::Key | ExprOp::Literal)) {
        expr.b = place(StrId(expr.b)).0;
    }
    Ok(out)
}

/// A sum over all (term, line, kind) of a file, whatever their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermSum(u64);

impl TermSum {
    pub(crate) fn add(&mut self, term: &str, line: u32, mask: u8) {
        self.0 = self.0.wrapping_add(FxBuildHasher.hash_one(Occurrence { term, line, mask }));
    }

    pub(crate) fn of(facts: &FileFacts) -> TermSum {
        let mut sum = TermSum::default();
        facts.terms.iter().for_each(|entry| sum.add(facts.name(entry.term), entry.line, entry.mask.0));
        sum
    }
}

#[derive(Hash)]
struct Occurrence<'a> {
    term: &'a str,
    line: u32,
    mask: u8,
}
