//! `codegraph label`: symbols by language and kind.

use clap::Args;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

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
