//! Everything that a map is made of: all files with their symbols, and who refers to whom. Read in one parallel pass.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codegraph_model::{FileId, Import, ImportFlags, RefId, RefKind, Span, Symbol, SymbolId, SymbolKind, TermId};
use codegraph_store::{Access, FileRecord, LinkTarget, Slots, Store, Vocabulary, WalkedFile};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::{Layout, NO_NODE, layout};
use crate::{Reader, Result, paths};

/// A file of the project.
pub(super) struct MapFile {
    pub(super) record: Arc<FileRecord>,
    pub(super) test: bool,
    /// Others or a program wrote it: it comes last.
    pub(super) others: bool,
    pub(super) names: Vec<TermId>,
    pub(super) symbols: Vec<Symbol>,
    /// The line on which each symbol is named.
    pub(super) lines: Vec<u32>,
    pub(super) layout: Layout,
    pub(super) imports: Vec<RawImport>,
    /// Calls of functions: the line of the map that calls, and what is called. Distinct, in source order.
    pub(super) calls: Vec<(u32, SymbolAt)>,
    uses: Vec<RawUse>,
    slots: Slots,
}

/// A symbol of the atlas: place of the file, place of the symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SymbolAt {
    pub(super) file: u32,
    pub(super) symbol: u32,
}

/// An import, and where its names lead.
#[derive(Clone, Debug)]
pub(super) struct RawImport {
    pub(super) source: Option<TermId>,
    pub(super) path: Vec<TermId>,
    pub(super) level: u8,
    pub(super) flags: ImportFlags,
    /// The name that means a file as a module, last or before the last; the last that means anything else elsewhere.
    pub(super) module: Option<u32>,
    pub(super) item: Option<u32>,
    /// Some name means something of the importing file itself, such as a module that it declares.
    pub(super) own: bool,
}

/// How a file uses a symbol.
#[derive(Clone, Copy, Debug)]
struct RawUse {
    target: SymbolAt,
    line: u32,
    count: u32,
    imports: u32,
}

/// Uses of a symbol by a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub(super) target: SymbolAt,
    /// Place of the file that uses it: places are in path order.
    pub(super) source: u32,
    /// The first line that uses it; the line of the import if nothing else does.
    pub(super) line: u32,
    /// How often, imports apart.
    pub(super) count: u32,
    pub(super) imports: u32,
}

impl Use {
    /// Imports count only where nothing else does.
    pub(super) fn locations(&self) -> u32 {
        if self.count > 0 { self.count } else { self.imports }
    }
}

/// All files, in path order, and all uses, by target.
pub(super) struct Atlas {
    pub(super) files: Vec<MapFile>,
    pub(super) texts: Vocabulary,
    uses: Vec<Use>,
    /// Where the uses of each file's symbols begin.
    starts: Vec<usize>,
    /// How many other files use something of each file.
    users: Vec<usize>,
    pub(super) by_path: FxHashMap<String, u32>,
}

