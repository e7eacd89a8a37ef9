//! The inferred types of local names that say no type themselves.

use codegraph_live::{Live, on_deep_stack};
use codegraph_model::BindingKind;
use codegraph_resolve::{Linker, Program};
use serde::Serialize;

use crate::symbol::Place;
use crate::{Reader, Result};

/// A name and the type that was inferred for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeHint {
    /// Where the name stands.
    pub range: Place,
    #[serde(rename = "type")]
    pub type_text: String,
}

/// Answers with the types of local names between two lines that are inferred, not written.
pub fn type_hints(reader: &Reader, file: &str, lines: std::ops::RangeInclusive<u32>) -> Result<Vec<TypeHint>> {
    let view = reader.view(reader.file(file)?)?;
    let live = Live::new(reader.store());
    let id = view.record.id.0;
    let hints = on_deep_stack(|| {
        let unit = live.unit(id);
        let mut linker = Linker::new(&live);
        let mut hints = Vec::new();
        for (i, binding) in unit.facts.bindings.iter().enumerate() {
            let shown = binding.kind == BindingKind::Local && binding.ty.is_none() && binding.init.is_some();
            if shown
                && lines.contains(&view.facts().line_of(binding.span.start))
                && let Some(type_text) = linker.local_type_text(id, i as u32)
            {
                hints.push(TypeHint { range: view.place(binding.span), type_text });
            }
        }
        hints
    });
    live.check()?;
    Ok(hints)
}
