//! Chooses the pieces of the table of word vectors and writes the pairs as numbers.
//!
//! A word becomes a piece if many repositories use it; what is left of the table goes to parts of the words that have no piece.
//! Each field is three files: how many numbers each pair has, and their distances, low bytes apart from high ones, so that they
//! pack well.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The files of the pairs, one for each repository
    #[arg(long)]
    pairs: PathBuf,
    #[arg(long)]
    out: PathBuf,
    /// Whole words in the table, and parts of words
    #[arg(long, default_value_t = 26_000)]
    whole: usize,
    #[arg(long, default_value_t = 6000)]
    parts: usize,
    /// Pairs of one repository at most
    #[arg(long, default_value_t = 20_000)]
    most: usize,
}

/// A piece stands in so many repositories, so often.
const REPOSITORIES: usize = 4;
const TIMES: u32 = 40;
const FIELDS: [(&str, usize); 4] = [("query", 60), ("name", 12), ("path", 30), ("body", 110)];
const KINDS: [&str; 3] = ["doc", "fix", "comment"];

#[derive(Default)]
struct Column {
    lengths: Vec<u8>,
    low: Vec<u8>,
    high: Vec<u8>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let mut paths: Vec<PathBuf> = fs::read_dir(&options.pairs)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_none_or(|ending| ending != "part"));
    paths.sort();
    let pieces = pieces(&paths, options)?;
    fs::create_dir_all(&options.out)?;
    fs::write(options.out.join("pieces.txt"), pieces.join("\n") + "\n")?;
    let numbers: HashMap<&str, u16> = pieces.iter().map(String::as_str).zip(1..).collect();
    let longest = pieces.iter().map(String::len).max().unwrap_or(0);
    let mut columns: [Column; 4] = Default::default();
    let (mut kinds, mut of) = (Vec::new(), Vec::new());
    for (repository, path) in paths.iter().enumerate() {
        for line in some(&fs::read_to_string(path)?, options.most) {
            let mut fields = line.split('\t');
            let kind = fields.next().unwrap_or_default();
            kinds.push(KINDS.iter().position(|known| *known == kind).unwrap_or(0) as u8);
            of.push(repository as u8);
            for (field, (column, (_, most))) in fields.zip(columns.iter_mut().zip(FIELDS)) {
                column.add(field, most, &numbers, longest);
            }
        }
    }
    let names: Vec<String> =
        paths.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().replace('+', "/"))).collect();
    fs::write(options.out.join("repositories.json"), serde_json::to_string(&names)?)?;
    println!("{} pairs, {} pieces, {} repositories", kinds.len(), pieces.len(), names.len());
    fs::write(options.out.join("kinds"), kinds)?;
    fs::write(options.out.join("repositories"), of)?;
    for (column, (name, _)) in columns.iter().zip(FIELDS) {
        fs::write(options.out.join(format!("{name}.lengths")), &column.lengths)?;
        fs::write(options.out.join(format!("{name}.low")), &column.low)?;
        fs::write(options.out.join(format!("{name}.high")), &column.high)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// At most so many lines, evenly.
fn some(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let lines = text.lines().count().max(1);
    let taken = most.min(lines);
    text.lines().enumerate().filter(move |(at, _)| (at + 1) * taken / lines != at * taken / lines).map(|(_, line)| line)
}

impl Column {
    fn add(&mut self, field: &str, most: usize, numbers: &HashMap<&str, u16>, longest: usize) {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for word in field.split(' ') {
            split(word, numbers, longest, |number| {
                if found.len() < most && seen.insert(number) {
                    found.push(number);
                }
            });
        }
        found.sort_unstable();
        self.lengths.push(found.len() as u8);
        let mut last = 0;
        for number in found {
            let [low, high] = (number - last).to_le_bytes();
            self.low.push(low);
            self.high.push(high);
            last = number;
        }
    }
}

/// A word is itself if the table has it, else the longest pieces of it that the table has, from the left: as the product does.
fn split(word: &str, numbers: &HashMap<&str, u16>, longest: usize, mut visit: impl FnMut(u16)) {
    if let Some(number) = numbers.get(word) {
        return visit(*number);
    }
    let mut at = 0;
    while at < word.len() {
        let found =
            (at + 2..=word.len().min(at + longest)).rev().find_map(|end| Some((end, *numbers.get(&word[at..end])?)));
        match found {
            Some((end, number)) => {
                visit(number);
                at = end;
            }
            None => at += 1,
        }
    }
}

fn pieces(paths: &[PathBuf], options: &Options) -> Result<Vec<String>> {
    let mut times: HashMap<String, (u32, HashSet<u8>)> = HashMap::new();
    for (repository, path) in paths.iter().enumerate() {
        for line in some(&fs::read_to_string(path)?, options.most) {
            for word in line.split('\t').skip(1).flat_map(|field| field.split(' ')).filter(|word| !word.is_empty()) {
                if !times.contains_key(word) {
                    times.insert(word.to_owned(), Default::default());
                }
                let known = times.get_mut(word).expect("it was put there");
                known.0 += 1;
                if known.1.len() < REPOSITORIES {
                    known.1.insert(repository as u8);
                }
            }
        }
    }
    let mut common: Vec<(u32, &str)> = Vec::new();
    for (word, (count, among)) in &times {
        if *count >= TIMES && among.len() >= REPOSITORIES.min(paths.len()) {
            common.push((*count, word));
        }
    }
    common.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    common.truncate(options.whole);
    let whole: HashSet<&str> = common.iter().map(|one| one.1).collect();
    let mut parts: HashMap<&str, u64> = HashMap::new();
    for (word, (count, _)) in times.iter().filter(|(word, _)| !whole.contains(word.as_str())) {
        for size in 2..9 {
            for at in 0..(word.len() + 1).saturating_sub(size) {
                *parts.entry(&word[at..at + size]).or_default() += u64::from((*count).min(50)) * (size as u64 - 1);
            }
        }
    }
    let mut parts: Vec<(u64, &str)> =
        parts.into_iter().filter(|(part, _)| !whole.contains(part)).map(|(a, b)| (b, a)).collect();
    parts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let parts = parts.into_iter().take(options.parts).map(|one| one.1);
    Ok(common.iter().map(|one| one.1).chain(parts).map(str::to_owned).collect())
}
