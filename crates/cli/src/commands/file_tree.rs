//! `codegraph file-tree`: all files as a flat list.

use clap::Args;
use codegraph_runtime::Refusal;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// List all files of the project, one per line, indexed or not
#[derive(Args)]
pub(crate) struct FileTree {
    /// A folder [default: all]
    #[arg(default_value = "", hide_default_value = true)]
    path: String,
}

impl Run for FileTree {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let folder = if self.path.is_empty() { String::new() } else { context.path(&project, &self.path)? };
        if !project.absolute(&folder).exists() {
            return Err(Refusal::error(format!("'{}' is not there", self.path), "give a folder inside the project"));
        }
        print(context, "file-tree", &codegraph_index::file_tree(&project, &folder)?)
    }
}
