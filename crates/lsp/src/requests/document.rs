//! The shape of a text: what folds, what a selection grows to, inferred types, and what could not be read.

use codegraph_query::{Fold, FoldKind, TypeHint};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::position::Position;
use crate::protocol::{InDocument, InRange, Refused, TextDocument, read};
use crate::snapshot::{Snapshot, Texts};

pub(crate) fn folding(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let InDocument { text_document } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        Ok(codegraph_query::folds(asked.session, asked.file)?.iter().map(fold).collect())
    })?;
    Ok(found.unwrap_or_default())
}

fn fold(fold: &Fold) -> Value {
    let mut value = json!({"startLine": fold.start_line - 1, "endLine": fold.end_line - 1});
    match fold.kind {
        FoldKind::Code => {}
        FoldKind::Comment => value["kind"] = json!("comment"),
        FoldKind::Imports => value["kind"] = json!("imports"),
    }
    value
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Positions {
    text_document: TextDocument,
    positions: Vec<Position>,
}

pub(crate) fn selection(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let Positions { text_document, positions } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let places = positions.iter().map(|position| asked.place(*position)).collect::<anyhow::Result<Vec<_>>>()?;
        let found = codegraph_query::selections(asked.session, &places)?;
        let nested = |around: &Vec<codegraph_query::Place>| {
            around.iter().rev().fold(Value::Null, |parent, place| {
                let mut value = json!({"range": asked.own_range(place)});
                if !parent.is_null() {
                    value["parent"] = parent;
                }
                value
            })
        };
        Ok(found.iter().map(nested).collect())
    })?;
    Ok(found.unwrap_or_default())
}

pub(crate) fn hints(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let InRange { text_document, range } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let (first, last) = (asked.place(range.start)?.line, asked.place(range.end)?.line);
        let found = codegraph_query::type_hints(asked.session, asked.file, first..=last)?;
        let hint = |one: &TypeHint| {
            let label = format!(": {}", one.type_text);
            json!({"position": asked.own_range(&one.range).end, "label": label, "kind": 1})
        };
        Ok(found.iter().map(hint).collect())
    })?;
    Ok(found.unwrap_or_default())
}

/// The parameters of a notification about what of a text could not be read.
pub(crate) fn diagnostics(snapshot: &Snapshot, uri: &str) -> Result<Option<Value>, Refused> {
    snapshot.about(uri, Texts::All, |asked| {
        let found = codegraph_query::syntax_problems(asked.session, asked.file)?;
        let problem = |place: &codegraph_query::Place| {
            json!({
                "range": asked.own_range(place),
                "severity": 2,
                "source": "codegraph",
                "message": "this could not be read",
            })
        };
        let mut all = json!({"uri": uri, "diagnostics": found.iter().map(problem).collect::<Vec<_>>()});
        if let Some(document) = snapshot.documents.get(uri) {
            all["version"] = json!(document.version);
        }
        Ok(all)
    })
}
