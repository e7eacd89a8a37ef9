//! `codegraph mcp`: serve agents.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use codegraph_mcp::{Options, ToolSet, serve_http, serve_stdio};

use super::Run;
use crate::context::Context;
use crate::output::Outcome;

/// Serve agents over the Model Context Protocol, on standard input and output or over HTTP
#[derive(Args)]
pub(crate) struct Mcp {
    /// Folders of projects; the first one is asked about where a call names none [default: the current folder]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// A folder in which projects may be asked about, once for each [default: PATH and what is below]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// Which tools to offer
    #[arg(long, value_name = "SET", default_value = "all")]
    tools: Tools,
    /// Send the data of --json along with every text, as structured content. Many clients then show their model the data
    /// instead of the text, which is several times as long
    #[arg(long)]
    structured: bool,
    /// Serve streamable HTTP at this address, such as 127.0.0.1:7420, instead of standard input and output
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tools {
    /// The ten that agents call most, and init
    Core,
    All,
}

impl Run for Mcp {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let mut folders = self.paths.clone();
        if folders.is_empty() {
            folders.push(context.given_folder().map_or_else(|| PathBuf::from("."), PathBuf::from));
        }
        let tools = match self.tools {
            Tools::Core => ToolSet::Core,
            Tools::All => ToolSet::All,
        };
        let store = context.store()?;
        let options = Options { tools, structured: self.structured, folders, roots: self.root.clone(), store };
        match self.http {
            None => serve_stdio(&options)?,
            Some(address) => serve_http(&options, address, |own| eprintln!("serving MCP at http://{own}/mcp"))?,
        }
        Ok(Outcome::Answered)
    }
}
