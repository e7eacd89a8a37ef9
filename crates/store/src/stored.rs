//! The facts of a file as they come back from the index.

use codegraph_model::{FileFacts, LineType, StrId, SymbolId, SymbolKind, TermId};

use crate::LineIds;

/// What a line is apart from the symbols that it names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LineClass {
    /// No term: blank, punctuation or keywords only.
    #[default]
    Empty,
    Code,
    Comment,
    String,
}

impl LineClass {
    pub(crate) const ALL: [LineClass; 4] = [LineClass::Empty, LineClass::Code, LineClass::Comment, LineClass::String];

    const fn line_type(self) -> Option<LineType> {
        match self {
            LineClass::Empty => None,
            LineClass::Code => Some(LineType::Code),
            LineClass::Comment => Some(LineType::Comment),
            LineClass::String => Some(LineType::String),
        }
    }
}

/// The facts of a file from the index. `facts.strings` and `facts.terms` are empty: a [`StrId`] is an index into
/// `names`, and terms are in the postings. The parts of the body (scopes, bindings, imports, refs, exprs, notes) are
/// empty unless they were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub facts: FileFacts,
    /// Ascending dictionary numbers of the file's strings.
    pub names: Vec<TermId>,
    /// How the file uses each name.
    pub(crate) uses: Vec<u8>,
    pub line_ids: LineIds,
    /// One per line.
    pub classes: Vec<LineClass>,
    /// Symbols whose name is not the first of its kind in the project: (symbol, its number from 2), by symbol.
    pub ordinals: Vec<(u32, u32)>,
}

impl Stored {
    /// The dictionary number of a string of this file.
    pub fn term(&self, id: StrId) -> TermId {
        self.names[id.index()]
    }

    /// This file's number for a dictionary text, if the file knows it.
    pub fn str_id(&self, term: TermId) -> Option<StrId> {
        self.names.binary_search(&term).ok().map(|rank| StrId(rank as u32))
    }

    /// The terms that stand on lines of the file.
    pub fn items(&self) -> impl Iterator<Item = TermId> + '_ {
        self.names.iter().zip(&self.uses).filter(|(_, uses)| **uses & crate::outline::WORD != 0).map(|(name, _)| *name)
    }

    /// The number of a symbol among those of the same name; 1 for almost all.
    pub fn ordinal(&self, symbol: SymbolId) -> u32 {
        match self.ordinals.binary_search_by_key(&symbol.0, |entry| entry.0) {
            Ok(found) => self.ordinals[found].1,
            Err(_) => 1,
        }
    }

    /// The line type of the data contract for every line; `None` for lines without any term. A line that names
    /// several symbols has the type of the first.
    pub fn line_types(&self) -> Vec<Option<LineType>> {
        let mut types: Vec<_> = self.classes.iter().map(|class| class.line_type()).collect();
        for symbol in self.facts.symbols.iter().rev().filter(|s| !s.name_span.is_empty()) {
            let line = self.facts.line_of(symbol.name_span.start) as usize;
            let line_type = symbol_line_type(symbol.kind);
            if let (Some(slot), Some(_)) = (types.get_mut(line.wrapping_sub(1)), line_type) {
                *slot = line_type;
            }
        }
        types
    }
}

/// The type that a symbol gives to its line, unless it is plain code.
pub(crate) fn symbol_line_type(kind: SymbolKind) -> Option<LineType> {
    match kind.line_type() {
        LineType::Code => None,
        other => Some(other),
    }
}
