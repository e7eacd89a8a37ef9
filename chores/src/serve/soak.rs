//! Mixed calls while files change: every answer has to be right, and memory and handles must not grow.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::client::Client;
use super::sample;
use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How long
    #[arg(long, value_name = "N", default_value_t = 600)]
    seconds: u64,
    /// The binary to treat badly [default: a debug build]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

const FILES: usize = 120;
/// What the server may hold more of at the end than after its first fifth.
const MOST_GROWTH_BYTES: u64 = 16 << 20;
const MOST_GROWTH_HANDLES: usize = 4;

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph"),
    };
    let folder = sample::project(&binary)?;
    let mut soak = Soak::new(Client::start(&binary, folder.path())?, folder.path())?;
    let (start, length) = (Instant::now(), Duration::from_secs(options.seconds));
    let mut settled = None;
    while start.elapsed() < length {
        soak.round()?;
        if settled.is_none() && start.elapsed() > length / 5 {
            settled = Some(held(soak.client.process())?);
        }
    }
    let (before, after) = (settled.context("too short")?, held(soak.client.process())?);
    println!("{} edits, {} calls, all right", soak.edits, soak.calls);
    println!("memory {} -> {} kB, handles {} -> {}", before.0 >> 10, after.0 >> 10, before.1, after.1);
    ensure!(after.0 <= before.0 + MOST_GROWTH_BYTES, "the memory grows");
    ensure!(after.1 <= before.1 + MOST_GROWTH_HANDLES, "handles are not given back");
    Ok(ExitCode::SUCCESS)
}

struct Soak {
    client: Client,
    root: PathBuf,
    /// Which version of each file stands on disk; none if it is deleted.
    versions: Vec<Option<u64>>,
    others: Vec<(String, Value)>,
    random: u64,
    edits: u64,
    calls: u64,
}

impl Soak {
    fn new(client: Client, root: &Path) -> Result<Soak> {
        let skipped = ["codegraph_init", "codegraph_remove", "codegraph_unlink"];
        let others = sample::calls()?.into_iter().filter(|(tool, _)| !skipped.contains(&tool.as_str()));
        let others = others.map(|(tool, arguments)| (tool.replacen("codegraph_", "", 1), arguments)).collect();
        let root = root.to_owned();
        Ok(Soak { client, root, versions: vec![None; FILES], others, random: 1, edits: 0, calls: 0 })
    }

    /// An edit, a question about it, one about an old version, and any other call.
    fn round(&mut self) -> Result<()> {
        let file = self.below(FILES);
        let old = self.versions[file];
        let deleted = old.is_some() && self.below(5) == 0;
        self.edits += 1;
        let path = self.root.join(format!("part_{}/file_{file}.py", file % 7));
        self.versions[file] = (!deleted).then_some(self.edits);
        if deleted {
            std::fs::remove_file(&path)?;
        } else {
            std::fs::create_dir_all(path.parent().expect("it is in a folder"))?;
            let lines = "# a comment\n".repeat(self.below(4));
            let name = name(file, self.edits);
            std::fs::write(
                &path,
                format!("{lines}def {name}():\n    return {name}_helper()\n\ndef {name}_helper(): pass\n"),
            )?;
        }
        if let Some(old) = old {
            let text = self.ask("find", &json!({"name": name(file, old)}))?;
            ensure!(text.contains("no symbol"), "an old version was found: {text}");
        }
        if let Some(version) = self.versions[file] {
            let name = name(file, version);
            let text = self.ask("callers", &json!({"symbol": format!("{name}_helper")}))?;
            ensure!(text.contains("1 caller, 1 call") && text.contains(&format!("{name}:")), "{text}");
        }
        let (tool, arguments) = self.others[self.edits as usize % self.others.len()].clone();
        self.ask(&tool, &arguments).map(drop)
    }

    fn ask(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        self.calls += 1;
        let answer = self.client.call(tool, arguments)?;
        ensure!(!answer.wrong, "{tool} {arguments}: {}", answer.text);
        Ok(answer.text)
    }

    /// A number that looks random and is the same in every run.
    fn below(&mut self, most: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % most
    }
}

fn name(file: usize, version: u64) -> String {
    format!("made_{file}_in_{version}")
}

/// Bytes of memory and open handles of a process.
pub(super) fn held(process: u32) -> Result<(u64, usize)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).context("memory is known on Linux only")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory is given")?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
    let handles = std::fs::read_dir(format!("/proc/{process}/fd"))?.count();
    Ok((kilobytes << 10, handles))
}
