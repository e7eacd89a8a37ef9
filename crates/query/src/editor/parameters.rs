//! What the call takes in whose brackets a place is. The text around it need not be complete: the brackets are looked
//! for in the text, what stands before them is looked up.

use codegraph_model::{Flags, SymbolId, SymbolKind};
use codegraph_store::{SymbolRow, plain_comment};
use serde::Serialize;

use super::implementations::meant;
use crate::ast::offset_in;
use crate::definition::text_of;
use crate::graph::Graph;
use crate::hover::shown_parameters;
use crate::words::is_word_byte;
use crate::{FilePlace, Parameter, Reader, Remarks, Result, Selector, prototype};

/// Text before a place that is searched for the start of the call.
const FARTHEST: usize = 8 * 1024;

/// A function that may be called at a place.
#[derive(Clone, Debug, Serialize)]
pub struct Calling {
    pub name: String,
    /// The head on one line.
    pub signature: String,
    pub parameters: Vec<Parameter>,
    /// The argument that the place is in, from 0.
    pub argument: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// Answers with the functions whose arguments are written at a place; none outside of brackets.
pub fn parameters(reader: &Reader, place: &FilePlace) -> Result<Vec<Calling>> {
    let view = reader.view(reader.file(&place.file)?)?;
    let source = reader.source(&view.record)?;
    let at = offset_in(view.facts(), &view.record.path, place.line, place.column.unwrap_or(u32::MAX))? as usize;
    let Some((name, argument)) = called(&source.bytes, at) else { return Ok(Vec::new()) };
    let (line, column) = view.facts().position(name as u32);
    let callee = FilePlace { file: view.record.path.clone(), line, column: Some(column) };
    let graph = Graph::new(reader);
    let mut found = Vec::new();
    for row in meant(&graph, &Selector::Place(callee))? {
        for row in callables(reader, row)? {
            found.extend(calling(reader, row, argument)?);
        }
    }
    Ok(found)
}

/// Where the name starts whose brackets are open at an offset, and how many arguments are complete.
fn called(text: &[u8], at: usize) -> Option<(usize, u32)> {
    let start = at.saturating_sub(FARTHEST);
    let (mut depth, mut commas, mut i) = (0_u32, 0, at.min(text.len()));
    while i > start {
        i -= 1;
        match text[i] {
            b'"' | b'\'' | b'`' => i = opening_quote(text, i, start)?,
            b')' | b']' | b'}' => depth += 1,
            b'(' if depth == 0 => return name_before(text, i).map(|name| (name, commas)),
            b'(' | b'[' | b'{' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => commas += 1,
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The quote that opens a string, from the one that closes it; the same one if it stands alone on its line.
fn opening_quote(text: &[u8], close: usize, start: usize) -> Option<usize> {
    let line = text[start..close].iter().rposition(|byte| *byte == b'\n').map_or(start, |end| start + end + 1);
    Some(text[line..close].iter().rposition(|byte| *byte == text[close]).map_or(close, |open| line + open))
}

/// The start of the name before a bracket, over white space and type arguments.
fn name_before(text: &[u8], bracket: usize) -> Option<usize> {
    let mut end = bracket;
    while end > 0 && text[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    if end > 0 && text[end - 1] == b'!' {
        end -= 1;
    }
    if end > 0 && text[end - 1] == b'>' {
        end = text[..end].iter().rposition(|byte| *byte == b'<')?;
        while end > 0 && text[end - 1] == b':' {
            end -= 1;
        }
    }
    let length = text[..end].iter().rev().take_while(|byte| is_word_byte(**byte)).count();
    (length > 0).then_some(end - length)
}

/// A function itself; of a type its constructors.
fn callables(reader: &Reader, row: SymbolRow) -> Result<Vec<SymbolRow>> {
    let outline = reader.outline(row.file)?;
    let symbols = &outline.facts.symbols;
    if !symbols[row.symbol.index()].kind.is_type() {
        return Ok(vec![row]);
    }
    let made = symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| symbol.parent == row.symbol && symbol.kind == SymbolKind::Constructor);
    Ok(made.map(|(i, _)| SymbolRow::new(row.file, SymbolId(i as u32))).collect())
}

fn calling(reader: &Reader, row: SymbolRow, argument: u32) -> Result<Option<Calling>> {
    let view = reader.view_of(row.file)?;
    let symbol = view.symbol(row.symbol);
    let Some(source) = text_of(reader, &view, &mut Remarks::default()) else { return Ok(None) };
    if !symbol.kind.is_callable() {
        return Ok(None);
    }
    let parameters = shown_parameters(symbol, &source);
    let last = parameters.len().saturating_sub(1) as u32;
    let rest = symbol.params.last().is_some_and(|param| param.flags.has(Flags::VARIADIC));
    let documentation = Some(plain_comment(&source.text(symbol.doc))).filter(|text| !text.is_empty());
    let calling = Calling {
        name: view.name(row.symbol).to_owned(),
        signature: prototype(&source.bytes, symbol),
        parameters,
        argument: if rest { argument.min(last) } else { argument },
        documentation,
    };
    view.check()?;
    Ok(Some(calling))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&str, u32)> {
        let at = text.find('|').expect("a cursor");
        let plain = text.replacen('|', "", 1);
        let (start, commas) = called(plain.as_bytes(), at)?;
        let end = text[start..].find(['(', ' ', '<', '!', ':']).expect("a bracket") + start;
        Some((&text[start..end], commas))
    }

    #[test]
    fn the_call_around_a_place_is_found_in_the_text() {
        assert_eq!(found("f(|"), Some(("f", 0)));
        assert_eq!(found("f(a, g(b, c), |"), Some(("f", 2)));
        assert_eq!(found("x.f(a, [1, 2], g(|b"), Some(("g", 0)));
        assert_eq!(found("f(\"a, b)\", |)"), Some(("f", 1)));
        assert_eq!(found("f::<T>(|)"), Some(("f", 0)));
        assert_eq!(found("say!(a, |)"), Some(("say", 1)));
        assert_eq!(found("f(a); |"), None);
        assert_eq!(found("(a, |)"), None);
    }
}
