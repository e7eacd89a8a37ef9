//! Many files at once: workers read, extract and pack; one thread gives out numbers in path order; one writes.
//!
//! Numbers and bytes depend only on the order of the files, never on the number of threads or their timing.

use std::ops::Range;

use codegraph_languages::linking::ImportScheme;
use codegraph_model::{FileFacts, ScopeId, StrId, TermId, Tie};
use codegraph_store::{Build, Encoded, FileRecord, Interner, LineIds, PackedFacts, pack_neighbours};
use crossbeam_channel::{Receiver, Sender, bounded, select_biased, unbounded};
use rustc_hash::FxHashMap;

use crate::config::Filter;
use crate::file::{Defects, Numbered, Parsed, parse};
use crate::link::Linkable;
use crate::modules::Namer;
use crate::read::Outcome;
use crate::stamp::Seen;
use crate::turn::Turns;
use crate::{Error, Progress, Project, Reason, Result, SourceFile};

/// Neighbouring files go through the workers together, so that small ones do not cost more in messages than in work, and
/// share rows.
const CHUNK_FILES: usize = 64;
const CHUNK_BYTES: u64 = 128 << 10;
/// How far the workers may run ahead: two batches of so many chunks per thread, or so many bytes of source.
const BATCH_CHUNKS: usize = 4;
const BATCH_BYTES: u64 = 4 << 20;
const QUEUED_WRITES: usize = 16;

/// What the files of a build were like.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) symbols: u64,
    pub(crate) languages: FxHashMap<&'static str, u64>,
    pub(crate) defects: Defects,
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
        self.defects.count(parsed);
    }
}

enum Done {
    /// A worker met a defect of ours; without this the others would wait for its result.
    Panicked(Box<dyn std::any::Any + Send>),
    Parsed(usize, Vec<Outcome<Parsed>>),
    Packed(usize, Vec<Packed>),
}

/// A file that is packed, to be written.
struct Packed {
    record: FileRecord,
    language: &'static codegraph_languages::Language,
    encoded: Encoded,
    facts: PackedFacts,
    /// The names that it defines, and those of the types that its impl blocks are about, each once.
    defined: Vec<TermId>,
    extended: Vec<TermId>,
    /// Names that it declares without defining them, if it can be included.
    passed_on: Vec<TermId>,
    /// The names that it uses, if types of it have bases and linking asks who inherits.
    inherited: Vec<TermId>,
}

/// The files of a chunk, to be packed.
struct NumberedChunk(usize, Vec<Numbered>);

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
    files: &[SourceFile],
    namer: Namer<'_>,
    build: Build,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Extracted> {
    let filter = Filter::new(project.root(), project.config())?;
    let chunks = &chunks(files);
    let turns = &Turns::new(files.iter().map(|file| file.size).sum());
    let (to_read, reads) = unbounded::<usize>();
    let (to_pack, packs) = unbounded::<NumberedChunk>();
    let (to_main, done) = unbounded::<Done>();
    let (to_write, writes) = bounded::<Vec<Packed>>(QUEUED_WRITES);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (reads, packs, to_main, filter) = (reads.clone(), packs.clone(), to_main.clone(), &filter);
            let parse_chunk = move |chunk: usize| {
                let files = &files[chunks[chunk].clone()];
                let parse = |file: &SourceFile| {
                    let _turn = turns.take(file.size);
                    parse(project, filter, &file.path)
                };
                Done::Parsed(chunk, files.iter().map(parse).collect())
            };
            scope.spawn(move || work(parse_chunk, &reads, &packs, &to_main));
        }
        drop((reads, packs, to_main));
        let writer = scope.spawn(move || write(build, &writes));
        let batch = BATCH_CHUNKS * threads.max(1);
        let mut line = Line::new(files, chunks, batch, namer, to_read, to_pack, to_write, progress);
        let outcome = line.drive(&done);
        let (interner, tally) = line.close();
        // The writer's own error explains a line that broke off.
        let (build, files) = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        outcome.map(|()| Extracted { build, interner, tally, files })
    })
}

