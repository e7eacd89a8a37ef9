//! `codegraph update-docs`: read the notes for agents again.

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Read all CLAUDE.md and AGENTS.md files again into .codegraph/docs.md
#[derive(Args)]
pub(crate) struct UpdateDocs {}

impl Run for UpdateDocs {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        let answer = codegraph_knowledge::update_docs(&context.project()?, reader.store())?;
        print(context, "update_docs", &answer)
    }
}
