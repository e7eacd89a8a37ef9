//! `codegraph docs`: the notes of the project for agents.

use clap::Args;
use codegraph_query::Window;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show the CLAUDE.md and AGENTS.md files of the project, or a section of them
#[derive(Args)]
pub(crate) struct Docs {
    /// A heading, a file or folder, or FILE#HEADING [default: everything]
    section: Option<String>,
    /// The same as an option
    #[arg(id = "section_option", long = "section", value_name = "SECTION", conflicts_with = "section")]
    section_option: Option<String>,
    /// Show at most so many lines
    #[arg(long, value_name = "N", default_value_t = 2000)]
    limit: usize,
    /// Leave out the first so many lines
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
}

impl Run for Docs {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        let project = context.project()?;
        let question = codegraph_knowledge::Docs {
            section: self.section.clone().or_else(|| self.section_option.clone()),
            refresh: context.may_update(&project),
            window: Window { limit: self.limit, offset: self.offset },
        };
        print(context, "docs", &codegraph_knowledge::docs(&project, &reader, &question)?)
    }
}
