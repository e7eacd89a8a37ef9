//! `docs/cli.md`: the help of every command, as the binary prints it.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::workspace::output;

pub(super) fn document(binary: &Path) -> Result<String> {
    let overview = plain(Command::new(binary).args(["help", "--all"]))?;
    let commands = commands(&overview);
    ensure!(!commands.is_empty(), "the help lists no commands");
    let mut out = format!("# Commands\n\n```text\n{overview}```\n");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let text = without_global_options(&help(binary, &[command])?);
        write!(out, "\n## `codegraph {command}`\n\n```text\n{text}```\n")?;
    }
    Ok(out)
}

fn help(binary: &Path, command: &[&str]) -> Result<String> {
    plain(Command::new(binary).args(command).arg("--help"))
}

fn plain(command: &mut Command) -> Result<String> {
    let text = output(command.env_remove("COLUMNS"))?;
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Ok(lines.join("\n").trim_end().to_owned() + "\n")
}

/// The overview has them; they are the same for every command.
fn without_global_options(help: &str) -> String {
    let sections = help.split("\n\n").scan(false, |global, section| {
        let is_heading = !section.starts_with(' ');
        *global = section.starts_with("Global options:") || *global && !is_heading;
        Some((*global, section))
    });
    let kept: Vec<&str> = sections.filter(|(global, _)| !global).map(|(_, section)| section).collect();
    kept.join("\n\n").trim_end().to_owned() + "\n"
}

/// The first words of the lines under `Commands:`.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let named = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named.filter_map(|line| line.split_whitespace().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn global_options_are_said_once() {
        let help = "Ask\n\nOptions:\n  -h\n\nGlobal options:\n      --json\n\n      --color <WHEN>\n\nExamples:\n  x\n";
        assert_eq!(without_global_options(help), "Ask\n\nOptions:\n  -h\n\nExamples:\n  x\n");
        assert_eq!(without_global_options("Ask\n"), "Ask\n");
    }

    #[test]
    fn commands_are_read_from_the_help() {
        let help = "Answers.\n\nCommands:\n  init   Make\n         it so\n  query  Ask\n\nOptions:\n  -h  Help\n";
        assert_eq!(commands(help), ["init", "query"]);
    }
}
