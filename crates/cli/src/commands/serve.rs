//! `codegraph serve`: the page.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use codegraph_serve::Options;

use super::Run;
use crate::context::Context;
use crate::output::Outcome;

/// Serve a page that shows the project in a browser, and the questions as JSON
///
/// One address serves the page, /api (see /api/openapi.json), /rpc (JSON-RPC) and /mcp (MCP).
#[derive(Args)]
pub(crate) struct Serve {
    /// A folder of a project [default: the current folder]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// A folder in which projects may be asked about besides, once for each
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// The port; 0 lets the system choose
    #[arg(long, value_name = "N", default_value_t = 7420)]
    port: u16,
    /// The address of this machine to listen at. One that other machines reach needs CODEGRAPH_TOKEN, which the page
    /// then asks for
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Let the page, and whoever asks /api, change the summary, the links and the index
    #[arg(long)]
    write: bool,
}

impl Run for Serve {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let given = self.path.clone().or_else(|| context.given_folder().map(PathBuf::from));
        let options = Options {
            folders: vec![given.unwrap_or_else(|| PathBuf::from("."))],
            roots: self.root.clone(),
            host: self.host,
            port: self.port,
            write: self.write,
        };
        codegraph_serve::serve(&options, |own| {
            let address = address(own);
            eprintln!("serving the page at {address}");
            if self.open {
                open(&address);
            }
        })?;
        Ok(Outcome::Answered)
    }
}

/// As a browser takes it.
fn address(own: SocketAddr) -> String {
    match own.ip().is_unspecified() {
        true => format!("http://localhost:{}/", own.port()),
        false => format!("http://{own}/"),
    }
}

/// Hands the address to what opens addresses on this system; where there is nothing of the kind it has been printed.
fn open(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        eprintln!("no browser could be opened: go to {address}");
    }
}
