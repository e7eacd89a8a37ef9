//! What the index has: counts, languages, size, age, and what is missing from it.

use codegraph_model::{Origin, Problem};
use codegraph_store::{SCHEMA_VERSION, Watched};
use serde::Serialize;

use crate::{Reader, Remarks, Result, UnreadCount};

const MOST_NAMED: usize = 20;

/// Status and statistics of an index.
#[derive(Clone, Debug, Serialize)]
pub struct StatusAnswer {
    pub project_name: String,
    pub codegraph_path: String,
    pub schema_version: String,
    pub statistics: Counts,
    pub languages: Vec<LanguageCount>,
    /// Seconds since the epoch.
    pub last_update: i64,
    pub database_size_bytes: u64,
    pub source_bytes: u64,
    /// The first files with text that was not understood.
    pub problems: Vec<FileNote>,
    /// The first files that were left out, and why.
    pub skipped: Vec<FileNote>,
    pub files_skipped: usize,
    /// Files that others or programs wrote: they are marked, and come last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<OriginCount>,
    /// Files of no known language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UnreadCount>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Counts over the index.
#[derive(Clone, Debug, Serialize)]
pub struct Counts {
    pub files: u64,
    pub lines: u64,
    pub items: u64,
    pub occurrences: u64,
    pub symbols: u64,
    pub methods: u64,
    pub types: u64,
    pub dependencies: u64,
    pub files_with_problems: u64,
}

/// Files of a language.
#[derive(Clone, Debug, Serialize)]
pub struct LanguageCount {
    pub language: String,
    pub files: u64,
    pub bytes: u64,
}

/// Files of one origin.
#[derive(Clone, Debug, Serialize)]
pub struct OriginCount {
    pub origin: Origin,
    pub files: u64,
}

/// Something to know about a file.
#[derive(Clone, Debug, Serialize)]
pub struct FileNote {
    pub file: String,
    pub note: String,
}

/// Answers what the index has.
pub fn status(reader: &Reader) -> Result<StatusAnswer> {
    let store = &reader.store;
    let statistics = store.statistics()?;
    let skipped = store.inputs()?.into_iter().filter_map(|input| match input.watched {
        Watched::Skipped(reason) => Some(FileNote { file: input.path, note: reason.to_string() }),
        _ => None,
    });
    let skipped: Vec<FileNote> = skipped.collect();
    let problems = if statistics.files_with_problems > 0 { problems(reader)? } else { Vec::new() };
    let root = reader.root();
    let folder = root.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(StatusAnswer {
        project_name: store.metadata("project_name")?.or(folder).unwrap_or_default(),
        codegraph_path: store.path().parent().unwrap_or(root).display().to_string(),
        schema_version: store.metadata("schema_version")?.unwrap_or_else(|| SCHEMA_VERSION.to_string()),
        statistics: Counts {
            files: statistics.files,
            lines: statistics.lines,
            items: store.word_count()?,
            occurrences: statistics.occurrences,
            symbols: statistics.symbols,
            methods: statistics.methods,
            types: statistics.types,
            dependencies: statistics.dependencies,
            files_with_problems: statistics.files_with_problems,
        },
        languages: statistics
            .languages
            .into_iter()
            .map(|(language, files, bytes)| LanguageCount { language, files, bytes })
            .collect(),
        last_update: statistics.last_update,
        database_size_bytes: statistics.database_bytes,
        source_bytes: statistics.source_bytes,
        problems,
        files_skipped: skipped.len(),
        skipped: skipped.into_iter().take(MOST_NAMED).collect(),
        origins: origins(reader)?,
        unread: crate::answer::unread(reader),
        remarks: Remarks::of(reader),
    })
}

fn origins(reader: &Reader) -> Result<Vec<OriginCount>> {
    let mut counts = vec![0; Origin::ALL.len()];
    for stamp in reader.store.stamps()? {
        if let Some(origin) = reader.origin(&stamp.path)? {
            counts[origin as usize] += 1;
        }
    }
    let counted = Origin::ALL.iter().zip(counts).map(|(origin, files)| OriginCount { origin: *origin, files });
    Ok(counted.filter(|count| count.files > 0).collect())
}

fn problems(reader: &Reader) -> Result<Vec<FileNote>> {
    let files = reader.store.files()?.into_iter().filter(|record| !record.problems.is_empty());
    Ok(files
        .take(MOST_NAMED)
        .map(|record| FileNote {
            file: record.path,
            note: record.problems.iter().map(problem_text).collect::<Vec<_>>().join("; "),
        })
        .collect())
}

/// A problem in words.
pub fn problem_text(problem: &Problem) -> String {
    match problem {
        Problem::Syntax(1) => "1 place that the parser did not understand".into(),
        Problem::Syntax(n) => format!("{n} places that the parser did not understand"),
        Problem::TimedOut => "parsing took too long: words only".into(),
        Problem::Dense => "more parts than are kept for its size: words only".into(),
    }
}