impl Atlas {
    pub(super) fn read(reader: &Reader) -> Result<Atlas> {
        let index = reader.store.path();
        // Both are read from beginning to end by one thread: by one each.
        let (records, texts) = std::thread::scope(|scope| {
            let texts = scope.spawn(|| Store::open(index, Access::Read)?.vocabulary());
            let records = reader.store.files();
            (records, texts.join().expect("reading does not panic"))
        });
        let (records, texts): (Vec<Arc<FileRecord>>, _) = (records?.into_iter().map(Arc::new).collect(), texts?);
        let most = records.iter().map(|record| record.id.0).max().map_or(0, |id| id as usize + 1);
        let mut places = vec![u32::MAX; most];
        for (place, record) in records.iter().enumerate() {
            places[record.id.0 as usize] = place as u32;
        }
        let by_path = records.iter().enumerate().map(|(place, r)| (r.path.clone(), place as u32)).collect();
        let mut files = walk(index, &records, &places, &texts)?;
        for file in &mut files {
            file.others = reader.origin(&file.record.path)?.is_some();
        }
        let uses = settle(&mut files);
        let mut starts = vec![0; files.len() + 1];
        for entry in &uses {
            starts[entry.target.file as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut atlas = Atlas { files, texts, uses, starts, users: Vec::new(), by_path };
        atlas.users = (0..atlas.files.len() as u32).into_par_iter().map(|file| atlas.count_users(file)).collect();
        Ok(atlas)
    }

    /// The uses of a file's symbols, by symbol, then by path of the user.
    pub(super) fn uses(&self, file: u32) -> &[Use] {
        &self.uses[self.starts[file as usize]..self.starts[file as usize + 1]]
    }

    /// The uses of one symbol.
    pub(super) fn uses_of(&self, at: SymbolAt) -> &[Use] {
        let uses = self.uses(at.file);
        let start = uses.partition_point(|entry| entry.target < at);
        let length = uses[start..].partition_point(|entry| entry.target == at);
        &uses[start..start + length]
    }

    /// How many other files use something of a file.
    pub(super) fn users(&self, file: u32) -> usize {
        self.users[file as usize]
    }

    fn count_users(&self, file: u32) -> usize {
        let sources: FxHashSet<u32> = self.uses(file).iter().map(|entry| entry.source).collect();
        sources.len() - usize::from(sources.contains(&file))
    }

    pub(super) fn all_uses(&self) -> &[Use] {
        &self.uses
    }

    pub(super) fn symbol(&self, at: SymbolAt) -> &Symbol {
        &self.files[at.file as usize].symbols[at.symbol as usize]
    }
}

const BATCH: usize = 32;

/// Reads all files on all cores, each with an index of its own.
fn walk(index: &Path, records: &[Arc<FileRecord>], places: &[u32], texts: &Vocabulary) -> Result<Vec<MapFile>> {
    let next = AtomicUsize::new(0);
    let workers = rayon::current_num_threads().clamp(1, records.len().div_ceil(BATCH).max(1));
    let read = |_| -> Result<Vec<(usize, MapFile)>> {
        let store = Store::open(index, Access::Read)?;
        store.hold()?;
        let mut files = Vec::new();
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = records.get(from..(from + BATCH).min(records.len())).filter(|b| !b.is_empty()) else {
                return Ok(files);
            };
            for (offset, record) in batch.iter().enumerate() {
                files.push((from + offset, digest(store.walk_file(record.id)?, record, places, texts)?));
            }
        }
    };
    let parts: Vec<Result<Vec<_>>> = (0..workers).into_par_iter().with_max_len(1).map(read).collect();
    let mut files = Vec::with_capacity(records.len());
    for part in parts {
        files.extend(part?);
    }
    files.sort_unstable_by_key(|(place, _)| *place);
    Ok(files.into_iter().map(|(_, file)| file).collect())
}

/// What the map needs of one file. Symbols of other files are slots until all files are there.
fn digest(walked: WalkedFile, record: &Arc<FileRecord>, places: &[u32], texts: &Vocabulary) -> Result<MapFile> {
    let layout = layout(&walked.stored, texts)?;
    let blocks = walked.stored.facts.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Impl);
    let heads = blocks.map(|block| Span::new(block.span.start, block.head_end)).collect();
    let digest = Digest { walked: &walked, own: record.id, places, heads };
    let (uses, calls) = digest.uses(&layout);
    let imports = digest.imports();
    let facts = &walked.stored.facts;
    let at = |symbol: &Symbol| if symbol.name_span.is_empty() { symbol.span.start } else { symbol.name_span.start };
    let lines = facts.symbols.iter().map(|symbol| facts.line_of(at(symbol)).max(1)).collect();
    Ok(MapFile {
        test: paths::is_test(&record.path),
        others: false,
        record: Arc::clone(record),
        lines,
        layout,
        imports,
        calls,
        uses,
        slots: walked.slots,
        names: walked.stored.names,
        symbols: walked.stored.facts.symbols,
    })
}

struct Digest<'a> {
    walked: &'a WalkedFile,
    own: FileId,
    places: &'a [u32],
    /// The heads of implementation blocks.
    heads: Vec<Span>,
}

