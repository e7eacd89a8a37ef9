//! Tools about who uses whom.

use codegraph_query::{
    COMPACT_LIMIT, Calls, CallsAnswer, DEFAULT_LIMIT, EntityQuestion, FindDependencies, FindUsages, Impact, Several,
    Window,
};

use super::search::ACROSS;
use crate::args::Param;
use crate::call::Call;
use crate::tool::{Effect, Tool};

const SYMBOL: Param = Param::text("symbol").needed();
const SYMBOLS: Param = Param::text_or_texts("symbol").needed();
pub(super) const COMPACT: Param = Param::flag("compact");
const CANDIDATES: Param = Param::flag("candidates");
const FILE_FILTER: Param = Param::text("file_filter").hidden();
const DEPTH: Param = Param::number("depth");

/// Deeper than any chain of calls that somebody reads.
const MOST_LEVELS: u64 = 100;

/// Lists of lines alone are short.
pub(super) fn rows(call: &Call) -> usize {
    if call.args.flag("compact") { COMPACT_LIMIT } else { DEFAULT_LIMIT }
}

fn depth(call: &Call, default: u64) -> u32 {
    call.args.number("depth").unwrap_or(default).min(MOST_LEVELS) as u32
}

/// The same question about each symbol.
fn calls(
    call: &Call,
    window: Window,
    answer: impl Fn(&Calls) -> codegraph_query::Result<CallsAnswer>,
) -> codegraph_query::Result<Several<CallsAnswer>> {
    Several::ask(&call.args.selectors("symbol"), |symbol| {
        answer(&Calls {
            symbol: symbol.clone(),
            depth: depth(call, 1),
            candidates: call.args.flag("candidates"),
            file_filter: call.args.text("file_filter").map(str::to_owned),
            window,
        })
    })
}

pub(crate) const CALLERS: Tool = Tool {
    name: "callers",
    about: "Who calls a function, method or class; depth>1 goes up.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOLS, DEPTH, CANDIDATES, FILE_FILTER, ACROSS],
    run: |call| {
        call.list_across(DEFAULT_LIMIT, |reader, window| {
            calls(call, window, |question| codegraph_query::callers(reader, question))
        })
    },
};

pub(crate) const CALLEES: Tool = Tool {
    name: "callees",
    about: "What a function calls; depth>1 goes down.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOLS, DEPTH, CANDIDATES.hidden()],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            calls(call, window, |question| codegraph_query::callees(reader, question))
        })
    },
};

pub(crate) const FIND_USAGES: Tool = Tool {
    name: "find_usages",
    about: "Every place that uses a name, by file; ? marks matches by name only.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        Param::text("name").needed(),
        Param::texts("kinds").about("call, read, write, import..."),
        Param::text("file_filter"),
        COMPACT,
    ],
    run: |call| {
        call.list(rows(call), |reader, window| {
            let question = FindUsages {
                name: call.args.selector("name"),
                kinds: call.args.texts("kinds"),
                file_filter: call.args.text("file_filter").map(str::to_owned),
                compact: call.args.flag("compact"),
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
    about: "What may break if a symbol changes: all that depends on it, directly or not, and tests. Use it before editing.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOLS, DEPTH],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            Several::ask(&call.args.selectors("symbol"), |symbol| {
                codegraph_query::impact(reader, &Impact { symbol: symbol.clone(), depth: depth(call, 5), window })
            })
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
