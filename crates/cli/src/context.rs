//! What every command has: the global options, the project, and a fresh index to ask.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use codegraph_index::Project;
use codegraph_query::Reader;
use codegraph_runtime::Refusal;
use codegraph_text::Dialect;

use crate::commands::LinkedArgs;
use crate::log::{Level, tell};
use crate::org::Facts;
use crate::{Color, Global};

/// The global options, settled.
pub(crate) struct Context {
    project: Option<PathBuf>,
    org: Option<String>,
    pub(crate) json: bool,
    pub(crate) colour: bool,
    /// Whether answers go to a terminal.
    pub(crate) terminal: bool,
    no_update: bool,
}

impl Context {
    pub(crate) fn new(global: Global) -> Context {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let forced = is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR");
        Context {
            project: global.project,
            org: global.org,
            json: global.json,
            no_update: global.no_update,
            terminal: std::io::stdout().is_terminal(),
            colour: match global.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => !plain && (forced || std::io::stdout().is_terminal()),
            },
        }
    }

    /// The folder that `--project` names.
    pub(crate) fn given_folder(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// The project that was named, or that the current folder is in.
    pub(crate) fn project(&self) -> anyhow::Result<Project> {
        if self.org.is_some() {
            let remedy =
                "with --org there are context, find, query, refs, callers, callees, impact, hierarchy, deps and sql";
            return Err(Refusal::error("this is asked of one project, not of an organisation's store", remedy));
        }
        let project = Project::find(self.project.as_deref().unwrap_or(Path::new(".")))?;
        tell(Level::Info, || format!("project {}", project.root().display()));
        Ok(project)
    }

    /// The project and its index, brought up to date first unless that is switched off.
    pub(crate) fn reader(&self) -> anyhow::Result<Reader> {
        let project = self.project()?;
        let reader = standing(&project, codegraph_runtime::open(&project, !self.no_update)?);
        tell(Level::Info, || match self.may_update(&project) {
            true => "index up to date".to_owned(),
            false => "index as it is".to_owned(),
        });
        tell(Level::Debug, || format!("index {}", reader.store().path().display()));
        Ok(reader)
    }

    /// The index as it is, for questions that read the files themselves.
    pub(crate) fn reader_as_it_is(&self) -> anyhow::Result<Reader> {
        let project = self.project()?;
        let store = codegraph_index::open_current(&project, &codegraph_index::Silent)?;
        Ok(standing(&project, Reader::new(project.root(), store)))
    }

    /// The same, with the linked projects if they are wanted.
    pub(crate) fn reader_across(&self, linked: LinkedArgs) -> anyhow::Result<Reader> {
        let reader = self.reader()?;
        match linked.include_dependencies {
            true => Ok(codegraph_knowledge::attach(reader)?),
            false => Ok(reader),
        }
    }

    /// Who answers: the store of an organisation if one is named, else the project.
    pub(crate) fn facts(&self, linked: LinkedArgs) -> anyhow::Result<Facts> {
        Ok(match &self.org {
            Some(address) => Facts::Org(Box::new(crate::org::open(address)?)),
            None => Facts::Project(Box::new(self.reader_across(linked)?)),
        })
    }

    /// What a server answers from instead of projects, if a store is named.
    pub(crate) fn store(&self) -> anyhow::Result<codegraph_mcp::Store> {
        match &self.org {
            Some(address) => Ok(codegraph_mcp::Store(Some(std::sync::Arc::new(crate::org::Pool::new(address)?)))),
            None => Ok(codegraph_mcp::Store::default()),
        }
    }

    /// Whether what is derived may be made anew before an answer.
    pub(crate) fn may_update(&self, project: &Project) -> bool {
        !self.no_update && project.config().auto_update
    }

    /// Brings the file with the map up to date, where the project wants one. The answer is there already.
    pub(crate) fn keep_map_file(&self) {
        if self.org.is_some() {
            return;
        }
        let Ok(project) = self.project() else { return };
        if let Err(error) = codegraph_runtime::keep_map_file(&project) {
            let failure = codegraph_runtime::Failure::of(&error);
            let remedy = failure.remedy.map(|remedy| format!(" ({})", Dialect::Shell.remedy(&remedy)));
            let hint = remedy.unwrap_or_default();
            crate::output::say(&format!("warning: {}{hint}", failure.message));
        }
    }

    /// The root-relative form of a path from the command line: from the current folder, else from the root.
    pub(crate) fn path(&self, project: &Project, given: &str) -> anyhow::Result<String> {
        let here = std::env::current_dir().context("the current folder could not be found")?;
        let from_here = project.relative(Path::new(given), &here);
        match from_here {
            Ok(path) if project.absolute(&path).exists() => Ok(path),
            other => match project.relative(Path::new(given), project.root()) {
                Ok(path) if project.absolute(&path).exists() => Ok(path),
                Ok(path) => Ok(other.unwrap_or(path)),
                Err(error) => Ok(other.map_err(|_| error)?),
            },
        }
    }
}

/// Relative paths are tried in the current folder first.
fn standing(project: &Project, reader: Reader) -> Reader {
    match folder_in(project) {
        Some(folder) => reader.standing_in(&folder),
        None => reader,
    }
}

/// The current folder, root-relative, if it is inside the project.
fn folder_in(project: &Project) -> Option<String> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    here.strip_prefix(project.root()).ok()?.to_str().map(str::to_owned)
}
