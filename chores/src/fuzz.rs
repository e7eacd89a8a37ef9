//! `cargo xtask fuzz`: the probes of `fuzz/` over mutations of their corpus, without a fuzzing engine. `cargo fuzz` sees
//! which branches an input takes and so gets further; this runs with any compiler.

// The very functions that the engine calls.
#[path = "../../fuzz/probes.rs"]
mod probes;

use std::panic::catch_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How long to go on, for each probe
    #[arg(long, default_value_t = 60, value_name = "N")]
    seconds: u64,
    /// Only this probe
    #[arg(value_name = "PROBE")]
    only: Option<String>,
    /// Where to begin; said at the start, so that a run can be repeated
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Take fixtures of the languages for the corpus too
    #[arg(long)]
    fixtures: bool,
}

/// Xorshift: good enough to choose bytes.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is set")?;
    let seed = options.seed.unwrap_or(now.as_nanos() as u64 | 1);
    println!("seed {seed}");
    let mut failed = false;
    for (name, probe) in probes::PROBES {
        if options.only.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        let corpus = corpus(name, options.fixtures)?;
        let (mut dice, start, mut tried, mut found) = (Dice(seed | 1), Instant::now(), 0u64, 0u64);
        while start.elapsed() < Duration::from_secs(options.seconds) && found < 5 {
            let input = mutated(&corpus, &mut dice);
            tried += 1;
            if catch_unwind(|| probe(&input)).is_err() {
                found += 1;
                let file = PathBuf::from(format!("fuzz-{name}-{seed}-{tried}"));
                std::fs::write(&file, &input)?;
                println!("{name}: see {}", file.display());
            }
        }
        println!("{name}: {tried} inputs, {found} failures");
        failed |= found > 0;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn corpus(name: &str, fixtures: bool) -> Result<Vec<Vec<u8>>> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(workspace::root().join("fuzz/corpus").join(name))? {
        texts.push(std::fs::read(entry?.path())?);
    }
    texts.sort();
    if fixtures && matches!(name, "extraction" | "packing" | "lines") {
        for entry in ignore::Walk::new(workspace::root().join("crates/languages/src")).flatten() {
            let path = entry.path().to_string_lossy().into_owned();
            let number =
                codegraph_languages::ALL.iter().position(|language| path.contains(&format!("/{}/", language.name)));
            if let (true, Some(number)) = (path.contains("/fixtures/") && !path.ends_with(".facts"), number) {
                let text = std::fs::read(entry.path()).unwrap_or_default();
                texts.push([&[number as u8][..], &text].concat());
            }
        }
    }
    Ok(texts)
}

/// One text of the corpus, changed in a few places: bytes flipped, parts cut, doubled, or taken from another one.
fn mutated(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    const TELLING: &[&[u8]] = &[
        b"(", b")", b"{", b"}", b"\"", b"'", b"\n", b"\0", b"\\", b"#", b"<", b">", b"\xff", b"=", b".", b"::", b"\r\n",
    ];
    let mut text = corpus[dice.roll(corpus.len())].clone();
    for _ in 0..=dice.roll(6) {
        let at = dice.roll(text.len() + 1);
        let end = (at + dice.roll(24)).min(text.len());
        match dice.roll(6) {
            0 if at < text.len() => text[at] ^= 1 << dice.roll(8),
            1 => drop(text.drain(at..end)),
            2 => {
                let part = text[at..end].repeat(1 + dice.roll(6));
                text.splice(at..at, part);
            }
            3 => {
                let other = &corpus[dice.roll(corpus.len())];
                let from = dice.roll(other.len() + 1);
                let part = other[from..(from + dice.roll(60)).min(other.len())].to_vec();
                text.splice(at..at, part);
            }
            4 if at < text.len() => text[at] = dice.roll(256) as u8,
            _ => drop(text.splice(at..at, TELLING[dice.roll(TELLING.len())].iter().copied())),
        }
    }
    text
}
