//! The tools, by group. A new one is a constant in its group's file and a line in the list below.

mod code;
mod knowledge;
mod project;
mod relations;
mod search;
mod views;

use codegraph_text::Dialect;

use crate::ToolSet;
use crate::tool::{PREFIX, Tool};

/// All tools in the order in which they are listed.
const ALL: &[&Tool] = &[
    &search::CONTEXT,
    &search::QUERY,
    &search::GREP,
    &search::FIND,
    &search::SIGNATURE,
    &search::SIGNATURES,
    &search::TREE,
    &search::MAP,
    &code::GET,
    &relations::CALLERS,
    &relations::CALLEES,
    &relations::FIND_USAGES,
    &relations::IMPACT,
    &relations::DIFF,
    &relations::FIND_DEPENDENCIES,
    &relations::GET_ENTITY_DEPENDENCIES,
    &relations::GET_ENTITY_DEPENDENTS,
    &code::DEFINITION,
    &code::REFERENCES,
    &code::HOVER,
    &code::COMPLETIONS,
    &code::RENAME,
    &knowledge::SUMMARY,
    &knowledge::DOCS,
    &knowledge::DESCRIBE,
    &knowledge::UPDATE_DOCS,
    &knowledge::LINK,
    &knowledge::UNLINK,
    &knowledge::LINKS,
    &knowledge::SCAN,
    &code::AST,
    &code::FIND_AST,
    &project::STATUS,
    &project::INIT,
    &project::UPDATE,
    &project::UPDATE_BATCH,
    &project::REMOVE,
    &project::SYNC_GIT,
];

/// What is no tool, but can be asked by name.
const VIEWS: &[&Tool] = &[
    &views::OVERVIEW,
    &views::CENTRAL,
    &views::HEALTH,
    &views::HOT_SPOTS,
    &views::CENSUS,
    &views::CLOUD,
    &views::FILES,
    &views::LISTING,
    &views::NETWORK,
    &views::HISTORY,
    &views::SQL,
    &views::PATH,
    &views::HIERARCHY,
    &views::REFS,
    &views::DEPS,
    &views::CYCLES,
    &views::DEAD_CODE,
];

/// Those that agents call most, and the one that every error about a missing index names.
const CORE: &[&str] =
    &["context", "query", "find", "signature", "map", "get", "callers", "callees", "find_usages", "impact", "init"];

/// Those that are asked of many projects at once.
const STORE: &[&str] =
    &["context", "query", "find", "callers", "callees", "impact", "refs", "hierarchy", "deps", "sql"];

pub(crate) fn of(set: ToolSet) -> impl Iterator<Item = &'static Tool> {
    asked().filter(move |tool| has(set, tool.name))
}

/// All that can be asked by name.
pub(crate) fn asked() -> impl Iterator<Item = &'static Tool> {
    ALL.iter().chain(VIEWS).copied()
}

fn has(set: ToolSet, name: &str) -> bool {
    match set {
        ToolSet::All => ALL.iter().any(|tool| tool.name == name),
        ToolSet::Core => CORE.contains(&name),
        ToolSet::Store => STORE.contains(&name),
    }
}

/// How an answer names what to do next: by a tool that the client has, else by the command of that name.
pub(crate) const fn dialect(set: ToolSet) -> Dialect {
    match set {
        ToolSet::All => Dialect::Tool { has: |name| has(ToolSet::All, name) },
        ToolSet::Core => Dialect::Tool { has: |name| has(ToolSet::Core, name) },
        ToolSet::Store => Dialect::Tool { has: |name| has(ToolSet::Store, name) },
    }
}

/// A text that names tools, for a client that may not have all of them.
pub(crate) fn named(text: &str, set: ToolSet) -> String {
    let missing = ALL.iter().filter(|tool| !has(set, tool.name));
    let mut text = text.to_owned();
    // The longest first: `signatures` begins with `signature`.
    let mut names: Vec<&str> = missing.map(|tool| tool.name).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        let command = format!("'codegraph {}' in a shell", name.replace('_', "-"));
        text = replaced(&text, &format!("{PREFIX}{name}"), &command);
    }
    text
}

/// Replaces a word wherever it stands alone.
fn replaced(text: &str, word: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let after = &rest[at + word.len()..];
        let whole = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        out.push_str(&rest[..at]);
        out.push_str(if whole { by } else { word });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_core_exists() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), ALL.len());
        let asked: std::collections::BTreeSet<&str> = asked().map(|tool| tool.name).collect();
        assert_eq!(asked.len(), ALL.len() + VIEWS.len());
        assert!(CORE.iter().all(|name| names.contains(name)) && STORE.iter().all(|name| asked.contains(name)));
    }

    #[test]
    fn a_tool_that_is_missing_is_named_as_a_command() {
        let text = "Use codegraph_signature, codegraph_signatures and codegraph_update_docs.";
        assert_eq!(named(text, ToolSet::All), text);
        let core = "Use codegraph_signature, 'codegraph signatures' in a shell and 'codegraph update-docs' in a shell.";
        assert_eq!(named(text, ToolSet::Core), core);
    }
}
