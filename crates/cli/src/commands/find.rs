//! `codegraph find`: symbols by name, qualified name, place, id, kind or language.

use clap::Args;

use super::Run;
use super::shared::{LinkedArgs, MatchArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Find symbols
#[derive(Args)]
#[command(aliases = ["symbols", "symbol", "lookup", "search-symbols", "find-symbol"])]
pub(crate) struct Find {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it [default: all]
    #[arg(default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    name: String,
    #[command(flatten)]
    matching: MatchArgs,
    /// Only symbols of these kinds, such as class, method, fn, const
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only symbols of these languages
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', alias = "language")]
    label: Vec<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    linked: LinkedArgs,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Find {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Find {
            name: self.name.clone(),
            mode: self.matching.mode(),
            case_sensitive: self.matching.case_sensitive,
            kinds: self.kind.clone(),
            languages: self.label.clone(),
            file_filter: self.file_filter.clone(),
            window: self.window.window(),
        };
        print(context, "find", &context.facts(self.linked)?.find(&question)?)
    }
}
