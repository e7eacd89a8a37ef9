//! `codegraph diff`: what differs between two states of the project, whom that concerns, which tests get there.

use std::io::Write;

use clap::Args;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show which symbols differ between two revisions, whom that concerns, and which tests get there
#[derive(Args)]
pub(crate) struct Diff {
    /// REV (with the working tree), REV..REV, or REV...REV (from where they grew apart); HEAD if not given
    #[arg(value_name = "REV[..REV]", allow_hyphen_values = true)]
    revisions: Option<String>,
    /// Print only the tests that get there, one argument or line for their runner each
    #[arg(long)]
    tests: bool,
    /// With --tests: only those of this runner (pytest, jest, go test, cargo test, gradle, …)
    #[arg(long, requires = "tests", value_name = "RUNNER")]
    runner: Option<String>,
    /// Leave out what only a name or a convention connects
    #[arg(long)]
    proven: bool,
    /// How many levels of those concerned to list
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: u32,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Diff {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Diff { depth: self.depth, proven: self.proven, window: self.window.window() };
        let reader = context.reader()?;
        let answer = codegraph_runtime::diff(&context.project()?, &reader, self.revisions.as_deref(), &question)?;
        if !self.tests || context.json {
            return print(context, "diff", &answer);
        }
        let mut out = std::io::stdout().lock();
        let wanted = |runner: &str| self.runner.as_deref().is_none_or(|wanted| wanted == runner);
        let lines = answer.commands.iter().filter(|(runner, _)| wanted(runner));
        let mut found = Outcome::NothingFound;
        for (_, line) in lines {
            writeln!(out, "{}", codegraph_text::human::printable(line))?;
            found = Outcome::Answered;
        }
        Ok(found)
    }
}
