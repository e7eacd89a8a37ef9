//! The help of the whole command: what most people need first, the rest when it is asked for.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, CommandFactory};

use crate::Cli;

/// What answers most questions, by what it is asked for.
const FIRST: &[(&str, &[&str])] = &[
    ("Begin", &["init"]),
    ("Find", &["context", "find", "query", "grep"]),
    ("Read", &["get", "signature"]),
    ("Follow", &["refs", "callers", "impact"]),
];

/// The command with the short help.
pub(crate) fn command() -> Command {
    let whole = Cli::command();
    let text = short(&whole);
    whole.override_help(StyledStr::from(text))
}

/// Whether everything is asked for: `help --all`.
pub(crate) fn wants_all(arguments: &[String]) -> bool {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    matches!(words.as_slice(), ["help" | "--help" | "-h", "--all" | "-a"] | ["--all", "--help" | "-h"])
}

/// All commands and options.
pub(crate) fn all() -> StyledStr {
    Cli::command().render_long_help()
}

/// How a question in words begins.
const ASKING: &[&str] = &["where", "how", "what", "why", "which", "who", "when", "explain", "is", "does", "can"];

/// A command line in which words that only begin like an option (`"-P does not override --paging"`) stand behind all options,
/// if it has such and is right then.
pub(crate) fn with_words_apart(arguments: &[String]) -> Option<ArgMatches> {
    let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let is_text = |word: &str| {
        let name = word.split(char::is_whitespace).next().unwrap_or_default();
        word.starts_with('-') && name.len() < word.len() && !name.contains('=')
    };
    let (texts, options): (Vec<&String>, Vec<&String>) = arguments[..end].iter().partition(|word| is_text(word));
    if texts.is_empty() {
        return None;
    }
    let apart = String::from("--");
    let behind = arguments[end..].iter().skip(1);
    let program = String::from("codegraph");
    let all = std::iter::once(&program).chain(options).chain([&apart]).chain(texts).chain(behind);
    command().try_get_matches_from(all).ok()
}

/// Says what is wrong with a command line, and ends. A question in words is no command, but there is one for it.
pub(crate) fn refuse(error: &clap::Error, arguments: &[String]) -> ! {
    let invalid = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::InvalidSubcommand => word,
        _ => error.exit(),
    };
    let at = arguments.iter().position(|word| word == invalid).unwrap_or(0);
    let question = arguments[at..].join(" ");
    let begins = question.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if !question.contains(' ') || !(invalid.contains(' ') || ASKING.contains(&begins.as_str())) {
        error.exit();
    }
    crate::output::say(&format!("error: '{begins}' is no command"));
    crate::output::say(&format!(
        "hint: 'codegraph context \"{}\"' answers a question in words",
        question.replace('"', "'")
    ));
    std::process::exit(2)
}

fn short(whole: &Command) -> String {
    let about = |name: &str| {
        let command = whole.find_subcommand(name).expect("the list names commands");
        command.get_about().map(ToString::to_string).unwrap_or_default()
    };
    let mut text = String::from(
        "Answers questions about a source tree from an index in its folder: where is it, what is it, who uses it\n\n\
         Usage: codegraph [OPTIONS] <COMMAND>\n",
    );
    for (title, names) in FIRST {
        text.push_str(&format!("\n{title}:\n"));
        names.iter().for_each(|name| text.push_str(&format!("  {name:<10} {}\n", about(name))));
    }
    text.push_str(
        "\nOptions of every command:\n  --project PATH  the project's folder, or one inside it\n  \
         --json          for machines\n  --no-update     answer from the index as it is\n\n\
         'codegraph COMMAND --help' tells more, 'codegraph help --all' lists all commands.\n\
         Exit status: 0 answered, 1 nothing found, 2 wrong usage or failed.\n",
    );
    text
}
