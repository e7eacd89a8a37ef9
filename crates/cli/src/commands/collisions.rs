//! `codegraph collisions`: symbols that share an identity.

use clap::Args;
use codegraph_query::Identity;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// List symbols that share a name or id that should be unique
#[derive(Args)]
pub(crate) struct Collisions {
    /// Look at these only: fqn, canonical_fqn, symbol_id
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    field: Vec<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Collisions {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let fields = self.field.iter().map(|word| Identity::from_word(word)).collect::<Result<Vec<_>, _>>()?;
        let answer = codegraph_query::collisions(&context.reader()?, &fields, self.window.window())?;
        print(context, "collisions", &answer)
    }
}
