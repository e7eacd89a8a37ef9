//! TypeScript without JSX, and the rules for types that its sister language shares.

mod rewrite;

use codegraph_model::{BindingKind, Flags, ImportFlags, ScopeKind, SymbolKind, Visibility};

use crate::javascript::{BASE, COMMON, VARIABLE};
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "typescript",
    exchanged: "TypeScript",
    manifest: "package.json",
    registry: "npm",
    reserved: &["false", "null", "super", "this", "true", "void"],
    conditionals: &["if_statement", "try_statement", "switch_statement", "ternary_expression"],
    extensions: &["ts", "mts", "cts"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    rules: &[COMMON, TYPES, ASSERTIONS],
    entries: Entries { functions: &[], files: &["index", "main", "app", "server", "cli"] },
    called_by_name: &["constructor", "toString", "valueOf", "toJSON", "then"],
    ..TYPED
};

/// What holds for the languages with types.
pub(crate) const TYPED: Language = Language {
    modifiers: &[
        ("async", Modifier::Flag(Flags::ASYNC)),
        ("static", Modifier::Flag(Flags::STATIC)),
        ("const", Modifier::Flag(Flags::CONST)),
        ("default", Modifier::Flag(Flags::DEFAULT)),
        ("abstract", Modifier::Flag(Flags::ABSTRACT)),
        ("readonly", Modifier::Flag(Flags::READONLY)),
        ("declare", Modifier::Flag(Flags::DECLARATION)),
        ("override", Modifier::Flag(Flags::OVERRIDE)),
        ("?", Modifier::Flag(Flags::OPTIONAL)),
        ("*", Modifier::Flag(Flags::GENERATOR)),
        ("get", Modifier::Kind(SymbolKind::Getter)),
        ("set", Modifier::Kind(SymbolKind::Setter)),
        ("public", Modifier::Visible(Visibility::Public)),
        ("private", Modifier::Visible(Visibility::Private)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("type", Modifier::Import(ImportFlags::TYPE_ONLY)),
    ],
    flow: Some(&crate::javascript::flow::TYPED_FLOW),
    promoted_parameters: true,
    rewrite: Some(rewrite::rewrite),
    ..BASE
};

pub(crate) const TYPES: &[Rule] = &[
    on(&["type_identifier"], Act::TypeIdent),
    on(&["predefined_type"], Act::Raw),
    on(&["this_type"], Act::This),
    // Definitions: those of the family have types here.
    on(&["function_declaration", "function_signature"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["generator_function_declaration"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body)
        .flags(Flags::GENERATOR),
    on(&["function_expression"], Act::DefValue(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["generator_function"], Act::DefValue(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body)
        .flags(Flags::GENERATOR),
    on(&["arrow_function"], Act::Lambda)
        .field("type_parameters", Slot::TypeParams)
        .field("parameter", Slot::Params)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["method_definition", "method_signature"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["abstract_method_signature"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .flags(Flags::ABSTRACT),
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("decorator", Slot::Decorator)
        .field("body", Slot::Body),
    on(&["abstract_class_declaration"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("decorator", Slot::Decorator)
        .field("body", Slot::Body)
        .flags(Flags::ABSTRACT),
    on(&["class"], Act::DefValue(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("decorator", Slot::Decorator)
        .field("body", Slot::Body),
    on(&["class_heritage"], Act::Opaque).child("extends_clause", Slot::Base),
    on(&["extends_clause"], Act::Apply).field("value", Slot::Object).field("type_arguments", Slot::TypeArgs),
    on(&["extends_type_clause"], Act::Opaque).field("type", Slot::Base),
    on(&["implements_clause"], Act::Opaque).rest(Slot::Implements),
    on(&["interface_declaration"], Act::Def(SymbolKind::Interface))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("body", Slot::Body),
    on(&["type_alias_declaration"], Act::Def(SymbolKind::TypeAlias))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("value", Slot::Type),
    on(&["enum_declaration"], Act::Def(SymbolKind::Enum)).field("name", Slot::Name).field("body", Slot::Body),
    on(&["enum_body"], Act::Bind { module: SymbolKind::EnumMember, member: SymbolKind::EnumMember })
        .field("name", Slot::Name),
    on(&["enum_assignment"], Act::Initialized).field("name", Slot::Name).field("value", Slot::Value),
    on(&["module", "internal_module"], Act::Def(SymbolKind::Namespace))
        .field("name", Slot::Name)
        .field("body", Slot::Body),
    on(&["ambient_declaration"], Act::Wrapper),
    on(&["accessibility_modifier", "override_modifier"], Act::Modifiers),
    // Members.
    on(&["public_field_definition"], VARIABLE)
        .field("name", Slot::Name)
        .field("type", Slot::Type)
        .field("value", Slot::Value)
        .field("decorator", Slot::Decorator),
    on(&["property_signature"], Act::Def(SymbolKind::Field)).field("name", Slot::Name).field("type", Slot::Type),
    on(&["call_signature", "construct_signature"], Act::FunctionType)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("type", Slot::Returns),
    on(&["index_signature"], Act::Opaque)
        .field("name", Slot::Skip)
        .field("index_type", Slot::Type)
        .field("type", Slot::Type),
    // Variables and parameters.
    on(&["variable_declarator"], Act::Initialized)
        .field("name", Slot::Bind)
        .field("type", Slot::Type)
        .field("value", Slot::Value),
    on(&["catch_clause"], Act::Local(BindingKind::Local))
        .field("parameter", Slot::Bind)
        .field("type", Slot::Type)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["required_parameter"], Act::Param(Flags(0)))
        .field("pattern", Slot::Bind)
        .field("type", Slot::Type)
        .field("value", Slot::Value)
        .field("decorator", Slot::Decorator)
        .field("name", Slot::Skip),
    on(&["optional_parameter"], Act::Param(Flags::OPTIONAL))
        .field("pattern", Slot::Bind)
        .field("type", Slot::Type)
        .field("value", Slot::Value)
        .field("decorator", Slot::Decorator)
        .field("name", Slot::Skip),
    on(&["type_parameter"], Act::Local(BindingKind::TypeParam))
        .field("name", Slot::Bind)
        .field("constraint", Slot::Type)
        .field("value", Slot::Value),
    on(&["constraint"], Act::List).rest(Slot::Type),
    on(&["default_type"], Act::List).rest(Slot::Value),
    on(&["infer_type"], Act::Local(BindingKind::TypeParam)).first(Slot::Bind).rest(Slot::Type).hoists(),
    on(&["mapped_type_clause"], Act::Local(BindingKind::TypeParam))
        .field("name", Slot::Bind)
        .field("type", Slot::Type)
        .field("alias", Slot::Expr),
    // Types.
    on(
        &[
            "type_annotation", "omitting_type_annotation", "adding_type_annotation", "opting_type_annotation",
            "asserts_annotation", "type_predicate_annotation",
        ],
        Act::List,
    )
    .rest(Slot::Type),
    on(&["type_predicate"], Act::Opaque).field("name", Slot::Expr).field("type", Slot::Type),
    on(&["asserts"], Act::Opaque).child("identifier", Slot::Expr),
    on(&["nested_type_identifier"], Act::Member).field("module", Slot::Path).field("name", Slot::Property),
    on(&["nested_identifier"], Act::Member).field("object", Slot::Object).field("property", Slot::Property),
    on(&["generic_type"], Act::Apply).field("name", Slot::Object).field("type_arguments", Slot::TypeArgs),
    on(&["instantiation_expression"], Act::Apply).field("type_arguments", Slot::TypeArgs).rest(Slot::Object),
    on(&["type_arguments"], Act::List).rest(Slot::TypeArgs),
    on(&["object_type"], Act::Shape),
    on(&["interface_body"], Act::Opaque),
    on(&["literal_type"], Act::Pass),
    on(&["index_type_query"], Act::Unary(Op::Same)).rest(Slot::Object),
    on(&["union_type"], Act::Either).rest(Slot::Object),
    on(&["intersection_type"], Act::Meet).rest(Slot::Object),
    on(&["conditional_type"], Act::Either)
        .field("left", Slot::Type)
        .field("right", Slot::Type)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object)
        .opens(ScopeKind::Block),
    on(&["array_type"], Act::Unary(Op::Array)).rest(Slot::Object),
    on(&["lookup_type"], Act::Unary(Op::Lookup)).first(Slot::Object).rest(Slot::Expr),
    on(&["optional_type"], Act::Unary(Op::Optional)).rest(Slot::Object),
    on(&["tuple_type"], Act::Sequence),
    on(&["parenthesized_type", "readonly_type", "rest_type"], Act::Pass),
    on(&["type_query"], Act::Unary(Op::TypeOf)).rest(Slot::Expr),
    on(&["function_type", "constructor_type"], Act::FunctionType)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("type", Slot::Returns),
    on(&["template_literal_type"], Act::Str),
    on(&["template_type"], Act::Interpolation),
    // Expressions.
    on(&["call_expression"], Act::Call)
        .field("function", Slot::Callee)
        .field("type_arguments", Slot::TypeArgs)
        .field("arguments", Slot::Args),
    on(&["new_expression"], Act::Call)
        .field("constructor", Slot::Class)
        .field("type_arguments", Slot::TypeArgs)
        .field("arguments", Slot::Args),
    on(&["non_null_expression"], Act::Unary(Op::Try)).rest(Slot::Object),
    on(&["as_expression", "satisfies_expression"], Act::Typed)
        .child("type_identifier", Slot::Type)
        .child("nested_type_identifier", Slot::Type)
        .child("generic_type", Slot::Type)
        .child("array_type", Slot::Type)
        .child("union_type", Slot::Type)
        .child("intersection_type", Slot::Type)
        .child("object_type", Slot::Type)
        .child("lookup_type", Slot::Type)
        .child("function_type", Slot::Type)
        .child("type_query", Slot::Type),
    // Imports.
    on(&["import_require_clause"], Act::ImportItem(ImportFlags::MODULE))
        .field("source", Slot::Module)
        .child("identifier", Slot::Alias),
    on(&["import_alias"], Act::Import(ImportFlags(0)))
        .child("identifier", Slot::Alias)
        .child("nested_identifier", Slot::Item),
];

/// `<T>x`, which markup takes the place of in the sister language.
const ASSERTIONS: &[Rule] = &[on(&["type_assertion"], Act::Typed).child("type_arguments", Slot::Type)];
