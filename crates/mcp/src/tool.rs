//! What a tool is: a name, when to use it, what it takes, what it does to the project, and the function it calls.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Listed, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::args::Param;
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

const PATH: Param = Param::text("path");
const PROJECT: Param = Param::text("project");
const LIMIT: Param = Param::number("limit");
const CURSOR: Param = Param::text("cursor");
const OFFSET: Param = Param::number("offset").from(0);
const MAX_TOKENS: Param = Param::number("max_tokens").from(crate::budget::LEAST_TOKENS as u64);

impl Tool {
    pub(crate) fn full_name(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    /// The parameters that a model is shown. `path` is the project unless the tool means something else by it.
    pub(crate) fn shown(&self) -> Vec<&Param> {
        let own = |name: &str| self.params.iter().any(|param| param.name == name);
        let mut params: Vec<&Param> = self.params.iter().filter(|param| !param.hidden).collect();
        match own("path") {
            true if self.name != "init" && self.name != "scan" => params.push(&PROJECT),
            true => {}
            false => params.push(&PATH),
        }
        if self.paged {
            params.extend([&LIMIT, &CURSOR]);
        }
        if self.effect == Effect::Reads {
            params.push(&MAX_TOKENS);
        }
        params
    }

    /// The parameters that are taken: a cursor works everywhere, and so does the other word for it.
    pub(crate) fn taken(&self) -> Vec<&Param> {
        let mut params = self.shown();
        params.extend(self.params.iter().filter(|param| param.hidden));
        for more in [&PROJECT, &CURSOR, &OFFSET, &MAX_TOKENS, &LIMIT] {
            if !params.iter().any(|param| param.name == more.name) {
                params.push(more);
            }
        }
        params
    }

    pub(crate) fn schema(&self) -> JsonObject {
        let shown = self.shown();
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

    pub(crate) fn listed(&self) -> Listed {
        Listed::new(self.full_name(), self.about, Arc::new(self.schema())).with_annotations(self.annotations())
    }
}
