//! `codegraph completions-script`: completion for shells.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Run;
use crate::Cli;
use crate::context::Context;
use crate::output::Outcome;

/// Print a completion script for a shell
#[derive(Args)]
#[command(aliases = ["completion"])]
pub(crate) struct CompletionsScript {
    pub(super) shell: Shell,
}

impl Run for CompletionsScript {
    fn run(&self, _: &Context) -> anyhow::Result<Outcome> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "codegraph", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(Outcome::Answered)
    }
}
