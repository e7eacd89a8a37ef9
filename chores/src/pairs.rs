//! Gathers what the word vectors are trained on: words of people, and the code that they speak of (`models/README.md`).
//!
//! Three kinds, from the repositories of a list: the documentation of a symbol with its name, place and body; a comment inside
//! of a function with the lines that follow it; the message of a commit with each place that it changed, as that was before.
//! Nothing of a repository is kept but lists of lower-case words, and those only until the table is trained.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use regex::Regex;

use crate::workspace;

mod encode;

pub(crate) use encode::{Options as EncodeOptions, run as encode};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Lines with owner/name, commit and licence
    #[arg(long, default_value = "models/repositories.txt")]
    list: PathBuf,
    /// One bare repository for each, named owner+name (or owner+name/repo)
    #[arg(long)]
    git: PathBuf,
    /// Where trees are put for a while
    #[arg(long)]
    work: PathBuf,
    /// The codegraph to index with
    #[arg(long)]
    bin: PathBuf,
    /// A file for each repository; those that are there are not made again
    #[arg(long)]
    out: PathBuf,
    /// Only those whose place in the list leaves this rest, as in `0/2`
    #[arg(long, default_value = "0/1")]
    part: String,
    /// Seconds for the history of one repository
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// Of one repository.
const MOST_DOCUMENTED: usize = 8000;
const MOST_COMMENTS: usize = 5000;
const MOST_CHANGES: usize = 12_000;
const MOST_COMMITS: &str = "8000";
/// Words of each field.
const QUERY: usize = 60;
const NAME: usize = 12;
const PLACE: usize = 30;
const BODY: usize = 110;
/// Places that one commit changes in files of the product: with more, its message speaks of none of them.
const MOST_FILES: usize = 4;
const MOST_HUNKS: usize = 3;

const SOURCE: &str = "*.py *.js *.jsx *.mjs *.ts *.tsx *.go *.rs *.java *.rb *.php *.c *.h *.cc *.cpp *.hpp *.cs *.kt";
/// What names functions in the headings of a patch.
const DRIVERS: &str = "*.py diff=python\n*.go diff=golang\n*.rs diff=rust\n*.java diff=java\n*.rb diff=ruby\n*.php diff=php\n\
    *.c diff=cpp\n*.h diff=cpp\n*.cc diff=cpp\n*.cpp diff=cpp\n*.hpp diff=cpp\n*.cs diff=csharp\n*.kt diff=kotlin\n";

