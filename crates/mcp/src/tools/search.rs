//! Tools that find things: by word, by name, by file.

use std::cell::OnceCell;

use codegraph_grep::Grep;
use codegraph_query::{
    ContextQuestion, DEFAULT_LIMIT, DEFAULT_TOKENS, Find, Map, Mode, Query, Several, Signatures, Tree,
};

use crate::args::{FILE_WORDS, Param, SYMBOL_WORDS};
use crate::call::Call;
use crate::tool::{Effect, Tool};

const MODE: Param = Param::word("mode", Mode::WORDS).about("match");
const CASE: Param = Param::flag("case_sensitive").about("match case").hidden();
pub(super) const FILE_FILTER: Param =
    Param::text("file_filter").about("glob or folder").also(&["glob", "file_pattern"]);
pub(super) const LANGUAGES: Param = Param::texts("languages").about("only these").hidden().also(&["language"]);
pub(super) const FILE: Param = Param::text("file").needed().about("path").also(FILE_WORDS);

/// Linked projects too.
pub(super) const ACROSS: Param = Param::flag("include_dependencies").about("linked too").hidden();

fn mode(call: &Call) -> Mode {
    let word = call.args.text("mode").unwrap_or_default();
    Mode::ALL.iter().copied().find(|mode| mode.word() == word).unwrap_or_default()
}

fn file_filter(call: &Call) -> Option<String> {
    call.args.text("file_filter").map(str::to_owned)
}

pub(crate) const CONTEXT: Tool = Tool {
    name: "context",
    about: "Start every task with it: the symbols that matter for a task, their callers and callees, and the bodies that fit.",
    effect: Effect::Reads,
    paged: false,
    params: &[
        Param::text("task").about("in words").also(&["query", "prompt", "question", "description"]),
        Param::texts("names").about("symbols it is about").also(&["symbols", "name", "symbol"]),
        Param::texts("focus").about("files it is about").rare().also(&["files", "file"]),
    ],
    run: |call| {
        let tokens = call.args.number("max_tokens").map_or(DEFAULT_TOKENS, |tokens| tokens.min(1 << 20) as usize);
        call.one_asked(|facts| {
            let question = ContextQuestion {
                task: call.args.owned("task"),
                names: call.args.texts("names"),
                tokens,
                focus: call.args.texts("focus"),
            };
            facts.context(&question)
        })
    },
};

pub(crate) const QUERY: Tool = Tool {
    name: "query",
    about: "Lines with a word or phrase, in code, comments or strings. Use it instead of grep.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        Param::text("term")
            .needed()
            .about("word or phrase")
            .also(&["query", "name", "symbol", "text", "pattern", "word"]),
        MODE,
        CASE,
        FILE_FILTER,
        Param::texts("type_filter").about("code, comment, string...").rare(),
        ACROSS,
    ],
    run: |call| {
        call.list_asked(DEFAULT_LIMIT, |facts, window| {
            let question = Query {
                term: call.args.owned("term"),
                mode: mode(call),
                case_sensitive: call.args.flag("case_sensitive"),
                file_filter: file_filter(call),
                type_filter: call.args.texts("type_filter"),
                window,
            };
            facts.query(&question)
        })
    },
};

pub(crate) const GREP: Tool = Tool {
    name: "grep",
    about: "Text search over every file, templates and settings too, each hit with its symbol, definitions first.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        Param::text("pattern").needed().about("regular expression"),
        Param::texts("paths").about("files or folders").hidden(),
        Param::text("glob").about("of paths"),
        Param::flag("fixed_strings").about("no regular expression").hidden(),
        Param::flag("word").about("whole words").hidden(),
        Param::flag("ignore_case").about("any case").hidden(),
        Param::number("context").about("lines around").hidden(),
        Param::flag("files_only").about("names of files").hidden(),
    ],
    run: |call| {
        let around = call.args.number("context").unwrap_or(0).min(20) as usize;
        let question = Grep {
            patterns: vec![call.args.owned("pattern")],
            paths: call.args.texts("paths"),
            globs: call.args.text("glob").map(str::to_owned).into_iter().collect(),
            fixed: call.args.flag("fixed_strings"),
            word: call.args.flag("word"),
            ignore_case: call.args.flag("ignore_case"),
            before: around,
            after: around,
            counts: call.args.flag("files_only"),
            files_only: call.args.flag("files_only"),
            ..Grep::default()
        };
        let found = OnceCell::new();
        call.list(DEFAULT_LIMIT, |session, window| -> anyhow::Result<_> {
            if found.get().is_none() {
                let searched = codegraph_grep::search(session, &session.project, &question)?;
                found.get_or_init(|| searched);
            }
            Ok(found.get().expect("searched above").show(session, window)?)
        })
    },
};

