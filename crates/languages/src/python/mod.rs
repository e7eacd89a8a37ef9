//! Python.

mod builtins;
mod flow;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, SymbolKind};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "python",
    exchanged: "Python",
    manifest: "pyproject.toml",
    registry: "pypi",
    reserved: &["False", "None", "True"],
    conditionals: &["if_statement", "try_statement", "match_statement", "conditional_expression"],
    extensions: &["py", "pyw", "pyi"],
    interpreters: &["python", "python2", "python3"],
    grammar: || tree_sitter_python::LANGUAGE.into(),
    rules: &[RULES],
    entries: Entries { functions: &["main"], files: &["__main__", "main", "manage", "wsgi", "asgi", "app"] },
    hears_of_heirs: &["__init_subclass__"],
    tests: Tests {
        runner: "pytest",
        names: Runner::Nodes,
        prefixes: &["test"],
        fixtures: &["fixture"],
        always: "autouse=True",
        renames: "name=",
        asks: "usefixtures(",
        shared: &["conftest"],
        ..Tests::NONE
    },
    implicit_members: "__",
    separator: ".",
    modules: ModuleScheme::DottedPath { package_file: "__init__", roots: &["src", "lib"] },
    modifiers: &[("async", Modifier::Flag(Flags::ASYNC))],
    visibility: DefaultVisibility::Underscore,
    assignment_declares: true,
    first_parameter_is_receiver: true,
    receiver_fields: true,
    constructors: &["__init__"],
    doc_prefixes: &["\u{0}"],
    doc_strings: true,
    quoted_types: true,
    member_list: "__slots__",
    flow: Some(&flow::FLOW),
    calls: &[
        ("super", CallRole::Super),
        ("list", CallRole::First),
        ("sorted", CallRole::First),
        ("reversed", CallRole::First),
        ("iter", CallRole::First),
    ],
    linking: Linking {
        modules_are_values: true,
        bodies_run: true,
        given_files: &["conftest.py"],
        stand_ins: &["__getattr__", "__getattribute__"],
        open_values: &["Any", "object", "type"],
        builtins: builtins::BUILTINS,
        ordered_locals: false,
        types_apart: false,
        prefers_bodies: false,
        indexer: "__getitem__",
        call_member: "__call__",
        imports: ImportScheme::Dotted,
        containers: &[
            ("list", holds(0)),
            ("List", holds(0)),
            ("Sequence", holds(0)),
            ("Iterable", holds(0)),
            ("Iterator", holds(0)),
            ("Generator", holds(0)),
            ("AsyncIterator", holds(0)),
            ("set", holds(0)),
            ("Set", holds(0)),
            ("frozenset", holds(0)),
            ("deque", holds(0)),
            ("Optional", points_to(0)),
            ("Awaitable", holds(0)),
            ("Annotated", points_to(0)),
            ("ClassVar", points_to(0)),
            ("Final", points_to(0)),
            ("dict", MAP),
            ("Dict", MAP),
            ("Mapping", MAP),
            ("MutableMapping", MAP),
            ("defaultdict", MAP),
            ("OrderedDict", MAP),
            ("tuple", holds(0)),
            ("Collection", holds(0)),
            ("Type", points_to(0)),
            ("ContextVar", holds(0)),
            ("AsyncIterable", holds(0)),
            ("AsyncGenerator", holds(0)),
            ("Coroutine", holds(2)),
        ],
        methods: &[
            ("get setdefault pop", Gives::Value),
            ("values", Gives::Values),
            ("keys", Gives::Items),
            ("items", Gives::Pairs),
            ("copy", Gives::Same),
        ],
        ..Linking::DEFAULT
    },
    upper_constants: true,
    last_definition_runs: true,
    decorators: &[
        ("property", Modifier::Kind(SymbolKind::Property)),
        ("cached_property", Modifier::Kind(SymbolKind::Property)),
        ("setter", Modifier::Kind(SymbolKind::Setter)),
        ("deleter", Modifier::Kind(SymbolKind::Setter)),
        ("staticmethod", Modifier::Flag(Flags::STATIC)),
        ("classmethod", Modifier::Flag(Flags(Flags::STATIC.0 | Flags::TYPE_RECEIVER.0))),
        ("abstractmethod", Modifier::Flag(Flags::ABSTRACT)),
        ("overload", Modifier::Flag(Flags::DECLARATION)),
    ],
    ..Language::DEFAULT
};

