//! Symbols and files that a task names: identifiers, qualified names, paths, frames of tracebacks.

use codegraph_model::FileId;
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;

use super::task::{Mention, Task};
use crate::graph::{Graph, is_call};
use crate::lookup::{self, Wanted};
use crate::paths::is_test;
use crate::{Mode, Reader, Result};

/// Symbols that one name may stand for and still tells something.
const MOST_OF_A_NAME: usize = 60;

/// What the only symbol of a name gains, and its file.
const SYMBOL: f64 = 0.3;
const FILE: f64 = 0.4;

/// Named symbols whose callees are looked at, and what the only file of those gains: a test is named for what it tests.
const MOST_ASKED: usize = 8;
const LEAST_SAID: f64 = 0.1;
const USED: f64 = 0.3;
const USED_BY_TEST: f64 = 0.8;
/// What use by others adds at most.
const MOST_USED: f64 = 0.5;

/// How much the names and places of a task say for symbols and files.
#[derive(Default)]
pub(super) struct Named {
    symbols: FxHashMap<SymbolRow, f64>,
    files: FxHashMap<FileId, f64>,
    /// Files of what the named symbols call.
    used: FxHashMap<FileId, f64>,
}

impl Named {
    pub(super) fn of(reader: &Reader, task: &Task) -> Result<Named> {
        let mut named = Named::default();
        // The fewer words a task has, the likelier a name in it is what it asks for.
        let alone = 2.0 / task.words.len().max(1) as f64;
        for name in &task.names {
            named.name(reader, &name.text, name.said, SYMBOL + alone)?;
        }
        if !task.places.is_empty() {
            named.places(reader, &task.places)?;
        }
        named.uses(reader)?;
        Ok(named)
    }

    /// What the names say for a symbol: bounded, since a task may name one thing many times, and since the functions of a
    /// traceback are where it was noticed, seldom where it is wrong.
    pub(super) fn symbol(&self, row: SymbolRow) -> f64 {
        self.symbols.get(&row).map_or(0.0, |said| said.min(0.8))
    }

    pub(super) fn file(&self, file: FileId) -> f64 {
        let used = self.used.get(&file).map_or(0.0, |said| said.min(MOST_USED));
        self.files.get(&file).map_or(0.0, |said| said.min(1.0)) + used
    }

    /// What a named symbol calls is near to what the task is about.
    fn uses(&mut self, reader: &Reader) -> Result<()> {
        let mut asked: Vec<(SymbolRow, f64)> = self.symbols.iter().map(|(row, said)| (*row, *said)).collect();
        asked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let graph = Graph::new(reader);
        for (row, said) in asked.into_iter().take(MOST_ASKED).filter(|(_, said)| *said > LEAST_SAID) {
            let mut files: Vec<FileId> = Vec::new();
            for one in graph.uses_by(row)?.iter().filter(|one| is_call(one.site.reference.kind)) {
                if let LinkTarget::Symbol(callee) = one.target {
                    files.push(callee.file);
                }
            }
            files.sort_unstable();
            files.dedup();
            let gain = if is_test(&reader.record(row.file)?.path) { USED_BY_TEST } else { USED };
            let each = gain * (said * 2.0).min(1.0) / (files.len().max(1) as f64).sqrt();
            for file in files.into_iter().filter(|file| *file != row.file) {
                *self.used.entry(file).or_default() += each;
            }
        }
        Ok(())
    }

    fn name(&mut self, reader: &Reader, text: &str, said: f64, gain: f64) -> Result<()> {
        let mut said = said;
        let mut found = lookup::by_selector(reader, &text.into(), true, &Wanted::anything())?;
        if found.is_empty()
            && let Some((_, last)) = text.rsplit_once(['.', ':', '#'])
            && last.len() > 2
        {
            said *= 0.5;
            found = lookup::by_name(reader, last, Mode::Exact, true, &Wanted::anything())?;
        }
        found.retain(|one| one.rank == 0 && one.symbol.0 != 0);
        if found.is_empty() || found.len() > MOST_OF_A_NAME {
            return Ok(());
        }
        let each = said / (found.len() as f64).sqrt();
        for one in &found {
            let row = SymbolRow::new(one.file.id, one.symbol);
            *self.symbols.entry(row).or_default() += gain * each;
            let file = self.files.entry(one.file.id).or_default();
            *file = file.max(FILE * each);
        }
        Ok(())
    }

    fn places(&mut self, reader: &Reader, places: &[Mention]) -> Result<()> {
        let mut by_name: FxHashMap<String, Vec<(FileId, String)>> = FxHashMap::default();
        for (id, path) in reader.store.paths()? {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            by_name.entry(name).or_default().push((id, path));
        }
        let mut depth = 0;
        for place in places {
            let name = place.path.rsplit('/').next().unwrap_or(&place.path);
            let Some(files) = by_name.get(name) else {
                continue;
            };
            let common = |path: &str| {
                let pairs = path.rsplit('/').zip(place.path.rsplit('/'));
                pairs.take_while(|(a, b)| a == b).count()
            };
            let best = files.iter().map(|(_, path)| common(path)).max().unwrap_or(0);
            let fitting: Vec<&(FileId, String)> = files.iter().filter(|(_, path)| common(path) == best).collect();
            // One name alone may be anything: `__init__.py`, `index.js`.
            if fitting.len() > 3 {
                continue;
            }
            let said = 1.0 / (1.0 + 0.5 * f64::from(depth)) / fitting.len() as f64;
            depth += 1;
            for (file, _) in fitting {
                let known = self.files.entry(*file).or_default();
                *known += said;
                self.frame(reader, *file, place, said)?;
            }
        }
        Ok(())
    }

    /// The function that a frame is in, by its name or else by its line.
    fn frame(&mut self, reader: &Reader, file: FileId, place: &Mention, said: f64) -> Result<()> {
        let view = reader.view_of(file)?;
        let name = place.function.as_deref().map(|name| name.rsplit('.').next().unwrap_or(name));
        let mut best: Option<(u32, codegraph_model::SymbolId)> = None;
        for (id, symbol) in view.symbols().skip(1).filter(|(_, symbol)| symbol.kind.is_callable()) {
            let fits = match name {
                Some(name) => symbol.name.is_some() && view.name(id) == name,
                None => place.line.is_some_and(|line| {
                    let facts = view.facts();
                    (facts.line_of(symbol.span.start)..=facts.line_of(symbol.span.end)).contains(&line)
                }),
            };
            if fits && best.is_none_or(|(size, _)| symbol.span.len() < size) {
                best = Some((symbol.span.len(), id));
            }
        }
        if let Some((_, id)) = best {
            *self.symbols.entry(SymbolRow::new(file, id)).or_default() += said;
        }
        view.check()
    }
}
