//! `codegraph find`: symbols by name, qualified name, place, id, kind or language.

use std::io;

use clap::Args;
use codegraph_query::FindAnswer;

use super::Run;
use super::shared::{MatchArgs, WindowArgs};
use crate::context::Context;
use crate::human::{more, printable, remarks, symbols};
use crate::output::{Answer, Out, Outcome, print};

/// Find symbols
#[derive(Args)]
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
        print(context, "find", &codegraph_query::find(&context.reader()?, &question)?)
    }
}

impl Answer for FindAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        symbols(out, &self.symbols)?;
        if self.total == 0 {
            out.line(&format!("no symbol '{}'", printable(&self.name)))?;
        }
        more(out, self.symbols.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
