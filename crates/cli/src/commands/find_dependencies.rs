//! `codegraph find-dependencies`: what a symbol or a file uses.

use std::io;

use clap::Args;
use codegraph_query::FindDependenciesAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks, unselected, width};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::subject;

/// Show what a symbol or a file uses, each thing once
#[derive(Args)]
#[command(name = "find-dependencies", alias = "find_dependencies")]
pub(crate) struct FindDependencies {
    /// A symbol (name, qualified name, FILE:LINE, id) or a file
    #[arg(allow_hyphen_values = true)]
    name: String,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for FindDependencies {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::FindDependencies { name: self.name.clone(), window: self.window.window() };
        print(context, "find_dependencies", &codegraph_query::find_dependencies(&context.reader()?, &question)?)
    }
}

impl Answer for FindDependenciesAnswer {
    fn found(&self) -> bool {
        matches!(self, FindDependenciesAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, FindDependenciesAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            FindDependenciesAnswer::Found(found) => found,
            FindDependenciesAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let names = width(found.dependencies.iter().map(|one| one.name.chars().count()), 60);
        for one in &found.dependencies {
            let name = out.styled(Style::Name, &printable(&one.name), names);
            let how = out.styled(Style::Kind, &one.usage_types.join(","), 0);
            let uses = count(one.uses as u64, "use");
            let external = if one.external { "  (external)" } else { "" };
            out.line(&format!("  {name}  {how}  {uses}, first {}:{}{external}", printable(&one.file_path), one.line))?;
        }
        more(out, found.dependencies.len(), found.total, found.next_offset)?;
        remarks(out, &found.remarks)
    }
}
