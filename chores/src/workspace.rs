//! The workspace itself: where it is, and how its binaries are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("chores is a folder of the workspace")
}

/// Which compiler settings a binary is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// Builds packages and returns the folder of their binaries.
pub(crate) fn build(profile: Profile, packages: &[&str]) -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    if profile == Profile::Release {
        cargo.args(["build", "--quiet", "--release"]);
        packages.iter().for_each(|package| _ = cargo.args(["--package", package]));
    } else {
        // As the tests build it, so that nothing is compiled twice.
        cargo.args(["test", "--quiet", "--workspace", "--features", "codegraph/org", "--test", "cli", "--no-run"]);
    }
    let status = cargo.status().context("cargo could not be started")?;
    ensure!(status.success(), "cargo build failed");
    let folder = if profile == Profile::Release { "release" } else { "debug" };
    Ok(target().join(folder))
}

fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// What a command prints; an error with its own words if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().with_context(|| format!("{name} could not be started"))?;
    if !out.status.success() {
        bail!("{name} failed ({}): {}", out.status, String::from_utf8_lossy(&out.stderr).trim());
    }
    String::from_utf8(out.stdout).with_context(|| format!("{name} printed something that is not UTF-8"))
}

/// Puts a table into a document, between `<!-- NAME -->` and `<!-- /NAME -->`.
pub(crate) fn put_between(file: &Path, name: &str, table: &str) -> Result<()> {
    let (opening, closing) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let Some((before, rest)) = text.split_once(&opening) else { bail!("{} has no {opening}", file.display()) };
    let Some((_, after)) = rest.split_once(&closing) else { bail!("{} has no {closing}", file.display()) };
    std::fs::write(file, format!("{before}{opening}\n{table}\n{closing}{after}"))?;
    Ok(())
}
