//! The methods: parameters in, one question, its answer in the words of the seed.

use codegraph_query::{
    Completion, Completions, DefinitionAnswer, FilePlace, HoverAnswer, Occurrence, Place, References, ReferencesAnswer,
    Selector, Window,
};
use codegraph_runtime::{Projects, Session};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Refused;

/// More than anybody reads.
const MOST: usize = 10_000;
const MOST_COMPLETIONS: usize = 200;

/// Where a question is about.
#[derive(Clone, Debug, Deserialize)]
struct At {
    #[serde(alias = "file", alias = "file_path")]
    path: String,
    line: u32,
    #[serde(alias = "col", alias = "character")]
    column: u32,
}

type Method = fn(&Session<'_>, &At) -> anyhow::Result<Value>;

const METHODS: &[(&str, Method)] = &[
    ("LLM.lsp_get_hover", hover),
    ("LLM.lsp_get_definition", definition),
    ("LLM.lsp_get_references", references),
    ("LLM.lsp_get_completions", completions),
];

pub(crate) fn call(projects: &Projects, method: &str, params: Value) -> Result<Value, Refused> {
    let known = METHODS.iter().find(|(name, _)| *name == method);
    let (_, question) = known.ok_or_else(|| Refused::Unknown(method.to_owned()))?;
    let at = place(params)?;
    let served = projects.get(None).map_err(anyhow::Error::new)?;
    Ok(served.ask(|session| question(session, &at))?)
}

/// By name, or in order.
fn place(params: Value) -> Result<At, Refused> {
    let named = match params {
        Value::Array(list) => {
            let mut list = list.into_iter();
            let mut next = || list.next().unwrap_or_default();
            json!({"path": next(), "line": next(), "column": next()})
        }
        other => other,
    };
    serde_json::from_value(named).map_err(|error| Refused::Parameters(format!("path, line and column: {error}")))
}

fn file_place(at: &At) -> FilePlace {
    FilePlace { file: at.path.clone(), line: at.line, column: Some(at.column) }
}

fn selector(at: &At) -> Selector {
    Selector::Place(file_place(at))
}

fn range(place: &Place) -> Value {
    json!({
        "start_line": place.start_line,
        "start_col": place.start_col,
        "end_line": place.end_line,
        "end_col": place.end_col,
    })
}

/// Markdown; empty if there is no name.
fn hover(session: &Session<'_>, at: &At) -> anyhow::Result<Value> {
    Ok(match codegraph_query::hover(session, &selector(at))? {
        HoverAnswer::Found(found) => json!(found.contents),
        HoverAnswer::Unselected(_) => json!(""),
    })
}

fn definition(session: &Session<'_>, at: &At) -> anyhow::Result<Value> {
    let found = match codegraph_query::definition(session, &selector(at))? {
        DefinitionAnswer::Found(found) => found,
        DefinitionAnswer::Unselected(_) => return Ok(Value::Null),
    };
    let first = found.definitions.first();
    Ok(first.map_or(Value::Null, |one| json!({"file": one.file, "range": range(&one.range)})))
}

fn references(session: &Session<'_>, at: &At) -> anyhow::Result<Value> {
    let window = Window { limit: MOST, offset: 0 };
    let question = References { selector: selector(at), window, ..References::default() };
    let shown = |one: &Occurrence| json!({"file": one.file, "range": range(&one.range)});
    Ok(match codegraph_query::references(session, &question)? {
        ReferencesAnswer::Found(found) => found.references.iter().map(shown).collect(),
        ReferencesAnswer::Unselected(_) => json!([]),
    })
}

fn completions(session: &Session<'_>, at: &At) -> anyhow::Result<Value> {
    let window = Window { limit: MOST_COMPLETIONS, offset: 0 };
    let question = Completions { place: file_place(at), text: None, window };
    let shown = |one: &Completion| json!({"label": one.label, "kind": one.kind.word(), "detail": one.detail.as_deref().unwrap_or_default()});
    Ok(codegraph_query::completions(session, &question)?.completions.iter().map(shown).collect())
}
