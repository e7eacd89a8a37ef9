//! `codegraph hierarchy`: the types above and below a type.

use clap::Args;
use codegraph_query::{HierarchyQuestion, Several};

use super::Run;
use super::shared::{LinkedArgs, SymbolArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show the bases of a type and the types that are made of it, with the places where that is written
#[derive(Args)]
#[command(aliases = ["subclasses", "implementations"])]
pub(crate) struct Hierarchy {
    #[command(flatten)]
    symbols: SymbolArgs,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Hierarchy {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let facts = context.facts(LinkedArgs::default())?;
        let window = self.window.window();
        let answers = Several::ask(&self.symbols.all(), |symbol| {
            facts.hierarchy(&HierarchyQuestion { symbol: symbol.clone(), window })
        });
        print(context, "hierarchy", &answers?)
    }
}
