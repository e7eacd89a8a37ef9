//! One file on its way into the index: read, facts, names, numbers, packed. A first build and an update take the same
//! steps; what differs is who gives the numbers, and who writes.

use codegraph_languages::Language;
use codegraph_languages::table::ModuleScheme;
use codegraph_model::{FileFacts, Origin, Problem, TermId};
use codegraph_store::{Encoded, FileNames, FileRecord, LineIds, encode};

use crate::config::Filter;
use crate::modules::{Declaration, Namer, Prefix};
use crate::read::{Outcome, Source, extract, read};
use crate::{Project, Reason};

/// A file that was read and extracted.
pub(crate) struct Parsed {
    pub(crate) record: FileRecord,
    pub(crate) language: &'static Language,
    pub(crate) facts: FileFacts,
}

/// Reads and extracts one file.
pub(crate) fn parse(project: &Project, filter: &Filter, path: &str) -> Outcome<Parsed> {
    match read(project, filter, path) {
        Outcome::Read(source) => parse_source(Some(filter), path, source),
        Outcome::Skipped(reason, seen) => Outcome::Skipped(reason, seen),
        Outcome::Unclaimed(seen) => Outcome::Unclaimed(seen),
        Outcome::Vanished => Outcome::Vanished,
    }
}

/// Extracts a file that was read. Without a filter it is kept, whoever wrote it.
pub(crate) fn parse_source(filter: Option<&Filter>, path: &str, source: Source) -> Outcome<Parsed> {
    let Some(facts) = extract(&source) else {
        return Outcome::Skipped(Reason::Failed, source.seen);
    };
    if facts.generated && filter.is_some_and(|filter| filter.leaves_out_generated(path)) {
        return Outcome::Skipped(Reason::Made(Origin::Generated), source.seen);
    }
    let record = FileRecord {
        path: path.to_owned(),
        language: source.language.name.to_owned(),
        separator: source.language.separator.to_owned(),
        size: source.seen.size,
        mtime_ns: source.seen.mtime_ns,
        mark: source.seen.mark,
        hash: source.hash,
        extractor: codegraph_extract::VERSION,
        indexed_at: source.read_ns / 1_000_000_000,
        ..FileRecord::default()
    };
    Outcome::Read(Parsed { record, language: source.language, facts })
}

impl Parsed {
    /// The package and the module that its place and its text give it.
    pub(crate) fn prefix(&self, namer: &mut Namer<'_>) -> Prefix {
        let declared = Declaration::Now(self.facts.package.get().map(|id| self.facts.name(id)));
        namer.prefix(&self.record.path, self.language, declared).expect("the file was just read")
    }

    /// Whether the module follows from the file's own text.
    pub(crate) fn declares_module(&self) -> bool {
        matches!(self.language.modules, ModuleScheme::Declared | ModuleScheme::GoModule)
    }

    /// Takes the names that it has, and the numbers of its texts and lines.
    pub(crate) fn numbered(mut self, names: Prefix, terms: Vec<TermId>, lines: LineIds) -> Numbered {
        (self.record.package, self.record.module) = (names.package, names.module);
        Numbered { parsed: self, terms, lines }
    }
}

/// A file with its numbers, to be packed.
pub(crate) struct Numbered {
    pub(crate) parsed: Parsed,
    /// Of its texts, in their order.
    pub(crate) terms: Vec<TermId>,
    pub(crate) lines: LineIds,
}

impl Numbered {
    pub(crate) fn pack(&self) -> Encoded {
        encode(&self.parsed.facts, &self.terms, FileNames::of(&self.parsed.record), &self.lines)
    }
}

/// Files of which not everything could be read.
#[derive(Debug, Default)]
pub(crate) struct Defects {
    pub(crate) syntax: u64,
    pub(crate) timed_out: Vec<String>,
    pub(crate) dense: Vec<String>,
}

impl Defects {
    pub(crate) fn count(&mut self, parsed: &Parsed) {
        for problem in &parsed.facts.problems {
            match problem {
                Problem::Syntax(_) => self.syntax += 1,
                Problem::TimedOut => self.timed_out.push(parsed.record.path.clone()),
                Problem::Dense => self.dense.push(parsed.record.path.clone()),
            }
        }
    }
}
