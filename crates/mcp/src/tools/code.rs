//! Tools about the text and the syntax of code.

use codegraph_query::{
    Ast, Completions, DEFAULT_LIMIT, Extent, FilePlace, FindAst, Position, References, Rename, Several,
};
use codegraph_runtime::Refusal;

use super::relations::{CANDIDATES, COMPACT, SYMBOL, SYMBOLS, USE_KINDS, rows, selector, selectors};
use super::search::{FILE, FILE_FILTER, LANGUAGES};
use crate::args::{Param, SYMBOL_WORDS};
use crate::tool::{Effect, Tool};

pub(crate) const GET: Tool = Tool {
    name: "get",
    about: "Source of symbols. Use it instead of reading files.",
    effect: Effect::Reads,
    paged: false,
    params: &[SYMBOLS, Param::text("about").about("words to cut bodies to"), Param::flag("full").about("all lines")],
    run: |call| {
        let extent = Extent { full: call.args.flag("full"), about: call.args.text("about") };
        call.one(|reader| Several::ask(&selectors(call), |symbol| codegraph_query::get(reader, symbol, &extent)))
    },
};

/// A model seldom wants a whole tree.
const NODES: usize = 200;

pub(crate) const AST: Tool = Tool {
    name: "ast",
    about: "Syntax tree of a file, or the nodes around a position.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        FILE,
        Param::text("position").about("byte offset or LINE:COLUMN"),
        Param::number("depth").about("levels"),
        Param::flag("all").about("unnamed nodes too").hidden(),
    ],
    run: |call| {
        let position = call.args.text("position").map(position).transpose()?;
        call.list(NODES, |reader, window| {
            let question = Ast {
                file: call.args.owned("file"),
                position,
                anonymous: call.args.flag("all"),
                depth: call.args.number("depth").map(|depth| depth as usize),
                window,
            };
            codegraph_query::ast(reader, &question)
        })
    },
};

pub(crate) const FIND_AST: Tool = Tool {
    name: "find_ast",
    about: "Syntax nodes of a kind, such as if_expression, over many files.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        Param::text("kind").needed().about("of the grammar"),
        FILE_FILTER,
        LANGUAGES,
        Param::flag("count").about("only count").hidden(),
    ],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            let question = FindAst {
                kind: call.args.owned("kind"),
                file_filter: call.args.text("file_filter").map(str::to_owned),
                languages: call.args.texts("languages"),
                count: call.args.flag("count"),
                window,
            };
            codegraph_query::find_ast(reader, &question)
        })
    },
};

pub(crate) const RENAME: Tool = Tool {
    name: "rename",
    about: "Rename a symbol everywhere: a patch, refused unless every use is proven.",
    effect: Effect::Removes,
    paged: false,
    params: &[
        SYMBOL,
        Param::text("new_name").needed().about("its new name").also(&["to", "newName"]),
        Param::flag("apply").about("write it"),
        Param::flag("leave_unproven").about("leave the rest"),
    ],
    run: |call| {
        let question = Rename {
            symbol: selector(call),
            new_name: call.args.owned("new_name"),
            leave_unproven: call.args.flag("leave_unproven"),
            keep_files: false,
        };
        let served = call.served()?;
        let mut answer = codegraph_runtime::rename(&served, &call.request(), &question)?;
        if call.args.flag("apply") {
            codegraph_runtime::apply_rename(&served, &mut answer)?;
        }
        call.reply(&answer)
    },
};

const PLACE: Param = Param::text("place").needed().about("FILE:LINE:COLUMN or symbol").also(SYMBOL_WORDS);

pub(crate) const HOVER: Tool = Tool {
    name: "hover",
    about: "What the name at a place is: its signature, documentation and definition.",
    effect: Effect::Reads,
    paged: false,
    params: &[Param::text_or_texts("place").needed().about("FILE:LINE:COLUMN or symbol").also(SYMBOL_WORDS)],
    run: |call| {
        call.one(|reader| Several::ask(&call.args.selectors("place"), |place| codegraph_query::hover(reader, place)))
    },
};

pub(crate) const DEFINITION: Tool = Tool {
    name: "definition",
    about: "Where the name at a place is defined, local names too.",
    effect: Effect::Reads,
    paged: false,
    params: &[PLACE],
    run: |call| call.one(|reader| codegraph_query::definition(reader, &call.args.selector("place"))),
};

pub(crate) const REFERENCES: Tool = Tool {
    name: "references",
    about: "Where the symbol or name at a place is used; local names too.",
    effect: Effect::Reads,
    paged: true,
    params: &[PLACE, USE_KINDS, FILE_FILTER, CANDIDATES, COMPACT.hidden()],
    run: |call| {
        call.list(rows(call), |reader, window| {
            let question = References {
                selector: call.args.selector("place"),
                kinds: call.args.texts("kinds"),
                file_filter: call.args.text("file_filter").map(str::to_owned),
                candidates: call.args.flag("candidates"),
                compact: call.args.flag("compact"),
                window,
            };
            codegraph_query::references(reader, &question)
        })
    },
};

pub(crate) const COMPLETIONS: Tool = Tool {
    name: "completions",
    about: "What could be written at a place: members, or visible names.",
    effect: Effect::Reads,
    paged: true,
    params: &[Param::text("place").needed().about("FILE:LINE:COLUMN"), Param::text("text").about("the unsaved file")],
    run: |call| {
        call.list(DEFAULT_LIMIT, |reader, window| {
            let text = call.args.text("text").map(str::to_owned);
            let place = FilePlace::parse(call.args.text("place").unwrap_or_default())?;
            codegraph_query::completions(reader, &Completions { place, text, window })
        })
    },
};

/// A byte offset, or LINE:COLUMN.
fn position(text: &str) -> anyhow::Result<Position> {
    let parsed = match text.split_once(':') {
        Some((line, column)) => {
            line.parse().ok().zip(column.parse().ok()).map(|(line, column)| Position::LineColumn(line, column))
        }
        None => text.parse().ok().map(Position::Byte),
    };
    parsed.ok_or_else(|| Refusal::error(format!("'{text}' is no position"), "give a byte offset, or LINE:COLUMN"))
}
