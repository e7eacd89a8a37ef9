//! Where the type of what stands at a place is defined.

use codegraph_live::{Live, on_deep_stack};
use codegraph_model::FileId;
use codegraph_resolve::{Linker, Sym};
use codegraph_store::SymbolRow;

use super::implementations::described;
use crate::at::{Meaning, Pointing, point};
use crate::graph::Graph;
use crate::{Definition, Reader, Result, Selector};

/// Answers where the type is defined that the name at a place has; nothing if that is not known or not in the project.
pub fn type_definition(reader: &Reader, selector: &Selector) -> Result<Vec<Definition>> {
    let graph = Graph::new(reader);
    let Pointing::Here(pointed) = point(&graph, selector)? else { return Ok(Vec::new()) };
    let live = Live::new(reader.store());
    let mut found: Vec<Sym> = Vec::new();
    for one in &pointed {
        let types = match &one.meaning {
            Meaning::Symbol(row) => {
                on_deep_stack(|| Linker::new(&live).types_of(Sym { file: row.file.0, symbol: row.symbol }))
            }
            Meaning::Local(file, binding) => on_deep_stack(|| Linker::new(&live).types_of_local(file.0, *binding)),
            _ => Vec::new(),
        };
        found.extend(types);
    }
    live.check()?;
    let mut seen = Vec::new();
    found.retain(|sym| {
        !seen.contains(sym) && {
            seen.push(*sym);
            true
        }
    });
    described(&graph, found.iter().map(|sym| SymbolRow::new(FileId(sym.file), sym.symbol)))
}
