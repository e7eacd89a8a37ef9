//! `codegraph sql`: plain SQL over the index.

use std::io::{self, Read};

use clap::Args;

use crate::context::Context;
use crate::output::{Outcome, print};
use super::Run;

/// Run a read-only SQL statement over the index
#[derive(Args)]
pub(crate) struct Sql {
    /// One SELECT; - reads it from standard input
    #[arg(allow_hyphen_values = true)]
    statement: String,
    /// Show at most so many rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
}

impl Run for Sql {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let mut statement = self.statement.clone();
        if statement == "-" {
            statement.clear();
            io::stdin().lock().read_to_string(&mut statement)?;
        }
        print(context, "sql", &codegraph_query::sql(&context.reader()?, &statement, self.limit)?)
    }
}
