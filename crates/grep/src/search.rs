//! The search itself: every file on all cores. Of a hit only its line is remembered, so that memory does not grow with
//! the lines that match; words are collected to find out which hits define something.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use codegraph_files::Below;
use codegraph_index::{Project, every_file};
use codegraph_query::{Error, Reader, Result, is_aside_path, is_test_path, is_word_byte};
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkMatch};
use rustc_hash::FxHashMap;

use crate::{Grep, matching};

/// Words are taken from so many hits of a file, and so many of them are looked up.
const WORDS_IN_FILE: usize = 200;
const MOST_WORDS: usize = 64;

/// What a search found: lines by file, the best first.
pub struct FoundLines {
    pub(crate) question: Grep,
    pub(crate) matcher: RegexMatcher,
    pub(crate) below: Below,
    pub(crate) files: Vec<FileHits>,
    /// Files that were read.
    pub(crate) searched: usize,
    /// Hits in the order in which they are shown: an index into `files`, a line.
    pub(crate) order: Vec<(u32, u32)>,
    /// How many of them define what was searched for.
    pub(crate) definitions: usize,
}

/// The lines of a file that match.
pub(crate) struct FileHits {
    pub(crate) path: PathBuf,
    pub(crate) lines: Vec<u32>,
    words: Vec<(String, bool)>,
    /// It was named, so it is searched whatever it holds.
    pub(crate) named: bool,
    /// The search ended at a byte that no text has.
    pub(crate) binary: bool,
}

/// Searches a project.
pub fn search(reader: &Reader, project: &Project, question: &Grep) -> Result<FoundLines> {
    let matcher = matching::matcher(question)?;
    let which = matching::files(reader, project, question)?;
    let below = open_root(project)?;
    let (files, searched) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let cancel = reader.cancel();
    every_file(project, &which, || {
        let (matcher, files, searched, below, cancel) = (matcher.clone(), &files, &searched, &below, &cancel);
        let plain = Grep { before: 0, after: 0, ..question.clone() };
        let mut engine = matching::Engine::new(&plain);
        move |path: &Path, named: bool| {
            let Ok(file) = below.open_listed(path) else { return true };
            searched.fetch_add(1, Ordering::Relaxed);
            let hits = FileHits::of(path, named);
            let (counts, first_only) = (question.counts, question.files_only);
            let mut lines = Lines { matcher: &matcher, counts, first_only, hits };
            let done = engine.search(&matcher, &file, named, &mut lines);
            if done.is_ok() && !lines.hits.lines.is_empty() {
                files.lock().expect("no thread panics with it").push(lines.hits);
            }
            !cancel.is_cancelled()
        }
    })
    .map_err(|error| Error::Invalid { what: error.to_string(), give: "see the project's settings" })?;
    if cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let mut files = files.into_inner().expect("no thread panics with it");
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    // Folders that were named together with one inside of them.
    files.dedup_by(|a, b| a.path == b.path);
    let searched = searched.into_inner();
    let mut found =
        FoundLines { question: question.clone(), matcher, below, files, searched, order: Vec::new(), definitions: 0 };
    if !question.counts {
        found.rank(reader)?;
    }
    Ok(found)
}

pub(crate) fn open_root(project: &Project) -> Result<Below> {
    let unreadable = |error: io::Error| Error::Unreadable { path: project.root().into(), reason: error.to_string() };
    Below::of(project.root()).map_err(unreadable)
}

/// The rank of what others or programs wrote.
const OTHERS: u8 = 4;

impl FileHits {
    fn of(path: &Path, named: bool) -> FileHits {
        FileHits { path: path.to_owned(), lines: Vec::new(), words: Vec::new(), named, binary: false }
    }

    /// Product code first, then tests, what stands aside, what is no code, and what others or programs wrote.
    fn rank(&self, reader: &Reader) -> Result<u8> {
        Ok(match self.path.to_str() {
            Some(path) if reader.origin(path)?.is_some() => OTHERS,
            Some(path) if !reader.is_code(path) => 3,
            Some(path) if is_aside_path(path) => 2,
            Some(path) => u8::from(is_test_path(path)),
            None => 3,
        })
    }
}

impl FoundLines {
    /// Definitions first, then files by rank and path; what is not the project's own after all that is.
    fn rank(&mut self, reader: &Reader) -> Result<()> {
        let defined = reader.definitions_of(&self.words())?;
        let mut order: Vec<((bool, u8, u8), u32, u32)> = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let rank = file.rank(reader)?;
            let names = file.path.to_str().and_then(|path| defined.get(path));
            for line in &file.lines {
                let whole = names.and_then(|lines| lines.iter().find(|(at, _)| at == line)).map(|(_, whole)| *whole);
                let first = whole.map_or(2, |whole| u8::from(!whole));
                self.definitions += usize::from(first < 2);
                order.push(((rank == OTHERS, first, rank), number as u32, *line));
            }
        }
        order.sort_unstable();
        self.order = order.into_iter().map(|(_, file, line)| (file, line)).collect();
        Ok(())
    }

    /// The words that match, those in most files first; whether the match is the whole word.
    fn words(&self) -> Vec<(String, bool)> {
        let mut files: FxHashMap<&(String, bool), usize> = FxHashMap::default();
        self.files.iter().flat_map(|file| &file.words).for_each(|word| *files.entry(word).or_default() += 1);
        let mut words: Vec<_> = files.into_iter().collect();
        words.sort_unstable_by_key(|(word, count)| (Reverse(word.1), Reverse(*count), word.0.as_str()));
        words.into_iter().take(MOST_WORDS).map(|(word, _)| word.clone()).collect()
    }

    /// How many lines match.
    pub fn total(&self) -> usize {
        self.files.iter().map(|file| file.lines.len()).sum()
    }
}

/// Remembers the lines of a file.
struct Lines<'m> {
    matcher: &'m RegexMatcher,
    counts: bool,
    first_only: bool,
    hits: FileHits,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.hits.lines.push(u32::try_from(found.line_number().unwrap_or(0)).unwrap_or(u32::MAX));
        if !self.counts && self.hits.lines.len() <= WORDS_IN_FILE {
            self.take_words(found.bytes());
        }
        Ok(!self.first_only)
    }

    fn finish(&mut self, _: &Searcher, finish: &grep_searcher::SinkFinish) -> io::Result<()> {
        self.hits.binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}

impl Lines<'_> {
    /// The words that the first match of a line is in.
    fn take_words(&mut self, line: &[u8]) {
        let Ok(Some(found)) = self.matcher.find(line) else { return };
        let from = line[..found.start()].iter().rposition(|byte| !is_word_byte(*byte)).map_or(0, |at| at + 1);
        let to = line[found.end()..].iter().position(|byte| !is_word_byte(*byte));
        let to = to.map_or(line.len(), |at| found.end() + at);
        let text = String::from_utf8_lossy(&line[from..to]);
        for word in text.split(|c: char| c.is_ascii() && !is_word_byte(c as u8)).filter(|word| !word.is_empty()) {
            let word = (word.to_owned(), from == found.start() && to == found.end());
            if self.hits.words.len() < MOST_WORDS && !self.hits.words.contains(&word) {
                self.hits.words.push(word);
            }
        }
    }
}
