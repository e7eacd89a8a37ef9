//! Go.

mod builtins;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "go",
    exchanged: "Go",
    manifest: "go.mod",
    registry: "golang",
    reserved: &["false", "nil", "true"],
    conditionals: &["if_statement", "expression_switch_statement", "type_switch_statement", "select_statement"],
    extensions: &["go"],
    grammar: || tree_sitter_go::LANGUAGE.into(),
    rules: &[RULES],
    entries: Entries { functions: &["main"], files: &[] },
    called_by_name: &["main", "init"],
    tests: Tests {
        runner: "go test",
        names: Runner::Packages,
        prefixes: &["Test", "Benchmark", "Example", "Fuzz"],
        ..Tests::NONE
    },
    separator: ".",
    modules: ModuleScheme::GoModule,
    modifiers: &[
        ("*", Modifier::Op(Op::Deref)),
        ("&", Modifier::Op(Op::AddressOf)),
        // Receiving takes an element out of a channel.
        ("<-", Modifier::Op(Op::Index)),
    ],
    visibility: DefaultVisibility::Capital,
    calls: &[("new", CallRole::First), ("make", CallRole::First), ("append", CallRole::First)],
    underscore_discards: true,
    iterates_pairs: true,
    second_tells_success: true,
    linking: Linking {
        arity: Arity::Free,
        static_types: true,
        structural_interfaces: true,
        open_values: &["any"],
        builtins: builtins::BUILTINS,
        bodies_are_scopes: false,
        shared_modules: true,
        outside_members: true,
        imports: ImportScheme::Folders,
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

const BLOCK: Act = Act::Scope(ScopeKind::Block);
const TYPE_PARAM: Act = Act::Local(BindingKind::TypeParam);
const LOCAL: Act = Act::Local(BindingKind::Local);
const CONSTANT: Act = Act::Bind { module: SymbolKind::Constant, member: SymbolKind::Constant };
const VARIABLE: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Variable };

