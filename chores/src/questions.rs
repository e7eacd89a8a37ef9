//! `cargo xtask questions`: what an answer costs in tokens, beside searching with ripgrep and reading the matched files.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use serde_json::json;

use crate::serve::client::Client;
use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A folder with the source trees that `benches/questions.txt` names, each at its commit
    #[arg(long, value_name = "DIR")]
    sources: PathBuf,
    /// Write the table into this document, between `<!-- questions -->` and `<!-- /questions -->`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// One line of the list.
struct Question<'l> {
    repository: &'l str,
    text: &'l str,
    command: &'l str,
    word: &'l str,
    expected: &'l str,
    verified: &'l str,
}

/// What both ways cost.
struct Cost {
    answer: usize,
    /// What the model of a client gets from a server: the text, and the data that many show instead if there is some.
    text: usize,
    data: usize,
    search: usize,
    missing: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph");
    let list = std::fs::read_to_string(workspace::root().join("benches/questions.txt"))?;
    let questions = list.lines().filter(|line| !line.starts_with('#')).map(parse).collect::<Result<Vec<_>>>()?;
    let mut rows =
        vec!["| | question | command | tokens | over MCP | with `--structured` | ripgrep and reading | ratio | what the answer has |".to_owned()];
    rows.push("|---|---|---|--:|--:|--:|--:|--:|---|".to_owned());
    let (mut wrong, mut indexed) = (0, "");
    let (mut text, mut data) = (0, 0);
    for question in &questions {
        let folder = options.sources.join(question.repository);
        if indexed != question.repository {
            workspace::output(Command::new(&binary).current_dir(&folder).args(["init", "--json"]))?;
            indexed = question.repository;
        }
        let cost = measure(&binary, &folder, question).with_context(|| question.text.to_owned())?;
        (text, data) = (text + cost.text, data + cost.data);
        wrong += usize::from(!cost.missing.is_empty() || cost.answer * 10 > cost.search);
        rows.push(row(question, &cost));
        eprintln!("{}", rows[rows.len() - 1]);
    }
    let sum = format!("All twenty: {text} tokens as text, {data} as data, {} times as many.", data / text.max(1));
    let table = rows.join("\n") + "\n\n" + &sum + "\n";
    println!("{table}");
    if let Some(file) = &options.out {
        workspace::put_between(file, "questions", &table)?;
    }
    Ok(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn parse(line: &str) -> Result<Question<'_>> {
    let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
    ensure!(parts.len() == 6, "six parts are needed: {line}");
    let [repository, text, command, word, expected, verified] = [0, 1, 2, 3, 4, 5].map(|at| parts[at]);
    Ok(Question { repository, text, command, word, expected, verified })
}

fn measure(binary: &Path, folder: &Path, question: &Question<'_>) -> Result<Cost> {
    let arguments = question.command.split(' ');
    let answer = workspace::output(Command::new(binary).current_dir(folder).args(arguments))?;
    let lines = workspace::output(Command::new("rg").current_dir(folder).args(["-n", "-w", question.word, "."]))?;
    let matched = workspace::output(Command::new("rg").current_dir(folder).args(["-l", "-w", question.word, "."]))?;
    let mut search = codegraph_tokens::count(&lines);
    for path in matched.lines() {
        search += codegraph_tokens::count(&String::from_utf8_lossy(&std::fs::read(folder.join(path))?));
    }
    let missing = question.expected.split(';').filter(|part| !answer.contains(part)).map(str::to_owned).collect();
    let received = |options: &[&str]| received(binary, folder, question, options);
    Ok(Cost {
        answer: codegraph_tokens::count(&answer),
        text: received(&[])?,
        data: received(&["--structured"])?,
        search,
        missing,
    })
}

/// The tokens that the model of a client receives. A question without a tool is asked in a shell.
fn received(binary: &Path, folder: &Path, question: &Question<'_>, options: &[&str]) -> Result<usize> {
    let (tool, rest) = question.command.split_once(' ').context("a command has arguments")?;
    let arguments = match (tool, rest.strip_prefix("--tokens ").and_then(|rest| rest.split_once(' '))) {
        ("callers", _) => json!({"symbol": rest}),
        ("context", Some((tokens, task))) => json!({"task": task, "max_tokens": tokens}),
        _ => {
            let json = if options.is_empty() { &[][..] } else { &["--json"] };
            let mut command = Command::new(binary);
            command.current_dir(folder).args(question.command.split(' ')).args(json);
            return Ok(codegraph_tokens::count(&workspace::output(&mut command)?));
        }
    };
    let answer = Client::start_with(binary, folder, options)?.call(tool, &arguments)?;
    ensure!(!answer.wrong, "{}", answer.text);
    Ok(if answer.data.is_null() {
        codegraph_tokens::count(&answer.text)
    } else {
        codegraph_tokens::count(&answer.data.to_string())
    })
}

fn row(question: &Question<'_>, cost: &Cost) -> String {
    let found = match cost.missing.is_empty() {
        true => question.verified.to_owned(),
        false => format!("WRONG: without {}", cost.missing.join(", ")),
    };
    format!(
        "| {} | {} | `{}` | {} | {} | {} | {} | 1 : {} | {found} |",
        question.repository,
        question.text,
        question.command,
        cost.answer,
        cost.text,
        cost.data,
        cost.search,
        cost.search / cost.answer.max(1)
    )
}
