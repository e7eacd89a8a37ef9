//! `codegraph snapshot`: the whole index as one file, for caches.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use codegraph_files::Replacement;
use codegraph_index::{InitOptions, LoadReport, Project, SnapshotHead};
use codegraph_text::human::{count, printable};
use codegraph_text::{Answer, Out};
use serde::Serialize;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use crate::progress::Bar;

/// Save the whole index as one file, or bring it back
#[derive(Args)]
pub(crate) struct Snapshot {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Write the index, compressed, with its repository and commit
    Save {
        /// The file to write, '-' for standard output
        file: PathBuf,
    },
    /// Put a saved index in place, compare it with the tree, and read again what differs
    ///
    /// What is in the file is believed: load what you or your own builds have saved.
    Load {
        /// The file
        file: PathBuf,
    },
}

impl Run for Snapshot {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        match &self.what {
            What::Save { file } => save(context, file),
            What::Load { file } => load(context, file),
        }
    }
}

fn save(context: &Context, file: &Path) -> anyhow::Result<Outcome> {
    // What is saved is what the tree is now.
    drop(context.reader()?);
    let project = context.project()?;
    if file == Path::new("-") {
        codegraph_index::save(&project, &mut BufWriter::new(io::stdout()))?;
        return Ok(Outcome::Answered);
    }
    let failed = || format!("'{}' could not be written: check that its folder is there", file.display());
    let mut new = Replacement::of(file).with_context(failed)?;
    let head = codegraph_index::save(&project, &mut BufWriter::new(new.file()))?;
    new.file().flush()?;
    let bytes = new.file().metadata()?.len();
    new.finish().with_context(failed)?;
    print(context, "snapshot", &Saved { head, file: file.display().to_string(), bytes })
}

fn load(context: &Context, file: &Path) -> anyhow::Result<Outcome> {
    let given = context.given_folder().unwrap_or(Path::new("."));
    let project = match Project::find(given) {
        Ok(project) => project,
        Err(_) => Project::init(given, &InitOptions::default())?.project,
    };
    let bytes = codegraph_files::read_named(file)
        .with_context(|| format!("'{}' could not be read: check that it is there", file.display()))?;
    let report = codegraph_index::load(&project, &mut bytes.as_slice(), file, &Bar::new(context.json))?;
    print(context, "snapshot", &Loaded(report))
}

#[derive(Serialize)]
struct Saved {
    #[serde(flatten)]
    head: SnapshotHead,
    file: String,
    bytes: u64,
}

fn named(head: &SnapshotHead) -> String {
    let commit = head.identity.commit.as_deref().map_or_else(String::new, |commit| format!(" at {commit}"));
    format!("{}{commit}", printable(&head.identity.repository))
}

impl Answer for Saved {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.line(&format!("saved {} as {}: {} bytes", named(&self.head), printable(&self.file), self.bytes))
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct Loaded(LoadReport);

impl Answer for Loaded {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let update = &self.0.update;
        let read = update.added.len() + update.changed.len();
        let again = format!("{} read again, {} gone", count(read as u64, "file"), update.removed.len());
        out.line(&format!("loaded {}: {again}", named(&self.0.head)))
    }
}
