//! `codegraph lsp`: serve editors.

use std::net::SocketAddr;

use clap::Args;
use codegraph_lsp::{serve_socket, serve_stdio};

use super::Run;
use crate::context::Context;
use crate::output::Outcome;

/// Serve an editor over the Language Server Protocol, on standard input and output or on a socket
///
/// Editors start this themselves: see docs/editors.md. A folder without an index is indexed in the background.
#[derive(Args)]
pub(crate) struct Lsp {
    /// On standard input and output; many editors say so
    #[arg(long, conflicts_with = "socket")]
    stdio: bool,
    /// Wait for one editor at this address of this machine, such as 127.0.0.1:7430
    #[arg(long, value_name = "ADDR")]
    socket: Option<SocketAddr>,
    /// The process of the editor; it is not watched, the end of its messages is
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client: Option<u32>,
}

impl Run for Lsp {
    fn run(&self, _: &Context) -> anyhow::Result<Outcome> {
        let _ = (self.stdio, self.client);
        let properly = match self.socket {
            None => serve_stdio(),
            Some(address) => serve_socket(address, |own| eprintln!("serving an editor at {own}"))?,
        };
        Ok(if properly { Outcome::Answered } else { Outcome::NothingFound })
    }
}
