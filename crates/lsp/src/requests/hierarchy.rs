//! Who calls whom, and what is made of what: one step at a time, from items of earlier answers.

use codegraph_query::{CallEnd, Definition, NameKind};
use serde_json::{Value, json};

use super::symbols::named;
use crate::protocol::{AtPosition, OfItem, Refused, read};
use crate::snapshot::{Asked, Snapshot, Texts};

fn prepare(snapshot: &Snapshot, params: Value, fits: fn(&Definition) -> bool) -> Result<Value, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = codegraph_query::item(asked.session, &asked.selector(position)?)?;
        Ok(found.filter(fits).map_or(Value::Null, |one| json!([asked.item(&one)])))
    })?;
    Ok(found.unwrap_or_default())
}

/// The answer to a question about an item.
fn step(
    snapshot: &Snapshot,
    params: Value,
    question: impl Fn(&Asked<'_>, &Value) -> anyhow::Result<Value>,
) -> Result<Value, Refused> {
    let OfItem { item } = read(params)?;
    let uri = item["uri"].as_str().ok_or_else(|| Refused::Parameters("the item has no uri".to_owned()))?;
    Ok(snapshot.about(uri, Texts::All, |asked| question(asked, &item))?.unwrap_or_default())
}

pub(crate) fn prepare_calls(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    prepare(snapshot, params, |_| true)
}

pub(crate) fn prepare_types(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    prepare(snapshot, params, |one| matches!(one.kind, NameKind::Symbol(kind) if kind.is_type()))
}

pub(crate) fn incoming(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    step(snapshot, params, |asked, item| {
        let found = codegraph_query::incoming_calls(asked.session, &named(asked, item)?)?;
        let shown = |end: &CallEnd| {
            let ranges = end.sites.iter().map(|site| asked.range(&end.symbol.file, site).json());
            json!({"from": asked.item(&end.symbol), "fromRanges": ranges.collect::<Vec<_>>()})
        };
        Ok(found.iter().map(shown).collect())
    })
}

pub(crate) fn outgoing(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    step(snapshot, params, |asked, item| {
        let found = codegraph_query::outgoing_calls(asked.session, &named(asked, item)?)?;
        let shown = |end: &CallEnd| {
            let ranges = end.sites.iter().map(|site| asked.own_range(site).json());
            json!({"to": asked.item(&end.symbol), "fromRanges": ranges.collect::<Vec<_>>()})
        };
        Ok(found.iter().map(shown).collect())
    })
}

fn relatives(snapshot: &Snapshot, params: Value, bases: bool) -> Result<Value, Refused> {
    step(snapshot, params, |asked, item| {
        let found = codegraph_query::relatives(asked.session, &named(asked, item)?, bases)?;
        Ok(found.iter().map(|one| asked.item(one)).collect())
    })
}

pub(crate) fn supertypes(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    relatives(snapshot, params, true)
}

pub(crate) fn subtypes(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    relatives(snapshot, params, false)
}
