//! The project of the server's tests, set up in a folder of its own.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::workspace;

/// A project with something for every tool, and another one beside it.
pub(crate) fn project(binary: &Path) -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    git(folder.path(), &["init", "-q"])?;
    for step in ["first", "second"] {
        copy(&workspace::root().join("crates/mcp/tests/sample").join(step), folder.path())?;
        git(folder.path(), &["add", "-A"])?;
        git(folder.path(), &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", step])?;
    }
    copy(&workspace::root().join("crates/mcp/tests/sample/other"), &folder.path().join("other"))?;
    for place in ["other", "."] {
        run(Command::new(binary).args(["init", place]).current_dir(folder.path()))?;
    }
    Ok(folder)
}

/// A good call of every tool.
pub(crate) fn calls() -> Result<Map<String, Value>> {
    let text = std::fs::read_to_string(workspace::root().join("crates/mcp/tests/calls.json"))?;
    Ok(serde_json::from_str(&text)?)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    run(Command::new("git").arg("-C").arg(folder).args(arguments))
}

pub(crate) fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?} does not start"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name()))?,
            false => drop(std::fs::copy(entry.path(), to.join(entry.file_name()))?),
        }
    }
    Ok(())
}
