//! What something is, and what a call takes.

use codegraph_query::{Calling, Hover, HoverAnswer, Parameter};
use serde_json::{Value, json};

use crate::protocol::{AtPosition, Refused, marked, read};
use crate::snapshot::{Snapshot, Texts};

pub(crate) fn hover(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = match codegraph_query::hover(asked.session, &asked.selector(position)?)? {
            HoverAnswer::Found(found) if !found.contents.is_empty() => found,
            _ => return Ok(Value::Null),
        };
        let partial =
            if asked.partial { "\n\nThe project is being indexed: only open files are known yet." } else { "" };
        let contents = marked(&(markdown(&found) + partial));
        Ok(match &found.range {
            Some(range) => json!({"contents": contents, "range": asked.own_range(range)}),
            None => json!({"contents": contents}),
        })
    })?;
    Ok(found.unwrap_or_default())
}

/// What it is, then how often it is used and how sure all that is.
pub(super) fn markdown(hover: &Hover) -> String {
    let used = hover.used_in_files.map(|files| match files {
        1 => "used in 1 file".to_owned(),
        files => format!("used in {files} files"),
    });
    let sure = hover
        .certainty
        .zip(hover.how)
        .map(|(certainty, how)| format!("linked by {} ({})", how.word(), certainty.word()));
    let facts: Vec<String> = used.into_iter().chain(sure).collect();
    match facts.is_empty() {
        true => hover.contents.clone(),
        false => format!("{}\n\n---\n{}", hover.contents, facts.join(" · ")),
    }
}

pub(crate) fn signature_help(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = codegraph_query::parameters(asked.session, &asked.place(position)?)?;
        let Some(first) = found.first() else { return Ok(Value::Null) };
        // The first that takes so many arguments.
        let fits = |one: &Calling| one.parameters.len() as u32 > first.argument;
        let active = found.iter().position(fits).unwrap_or(0);
        let signatures: Vec<Value> = found.iter().map(signature).collect();
        Ok(json!({"signatures": signatures, "activeSignature": active, "activeParameter": first.argument}))
    })?;
    Ok(found.unwrap_or_default())
}

fn signature(calling: &Calling) -> Value {
    let mut value = json!({
        "label": calling.signature,
        "parameters": calling.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "activeParameter": calling.argument,
    });
    if let Some(text) = &calling.documentation {
        value["documentation"] = marked(text);
    }
    value
}

/// Named as it stands in the head.
fn parameter(parameter: &Parameter) -> Value {
    json!({"label": parameter.name})
}
