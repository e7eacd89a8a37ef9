//! Makes a folder a project, builds its index, and says what was found.

use std::path::Path;

use anyhow::Context as _;
use codegraph_index::{BuildOptions, BuildReport, InitOptions, Progress, Project, start_or_build};
use codegraph_model::Advice;
use codegraph_query::{LabelCount, Reader, UnreadCount};
use serde::Serialize;

/// What was set up and indexed.
#[derive(Serialize)]
pub struct InitAnswer {
    pub success: bool,
    pub project_name: String,
    pub codegraph_path: String,
    pub files_indexed: u64,
    pub items_found: u64,
    pub duration_ms: f64,
    pub index_bytes: u64,
    /// Files and symbols of each language.
    pub languages: Vec<LabelCount>,
    /// Files of no known language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UnreadCount>,
    /// Entries of the folder that another tool made; they were left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<String>,
    /// What could not be kept beside the index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Advice>,
    pub report: BuildReport,
}

/// Makes a folder a project and indexes it.
pub fn init(
    folder: &Path,
    options: &InitOptions,
    how: &BuildOptions,
    progress: &dyn Progress,
) -> anyhow::Result<InitAnswer> {
    let initialised = Project::init(folder, options)?;
    let report = start_or_build(&initialised.project, how, progress)?;
    let mut answer = describe(&initialised.project, initialised.foreign, report)?;
    if initialised.beside {
        let said = format!(".codegraph belongs to another tool: the index is in {}", initialised.project.data_dir());
        answer.notes.push(Advice::new(said));
    }
    Ok(answer)
}

fn describe(project: &Project, foreign: Vec<String>, report: BuildReport) -> anyhow::Result<InitAnswer> {
    let reader = Reader::open(project.root(), &project.index_path())?.counting(crate::open::unread(project));
    let languages = codegraph_query::label(&reader, &[], Default::default())?.counts;
    let status = codegraph_query::status(&reader)?;
    let notes = codegraph_knowledge::gather(project, &reader);
    let index = project.index_path();
    let index_bytes = std::fs::metadata(&index).with_context(|| format!("{} is not there", index.display()))?.len();
    Ok(InitAnswer {
        success: true,
        project_name: project.name().to_owned(),
        codegraph_path: project.folder().display().to_string(),
        files_indexed: report.files,
        items_found: status.statistics.items,
        unread: status.unread,
        duration_ms: report.duration_ms,
        index_bytes,
        languages,
        foreign,
        notes,
        report,
    })
}
