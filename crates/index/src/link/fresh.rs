//! Linking after a first build: from packed facts in memory, on all cores. The result does not depend on how the files
//! are shared out.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use codegraph_languages::Language;
use codegraph_live::unit;
use codegraph_model::{FileId, TermId};
use codegraph_resolve::{Files, Linker, Program, Unit, Workspace};
use codegraph_store::{Build, Interner, PackedFacts};
use crossbeam_channel::bounded;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Linked, link_file};
use crate::{Error, Phase, Progress, Result};

/// Files that a worker takes at a time: neighbours look up the same things.
const SHARE: usize = 16;

/// Links that wait to be written.
const QUEUED: usize = 8;

/// Unpacked files that are kept for all workers take about so many bytes, and a part of the project's size.
const KEPT_BYTES: u64 = 56 << 20;
const KEPT_SHARE: u64 = 5;

/// So many of them are looked at when there is no room.
const LOOKED_AT: usize = 32;

/// A file that was written, ready to be linked.
pub(crate) struct Linkable {
    pub(crate) path: Arc<str>,
    pub(crate) language: &'static Language,
    pub(crate) module: Arc<str>,
    pub(crate) package: Arc<str>,
    pub(crate) facts: PackedFacts,
    /// Bytes of its text.
    pub(crate) size: u64,
    /// The names that it defines, each once.
    pub(crate) defined: Vec<TermId>,
    /// The names of the types that its impl blocks are about.
    pub(crate) extended: Vec<TermId>,
    /// Names that it declares without defining them, if it can be included.
    pub(crate) passed_on: Vec<TermId>,
    /// The names that it uses, if types of it have bases and linking asks who inherits.
    pub(crate) inherited: Vec<TermId>,
}

/// Links all files and writes the links.
pub(crate) fn link_all(
    files: Vec<Linkable>,
    interner: &Interner,
    workspace: Workspace,
    build: &mut Build,
    threads: usize,
    progress: &dyn Progress,
) -> Result<()> {
    progress.begin(Phase::Link, files.len() as u64);
    let program = &Fresh::new(files, interner, workspace);
    let next = &AtomicUsize::new(0);
    let (to_write, linked) = bounded::<(usize, Vec<Linked>)>(QUEUED);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let to_write = to_write.clone();
            let work = move || {
                let mut linker = Linker::new(program);
                loop {
                    let start = next.fetch_add(SHARE, Ordering::Relaxed);
                    let end = (start + SHARE).min(program.files.len());
                    if start >= end {
                        return;
                    }
                    let file = |at: usize| FileId(at as u32 + 1);
                    let share = (start..end).map(|at| link_file(&mut linker, program, file(at))).collect();
                    if to_write.send((start, share)).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new()
                .stack_size(Linker::STACK)
                .spawn_scoped(scope, work)
                .map_err(Error::io("".as_ref()))?;
        }
        drop(to_write);
        // Neighbours share rows: what comes early waits.
        let (mut done, mut early) = (0, BTreeMap::new());
        for (start, share) in linked {
            early.insert(start, share);
            while let Some(share) = early.remove(&done) {
                if progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                progress.advance(done as u64, &program.files[done].path);
                for linked in &share {
                    done += 1;
                    build.put_links(FileId(done as u32), &linked.links, &linked.unbound)?;
                }
            }
        }
        Ok(())
    })
}

/// All files of a first build.
struct Fresh<'a> {
    files: Vec<Linkable>,
    interner: &'a Interner,
    defining: ByName,
    extending: ByName,
    passing_on: ByName,
    inheriting: ByName,
    paths: FxHashMap<Arc<str>, u32>,
    /// Files by their names without folders, once that is asked for.
    named: OnceLock<FxHashMap<String, Vec<u32>>>,
    modules: FxHashMap<Arc<str>, Arc<[u32]>>,
    prefixes: FxHashSet<Arc<str>>,
    packages: FxHashMap<Arc<str>, Arc<str>>,
    workspace: Workspace,
    units: Mutex<Units>,
}

/// Files by a name that they have: one list, and where the files of each name end.
struct ByName {
    ends: Vec<u32>,
    files: Vec<u32>,
}

impl ByName {
    /// Takes the names out of the files: they are of no further use.
    fn new(files: &mut [Linkable], names: usize, taken: fn(&mut Linkable) -> &mut Vec<TermId>) -> ByName {
        let mut ends = vec![0; names + 2];
        for file in &mut *files {
            taken(file).iter().for_each(|name| ends[name.0 as usize + 1] += 1);
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut all = vec![0; ends[names + 1] as usize];
        for (at, file) in files.iter_mut().enumerate() {
            for name in std::mem::take(taken(file)) {
                let place = &mut ends[name.0 as usize];
                all[*place as usize] = at as u32 + 1;
                *place += 1;
            }
        }
        ByName { ends, files: all }
    }

    fn files(&self, name: u32) -> Files<'_> {
        let name = name as usize;
        let end = self.ends.get(name).copied().unwrap_or(0) as usize;
        let start = if name == 0 { 0 } else { self.ends.get(name - 1).copied().unwrap_or(0) as usize };
        Files::There(self.files.get(start..end).unwrap_or_default())
    }
}

/// Unpacked files. The oldest leaves first, unless it was asked for since its turn came last, or is held by a worker.
struct Units {
    by_file: FxHashMap<u32, (Arc<Unit>, bool)>,
    order: VecDeque<u32>,
    bytes: usize,
    room: usize,
}

