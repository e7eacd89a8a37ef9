//! Many files at once: workers read, extract and pack; one thread gives out numbers in path order; one writes.
//!
//! Numbers and bytes depend only on the order of the files, never on the number of threads or their timing.

use codegraph_model::{FileFacts, Problem};
use codegraph_store::{Build, Encoded, FileNames, FileRecord, Interner, LineIds, TermId, encode};
use crossbeam_channel::{Receiver, Sender, bounded, select_biased, unbounded};
use rustc_hash::FxHashMap;

use crate::config::Filter;
use crate::link::Linkable;
use crate::modules::{Declared, Namer};
use crate::read::{Outcome, Source, extract, read};
use crate::stamp::Seen;
use crate::{Error, Found, Progress, Project, Reason, Result};

/// How far the workers may run ahead: this many files, or this many bytes of source.
const BATCH_FILES: usize = 256;
const BATCH_BYTES: u64 = 4 << 20;
const QUEUED_WRITES: usize = 128;

/// A file that was read and extracted.
pub(crate) struct Parsed {
    pub(crate) record: FileRecord,
    pub(crate) language: &'static codegraph_languages::Language,
    pub(crate) facts: FileFacts,
}

impl Parsed {
    /// The package or namespace that the file declares.
    pub(crate) fn declared(&self) -> Declared<'_> {
        Declared::Now(self.facts.package.get().map(|id| self.facts.name(id)))
    }

    /// Whether the module follows from the file's own text.
    pub(crate) fn declares_module(&self) -> bool {
        use codegraph_languages::table::ModuleScheme::{Declared, GoModule};
        matches!(self.language.modules, Declared | GoModule)
    }

    pub(crate) fn names(&self) -> FileNames<'_> {
        FileNames::of(&self.record)
    }
}

/// Reads and extracts one file.
pub(crate) fn parse(project: &Project, filter: &Filter, path: &str) -> Outcome<Parsed> {
    match read(project, filter, path) {
        Outcome::Read(source) => parse_source(path, source),
        Outcome::Skipped(reason, seen) => Outcome::Skipped(reason, seen),
        Outcome::Unclaimed(seen) => Outcome::Unclaimed(seen),
        Outcome::Vanished => Outcome::Vanished,
    }
}

pub(crate) fn parse_source(path: &str, source: Source) -> Outcome<Parsed> {
    let Some(facts) = extract(&source) else {
        return Outcome::Skipped(Reason::Failed, source.seen);
    };
    let record = FileRecord {
        path: path.to_owned(),
        language: source.language.name.to_owned(),
        separator: source.language.separator.to_owned(),
        size: source.seen.size,
        mtime_ns: source.seen.mtime_ns,
        hash: source.hash,
        extractor: codegraph_extract::VERSION,
        indexed_ns: source.read_ns,
        ..FileRecord::default()
    };
    Outcome::Read(Parsed { record, language: source.language, facts })
}

/// What the files of a build were like.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) symbols: u64,
    pub(crate) languages: FxHashMap<&'static str, u64>,
    pub(crate) syntax_problems: u64,
    pub(crate) timed_out: Vec<String>,
    /// Files that were left out, with their stamps.
    pub(crate) skipped: Vec<(String, Reason, Seen)>,
    pub(crate) unclaimed: Vec<(String, Seen)>,
}

impl Tally {
    fn count(&mut self, parsed: &Parsed) {
        self.files += 1;
        self.bytes += parsed.record.size;
        self.lines += parsed.facts.line_starts.len() as u64;
        self.symbols += parsed.facts.symbols.len() as u64;
        *self.languages.entry(parsed.language.name).or_default() += 1;
        for problem in &parsed.facts.problems {
            match problem {
                Problem::Syntax(_) => self.syntax_problems += 1,
                Problem::TimedOut => self.timed_out.push(parsed.record.path.clone()),
            }
        }
    }
}

enum Done {
    /// A worker met a defect of ours; without this the others would wait for its result.
    Panicked(Box<dyn std::any::Any + Send>),
    Parsed(usize, Box<Outcome<Parsed>>),
    Packed(usize, Box<Packed>),
}

