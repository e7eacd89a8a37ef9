//! The symbols of a text and of the workspace.

use codegraph_model::SymbolKind;
use codegraph_query::{DocumentSymbol, FilePlace, Selector};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kinds;
use crate::protocol::{InDocument, Location, Refused, read};
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

/// A symbol of the workspace.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Symbol {
    name: String,
    kind: u32,
    container_name: String,
    location: Location,
}

pub(crate) fn workspace(snapshot: &Snapshot, params: Value) -> Result<Vec<Symbol>, Refused> {
    let Query { query } = read(params)?;
    let found = snapshot.everywhere(|asked| {
        let mut all = Vec::new();
        for symbol in codegraph_query::symbols_like(asked.session, &query, MOST)? {
            if symbol.kind != SymbolKind::Impl {
                let location = asked.location(&symbol.file.path, &symbol.name_range);
                let container_name = symbol.parent.unwrap_or_else(|| symbol.file.path.clone());
                all.push(Symbol { name: symbol.name, kind: kinds::symbol(symbol.kind), container_name, location });
            }
        }
        Ok(all)
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The list says all that there is to say.
pub(crate) fn resolve(_: &Snapshot, item: Value) -> Result<Value, Refused> {
    Ok(item)
}

/// A place that an item of an earlier answer names.
pub(super) fn named(asked: &Asked<'_>, item: &Value) -> anyhow::Result<Selector> {
    let position = serde_json::from_value(item["selectionRange"]["start"].clone())?;
    let FilePlace { file, line, column } = asked.place(position)?;
    Ok(Selector::Place(FilePlace { file, line, column }))
}
