//! Whom changes concern: from what changed to whoever uses it, level by level; first along what is proved, then along what
//! only names or conventions connect.

use std::collections::BTreeMap;

use codegraph_model::{Certainty, RefKind, SymbolId};
use codegraph_store::SymbolRow;
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};

use super::suite::Suite;
use crate::dispatch::{overridden, owner};
use crate::graph::{Graph, Site};
use crate::paths::is_test;
use crate::refs::uses;
use crate::{Reader, Result, vocabulary};

/// Symbols that a walk visits at most.
pub(super) const MOST: usize = 50_000;
/// A name that more files define says little about which of them is meant.
const MOST_DEFINERS: usize = 6;

/// Why one symbol is concerned by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is what was changed.
    Itself,
    Use(RefKind),
    /// The other one is inside it.
    Around,
    /// The other one makes its values, or is a member that is run without being named.
    Member,
    /// It calls a method that the other one may stand for.
    Override,
    /// It asks for what the other one prepares.
    Fixture,
    /// It uses the name, and nothing proves what that means.
    Name,
    /// It loads the other one's file.
    Import,
}

impl Step {
    pub fn word(self) -> &'static str {
        match self {
            Step::Itself => "itself",
            Step::Use(kind) => kind.word(),
            Step::Around => "around",
            Step::Member => "member",
            Step::Override => "override",
            Step::Fixture => "fixture",
            Step::Name => "name",
            Step::Import => "import",
        }
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// A symbol that a walk came to.
pub(super) struct Reached {
    pub(super) level: u32,
    pub(super) row: SymbolRow,
    pub(super) via: Option<SymbolRow>,
    pub(super) step: Step,
    pub(super) line: Option<u32>,
    pub(super) certainty: Certainty,
}

/// One step away from a symbol.
struct Next {
    row: SymbolRow,
    step: Step,
    line: Option<u32>,
    certainty: Certainty,
}

/// A walk over one side.
pub(super) struct Walk<'r> {
    graph: Graph<'r>,
    suite: &'r Suite,
    reached: Vec<Reached>,
    places: FxHashMap<SymbolRow, usize>,
    open_names: BTreeMap<String, u64>,
}

