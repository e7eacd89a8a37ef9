//! Tools about who uses whom.

use codegraph_query::{
    CALLS_LIMIT, COMPACT_LIMIT, Calls, CallsAnswer, DEFAULT_LIMIT, EntityQuestion, FindDependencies, FindUsages,
    Impact, Selector, Several, Window,
};

use super::search::{ACROSS, FILE_FILTER};
use crate::args::{Param, SYMBOL_WORDS};
use crate::call::Call;
use crate::tool::{Effect, Tool};

pub(super) const SYMBOL: Param = Param::text("symbol").needed().about("name or FILE:LINE").also(SYMBOL_WORDS);
pub(super) const SYMBOLS: Param = Param::text_or_texts("symbol").needed().about("name or FILE:LINE").also(SYMBOL_WORDS);
pub(super) const COMPACT: Param = Param::flag("compact").about("lines only").rare();
pub(super) const CANDIDATES: Param = Param::flag("candidates").about("unproved too").rare();
pub(super) const USE_KINDS: Param = Param::texts("kinds").about("call, read, import...").rare().also(&["kind"]);
const DEPTH: Param = Param::number("depth").about("levels").also(&["max_depth"]);
/// With a row's `id` as `entity_id`, the table that it is a row of.
const ENTITY_TYPE: Param = Param::word("entity_type", &["class", "method", "function"]).also(&["target_type"]).hidden();

/// What a call is about. The number of a row is one only beside the kind of entity: alone it is a name.
fn read(call: &Call, text: &str) -> Selector {
    let entity = ["class", "method", "function"].into_iter().find(|word| call.args.text("entity_type") == Some(word));
    match (entity, text.trim().parse()) {
        (Some(_), Ok(id)) => Selector::Row { id, entity },
        _ => text.into(),
    }
}

pub(super) fn selector(call: &Call) -> Selector {
    read(call, call.args.text("symbol").unwrap_or_default())
}

pub(super) fn selectors(call: &Call) -> Vec<Selector> {
    call.args.texts("symbol").iter().map(|text| read(call, text)).collect()
}

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
    answer: impl Fn(&Calls) -> anyhow::Result<CallsAnswer>,
) -> anyhow::Result<Several<CallsAnswer>> {
    Several::ask(&selectors(call), |symbol| {
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
    params: &[SYMBOLS, DEPTH, CANDIDATES, FILE_FILTER.hidden(), ACROSS, ENTITY_TYPE],
    run: |call| call.list_asked(CALLS_LIMIT, |facts, window| calls(call, window, |question| facts.callers(question))),
};

pub(crate) const CALLEES: Tool = Tool {
    name: "callees",
    about: "What a function calls; depth>1 goes down.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOLS, DEPTH, CANDIDATES.hidden(), ACROSS, ENTITY_TYPE],
    run: |call| call.list_asked(CALLS_LIMIT, |facts, window| calls(call, window, |question| facts.callees(question))),
};

pub(crate) const FIND_USAGES: Tool = Tool {
    name: "find_usages",
    about: "Every place that uses a name, by file; ? marks matches by name only.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, USE_KINDS, FILE_FILTER, COMPACT, ENTITY_TYPE],
    run: |call| {
        call.list(rows(call), |reader, window| {
            let question = FindUsages {
                name: selector(call),
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
    params: &[SYMBOL.about("name, id or file"), ENTITY_TYPE],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            codegraph_query::find_dependencies(reader, &FindDependencies { name: selector(call), window })
        })
    },
};

pub(crate) const IMPACT: Tool = Tool {
    name: "impact",
    about: "Use it before editing: all that depends on a symbol, directly or not, and which tests.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOLS, DEPTH, ENTITY_TYPE],
    run: |call| {
        call.list_asked(DEFAULT_LIMIT, |facts, window| {
            Several::ask(&selectors(call), |symbol| {
                facts.impact(&Impact { symbol: symbol.clone(), depth: depth(call, 3), window })
            })
        })
    },
};

pub(crate) const DIFF: Tool = Tool {
    name: "diff",
    about: "Use it after editing: symbols that differ between git revisions, whom that concerns, which tests to run.",
    effect: Effect::Reads,
    paged: true,
    params: &[Param::text("revisions").about("REV or REV..REV").also(&["revision", "rev", "range"]), DEPTH],
    run: |call| {
        call.list(DEFAULT_LIMIT, |session, window| {
            let question = codegraph_query::Diff { depth: depth(call, 3), window, ..Default::default() };
            codegraph_runtime::diff(&session.project, session, call.args.text("revisions"), &question)
        })
    },
};

const EXTERNAL: Param = Param::flag("external").about("outside too");

fn entity(call: &Call, window: Window) -> EntityQuestion {
    EntityQuestion {
        symbol: selector(call),
        external: call.args.flag("external"),
        candidates: call.args.flag("candidates"),
        window,
    }
}

pub(crate) const GET_ENTITY_DEPENDENCIES: Tool = Tool {
    name: "get_entity_dependencies",
    about: "Entities that one depends on, with kind of use and line.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, EXTERNAL.hidden(), CANDIDATES.hidden(), ENTITY_TYPE],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            codegraph_query::get_entity_dependencies(reader, &entity(call, window))
        })
    },
};

pub(crate) const GET_ENTITY_DEPENDENTS: Tool = Tool {
    name: "get_entity_dependents",
    about: "Entities that depend on one; heirs and implementations too.",
    effect: Effect::Reads,
    paged: true,
    params: &[SYMBOL, EXTERNAL.hidden(), CANDIDATES.hidden(), ENTITY_TYPE],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| codegraph_query::get_entity_dependents(reader, &entity(call, window)))
    },
};
