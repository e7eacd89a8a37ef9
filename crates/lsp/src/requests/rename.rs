//! Another name for what stands at a place. Refused with the reason where it cannot be done safely.

use codegraph_query::{FileChanges, Objection, Rename, RenameAnswer, TextChange};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::position::Position;
use crate::protocol::{AtPosition, Refused, TextDocument, read};
use crate::snapshot::{Asked, Snapshot, Texts};

pub(crate) fn prepare(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = codegraph_query::prepare_rename(asked.session, &asked.selector(position)?)?;
        Ok(found.map(|(place, name)| json!({"range": asked.own_range(&place), "placeholder": name})))
    })?;
    Ok(found.flatten().unwrap_or_default())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewName {
    text_document: TextDocument,
    position: Position,
    new_name: String,
}

pub(crate) fn rename(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let NewName { text_document, position, new_name } = read(params)?;
    let uri = &text_document.uri;
    let place = snapshot.about(uri, Texts::All, |asked| asked.selector(position))?;
    let Some(symbol) = place else { return Ok(Value::Null) };
    let question = Rename { symbol, new_name, leave_unproven: false, keep_files: !snapshot.moves_files };
    let answer = snapshot.work(uri, |served, request| codegraph_runtime::rename(served, request, &question))?;
    let found = match answer {
        Some(RenameAnswer::Found(found)) => found,
        _ => return Ok(Value::Null),
    };
    if !found.is_safe() {
        let reasons: Vec<String> = found.refused.iter().map(reason).collect();
        return Err(Refused::because(format!("not renamed: {}", reasons.join("; "))));
    }
    let edit = snapshot.about(uri, Texts::All, |asked| Ok(workspace_edit(asked, &found.files)))?;
    Ok(edit.unwrap_or_default())
}

/// The changes by file; in an order, where files are renamed after them.
fn workspace_edit(asked: &Asked<'_>, files: &[FileChanges]) -> Value {
    let edits = |file: &FileChanges| -> Value {
        let edit =
            |change: &TextChange| json!({"range": asked.range(&file.file, &change.range), "newText": change.text});
        file.changes.iter().map(edit).collect()
    };
    if files.iter().all(|file| file.new_file.is_none()) {
        let changes: Map<String, Value> =
            files.iter().map(|file| (asked.uri(&file.file).to_string(), edits(file))).collect();
        return json!({"changes": changes});
    }
    let texts = files
        .iter()
        .map(|file| json!({"textDocument": {"uri": &*asked.uri(&file.file), "version": null}, "edits": edits(file)}));
    let moves = files.iter().filter_map(|file| {
        let new_file = file.new_file.as_deref()?;
        Some(json!({"kind": "rename", "oldUri": &*asked.uri(&file.file), "newUri": &*asked.uri(new_file)}))
    });
    json!({"documentChanges": texts.chain(moves).collect::<Vec<_>>()})
}

fn reason(objection: &Objection) -> String {
    match (&objection.file, objection.line_number) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", objection.message),
        _ => objection.message.clone(),
    }
}
