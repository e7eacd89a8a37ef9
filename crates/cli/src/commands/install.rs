//! `codegraph install`: register the server with the programs that use it.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use codegraph_index::Project;
use codegraph_install::{Places, Scope};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Register the server with Claude Code, Cursor, Codex, VS Code and others, or take that back
///
/// Each program gets 'codegraph mcp --tools core' in its own file and format, in its own way to have the tools loaded and
/// those that only read called without a question, and a short instruction for its agents. Comments, unknown keys and
/// formatting of the files stay as they are, nothing is written twice, and --uninstall removes exactly what was added.
#[derive(Args)]
pub(crate) struct Install {
    /// Only these programs [default: those found on this machine]
    #[arg(long, value_name = "CLIENT", value_delimiter = ',')]
    client: Vec<String>,
    /// For you, everywhere; or for everybody, in files of the project
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    scope: ScopeWord,
    /// Show what would be written, and write nothing
    #[arg(long)]
    print: bool,
    /// Take everything back
    #[arg(long)]
    uninstall: bool,
    /// Write no instructions for agents
    #[arg(long, conflicts_with = "instructions")]
    no_instructions: bool,
    /// Write them into AGENTS.md and CLAUDE.md of the project too, whatever the scope
    #[arg(long)]
    instructions: bool,
    /// Replace an entry that says something else
    #[arg(long)]
    force: bool,
    /// What starts codegraph [default: this program's path; in files of the project its name]
    #[arg(long, value_name = "PATH")]
    command: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScopeWord {
    User,
    Project,
}

impl Run for Install {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let scope = match self.scope {
            ScopeWord::User => Scope::User,
            ScopeWord::Project => Scope::Project,
        };
        let question = codegraph_install::Install {
            clients: self.client.clone(),
            scope,
            command: self.command.clone().map_or_else(|| own_command(scope), Ok)?,
            uninstall: self.uninstall,
            instructions: !self.no_instructions,
            project_notes: self.instructions,
            force: self.force,
            dry_run: self.print,
        };
        let places = Places::of(folder(context)?)?;
        print(context, "install", &codegraph_install::install(&places, &question)?)
    }
}

/// Programs with a window often know no search path, so they get the whole one. Others have codegraph elsewhere.
fn own_command(scope: Scope) -> anyhow::Result<String> {
    let name = "codegraph".to_owned();
    if scope == Scope::Project {
        return Ok(name);
    }
    let path = std::env::current_exe().context("the path of this program could not be found")?;
    Ok(path.to_str().map_or(name, str::to_owned))
}

/// The project's folder; where there is none, the current one.
fn folder(context: &Context) -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("the current folder could not be found")?;
    let start = context.given_folder().map_or(here, PathBuf::from);
    Ok(Project::find(&start).map_or(start, |project| project.root().to_owned()))
}
