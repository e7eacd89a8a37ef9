//! What could be written at a place.

use codegraph_query::{Completion, Completions, FilePlace, HoverAnswer, Selector, Window};
use serde_json::{Value, json};

use crate::kinds;
use crate::protocol::{AtPosition, Refused, marked, read};
use crate::snapshot::{Asked, Snapshot, Texts};

/// More than a list shows; the client asks again as more is written.
const MOST: usize = 200;

pub(crate) fn completion(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let uri = &text_document.uri;
    let ask = |asked: &Asked<'_>| {
        let place = asked.place(position)?;
        let question = Completions { place, text: asked.written(), window: Window { limit: MOST, offset: 0 } };
        let found = codegraph_query::completions(asked.session, &question)?;
        let ranked = found.completions.iter().enumerate();
        let items: Vec<Value> = ranked.map(|(rank, one)| item(uri, rank, one)).collect();
        Ok(json!({"isIncomplete": asked.partial || found.next_offset.is_some(), "items": items}))
    };
    // The question brings the text itself, so that no index has to be made for every letter. A new file has none yet.
    let found = snapshot.about(uri, Texts::Others, ask)?;
    match found {
        Some(found) => Ok(found),
        None => Ok(snapshot.about(uri, Texts::All, ask)?.unwrap_or_default()),
    }
}

fn item(uri: &str, rank: usize, one: &Completion) -> Value {
    let mut item = json!({"label": one.label, "kind": kinds::completion(one.kind), "sortText": format!("{rank:05}")});
    if let Some(detail) = &one.detail {
        item["detail"] = json!(detail);
    }
    if let Some(FilePlace { file, line, column }) = &one.place {
        item["data"] = json!({"uri": uri, "file": file, "line": line, "column": column});
    }
    item
}

/// Adds what the documentation says.
pub(crate) fn resolve(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let mut item = params;
    let data = item["data"].clone();
    let (Some(uri), Some(file), Some(line)) = (data["uri"].as_str(), data["file"].as_str(), data["line"].as_u64())
    else {
        return Ok(item);
    };
    let column = data["column"].as_u64().map(|column| column as u32);
    let place = Selector::Place(FilePlace { file: file.to_owned(), line: line as u32, column });
    let found = snapshot.about(uri, Texts::Others, |asked| Ok(codegraph_query::hover(asked.session, &place)?))?;
    if let Some(HoverAnswer::Found(hover)) = found
        && item["label"] == hover.name
    {
        item["documentation"] = marked(&hover.contents);
    }
    Ok(item)
}
