//! The MCP server: the questions of codegraph as tools, a few resources and prompts, over stdio or HTTP.
//!
//! A tool takes its arguments, calls the function that the command of that name calls, and hands back the same text; the
//! same data too, where the server was started for that. Async code ends at `server`: tools are plain functions that run on
//! blocking threads.

mod api;
mod args;
mod budget;
mod call;
mod cursor;
mod elsewhere;
mod http;
mod instructions;
mod progress;
mod prompts;
mod resources;
mod server;
mod sessions;
mod tool;
mod tools;

use std::net::SocketAddr;
use std::path::PathBuf;

use rmcp::ServiceExt as _;

pub use api::Question;
pub use elsewhere::{Elsewhere, Store};
pub use http::{Endpoint, HttpReply, Incoming, bind, listen};
pub use server::Server;

/// Which tools the server offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// Those that agents call most.
    Core,
    #[default]
    All,
    /// Those that a store of many projects answers.
    Store,
}

/// What to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub tools: ToolSet,
    /// Send data along with the text of answers. Many clients then show their model the data and not the text.
    pub structured: bool,
    /// Folders in projects; the first one is asked about where a call names none.
    pub folders: Vec<PathBuf>,
    /// Folders in which projects may be asked about besides.
    pub roots: Vec<PathBuf>,
    /// Answers come from here, with the tools of [`ToolSet::Store`].
    pub store: Store,
}

/// Deep code is analysed on these threads. The memory is taken only where it is used.
const STACK_BYTES: usize = 16 << 20;
/// Calls that run at the same time; others wait.
const MOST_CALLS: usize = 8;

/// Serves one client on standard input and output until it goes away.
pub fn serve_stdio(options: &Options) -> anyhow::Result<()> {
    let runtime = runtime()?;
    let server = Server::new(options);
    let outcome = runtime.block_on(async {
        server.warm();
        // Pipes belong to the runtime that waits for them.
        let (input, output) = rmcp::transport::stdio_pipes();
        serve_stream(server, input, output).await
    });
    // A call that is still running must not keep the process.
    runtime.shutdown_background();
    outcome
}

/// Serves one client on two streams until it goes away.
pub async fn serve_stream(
    server: Server,
    input: impl tokio::io::AsyncRead + Send + Unpin + 'static,
    output: impl tokio::io::AsyncWrite + Send + Unpin + 'static,
) -> anyhow::Result<()> {
    match server.serve((input, output)).await {
        Ok(service) => service.waiting().await.map(|_| ()).map_err(anyhow::Error::from),
        // A client that goes away before it says anything is no failure.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Serves any number of clients over HTTP; `ready` is told the address once it listens.
pub fn serve_http(options: &Options, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let runtime = runtime()?;
    let server = Server::new(options);
    let outcome = runtime.block_on(async {
        server.warm();
        http::serve(server, address, ready).await
    });
    runtime.shutdown_background();
    outcome
}

/// What serves: two threads that wait and some that answer.
pub fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).max_blocking_threads(MOST_CALLS).thread_stack_size(STACK_BYTES).enable_all();
    Ok(builder.build()?)
}