pub(crate) const FIND: Tool = Tool {
    name: "find",
    about: "Where symbols are defined: functions, classes, methods, constants, by name, kind or file.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        Param::text("name").about("or a part, see mode").also(SYMBOL_WORDS),
        MODE,
        CASE,
        Param::texts("kinds").about("class, function...").also(&["kind", "type_filter"]),
        LANGUAGES,
        FILE_FILTER,
        ACROSS,
    ],
    run: |call| {
        call.list_asked(DEFAULT_LIMIT, |facts, window| {
            let question = Find {
                name: call.args.owned("name"),
                mode: mode(call),
                case_sensitive: call.args.flag("case_sensitive"),
                kinds: call.args.texts("kinds"),
                languages: call.args.texts("languages"),
                file_filter: file_filter(call),
                window,
            };
            facts.find(&question)
        })
    },
};

pub(crate) const SIGNATURE: Tool = Tool {
    name: "signature",
    about: "Use it before reading files: types and functions with prototypes and lines.",
    effect: Effect::Reads,
    paged: false,
    params: &[
        Param::text_or_texts("file").needed().about("paths").also(FILE_WORDS),
        Param::text("filter").about("part of a name").rare(),
    ],
    run: |call| {
        let filter = call.args.text("filter");
        call.one(|reader| {
            Several::ask(&call.args.texts("file"), |file| codegraph_query::signature(reader, file, filter))
        })
    },
};

pub(crate) const SIGNATURES: Tool = Tool {
    name: "signatures",
    about: "Outlines of many files at once: a folder, a glob or a list.",
    effect: Effect::Reads,
    paged: true,
    params: &[FOLDER.about("folder or glob"), Param::texts("files").about("paths").also(&["file"])],
    run: |call| {
        let (served, path) = call.served_inside()?;
        let files = call.args.texts("files");
        let path = files.is_empty().then_some(path);
        call.list_in(&served, DEFAULT_LIMIT, |reader, window| {
            codegraph_query::signatures(reader, &Signatures { path: path.clone(), files: files.clone(), window })
        })
    },
};

/// Something inside the project.
const FOLDER: Param = Param::text("path").about("folder").also(&["folder", "directory", "dir", "glob"]);

/// Rows of a tree are short.
const TREE_ROWS: usize = 300;

pub(crate) const TREE: Tool = Tool {
    name: "tree",
    about: "Folders and indexed files.",
    effect: Effect::Reads,
    paged: true,
    params: &[
        FOLDER,
        Param::number("depth").about("levels").also(&["max_depth"]),
        Param::flag("include_stats").about("counts"),
    ],
    run: |call| {
        let (served, path) = call.served_inside()?;
        call.list_in(&served, TREE_ROWS, |reader, window| {
            let question = Tree {
                path: path.clone(),
                depth: call.args.number("depth").map(|depth| depth as usize),
                include_stats: call.args.flag("include_stats"),
                window,
            };
            codegraph_query::tree(reader, &question)
        })
    },
};

/// What a map takes where no budget is named.
const MAP_TOKENS: u64 = 6000;

pub(crate) const MAP: Tool = Tool {
    name: "map",
    about: "The most central files with their symbols, calls and references.",
    effect: Effect::Reads,
    paged: false,
    params: &[
        Param::texts("paths").about("files or globs").rare().also(&["files"]),
        Param::texts("focus").about("files first"),
        Param::texts("mention").about("symbols first").also(&["symbols", "names"]),
        Param::texts("exclude").about("files you have").rare(),
        Param::flag("no_tests").about("without tests").rare(),
    ],
    run: |call| {
        let tokens = call.args.number("max_tokens").unwrap_or(MAP_TOKENS).min(1 << 20) as usize;
        call.one(|session| {
            let question = Map {
                paths: call.args.texts("paths"),
                tokens: Some(tokens),
                focus: call.args.texts("focus"),
                mention: call.args.texts("mention"),
                exclude: call.args.texts("exclude"),
                no_tests: call.args.flag("no_tests"),
                ..Map::default()
            };
            codegraph_runtime::map(&session.project, session, &question)
        })
    },
};
