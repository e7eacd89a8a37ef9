//! `codegraph rename`: another name for a symbol, everywhere.

use clap::Args;
use codegraph_query::Selector;
use codegraph_runtime::{Request, Served, apply_rename, rename};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Give a symbol or a local name another name: shows the changes as a patch, makes them with --apply
///
/// Done only where every use is proven and every name means afterwards what it meant before. Imports, re-exports, methods
/// that stand for each other, declarations and definitions are included; strings and comments are never touched, and what a string may mean by its name is refused. A file
/// that is found by the name of its type is renamed with it.
#[derive(Args)]
pub(crate) struct Rename {
    /// FILE:LINE:COLUMN (lines from 1, columns from 0 in bytes), a name, a qualified name or an id
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
    /// The new name
    new_name: String,
    /// Change the files
    #[arg(long)]
    apply: bool,
    /// Leave uses alone that nothing proves, instead of refusing
    #[arg(long)]
    leave_unproven: bool,
}

impl Run for Rename {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let served = Served::new(project.root());
        let question = codegraph_query::Rename {
            symbol: self.symbol.clone(),
            new_name: self.new_name.clone(),
            leave_unproven: self.leave_unproven,
            keep_files: false,
        };
        let mut answer = rename(&served, &Request::default(), &question)?;
        if self.apply {
            apply_rename(&served, &mut answer)?;
        }
        print(context, "rename", &answer)
    }
}
