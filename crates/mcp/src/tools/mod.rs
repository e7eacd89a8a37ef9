//! The tools, by group. A new one is a constant in its group's file and a line in the list below.

mod code;
mod knowledge;
mod project;
mod relations;
mod search;

use crate::ToolSet;
use crate::tool::{PREFIX, Tool};

/// All tools in the order in which they are listed.
const ALL: &[&Tool] = &[
    &search::CONTEXT,
    &search::QUERY,
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
    &relations::FIND_DEPENDENCIES,
    &relations::GET_ENTITY_DEPENDENCIES,
    &relations::GET_ENTITY_DEPENDENTS,
    &code::DEFINITION,
    &code::REFERENCES,
    &code::HOVER,
    &code::COMPLETIONS,
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

/// Those that agents call most.
const CORE: &[&str] =
    &["context", "query", "find", "signature", "map", "get", "callers", "callees", "find_usages", "impact"];

pub(crate) fn of(set: ToolSet) -> impl Iterator<Item = &'static Tool> {
    ALL.iter().copied().filter(move |tool| set == ToolSet::All || CORE.contains(&tool.name))
}

/// A remedy in which commands are tools: `run 'codegraph update x'` becomes `run codegraph_update x`.
pub(crate) fn named(hint: &str) -> String {
    let mut parts = hint.split("'codegraph ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (command, rest) = part.split_once('\'').unwrap_or((part, ""));
        let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
        let name = name.replace('-', "_");
        if ALL.iter().any(|tool| tool.name == name) {
            out.push_str(format!("{PREFIX}{name} {arguments}").trim_end());
        } else {
            out.push_str(&format!("'codegraph {command}' in a shell"));
        }
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_remedies_become_tools() {
        assert_eq!(named("run 'codegraph init' in the folder"), "run codegraph_init in the folder");
        assert_eq!(named("run 'codegraph update a.py'"), "run codegraph_update a.py");
        assert_eq!(named("run 'codegraph doctor'"), "run 'codegraph doctor' in a shell");
        assert_eq!(named("check the path"), "check the path");
    }

    #[test]
    fn names_are_unique_and_the_core_exists() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
