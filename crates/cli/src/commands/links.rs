//! `codegraph links`: which projects are linked.

use clap::Args;
use codegraph_store::Access;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// List the linked projects and say which can be asked
#[derive(Args)]
pub(crate) struct Links {}

impl Run for Links {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let store = context.project()?.store(Access::Read)?;
        print(context, "links", &codegraph_knowledge::links(&store)?)
    }
}
