//! C++: the rules of C, and its own.

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Visibility};

use crate::c::{FAMILY, FRAGMENTS, INCLUDE_FOLDERS, INCLUDED, STANDARD_HEADERS, rewrite, unlikely_cpp};
use crate::linking::*;
use crate::table::*;

mod header;

pub(crate) static LANGUAGE: Language = Language {
    name: "cpp",
    exchanged: "CPP",
    reserved: &[
        "bool", "char", "double", "false", "float", "int", "long", "nullptr", "short", "signed", "this", "true",
        "unsigned", "void", "wchar_t",
    ],
    conditionals: &[
        "if_statement", "switch_statement", "try_statement", "conditional_expression", "preproc_if", "preproc_ifdef",
    ],
    extensions: &[
        "cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "h", "inl", "ipp", "tpp", "txx", "tcc", "cppm", "ixx",
    ],
    fragments: FRAGMENTS,
    content: Some(header::is_cpp),
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    rewrite: Some(rewrite),
    unlikely: Some(unlikely_cpp),
    rules: &[FAMILY, OWN],
    entries: Entries { functions: &["main", "wmain", "WinMain", "wWinMain"], files: &[] },
    called_by_name: &["main", "wmain", "WinMain", "wWinMain", "begin", "end"],
    tests: Tests { runner: "ctest", prefixes: &["test", "TEST"], ..Tests::NONE },
    separator: "::",
    modules: ModuleScheme::Declared,
    modifiers: &[
        ("static", Modifier::Flag(Flags::STATIC)),
        ("extern", Modifier::Flag(Flags::EXTERN)),
        ("inline", Modifier::Flag(Flags::INLINE)),
        ("__inline", Modifier::Flag(Flags::INLINE)),
        ("__inline__", Modifier::Flag(Flags::INLINE)),
        ("__forceinline", Modifier::Flag(Flags::INLINE)),
        ("const", Modifier::TypeFlag(Flags::CONST)),
        ("constexpr", Modifier::Flag(Flags::CONST)),
        ("public", Modifier::Visible(Visibility::Public)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("private", Modifier::Visible(Visibility::Private)),
        ("virtual", Modifier::Flag(Flags::VIRTUAL)),
        ("override", Modifier::Flag(Flags::OVERRIDE)),
        ("final", Modifier::Flag(Flags::FINAL)),
        ("consteval", Modifier::Flag(Flags::CONST)),
        ("constinit", Modifier::Flag(Flags::CONST)),
        ("class", Modifier::Flag(Flags::SCOPED)),
        ("struct", Modifier::Flag(Flags::SCOPED)),
        ("friend", Modifier::Kind(SymbolKind::Function)),
        ("==", Modifier::Op(Op::Test)),
        ("!=", Modifier::Op(Op::Test)),
        ("<", Modifier::Op(Op::Test)),
        (">", Modifier::Op(Op::Test)),
        ("<=", Modifier::Op(Op::Test)),
        (">=", Modifier::Op(Op::Test)),
        ("&&", Modifier::Op(Op::Test)),
        ("||", Modifier::Op(Op::Test)),
    ],
    visibility: DefaultVisibility::Sections,
    constructors: &["="],
    calls: &[
        ("static_cast", CallRole::Cast),
        ("dynamic_cast", CallRole::Cast),
        ("const_cast", CallRole::Cast),
        ("reinterpret_cast", CallRole::Cast),
    ],
    types_around_names: true,
    declarators_construct: true,
    linking: Linking {
        arity: Arity::Free,
        family: "c",
        headers: true,
        members_in_scope: true,
        outside_members: true,
        overloads: true,
        imports: ImportScheme::Include,
        include_folders: INCLUDE_FOLDERS,
        included_extensions: INCLUDED,
        standard_modules: STANDARD_HEADERS,
        builtins: &["std"],
        basics: BASICS,
        literals: &[
            (Literal::Bool, "bool"),
            (Literal::Test, "bool"),
            (Literal::Char, "char"),
            (Literal::String, "char"),
            (Literal::Number, "int"),
            (Literal::Double, "double"),
            (Literal::Float, "float"),
        ],
        widens: WIDENS,
        containers: &[
            ("vector", holds(0)),
            ("array", holds(0)),
            ("deque", holds(0)),
            ("list", holds(0)),
            ("set", holds(0)),
            ("unordered_set", holds(0)),
            ("span", holds(0)),
            ("initializer_list", holds(0)),
            ("queue", holds(0)),
            ("stack", holds(0)),
            ("map", MAP),
            ("unordered_map", MAP),
            ("unique_ptr", points_to(0)),
            ("shared_ptr", points_to(0)),
            ("weak_ptr", points_to(0)),
            ("make_unique", points_to(0)),
            ("make_shared", points_to(0)),
            ("auto_ptr", points_to(0)),
            ("multimap", MAP),
            ("multiset", holds(0)),
            ("priority_queue", holds(0)),
            ("forward_list", holds(0)),
            ("optional", points_to(0)),
            ("atomic", points_to(0)),
            ("reference_wrapper", points_to(0)),
        ],
        maps_give_pairs: true,
        pair: ("pair", ["first", "second"]),
        behind: "operator->",
        methods: &[
            ("get lock value load front back at top", Gives::Value),
            ("begin end cbegin cend rbegin rend find lower_bound upper_bound", Gives::Entry),
        ],
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

/// Types that are words, or as good as words.
const BASICS: &[&str] = &[
    "bool", "char", "int", "float", "double", "void", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "char8_t", "char16_t",
    "char32_t", "unsigned", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "short",
    "unsigned short", "unsigned char", "signed char", "long double", "wchar_t",
];

/// What values of basic types can be passed as, the closest first.
const WIDENS: &[(&str, &str)] = &[
    ("bool", "int int32_t long size_t int64_t uint64_t unsigned double float"),
    (
        "char",
        "int int32_t long size_t int64_t uint64_t unsigned double float bool string string_view basic_string_view",
    ),
    (
        "int",
        "int32_t long int64_t size_t uint64_t uint32_t unsigned uint8_t int8_t uint16_t int16_t short double float bool",
    ),
    ("float", "double int size_t"),
    ("double", "float int size_t long int64_t"),
    ("size_t", "uint64_t uint32_t unsigned int long int64_t double"),
    ("int32_t", "int int64_t size_t uint64_t double"),
    ("uint32_t", "unsigned uint64_t size_t int int64_t double"),
    ("int64_t", "long uint64_t size_t int double"),
    ("uint64_t", "size_t int64_t int double"),
    ("unsigned", "uint32_t uint64_t size_t int long int64_t double"),
    ("long", "int64_t int size_t uint64_t double"),
    ("short", "int int32_t long int64_t double"),
];

const OWN: &[Rule] = &[
    on(&["namespace_identifier"], Act::Ident),
    on(&["destructor_name"], Act::Ident).rest(Slot::Skip).names(SymbolKind::Destructor),
    on(&["operator_name"], Act::Ident).rest(Slot::Skip).names(SymbolKind::Operator),
    on(&["raw_string_literal"], Act::Str),
    on(&["user_defined_literal"], Act::Pass),
    on(&["literal_suffix"], Act::Skip),
    on(&["this"], Act::This),
    on(&["auto"], Act::Builtin),
    on(&["primitive_type", "sized_type_specifier"], Act::BasicType),
    on(&["binary_expression"], Act::Unary(Op::Written)).field("left", Slot::Object).field("right", Slot::Expr),
    // Definitions.
    on(&["function_definition"], Act::Def(SymbolKind::Function))
        .field("type", Slot::Returns)
        .field("declarator", Slot::Bind)
        .field("body", Slot::Body)
        .child("type_qualifier", Slot::Returns)
        .child("default_method_clause", Slot::Body)
        .child("try_statement", Slot::Body)
        .child("attribute_specifier", Slot::Decorator)
        .child("attribute_declaration", Slot::Decorator)
        .rest(Slot::Expr),
    on(&["default_method_clause"], Act::Modifiers).flags(Flags::DEFAULT),
    on(&["pure_virtual_clause"], Act::Modifiers).flags(Flags::ABSTRACT),
    on(&["virtual_specifier"], Act::Modifiers),
    on(&["explicit_function_specifier"], Act::Modifiers).flags(Flags::SCOPED),
    on(&["declaration", "field_declaration"], Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Field })
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .field("value", Slot::Value)
        .field("default_value", Slot::Value)
        .child("type_qualifier", Slot::Type)
        .child("attribute_specifier", Slot::Decorator)
        .child("attribute_declaration", Slot::Decorator)
        .rest(Slot::Expr),
    on(&["class_specifier"], Act::DefOrRef(SymbolKind::Class))
        .field("name", Slot::Bind)
        .field("body", Slot::Body)
        .child("base_class_clause", Slot::Base),
    on(&["struct_specifier"], Act::DefOrRef(SymbolKind::Struct))
        .field("name", Slot::Bind)
        .field("body", Slot::Body)
        .child("base_class_clause", Slot::Base),
    on(&["union_specifier"], Act::DefOrRef(SymbolKind::Union)).field("name", Slot::Bind).field("body", Slot::Body),
    on(&["enum_specifier"], Act::DefOrRef(SymbolKind::Enum))
        .field("name", Slot::Bind)
        .field("base", Slot::Type)
        .field("body", Slot::Body),
    on(&["base_class_clause"], Act::Opaque).child("access_specifier", Slot::Skip),
    on(&["access_specifier"], Act::AccessSection),
    on(&["namespace_definition"], Act::Def(SymbolKind::Namespace)).field("name", Slot::Bind).field("body", Slot::Body),
    on(&["nested_namespace_specifier"], Act::Member).rest(Slot::Property),
    on(&["alias_declaration"], Act::Def(SymbolKind::TypeAlias)).field("name", Slot::Name).field("type", Slot::Type),
    on(&["concept_definition"], Act::Def(SymbolKind::Trait)).field("name", Slot::Name).rest(Slot::Expr),
    on(&["template_declaration"], Act::Wrapper).field("parameters", Slot::TypeParams).opens(ScopeKind::Block),
    on(&["friend_declaration"], Act::Wrapper)
        .child("type_identifier", Slot::Type)
        .child("qualified_identifier", Slot::Type)
        .child("template_type", Slot::Type),
    on(&["template_instantiation"], Act::Skip),
    // Declarators.
    on(&["function_declarator"], Act::FunctionDeclarator)
        .field("declarator", Slot::Bind)
        .field("parameters", Slot::Params)
        .rest(Slot::Expr),
    on(&["abstract_function_declarator"], Act::FunctionDeclarator).field("parameters", Slot::Params).rest(Slot::Expr),
    on(&["trailing_return_type"], Act::List).rest(Slot::Returns),
    on(&["operator_cast"], Act::FunctionDeclarator)
        .field("type", Slot::Type)
        .child("type_qualifier", Slot::Type)
        .rest(Slot::Expr)
        .names(SymbolKind::Operator),
    on(&["reference_declarator"], Act::Unary(Op::Pointer)).rest(Slot::Bind),
    on(&["pointer_type_declarator"], Act::Unary(Op::Pointer)).field("declarator", Slot::Bind),
    on(&["variadic_declarator"], Act::Opaque).flags(Flags::VARIADIC),
    on(&["structured_binding_declarator"], Act::Sequence),
    // Parameters.
    on(&["optional_parameter_declaration"], Act::Param(Flags::HAS_DEFAULT))
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .field("default_value", Slot::Value)
        .child("type_qualifier", Slot::Type)
        .rest(Slot::Expr),
    on(&["variadic_parameter_declaration"], Act::Param(Flags::VARIADIC))
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .child("type_qualifier", Slot::Type)
        .rest(Slot::Expr),
    on(&["..."], Act::Param(Flags::VARIADIC)),
    on(&["template_parameter_list"], Act::Local(BindingKind::TypeParam)).rest(Slot::Bind),
    on(&["optional_type_parameter_declaration"], Act::Opaque).field("default_type", Slot::Type),
    on(&["variadic_type_parameter_declaration"], Act::Opaque).flags(Flags::VARIADIC),
    on(&["requires_clause", "requires_expression"], Act::Opaque).rest(Slot::Expr),
    // Local names and scopes.
    on(&["for_range_loop"], Act::Local(BindingKind::Local))
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .field("right", Slot::Iterable)
        .rest(Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["catch_clause"], Act::Local(BindingKind::Local))
        .field("parameters", Slot::Bind)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["lambda_expression"], Act::Lambda)
        .field("captures", Slot::Expr)
        .field("template_parameters", Slot::TypeParams)
        .field("body", Slot::Body),
    on(&["lambda_capture_initializer"], Act::Local(BindingKind::Local))
        .field("left", Slot::Bind)
        .field("right", Slot::Value),
    // Expressions.
    on(&["qualified_identifier"], Act::Member).field("scope", Slot::Path).field("name", Slot::Property),
    on(&["template_function", "template_type", "template_method"], Act::Apply)
        .field("name", Slot::Object)
        .field("arguments", Slot::TypeArgs),
    on(&["template_argument_list"], Act::List).rest(Slot::TypeArgs),
    on(&["dependent_name", "dependent_type", "parameter_pack_expansion"], Act::Pass),
    on(&["new_expression"], Act::Call)
        .field("placement", Slot::Expr)
        .field("type", Slot::Class)
        .field("declarator", Slot::Expr)
        .field("arguments", Slot::Args),
    on(&["compound_literal_expression"], Act::Call).field("type", Slot::Class).field("value", Slot::Args),
    on(&["field_initializer"], Act::FieldInit)
        .child("field_identifier", Slot::Property)
        .child("qualified_identifier", Slot::Type)
        .child("template_method", Slot::Type)
        .rest(Slot::Expr),
    on(&["decltype"], Act::Opaque).rest(Slot::Expr),
    on(&["co_await_expression"], Act::Unary(Op::Await)).field("argument", Slot::Object),
    on(&["co_return_statement"], Act::Return).rest(Slot::Value),
    on(&["co_yield_statement"], Act::Yield).rest(Slot::Value),
    // Imports.
    on(&["using_declaration"], Act::Import(ImportFlags(0))).rest(Slot::Item),
    on(&["namespace"], Act::ImportMark(ImportFlags::STAR)),
    on(&["namespace_alias_definition"], Act::ImportItem(ImportFlags::MODULE))
        .field("name", Slot::Alias)
        .child("namespace", Slot::Expr)
        .rest(Slot::Item),
];
