//! The vocabulary that tokens are counted with: `crates/tokens/o200k.bin`, from the crate `tiktoken-rs`, which has that of its
//! makers. That crate takes 150 ms to load; the product counts with a table that is ready.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use regex::Regex;

use crate::workspace::root;

/// Write the vocabulary
#[derive(Args)]
pub(crate) struct Options {}

/// The classes of characters that the pattern of the vocabulary tells apart, in the order in which the product has them.
const CLASSES: [&str; 6] = [r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\s"];

/// Ranks that are tokens of text; those above are special.
const TOKENS: u32 = 199_998;

pub(crate) fn run(_: &Options) -> Result<ExitCode> {
    let path = root().join("crates/tokens/o200k.bin");
    let ranges = ranges()?;
    let mut bytes = Vec::new();
    bytes.extend((ranges.len() as u32).to_le_bytes());
    bytes.extend(TOKENS.to_le_bytes());
    for (first, last, class) in &ranges {
        bytes.extend(first.to_le_bytes());
        bytes.extend(last.to_le_bytes());
        bytes.push(*class);
    }
    let vocabulary = tiktoken_rs::o200k_base()?;
    for rank in 0..TOKENS {
        let token = vocabulary.decode_bytes(&[rank]).map_err(|_| anyhow::anyhow!("no token of rank {rank}"))?;
        ensure!(!token.is_empty(), "the token of rank {rank} is empty");
        bytes.push(u8::try_from(token.len()).with_context(|| format!("the token of rank {rank} is too long"))?);
        bytes.extend(token);
    }
    std::fs::write(&path, &bytes)?;
    println!("{}: {} ranges, {TOKENS} tokens, {} bytes", path.display(), ranges.len(), bytes.len());
    Ok(ExitCode::SUCCESS)
}

/// Characters beyond ASCII that are of one class and follow each other.
fn ranges() -> Result<Vec<(u32, u32, u8)>> {
    let classes = CLASSES.map(|class| Regex::new(&format!("^{class}$")).expect("a pattern"));
    let mut ranges: Vec<(u32, u32, u8)> = Vec::new();
    for c in '\u{80}'..=char::MAX {
        let text = c.to_string();
        let Some(class) = classes.iter().position(|class| class.is_match(&text)) else { continue };
        match ranges.last_mut() {
            Some((_, last, of)) if *last + 1 == c as u32 && usize::from(*of) == class => *last = c as u32,
            _ => ranges.push((c as u32, c as u32, class as u8)),
        }
    }
    Ok(ranges)
}
