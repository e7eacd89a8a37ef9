//! The tools, by group. A new one is a constant in its group's file and a line in the list below.

mod code;
mod knowledge;
mod project;
mod relations;
mod search;

use codegraph_text::Dialect;

use crate::ToolSet;
use crate::tool::Tool;

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

/// Those that agents call most.
const CORE: &[&str] =
    &["context", "query", "find", "signature", "map", "get", "callers", "callees", "find_usages", "impact"];

pub(crate) fn of(set: ToolSet) -> impl Iterator<Item = &'static Tool> {
    ALL.iter().copied().filter(move |tool| set == ToolSet::All || CORE.contains(&tool.name))
}

/// How an answer of a tool names other tools.
pub(crate) const DIALECT: Dialect = Dialect::Tool { has: |name| ALL.iter().any(|tool| tool.name == name) };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_core_exists() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