static RULES: &[Rule] = &[
    on(&["identifier", "type_identifier", "field_identifier", "package_identifier", "label_name"], Act::Ident),
    on(&["comment"], Act::Comment),
    on(&["interpreted_string_literal", "raw_string_literal"], Act::Str),
    on(&["rune_literal"], Act::Literal(Literal::Char)),
    on(&["int_literal", "float_literal", "imaginary_literal"], Act::Literal(Literal::Number)),
    on(&["true", "false"], Act::Literal(Literal::Bool)),
    on(&["nil"], Act::Literal(Literal::Null)),
    // Definitions.
    on(&["package_clause"], Act::Package).child("package_identifier", Slot::Name),
    on(&["function_declaration"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("result", Slot::Returns)
        .field("body", Slot::Body),
    on(&["method_declaration"], Act::Def(SymbolKind::Method))
        .field("receiver", Slot::Receiver)
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("result", Slot::Returns)
        .field("body", Slot::Body),
    on(&["method_elem"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("result", Slot::Returns),
    on(&["type_declaration", "const_declaration", "var_declaration"], Act::Declaration),
    on(&["type_spec", "type_alias"], Act::Def(SymbolKind::TypeAlias))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("type", Slot::Type),
    on(&["struct_type"], Act::Def(SymbolKind::Struct)).child("field_declaration_list", Slot::Body),
    on(&["interface_type"], Act::Def(SymbolKind::Interface)).child("type_elem", Slot::Base),
    on(&["field_declaration"], Act::FieldOrBase).field("name", Slot::Bind).field("type", Slot::Type),
    on(&["const_spec"], CONSTANT).field("name", Slot::Bind).field("type", Slot::Type).field("value", Slot::Value),
    on(&["var_spec"], VARIABLE).field("name", Slot::Bind).field("type", Slot::Type).field("value", Slot::Value),
    on(&["func_literal"], Act::Lambda)
        .field("parameters", Slot::Params)
        .field("result", Slot::Returns)
        .field("body", Slot::Body),
    // Parameters.
    on(&["parameter_list"], Act::Params),
    on(&["parameter_declaration"], Act::Param(Flags(0))).field("name", Slot::Bind).field("type", Slot::Type),
    on(&["variadic_parameter_declaration"], Act::Param(Flags::VARIADIC))
        .field("name", Slot::Bind)
        .field("type", Slot::Type),
    on(&["type_parameter_declaration"], TYPE_PARAM).field("name", Slot::Bind).field("type", Slot::Type),
    // Local names.
    on(&["short_var_declaration"], LOCAL)
        .field("left", Slot::Bind)
        .field("right", Slot::Value)
        .flags(Flags::REASSIGNED),
    on(&["receive_statement"], LOCAL).field("left", Slot::Bind).field("right", Slot::Value),
    on(&["range_clause"], LOCAL).field("left", Slot::Bind).field("right", Slot::Iterable),
    on(&["type_switch_statement"], LOCAL)
        .field("initializer", Slot::Expr)
        .field("alias", Slot::Bind)
        .field("value", Slot::Value)
        .opens(ScopeKind::Block),
    on(&["type_case"], Act::TypeCase).field("type", Slot::Type).rest(Slot::Expr),
    on(&["labeled_statement"], Act::Local(BindingKind::Label)).field("label", Slot::Bind),
    on(&["break_statement", "continue_statement", "goto_statement"], Act::Skip),
    on(&["assignment_statement"], Act::Assign).field("left", Slot::Update).field("right", Slot::Value),
    on(&["inc_statement", "dec_statement"], Act::Opaque).rest(Slot::Update),
    on(&["expression_list"], Act::Row),
    // Scopes.
    on(&["block", "if_statement", "for_statement", "expression_switch_statement", "select_statement"], BLOCK),
    on(&["expression_case", "default_case", "communication_case"], BLOCK),
    // Expressions.
    on(&["call_expression"], Act::Call)
        .field("function", Slot::Callee)
        .field("type_arguments", Slot::TypeArgs)
        .field("arguments", Slot::Args),
    on(&["argument_list"], Act::Opaque)
        .child("type_identifier", Slot::Type)
        .child("qualified_type", Slot::Type)
        .child("generic_type", Slot::Type)
        .child("slice_type", Slot::Type)
        .child("array_type", Slot::Type)
        .child("map_type", Slot::Type)
        .child("channel_type", Slot::Type)
        .child("pointer_type", Slot::Type)
        .child("struct_type", Slot::Type)
        .child("function_type", Slot::Type),
    on(&["composite_literal"], Act::Call).field("type", Slot::Class).field("body", Slot::Expr),
    on(&["literal_value"], Act::Literal(Literal::Map)),
    on(&["literal_element", "parenthesized_expression", "expression_statement"], Act::Pass),
    on(&["keyed_element"], Act::FieldInit).field("key", Slot::Key).field("value", Slot::Value),
    on(&["selector_expression"], Act::Member).field("operand", Slot::Object).field("field", Slot::Property),
    on(&["index_expression"], Act::Unary(Op::Index)).field("operand", Slot::Object).field("index", Slot::Expr),
    on(&["unary_expression"], Act::Unary(Op::Written)).field("operand", Slot::Object),
    on(&["binary_expression"], Act::Unary(Op::Same)).field("left", Slot::Object).field("right", Slot::Expr),
    on(&["slice_expression"], Act::Unary(Op::Same)).field("operand", Slot::Object).rest(Slot::Expr),
    on(&["type_assertion_expression", "type_conversion_expression"], Act::Typed)
        .field("operand", Slot::Expr)
        .field("type", Slot::Type),
    on(&["type_instantiation_expression"], Act::Apply).field("type", Slot::Object).rest(Slot::TypeArgs),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    // Types.
    on(&["qualified_type"], Act::Member).field("package", Slot::Path).field("name", Slot::Property),
    on(&["generic_type"], Act::Apply).field("type", Slot::Object).field("type_arguments", Slot::TypeArgs),
    on(&["type_arguments"], Act::List).rest(Slot::TypeArgs),
    on(&["type_elem", "type_constraint"], Act::Either).rest(Slot::Object),
    on(&["parenthesized_type", "negated_type"], Act::Pass),
    on(&["pointer_type"], Act::Unary(Op::Pointer)).rest(Slot::Object),
    on(&["slice_type", "implicit_length_array_type"], Act::Unary(Op::Array)).field("element", Slot::Object),
    on(&["array_type"], Act::Unary(Op::Array)).field("length", Slot::Expr).field("element", Slot::Object),
    on(&["map_type"], Act::Unary(Op::Array)).field("key", Slot::Type).field("value", Slot::Object),
    on(&["channel_type"], Act::Unary(Op::Array)).field("value", Slot::Object),
    on(&["function_type"], Act::FunctionType).field("parameters", Slot::Params).field("result", Slot::Returns),
    // Imports.
    on(&["import_spec"], Act::Import(ImportFlags::MODULE))
        .field("path", Slot::Item)
        .child("package_identifier", Slot::Alias)
        .child("dot", Slot::Skip)
        .child("blank_identifier", Slot::Skip),
    on(&["dot"], Act::ImportMark(ImportFlags::STAR)),
    on(&["blank_identifier"], Act::ImportMark(ImportFlags::BARE)),
];