impl Digest<'_> {
    fn target(&self, target: &LinkTarget) -> Option<SymbolAt> {
        let LinkTarget::Symbol(row) = target else { return None };
        let file = *self.places.get(row.file.0 as usize).filter(|place| **place != u32::MAX)?;
        Some(SymbolAt { file, symbol: row.symbol.0 })
    }

    fn uses(&self, layout: &Layout) -> (Vec<RawUse>, Vec<(u32, SymbolAt)>) {
        let facts = &self.walked.stored.facts;
        let links = &self.walked.links;
        let targets: Vec<Option<SymbolAt>> = links.targets.iter().map(|target| self.target(target)).collect();
        let own = self.places[self.own.0 as usize];
        let mut uses: Vec<Option<RawUse>> = vec![None; targets.len()];
        let (mut calls, mut called) = (Vec::new(), FxHashSet::default());
        for bound in &links.bound {
            let Some(target) = targets[bound.target as usize] else { continue };
            let reference = &facts.refs[bound.reference.index()];
            let user = facts.scopes.get(reference.scope.index()).map_or(SymbolId(0), |scope| scope.owner);
            let user = user.get().filter(|user| user.index() < facts.symbols.len()).unwrap_or(SymbolId(0));
            if target.file == own && self.is_own_affair(user, target, reference.span.start) {
                continue;
            }
            let kind = bound.kind(reference);
            let entry = uses[bound.target as usize].get_or_insert(RawUse { target, line: 0, count: 0, imports: 0 });
            if kind == RefKind::Import {
                entry.imports += 1;
                if entry.count == 0 && entry.line == 0 {
                    entry.line = facts.line_of(reference.span.start);
                }
                continue;
            }
            if entry.count == 0 {
                entry.line = facts.line_of(reference.span.start);
            }
            entry.count += 1;
            let caller = layout.node_of[user.index()];
            let runs = matches!(kind, RefKind::Call | RefKind::Macro) && caller != NO_NODE;
            if runs && called.insert((caller, bound.target)) {
                calls.push((caller, target));
            }
        }
        (uses.into_iter().flatten().collect(), calls)
    }

    /// A symbol's use of itself, and the head of an implementation block, say nothing about who uses it.
    fn is_own_affair(&self, user: SymbolId, target: SymbolAt, at: u32) -> bool {
        let symbols = &self.walked.stored.facts.symbols;
        let Some(target) = self.walked.slots.symbol(target.symbol) else { return true };
        let mut inside = user;
        while inside.is_some() {
            if inside == target && target.0 != 0 {
                return true;
            }
            inside = symbols[inside.index()].parent;
        }
        self.heads.iter().any(|head| head.contains(at))
    }

    fn imports(&self) -> Vec<RawImport> {
        let stored = &self.walked.stored;
        let facts = &stored.facts;
        let own = self.places[self.own.0 as usize];
        let mut found = Vec::with_capacity(facts.imports.len());
        for import in &facts.imports {
            let mut raw = RawImport {
                source: import.source.get().map(|source| stored.term(source)),
                path: Vec::with_capacity(import.path.len()),
                level: import.level,
                flags: import.flags,
                module: None,
                item: None,
                own: false,
            };
            let mut note = |reference: RefId, near: bool| {
                let bound = self.walked.links.of(reference);
                let target = bound.and_then(|bound| self.target(self.walked.links.target(bound)));
                match target {
                    Some(target) if target.file == own => raw.own = true,
                    Some(target) if target.symbol != 0 => raw.item = Some(target.file),
                    Some(target) if near => raw.module = Some(target.file),
                    _ => {}
                }
            };
            let length = import.path.len();
            import.path.iter().enumerate().for_each(|(at, reference)| note(*reference, at + 2 >= length));
            let place = facts.refs.binary_search_by_key(&import.alias_span.start, |r| r.span.start);
            if let Ok(place) = place.or_else(|_| self.only_name(import)) {
                note(RefId(place as u32), true);
            }
            let names = import.path.iter().filter_map(|reference| facts.refs.get(reference.index()));
            raw.path = names.filter_map(|reference| Some(stored.term(reference.name.get()?))).collect();
            found.push(raw);
        }
        found
    }

    /// The reference inside an import that has no path and no alias.
    fn only_name(&self, import: &Import) -> std::result::Result<usize, ()> {
        let refs = &self.walked.stored.facts.refs;
        let place = refs.partition_point(|r| r.span.start < import.span.start);
        let inside = refs.get(place).is_some_and(|r| import.span.contains(r.span.start) && r.kind == RefKind::Import);
        if inside && import.path.is_empty() { Ok(place) } else { Err(()) }
    }
}

/// Turns slots into symbols, and uses by file into uses by target.
fn settle(files: &mut [MapFile]) -> Vec<Use> {
    let changed: Vec<bool> = files.iter().map(|file| file.slots != Slots::default()).collect();
    let slots: Vec<Slots> = files.iter_mut().map(|file| std::mem::take(&mut file.slots)).collect();
    let counts: Vec<usize> = files.iter().map(|file| file.symbols.len()).collect();
    let settled = |at: SymbolAt| {
        let file = at.file as usize;
        let symbol = if changed[file] { slots[file].symbol(at.symbol)?.0 } else { at.symbol };
        ((symbol as usize) < counts[file]).then_some(SymbolAt { file: at.file, symbol })
    };
    let of_file = |(source, file): (usize, &mut MapFile)| {
        let calls = std::mem::take(&mut file.calls);
        file.calls = calls.into_iter().filter_map(|(caller, target)| Some((caller, settled(target)?))).collect();
        let uses = std::mem::take(&mut file.uses).into_iter().filter_map(|raw| {
            let RawUse { target, line, count, imports } = raw;
            Some(Use { target: settled(target)?, source: source as u32, line, count, imports })
        });
        uses.collect::<Vec<Use>>()
    };
    let mut uses: Vec<Use> = files.par_iter_mut().enumerate().flat_map_iter(of_file).collect();
    uses.par_sort_unstable();
    uses
}
