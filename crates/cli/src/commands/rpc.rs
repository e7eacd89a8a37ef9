//! `codegraph rpc`: answer the four questions of an editor as JSON-RPC 2.0.

use std::path::PathBuf;

use clap::Args;
use codegraph_runtime::Projects;

use super::Run;
use crate::context::Context;
use crate::output::Outcome;

/// Answer LLM.lsp_get_hover, _definition, _references and _completions as JSON-RPC 2.0 on standard input and output
///
/// One message in a line, or after a Content-Length header. Parameters: path, line (from 1), column (from 0, in bytes), by
/// name or in this order.
#[derive(Args)]
pub(crate) struct Rpc {}

impl Run for Rpc {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let home = context.given_folder().map_or_else(|| PathBuf::from("."), PathBuf::from);
        codegraph_rpc::serve_stdio(&Projects::new(&home, &[]))?;
        Ok(Outcome::Answered)
    }
}
