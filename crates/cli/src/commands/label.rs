//! `codegraph label`: symbols by language and kind.

use std::io;

use clap::Args;
use codegraph_query::LabelAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, remarks, symbols, width};
use crate::output::{Answer, Out, Outcome, Style, print};

/// List symbols by label (language or kind), or count the symbols of each language
#[derive(Args)]
pub(crate) struct Label {
    /// Languages and kinds [default: count all languages]
    #[arg(value_delimiter = ',')]
    labels: Vec<String>,
    /// The same as an option
    #[arg(long = "label", value_name = "LABEL", value_delimiter = ',')]
    more: Vec<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Label {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let labels = [self.labels.as_slice(), self.more.as_slice()].concat();
        print(context, "label", &codegraph_query::label(&context.reader()?, &labels, self.window.window())?)
    }
}

impl Answer for LabelAnswer {
    fn found(&self) -> bool {
        self.total > 0 || !self.counts.is_empty()
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.counts.iter().map(|count| count.label.len()), 16);
        for language in &self.counts {
            let label = out.styled(Style::Name, &language.label, wide);
            let files = count(language.files, "file");
            out.line(&format!("{label}  {files:>12}  {:>16}", count(language.symbols, "symbol")))?;
        }
        symbols(out, &self.symbols)?;
        if self.total == 0 {
            out.line("no symbol with these labels")?;
        }
        more(out, self.symbols.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
