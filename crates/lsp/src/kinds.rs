//! The numbers and words that the protocol has for kinds of symbols.

use codegraph_model::SymbolKind;
use codegraph_query::NameKind;

/// `SymbolKind` of the protocol.
pub(crate) fn symbol(kind: SymbolKind) -> u32 {
    use SymbolKind::*;
    match kind {
        Module | Package | Heading => 2,
        Namespace => 3,
        Class | Record | Impl => 5,
        Method | Destructor => 6,
        Property | Getter | Setter => 7,
        Field | InstanceVariable => 8,
        Constructor => 9,
        Enum => 10,
        Interface | Protocol | Trait => 11,
        Function | Macro => 12,
        Variable => 13,
        Constant | Static => 14,
        Object => 19,
        EnumMember => 22,
        Struct | Union => 23,
        Operator => 25,
        TypeAlias => 26,
    }
}

/// `SymbolKind` of anything that has a name.
pub(crate) fn named(kind: NameKind) -> u32 {
    match kind {
        NameKind::Symbol(kind) => symbol(kind),
        NameKind::TypeParameter => 26,
        NameKind::Import => 2,
        NameKind::Local | NameKind::Parameter | NameKind::Label | NameKind::Builtin => 13,
    }
}

/// `CompletionItemKind` of the protocol.
pub(crate) fn completion(kind: NameKind) -> u32 {
    use SymbolKind::*;
    match kind {
        NameKind::Symbol(kind) => match kind {
            Method | Destructor => 2,
            Function | Macro => 3,
            Constructor => 4,
            Field | InstanceVariable => 5,
            Variable => 6,
            Class | Record | Object | Impl | TypeAlias => 7,
            Interface | Protocol | Trait => 8,
            Module | Namespace | Package | Heading => 9,
            Property | Getter | Setter => 10,
            Enum => 13,
            EnumMember => 20,
            Constant | Static => 21,
            Struct | Union => 22,
            Operator => 24,
        },
        NameKind::Local | NameKind::Parameter | NameKind::Label => 6,
        NameKind::TypeParameter => 25,
        NameKind::Import => 9,
        NameKind::Builtin => 14,
    }
}

/// The types of semantic tokens, by number.
pub(crate) const TOKEN_TYPES: &[&str] = &[
    "namespace", "class", "enum", "interface", "struct", "typeParameter", "type", "parameter", "variable", "property",
    "enumMember", "function", "method", "macro", "decorator",
];

/// The modifiers of semantic tokens, by bit.
pub(crate) const TOKEN_MODIFIERS: &[&str] =
    &["declaration", "readonly", "static", "async", "modification", "defaultLibrary"];

/// The type of a token.
pub(crate) fn token(kind: NameKind) -> &'static str {
    use SymbolKind::*;
    match kind {
        NameKind::Symbol(kind) => match kind {
            Module | Namespace | Package | Heading => "namespace",
            Class | Record | Object | Impl => "class",
            Struct | Union => "struct",
            Interface | Protocol | Trait => "interface",
            Enum => "enum",
            EnumMember => "enumMember",
            TypeAlias => "type",
            Method | Constructor | Destructor | Operator => "method",
            Function => "function",
            Macro => "macro",
            Property | Getter | Setter | Field | InstanceVariable => "property",
            Variable | Constant | Static => "variable",
        },
        NameKind::Parameter => "parameter",
        NameKind::TypeParameter => "typeParameter",
        NameKind::Import => "namespace",
        NameKind::Local | NameKind::Label | NameKind::Builtin => "variable",
    }
}
