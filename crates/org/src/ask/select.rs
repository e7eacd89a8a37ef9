//! The one symbol that a selector means among all repositories, or the choices.

use codegraph_query::{Mode, Remarks, Selector, Unselected};

use super::FoundSymbol;
use super::find::{condition, ids_that_begin};
use crate::{Org, Result};

const MOST_CHOICES: usize = 20;

/// What a selector means.
pub(super) enum Selection {
    One(Box<FoundSymbol>),
    Other(Unselected),
}

impl Org {
    pub(super) fn select(&self, selector: &Selector) -> Result<Selection> {
        let mut found = self.meant(selector)?;
        // A declaration, a heading or an implementation block is not what a name means where there is more.
        let is_more = |one: &FoundSymbol| {
            use codegraph_model::SymbolKind::{Heading, Impl};
            !matches!(one.brief.kind, Impl | Heading) && !one.flags.contains("declaration")
        };
        if found.iter().any(is_more) {
            found.retain(is_more);
        }
        if matches!(selector, Selector::Place(_)) {
            found.truncate(1);
        }
        if found.len() == 1 {
            return Ok(Selection::One(Box::new(found.swap_remove(0))));
        }
        Ok(Selection::Other(Unselected {
            selector: selector.text(),
            ambiguous: !found.is_empty(),
            total: found.len(),
            choices: found.iter().take(MOST_CHOICES).map(FoundSymbol::info).collect(),
            remarks: Remarks::default(),
        }))
    }

    pub(super) fn meant(&self, selector: &Selector) -> Result<Vec<FoundSymbol>> {
        const ORDER: &str = "r.name, f.path, s.byte_start";
        let text = selector.text();
        match selector {
            Selector::Id(digits) => {
                let (first, last) = ids_that_begin(digits);
                let between = "s.symbol_id BETWEEN $1::text::uuid AND $2::text::uuid";
                let found = self.symbols(between, ORDER, &[&first, &last])?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
            Selector::Place(place) => {
                let line = place.line as i32;
                let inside = "f.path = $1 AND s.start_line <= $2 AND s.end_line >= $2";
                return self.symbols(inside, "s.byte_end - s.byte_start, r.name", &[&place.file, &line]);
            }
            Selector::Row { .. } | Selector::Name(_) => {}
        }
        for case_sensitive in [true, false] {
            let (condition, parameter) = condition(&text, Mode::Exact, case_sensitive);
            let found = self.symbols(&condition, ORDER, &[&parameter])?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}
