//! Documents that a client can attach: the summary, the map, the notes for agents, the outline of each file.

use codegraph_knowledge::Docs;
use codegraph_query::{Map, Window};
use codegraph_runtime::{Failure, Projects, Session};
use codegraph_text::{Answer, Dialect, Out};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

const SCHEME: &str = "codegraph://";
/// A document for a conversation, not for a library.
const MAP_TOKENS: usize = 12_000;
const SIGNATURES: &str = "signatures/";

/// Name, title, what it is.
const DOCUMENTS: &[(&str, &str, &str)] = &[
    ("summary", "Summary", "What the project is: entry points, main types, dependencies, and what people wrote"),
    ("map", "Map", "The most central files with their symbols, calls and references"),
    ("docs", "Notes for agents", "All CLAUDE.md and AGENTS.md files of the project"),
];

pub(crate) fn list() -> Vec<Resource> {
    let listed = |(name, title, about): &(&str, &str, &str)| {
        let resource = Resource::new(format!("{SCHEME}{name}"), *name).with_title(*title);
        resource.with_description(*about).with_mime_type("text/markdown")
    };
    DOCUMENTS.iter().map(listed).collect()
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let outline = ResourceTemplate::new(format!("{SCHEME}{SIGNATURES}{{+file}}"), "signatures");
    vec![
        outline
            .with_title("Outline of a file")
            .with_description("Types and functions of a file with their prototypes and lines")
            .with_mime_type("text/plain"),
    ]
}

pub(crate) fn read(projects: &Projects, uri: &str, dialect: Dialect) -> Result<ReadResourceResult, ErrorData> {
    let Some(name) = uri.strip_prefix(SCHEME) else {
        return Err(unknown(uri));
    };
    let text = match (name, name.strip_prefix(SIGNATURES)) {
        ("summary", _) => {
            document(projects, dialect, |session| codegraph_knowledge::summary(&session.project, session))
        }
        ("map", _) => document(projects, dialect, |session| {
            let question = Map { tokens: Some(MAP_TOKENS), ..Map::default() };
            codegraph_runtime::map(&session.project, session, &question)
        }),
        ("docs", _) => document(projects, dialect, |session| {
            let all = Window { limit: usize::MAX, offset: 0 };
            let refresh = session.project.config().auto_update;
            codegraph_knowledge::docs(&session.project, session, &Docs { section: None, refresh, window: all })
        }),
        (_, Some(file)) => {
            document(projects, dialect, |session| codegraph_query::signature(session, &decoded(file), None))
        }
        _ => return Err(unknown(uri)),
    };
    let text = text.map_err(|error| {
        let failure = Failure::of(&error);
        let remedy = failure.remedy.map(|remedy| dialect.remedy(&remedy)).unwrap_or_default();
        ErrorData::resource_not_found(format!("{}; {remedy}", failure.message), None)
    })?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]))
}

fn unknown(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(
        format!("there is no resource '{uri}': resources/list and its templates name them"),
        None,
    )
}

/// An answer about the project that the server was started in.
fn document<A: Answer, E: Into<anyhow::Error>>(
    projects: &Projects,
    dialect: Dialect,
    question: impl Fn(&Session) -> Result<A, E>,
) -> anyhow::Result<String> {
    let answer = projects.get(None)?.ask(|session| question(session).map_err(Into::into))?;
    let mut text = Vec::new();
    answer.print(&mut Out::plain(&mut text, dialect))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A path without the escapes of an address.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = (*first == b'%').then(|| text.get(text.len() - after.len()..text.len() - after.len() + 2)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn escapes_of_an_address_are_taken_out() {
        assert_eq!(decoded("a%20b/c%C3%A9.py"), "a b/cé.py");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%é"), "%zz%é");
    }
}