/// A file that is packed, to be written.
struct Packed {
    record: FileRecord,
    language: &'static codegraph_languages::Language,
    encoded: Encoded,
    /// The names that it defines, and those of the types that its impl blocks are about, each once.
    defined: Vec<TermId>,
    extended: Vec<TermId>,
}

/// A file with its numbers, to be packed; `usize` is its place among the files that are written.
struct Numbered(usize, Box<(Parsed, Vec<TermId>)>);

/// What running all files through the workers gives.
pub(crate) struct Extracted {
    pub(crate) build: Build,
    /// The dictionary that the build needs.
    pub(crate) interner: Interner,
    pub(crate) tally: Tally,
    /// In the order of their numbers.
    pub(crate) files: Vec<Linkable>,
}

/// Runs all files through the workers into the build.
pub(crate) fn run(
    project: &Project,
    files: &[Found],
    namer: Namer<'_>,
    build: Build,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Extracted> {
    let filter = Filter::new(project.root(), project.config())?;
    let (to_read, reads) = unbounded::<usize>();
    let (to_pack, packs) = unbounded::<Numbered>();
    let (to_main, done) = unbounded::<Done>();
    let (to_write, writes) = bounded::<Box<Packed>>(QUEUED_WRITES);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (reads, packs, to_main, filter) = (reads.clone(), packs.clone(), to_main.clone(), &filter);
            scope.spawn(move || work(project, filter, files, &reads, &packs, &to_main));
        }
        drop((reads, packs, to_main));
        let writer = scope.spawn(move || write(build, &writes));
        let mut line = Line::new(files, namer, to_read, to_pack, to_write, progress);
        let outcome = line.drive(&done);
        let (interner, tally) = line.close();
        // The writer's own error explains a line that broke off.
        let (build, files) = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        outcome.map(|()| Extracted { build, interner, tally, files })
    })
}

fn write(mut build: Build, writes: &Receiver<Box<Packed>>) -> Result<(Build, Vec<Linkable>)> {
    let mut files = Vec::new();
    for packed in writes {
        let Packed { record, language, encoded, defined, extended } = *packed;
        build.put(&record, &encoded)?;
        files.push(Linkable {
            path: record.path.into(),
            language,
            module: record.module.into(),
            package: record.package.into(),
            facts: encoded.into_facts(),
            defined,
            extended,
        });
    }
    Ok((build, files))
}

/// One worker. Packing comes first: it frees memory. Both queues end together.
fn work(
    project: &Project,
    filter: &Filter,
    files: &[Found],
    reads: &Receiver<usize>,
    packs: &Receiver<Numbered>,
    to_main: &Sender<Done>,
) {
    let parsed = |index: usize| Done::Parsed(index, Box::new(parse(project, filter, &files[index].path)));
    loop {
        let done = select_biased! {
            recv(packs) -> task => task.map(|task| guarded(|| pack(task))),
            recv(reads) -> task => task.map(|index| guarded(|| parsed(index))),
        };
        let Ok(done) = done else { return };
        if to_main.send(done).is_err() {
            return;
        }
    }
}

fn guarded(task: impl FnOnce() -> Done) -> Done {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(task)).unwrap_or_else(Done::Panicked)
}

fn pack(task: Numbered) -> Done {
    let Numbered(place, numbered) = task;
    let (parsed, ids) = *numbered;
    let encoded = encode(&parsed.facts, &ids, parsed.names(), &LineIds::default());
    let names = parsed.facts.symbols[1..].iter().filter_map(|symbol| symbol.name.get());
    let defined = distinct(names.map(|name| ids[name.index()]));
    let extended = distinct(codegraph_resolve::extended_types(&parsed.facts).map(|name| ids[name.index()]));
    let Parsed { record, language, .. } = parsed;
    Done::Packed(place, Box::new(Packed { record, language, encoded, defined, extended }))
}