impl<'a> Fresh<'a> {
    fn new(mut files: Vec<Linkable>, interner: &'a Interner, workspace: Workspace) -> Fresh<'a> {
        let mut modules: FxHashMap<Arc<str>, Vec<u32>> = FxHashMap::default();
        let mut fresh = Fresh {
            files: Vec::new(),
            interner,
            defining: ByName::new(&mut files, interner.len(), |file| &mut file.defined),
            extending: ByName::new(&mut files, interner.len(), |file| &mut file.extended),
            passing_on: ByName::new(&mut files, interner.len(), |file| &mut file.passed_on),
            inheriting: ByName::new(&mut files, interner.len(), |file| &mut file.inherited),
            paths: FxHashMap::default(),
            named: OnceLock::new(),
            modules: FxHashMap::default(),
            prefixes: FxHashSet::default(),
            packages: FxHashMap::default(),
            workspace,
            units: Mutex::new(Units::new(&files)),
        };
        for (at, file) in files.iter().enumerate() {
            let id = at as u32 + 1;
            fresh.paths.insert(file.path.clone(), id);
            modules.entry(file.module.clone()).or_default().push(id);
            fresh.packages.insert(file.package.clone(), "".into());
            let mut rest: &str = &file.module;
            while let Some((parent, _)) = rest.rsplit_once(file.language.separator) {
                if !fresh.prefixes.insert(parent.into()) {
                    break;
                }
                rest = parent;
            }
        }
        fresh.modules = modules.into_iter().map(|(module, files)| (module, files.into())).collect();
        fresh.files = files;
        fresh
    }

    fn file(&self, file: u32) -> &Linkable {
        &self.files[file as usize - 1]
    }
}

impl Units {
    fn new(files: &[Linkable]) -> Units {
        let room = KEPT_BYTES + files.iter().map(|file| file.size).sum::<u64>() / KEPT_SHARE;
        Units { by_file: FxHashMap::default(), order: VecDeque::new(), bytes: 0, room: room as usize }
    }

    fn get(&mut self, file: u32) -> Option<Arc<Unit>> {
        let (unit, asked) = self.by_file.get_mut(&file)?;
        *asked = true;
        Some(Arc::clone(unit))
    }

    fn keep(&mut self, file: u32, unit: Arc<Unit>) {
        self.bytes += unit.bytes();
        if let Some((same, _)) = self.by_file.insert(file, (unit, false)) {
            self.bytes -= same.bytes();
            return;
        }
        self.order.push_back(file);
        for _ in 0..LOOKED_AT.min(self.order.len() - 1) {
            if self.bytes <= self.room {
                break;
            }
            let oldest = self.order.pop_front().expect("there is more than one");
            let (unit, asked) = self.by_file.get_mut(&oldest).expect("what is in order is there");
            // What a worker holds would take as much memory if it left.
            if std::mem::take(asked) || Arc::strong_count(unit) > 1 {
                self.order.push_back(oldest);
            } else if let Some((gone, _)) = self.by_file.remove(&oldest) {
                self.bytes -= gone.bytes();
            }
        }
    }
}

impl Program for Fresh<'_> {
    fn unit(&self, file: u32) -> Arc<Unit> {
        if let Some(unit) = self.units.lock().unwrap_or_else(PoisonError::into_inner).get(file) {
            return unit;
        }
        let entry = self.file(file);
        let stored = entry.facts.unpack().expect("the facts were packed by this process");
        let unit = Arc::new(unit(self, FileId(file), entry.language, stored));
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        units.keep(file, Arc::clone(&unit));
        unit
    }

    fn language(&self, file: u32) -> &'static Language {
        self.file(file).language
    }

    fn text(&self, term: u32) -> Arc<str> {
        self.interner.text(TermId(term)).into()
    }

    fn term(&self, text: &str) -> Option<u32> {
        self.interner.find(text).map(|term| term.0)
    }

    fn defining(&self, name: u32) -> Files<'_> {
        self.defining.files(name)
    }

    fn declaring(&self, name: u32) -> Files<'_> {
        let (defining, passing_on) = (self.defining.files(name), self.passing_on.files(name));
        if passing_on.is_empty() { defining } else { Files::Shared([&*defining, &*passing_on].concat().into()) }
    }

    fn extending(&self, name: u32) -> Files<'_> {
        self.extending.files(name)
    }

    /// Those of languages whose linking asks: elsewhere, who inherits is asked of an index, not while it is made.
    fn inheriting(&self, name: u32) -> Files<'_> {
        self.inheriting.files(name)
    }

    fn path(&self, file: u32) -> Arc<str> {
        self.file(file).path.clone()
    }

    fn file_at(&self, path: &str) -> Option<u32> {
        self.paths.get(path).copied()
    }

    fn files_named(&self, name: &str) -> Files<'_> {
        let all = self.named.get_or_init(|| {
            let mut all: FxHashMap<String, Vec<u32>> = FxHashMap::default();
            for (at, file) in self.files.iter().enumerate() {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                all.entry(name.to_owned()).or_default().push(at as u32 + 1);
            }
            all
        });
        Files::There(all.get(name).map_or(&[], |files| files))
    }

    fn module(&self, file: u32) -> Arc<str> {
        self.file(file).module.clone()
    }

    fn package(&self, file: u32) -> Arc<str> {
        self.file(file).package.clone()
    }

    fn files_of_module(&self, module: &str) -> Arc<[u32]> {
        self.modules.get(module).cloned().unwrap_or_default()
    }

    fn is_module_prefix(&self, module: &str) -> bool {
        self.prefixes.contains(module)
    }

    fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn package_root(&self, name: &str) -> Option<Arc<str>> {
        self.packages.get(name).cloned()
    }
}
