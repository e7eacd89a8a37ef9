//! `codegraph context`: what a task is about.

use clap::Args;
use codegraph_query::{ContextQuestion, DEFAULT_TOKENS};

use super::{LinkedArgs, Run};
use crate::output::{Outcome, print};

/// Show what a task in words or names is about
///
/// The symbols that have the words in their names, documentation or code, the likeliest first; their callers and
/// callees, the bodies that fit, and what to read next. The text has at most as many tokens as asked for.
#[derive(Args)]
pub(crate) struct Context {
    /// The task: words, names, or both
    #[arg(required_unless_present = "names")]
    task: Vec<String>,
    /// Symbols that are wanted in any case
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    names: Vec<String>,
    /// The most tokens of the answer
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TOKENS, alias = "max_tokens")]
    tokens: usize,
    /// Files that are being worked on: what is in or near them counts more
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    focus: Vec<String>,
}

impl Run for Context {
    fn run(&self, context: &crate::context::Context) -> anyhow::Result<Outcome> {
        // The vocabulary is loaded while the index is asked.
        let warming = codegraph_tokens::warm();
        let question = ContextQuestion {
            task: self.task.join(" "),
            names: self.names.clone(),
            tokens: self.tokens,
            focus: self.focus.clone(),
        };
        let answer = context.facts(LinkedArgs::default())?.context(&question)?;
        drop(warming);
        print(context, "context", &answer)
    }
}