static RULES: &[Rule] = &[
    on(&["identifier"], Act::Ident),
    on(&["comment"], Act::Comment),
    on(&["string"], Act::Str),
    on(&["interpolation"], Act::Interpolation).field("expression", Slot::Expr),
    on(&["concatenated_string"], Act::Literal(Literal::String)),
    on(&["integer", "float"], Act::Literal(Literal::Number)),
    on(&["true", "false"], Act::Literal(Literal::Bool)),
    on(&["none"], Act::Literal(Literal::Null)),
    on(&["list"], Act::Literal(Literal::List)),
    on(&["dictionary"], Act::Literal(Literal::Map)),
    on(&["set"], Act::Literal(Literal::Set)),
    // Definitions.
    on(&["function_definition"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["class_definition"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("superclasses", Slot::Base)
        .field("body", Slot::Body),
    on(&["decorated_definition"], Act::Wrapper).child("decorator", Slot::Decorator),
    on(&["decorator"], Act::Pass),
    on(&["type_alias_statement"], Act::Def(SymbolKind::TypeAlias)).field("left", Slot::Name).field("right", Slot::Type),
    on(&["lambda"], Act::Lambda).field("parameters", Slot::Params).field("body", Slot::Body),
    // `metaclass=M` is no base.
    on(&["keyword_argument"], Act::KeywordArgument).field("name", Slot::Property).field("value", Slot::Expr),
    // Parameters.
    on(&["parameters", "lambda_parameters"], Act::Params).rest(Slot::Bind),
    on(&["default_parameter"], Act::Param(Flags::HAS_DEFAULT))
        .field("name", Slot::Bind)
        .field("value", Slot::OuterValue),
    on(&["typed_parameter"], Act::Param(Flags(0))).field("type", Slot::Type).rest(Slot::Bind),
    on(&["typed_default_parameter"], Act::Param(Flags::HAS_DEFAULT))
        .field("name", Slot::Bind)
        .field("type", Slot::Type)
        .field("value", Slot::OuterValue),
    on(&["list_splat_pattern"], Act::Opaque).flags(Flags::VARIADIC),
    on(&["dictionary_splat_pattern"], Act::Opaque).flags(Flags::KEYWORD_VARIADIC),
    on(&["keyword_separator"], Act::Skip).flags(Flags::KEYWORD_ONLY),
    on(&["type_parameter"], Act::List),
    on(&["constrained_type"], Act::Local(BindingKind::TypeParam)).first(Slot::Bind).rest(Slot::Type),
    on(&["splat_type"], Act::Pass),
    // Assignments and patterns.
    on(&["assignment"], Act::Assign).field("left", Slot::Target).field("type", Slot::Type).field("right", Slot::Value),
    on(&["augmented_assignment"], Act::Assign).field("left", Slot::Update).field("right", Slot::Value),
    on(&["named_expression"], Act::Assign).field("name", Slot::Target).field("value", Slot::Value),
    on(&["pattern_list", "tuple_pattern", "list_pattern", "tuple", "expression_list"], Act::Sequence),
    on(&["for_statement", "for_in_clause"], Act::Assign)
        .field("left", Slot::Target)
        .field("right", Slot::Iterable)
        .rest(Slot::Expr),
    on(&["as_pattern"], Act::Assign).field("alias", Slot::Target).rest(Slot::Value),
    on(&["as_pattern_target"], Act::Opaque),
    on(&["global_statement"], Act::Redirect(BindingKind::Global)).rest(Slot::Bind),
    on(&["nonlocal_statement"], Act::Redirect(BindingKind::Nonlocal)).rest(Slot::Bind),
    on(&["case_clause"], Act::Local(BindingKind::Local)).field("guard", Slot::Expr).field("consequence", Slot::Expr),
    on(&["case_pattern"], Act::Opaque).rest(Slot::Bind),
    on(&["class_pattern"], Act::Opaque).child("dotted_name", Slot::Expr),
    on(&["keyword_pattern"], Act::Opaque).child("identifier", Slot::Skip),
    on(&["dotted_name"], Act::Pass),
    // Scopes.
    on(
        &["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"],
        Act::Comprehension,
    )
    .rest(Slot::Expr),
    // Expressions.
    on(&["call"], Act::Call).field("function", Slot::Callee).field("arguments", Slot::Args),
    on(&["attribute"], Act::Member).field("object", Slot::Object).field("attribute", Slot::Property),
    on(&["subscript"], Act::Unary(Op::Index)).field("value", Slot::Object).field("subscript", Slot::Expr),
    on(&["generic_type"], Act::Apply).child("identifier", Slot::Object).child("type_parameter", Slot::TypeArgs),
    on(&["await"], Act::Unary(Op::Await)).rest(Slot::Object),
    on(&["parenthesized_expression", "type", "expression_statement"], Act::Pass),
    on(&["conditional_expression", "boolean_operator"], Act::Either).rest(Slot::Object),
    on(&["union_type"], Act::Either).rest(Slot::Object),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    on(&["yield"], Act::Yield).rest(Slot::Value),
    // Imports.
    on(&["import_statement"], Act::Import(ImportFlags::MODULE)).rest(Slot::Item),
    // Switches the language itself; nothing of that name is imported.
    on(&["future_import_statement"], Act::Skip),
    on(&["import_from_statement"], Act::Import(ImportFlags(0)))
        .field("module_name", Slot::Module)
        .field("name", Slot::Item),
    on(&["aliased_import"], Act::ImportItem(ImportFlags(0))).field("name", Slot::Item).field("alias", Slot::Alias),
    on(&["wildcard_import"], Act::ImportMark(ImportFlags::STAR)),
    on(&["relative_import"], Act::Pass).rest(Slot::Item),
    on(&["import_prefix"], Act::ImportDots),
];
