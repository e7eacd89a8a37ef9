//! Ruby.

mod names;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Tie, Visibility};

use crate::doc_types::*;
use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "ruby",
    exchanged: "Ruby",
    registry: "gem",
    reserved: &["false", "nil", "self", "super", "true"],
    conditionals: &[
        "if", "unless", "case", "begin", "if_modifier", "unless_modifier", "rescue_modifier", "conditional",
    ],
    extensions: &["rb", "rake", "gemspec"],
    filenames: &["Rakefile", "Gemfile"],
    interpreters: &["ruby"],
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    rules: &[RULES],
    entries: Entries { functions: &[], files: &["config.ru", "main", "app"] },
    hears_of_heirs: &["inherited"],
    called_by_name: &[
        "initialize", "initialize_copy", "initialize_dup", "initialize_clone", "singleton_method_added", "to_s",
        "to_str", "to_a", "to_ary", "to_h", "to_hash", "to_proc", "inspect", "hash", "eql?", "each", "call", "coerce",
        "method_missing", "respond_to_missing?", "const_missing", "inherited", "included", "extended", "prepended",
        "method_added",
    ],
    tests: Tests {
        runner: "ruby",
        prefixes: &["test_"],
        calls: &["it", "specify", "describe", "test", "context", "should"],
        ..Tests::NONE
    },
    separator: "::",
    modules: ModuleScheme::Declared,
    modifiers: OPERATORS,
    visibility: DefaultVisibility::PublicSections,
    assignment_declares: true,
    constructors: &["initialize"],
    calls: &[
        ("require", CallRole::Import(ImportFlags(ImportFlags::MODULE.0 | ImportFlags::SYSTEM.0))),
        ("require_relative", CallRole::Import(ImportFlags::MODULE)),
        ("load", CallRole::Import(ImportFlags::INCLUDE)),
        ("attr_accessor", CallRole::Members(SymbolKind::Property)),
        ("attr_reader", CallRole::Members(SymbolKind::Property)),
        ("attr_writer", CallRole::Members(SymbolKind::Property)),
        ("delegate", CallRole::Delegates { receiver_first: false, one: false }),
        ("def_delegators", CallRole::Delegates { receiver_first: true, one: false }),
        ("def_instance_delegators", CallRole::Delegates { receiver_first: true, one: false }),
        ("def_delegator", CallRole::Delegates { receiver_first: true, one: true }),
        ("def_instance_delegator", CallRole::Delegates { receiver_first: true, one: true }),
        ("define_method", CallRole::Member(SymbolKind::Method)),
        ("alias_method", CallRole::Member(SymbolKind::Method)),
        ("let", CallRole::Member(SymbolKind::Method)),
        ("let!", CallRole::Member(SymbolKind::Method)),
        ("subject", CallRole::Member(SymbolKind::Method)),
        ("include", CallRole::Bases(Tie::Implements)),
        ("extend", CallRole::Bases(Tie::Extends)),
        ("prepend", CallRole::Bases(Tie::Implements)),
        ("public", CallRole::Section(Visibility::Public)),
        ("protected", CallRole::Section(Visibility::Protected)),
        ("private", CallRole::Section(Visibility::Private)),
        ("private_class_method", CallRole::Section(Visibility::Private)),
        ("private_constant", CallRole::Section(Visibility::Private)),
    ],
    capital_patterns_refer: true,
    bare_calls: true,
    implicit_return: true,
    empty_bodies: true,
    instantiates: "new",
    capital_constants: true,
    class_makers: CLASS_MAKERS,
    block_locals: true,
    block_calls: "call",
    block_receivers: &["instance_eval", "instance_exec"],
    rooted_paths: true,
    doc_types: Some(&DOC_TYPES),
    linking: Linking {
        arity: Arity::Free,
        stand_ins: &["method_missing"],
        types_apart: false,
        members_in_scope: true,
        open_types: true,
        class_of: "class",
        class_part: "ClassMethods",
        flows: true,
        folders: &["inject", "reduce"],
        methods: METHODS,
        open_values: &["Class", "Module", "Object", "BasicObject"],
        builtins: names::BUILTINS,
        imports: ImportScheme::LoadPath { extension: "rb" },
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

/// What methods of lists give.
static METHODS: &[(&str, Gives)] = &[
    ("first last sample shift pop find detect min_by max_by", Gives::Item),
    ("each each_with_index select filter reject sort sort_by uniq compact reverse take drop take_while", Gives::Same),
    ("drop_while to_a dup freeze shuffle rotate concat push append unshift prepend sort! uniq! compact!", Gives::Same),
];

static CLASS_MAKERS: &[ClassMaker] = &[
    ClassMaker { receiver: "Struct", method: "new", attributes: true },
    ClassMaker { receiver: "Data", method: "define", attributes: true },
    ClassMaker { receiver: "Class", method: "new", attributes: false },
    ClassMaker { receiver: "Module", method: "new", attributes: false },
];

/// What an operator makes of its operands: one of them, or something of which nothing is known.
static OPERATORS: &[(&str, Modifier)] = &[
    ("||", Modifier::Op(Op::Both)),
    ("or", Modifier::Op(Op::Both)),
    ("&&", Modifier::Op(Op::Test)),
    ("and", Modifier::Op(Op::Test)),
    ("==", Modifier::Op(Op::Test)),
    ("!=", Modifier::Op(Op::Test)),
    ("===", Modifier::Op(Op::Test)),
    ("<=>", Modifier::Op(Op::Test)),
    ("=~", Modifier::Op(Op::Test)),
    ("!~", Modifier::Op(Op::Test)),
    ("<", Modifier::Op(Op::Test)),
    (">", Modifier::Op(Op::Test)),
    ("<=", Modifier::Op(Op::Test)),
    (">=", Modifier::Op(Op::Test)),
    ("+", Modifier::Op(Op::Test)),
    ("-", Modifier::Op(Op::Test)),
    ("*", Modifier::Op(Op::Test)),
    ("/", Modifier::Op(Op::Test)),
    ("%", Modifier::Op(Op::Test)),
    ("**", Modifier::Op(Op::Test)),
    ("&", Modifier::Op(Op::Test)),
    ("|", Modifier::Op(Op::Test)),
    ("^", Modifier::Op(Op::Test)),
    (">>", Modifier::Op(Op::Test)),
];

static DOC_TYPES: DocTypes = DocTypes {
    order: DocOrder::Bracketed,
    tags: &[("param", DocTag::Param), ("return", DocTag::Returns), ("type", DocTag::Variable)],
    prefixes: &[],
    basics: &["Boolean", "void", "nil", "true", "false", "undefined", "Object", "BasicObject"],
    lists: &["Array", "Set", "Enumerable", "Enumerator"],
};

static RULES: &[Rule] = &[
    on(&["identifier", "constant", "operator"], Act::Ident),
    on(&["setter"], Act::Ident).rest(Slot::Skip),
    on(&["instance_variable", "class_variable"], Act::FieldIdent),
    on(&["global_variable"], Act::GlobalIdent),
    on(&["self"], Act::This),
    on(&["super"], Act::Super),
    on(&["comment"], Act::Comment),
    on(&["uninterpreted"], Act::Prose),
    on(&["string", "bare_string", "subshell", "heredoc_beginning", "heredoc_body"], Act::Str),
    on(&["simple_symbol", "delimited_symbol", "bare_symbol", "hash_key_symbol"], Act::Str),
    on(&["chained_string"], Act::Literal(Literal::String)),
    on(&["character"], Act::Literal(Literal::Char)),
    on(&["regex"], Act::Literal(Literal::Regex)),
    on(&["interpolation"], Act::Interpolation).rest(Slot::Expr),
    on(&["integer", "float", "complex", "rational"], Act::Literal(Literal::Number)),
    on(&["true", "false"], Act::Literal(Literal::Bool)),
    on(&["nil"], Act::Literal(Literal::Null)),
    on(&["array", "string_array", "symbol_array"], Act::Literal(Literal::List)).rest(Slot::Expr),
    on(&["hash"], Act::Literal(Literal::Map)).rest(Slot::Expr),
    // Definitions.
    on(&["class"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("superclass", Slot::Base)
        .field("body", Slot::Body),
    on(&["superclass"], Act::Pass),
    on(&["module"], Act::Def(SymbolKind::Module))
        .field("name", Slot::Name)
        .field("body", Slot::Body)
        .opens(ScopeKind::Type),
    on(&["singleton_class"], Act::Scope(ScopeKind::Type)).field("value", Slot::Expr).flags(Flags::STATIC),
    on(&["method"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["singleton_method"], Act::Def(SymbolKind::Function))
        .field("object", Slot::Expr)
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body)
        .flags(Flags::STATIC),
    on(&["alias"], Act::Def(SymbolKind::Function)).field("name", Slot::Name).field("alias", Slot::Callee),
    on(&["undef"], Act::Skip),
    on(&["lambda"], Act::Lambda).field("parameters", Slot::Params).field("body", Slot::Body),
    // Parameters.
    on(&["method_parameters", "lambda_parameters"], Act::Params).rest(Slot::Bind),
    on(&["optional_parameter"], Act::Defaulted).field("name", Slot::Bind).field("value", Slot::Value),
    on(&["keyword_parameter"], Act::Defaulted)
        .field("name", Slot::Bind)
        .field("value", Slot::Value)
        .flags(Flags::KEYWORD_ONLY),
    on(&["splat_parameter", "rest_assignment"], Act::Opaque).flags(Flags::VARIADIC),
    on(&["hash_splat_parameter"], Act::Opaque).flags(Flags::KEYWORD_VARIADIC),
    on(&["destructured_parameter", "left_assignment_list", "destructured_left_assignment"], Act::Sequence),
    on(&["right_assignment_list"], Act::Sequence),
    // Blocks see and change the variables around them.
    on(&["block", "do_block"], Act::Scope(ScopeKind::Block)).field("body", Slot::Expr),
    on(&["block_parameters"], Act::Local(BindingKind::Param)).rest(Slot::Bind),
    // Variables and patterns.
    on(&["assignment"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["operator_assignment"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["for"], Act::Assign).field("pattern", Slot::Target).field("value", Slot::Iterable).field("body", Slot::Expr),
    on(&["rescue"], Act::Assign)
        .field("exceptions", Slot::Type)
        .field("variable", Slot::Target)
        .field("body", Slot::Expr),
    on(&["exceptions"], Act::Either).rest(Slot::Object),
    on(&["exception_variable", "in"], Act::Pass),
    on(&["in_clause", "match_pattern", "test_pattern"], Act::Local(BindingKind::Local))
        .field("pattern", Slot::Bind)
        .field("value", Slot::Value)
        .field("guard", Slot::Expr)
        .field("body", Slot::Expr),
    on(&["as_pattern"], Act::Opaque),
    on(&["array_pattern", "find_pattern", "hash_pattern"], Act::Opaque).field("class", Slot::Type),
    on(&["keyword_pattern"], Act::Opaque).field("key", Slot::Skip),
    on(&["variable_reference_pattern", "expression_reference_pattern"], Act::Opaque).rest(Slot::Expr),
    // Expressions.
    on(&["call"], Act::Call)
        .field("receiver", Slot::Object)
        .field("method", Slot::Callee)
        .field("arguments", Slot::Args)
        .field("block", Slot::Expr),
    on(&["yield"], Act::RunBlock).rest(Slot::Args),
    on(&["scope_resolution"], Act::Member).field("scope", Slot::Path).field("name", Slot::Property),
    on(&["element_reference"], Act::Unary(Op::Index)).field("object", Slot::Object).rest(Slot::Expr),
    on(&["binary"], Act::Unary(Op::Written)).field("left", Slot::Object).field("right", Slot::Expr),
    on(&["if", "unless", "elsif"], Act::Either)
        .field("condition", Slot::Expr)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["if_modifier", "unless_modifier"], Act::Either).field("condition", Slot::Expr).field("body", Slot::Object),
    on(&["case"], Act::Either).field("value", Slot::Expr).child("when", Slot::Object).child("else", Slot::Object),
    on(&["when"], Act::Pass).field("pattern", Slot::Expr),
    on(&["conditional"], Act::Either)
        .field("condition", Slot::Expr)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["parenthesized_statements", "body_statement", "block_body", "begin", "then", "else"], Act::Pass),
    on(&["pair"], Act::Opaque).field("key", Slot::Expr).field("value", Slot::Expr),
    on(&["return"], Act::Return).rest(Slot::Value),
];
