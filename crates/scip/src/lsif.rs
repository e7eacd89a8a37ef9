//! The documents of the SCIP export as LSIF, the older exchange format: a graph of vertices and edges, one a line.
//!
//! A symbol has a result set from the first time it is met; what is remembered of it is a few numbers. Everything else is
//! written with its document. Positions are counted in UTF-16 units, so texts are needed.

use std::collections::BTreeMap;
use std::io::Write;

use crate::types::{Document, SymbolInformation, SymbolRole};
use codegraph_live::on_deep_stack;
use codegraph_query::Reader;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::export::{each_document, uri};
use crate::range::{Point, Range};
use crate::{ExportOptions, Result};

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LsifReport {
    pub documents: u64,
    pub vertices: u64,
    pub edges: u64,
    /// Places that name a symbol.
    pub ranges: u64,
}

/// Writes the index of a project, ordered by path. The same index gives the same bytes.
pub fn lsif(reader: &mut Reader, version: &str, out: &mut (dyn Write + Send)) -> Result<LsifReport> {
    on_deep_stack(move || {
        let mut dump = Dump { out, next: 1, known: FxHashMap::default(), report: LsifReport::default() };
        dump.write(reader, version)
    })
}

/// The vertices of a symbol that others point to.
#[derive(Clone, Copy)]
struct Known {
    set: u64,
    definitions: Option<u64>,
    references: u64,
}

struct Dump<'w> {
    out: &'w mut (dyn Write + Send),
    next: u64,
    /// By name; what is local to a document is forgotten with it.
    known: FxHashMap<u128, Known>,
    report: LsifReport,
}

/// How the names of what cannot be seen from other files begin.
const LOCAL: &str = "local ";

impl Dump<'_> {
    fn write(&mut self, reader: &Reader, version: &str) -> Result<LsifReport> {
        let root = uri(reader.root());
        let tool = json!({"name": "codegraph", "version": version});
        self.vertex(
            "metaData",
            json!({"version": "0.6.0", "positionEncoding": "utf-16", "projectRoot": root, "toolInfo": tool}),
        )?;
        self.vertex("source", json!({"workspaceRoot": root}))?;
        let name = reader.root().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let project = self.vertex("project", json!({"kind": "codegraph", "name": name}))?;
        self.event("project", "begin", project)?;
        let mut documents = Vec::new();
        each_document(reader, ExportOptions::default(), &mut |document| {
            documents.push(self.document(reader, &root, &document)?);
            Ok(())
        })?;
        self.edge("contains", json!({"outV": project, "inVs": documents}))?;
        self.event("project", "end", project)?;
        self.out.flush()?;
        Ok(self.report.clone())
    }

    fn document(&mut self, reader: &Reader, root: &str, document: &Document) -> Result<u64> {
        let path = &document.relative_path;
        let record = reader.store().file_by_path(path)?;
        let text = record.and_then(|record| reader.text(&record).ok()).unwrap_or_default();
        let lines = Lines::of(&text);
        let address = format!("{root}/{}", uri(path.as_ref()).trim_start_matches("file:///"));
        let own = self.vertex("document", json!({"uri": address, "languageId": document.language.to_lowercase()}))?;
        self.event("document", "begin", own)?;
        self.report.documents += 1;
        let defined = definitions(document);
        let mut ranges: BTreeMap<Range, u64> = BTreeMap::new();
        let mut uses: BTreeMap<(&str, bool), Vec<u64>> = BTreeMap::new();
        let mut locals = Vec::new();
        for occurrence in &document.occurrences {
            let Some(range) = Range::of_occurrence(occurrence) else { continue };
            let symbol = occurrence.symbol.as_str();
            let is_local = symbol.starts_with(LOCAL);
            let known = self.symbol(symbol, defined.contains(symbol), is_local)?;
            if is_local {
                locals.push(symbol);
            }
            let place = match ranges.get(&range) {
                Some(place) => *place,
                None => {
                    let span = json!({"start": lines.position(range.start), "end": lines.position(range.end)});
                    let place = self.vertex("range", span)?;
                    self.report.ranges += 1;
                    self.edge("next", json!({"outV": place, "inV": known.set}))?;
                    ranges.insert(range, place);
                    place
                }
            };
            let is_definition = occurrence.symbol_roles & SymbolRole::Definition as i32 != 0;
            uses.entry((symbol, is_definition)).or_default().push(place);
        }
        for information in document.symbols.iter().filter(|one| defined.contains(one.symbol.as_str())) {
            self.hover(information)?;
        }
        if !ranges.is_empty() {
            let mut all: Vec<u64> = ranges.into_values().collect();
            all.sort_unstable();
            self.edge("contains", json!({"outV": own, "inVs": all}))?;
        }
        for ((symbol, is_definition), places) in uses {
            self.items(symbol, is_definition, &places, own)?;
        }
        for local in locals {
            self.known.remove(&key(local));
        }
        self.event("document", "end", own)?;
        Ok(own)
    }

    /// The result set of a symbol, made when it is first met. What is defined nowhere has no definitions.
    fn symbol(&mut self, symbol: &str, is_defined: bool, is_local: bool) -> Result<Known> {
        let mut known = match self.known.get(&key(symbol)) {
            Some(known) => *known,
            None => {
                let set = self.vertex("resultSet", json!({}))?;
                let references = self.vertex("referenceResult", json!({}))?;
                self.edge("textDocument/references", json!({"outV": set, "inV": references}))?;
                if !is_local {
                    let moniker = json!({"scheme": "codegraph", "identifier": symbol, "unique": "project"});
                    let moniker = self.vertex("moniker", moniker)?;
                    self.edge("moniker", json!({"outV": set, "inV": moniker}))?;
                }
                Known { set, definitions: None, references }
            }
        };
        if is_defined && known.definitions.is_none() {
            let definitions = self.vertex("definitionResult", json!({}))?;
            self.edge("textDocument/definition", json!({"outV": known.set, "inV": definitions}))?;
            known.definitions = Some(definitions);
        }
        self.known.insert(key(symbol), known);
        Ok(known)
    }

    fn hover(&mut self, information: &SymbolInformation) -> Result<()> {
        let Some(known) = self.known.get(&key(&information.symbol)).copied() else { return Ok(()) };
        let mut parts = Vec::new();
        if let Some(signature) = information.signature_documentation.as_ref().filter(|one| !one.text.is_empty()) {
            parts.push(json!({"language": signature.language, "value": signature.text}));
        }
        parts.extend(information.documentation.iter().map(|text| Value::from(text.as_str())));
        if parts.is_empty() {
            return Ok(());
        }
        let hover = self.vertex("hoverResult", json!({"result": {"contents": parts}}))?;
        self.edge("textDocument/hover", json!({"outV": known.set, "inV": hover})).map(drop)
    }

    /// The places of a document that define or use a symbol.
    fn items(&mut self, symbol: &str, is_definition: bool, places: &[u64], document: u64) -> Result<()> {
        let known = self.known[&key(symbol)];
        let item = |from: u64, property: Option<&str>| {
            let mut item = json!({"outV": from, "inVs": places, "shard": document, "document": document});
            if let Some(property) = property {
                item["property"] = property.into();
            }
            item
        };
        if let (true, Some(definitions)) = (is_definition, known.definitions) {
            self.edge("item", item(definitions, None))?;
        }
        let property = if is_definition { "definitions" } else { "references" };
        self.edge("item", item(known.references, Some(property))).map(drop)
    }

    fn event(&mut self, scope: &str, kind: &str, of: u64) -> Result<()> {
        self.vertex("$event", json!({"scope": scope, "kind": kind, "data": of})).map(drop)
    }

    fn vertex(&mut self, label: &str, more: Value) -> Result<u64> {
        self.report.vertices += 1;
        self.element("vertex", label, more)
    }

    fn edge(&mut self, label: &str, more: Value) -> Result<u64> {
        self.report.edges += 1;
        self.element("edge", label, more)
    }

    fn element(&mut self, kind: &str, label: &str, more: Value) -> Result<u64> {
        let id = self.next;
        self.next += 1;
        let mut element = Map::new();
        element.insert("id".into(), id.into());
        element.insert("type".into(), kind.into());
        element.insert("label".into(), label.into());
        if let Value::Object(more) = more {
            element.extend(more);
        }
        serde_json::to_writer(&mut self.out, &element).map_err(std::io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(id)
    }
}

