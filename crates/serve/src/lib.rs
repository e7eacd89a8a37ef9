//! The page: what codegraph knows, in a browser. One listener serves the page, the questions as JSON (`/api`), JSON-RPC
//! (`/rpc`) and MCP (`/mcp`).
//!
//! Decides nothing about code: a question of the page is a question of every surface. The page itself is built from `page/`
//! and is part of the binary.

mod api;
mod assets;
mod door;
mod events;
mod form;
mod openapi;
mod reply;
mod routes;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use codegraph_mcp::{Endpoint, Server, ToolSet};
use codegraph_runtime::Guard;

use crate::door::Door;
use crate::events::Events;
use crate::routes::Routes;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders in projects; the first one is the page's.
    pub folders: Vec<PathBuf>,
    /// Folders in which projects may be asked about besides.
    pub roots: Vec<PathBuf>,
    pub host: IpAddr,
    /// Chosen by the system if 0.
    pub port: u16,
    /// Whether questions may change something.
    pub write: bool,
}

/// Serves until the process ends; `ready` is told the address once it listens.
pub fn serve(options: &Options, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let address = SocketAddr::new(options.host, options.port);
    let guard = Guard::at(address)?;
    serve_behind(guard, address, options, ready)
}

/// The same, behind a guard that was made elsewhere.
pub fn serve_behind(
    guard: Guard,
    address: SocketAddr,
    options: &Options,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    let runtime = codegraph_mcp::runtime()?;
    let server = Server::new(&codegraph_mcp::Options {
        tools: ToolSet::All,
        structured: false,
        folders: options.folders.clone(),
        roots: options.roots.clone(),
        ..codegraph_mcp::Options::default()
    });
    // A project that cannot be opened is said now, not in a browser.
    let root = server.projects().get(None)?.root().to_owned();
    runtime.block_on(async {
        let (listener, own) = codegraph_mcp::bind(address).await?;
        let guard = guard.listening(own);
        server.warm();
        let endpoint = Endpoint::new(server.clone(), &guard);
        let events = Events::of(root);
        let routes = Arc::new(Routes { door: Door::new(guard), server, endpoint, events, write: options.write });
        ready(own);
        codegraph_mcp::listen(listener, move |request| {
            let routes = Arc::clone(&routes);
            async move { routes.answer(request).await }
        })
        .await
    })
}
