//! What differs between two states of a project: symbols that came, went, moved or changed, whom that concerns level by
//! level, and which tests get there.
//!
//! Each side is read where it is itself: an index of the old state, one of the new. So lines that merely moved are no
//! difference, and what is gone is looked up where it still was.

mod pair;
mod reach;
mod side;
mod suite;

use std::collections::{BTreeMap, BTreeSet};

use codegraph_model::Certainty;
use codegraph_store::SymbolRow;
use serde::Serialize;

use crate::relation::{Describer, SymbolBrief};
use crate::{Note, Reader, Remarks, Result, Window};
use pair::Paired;
pub use reach::Step;
use reach::{MOST, Reached, Walk};
pub use side::{Side, side};
use suite::Suite;

/// How to show a difference.
#[derive(Clone, Debug)]
pub struct Diff {
    /// How many levels of those concerned to list. Tests are found however far they are.
    pub depth: u32,
    /// Leave out what only names connect.
    pub proven: bool,
    pub window: Window,
}

impl Default for Diff {
    fn default() -> Diff {
        Diff { depth: 3, proven: false, window: Window::default() }
    }
}

/// What happened to a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    Added,
    Removed,
    /// To another place or name.
    Moved,
    Changed,
}

/// What of a symbol is not as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Signature,
    Body,
    Documentation,
    /// It reads the same, and its names mean something else.
    Meaning,
}

/// A symbol that is not as before.
#[derive(Clone, Debug, Serialize)]
pub struct SymbolDiff {
    pub fate: Fate,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Where it is now; of a removed one, where it was.
    pub symbol: SymbolBrief,
    /// Where it was, if that is another place or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<SymbolBrief>,
    pub signature: String,
    /// Given where it was another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_signature: Option<String>,
}

/// Who is concerned.
#[derive(Clone, Debug, Serialize)]
pub struct Concerned {
    pub level: u32,
    pub symbol: SymbolBrief,
    /// What it has to do with, and how and where.
    pub via: String,
    pub step: Step,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_number: Option<u32>,
    pub certainty: Certainty,
}

/// A test that gets to a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TestCase {
    /// What its runner calls it.
    pub name: String,
    pub runner: &'static str,
    pub file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_number: Option<u32>,
    /// How many steps it is away; 0 for a test that was changed itself.
    pub level: u32,
    pub certainty: Certainty,
}

/// A name of a changed symbol that stands where nothing proves what it means.
#[derive(Clone, Debug, Serialize)]
pub struct OpenName {
    pub name: String,
    pub sites: u64,
}

