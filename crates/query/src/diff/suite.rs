//! The tests of a project: which symbols are tests, what prepares things for them, and what their runners call them.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_languages::Language;
use codegraph_languages::testing::Runner;
use codegraph_model::{BindingKind, Certainty, FileId, RefKind, Span, Symbol, SymbolId};
use codegraph_store::{FileRecord, SymbolRow};
use rustc_hash::{FxHashMap, FxHashSet};

use super::TestCase;
use super::reach::Walk;
use crate::graph::{Graph, LinkedFile};
use crate::paths::is_test;
use crate::reader::FileView;
use crate::relation::brief;
use crate::source::Source;
use crate::{Reader, Result, vocabulary};

/// The tests of a project.
#[derive(Default)]
pub(super) struct Suite {
    tests: FxHashSet<SymbolRow>,
    /// Tests by the file they are in.
    of_file: FxHashMap<FileId, Vec<SymbolRow>>,
    /// Files that are run as one test.
    whole: FxHashSet<FileId>,
    fixtures: FxHashMap<SymbolRow, Vec<SymbolRow>>,
}

/// What a function prepares for others.
struct Fixture {
    row: SymbolRow,
    name: String,
    /// Whose tests may ask for it.
    path: String,
    below: bool,
    /// All get it.
    always: bool,
}

/// A function that may ask for something by the names of its parameters.
struct Asker {
    row: SymbolRow,
    path: String,
    asks: BTreeSet<String>,
}

impl Suite {
    pub(super) fn of(reader: &Reader) -> Result<Suite> {
        let graph = Graph::new(reader);
        let (mut suite, mut fixtures, mut askers) = (Suite::default(), Vec::new(), Vec::new());
        for record in reader.store.files()? {
            let language = vocabulary::language(&record.language)?;
            let tests = &language.tests;
            if tests.runner.is_empty() || !tests.anywhere && !is_test(&record.path) {
                continue;
            }
            let file = graph.file(record.id)?;
            let view = reader.view_of(record.id)?;
            let source = match tests.fixtures.is_empty() {
                true => None,
                false => reader.source(&record).ok(),
            };
            let look = TestFile { language, record: &record, file: &file, view: &view, source };
            suite.take(&look, &mut fixtures, &mut askers);
            view.check()?;
        }
        for fixture in fixtures {
            let asks = |asker: &&Asker| {
                asker.row != fixture.row
                    && (fixture.always || asker.asks.contains(&fixture.name))
                    && fixture.serves(&asker.path)
            };
            let users = askers.iter().filter(asks).map(|asker| asker.row).collect();
            suite.fixtures.insert(fixture.row, users);
        }
        Ok(suite)
    }

    fn take(&mut self, look: &TestFile<'_>, fixtures: &mut Vec<Fixture>, askers: &mut Vec<Asker>) {
        let id = look.record.id;
        if look.declares_by_calls() {
            self.whole.insert(id);
        }
        for (symbol_id, symbol) in look.view.symbols().filter(|(_, symbol)| symbol.kind.is_callable()) {
            let row = SymbolRow::new(id, symbol_id);
            let (test, prepares) =
                (look.is_test(symbol_id, symbol), look.is_marked(symbol, look.language.tests.fixtures));
            if test && !prepares {
                match look.language.tests.names {
                    Runner::Files => drop(self.whole.insert(id)),
                    _ => {
                        self.tests.insert(row);
                        self.of_file.entry(id).or_default().push(row);
                    }
                }
            }
            if prepares {
                fixtures.push(look.fixture(row, symbol));
            }
            if (test || prepares) && !look.language.tests.fixtures.is_empty() {
                askers.push(Asker { row, path: look.record.path.clone(), asks: look.asks(symbol_id, symbol) });
            }
        }
    }

    pub(super) fn is_test(&self, row: SymbolRow) -> bool {
        self.tests.contains(&row) || self.whole.contains(&row.file)
    }

    pub(super) fn len(&self) -> usize {
        self.tests.len() + self.whole.len()
    }

    /// Who asks for what a function prepares.
    pub(super) fn fixture_users(&self, row: SymbolRow) -> impl Iterator<Item = SymbolRow> + '_ {
        self.fixtures.get(&row).into_iter().flatten().copied()
    }

    /// The tests that a symbol stands for: itself, those in it, or its whole file.
    pub(super) fn commands_of(&self, reader: &Reader, walk: &Walk<'_>, row: SymbolRow) -> Result<Vec<TestCase>> {
        let file = walk.graph().file(row.file)?;
        let inside = |test: &&SymbolRow| row.symbol.0 == 0 || file.is_inside(test.symbol, row.symbol);
        let tests: Vec<SymbolRow> = self.of_file.get(&row.file).into_iter().flatten().filter(inside).copied().collect();
        let whole = self.whole.contains(&row.file);
        if tests.is_empty() && !whole {
            return Ok(Vec::new());
        }
        let view = reader.view_of(row.file)?;
        let tests_of = vocabulary::language(&view.record.language)?.tests;
        let mut found = Vec::new();
        if whole {
            let name = view.record.path.clone();
            found.push(TestCase { name, line_number: None, ..case(&view, tests_of.runner) });
        }
        for test in tests {
            let brief = brief(&view, test.symbol);
            let name = called(&view, test.symbol, tests_of.names, &brief.fqn);
            found.push(TestCase { name, line_number: Some(brief.line_number), ..case(&view, tests_of.runner) });
        }
        Ok(found)
    }
}

fn case(view: &FileView<'_>, runner: &'static str) -> TestCase {
    let (file, level, certainty) = (view.record.path.clone(), 0, Certainty::Exact);
    TestCase { name: String::new(), runner, file, line_number: None, level, certainty }
}

