//! TypeScript with JSX.

use crate::javascript::{COMMON, JSX};
use crate::table::*;
use crate::typescript::{TYPED, TYPES};

pub(crate) static LANGUAGE: Language = Language {
    name: "tsx",
    exchanged: "TypeScriptReact",
    manifest: "package.json",
    registry: "npm",
    reserved: &["false", "null", "super", "this", "true", "void"],
    conditionals: &["if_statement", "try_statement", "switch_statement", "ternary_expression"],
    extensions: &["tsx"],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    rules: &[COMMON, JSX, TYPES],
    entries: Entries { functions: &[], files: &["index", "main", "app", "App"] },
    called_by_name: &["constructor", "toString", "valueOf", "toJSON", "then"],
    ..TYPED
};
