//! `codegraph man`: manual pages.

use std::io::Write;

use clap::{Args, CommandFactory};

use super::Run;
use crate::Cli;
use crate::context::Context;
use crate::output::Outcome;
use codegraph_model::Advice;
use codegraph_runtime::Refusal;

/// Print the manual page of codegraph or of a command, in roff
#[derive(Args)]
pub(crate) struct Man {
    /// A command [default: the whole program]
    command: Option<String>,
}

impl Run for Man {
    fn run(&self, _: &Context) -> anyhow::Result<Outcome> {
        let mut program = Cli::command();
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => subcommand(&program, name)?,
        };
        let mut text = Vec::new();
        clap_mangen::Man::new(page).render(&mut text)?;
        std::io::stdout().write_all(&text)?;
        Ok(Outcome::Answered)
    }
}

fn subcommand(program: &clap::Command, name: &str) -> anyhow::Result<clap::Command> {
    let found = program.find_subcommand(name).cloned();
    found.ok_or_else(|| {
        Refusal::error(format!("no command '{name}'"), Advice::default().ask("help").words(" lists the commands"))
    })
}
