//! `codegraph definition`: where the name at a place is defined.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show where the name at a place is defined
///
/// Local names and parameters too. Without a column, all names of the line. A member of which no type is known is looked
/// for in the values that its object may be: one place is marked `~`, several are `?`. What nothing proves is listed by name
/// and marked `?`.
#[derive(Args)]
#[command(aliases = ["def", "goto", "go-to-definition"])]
pub(crate) struct Definition {
    /// FILE:LINE:COLUMN (lines from 1, columns from 0 in bytes), FILE:LINE, a name, a qualified name or an id
    #[arg(allow_hyphen_values = true)]
    place: Selector,
}

impl Run for Definition {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "definition", &codegraph_query::definition(&context.reader()?, &self.place)?)
    }
}
