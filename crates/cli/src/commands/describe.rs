//! `codegraph describe`: keep what only people know in a section of the summary.

use std::io::{self, Read};

use anyhow::Context as _;
use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Add to a section of the summary: purpose, architecture, concepts, patterns or custom
///
/// A section is only ever extended, unless --replace is given.
#[derive(Args)]
pub(crate) struct Describe {
    /// The section
    section: String,
    /// The text, as Markdown; - reads it from standard input
    #[arg(allow_hyphen_values = true)]
    content: String,
    /// The heading of a custom section
    #[arg(long)]
    title: Option<String>,
    /// Put the text in the place of what the section says
    #[arg(long)]
    replace: bool,
}

impl Run for Describe {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let mut content = self.content.clone();
        if content == "-" {
            content.clear();
            io::stdin().read_to_string(&mut content).context("standard input could not be read")?;
        }
        let question = codegraph_knowledge::Describe {
            section: self.section.clone(),
            title: self.title.clone(),
            content,
            replace: self.replace,
        };
        print(context, "describe", &codegraph_knowledge::describe(&context.project()?, &question)?)
    }
}
