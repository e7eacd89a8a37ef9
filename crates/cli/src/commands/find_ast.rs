//! `codegraph find-ast`: syntax nodes of a kind.

use clap::Args;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Find syntax nodes of a kind, such as if_expression
#[derive(Args)]
pub(crate) struct FindAst {
    /// A node kind of some grammar
    #[arg(required_unless_present = "kind_option", value_name = "KIND")]
    kind: Option<String>,
    /// The same as an option
    #[arg(id = "kind_option", long = "kind", value_name = "KIND", conflicts_with = "kind")]
    kind_option: Option<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Only files of these languages
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', alias = "language")]
    label: Vec<String>,
    /// Search all files, so that the total is complete
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for FindAst {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::FindAst {
            kind: self.kind.clone().or_else(|| self.kind_option.clone()).unwrap_or_default(),
            file_filter: self.file_filter.clone(),
            languages: self.label.clone(),
            count: self.count,
            window: self.window.window(),
        };
        print(context, "find-ast", &codegraph_query::find_ast(&context.reader()?, &question)?)
    }
}