/// The difference between two states.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DiffAnswer {
    pub from: String,
    /// Absent for the working tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Source files and manifests that differ.
    pub files: Vec<String>,
    pub total_files: usize,
    pub counts: BTreeMap<Fate, usize>,
    pub symbols: Vec<SymbolDiff>,
    pub total: usize,
    pub concerned: Vec<Concerned>,
    pub total_concerned: usize,
    pub tests: Vec<TestCase>,
    pub total_tests: usize,
    /// All tests that the project has.
    pub all_tests: usize,
    /// What its runner is told to run, one argument or line each. All of them.
    #[serde(skip)]
    pub commands: Vec<(&'static str, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_names: Vec<OpenName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A difference that is being put together: first from the symbols of both sides, then from whom they concern on each.
pub struct Comparison {
    pairs: Vec<Paired>,
    concerned: Vec<Concerned>,
    tests: BTreeMap<(&'static str, String), TestCase>,
    all_tests: usize,
    commands: BTreeSet<(&'static str, String)>,
    open_names: BTreeMap<String, u64>,
    remarks: Remarks,
}

impl Comparison {
    /// Pairs the symbols of the two sides.
    pub fn of(old: Side, new: Side) -> Comparison {
        Comparison {
            pairs: pair::pairs(old, new),
            concerned: Vec::new(),
            tests: BTreeMap::new(),
            all_tests: 0,
            commands: BTreeSet::new(),
            open_names: BTreeMap::new(),
            remarks: Remarks::default(),
        }
    }

    /// Whether the old side has to be asked too.
    pub fn has_removed(&self) -> bool {
        self.pairs.iter().any(|pair| pair.fate == Fate::Removed)
    }

    /// Finds out whom what is there now concerns.
    pub fn reach_new(&mut self, reader: &Reader, question: &Diff) -> Result<()> {
        self.remarks = Remarks::of(reader);
        self.reach(reader, question, false)
    }

    /// Finds out whom what is gone concerned.
    pub fn reach_old(&mut self, reader: &Reader, question: &Diff) -> Result<()> {
        self.reach(reader, question, true)
    }

    fn reach(&mut self, reader: &Reader, question: &Diff, old: bool) -> Result<()> {
        let suite = Suite::of(reader)?;
        let mut walk = Walk::new(reader, &suite);
        for pair in self.pairs.iter().filter(|pair| (pair.fate == Fate::Removed) == old && pair.concerns_others()) {
            let item = if old { &pair.old } else { &pair.new };
            let item = item.as_ref().expect("a symbol is on the side that its fate says");
            if let Some(record) = reader.store.file_by_path(&item.path)? {
                walk.start(SymbolRow::new(record.id, item.id));
            }
        }
        walk.run(question.proven)?;
        self.take(reader, &walk, &suite, question, old)
    }

    /// What the walk over one side has found. What is gone on the other side is not listed.
    fn take(&mut self, reader: &Reader, walk: &Walk<'_>, suite: &Suite, question: &Diff, old: bool) -> Result<()> {
        let mut describer = Describer::new(walk.graph());
        let mut rows: Vec<&Reached> = walk.reached().iter().collect();
        rows.sort_by_key(|reached| reached.level);
        for reached in rows {
            for name in suite.commands_of(reader, walk, reached.row)? {
                let known = self.tests.entry((name.runner, name.name.clone())).or_insert_with(|| TestCase {
                    level: reached.level,
                    certainty: reached.certainty,
                    ..name
                });
                known.certainty = known.certainty.min(reached.certainty);
            }
            let Some(via) = reached.via.filter(|_| reached.level <= question.depth && !suite.is_test(reached.row))
            else {
                continue;
            };
            let symbol = describer.brief(reached.row)?;
            if old && self.concerned.iter().any(|known| known.symbol.fqn == symbol.fqn) {
                continue;
            }
            self.concerned.push(Concerned {
                level: reached.level,
                symbol,
                via: describer.brief(via)?.fqn,
                step: reached.step,
                line_number: reached.line,
                certainty: reached.certainty,
            });
        }
        for (name, sites) in walk.open_names() {
            *self.open_names.entry(name.clone()).or_default() += sites;
        }
        if !old {
            self.all_tests = suite.len();
        }
        if walk.reached().len() >= MOST {
            self.remarks.note(Note::StoppedAfter { symbols: MOST });
        }
        Ok(())
    }

    /// The answer, of which the window shows a part.
    pub fn answer(mut self, paths: Vec<String>, question: &Diff) -> DiffAnswer {
        self.concerned.sort_by(|a, b| {
            (a.level, &a.symbol.file, a.symbol.line_number).cmp(&(b.level, &b.symbol.file, b.symbol.line_number))
        });
        let mut tests: Vec<TestCase> = self.tests.into_values().collect();
        self.commands.extend(suite::commands(&tests));
        tests.sort_by(|a, b| (a.certainty, a.level, &a.name).cmp(&(b.certainty, b.level, &b.name)));
        let symbols: Vec<SymbolDiff> = self.pairs.into_iter().map(Paired::shown).collect();
        let mut counts = BTreeMap::new();
        symbols.iter().for_each(|symbol| *counts.entry(symbol.fate).or_default() += 1);
        let window = question.window;
        let longest = symbols.len().max(self.concerned.len()).max(tests.len());
        DiffAnswer {
            total_files: paths.len(),
            files: window.of(&paths).to_vec(),
            counts,
            total: symbols.len(),
            symbols: window.of(&symbols).to_vec(),
            total_concerned: self.concerned.len(),
            concerned: window.of(&self.concerned).to_vec(),
            total_tests: tests.len(),
            tests: window.of(&tests).to_vec(),
            all_tests: self.all_tests,
            commands: self.commands.into_iter().collect(),
            open_names: self.open_names.into_iter().map(|(name, sites)| OpenName { name, sites }).collect(),
            next_offset: window.next(longest),
            remarks: self.remarks,
            ..DiffAnswer::default()
        }
    }
}