/// What a runner calls a test.
fn called(view: &FileView<'_>, id: SymbolId, how: Runner, fqn: &str) -> String {
    let (mut scopes, mut at) = (Vec::new(), id);
    while at.is_some() && at.0 != 0 {
        scopes.push(view.name(at));
        at = view.symbol(at).parent;
    }
    scopes.reverse();
    let path = &view.record.path;
    match how {
        Runner::Nodes => format!("{path}::{}", scopes.join("::")),
        Runner::Files => path.clone(),
        Runner::Packages => {
            let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("/{folder}"));
            format!(".{folder} {}", scopes.last().unwrap_or(&""))
        }
        Runner::Modules => match fqn.split_once("::") {
            Some((_, rest)) => rest.to_owned(),
            None => fqn.to_owned(),
        },
        Runner::Qualified => fqn.to_owned(),
        Runner::Members => scopes[scopes.len().saturating_sub(2)..].join("::"),
    }
}

/// What runners are told: names of one package are run together.
pub(super) fn commands(tests: &[TestCase]) -> Vec<(&'static str, String)> {
    let mut packages: BTreeMap<(&'static str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut found = Vec::new();
    for test in tests {
        match test.name.split_once(' ').filter(|(folder, _)| folder.starts_with('.')) {
            Some((folder, name)) => drop(packages.entry((test.runner, folder)).or_default().insert(name)),
            None => found.push((test.runner, test.name.clone())),
        }
    }
    for ((runner, folder), names) in packages {
        let names: Vec<&str> = names.into_iter().collect();
        found.push((runner, format!("{folder} -run ^({})$", names.join("|"))));
    }
    found
}

impl Fixture {
    fn serves(&self, path: &str) -> bool {
        match (self.below, self.path.rsplit_once('/')) {
            (true, Some((folder, _))) => path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
            (true, None) => true,
            (false, _) => self.path == path,
        }
    }
}

/// A file that may have tests.
struct TestFile<'l> {
    language: &'static Language,
    record: &'l FileRecord,
    file: &'l LinkedFile,
    view: &'l FileView<'l>,
    source: Option<Source>,
}

impl TestFile<'_> {
    fn text(&self, span: Span) -> String {
        self.source.as_ref().map(|source| source.text(span)).unwrap_or_default()
    }

    fn is_test(&self, id: SymbolId, symbol: &Symbol) -> bool {
        let tests = &self.language.tests;
        let name = self.view.name(id);
        let named = is_test(&self.record.path) && tests.prefixes.iter().any(|prefix| name.starts_with(prefix));
        // What is inside of functions is found by nobody.
        let around = symbol.parent.get().filter(|parent| self.view.symbol(*parent).kind.is_callable());
        around.is_none() && (named || self.is_marked(symbol, tests.marks))
    }

    /// Whether one of its decorators has one of these names.
    fn is_marked(&self, symbol: &Symbol, marks: &[&str]) -> bool {
        let decorates = |span: Span| symbol.decorators.iter().any(|own| own.contains(span.start));
        let facts = &self.file.stored.facts;
        !marks.is_empty()
            && !symbol.decorators.is_empty()
            && facts.refs.iter().any(|reference| {
                decorates(reference.span)
                    && marks.contains(&codegraph_store::NameSource::text(self.view, reference.name))
            })
    }

    /// Whether calls in it declare tests that have no names.
    fn declares_by_calls(&self) -> bool {
        let calls = self.language.tests.calls;
        !calls.is_empty()
            && self.file.stored.facts.refs.iter().any(|reference| {
                matches!(reference.kind, RefKind::Call | RefKind::Read)
                    && calls.contains(&codegraph_store::NameSource::text(self.view, reference.name))
            })
    }

    fn fixture(&self, row: SymbolRow, symbol: &Symbol) -> Fixture {
        let path = self.record.path.clone();
        let stem = path.rsplit('/').next().unwrap_or(&path).split('.').next().unwrap_or_default().to_owned();
        let words: String = symbol.decorators.iter().map(|span| self.text(*span)).collect();
        let tests = &self.language.tests;
        let renamed = quoted_after(&words, tests.renames);
        Fixture {
            row,
            name: renamed.unwrap_or_else(|| self.view.name(row.symbol).to_owned()),
            below: tests.shared.contains(&stem.as_str()),
            always: words.contains(tests.always),
            path,
        }
    }

    /// The names that a function asks for: its parameters, and those that its decorators spell.
    fn asks(&self, id: SymbolId, symbol: &Symbol) -> BTreeSet<String> {
        let facts = &self.file.stored.facts;
        let owns = |scope: codegraph_model::ScopeId| facts.scopes.get(scope.index()).is_some_and(|own| own.owner == id);
        let params = facts.bindings.iter().filter(|binding| binding.kind == BindingKind::Param && owns(binding.scope));
        let mut asks: BTreeSet<String> =
            params.map(|binding| codegraph_store::NameSource::text(self.view, binding.name).to_owned()).collect();
        let mut around = Some(symbol);
        while let Some(symbol) = around {
            let asking = symbol.decorators.iter().map(|span| self.text(*span));
            for text in asking.filter(|text| text.contains(self.language.tests.asks)) {
                asks.extend(text.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned));
            }
            around = symbol.parent.get().filter(|parent| parent.0 != 0).map(|parent| self.view.symbol(parent));
        }
        asks
    }
}

/// `name="x"` gives `x`.
fn quoted_after(text: &str, before: &str) -> Option<String> {
    let (_, rest) = text.split_once(before)?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    rest[1..].split(mark).next().map(str::to_owned)
}
