//! `codegraph find-usages`: where a name is used, whatever it means.

use std::io;

use clap::Args;
use codegraph_query::FindUsagesAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks, width};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::{mark, subject};

/// Show where a name is used, for all symbols that have it; `?` marks what only has the name
#[derive(Args)]
#[command(name = "find-usages", alias = "find_usages")]
pub(crate) struct FindUsages {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    name: String,
    /// Only these kinds of use, such as call, read, write, import, inherit
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for FindUsages {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::FindUsages {
            name: self.name.clone(),
            kinds: self.kind.clone(),
            file_filter: self.file_filter.clone(),
            window: self.window.window(),
        };
        print(context, "find_usages", &codegraph_query::find_usages(&context.reader()?, &question)?)
    }
}

impl Answer for FindUsagesAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for symbol in &self.symbols {
            subject(out, symbol)?;
        }
        let proved = count((self.total - self.candidates) as u64, "use");
        out.line(&format!("{proved}, and {} by name only", count(self.candidates as u64, "candidate")))?;
        let kinds = width(self.usages.iter().map(|usage| usage.usage_type.len()), 14);
        for usage in &self.usages {
            let place = out.styled(Style::Path, &format!("{}:{}", printable(&usage.file_path), usage.line), 0);
            let kind = out.styled(Style::Kind, usage.usage_type, kinds);
            let text = printable(usage.text.as_deref().unwrap_or(""));
            let context = out.styled(Style::Faint, &format!("in {}", printable(&usage.context)), 0);
            out.line(&format!("  {place}  {kind}{}  {text}  {context}", mark(usage.certainty)))?;
        }
        more(out, self.usages.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
