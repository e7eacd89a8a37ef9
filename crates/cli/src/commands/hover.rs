//! `codegraph hover`: what the name at a place is.

use clap::Args;
use codegraph_query::Several;

use super::Run;
use super::shared::PlaceArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what the name at a place is
///
/// Its signature, its documentation and where it is defined, as Markdown.
#[derive(Args)]
#[command(aliases = ["info", "explain"])]
pub(crate) struct Hover {
    #[command(flatten)]
    places: PlaceArgs,
}

impl Run for Hover {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        print(context, "hover", &Several::ask(&self.places.all(), |place| codegraph_query::hover(&reader, place))?)
    }
}