impl<'r> Walk<'r> {
    pub(super) fn new(reader: &'r Reader, suite: &'r Suite) -> Walk<'r> {
        let graph = Graph::new(reader);
        Walk { graph, suite, reached: Vec::new(), places: FxHashMap::default(), open_names: BTreeMap::new() }
    }

    pub(super) fn graph(&self) -> &Graph<'r> {
        &self.graph
    }

    pub(super) fn reached(&self) -> &[Reached] {
        &self.reached
    }

    /// Names of what changed that stand where nothing proves what they mean, and how often.
    pub(super) fn open_names(&self) -> &BTreeMap<String, u64> {
        &self.open_names
    }

    /// Something that changed.
    pub(super) fn start(&mut self, row: SymbolRow) {
        let (step, certainty) = (Step::Itself, Certainty::Exact);
        self.visit(None, Next { row, step, line: None, certainty });
    }

    fn visit(&mut self, from: Option<usize>, next: Next) {
        if self.reached.len() >= MOST || self.places.contains_key(&next.row) {
            return;
        }
        self.places.insert(next.row, self.reached.len());
        let (level, via, known) = match from.map(|at| &self.reached[at]) {
            Some(before) => (before.level + 1, Some(before.row), before.certainty),
            None => (0, None, Certainty::Exact),
        };
        let certainty = known.max(next.certainty);
        self.reached.push(Reached { level, row: next.row, via, step: next.step, line: next.line, certainty });
    }

    pub(super) fn run(&mut self, proven: bool) -> Result<()> {
        for at in 0..self.reached.len() {
            self.count_open(self.reached[at].row)?;
        }
        let mut at = 0;
        while at < self.reached.len() {
            self.proved(at)?.into_iter().for_each(|next| self.visit(Some(at), next));
            at += 1;
        }
        let mut at = if proven { self.reached.len() } else { 0 };
        while at < self.reached.len() {
            if self.reached[at].certainty == Certainty::Candidate {
                self.proved(at)?.into_iter().for_each(|next| self.visit(Some(at), next));
            }
            self.likely(at)?.into_iter().for_each(|next| self.visit(Some(at), next));
            at += 1;
        }
        Ok(())
    }

    /// Who is concerned for sure.
    fn proved(&self, at: usize) -> Result<Vec<Next>> {
        let (row, step) = (self.reached[at].row, self.reached[at].step);
        let mut next = Vec::new();
        // Code outside of all functions runs when its file is loaded; a test that gets there is in that file.
        if row.symbol.0 == 0 && step != Step::Itself {
            return Ok(next);
        }
        for site in uses(&self.graph, row)? {
            let kind = site.reference.kind;
            // To import is not yet to use; and what only names a type does not run its members.
            let counts = match kind {
                RefKind::Import => row.symbol.0 == 0,
                RefKind::TypeRef => step != Step::Member,
                _ => true,
            };
            if counts {
                next.push(self.used(&site, Step::Use(kind), site.certainty)?);
            }
        }
        let file = self.graph.file(row.file)?;
        let symbols = &file.stored.facts.symbols;
        let symbol = &symbols[row.symbol.index()];
        let (parent, plain) =
            (symbol.parent, |row, step| Next { row, step, line: None, certainty: Certainty::Inferred });
        if let Some(around) = parent.get().filter(|around| symbols[around.index()].kind.is_callable()) {
            next.push(plain(SymbolRow::new(row.file, around), Step::Around));
        }
        if symbol.kind == codegraph_model::SymbolKind::Constructor
            && let Some(owner) = owner(&self.graph, row)?
        {
            next.push(plain(owner, Step::Member));
        }
        next.extend(self.suite.fixture_users(row).map(|row| plain(row, Step::Fixture)));
        Ok(next)
    }

    /// Who may be concerned, by a name or by how programs are run.
    fn likely(&self, at: usize) -> Result<Vec<Next>> {
        let (row, first) = (self.reached[at].row, self.reached[at].step == Step::Itself);
        if row.symbol.0 == 0 || self.suite.is_test(row) {
            return Ok(Vec::new());
        }
        let mut next = Vec::new();
        let maybe = |row, step| Next { row, step, line: None, certainty: Certainty::Candidate };
        let file = self.graph.file(row.file)?;
        let symbol = &file.stored.facts.symbols[row.symbol.index()];
        // What tests declare concerns no other code.
        let test = is_test(&self.graph.reader.record(row.file)?.path);
        let used = uses(&self.graph, row)?.iter().any(|site| site.reference.kind != RefKind::Import);
        for base in overridden(&self.graph, row)? {
            for site in self.graph.uses_of(base)? {
                next.push(self.used(&site, Step::Override, Certainty::Candidate)?);
            }
        }
        // A name that stands open may mean many things: it counts where there is nothing better.
        if !used {
            next.extend(self.named(row, test)?);
        }
        if !symbol.kind.is_callable() {
            return Ok(next);
        }
        let language = vocabulary::language(&self.graph.reader.record(row.file)?.language)?;
        let name = self.graph.reader.store.text(file.stored.term(symbol.name))?;
        let implicit = !language.implicit_members.is_empty() && name.starts_with(language.implicit_members);
        match owner(&self.graph, row)? {
            Some(owner) if implicit || !used && (self.answers_others(owner)? || !symbol.decorators.is_empty()) => {
                next.push(maybe(owner, Step::Member));
            }
            None if !used && first && (!symbol.decorators.is_empty() || next.is_empty()) => {
                for site in self.graph.uses_of(SymbolRow::new(row.file, SymbolId(0)))? {
                    next.push(self.used(&site, Step::Import, Certainty::Candidate)?);
                }
            }
            _ => {}
        }
        Ok(next)
    }

    /// Whether somebody outside may call members of a type: it stands for another one.
    fn answers_others(&self, owner: SymbolRow) -> Result<bool> {
        let file = self.graph.file(owner.file)?;
        let symbol = &file.stored.facts.symbols[owner.symbol.index()];
        Ok(!symbol.bases.is_empty() || !crate::hierarchy::bases_of(&self.graph, owner)?.is_empty())
    }

    fn used(&self, site: &Site, step: Step, certainty: Certainty) -> Result<Next> {
        let file = self.graph.file(site.user.file)?;
        let line = Some(file.stored.facts.line_of(site.reference.span.start));
        Ok(Next { row: site.user, step, line, certainty })
    }

    /// Places that use the name of a symbol without proof, where few files define it.
    fn named(&self, row: SymbolRow, test: bool) -> Result<Vec<Next>> {
        let file = self.graph.file(row.file)?;
        let around = |at: SymbolId| file.stored.facts.symbols[at.index()].parent;
        // Nobody outside knows what a function declares inside.
        let mut at = around(row.symbol);
        while at.is_some() && at.0 != 0 {
            if file.stored.facts.symbols[at.index()].kind.is_callable() {
                return Ok(Vec::new());
            }
            at = around(at);
        }
        let Some(name) = file.stored.facts.symbols[row.symbol.index()].name.get() else { return Ok(Vec::new()) };
        let (name, store) = (file.stored.term(name), &self.graph.reader.store);
        let open = store.unbound(name)?;
        let mut next = Vec::new();
        if open.is_empty() || store.definers(name)?.len() > MOST_DEFINERS {
            return Ok(next);
        }
        let language = vocabulary::language(&self.graph.reader.record(row.file)?.language)?;
        for (user, _) in open {
            let record = self.graph.reader.record(user)?;
            let related = vocabulary::language(&record.language)?.is_related(language);
            if !related || test && !is_test(&record.path) {
                continue;
            }
            let linked = self.graph.file(user)?;
            for reference in linked.links.unbound.iter().filter_map(|id| linked.stored.facts.refs.get(id.index())) {
                if linked.stored.term(reference.name) == name {
                    let row = SymbolRow::new(user, linked.user(reference));
                    let line = Some(linked.stored.facts.line_of(reference.span.start));
                    next.push(Next { row, step: Step::Name, line, certainty: Certainty::Candidate });
                }
            }
        }
        Ok(next)
    }

    fn count_open(&mut self, row: SymbolRow) -> Result<()> {
        let file = self.graph.file(row.file)?;
        let Some(name) = file.stored.facts.symbols[row.symbol.index()].name.get() else { return Ok(()) };
        let store = &self.graph.reader.store;
        let sites: u64 = store.unbound(file.stored.term(name))?.iter().map(|(_, sites)| u64::from(*sites)).sum();
        if sites > 0 {
            self.open_names.insert(store.text(file.stored.term(name))?.to_string(), sites);
        }
        Ok(())
    }
}
