//! What an editor asks about the file in front of its user: one file per question, as everywhere in this crate.

mod call_sites;
mod document_symbols;
mod folds;
mod highlights;
mod implementations;
mod parameters;
mod selections;
mod syntax;
mod tokens;
mod type_definition;
mod type_hints;

pub use call_sites::{CallEnd, CallEnds, incoming_calls, outgoing_calls};
pub use document_symbols::{DocumentSymbol, DocumentSymbols, document_symbols};
pub use folds::{Fold, FoldKind, folds};
pub use highlights::{Highlight, highlights};
pub use implementations::{implementations, item, relatives};
pub use parameters::{Calling, parameters};
pub use selections::selections;
pub use syntax::syntax_problems;
pub use tokens::{Token, tokens};
pub use type_definition::type_definition;
pub use type_hints::{TypeHint, type_hints};
