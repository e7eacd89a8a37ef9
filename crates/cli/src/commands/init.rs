//! `codegraph init`: make a folder a project and build its index.

use std::path::{Path, PathBuf};

use clap::Args;
use codegraph_index::{BuildOptions, InitOptions};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use crate::progress::Bar;

/// Make a folder a project and index it
#[derive(Args)]
#[command(aliases = ["index", "build", "reindex"])]
pub(crate) struct Init {
    /// The project's folder [default: the current one]
    path: Option<PathBuf>,
    /// The project's name [default: the folder's]
    #[arg(long)]
    name: Option<String>,
    /// Index only these languages
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',')]
    languages: Option<Vec<String>>,
    /// Leave out what matches these patterns, written as in .gitignore
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    exclude: Option<Vec<String>>,
    /// Index only what matches these patterns, written as in .gitignore
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    include: Option<Vec<String>>,
    /// Read what others or programs wrote too (node_modules, vendor, minified and generated files), although git does not
    /// track it
    #[arg(long)]
    vendored: bool,
    /// Let git see config.json and summary.md, to be committed
    #[arg(long)]
    shared: bool,
    /// Use so many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Run for Init {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let folder = self.path.as_deref().or(context.given_folder()).unwrap_or(Path::new("."));
        let options = InitOptions {
            name: self.name.clone(),
            languages: self.languages.clone(),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            vendored: self.vendored,
            shared: self.shared,
        };
        let how = BuildOptions { threads: self.threads.map(usize::from), ..BuildOptions::default() };
        let answer = {
            let bar = Bar::new(context.json);
            codegraph_runtime::init(folder, &options, &how, &bar)?
        };
        print(context, "init", &answer)
    }
}
