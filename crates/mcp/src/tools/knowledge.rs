//! Tools about what people know: the summary, the notes for agents, and links to other projects.

use codegraph_index::Project;
use codegraph_knowledge::{Describe, Docs};

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
    about: "Add what you learnt to the summary for later sessions; replace=true rewrites the section.",
    effect: Effect::Adds,
    paged: false,
    params: &[
        Param::word("section", SECTIONS).needed(),
        Param::text("content").needed(),
        Param::text("title"),
        Param::flag("replace"),
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
    params: &[Param::text("section").about("heading, file, folder or FILE#HEADING")],
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
