//! `codegraph query`: the lines that have a term.

use clap::Args;

use super::Run;
use super::shared::{LinkedArgs, MatchArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Find the lines that have a term, or a phrase
#[derive(Args)]
#[command(aliases = ["search", "terms", "words"])]
pub(crate) struct Query {
    /// A word, or several that stand on one line in this order
    #[arg(allow_hyphen_values = true)]
    term: String,
    /// More words of the phrase
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    #[command(flatten)]
    matching: MatchArgs,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Only these kinds of text: code, comment, struct, method, property, string
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', alias = "type-filter")]
    types: Vec<String>,
    #[command(flatten)]
    linked: LinkedArgs,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Query {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Query {
            term: [std::slice::from_ref(&self.term), &self.words].concat().join(" "),
            mode: self.matching.mode(),
            case_sensitive: self.matching.case_sensitive,
            file_filter: self.file_filter.clone(),
            type_filter: self.types.clone(),
            window: self.window.window(),
        };
        print(context, "query", &context.facts(self.linked)?.query(&question)?)
    }
}
