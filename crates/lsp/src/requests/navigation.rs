//! From a name to where it is defined, used or implemented.

use codegraph_query::{Definition, DefinitionAnswer};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::position::Position;
use crate::protocol::{AtPosition, Location, Refused, TextDocument, read};
use crate::snapshot::{Asked, Snapshot, Texts};

/// More places than anybody reads.
const MOST: usize = 50_000;

/// Where things are; nothing if it is not known what is meant.
type Locations = Option<Vec<Location>>;

fn locations(asked: &Asked<'_>, found: &[Definition]) -> Vec<Location> {
    found.iter().map(|one| asked.location(&one.file, &one.range)).collect()
}

pub(crate) fn definition(snapshot: &Snapshot, params: Value) -> Result<Locations, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let selector = asked.selector(position)?;
        Ok(match codegraph_query::definition(asked.session, &selector)? {
            DefinitionAnswer::Found(found) => Some(locations(asked, &found.definitions)),
            DefinitionAnswer::Unselected(_) => None,
        })
    })?;
    Ok(found.flatten())
}

pub(crate) fn declaration(snapshot: &Snapshot, params: Value) -> Result<Locations, Refused> {
    definition(snapshot, params)
}

pub(crate) fn type_definition(snapshot: &Snapshot, params: Value) -> Result<Locations, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    snapshot.about(&text_document.uri, Texts::All, |asked| {
        Ok(locations(asked, &codegraph_query::type_definition(asked.session, &asked.selector(position)?)?))
    })
}

pub(crate) fn implementation(snapshot: &Snapshot, params: Value) -> Result<Locations, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = codegraph_query::implementations(asked.session, &asked.selector(position)?)?;
        Ok(found.iter().map(|(file, range)| asked.location(&file.path, range)).collect())
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WithContext {
    text_document: TextDocument,
    position: Position,
    #[serde(default)]
    context: Context,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    #[serde(default)]
    include_declaration: bool,
}

pub(crate) fn references(snapshot: &Snapshot, params: Value) -> Result<Locations, Refused> {
    let WithContext { text_document, position, context } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let selector = asked.selector(position)?;
        let Some(found) = codegraph_query::reference_places(asked.session, &selector, MOST)? else {
            return Ok(None);
        };
        let own = found.definition.iter().filter(|_| context.include_declaration);
        let own = own.map(|one| asked.location(&one.file, &one.range));
        let uses = found.uses.iter().map(|(file, range)| asked.location(&file.path, range));
        Ok(Some(own.chain(uses).collect()))
    })?;
    Ok(found.flatten())
}

pub(crate) fn highlights(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let AtPosition { text_document, position } = read(params)?;
    let found = snapshot.about(&text_document.uri, Texts::All, |asked| {
        let found = codegraph_query::highlights(asked.session, &asked.place(position)?)?;
        let shown = |one: &codegraph_query::Highlight| {
            json!({"range": asked.own_range(&one.range), "kind": if one.write { 3 } else { 2 }})
        };
        Ok(found.iter().map(shown).collect())
    })?;
    Ok(found.unwrap_or_default())
}
