//! `codegraph hover`: what the name at a place is.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what the name at a place is
///
/// Its signature, its documentation and where it is defined, as Markdown.
#[derive(Args)]
pub(crate) struct Hover {
    /// FILE:LINE:COLUMN (lines from 1, columns from 0 in bytes), FILE:LINE, a name, a qualified name or an id
    #[arg(allow_hyphen_values = true)]
    place: Selector,
}

impl Run for Hover {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "hover", &codegraph_query::hover(&context.reader()?, &self.place)?)
    }
}
