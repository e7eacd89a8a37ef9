//! Semantic tokens: five numbers for each name, relative to the one before it.

use codegraph_query::Token;
use serde_json::{Value, json};

use crate::kinds::{TOKEN_MODIFIERS, TOKEN_TYPES, token};
use crate::position::{Position, Range};
use crate::protocol::{InDocument, InRange, Refused, read};
use crate::snapshot::{Snapshot, Texts};

pub(crate) fn full(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let InDocument { text_document } = read(params)?;
    encoded(snapshot, &text_document.uri, None)
}

pub(crate) fn range(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let InRange { text_document, range } = read(params)?;
    encoded(snapshot, &text_document.uri, Some(range))
}

fn encoded(snapshot: &Snapshot, uri: &str, within: Option<Range>) -> Result<Value, Refused> {
    let found = snapshot.about(uri, Texts::All, |asked| {
        let mut data: Vec<u32> = Vec::new();
        let mut last = Position::default();
        for one in codegraph_query::tokens(asked.session, asked.file)? {
            let Range { start, end } = asked.own_range(&one.range);
            // Names are on one line.
            if start.line != end.line || within.is_some_and(|part| end < part.start || part.end < start) {
                continue;
            }
            let same_line = start.line == last.line;
            let column = if same_line { start.character - last.character } else { start.character };
            let kind = TOKEN_TYPES.iter().position(|word| *word == token(one.kind)).unwrap_or(0) as u32;
            data.extend([start.line - last.line, column, end.character - start.character, kind, modifiers(&one)]);
            last = start;
        }
        Ok(json!({"data": data}))
    })?;
    Ok(found.unwrap_or_default())
}

fn modifiers(one: &Token) -> u32 {
    let set = [one.declaration, one.readonly, one.is_static, one.is_async, one.write, one.external];
    debug_assert_eq!(set.len(), TOKEN_MODIFIERS.len());
    set.iter().enumerate().map(|(bit, on)| u32::from(*on) << bit).sum()
}
