//! `codegraph remove`: take files out of the index.

use std::path::Path;

use clap::Args;
use codegraph_index::{UpdateOptions, UpdateReport, remove};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use codegraph_runtime::UpdateAnswer;

/// Take files or folders out of the index; removing twice is fine
#[derive(Args)]
pub(crate) struct Remove {
    #[arg(required = true)]
    files: Vec<String>,
}

impl Run for Remove {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let mut all = UpdateReport::default();
        for file in &self.files {
            let path = context.path(&project, file)?;
            add(&mut all, remove(&project, Path::new(&path), &UpdateOptions::default())?);
        }
        let file = (self.files.len() == 1).then(|| self.files[0].clone());
        print(context, "remove", &UpdateAnswer { success: true, file, report: all })
    }
}

fn add(all: &mut UpdateReport, one: UpdateReport) {
    all.removed.extend(one.removed);
    all.renamed += one.renamed;
    all.items_removed += one.items_removed;
    all.lines_removed += one.lines_removed;
    all.symbols_removed += one.symbols_removed;
    all.duration_ms += one.duration_ms;
}
