//! The messages of SCIP, as far as they are written or read here; other fields of a message are passed over.

use prost::{Enumeration, Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub struct Index {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, repeated, tag = "2")]
    pub documents: Vec<Document>,
    #[prost(message, repeated, tag = "3")]
    pub external_symbols: Vec<SymbolInformation>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Metadata {
    #[prost(message, optional, tag = "2")]
    pub tool_info: Option<ToolInfo>,
    #[prost(string, tag = "3")]
    pub project_root: String,
    #[prost(enumeration = "TextEncoding", tag = "4")]
    pub text_document_encoding: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct ToolInfo {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(string, repeated, tag = "3")]
    pub arguments: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Document {
    #[prost(string, tag = "1")]
    pub relative_path: String,
    #[prost(message, repeated, tag = "2")]
    pub occurrences: Vec<Occurrence>,
    #[prost(message, repeated, tag = "3")]
    pub symbols: Vec<SymbolInformation>,
    #[prost(string, tag = "4")]
    pub language: String,
    #[prost(enumeration = "PositionEncoding", tag = "6")]
    pub position_encoding: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Occurrence {
    /// The range as three numbers (on one line) or four.
    #[prost(int32, repeated, tag = "1")]
    pub range: Vec<i32>,
    #[prost(string, tag = "2")]
    pub symbol: String,
    /// Bits of [`SymbolRole`].
    #[prost(int32, tag = "3")]
    pub symbol_roles: i32,
    #[prost(int32, repeated, tag = "7")]
    pub enclosing_range: Vec<i32>,
    #[prost(oneof = "TypedRange", tags = "8, 9")]
    pub typed_range: Option<TypedRange>,
    #[prost(oneof = "TypedEnclosingRange", tags = "10, 11")]
    pub typed_enclosing_range: Option<TypedEnclosingRange>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum TypedRange {
    #[prost(message, tag = "8")]
    Single(SingleLineRange),
    #[prost(message, tag = "9")]
    Multi(MultiLineRange),
}

#[derive(Clone, PartialEq, Oneof)]
pub enum TypedEnclosingRange {
    #[prost(message, tag = "10")]
    Single(SingleLineRange),
    #[prost(message, tag = "11")]
    Multi(MultiLineRange),
}

#[derive(Clone, PartialEq, Message)]
pub struct SingleLineRange {
    #[prost(int32, tag = "1")]
    pub line: i32,
    #[prost(int32, tag = "2")]
    pub start_character: i32,
    #[prost(int32, tag = "3")]
    pub end_character: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct MultiLineRange {
    #[prost(int32, tag = "1")]
    pub start_line: i32,
    #[prost(int32, tag = "2")]
    pub start_character: i32,
    #[prost(int32, tag = "3")]
    pub end_line: i32,
    #[prost(int32, tag = "4")]
    pub end_character: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct SymbolInformation {
    #[prost(string, tag = "1")]
    pub symbol: String,
    #[prost(string, repeated, tag = "3")]
    pub documentation: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    pub relationships: Vec<Relationship>,
    #[prost(enumeration = "Kind", tag = "5")]
    pub kind: i32,
    #[prost(string, tag = "6")]
    pub display_name: String,
    #[prost(message, optional, tag = "7")]
    pub signature_documentation: Option<Signature>,
    #[prost(string, tag = "8")]
    pub enclosing_symbol: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Signature {
    #[prost(string, tag = "4")]
    pub language: String,
    #[prost(string, tag = "5")]
    pub text: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Relationship {
    #[prost(string, tag = "1")]
    pub symbol: String,
    #[prost(bool, tag = "2")]
    pub is_reference: bool,
    #[prost(bool, tag = "3")]
    pub is_implementation: bool,
    #[prost(bool, tag = "4")]
    pub is_type_definition: bool,
    #[prost(bool, tag = "5")]
    pub is_definition: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub enum TextEncoding {
    Unspecified = 0,
    Utf8 = 1,
    Utf16 = 2,
}

/// What the columns of a document count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub enum PositionEncoding {
    Unspecified = 0,
    Utf8 = 1,
    Utf16 = 2,
    Utf32 = 3,
}

/// What a name is used for, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub enum SymbolRole {
    Unspecified = 0,
    Definition = 1,
    Import = 2,
    WriteAccess = 4,
    ReadAccess = 8,
    Generated = 16,
    Test = 32,
    ForwardDefinition = 64,
}

/// The kinds of symbols that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub enum Kind {
    Unspecified = 0,
    Class = 7,
    Constant = 8,
    Constructor = 9,
    Enum = 11,
    EnumMember = 12,
    Field = 15,
    File = 16,
    Function = 17,
    Getter = 18,
    Interface = 21,
    Macro = 25,
    Method = 26,
    Module = 29,
    Namespace = 30,
    Object = 33,
    Operator = 34,
    Package = 35,
    Parameter = 37,
    Property = 41,
    Protocol = 42,
    Setter = 45,
    Struct = 49,
    Trait = 53,
    TypeAlias = 55,
    TypeParameter = 58,
    Union = 59,
    Variable = 61,
    AbstractMethod = 66,
    StaticField = 79,
    StaticMethod = 80,
    StaticVariable = 82,
}
