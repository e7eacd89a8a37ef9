//! `codegraph query`: the lines that have a term.

use std::io;

use clap::Args;
use codegraph_query::QueryAnswer;

use super::Run;
use super::shared::{MatchArgs, WindowArgs};
use crate::context::Context;
use crate::human::{count, more, printable, remarks, width};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Find the lines that have a term, or a phrase
#[derive(Args)]
pub(crate) struct Query {
    /// A word, or several that stand on one line in this order
    #[arg(allow_hyphen_values = true)]
    term: String,
    #[command(flatten)]
    matching: MatchArgs,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Only these kinds of text: code, comment, struct, method, property, string
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', alias = "type-filter")]
    types: Vec<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Query {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Query {
            term: self.term.clone(),
            mode: self.matching.mode(),
            case_sensitive: self.matching.case_sensitive,
            file_filter: self.file_filter.clone(),
            type_filter: self.types.clone(),
            window: self.window.window(),
        };
        print(context, "query", &codegraph_query::query(&context.reader()?, &question)?)
    }
}

impl Answer for QueryAnswer {
    fn found(&self) -> bool {
        self.total_matches > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let places: Vec<String> =
            self.matches.iter().map(|row| format!("{}:{}", printable(&row.file), row.line_number)).collect();
        let wide = width(places.iter().map(|place| place.chars().count()), 60);
        for (row, place) in self.matches.iter().zip(&places) {
            let place = out.styled(Style::Path, place, wide);
            let kind = out.styled(Style::Kind, row.line_type, 8);
            let text = row.text.as_deref().map_or_else(|| "(changed since indexed)".to_owned(), |t| printable(t.trim()));
            out.line(&format!("{place}  {kind}  {text}"))?;
        }
        if self.total_matches == 0 {
            out.line(&format!("no match for '{}'", printable(&self.term)))?;
        }
        more(out, self.matches.len(), self.total_matches, self.next_offset)?;
        if self.in_strings > 0 {
            out.faint(&format!("+{} in strings (--type string)", count(self.in_strings as u64, "line")))?;
        }
        remarks(out, &self.remarks)
    }
}