static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    let folders =
        "tests?|spec|specs|__tests__|testing|fixtures?|examples?|vendor|third_party|node_modules|generated|dist";
    Regex::new(&format!(r"(^|/)({folders})(/|$)|(_test|\.test|\.spec|_spec|Tests?)\.\w+$|(^|/)test_\w+\.py$"))
        .expect("it compiles")
});
static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    let trailers = "Signed-off-by|Co-authored-by|Change-Id|Reviewed-by|Reviewed-on|PiperOrigin-RevId|Fixes|Closes|Refs|Cc|\
        git-svn-id|Updates|TryBot|Auto-Submit|Run-TryBot|LUCI|Differential Revision|Test Plan|Reviewers|Approved-by|Discussion";
    Regex::new(&format!(r"(?m)https?://\S+|\b[0-9a-f]{{7,40}}\b|^({trailers})\b.*")).expect("it compiles")
});
static TAGS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<[^>]*>|\{@\w+|@\w+|:param|:return").expect("it compiles"));
static PARAGRAPH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\n\s*\n|\n\s*(?:@|:param|Args:|Parameters|Returns|#)").expect("it compiles"));
static CHORE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^(bump|release|merge|revert|update changelog|version)\b").expect("it compiles"));
static LICENCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)licen[sc]e|copyright|@generated").expect("it compiles"));

/// Words and the code that they speak of.
struct Pair {
    kind: &'static str,
    query: Vec<String>,
    name: Vec<String>,
    place: Vec<String>,
    body: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    fs::create_dir_all(&options.out)?;
    let (rest, parts) = options.part.split_once('/').context("--part is like 0/2")?;
    let (rest, parts): (usize, usize) = (rest.parse()?, parts.parse()?);
    let list = fs::read_to_string(&options.list)?;
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (_, line) in lines.enumerate().filter(|(at, _)| at % parts == rest) {
        let mut fields = line.split_whitespace();
        let (Some(name), Some(commit)) = (fields.next(), fields.next()) else { continue };
        let plain = name.replace('/', "+");
        let out = options.out.join(&plain);
        let git = [options.git.join(&plain).join("repo"), options.git.join(&plain)].into_iter().find(|p| p.is_dir());
        let Some(git) = git.filter(|_| !out.exists()) else { continue };
        let mut pairs = Vec::new();
        let work = options.work.join(&plain);
        if let Err(error) = documented(&options.bin, &git, commit, &work, &mut pairs) {
            eprintln!("{name}: {error:#}");
        }
        let in_tree = pairs.len();
        changed(&git, commit, &options.work, Duration::from_secs(options.seconds), &mut pairs)?;
        eprintln!("{name} {in_tree} {}", pairs.len() - in_tree);
        write(&out, &pairs)?;
        _ = fs::remove_dir_all(&work);
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &Path, pairs: &[Pair]) -> Result<()> {
    let beside = out.with_extension("part");
    let mut file = BufWriter::new(fs::File::create(&beside)?);
    for pair in pairs {
        let fields = [&pair.query, &pair.name, &pair.place, &pair.body].map(|words| words.join(" "));
        writeln!(file, "{}\t{}", pair.kind, fields.join("\t"))?;
    }
    file.flush()?;
    fs::rename(beside, out)?;
    Ok(())
}

/// Each word once, the first ones.
fn words(texts: &[&str], most: usize) -> Vec<String> {
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    for text in texts {
        codegraph_meaning::each_word(text, |word| {
            if all.len() < most && seen.insert(word.to_owned()) {
                all.push(word.to_owned());
            }
        });
    }
    all
}

/// Documentation and comments, with what they speak of.
fn documented(bin: &Path, git: &Path, commit: &str, root: &Path, pairs: &mut Vec<Pair>) -> Result<()> {
    _ = fs::remove_dir_all(root);
    fs::create_dir_all(root)?;
    let mut archive = Command::new("git");
    archive.arg("--git-dir").arg(git).args(["archive", commit]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut archive = archive.spawn()?;
    let packed = archive.stdout.take().context("it is piped")?;
    Command::new("tar").arg("-x").arg("-C").arg(root).stdin(packed).stderr(Stdio::null()).status()?;
    archive.wait()?;
    workspace::output(Command::new(bin).arg("init").arg(root))?;
    let sql = "SELECT file_path, fqn, name, kind, byte_start, byte_end, docs FROM symbols WHERE kind IN ('Function','Method',\
        'Constructor','Class','Struct','Interface','Trait','Enum','Macro','Object','Module') ORDER BY file_path, byte_start";
    let mut asked = Command::new(bin);
    asked.arg("--project").arg(root).args(["--json", "--no-update", "sql", "--limit", "1000000", sql]);
    let mut answer: serde_json::Value = serde_json::from_str(&workspace::output(&mut asked)?)?;
    let rows = answer["data"]["rows"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let rows: Vec<_> =
        rows.into_iter().filter(|row| !ASIDE.is_match(row["file_path"].as_str().unwrap_or(""))).collect();
    let (mut docs, mut comments) = (Vec::new(), Vec::new());
    let (mut path, mut text) = (String::new(), String::new());
    for row in &rows {
        let get = |field: &str| row[field].as_str().unwrap_or("");
        if path != get("file_path") {
            get("file_path").clone_into(&mut path);
            text = String::from_utf8_lossy(&fs::read(root.join(&path)).unwrap_or_default()).into_owned();
        }
        let at = |field: &str| row[field].as_u64().unwrap_or(0) as usize;
        let Some(body) = text.get(at("byte_start")..at("byte_end").min(at("byte_start") + 8000).min(text.len())) else {
            continue;
        };
        let place = words(&[&path, get("fqn")], PLACE);
        docs.extend(of_documentation(get("docs"), get("name"), &place, body));
        if !matches!(get("kind"), "Class" | "Struct" | "Interface" | "Trait" | "Enum" | "Object" | "Module") {
            of_comments(get("name"), &place, body, &mut comments);
        }
    }
    for (mut found, most) in [(docs, MOST_DOCUMENTED), (comments, MOST_COMMENTS)] {
        // Evenly from all of the tree.
        let step = found.len().div_ceil(most).max(1);
        let mut at = 0;
        found.retain(|_| {
            at += 1;
            at % step == 0
        });
        pairs.extend(found);
    }
    Ok(())
}

fn of_documentation(docs: &str, name: &str, place: &[String], body: &str) -> Option<Pair> {
    let head: String = docs.chars().take(300).collect();
    if docs.len() <= 20 || LICENCE.is_match(&head) {
        return None;
    }
    let first: String = PARAGRAPH.split(docs.trim()).next()?.chars().take(400).collect();
    let query = words(&[&TAGS.replace_all(&first, " ")], QUERY);
    let bare = |line: &str| line.trim_matches(|c: char| " \t*/#\"'".contains(c)).to_owned();
    let said: HashSet<String> = docs.lines().map(bare).collect();
    let left: Vec<&str> = body.lines().filter(|line| !said.contains(&bare(line))).collect();
    let body = words(&left, BODY);
    let pair = Pair { kind: "doc", query, name: words(&[name], NAME), place: place.to_vec(), body };
    (pair.query.len() >= 4 && pair.body.len() >= 4).then_some(pair)
}

/// The comments inside of a function, each with the lines that follow it.
fn of_comments(name: &str, place: &[String], body: &str, found: &mut Vec<Pair>) {
    let lines: Vec<&str> = body.lines().skip(1).collect();
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        while at < lines.len() && comment(lines[at]).is_some() {
            at += 1;
        }
        if at == start {
            at += 1;
            continue;
        }
        let said: Vec<&str> = lines[start..at].iter().filter_map(|line| comment(line)).collect();
        let code = said.iter().any(|line| line.ends_with([';', '{', '}', ')', ',']) || line.contains(" = "));
        let query = words(&said, QUERY);
        if code || query.len() < 5 {
            continue;
        }
        let after: Vec<&str> = lines[at..].iter().copied().filter(|line| comment(line).is_none()).take(10).collect();
        let body = words(&after, BODY);
        if body.len() >= 6 {
            found.push(Pair { kind: "comment", query, name: words(&[name], NAME), place: place.to_vec(), body });
        }
    }
}

/// What a line says that is a comment and nothing else.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let said = line.strip_prefix("// ").or_else(|| line.strip_prefix("# "))?;
    said.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(said)
}

/// Messages of commits with the places they changed, as these were before.
fn changed(git: &Path, commit: &str, work: &Path, most: Duration, pairs: &mut Vec<Pair>) -> Result<()> {
    fs::create_dir_all(work)?;
    let drivers = work.join(format!("drivers-{}", std::process::id()));
    fs::write(&drivers, DRIVERS)?;
    let mut log = Command::new("git");
    log.arg("-c").arg(format!("core.attributesFile={}", drivers.display())).arg("--git-dir").arg(git);
    log.args(["log", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv", "-n", MOST_COMMITS]);
    log.args(["--format=%x00%s%n%b%x01", "-p", "-U15", commit, "--"]).args(SOURCE.split(' '));
    let mut log = log.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut out = BufReader::with_capacity(1 << 20, log.stdout.take().context("it is piped")?);
    let (start, before) = (Instant::now(), pairs.len());
    let mut entry = Vec::new();
    loop {
        entry.clear();
        let read = out.read_until(0, &mut entry)?;
        if entry.len() < 400_000 {
            of_commit(&String::from_utf8_lossy(&entry), pairs);
        }
        if read == 0 || pairs.len() - before > MOST_CHANGES || start.elapsed() > most {
            break;
        }
    }
    _ = log.kill();
    log.wait()?;
    fs::remove_file(drivers)?;
    Ok(())
}

fn of_commit(entry: &str, pairs: &mut Vec<Pair>) {
    let Some((message, patch)) = entry.split_once('\u{1}') else { return };
    let message = message.trim_matches('\0');
    let start: String = message.chars().take(1500).collect();
    let query = words(&[&NOISE.replace_all(&start, " ")], QUERY);
    if query.len() < 4 || CHORE.is_match(message) {
        return;
    }
    let mut found: Vec<Vec<Pair>> = Vec::new();
    for file in patch.split("\ndiff --git ") {
        let path = file.lines().find_map(|line| line.strip_prefix("--- a/"));
        let Some(path) = path.filter(|path| !ASIDE.is_match(path)) else { continue };
        let mut hunks = Vec::new();
        for hunk in file.split("\n@@ ").skip(1) {
            let (head, lines) = hunk.split_once('\n').unwrap_or((hunk, ""));
            let name = head.split_once("@@").map_or("", |(_, name)| name.trim());
            let old: Vec<&str> = lines.lines().filter(|line| !line.starts_with('+')).collect();
            let body = words(&old, BODY);
            if body.len() >= 8 {
                let place = words(&[path], PLACE);
                hunks.push(Pair { kind: "fix", query: query.clone(), name: words(&[name], NAME), place, body });
            }
        }
        hunks.truncate(MOST_HUNKS);
        if !hunks.is_empty() {
            found.push(hunks);
        }
    }
    if found.len() <= MOST_FILES {
        pairs.extend(found.into_iter().flatten());
    }
}
