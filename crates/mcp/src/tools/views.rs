//! Questions that are no tools, because the list of tools has to be short: commands that models seldom need, and what a page
//! shows. They are asked by name over HTTP.

use std::time::Duration;

use codegraph_query::{
    Census, Central, Cloud, Cycles, DEFAULT_LIMIT, DeadCode, Deps, Files, HierarchyQuestion, Listing, Network,
    Overview, Refs,
};
use codegraph_store::SqlLimits;

use super::relations::{CANDIDATES, SYMBOL, USE_KINDS, selector};
use super::search::{FILE, FILE_FILTER};
use crate::args::Param;
use crate::call::Call;
use crate::tool::{Effect, Tool};

const fn view(name: &'static str, about: &'static str, params: &'static [Param], run: Run) -> Tool {
    Tool { name, about, effect: Effect::Reads, paged: false, params, run }
}

type Run = fn(&Call) -> anyhow::Result<crate::call::Reply>;

const LIMIT: Param = Param::number("limit").about("rows");
const DEPTH: Param = Param::number("depth").about("levels");
const NO_TESTS: Param = Param::flag("no_tests").about("without tests");

fn limit(call: &Call, default: usize, most: usize) -> usize {
    call.args.number("limit").map_or(default, |limit| usize::try_from(limit).unwrap_or(most)).min(most)
}

