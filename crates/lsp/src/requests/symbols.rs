//! The symbols of a text and of the workspace.

use codegraph_model::SymbolKind;
use codegraph_query::{DocumentSymbol, FilePlace, Selector};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::kinds;
use crate::protocol::{InDocument, Refused, read};
use crate::snapshot::{Asked, Snapshot, Texts};

/// What a list of the workspace shows at most, of each folder.
const MOST: usize = 200;

pub(crate) fn document(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let InDocument { text_document } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = codegraph_query::document_symbols(asked.session, asked.file)?;
        Ok(tree(asked, &found.symbols))
    })?;
    Ok(found.unwrap_or_default())
}

/// The list as a tree: a parent comes before its children.
fn tree(asked: &Asked<'_>, symbols: &[DocumentSymbol]) -> Value {
    let mut children: Vec<Vec<Value>> = vec![Vec::new(); symbols.len()];
    let mut top = Vec::new();
    for (i, symbol) in symbols.iter().enumerate().rev() {
        let mut inner = std::mem::take(&mut children[i]);
        inner.reverse();
        let mut value = json!({
            "name": if symbol.name.is_empty() { symbol.kind.word() } else { &symbol.name },
            "kind": kinds::symbol(symbol.kind),
            "range": asked.own_range(&symbol.range),
            "selectionRange": asked.own_range(&symbol.name_range),
            "children": inner,
        });
        if let Some(signature) = symbol.signature.as_ref().filter(|text| !text.is_empty()) {
            value["detail"] = json!(signature);
        }
        match symbol.parent.filter(|parent| *parent < i) {
            Some(parent) => children[parent].push(value),
            None => top.push(value),
        }
    }
    top.reverse();
    Value::Array(top)
}

#[derive(Deserialize)]
struct Query {
    #[serde(default)]
    query: String,
}

/// Where a symbol is, exactly, is said when it is chosen.
pub(crate) fn workspace(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let Query { query } = read(params)?;
    let found = snapshot.everywhere(|asked| {
        let mut all = Vec::new();
        for symbol in codegraph_query::symbols_like(asked.session, &query, MOST)? {
            if symbol.kind != SymbolKind::Impl {
                all.push(json!({
                    "name": symbol.name,
                    "kind": kinds::symbol(symbol.kind),
                    "containerName": symbol.parent.as_deref().unwrap_or(&symbol.file),
                    "location": asked.place_in_index(&symbol.file, &symbol.span),
                    "data": {"uri": asked.uri(&symbol.file), "id": symbol.symbol_id},
                }));
            }
        }
        Ok(all)
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Narrows the place of a symbol down to its name.
pub(crate) fn resolve(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let mut item = params;
    let data = item["data"].clone();
    let (Some(uri), Some(id)) = (data["uri"].as_str(), data["id"].as_str()) else { return Ok(item) };
    let selector = Selector::Id(id.to_owned());
    let found = snapshot.about(uri, Texts::All, |asked| {
        let found = codegraph_query::item(asked.session, &selector)?;
        Ok(found.map(|one| asked.location(&one.file, &one.range)))
    })?;
    if let Some(location) = found.flatten() {
        item["location"] = location;
    }
    Ok(item)
}

/// A place that an item of an earlier answer names.
pub(super) fn named(asked: &Asked<'_>, item: &Value) -> anyhow::Result<Selector> {
    let position = serde_json::from_value(item["selectionRange"]["start"].clone())?;
    let FilePlace { file, line, column } = asked.place(position)?;
    Ok(Selector::Place(FilePlace { file, line, column }))
}
