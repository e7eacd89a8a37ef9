//! The `codegraph` command. Commands ask the query or index crate and format what it says; they decide nothing.

mod allocator;
mod commands;
mod context;
mod envelope;
mod help;
mod log;
mod org;
mod output;
mod progress;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, ValueEnum};

use crate::commands::Command;
use crate::context::Context;

/// Answers questions about a source tree from an index in its folder: where is it, what is it, who uses it.
#[derive(Parser)]
#[command(name = "codegraph", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit status: 0 answered, 1 nothing found, 2 wrong usage or failed.")]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options that every command takes.
#[derive(clap::Args)]
struct Global {
    /// The project's folder, or one inside it [default: the current one]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    project: Option<PathBuf>,
    /// The folder of the project that holds the index: a name that begins with .codegraph-
    /// [default: CODEGRAPH_DIR, else .codegraph, or .codegraph-index where another tool has that]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    data_dir: Option<String>,
    /// Ask the store of an organisation instead of a project: a PostgreSQL address, or @FILE that holds it
    #[arg(long, global = true, value_name = "URL", help_heading = "Global options")]
    org: Option<String>,
    /// Print JSON in an envelope for machines
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    /// Answer from the index as it is, even if files have changed
    #[arg(long, global = true, help_heading = "Global options")]
    no_update: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Global options")]
    color: Color,
    /// Tell on standard error what is done; twice tells more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    verbose: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set; elsewhere if CLICOLOR_FORCE is
    Auto,
    Always,
    Never,
}

#[expect(unsafe_code, reason = "the parser takes its allocator as C functions")]
fn set_up_memory() {
    allocator::set_up();
    // SAFETY: nothing has been parsed yet, and the functions belong together.
    unsafe { codegraph_extract::arena::install(allocator::of_parser()) };
}

/// What the command line names, else the environment.
fn use_data_folder(given: Option<&str>) -> anyhow::Result<()> {
    let variable = std::env::var("CODEGRAPH_DIR").ok().filter(|name| !name.is_empty());
    match given.or(variable.as_deref()) {
        Some(name) => Ok(codegraph_index::use_data_folder(name)?),
        None => Ok(()),
    }
}

fn main() -> ExitCode {
    set_up_memory();
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if help::wants_all(&arguments) {
        print!("{}", help::all());
        return ExitCode::SUCCESS;
    }
    let matches = help::command().try_get_matches();
    let matches = matches.or_else(|error| help::with_words_apart(&arguments).ok_or(error));
    let matches = matches.unwrap_or_else(|error| help::refuse(&error, &arguments));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match log::Level::of(cli.global.verbose, std::env::var("CODEGRAPH_LOG_LEVEL").ok().as_deref()) {
        Ok(level) => log::start(level),
        Err(message) => output::say(&format!("warning: {message}")),
    }
    if let Err(error) = use_data_folder(cli.global.data_dir.as_deref()) {
        return output::report(&error);
    }
    let context = Context::new(cli.global);
    match cli.command.run(&context) {
        Ok(outcome) => {
            log::tell(log::Level::Info, || "answered".to_owned());
            context.keep_map_file();
            outcome.into()
        }
        Err(error) => output::report(&error),
    }
}
