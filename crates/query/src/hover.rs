//! What something is, in a few lines: its signature, its parts and what its documentation says.

use codegraph_model::{Certainty, Flags, How, SymbolId};
use codegraph_store::{SymbolRow, plain_comment};
use serde::Serialize;

use crate::at::{Meaning, Pointed, Pointing, point};
use crate::definition::{nothing_there, of_local, of_symbol, text_of};
use crate::graph::Graph;
use crate::references::also;
use crate::relation::external;
use crate::select::Unselected;
use crate::source::Source;
use crate::symbol::Place;
use crate::{NameKind, Note, Reader, Remarks, Result, Selector, Then};

/// What stands at a place, or why no single symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum HoverAnswer {
    Found(Box<Hover>),
    Unselected(Unselected),
}

/// What something is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Hover {
    pub selector: String,
    /// Markdown: the signature as code, where it is, its documentation. Empty if there is no name at the place.
    pub contents: String,
    /// Where the name stands that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Place>,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<NameKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fqn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
    /// Where it is defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_number: Option<u32>,
    /// How sure it is that this is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    /// The rule that proves it; absent where it is defined itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// How many files use it; absent for local names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_in_files: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A parameter as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    pub name: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub variadic: bool,
}

/// Answers what stands at a place.
pub fn hover(reader: &Reader, selector: &Selector) -> Result<HoverAnswer> {
    let graph = Graph::new(reader);
    let pointed = match point(&graph, selector)? {
        Pointing::Here(pointed) => pointed,
        Pointing::Unselected(other) => return Ok(HoverAnswer::Unselected(other)),
    };
    let mut hover = Hover { selector: selector.text(), remarks: Remarks::of(reader), ..Hover::default() };
    // Of several meanings, one that the project defines says most.
    let best = pointed.iter().position(|one| matches!(one.meaning, Meaning::Symbol(_) | Meaning::Local(..)));
    match pointed.get(best.unwrap_or(0)) {
        Some(one) => {
            also(&graph, one, &pointed, &mut hover.remarks)?;
            hover.range = Some(reader.view_of(one.file)?.place(one.span));
            describe(&graph, one, &mut hover)?;
        }
        None => nothing_there(selector, &mut hover.remarks),
    }
    Ok(HoverAnswer::Found(Box::new(hover)))
}

fn describe(graph: &Graph<'_>, pointed: &Pointed, hover: &mut Hover) -> Result<()> {
    hover.certainty = Some(pointed.certainty);
    hover.how = pointed.how;
    hover.name = pointed.name(graph)?.to_string();
    match &pointed.meaning {
        Meaning::Symbol(row) => symbol(graph.reader, *row, pointed, hover),
        Meaning::Local(file, binding) => {
            let found = of_local(graph, *file, *binding, pointed, &mut hover.remarks)?;
            hover.kind = Some(found.kind);
            hover.contents =
                format!("({}) {}", found.kind.word(), code(found.signature.as_deref().unwrap_or(&found.name)));
            hover.signature = found.signature;
            hover.line_number = Some(found.range.start_line);
            hover.file = Some(found.file);
            Ok(())
        }
        Meaning::External(path) => {
            let record = graph.reader.record(pointed.file)?;
            let name = external(graph.reader, &record, path)?;
            hover.contents = format!("`{name}` (outside the project)");
            hover.fqn = Some(name);
            Ok(())
        }
        Meaning::Package(name) => {
            hover.contents = format!("(module) `{name}`");
            hover.fqn = Some(name.to_string());
            Ok(())
        }
        Meaning::Open(_) => {
            hover.remarks.note(Note::Unproved { name: hover.name.clone(), then: Then::AskForDefinitions });
            Ok(())
        }
    }
}

/// A text as code in Markdown.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn symbol(reader: &Reader, row: SymbolRow, pointed: &Pointed, hover: &mut Hover) -> Result<()> {
    let found = of_symbol(reader, row, pointed, &mut hover.remarks)?;
    let view = reader.view_of(row.file)?;
    let source = text_of(reader, &view, &mut hover.remarks);
    let symbol = view.symbol(row.symbol);
    hover.name = found.name;
    hover.kind = Some(found.kind);
    hover.signature = found.signature;
    hover.fqn = found.fqn;
    hover.line_number = Some(found.range.start_line);
    hover.used_in_files = Some(reader.store().sources(row)?.len());
    if let Some(source) = &source {
        let doc = if row.symbol == SymbolId(0) { view.facts().header } else { symbol.doc };
        hover.documentation = Some(plain_comment(&source.text(doc))).filter(|text| !text.is_empty());
        hover.parameters = shown_parameters(symbol, source);
        let type_text = source.text(symbol.type_span);
        hover.return_type = Some(type_text).filter(|text| symbol.kind.is_callable() && !text.is_empty());
    }
    hover.contents = contents(hover, &found.file, &view.record.language);
    hover.file = Some(found.file);
    Ok(())
}

/// The parameters of a function as they are written.
pub(crate) fn shown_parameters(symbol: &codegraph_model::Symbol, source: &Source) -> Vec<Parameter> {
    let text = |span| Some(source.text(span)).filter(|text| !text.is_empty());
    symbol
        .shown_params()
        .map(|param| Parameter {
            name: source.text(param.name),
            type_text: text(param.type_span),
            default: text(param.default),
            variadic: param.flags.has(Flags::VARIADIC),
        })
        .collect()
}

fn contents(hover: &Hover, file: &str, language: &str) -> String {
    let head = hover.signature.as_deref().unwrap_or(&hover.name);
    let line = hover.line_number.unwrap_or(1);
    let name = hover.fqn.as_deref().unwrap_or(&hover.name);
    let mut text =
        format!("```{language}\n{head}\n```\n{} `{name}`, {file}:{line}", hover.kind.map_or("", NameKind::word));
    if let Some(documentation) = &hover.documentation {
        text.push_str("\n\n");
        text.push_str(documentation);
    }
    text
}
