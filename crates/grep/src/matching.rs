//! How ripgrep's engine is set up: the same way as in ripgrep, so that the same question gives the same hits.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use codegraph_index::{EveryFile, Project};
use codegraph_query::{Error, Reader, Result};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use crate::Grep;

pub(crate) fn matcher(question: &Grep) -> Result<RegexMatcher> {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).unicode(true).octal(false).fixed_strings(question.fixed).word(question.word);
    builder.case_insensitive(question.ignore_case).case_smart(question.smart_case && !question.ignore_case);
    builder.line_terminator(Some(b'\n')).dot_matches_new_line(false).ban_byte(Some(b'\0'));
    builder
        .build_many(&question.patterns)
        .map_err(|error| Error::Regex { pattern: question.patterns.join("|"), reason: error.to_string() })
}

/// Searches one file after the other.
pub(crate) struct Engine {
    question: Grep,
    /// For files that were found, and for those that were named.
    searchers: [Searcher; 2],
}

/// The buffer with which every search begins, in bytes.
const BUFFER: u64 = 64 * 1024;

impl Engine {
    pub(crate) fn new(question: &Grep) -> Engine {
        let searchers = [searcher(question, false), searcher(question, true)];
        Engine { question: question.clone(), searchers }
    }

    pub(crate) fn search<S: Sink>(
        &mut self,
        matcher: &RegexMatcher,
        file: &File,
        named: bool,
        sink: S,
    ) -> Result<(), S::Error> {
        let mut text = Counted { file, bytes: 0 };
        let done = self.searchers[usize::from(named)].search_reader(matcher, &mut text, sink);
        // A buffer grows with the longest line that it meets, and where a file is taken for binary depends on it: no
        // file must leave a larger one to the next.
        if text.bytes > BUFFER {
            self.searchers[usize::from(named)] = searcher(&self.question, named);
        }
        done
    }
}

/// Counts what is read.
struct Counted<'f> {
    file: &'f File,
    bytes: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// A file that was named is searched although it is binary.
fn searcher(question: &Grep, named: bool) -> Searcher {
    let binary = if named { BinaryDetection::convert(0) } else { BinaryDetection::quit(0) };
    let mut builder = SearcherBuilder::new();
    builder.line_number(true).binary_detection(binary);
    builder.before_context(question.before).after_context(question.after);
    builder.build()
}

pub(crate) fn files(reader: &Reader, project: &Project, question: &Grep) -> Result<EveryFile> {
    let paths = question.paths.iter().map(|path| named(reader, project, path)).collect::<Result<Vec<_>>>()?;
    Ok(EveryFile {
        // The root itself is everything.
        paths: if paths.iter().any(|path| path.as_os_str().is_empty()) { Vec::new() } else { paths },
        globs: globs(project, &question.globs)?,
        types: types(question)?,
        hidden: question.hidden,
        ignored: question.no_ignore,
    })
}

/// Something inside the project that is there, by a way without links.
fn named(reader: &Reader, project: &Project, given: &str) -> Result<PathBuf> {
    let path = PathBuf::from(reader.inside(given)?);
    let mut way = project.root().to_owned();
    for part in path.components() {
        way.push(part);
        let missing = |reason: &str| Error::Unreadable { path: given.into(), reason: reason.to_owned() };
        let found = way.symlink_metadata().map_err(|error| missing(&error.to_string()))?;
        if found.is_symlink() {
            return Err(missing("it is a link, or behind one"));
        }
    }
    Ok(path)
}

fn globs(project: &Project, globs: &[String]) -> Result<Override> {
    let mut builder = OverrideBuilder::new(project.root());
    for glob in globs {
        builder.add(glob).map_err(|error| Error::Glob { pattern: glob.clone(), reason: error.to_string() })?;
    }
    builder.build().map_err(|error| Error::Glob { pattern: globs.join(" "), reason: error.to_string() })
}

fn types(question: &Grep) -> Result<Types> {
    let mut builder = TypesBuilder::new();
    if question.types.is_empty() && question.types_not.is_empty() {
        return Ok(Types::empty());
    }
    builder.add_defaults();
    let known: Vec<String> = builder.definitions().iter().map(|known| known.name().to_owned()).collect();
    let all = question.types.iter().chain(&question.types_not);
    if let Some(word) = all.into_iter().find(|word| !known.contains(word) && *word != "all") {
        return Err(Error::UnknownWord { what: "type of file", word: word.clone(), allowed: known });
    }
    for name in &question.types {
        builder.select(name);
    }
    for name in &question.types_not {
        builder.negate(name);
    }
    builder.build().map_err(|error| Error::Glob { pattern: question.types.join(" "), reason: error.to_string() })
}