/// The names that a document defines.
fn definitions(document: &Document) -> FxHashSet<&str> {
    let defines = |roles: i32| roles & SymbolRole::Definition as i32 != 0;
    let all = document.occurrences.iter().filter(|one| defines(one.symbol_roles));
    all.map(|one| one.symbol.as_str()).collect()
}

/// Names are long and many.
fn key(symbol: &str) -> u128 {
    let hash = blake3::hash(symbol.as_bytes());
    u128::from_be_bytes(hash.as_bytes()[..16].try_into().expect("a hash has 32 bytes"))
}

/// The lines of a text, to count in other units.
struct Lines<'t>(Vec<&'t [u8]>);

impl<'t> Lines<'t> {
    fn of(text: &'t [u8]) -> Lines<'t> {
        Lines(text.split(|byte| *byte == b'\n').collect())
    }

    /// A column in bytes as one in UTF-16 units.
    fn position(&self, point: Point) -> Value {
        let line = self.0.get(point.0 as usize).copied().unwrap_or_default();
        let before = &line[..line.len().min(point.1 as usize)];
        let units: usize = String::from_utf8_lossy(before).chars().map(char::len_utf16).sum();
        // A text that has changed is not there: the bytes are the best guess.
        let column = if line.is_empty() { point.1 as usize } else { units };
        json!({"line": point.0, "character": column})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_utf_16() {
        let lines = Lines::of("a\nä𝄞x\n".as_bytes());
        assert_eq!(lines.position((1, 2)), json!({"line": 1, "character": 1}));
        assert_eq!(lines.position((1, 6)), json!({"line": 1, "character": 3}));
        assert_eq!(lines.position((0, 1)), json!({"line": 0, "character": 1}));
    }
}
