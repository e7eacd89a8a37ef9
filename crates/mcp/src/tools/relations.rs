//! Tools about who uses whom.

use codegraph_query::{Calls, DEFAULT_LIMIT, EntityQuestion, FindDependencies, FindUsages, Impact, Window};

use super::search::ACROSS;
use crate::args::Param;
use crate::call::Call;
use crate::tool::{Effect, Tool};

const SYMBOL: Param = Param::text("symbol").needed();
const CANDIDATES: Param = Param::flag("candidates");
const DEPTH: Param = Param::number("depth");

/// Deeper than any chain of calls that somebody reads.
const MOST_LEVELS: u64 = 100;

fn depth(call: &Call, default: u64) -> u32 {
    call.args.number("depth").unwrap_or(default).min(MOST_LEVELS) as u32
}

fn calls(call: &Call, window: Window) -> Calls {
    Calls {
        symbol: call.args.selector("symbol"),
        depth: depth(call, 1),
        candidates: call.args.flag("candidates"),
        window,
    }
}

pub(crate) const CALLERS: Tool = Tool {
    name: "callers",
    about: "Who calls a function, method or class; depth>1 goes up the chain.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, DEPTH, CANDIDATES, ACROSS],
    run: |call| {
        call.list_across(DEFAULT_LIMIT, |reader, window| codegraph_query::callers(reader, &calls(call, window)))
    },
};

pub(crate) const CALLEES: Tool = Tool {
    name: "callees",
    about: "What a function calls; depth>1 goes down the chain.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, DEPTH, CANDIDATES],
    run: |call| call.list(DEFAULT_LIMIT, |reader, window| codegraph_query::callees(reader, &calls(call, window))),
};

pub(crate) const FIND_USAGES: Tool = Tool {
    name: "find_usages",
    about: "Every place that uses a name: calls, reads, writes, imports, types. ? marks matches by name only.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        Param::text("name").needed(),
        Param::texts("kinds").about("call, read, write, import, inherit..."),
        Param::text("file_filter").about("glob or folder"),
    ],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            let question = FindUsages {
                name: call.args.selector("name"),
                kinds: call.args.texts("kinds"),
                file_filter: call.args.text("file_filter").map(str::to_owned),
                window,
            };
            codegraph_query::find_usages(reader, &question)
        })
    },
};

pub(crate) const FIND_DEPENDENCIES: Tool = Tool {
    name: "find_dependencies",
    about: "What a symbol or a file uses, each thing once.",
    effect: Effect::Reads,
    paged: true,
    params: &[Param::text("name").needed().about("symbol or file")],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            codegraph_query::find_dependencies(reader, &FindDependencies { name: call.args.selector("name"), window })
        })
    },
};

pub(crate) const IMPACT: Tool = Tool {
    name: "impact",
    about: "What may break if a symbol changes: everything that depends on it, directly or not, and the tests. Use it \
            before editing.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, DEPTH],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            let question = Impact { symbol: call.args.selector("symbol"), depth: depth(call, 5), window };
            codegraph_query::impact(reader, &question)
        })
    },
};

pub(crate) const DIFF: Tool = Tool {
    name: "diff",
    about: "Symbols that differ between git revisions (REV, REV..REV; default: uncommitted edits), whom that concerns, \
            which tests to run. Use it after editing.",
    effect: Effect::Reads,
    paged: true,
    params: &[Param::text("revisions"), DEPTH],
    run: |call| {
        call.list(DEFAULT_LIMIT, |session, window| {
            let question = codegraph_query::Diff { depth: depth(call, 3), window, ..Default::default() };
            codegraph_runtime::diff(&session.project, session, call.args.text("revisions"), &question)
        })
    },
};

const EXTERNAL: Param = Param::flag("external");

fn entity(call: &Call, window: Window) -> EntityQuestion {
    EntityQuestion {
        symbol: call.args.selector("symbol"),
        external: call.args.flag("external"),
        candidates: call.args.flag("candidates"),
        window,
    }
}

pub(crate) const GET_ENTITY_DEPENDENCIES: Tool = Tool {
    name: "get_entity_dependencies",
    about: "Classes, methods and functions that one depends on, with kind of use and line.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, EXTERNAL, CANDIDATES],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            codegraph_query::get_entity_dependencies(reader, &entity(call, window))
        })
    },
};

pub(crate) const GET_ENTITY_DEPENDENTS: Tool = Tool {
    name: "get_entity_dependents",
    about: "Classes, methods and functions that depend on one; heirs and implementations too.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, EXTERNAL, CANDIDATES],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| codegraph_query::get_entity_dependents(reader, &entity(call, window)))
    },
};
