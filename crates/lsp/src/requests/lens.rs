//! "N references" above definitions. They are counted when a lens comes into view.

use codegraph_query::{DocumentSymbol, References, ReferencesAnswer, Window};
use serde_json::{Value, json};

use crate::position::Position;
use crate::protocol::{InDocument, Location, Refused, read};
use crate::snapshot::{Snapshot, Texts};

/// Places that a lens can show.
const MOST: usize = 1_000;

pub(crate) fn lenses(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let InDocument { text_document } = read(params)?;
    let uri = &text_document.uri;
    let found = snapshot.about(uri, Texts::All, |asked| {
        let counted = |symbol: &&DocumentSymbol| symbol.kind.entity().is_some();
        let found = codegraph_query::document_symbols(asked.session, asked.file)?;
        let lens =
            |symbol: &DocumentSymbol| json!({"range": asked.own_range(&symbol.name_range), "data": {"uri": uri}});
        Ok(found.symbols.iter().filter(counted).map(lens).collect())
    })?;
    Ok(found.unwrap_or_default())
}

pub(crate) fn resolve(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let mut lens = params;
    let uri = lens["data"]["uri"].as_str().unwrap_or_default().to_owned();
    let position: Position = read(lens["range"]["start"].clone())?;
    let found = snapshot.about(&uri, Texts::All, |asked| {
        let window = Window { limit: MOST, offset: 0 };
        let question = References { selector: asked.selector(position)?, window, ..References::default() };
        let ReferencesAnswer::Found(found) = codegraph_query::references(asked.session, &question)? else {
            return Ok(None);
        };
        let places: Vec<Location> = found.references.iter().map(|one| asked.location(&one.file, &one.range)).collect();
        Ok(Some((found.total, places)))
    })?;
    if let Some((total, places)) = found.flatten() {
        let title = if total == 1 { "1 reference".to_owned() } else { format!("{total} references") };
        // The client has a command for it under this name, or shows the title alone.
        let arguments = json!([uri, position, places]);
        lens["command"] = json!({"title": title, "command": "codegraph.showReferences", "arguments": arguments});
    }
    Ok(lens)
}
