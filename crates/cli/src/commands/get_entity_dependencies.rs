//! `codegraph get-entity-dependencies`.

use clap::Args;

use super::Run;
use super::shared::EntityArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what a class, method or function depends on
#[derive(Args)]
#[command(aliases = ["dependencies"])]
#[command(name = "get-entity-dependencies", alias = "get_entity_dependencies")]
pub(crate) struct GetEntityDependencies {
    #[command(flatten)]
    entity: EntityArgs,
}

impl Run for GetEntityDependencies {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let answer = codegraph_query::get_entity_dependencies(&context.reader()?, &self.entity.question())?;
        print(context, "get_entity_dependencies", &answer)
    }
}
