//! `cargo xtask kills` and `cargo xtask replay`: an index survives being killed at any moment and any history, as
//! `doctor --deep` judges: it is compared with one that is built anew.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Kills {
    /// A source tree; it is copied
    #[arg(value_name = "DIR")]
    tree: PathBuf,
    /// How many processes to kill, over all ways of writing together
    #[arg(long, default_value_t = 600, value_name = "N")]
    count: usize,
    /// The command to try; built if not given
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct Replay {
    /// Repositories; they are cloned
    #[arg(required = true, value_name = "REPOSITORY")]
    repositories: Vec<PathBuf>,
    /// How many commits of each, merges included
    #[arg(long, default_value_t = 60, value_name = "N")]
    commits: usize,
    /// The command to try; built if not given
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// What is killed: the arguments, and what is said to it.
const VICTIMS: &[(&str, &[&str], &str)] = &[
    ("init", &["init", "."], ""),
    ("update", &["update"], ""),
    ("watch", &["watch"], ""),
    ("server", &["mcp"], SERVER),
];

/// Enough for a server to bring the index up to date.
const SERVER: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codegraph_status","arguments":{}}}"#,
    "\n"
);

fn binary(given: Option<&Path>) -> Result<PathBuf> {
    match given {
        Some(binary) => Ok(binary.canonicalize()?),
        None => Ok(workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph")),
    }
}

pub(crate) fn kills(options: &Kills) -> Result<ExitCode> {
    let binary = binary(options.binary.as_deref())?;
    let folder = tempfile::tempdir()?;
    let tree = folder.path().join("tree");
    workspace::output(Command::new("cp").arg("-r").arg(&options.tree).arg(&tree))?;
    let _ = std::fs::remove_dir_all(tree.join(".codegraph"));
    let start = Instant::now();
    workspace::output(Command::new(&binary).current_dir(&tree).args(["init", "."]))?;
    let usual = start.elapsed().max(Duration::from_millis(60));
    let files = sources(&tree);
    let (mut dice, mut killed, mut failures) = (0x9e37_79b9_7f4a_7c15_u64, [0; 4], 0);
    for round in 0..options.count {
        let which = round % VICTIMS.len();
        let (name, arguments, said) = VICTIMS[which];
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        edit(&tree, &files, round)?;
        let mut victim = begin(&binary, &tree, arguments, said)?;
        std::thread::sleep(usual.mul_f64((dice >> 33) as f64 / f64::from(u32::MAX >> 1) * 1.2));
        killed[which] += usize::from(victim.try_wait()?.is_none());
        let _ = victim.kill();
        victim.wait()?;
        // What was there is still there, and the next run completes it.
        let update = Command::new(&binary).current_dir(&tree).arg("update").output()?;
        if !update.status.success() || !is_whole(&binary, &tree)? {
            failures += 1;
            println!("{name}, round {round}: {}", String::from_utf8_lossy(&update.stderr).trim());
        }
    }
    for (place, (name, ..)) in VICTIMS.iter().enumerate() {
        println!("{name}: {} killed while it ran", killed[place]);
    }
    println!("{} rounds, {failures} indexes that were not whole", options.count);
    Ok(if failures > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn begin(binary: &Path, tree: &Path, arguments: &[&str], said: &str) -> Result<Child> {
    use std::io::Write;
    let mut command = Command::new(binary);
    command.current_dir(tree).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().context("the command starts")?;
    let mut pipe = child.stdin.take().context("a pipe was asked for")?;
    let _ = pipe.write_all(said.as_bytes());
    if !said.is_empty() {
        // A server ends with its input.
        child.stdin = Some(pipe);
    }
    Ok(child)
}

fn sources(tree: &Path) -> Vec<PathBuf> {
    let entries = ignore::Walk::new(tree).flatten().map(|entry| entry.path().to_owned());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| codegraph_languages::for_path(&path.to_string_lossy()).next().is_some()).collect();
    files.sort();
    files
}

/// Something to write about: a tenth of the files are other ones.
fn edit(tree: &Path, files: &[PathBuf], round: usize) -> Result<()> {
    ensure!(!files.is_empty(), "{} has no sources", tree.display());
    for (place, file) in files.iter().enumerate().filter(|(place, _)| (place + round).is_multiple_of(10)) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut lines: Vec<&str> = text.lines().collect();
        let by = (round + place) % lines.len().max(1);
        lines.rotate_left(by);
        std::fs::write(file, lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// Whether an index says what a new one says.
fn is_whole(binary: &Path, tree: &Path) -> Result<bool> {
    let out = Command::new(binary).current_dir(tree).args(["doctor", "--deep"]).output()?;
    if !out.status.success() {
        println!("{}", String::from_utf8_lossy(&out.stdout));
    }
    Ok(out.status.success())
}

pub(crate) fn replay(options: &Replay) -> Result<ExitCode> {
    let binary = binary(options.binary.as_deref())?;
    let (mut commits, mut merges, mut flips, mut failures) = (0, 0, 0, 0);
    for repository in &options.repositories {
        let folder = tempfile::tempdir()?;
        let tree = folder.path();
        let git = |arguments: &[&str]| workspace::output(Command::new("git").current_dir(tree).args(arguments));
        let from = repository.to_str().context("a name that is UTF-8")?;
        git(&["clone", "-q", "--shared", "--no-checkout", from, "."])?;
        let list = git(&["rev-list", "--parents", "--reverse", "-n", &options.commits.to_string(), "HEAD"])?;
        let mut last = String::new();
        for (at, line) in list.lines().enumerate() {
            let ids: Vec<&str> = line.split(' ').collect();
            let Some(commit) = ids.first() else { bail!("git lists a commit without a name") };
            git(&["checkout", "-q", "--force", "--detach", commit])?;
            if at == 0 {
                workspace::output(Command::new(&binary).current_dir(tree).args(["init", "."]))?;
            }
            // Every tenth time to the one before and back, as between branches.
            if at % 10 == 9 {
                workspace::output(Command::new(&binary).current_dir(tree).arg("update"))?;
                for to in [last.as_str(), commit] {
                    git(&["checkout", "-q", "--force", "--detach", to])?;
                    workspace::output(Command::new(&binary).current_dir(tree).arg("update"))?;
                }
                flips += 1;
            }
            workspace::output(Command::new(&binary).current_dir(tree).arg("update"))?;
            commits += 1;
            merges += usize::from(ids.len() > 2);
            if !is_whole(&binary, tree)? {
                failures += 1;
                println!("{from} {commit}");
            }
            last = (*commit).to_owned();
        }
        println!("{from}: done");
    }
    println!(
        "{commits} commits, {merges} of them merges, {flips} flips; {failures} indexes that differ from a new one"
    );
    Ok(if failures > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
