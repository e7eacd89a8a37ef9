//! The answer of `codegraph init`: make a folder a project and build its index.

use std::io;
use std::path::Path;

use anyhow::Context as _;
use codegraph_index::{BuildOptions, BuildReport, InitOptions, Progress, Project, build};
use codegraph_query::{LabelCount, Reader};
use serde::Serialize;

use crate::human::{count, printable, size, time, width};
use crate::{Answer, Out, Style};

/// What was set up and indexed.
#[derive(Serialize)]
pub struct InitAnswer {
    success: bool,
    project_name: String,
    codegraph_path: String,
    files_indexed: u64,
    items_found: u64,
    duration_ms: f64,
    index_bytes: u64,
    /// Files and symbols of each language.
    languages: Vec<LabelCount>,
    /// Entries of the folder that another tool made; they were left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foreign: Vec<String>,
    /// What could not be kept beside the index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    report: BuildReport,
}

/// Makes a folder a project and indexes it.
pub fn init(
    folder: &Path,
    options: &InitOptions,
    how: &BuildOptions,
    progress: &dyn Progress,
) -> anyhow::Result<InitAnswer> {
    let initialised = Project::init(folder, options)?;
    let report = build(&initialised.project, how, progress)?;
    describe(&initialised.project, initialised.foreign, report)
}

fn describe(project: &Project, foreign: Vec<String>, report: BuildReport) -> anyhow::Result<InitAnswer> {
    let reader = Reader::open(project.root(), &project.index_path())?;
    let languages = codegraph_query::label(&reader, &[], Default::default())?.counts;
    let items = codegraph_query::status(&reader)?.statistics.items;
    let notes = codegraph_knowledge::gather(project, &reader);
    let index = project.index_path();
    let index_bytes = std::fs::metadata(&index).with_context(|| format!("{} is not there", index.display()))?.len();
    Ok(InitAnswer {
        success: true,
        project_name: project.name().to_owned(),
        codegraph_path: project.folder().display().to_string(),
        files_indexed: report.files,
        items_found: items,
        duration_ms: report.duration_ms,
        index_bytes,
        languages,
        foreign,
        notes,
        report,
    })
}

const MOST_SKIPPED: usize = 5;

impl Answer for InitAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.languages.iter().map(|language| language.label.len()), 16);
        for language in &self.languages {
            let label = out.styled(Style::Kind, &language.label, wide);
            let files = count(language.files, "file");
            out.line(&format!("{label}  {files:>12}  {:>16}", count(language.symbols, "symbol")))?;
        }
        self.print_left_out(out)?;
        for name in &self.foreign {
            out.faint(&format!("left alone: .codegraph/{} is not ours", printable(name)))?;
        }
        for note in &self.notes {
            out.warning(&printable(note))?;
        }
        let name = out.styled(Style::Name, &printable(&self.project_name), 0);
        let (files, source) = (count(self.report.files, "file"), size(self.report.source_bytes));
        let (took, index) = (time(self.duration_ms), size(self.index_bytes));
        out.line(&format!("indexed {name}: {files}, {source} in {took}; index {index}"))
    }
}

impl InitAnswer {
    fn print_left_out(&self, out: &mut Out) -> io::Result<()> {
        let report = &self.report;
        if report.files_with_syntax_problems > 0 {
            let files = count(report.files_with_syntax_problems, "file");
            out.faint(&format!(
                "{files} with text that the parser did not understand ('codegraph status' names them)"
            ))?;
        }
        for path in report.timed_out.iter().take(MOST_SKIPPED) {
            out.warning(&format!("words only, parsing took too long: {}", printable(path)))?;
        }
        for skipped in report.skipped.iter().take(MOST_SKIPPED) {
            out.warning(&format!("skipped {}: {}", printable(&skipped.path), skipped.reason))?;
        }
        if report.skipped.len() > MOST_SKIPPED {
            let more = report.skipped.len() - MOST_SKIPPED;
            out.warning(&format!("and {more} more skipped; {} in all", count(report.skipped.len() as u64, "file")))?;
        }
        Ok(())
    }
}