/// Cuts the list of files into pieces of about the same size.
fn chunks(files: &[SourceFile]) -> Vec<Range<usize>> {
    let mut chunks: Vec<Range<usize>> = Vec::new();
    let mut bytes = 0;
    for (at, file) in files.iter().enumerate() {
        match chunks.last_mut() {
            Some(last) if last.len() < CHUNK_FILES && bytes + file.size <= CHUNK_BYTES => last.end = at + 1,
            _ => {
                chunks.push(at..at + 1);
                bytes = 0;
            }
        }
        bytes += file.size;
    }
    chunks
}

fn write(mut build: Build, writes: &Receiver<Vec<Packed>>) -> Result<(Build, Vec<Linkable>)> {
    let mut files = Vec::new();
    for packed in writes.iter().flatten() {
        let Packed { record, language, encoded, facts, defined, extended, passed_on, inherited } = packed;
        build.put(&record, &encoded, &facts)?;
        files.push(Linkable {
            path: record.path.into(),
            language,
            module: record.module.into(),
            package: record.package.into(),
            facts,
            size: record.size,
            defined,
            extended,
            passed_on,
            inherited,
        });
    }
    Ok((build, files))
}

/// One worker. Packing comes first: it frees memory. Both queues end together.
fn work(
    parse_chunk: impl Fn(usize) -> Done,
    reads: &Receiver<usize>,
    packs: &Receiver<NumberedChunk>,
    to_main: &Sender<Done>,
) {
    loop {
        let done = select_biased! {
            recv(packs) -> task => task.map(|task| guarded(|| pack_chunk(task))),
            recv(reads) -> task => task.map(|chunk| guarded(|| parse_chunk(chunk))),
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

fn pack_chunk(NumberedChunk(chunk, files): NumberedChunk) -> Done {
    let mut encoded: Vec<Encoded> = files.iter().map(Numbered::pack).collect();
    let facts = pack_neighbours(&mut encoded);
    let packed = files.into_iter().zip(encoded).zip(facts);
    Done::Packed(chunk, packed.map(|((file, encoded), facts)| pack(file, encoded, facts)).collect())
}

fn pack(Numbered { parsed, terms: ids, .. }: Numbered, encoded: Encoded, facts: PackedFacts) -> Packed {
    let names = parsed.facts.symbols[1..].iter().filter_map(|symbol| symbol.name.get());
    let defined = distinct(names.map(|name| ids[name.index()]));
    let extended = distinct(parsed.facts.extended_types().map(|name| ids[name.index()]));
    let passed_on = match parsed.language.linking.imports {
        ImportScheme::Include | ImportScheme::Dotted => {
            distinct(passed_on(&parsed.facts).map(|name| ids[name.index()]))
        }
        _ => Vec::new(),
    };
    let has_bases = parsed.facts.notes.iter().any(|note| matches!(note.tie, Tie::Base | Tie::Implements));
    let inherited = match parsed.language.linking.open_types && has_bases {
        true => distinct(parsed.facts.refs.iter().map(|reference| ids[reference.name.index()])),
        false => Vec::new(),
    };
    let Parsed { record, language, .. } = parsed;
    Packed { record, language, encoded, facts, defined, extended, passed_on, inherited }
}

/// Names that are declared outside of functions by imports and as variables that are no symbols.
fn passed_on(facts: &FileFacts) -> impl Iterator<Item = StrId> + '_ {
    let parts = facts.imports.iter().flat_map(|import| &import.path).map(|part| facts.refs[part.index()].name);
    let aliases = facts.imports.iter().map(|import| import.alias);
    let bound = facts.bindings.iter().filter(|binding| binding.scope == ScopeId(0)).map(|binding| binding.name);
    parts.chain(aliases).chain(bound).filter(|name| name.is_some())
}

fn distinct(names: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut all: Vec<TermId> = names.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The thread that keeps the order: it hands out work and gives numbers file by file.
struct Line<'a> {
    files: &'a [SourceFile],
    chunks: &'a [Range<usize>],
    /// Chunks in a batch.
    batch: usize,
    namer: Namer<'a>,
    to_read: Sender<usize>,
    to_pack: Sender<NumberedChunk>,
    to_write: Sender<Vec<Packed>>,
    progress: &'a dyn Progress,
    interner: Interner,
    tally: Tally,
    /// Chunks handed out for reading, numbered, and sent to the writer: all in path order.
    handed_out: usize,
    numbered: usize,
    written: usize,
    parsed: FxHashMap<usize, Vec<Outcome<Parsed>>>,
    packed: FxHashMap<usize, Vec<Packed>>,
    batch_start: usize,
}

impl<'a> Line<'a> {
    #[expect(clippy::too_many_arguments, reason = "all of them are its fields")]
    fn new(
        files: &'a [SourceFile],
        chunks: &'a [Range<usize>],
        batch: usize,
        namer: Namer<'a>,
        to_read: Sender<usize>,
        to_pack: Sender<NumberedChunk>,
        to_write: Sender<Vec<Packed>>,
        progress: &'a dyn Progress,
    ) -> Line<'a> {
        Line {
            files,
            chunks,
            batch,
            namer,
            to_read,
            to_pack,
            to_write,
            progress,
            interner: Interner::new(),
            tally: Tally::default(),
            handed_out: 0,
            numbered: 0,
            written: 0,
            parsed: FxHashMap::default(),
            packed: FxHashMap::default(),
            batch_start: 0,
        }
    }

    fn drive(&mut self, done: &Receiver<Done>) -> Result<()> {
        self.hand_out_batch();
        self.hand_out_batch();
        while self.written < self.chunks.len() {
            if self.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            // Workers live as long as this line does, unless one panicked.
            let Ok(message) = done.recv() else {
                return Err(Error::Cancelled);
            };
            match message {
                Done::Panicked(panic) => std::panic::resume_unwind(panic),
                Done::Parsed(chunk, outcomes) => {
                    self.parsed.insert(chunk, outcomes);
                    self.number_in_order();
                }
                Done::Packed(chunk, packed) => {
                    self.packed.insert(chunk, packed);
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

    /// The next chunks in path order, the large ones first so that none is left to run alone at the end.
    fn hand_out_batch(&mut self) {
        let start = self.handed_out;
        let size = |chunk: usize| self.files[self.chunks[chunk].clone()].iter().map(|file| file.size).sum::<u64>();
        let mut batch: Vec<(u64, usize)> = Vec::new();
        let mut bytes = 0;
        while start + batch.len() < self.chunks.len() && batch.len() < self.batch && bytes < BATCH_BYTES {
            let chunk = start + batch.len();
            bytes += size(chunk);
            batch.push((size(chunk), chunk));
        }
        self.batch_start = start;
        self.handed_out = start + batch.len();
        batch.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        for (_, chunk) in batch {
            self.to_read.send(chunk).expect("workers wait for this queue");
        }
    }

    fn number_in_order(&mut self) {
        while let Some(outcomes) = self.parsed.remove(&self.numbered) {
            let chunk = self.numbered;
            self.numbered += 1;
            let mut files = Vec::with_capacity(outcomes.len());
            for (at, outcome) in self.chunks[chunk].clone().zip(outcomes) {
                let path = &self.files[at].path;
                self.progress.advance(at as u64 + 1, path);
                match outcome {
                    Outcome::Read(parsed) => files.push(self.number(parsed)),
                    Outcome::Skipped(reason, seen) => self.tally.skipped.push((path.clone(), reason, seen)),
                    Outcome::Unclaimed(seen) => self.tally.unclaimed.push((path.clone(), seen)),
                    Outcome::Vanished => {}
                }
            }
            self.to_pack.send(NumberedChunk(chunk, files)).expect("workers wait for this queue");
            // The batch before this one is done: there is room for another.
            if self.numbered >= self.batch_start {
                self.hand_out_batch();
            }
        }
    }

    fn number(&mut self, parsed: Parsed) -> Numbered {
        self.tally.count(&parsed);
        let names = parsed.prefix(&mut self.namer);
        let terms = self.interner.intern(&parsed.facts.strings);
        parsed.numbered(names, terms, LineIds::default())
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
