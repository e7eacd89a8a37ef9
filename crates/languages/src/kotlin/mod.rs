//! Kotlin. Its grammar names few fields, so most slots go by the kind of the child.

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Visibility};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "kotlin",
    extensions: &["kt", "kts"],
    grammar: || tree_sitter_kotlin_sg::LANGUAGE.into(),
    rules: &[RULES],
    entries: Entries { functions: &["main"], files: &[] },
    separator: ".",
    modules: ModuleScheme::Declared,
    modifiers: &[
        ("public", Modifier::Visible(Visibility::Public)),
        ("private", Modifier::Visible(Visibility::Private)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("internal", Modifier::Visible(Visibility::Internal)),
        ("suspend", Modifier::Flag(Flags::ASYNC)),
        ("abstract", Modifier::Flag(Flags::ABSTRACT)),
        ("final", Modifier::Flag(Flags::FINAL)),
        ("override", Modifier::Flag(Flags::OVERRIDE)),
        ("const", Modifier::Flag(Flags::CONST)),
        ("inline", Modifier::Flag(Flags::INLINE)),
        ("external", Modifier::Flag(Flags::EXTERN)),
        ("interface", Modifier::Kind(SymbolKind::Interface)),
        ("enum", Modifier::Kind(SymbolKind::Enum)),
        ("data", Modifier::Kind(SymbolKind::Record)),
    ],
    doc_prefixes: &["/**"],
    underscore_discards: true,
    linking: Linking {
        members_in_scope: true,
        shared_modules: true,
        imports: ImportScheme::Declared,
        overloads: true,
        containers: &[("List", holds(0)), ("Set", holds(0)), ("Sequence", holds(0)), ("Map", MAP)],
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

const LOCAL: Act = Act::Local(BindingKind::Local);
const VARIABLE: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Property };

static RULES: &[Rule] = &[
    on(&["simple_identifier", "type_identifier", "interpolated_identifier"], Act::Ident),
    on(&["line_comment", "multiline_comment", "shebang_line"], Act::Comment),
    on(&["string_literal"], Act::Str),
    on(&["interpolated_expression"], Act::Interpolation).rest(Slot::Expr),
    on(&["character_literal"], Act::Literal(Literal::Char)),
    on(&["integer_literal", "hex_literal", "bin_literal", "real_literal"], Act::Literal(Literal::Number)),
    on(&["boolean_literal"], Act::Literal(Literal::Bool)),
    on(&["null_literal"], Act::Literal(Literal::Null)),
    on(&["collection_literal"], Act::Literal(Literal::List)),
    on(&["label"], Act::Skip),
    // Definitions.
    on(&["package_header"], Act::Package).child("identifier", Slot::Name),
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .child("type_identifier", Slot::Name)
        .child("type_parameters", Slot::TypeParams)
        .child("delegation_specifier", Slot::Base)
        .child("class_body", Slot::Body)
        .child("enum_class_body", Slot::Body),
    on(&["object_declaration", "companion_object"], Act::Def(SymbolKind::Object))
        .child("type_identifier", Slot::Name)
        .child("delegation_specifier", Slot::Base)
        .child("class_body", Slot::Body),
    on(&["function_declaration"], Act::Def(SymbolKind::Function))
        .child("simple_identifier", Slot::Name)
        .child("type_parameters", Slot::TypeParams)
        .field("receiver", Slot::Type)
        .child("function_value_parameters", Slot::Params)
        .child("user_type", Slot::Returns)
        .child("nullable_type", Slot::Returns)
        .child("function_body", Slot::Body),
    on(&["secondary_constructor"], Act::Def(SymbolKind::Constructor))
        .child("constructor", Slot::Name)
        .child("function_value_parameters", Slot::Params)
        .child("statements", Slot::Body),
    on(&["enum_entry"], Act::Def(SymbolKind::EnumMember)).child("simple_identifier", Slot::Name),
    on(&["type_alias"], Act::Def(SymbolKind::TypeAlias)).child("type_identifier", Slot::Name).rest(Slot::Type),
    on(&["property_declaration"], VARIABLE)
        .field("receiver", Slot::Type)
        .child("variable_declaration", Slot::Bind)
        .child("multi_variable_declaration", Slot::Bind)
        .child("modifiers", Slot::Inherit)
        .child("getter", Slot::Expr)
        .child("setter", Slot::Expr)
        .rest(Slot::Value),
    on(&["class_parameter"], VARIABLE)
        .child("simple_identifier", Slot::Bind)
        .child("user_type", Slot::Type)
        .child("nullable_type", Slot::Type)
        .child("function_type", Slot::Type)
        .child("modifiers", Slot::Inherit)
        .rest(Slot::Value),
    on(&["variable_declaration"], Act::Initialized)
        .child("simple_identifier", Slot::Bind)
        .child("user_type", Slot::Type)
        .child("nullable_type", Slot::Type)
        .child("function_type", Slot::Type),
    on(&["multi_variable_declaration"], Act::Sequence),
    on(&["getter", "setter"], Act::Scope(ScopeKind::Function)),
    on(&["modifiers", "visibility_modifier", "class_modifier", "function_modifier"], Act::Modifiers),
    on(&["member_modifier", "inheritance_modifier", "property_modifier"], Act::Modifiers),
    on(&["platform_modifier", "parameter_modifiers"], Act::Modifiers),
    on(&["annotation"], Act::Attribute).rest(Slot::Decorator),
    // Parameters.
    on(&["function_value_parameters"], Act::Params).rest(Slot::Expr),
    on(&["parameter", "parameter_with_optional_type"], Act::Param(Flags(0)))
        .child("simple_identifier", Slot::Bind)
        .rest(Slot::Type),
    on(&["lambda_parameters"], Act::Params).rest(Slot::Bind),
    on(&["type_parameter"], Act::Local(BindingKind::TypeParam)).child("type_identifier", Slot::Bind).rest(Slot::Type),
    // Scopes and local names.
    on(&["lambda_literal"], Act::Lambda).child("lambda_parameters", Slot::Params).child("statements", Slot::Body),
    on(&["anonymous_function"], Act::Lambda)
        .child("function_value_parameters", Slot::Params)
        .child("function_body", Slot::Body),
    on(&["control_structure_body", "statements"], Act::Scope(ScopeKind::Block)),
    on(&["for_statement"], LOCAL)
        .child("variable_declaration", Slot::Bind)
        .child("multi_variable_declaration", Slot::Bind)
        .child("control_structure_body", Slot::Expr)
        .rest(Slot::Iterable)
        .opens(ScopeKind::Block),
    on(&["catch_block"], LOCAL)
        .child("simple_identifier", Slot::Bind)
        .child("user_type", Slot::Type)
        .child("statements", Slot::Expr)
        .opens(ScopeKind::Block),
    // Expressions.
    on(&["call_expression"], Act::Call).child("call_suffix", Slot::Args).rest(Slot::Callee),
    on(&["constructor_invocation"], Act::Call).child("user_type", Slot::Inherit).child("value_arguments", Slot::Args),
    on(&["navigation_expression"], Act::Member).child("navigation_suffix", Slot::Property).rest(Slot::Object),
    on(&["navigation_suffix", "parenthesized_expression"], Act::Pass),
    on(&["value_argument"], Act::Pass),
    on(&["indexing_expression"], Act::Unary(Op::Index)).child("indexing_suffix", Slot::Expr).rest(Slot::Object),
    on(&["assignment"], Act::Assign).child("directly_assignable_expression", Slot::Update).rest(Slot::Value),
    on(&["directly_assignable_expression"], Act::Pass),
    on(&["elvis_expression"], Act::Either).rest(Slot::Object),
    on(&["this_expression"], Act::This),
    on(&["super_expression"], Act::Super),
    // Types.
    on(&["user_type"], Act::Apply).child("type_arguments", Slot::TypeArgs).rest(Slot::Object),
    on(&["type_arguments"], Act::List).rest(Slot::TypeArgs),
    on(&["nullable_type", "type_projection", "parenthesized_type", "delegation_specifier"], Act::Pass),
    // Imports.
    on(&["import_header"], Act::Import(ImportFlags(0))).child("identifier", Slot::Item).child("import_alias", Slot::Alias),
    on(&["import_alias"], Act::Pass),
    on(&["wildcard_import"], Act::ImportMark(ImportFlags::STAR)),
];
