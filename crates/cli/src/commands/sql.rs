//! `codegraph sql`: plain SQL over the index.

use std::io::{self, Read};
use std::time::Duration;

use clap::Args;
use codegraph_store::SqlLimits;

use super::Run;
use super::shared::LinkedArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Run a read-only SQL statement over the index
#[derive(Args)]
pub(crate) struct Sql {
    /// One SELECT; - reads it from standard input
    #[arg(allow_hyphen_values = true)]
    statement: String,
    /// Show at most so many rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

impl Run for Sql {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let mut statement = self.statement.clone();
        if statement == "-" {
            statement.clear();
            io::stdin().lock().read_to_string(&mut statement)?;
        }
        let limits = SqlLimits { time: Duration::from_secs(self.timeout), ..SqlLimits::rows(self.limit) };
        print(context, "sql", &context.facts(LinkedArgs::default())?.sql(&statement, limits)?)
    }
}
