//! `codegraph update`: bring the index up to date, all of it or some files.

use std::path::PathBuf;

use clap::Args;
use codegraph_index::{FileEdit, Project, Scope, UpdateOptions};
use codegraph_store::LineRange;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use crate::progress::Bar;
use codegraph_model::Advice;
use codegraph_runtime::Refusal;
use codegraph_runtime::UpdateAnswer;

/// Bring the index up to date
#[derive(Args)]
#[command(aliases = ["refresh", "sync"])]
pub(crate) struct Update {
    /// Files or folders [default: everything that has changed]
    files: Vec<String>,
    /// The lines of the file that an edit replaced, numbered as before it
    #[arg(long, value_name = "A-B", requires = "files")]
    lines: Option<String>,
}

impl Run for Update {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let lines = self.lines.as_deref().map(line_range).transpose()?;
        let scope = match (self.files.as_slice(), lines) {
            ([], _) => Scope::All,
            ([file], Some(lines)) => Scope::Lines { file: context.path(&project, file)?.into(), lines },
            (_, Some(_)) => {
                return Err(Refusal::error("--lines needs exactly one file", Advice::new("use ").ask("update_batch")));
            }
            (files, None) => {
                let paths = files.iter().map(|file| Ok(PathBuf::from(context.path(&project, file)?)));
                Scope::Files(paths.collect::<anyhow::Result<_>>()?)
            }
        };
        run(context, &project, "update", scope)
    }
}

/// Updates and prints what was done.
pub(super) fn run(context: &Context, project: &Project, tool: &'static str, scope: Scope) -> anyhow::Result<Outcome> {
    let file = match &scope {
        Scope::Lines { file, .. } => file.to_str().map(str::to_owned),
        Scope::Files(files) if files.len() == 1 => files[0].to_str().map(str::to_owned),
        _ => None,
    };
    let report = {
        let bar = Bar::new(context.json);
        codegraph_index::update(project, scope, &UpdateOptions::default(), &bar)?
    };
    print(context, tool, &UpdateAnswer { success: true, file, report })
}

/// `A-B`, or `A` for one line.
pub(super) fn line_range(text: &str) -> anyhow::Result<LineRange> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let parsed = first.trim().parse().ok().zip(last.trim().parse().ok());
    parsed
        .filter(|(first, last)| *first > 0 && first <= last)
        .map(|(first, last)| LineRange { first, last })
        .ok_or_else(|| Refusal::error(format!("'{text}' is no range of lines"), "give it as FIRST-LAST, from 1"))
}

/// `FILE` or `FILE:A-B`.
pub(super) fn file_edit(context: &Context, project: &Project, text: &str) -> anyhow::Result<FileEdit> {
    let ranged = text.rsplit_once(':').filter(|(file, range)| {
        !file.is_empty() && range.starts_with(|c: char| c.is_ascii_digit()) && !project.absolute(text).exists()
    });
    let (file, lines) = match ranged {
        Some((file, range)) => (file, Some(line_range(range)?)),
        None => (text, None),
    };
    Ok(FileEdit { path: context.path(project, file)?.into(), lines })
}
