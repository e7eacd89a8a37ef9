//! Tools about what people know: the summary, the notes for agents, and links to other projects.

use std::path::Path;

use codegraph_index::Project;
use codegraph_knowledge::{Describe, Docs, Link, Scan};

use crate::args::Param;
use crate::tool::{Effect, Tool};

pub(crate) const SUMMARY: Tool = Tool {
    name: "summary",
    about: "What this project is: purpose, entry points, main types, dependencies, structure. Read it first.",
    effect: Effect::Reads,
    paged: false,
    params: &[],
    run: |call| call.one(|session| codegraph_knowledge::summary(&session.project, session)),
};

/// As `describe` knows them.
const SECTIONS: &[&str] = &["purpose", "architecture", "concepts", "patterns", "custom"];

pub(crate) const DESCRIBE: Tool = Tool {
    name: "describe",
    about: "Add what you learnt to the summary, for later sessions.",
    effect: Effect::Adds,
    paged: false,
    params: &[
        Param::word("section", SECTIONS).needed().about("where it belongs"),
        Param::text("content").needed().about("Markdown").also(&["text"]),
        Param::text("title").about("if custom"),
        Param::flag("replace").about("what is there"),
    ],
    run: |call| {
        let project = Project::open(call.served()?.root())?;
        let question = Describe {
            section: call.args.owned("section"),
            title: call.args.text("title").map(str::to_owned),
            content: call.args.owned("content"),
            replace: call.args.flag("replace"),
        };
        call.reply(&codegraph_knowledge::describe(&project, &question)?)
    },
};

/// Rows are lines.
const LINES: usize = 1000;

pub(crate) const DOCS: Tool = Tool {
    name: "docs",
    about: "Notes for agents: all CLAUDE.md and AGENTS.md files, or one section.",
    effect: Effect::Reads,
    paged: true,
    params: &[Param::text("section").about("heading, file or folder")],
    run: |call| {
        call.list(LINES, |session, window| {
            let section = call.args.text("section").map(str::to_owned);
            let question = Docs { section, refresh: session.project.config().auto_update, window };
            codegraph_knowledge::docs(&session.project, session, &question)
        })
    },
};

pub(crate) const UPDATE_DOCS: Tool = Tool {
    name: "update_docs",
    about: "Read all CLAUDE.md and AGENTS.md files again.",
    effect: Effect::Writes,
    paged: false,
    params: &[],
    run: |call| call.one(|session| codegraph_knowledge::update_docs(&session.project, session.store())),
};

pub(crate) const LINK: Tool = Tool {
    name: "link",
    about: "Link an indexed project that include_dependencies asks too.",
    effect: Effect::Writes,
    paged: false,
    params: &[Param::text("path").needed().about("its folder"), Param::text("name").about("what to call it")],
    run: |call| {
        let project = call.own_project()?;
        let question = Link {
            path: call.projects.folder(Some(Path::new(&call.args.owned("path"))))?,
            base: call.projects.home().to_owned(),
            name: call.args.text("name").map(str::to_owned),
        };
        call.reply(&codegraph_knowledge::link(&project, &question)?)
    },
};

pub(crate) const UNLINK: Tool = Tool {
    name: "unlink",
    about: "Remove a link to another project.",
    effect: Effect::Removes,
    paged: false,
    params: &[Param::text("path").needed().about("folder, name or number").also(&["name", "id", "dependency_id"])],
    run: |call| {
        let project = call.own_project()?;
        let word = call.args.owned("path");
        call.reply(&codegraph_knowledge::unlink(&project, &word, call.projects.home())?)
    },
};

pub(crate) const LINKS: Tool = Tool {
    name: "links",
    about: "Linked projects, and whether each can be asked.",
    effect: Effect::Reads,
    paged: false,
    params: &[],
    run: |call| call.one(|session| codegraph_knowledge::links(session.store())),
};

/// Projects lie seldom deeper below a common folder.
const LEVELS: u64 = 8;

pub(crate) const SCAN: Tool = Tool {
    name: "scan",
    about: "Indexed projects below a folder.",
    effect: Effect::Reads,
    paged: false,
    params: &[
        Param::text("path").about("folder").also(&["project", "folder", "directory", "root"]),
        Param::number("depth").about("levels"),
    ],
    run: |call| {
        let path = call.projects.folder(call.args.text("path").map(Path::new))?;
        let depth = call.args.number("depth").unwrap_or(LEVELS).min(64) as usize;
        call.reply(&codegraph_knowledge::scan(&Scan { path, depth })?)
    },
};
