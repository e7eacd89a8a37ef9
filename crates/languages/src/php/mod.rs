//! PHP.

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, SymbolKind, Visibility};

use crate::doc_types::*;
use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "php",
    exchanged: "PHP",
    manifest: "composer.json",
    registry: "composer",
    reserved: &["false", "null", "parent", "self", "this", "true", "void"],
    conditionals: &["if_statement", "try_statement", "switch_statement", "match_expression", "conditional_expression"],
    extensions: &["php"],
    interpreters: &["php"],
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    rules: &[RULES],
    entries: Entries { functions: &[], files: &["index", "artisan", "console"] },
    called_by_name: &[
        "__destruct", "__call", "__callStatic", "__get", "__set", "__isset", "__unset", "__sleep", "__wakeup",
        "__serialize", "__unserialize", "__toString", "__invoke", "__set_state", "__clone", "__debugInfo",
    ],
    tests: Tests { runner: "phpunit", names: Runner::Members, prefixes: &["test"], marks: &["Test"], ..Tests::NONE },
    implicit_members: "__",
    separator: "\\",
    modules: ModuleScheme::Declared,
    modifiers: &[
        ("public", Modifier::Visible(Visibility::Public)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("private", Modifier::Visible(Visibility::Private)),
        ("static", Modifier::Flag(Flags::STATIC)),
        ("abstract", Modifier::Flag(Flags::ABSTRACT)),
        ("final", Modifier::Flag(Flags::FINAL)),
        ("readonly", Modifier::Flag(Flags::READONLY)),
        ("parent", Modifier::Super),
        ("??", Modifier::Op(Op::Both)),
        ("instanceof", Modifier::Op(Op::Test)),
        ("||", Modifier::Op(Op::Test)),
        ("&&", Modifier::Op(Op::Test)),
        ("==", Modifier::Op(Op::Test)),
        ("===", Modifier::Op(Op::Test)),
        ("!=", Modifier::Op(Op::Test)),
        ("!==", Modifier::Op(Op::Test)),
        ("<", Modifier::Op(Op::Test)),
        (">", Modifier::Op(Op::Test)),
        ("<=", Modifier::Op(Op::Test)),
        (">=", Modifier::Op(Op::Test)),
        ("<=>", Modifier::Op(Op::Test)),
        ("+", Modifier::Op(Op::Test)),
        ("-", Modifier::Op(Op::Test)),
        ("*", Modifier::Op(Op::Test)),
        ("/", Modifier::Op(Op::Test)),
        ("%", Modifier::Op(Op::Test)),
        (".", Modifier::Op(Op::Test)),
        ("|", Modifier::Op(Op::Test)),
        ("^", Modifier::Op(Op::Test)),
    ],
    assignment_declares: true,
    constructors: &["__construct"],
    doc_prefixes: &["/**"],
    calls: &[("define", CallRole::Constant)],
    promoted_parameters: true,
    sigil: "$",
    receivers: &["$this", "self", "static"],
    keyword_members: &["class"],
    rooted_paths: true,
    uses_declare: true,
    narrows: "instanceof",
    doc_types: Some(&DOC_TYPES),
    linking: Linking {
        arity: Arity::AtLeast,
        stand_ins: &["__call", "__callStatic", "__get"],
        types_apart: false,
        shared_modules: true,
        imports: ImportScheme::Declared,
        outermost_functions: true,
        members_apart: true,
        flows: true,
        receiver_types: true,
        call_member: "__invoke",
        relative_modules: true,
        enum_members: &[("from tryFrom", Gives::Item), ("cases", Gives::Items)],
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

static DOC_TYPES: DocTypes = DocTypes {
    order: DocOrder::TypeThenName,
    tags: &[
        ("param", DocTag::Param),
        ("return", DocTag::Returns),
        ("var", DocTag::Variable),
        ("property", DocTag::Property),
        ("property-read", DocTag::Property),
        ("property-write", DocTag::Property),
        ("method", DocTag::Method),
        ("mixin", DocTag::Mixin),
        ("template", DocTag::Template),
        ("template-covariant", DocTag::Template),
        ("template-contravariant", DocTag::Template),
    ],
    prefixes: &["phpstan-", "psalm-", "phan-"],
    basics: &[
        "int", "integer", "string", "bool", "boolean", "float", "double", "mixed", "void", "null", "NULL", "callable",
        "object", "resource", "true", "false", "never", "scalar", "numeric", "positive", "negative", "array",
        "iterable", "list", "key", "value", "number",
    ],
    lists: &[
        "array", "list", "iterable", "non-empty-array", "non-empty-list", "Traversable", "Generator", "Iterator",
        "IteratorAggregate", "ArrayIterator",
    ],
};

const INCLUDE: Act = Act::Include(ImportFlags::INCLUDE);

static RULES: &[Rule] = &[
    on(&["name"], Act::Ident),
    on(&["variable_name"], Act::Ident).rest(Slot::Skip),
    on(&["comment"], Act::Comment),
    on(&["string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression"], Act::Str),
    on(&["text"], Act::Text),
    on(&["integer", "float"], Act::Literal(Literal::Number)),
    on(&["boolean"], Act::Literal(Literal::Bool)),
    on(&["null"], Act::Literal(Literal::Null)),
    on(&["array_creation_expression"], Act::Literal(Literal::List)).rest(Slot::Expr),
    on(&["primitive_type", "bottom_type", "cast_type"], Act::Raw),
    on(&["relative_scope"], Act::This),
    on(&["goto_statement", "named_label_statement", "declare_directive"], Act::Skip),
    // Paths.
    on(&["namespace_name"], Act::Member).rest(Slot::Property),
    on(&["qualified_name", "relative_name"], Act::Member)
        .child("namespace_name", Slot::Path)
        .child("name", Slot::Property),
    // Definitions.
    on(&["namespace_definition"], Act::Package).field("name", Slot::Name),
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .field("attributes", Slot::Decorator)
        .field("name", Slot::Name)
        .field("body", Slot::Body),
    on(&["anonymous_class"], Act::Def(SymbolKind::Class))
        .field("attributes", Slot::Decorator)
        .child("arguments", Slot::Expr)
        .field("body", Slot::Body)
        .flags(Flags::VALUE)
        .unnamed("class"),
    on(&["interface_declaration"], Act::Def(SymbolKind::Interface))
        .field("attributes", Slot::Decorator)
        .field("name", Slot::Name)
        .field("body", Slot::Body),
    on(&["trait_declaration"], Act::Def(SymbolKind::Trait))
        .field("attributes", Slot::Decorator)
        .field("name", Slot::Name)
        .field("body", Slot::Body),
    on(&["enum_declaration"], Act::Def(SymbolKind::Enum))
        .field("attributes", Slot::Decorator)
        .field("name", Slot::Name)
        .field("body", Slot::Body),
    on(&["enum_case"], Act::Def(SymbolKind::EnumMember))
        .field("attributes", Slot::Decorator)
        .field("name", Slot::Name)
        .field("value", Slot::Value),
    on(&["base_clause"], Act::Opaque).rest(Slot::Base),
    on(&["class_interface_clause"], Act::Opaque).rest(Slot::Implements),
    on(&["use_declaration"], Act::Opaque).child("use_list", Slot::Expr).rest(Slot::Base),
    on(&["use_instead_of_clause"], Act::Instead)
        .child("class_constant_access_expression", Slot::Callee)
        .rest(Slot::Type),
    on(&["use_as_clause"], Act::Def(SymbolKind::Function)).first(Slot::Callee).child("name", Slot::Name),
    on(&["function_definition", "method_declaration"], Act::Def(SymbolKind::Function))
        .field("attributes", Slot::Decorator)
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["anonymous_function", "arrow_function"], Act::Lambda)
        .field("attributes", Slot::Decorator)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["property_hook"], Act::Lambda)
        .child("name", Slot::Skip)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["anonymous_function_use_clause"], Act::Redirect(BindingKind::Nonlocal)).rest(Slot::Bind),
    on(&["const_declaration"], Act::Bind { module: SymbolKind::Constant, member: SymbolKind::Constant })
        .field("attributes", Slot::Decorator)
        .field("type", Slot::Type),
    on(&["const_element"], Act::Initialized).first(Slot::Name).rest(Slot::Value),
    on(&["property_declaration"], Act::Bind { module: SymbolKind::Field, member: SymbolKind::Field })
        .field("attributes", Slot::Decorator)
        .field("type", Slot::Type),
    on(&["property_element"], Act::Initialized).field("name", Slot::Bind).field("default_value", Slot::Value),
    on(
        &[
            "visibility_modifier", "static_modifier", "abstract_modifier", "final_modifier", "readonly_modifier",
            "var_modifier", "reference_modifier",
        ],
        Act::Modifiers,
    )
    .rest(Slot::Skip),
    on(&["attribute_list"], Act::List).rest(Slot::Decorator),
    on(&["attribute_group"], Act::List).rest(Slot::Decorator),
    on(&["attribute"], Act::Call).field("parameters", Slot::Args).rest(Slot::Callee),
    // Parameters.
    on(&["formal_parameters"], Act::Params),
    on(&["simple_parameter"], Act::Param(Flags(0)))
        .field("attributes", Slot::Decorator)
        .field("type", Slot::Type)
        .field("name", Slot::Bind)
        .field("default_value", Slot::Value),
    on(&["variadic_parameter"], Act::Param(Flags::VARIADIC))
        .field("attributes", Slot::Decorator)
        .field("type", Slot::Type)
        .field("name", Slot::Bind),
    on(&["property_promotion_parameter"], Act::Param(Flags(0)))
        .field("attributes", Slot::Decorator)
        .field("type", Slot::Type)
        .field("name", Slot::Bind)
        .field("default_value", Slot::Value)
        .child("property_hook_list", Slot::Expr),
    // Variables.
    on(&["assignment_expression", "reference_assignment_expression"], Act::Assign)
        .field("left", Slot::Target)
        .field("right", Slot::Value),
    on(&["augmented_assignment_expression"], Act::Assign).field("left", Slot::Update).field("right", Slot::Value),
    on(&["update_expression"], Act::Assign).field("argument", Slot::Update),
    on(&["static_variable_declaration"], Act::Assign).field("name", Slot::Target).field("value", Slot::Value),
    on(&["global_declaration"], Act::Redirect(BindingKind::Global)).rest(Slot::Bind),
    on(&["list_literal"], Act::Sequence),
    on(&["foreach_statement"], Act::Assign).first(Slot::Iterable).field("body", Slot::Expr).rest(Slot::Target),
    on(&["catch_clause"], Act::Local(BindingKind::Local))
        .field("type", Slot::Type)
        .field("name", Slot::Bind)
        .field("body", Slot::Expr),
    // Expressions.
    on(&["function_call_expression"], Act::Call).field("function", Slot::Callee).field("arguments", Slot::Args),
    on(&["member_call_expression", "nullsafe_member_call_expression"], Act::Call)
        .field("object", Slot::Object)
        .child("name", Slot::Callee)
        .field("arguments", Slot::Args),
    on(&["scoped_call_expression"], Act::Call)
        .field("scope", Slot::Path)
        .child("name", Slot::Callee)
        .field("arguments", Slot::Args),
    on(&["object_creation_expression"], Act::Call).first(Slot::Class).child("arguments", Slot::Args),
    on(&["argument"], Act::Pass).field("name", Slot::Skip),
    on(&["member_access_expression", "nullsafe_member_access_expression"], Act::Member)
        .field("object", Slot::Object)
        .child("name", Slot::Property)
        .rest(Slot::Expr),
    on(&["scoped_property_access_expression"], Act::Member).field("scope", Slot::Path).field("name", Slot::Property),
    on(&["class_constant_access_expression"], Act::Member).first(Slot::Path).rest(Slot::Property),
    on(&["subscript_expression"], Act::Unary(Op::Index)).first(Slot::Object).rest(Slot::Expr),
    on(&["parenthesized_expression", "clone_expression", "error_suppression_expression"], Act::Pass).rest(Slot::Expr),
    on(&["binary_expression"], Act::Unary(Op::Written)).field("left", Slot::Object).field("right", Slot::Expr),
    on(&["conditional_expression"], Act::Either)
        .field("condition", Slot::Expr)
        .field("body", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["if_statement", "while_statement"], Act::Branch),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    on(&["yield_expression"], Act::Yield).rest(Slot::Value),
    // Types.
    on(&["named_type"], Act::Pass),
    on(&["optional_type"], Act::Unary(Op::Optional)).rest(Slot::Object),
    on(&["union_type", "intersection_type", "disjunctive_normal_form_type", "type_list"], Act::Either)
        .rest(Slot::Object),
    // Imports.
    on(&["namespace_use_declaration"], Act::Import(ImportFlags(0))).child("namespace_name", Slot::Module),
    on(&["namespace_use_clause"], Act::ImportItem(ImportFlags(0)))
        .field("alias", Slot::Alias)
        .child("name", Slot::Item)
        .child("qualified_name", Slot::Item),
    on(&["include_expression", "include_once_expression", "require_expression", "require_once_expression"], INCLUDE)
        .rest(Slot::Value),
];
