//! What a tool is: a name, when to use it, what it takes, what it does to the project, and the function it calls.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Listed, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::ToolSet;
use crate::args::{Param, Shown};
use crate::call::{Call, Reply};

/// What calling a tool can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing but the freshness of the index.
    Reads,
    /// The index or files of `.codegraph`; the same again changes nothing more.
    Writes,
    /// Adds something with every call.
    Adds,
    /// Takes something away; the same again changes nothing more.
    Removes,
}

/// A tool as it is written down in `tools`.
pub(crate) struct Tool {
    /// Without the prefix.
    pub(crate) name: &'static str,
    /// What it gives and when to use it, in one or two sentences.
    pub(crate) about: &'static str,
    pub(crate) effect: Effect,
    /// Whether the answer is a list that has a window.
    pub(crate) paged: bool,
    pub(crate) params: &'static [Param],
    pub(crate) run: fn(&Call) -> anyhow::Result<Reply>,
}

pub(crate) const PREFIX: &str = "codegraph_";

const PROJECT: Param = Param::text("project")
    .about("its folder")
    .also(&["path", "root", "root_dir", "project_path", "project_id", "project_root"]);
const LIMIT: Param = Param::number("limit").about("rows").rare().also(&["max_results", "top_k", "count"]);
const CURSOR: Param = Param::text("cursor").about("goes on").also(&["next_cursor"]);
const OFFSET: Param = Param::number("offset").from(0).about("rows to skip").hidden();
const MAX_TOKENS: Param = Param::number("max_tokens")
    .from(crate::budget::LEAST_TOKENS as u64)
    .about("budget")
    .also(&["tokens", "token_budget"]);

/// Their answers are shorter than any budget; it is taken all the same.
const SHORT: &[&str] = &["status", "links", "scan", "hover", "definition"];

/// Nobody counts the rows of these: a budget bounds them. A limit is taken all the same.
const BY_TOKENS: &[&str] = &[
    "ast", "find_ast", "completions", "docs", "signatures", "tree", "diff", "find_dependencies",
    "get_entity_dependencies", "get_entity_dependents", "references", "impact",
];

impl Tool {
    pub(crate) fn full_name(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    /// The parameters that a model is shown: which project is asked only where there are several, and rare ones only where
    /// all tools are listed.
    pub(crate) fn shown(&self, set: ToolSet, several: bool) -> Vec<&Param> {
        let shown = |param: &&Param| match param.shown {
            Shown::Always => true,
            Shown::InFull => set == ToolSet::All,
            Shown::Never => false,
        };
        let all = self.all().into_iter().filter(shown);
        all.filter(|param| several || param.name != PROJECT.name).collect()
    }

    /// All that it takes of what it offers.
    fn all(&self) -> Vec<&Param> {
        let mut params: Vec<&Param> = self.params.iter().collect();
        if self.asks_a_project() {
            params.push(&PROJECT);
        }
        if self.paged && !BY_TOKENS.contains(&self.name) {
            params.push(&LIMIT);
        }
        if self.paged {
            params.push(&CURSOR);
        }
        if self.effect == Effect::Reads && !SHORT.contains(&self.name) {
            params.push(&MAX_TOKENS);
        }
        params
    }

    /// The others make a project, or look for some.
    fn asks_a_project(&self) -> bool {
        self.name != "init" && self.name != "scan"
    }

    /// The parameters that are taken: a cursor works everywhere, and so does the other word for it.
    pub(crate) fn taken(&self) -> Vec<&Param> {
        let mut params = self.all();
        for more in [&CURSOR, &OFFSET, &MAX_TOKENS, &LIMIT] {
            if !params.iter().any(|param| param.name == more.name) {
                params.push(more);
            }
        }
        params
    }

    fn schema(&self, shown: &[&Param]) -> JsonObject {
        let properties: Map<String, Value> =
            shown.iter().map(|param| (param.name.to_owned(), param.schema())).collect();
        let needed: Vec<&str> = shown.iter().filter(|param| param.needed).map(|param| param.name).collect();
        let mut schema = JsonObject::new();
        schema.insert("type".into(), json!("object"));
        schema.insert("properties".into(), properties.into());
        if !needed.is_empty() {
            schema.insert("required".into(), json!(needed));
        }
        schema
    }

    /// What clients ask their users about. Hints with the protocol's default are left out.
    pub(crate) fn annotations(&self) -> ToolAnnotations {
        let hints = ToolAnnotations::new();
        match self.effect {
            Effect::Reads => hints.read_only(true),
            Effect::Writes => hints.destructive(false).idempotent(true),
            Effect::Adds => hints.destructive(false),
            Effect::Removes => hints.idempotent(true),
        }
    }

    /// As a client sees it. An output schema is a promise of data, so there is one only where data is sent.
    pub(crate) fn listed(&self, shown: &[&Param], structured: bool) -> Listed {
        let tool = Listed::new(self.full_name(), self.about, Arc::new(self.schema(shown)));
        let tool = tool.with_annotations(self.annotations());
        let data = || JsonObject::from_iter([("type".to_owned(), json!("object"))]);
        if structured { tool.with_raw_output_schema(Arc::new(data())) } else { tool }
    }
}