fn line(call: &Call, name: &str) -> Option<u32> {
    call.args.number(name).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

fn filter(call: &Call) -> Option<String> {
    call.args.text("file_filter").map(str::to_owned)
}

pub(crate) const OVERVIEW: Tool = view("overview", "Languages, entry points, main types and folders.", &[], |call| {
    call.data(|session| codegraph_query::overview(session, &Overview::default()))
});

pub(crate) const CENTRAL: Tool = view("central", "The files and symbols that most files refer to.", &[LIMIT], |call| {
    call.data(|session| codegraph_query::central(session, &Central { limit: limit(call, 20, 1000) }))
});

pub(crate) const HEALTH: Tool = view("health", "How much of the references of each language is known.", &[], |call| {
    call.data(|session| codegraph_query::health(session))
});

pub(crate) const HOT_SPOTS: Tool =
    view("hot_spots", "Files that many others use and that change often.", &[LIMIT], |call| {
        call.data(|session| codegraph_runtime::hot_spots(&session.project, session, limit(call, 10, 1000)))
    });

pub(crate) const CENSUS: Tool = view(
    "census",
    "What is in a folder, counted: lines, symbols, references out and in.",
    &[Param::text("path").about("folder"), DEPTH],
    |call| {
        call.data(|session| {
            let depth = call.args.number("depth").map(|depth| depth as usize);
            codegraph_query::census(session, &Census { path: call.args.owned("path"), depth })
        })
    },
);

pub(crate) const CLOUD: Tool = view(
    "cloud",
    "The terms that are used most.",
    &[
        FILE_FILTER,
        Param::flag("comments").about("words of comments instead of names"),
        Param::flag("defined").about("only what is defined there"),
        LIMIT,
    ],
    |call| {
        call.data(|session| {
            let question = Cloud {
                file_filter: filter(call),
                comments: call.args.flag("comments"),
                defined: call.args.flag("defined"),
                limit: limit(call, 120, 1000),
            };
            codegraph_query::cloud(session, &question)
        })
    },
);

pub(crate) const FILES: Tool = view(
    "files",
    "Files by a part of their path, the best match first.",
    &[Param::text("name").needed().about("part of a path"), FILE_FILTER, NO_TESTS, LIMIT],
    |call| {
        call.data(|session| {
            let question = Files {
                name: call.args.owned("name"),
                file_filter: filter(call),
                no_tests: call.args.flag("no_tests"),
                limit: limit(call, 20, 1000),
            };
            codegraph_query::files(session, &question)
        })
    },
);

pub(crate) const LISTING: Tool = view(
    "listing",
    "The text of a file, every name with what it means and how sure that is.",
    &[FILE, Param::number("from").about("first line"), Param::number("to").about("last line")],
    |call| {
        call.data(|session| {
            let question = Listing { file: call.args.owned("file"), from: line(call, "from"), to: line(call, "to") };
            codegraph_query::listing(session, &question)
        })
    },
);

/// More can be drawn, but not seen.
const MOST_NODES: usize = 5_000;

pub(crate) const NETWORK: Tool = view(
    "network",
    "Who refers to whom as a graph: folders, opened files and symbols, or what is around a symbol.",
    &[
        Param::texts("open").about("folders and files to look into"),
        Param::text("focus").about("only what is around a symbol"),
        DEPTH,
        USE_KINDS,
        Param::flag("exact_only").about("only what is proven by scope, import or declared type"),
        NO_TESTS,
        FILE_FILTER,
        LIMIT,
    ],
    |call| {
        call.data(|session| {
            let question = Network {
                open: call.args.raw("open").map(|_| call.args.texts("open")),
                focus: call.args.text("focus").map(Into::into),
                depth: line(call, "depth").unwrap_or(1),
                kinds: call.args.texts("kinds"),
                exact: call.args.flag("exact_only"),
                no_tests: call.args.flag("no_tests"),
                file_filter: filter(call),
                limit: limit(call, 2_000, MOST_NODES),
            };
            codegraph_query::network(session, &question)
        })
    },
);

pub(crate) const HISTORY: Tool = view("history", "The commits that changed a symbol.", &[SYMBOL, LIMIT], |call| {
    call.data(|session| codegraph_runtime::history(&session.project, session, &selector(call), limit(call, 20, 500)))
});

pub(crate) const SQL: Tool = view(
    "sql",
    "Rows of a read-only SQL statement.",
    &[Param::text("statement").needed().about("one SELECT").also(&["query"]), LIMIT],
    |call| {
        let limits = SqlLimits { time: Duration::from_secs(20), ..SqlLimits::rows(limit(call, 1_000, 10_000)) };
        let statement = call.args.owned("statement");
        call.one_asked(|facts| facts.sql(&statement, limits))
    },
);

pub(crate) const PATH: Tool = view(
    "path",
    "The shortest chain of uses from one symbol to another.",
    &[Param::text("from").needed().about("symbol"), Param::text("to").needed().about("symbol")],
    |call| {
        let (from, to) = (call.args.selector("from"), call.args.selector("to"));
        call.data(|session| codegraph_query::path(session, &from, &to))
    },
);

const fn listed(name: &'static str, about: &'static str, params: &'static [Param], run: Run) -> Tool {
    Tool { paged: true, ..view(name, about, params, run) }
}

pub(crate) const HIERARCHY: Tool = listed("hierarchy", "The types above and below a type.", &[SYMBOL], |call| {
    call.list_asked(DEFAULT_LIMIT, |facts, window| {
        facts.hierarchy(&HierarchyQuestion { symbol: selector(call), window })
    })
});

pub(crate) const REFS: Tool =
    listed("refs", "Where a symbol is used.", &[SYMBOL, USE_KINDS, FILE_FILTER, CANDIDATES], |call| {
        call.list_asked(DEFAULT_LIMIT, |facts, window| {
            let question = Refs {
                symbol: selector(call),
                kinds: call.args.texts("kinds"),
                file_filter: filter(call),
                candidates: call.args.flag("candidates"),
                compact: false,
                window,
            };
            facts.refs(&question)
        })
    });

pub(crate) const DEPS: Tool = listed(
    "deps",
    "Which files use which.",
    &[Param::text("file").about("all if absent"), FILE_FILTER, Param::flag("mutual").about("each other")],
    |call| {
        call.list_asked(DEFAULT_LIMIT, |facts, window| {
            let question = Deps {
                file: call.args.text("file").map(str::to_owned),
                file_filter: filter(call),
                mutual: call.args.flag("mutual"),
                window,
            };
            facts.deps(&question)
        })
    },
);

pub(crate) const CYCLES: Tool = listed(
    "cycles",
    "What uses each other in a circle.",
    &[Param::flag("symbols").about("functions instead of files")],
    |call| {
        call.list(DEFAULT_LIMIT, |session, window| {
            codegraph_query::cycles(session, &Cycles { symbols: call.args.flag("symbols"), window })
        })
    },
);

pub(crate) const DEAD_CODE: Tool = listed(
    "dead_code",
    "Functions, types and constants that nothing refers to.",
    &[Param::flag("public").about("those too that others could use"), FILE_FILTER],
    |call| {
        call.list(DEFAULT_LIMIT, |session, window| {
            let question = DeadCode { public: call.args.flag("public"), file_filter: filter(call), window };
            codegraph_query::dead_code(session, &question)
        })
    },
);