fn distinct(names: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut all: Vec<TermId> = names.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The thread that keeps the order: it hands out work and gives numbers file by file.
struct Line<'a> {
    files: &'a [Found],
    namer: Namer<'a>,
    to_read: Sender<usize>,
    to_pack: Sender<Numbered>,
    to_write: Sender<Box<Packed>>,
    progress: &'a dyn Progress,
    interner: Interner,
    tally: Tally,
    /// Files handed out for reading, and files numbered: both counts in path order.
    handed_out: usize,
    numbered: usize,
    /// Files that have a number to be packed, and files that were sent to the writer.
    placed: usize,
    written: usize,
    parsed: FxHashMap<usize, Outcome<Parsed>>,
    packed: FxHashMap<usize, Box<Packed>>,
    batch_end: usize,
}

impl<'a> Line<'a> {
    fn new(
        files: &'a [Found],
        namer: Namer<'a>,
        to_read: Sender<usize>,
        to_pack: Sender<Numbered>,
        to_write: Sender<Box<Packed>>,
        progress: &'a dyn Progress,
    ) -> Line<'a> {
        Line {
            files,
            namer,
            to_read,
            to_pack,
            to_write,
            progress,
            interner: Interner::new(),
            tally: Tally::default(),
            handed_out: 0,
            numbered: 0,
            placed: 0,
            written: 0,
            parsed: FxHashMap::default(),
            packed: FxHashMap::default(),
            batch_end: 0,
        }
    }

    fn drive(&mut self, done: &Receiver<Done>) -> Result<()> {
        self.hand_out_batch();
        self.hand_out_batch();
        while self.numbered < self.files.len() || self.written < self.placed {
            if self.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            // Workers live as long as this line does, unless one panicked.
            let Ok(message) = done.recv() else {
                return Err(Error::Cancelled);
            };
            match message {
                Done::Panicked(panic) => std::panic::resume_unwind(panic),
                Done::Parsed(index, outcome) => {
                    self.parsed.insert(index, *outcome);
                    self.number_in_order();
                }
                Done::Packed(place, packed) => {
                    self.packed.insert(place, packed);
                    if !self.write_in_order() {
                        return Err(Error::Cancelled);
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends all queues, so that workers and writer finish.
    fn close(self) -> (Interner, Tally) {
        (self.interner, self.tally)
    }

    /// The next files in path order, the large ones first so that none is left to run alone at the end.
    fn hand_out_batch(&mut self) {
        let start = self.handed_out;
        let mut bytes = 0;
        let mut end = start;
        while end < self.files.len() && end - start < BATCH_FILES && bytes < BATCH_BYTES {
            bytes += self.files[end].size;
            end += 1;
        }
        let mut batch: Vec<usize> = (start..end).collect();
        batch.sort_by_key(|index| std::cmp::Reverse(self.files[*index].size));
        for index in batch {
            self.to_read.send(index).expect("workers wait for this queue");
        }
        self.batch_end = start;
        self.handed_out = end;
    }

    fn number_in_order(&mut self) {
        while let Some(outcome) = self.parsed.remove(&self.numbered) {
            let path = &self.files[self.numbered].path;
            self.numbered += 1;
            self.progress.advance(self.numbered as u64, path);
            match outcome {
                Outcome::Read(parsed) => self.number(parsed),
                Outcome::Skipped(reason, seen) => self.tally.skipped.push((path.clone(), reason, seen)),
                Outcome::Unclaimed(seen) => self.tally.unclaimed.push((path.clone(), seen)),
                Outcome::Vanished => {}
            }
            if self.numbered >= self.batch_end {
                self.hand_out_batch();
            }
        }
    }

    fn number(&mut self, mut parsed: Parsed) {
        let prefix = self.namer.prefix(&parsed.record.path, parsed.language, parsed.declared());
        let prefix = prefix.expect("the file was just read");
        parsed.record.package = prefix.package;
        parsed.record.module = prefix.module;
        self.tally.count(&parsed);
        let ids = self.interner.intern(&parsed.facts.strings);
        self.to_pack.send(Numbered(self.placed, Box::new((parsed, ids)))).expect("workers wait for this queue");
        self.placed += 1;
    }

    /// False if the writer has given up.
    fn write_in_order(&mut self) -> bool {
        while let Some(packed) = self.packed.remove(&self.written) {
            if self.to_write.send(packed).is_err() {
                return false;
            }
            self.written += 1;
        }
        true
    }
}
