//! `codegraph get-entity-dependents`.

use clap::Args;

use super::Run;
use super::shared::EntityArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show which classes, methods and functions depend on one
#[derive(Args)]
#[command(aliases = ["dependents"])]
#[command(name = "get-entity-dependents", alias = "get_entity_dependents")]
pub(crate) struct GetEntityDependents {
    #[command(flatten)]
    entity: EntityArgs,
}

impl Run for GetEntityDependents {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let answer = codegraph_query::get_entity_dependents(&context.reader()?, &self.entity.question())?;
        print(context, "get_entity_dependents", &answer)
    }
}
