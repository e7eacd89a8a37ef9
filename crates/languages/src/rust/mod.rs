//! Rust.

mod builtins;
mod cursor;
mod expand;
mod macros;
mod matching;
mod tokens;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Visibility};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "rust",
    exchanged: "Rust",
    manifest: "Cargo.toml",
    registry: "cargo",
    reserved: &["Self", "crate", "false", "self", "super", "true"],
    conditionals: &["if_expression", "match_expression"],
    extensions: &["rs"],
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    apart: Some(macros::arguments),
    expand: Some(expand::expansions),
    rules: &[RULES],
    entries: Entries { functions: &["main"], files: &[] },
    captures: &[("{", "}"), ("{", ":")],
    called_by_name: &["main"],
    tests: Tests {
        runner: "cargo test",
        names: Runner::Modules,
        marks: &["test", "rstest", "test_case", "quickcheck"],
        anywhere: true,
        ..Tests::NONE
    },
    separator: "::",
    modules: ModuleScheme::Crate,
    modifiers: &[
        ("pub", Modifier::Visible(Visibility::Public)),
        ("async", Modifier::Flag(Flags::ASYNC)),
        ("unsafe", Modifier::Flag(Flags::UNSAFE)),
        ("const", Modifier::Flag(Flags::CONST)),
        ("extern", Modifier::Flag(Flags::EXTERN)),
        ("default", Modifier::Flag(Flags::DEFAULT)),
    ],
    visibility: DefaultVisibility::Always(Visibility::Private),
    constructors: &[],
    doc_prefixes: &["///", "/**", "//!"],
    derives: "derive",
    defines_derive: "proc_macro_derive",
    capital_patterns_refer: true,
    values_have_context: true,
    unnamed_parameters: true,
    path_attribute: "path",
    linking: Linking {
        fields_uncalled: true,
        values_apart: true,
        builtins: builtins::BUILTINS,
        outside_members: true,
        impl_blocks: true,
        static_types: true,
        bodies_are_scopes: false,
        path_words: PathWords {
            root: "crate",
            here: "self",
            up: "super",
            own_type: "Self",
            folder_file: "mod",
            root_files: &["lib", "main"],
        },
        imports: ImportScheme::Paths,
        import_self: Some("self"),
        containers: &[
            ("Box", points_to(0)),
            ("Rc", points_to(0)),
            ("Arc", points_to(0)),
            ("Cow", points_to(0)),
            ("Ref", points_to(0)),
            ("RefMut", points_to(0)),
            ("MutexGuard", points_to(0)),
            ("Option", holds(0)),
            ("Result", Holds { item: 0, index: 1, transparent: false, either: true }),
            ("Vec", holds(0)),
            ("VecDeque", holds(0)),
            ("HashSet", holds(0)),
            ("BTreeSet", holds(0)),
            ("HashMap", MAP),
            ("BTreeMap", MAP),
            ("RefCell", points_to(0)),
            ("Cell", holds(0)),
            ("Mutex", holds(0)),
            ("RwLock", holds(0)),
            ("OnceCell", holds(0)),
            ("OnceLock", holds(0)),
            ("LazyLock", points_to(0)),
            ("RwLockReadGuard", points_to(0)),
            ("RwLockWriteGuard", points_to(0)),
            ("Pin", points_to(0)),
            ("BinaryHeap", holds(0)),
            ("Iterator", holds(0)),
            ("IntoIterator", holds(0)),
            ("Poll", holds(0)),
        ],
        variants: &[("Some", 0), ("Ok", 0), ("Err", 1), ("Ready", 0), ("Owned", 0), ("Borrowed", 0)],
        maps_give_pairs: true,
        methods: &[
            ("unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked into_inner", Gives::Item),
            ("get_or_init get_or_insert_with", Gives::Item),
            ("get get_mut err", Gives::Values),
            ("unwrap_err expect_err", Gives::Value),
            ("remove or_insert or_insert_with or_default", Gives::Value),
            ("values values_mut into_values", Gives::Values),
            ("keys into_keys", Gives::Items),
            ("iter iter_mut into_iter drain", Gives::Pairs),
            ("enumerate", Gives::Numbered),
            ("clone to_owned as_ref as_mut borrow borrow_mut by_ref", Gives::Copy),
            ("as_deref as_deref_mut cloned copied to_vec as_slice", Gives::Same),
            ("rev filter take skip take_while skip_while peekable chain inspect step_by fuse", Gives::Same),
            ("first last next next_back nth find peek pop pop_front pop_back front back min max", Gives::Items),
            ("min_by max_by min_by_key max_by_key first_mut last_mut peek_mut", Gives::Items),
            ("ok ok_or ok_or_else map_err or or_else lock read write entry collect context with_context", Gives::Same),
        ],
        callbacks_apart: &[
            "map_err", "or_else", "unwrap_or_else", "inspect_err", "is_err_and", "map_or_else", "fold", "scan",
        ],
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

const FIELD: Act = Act::Def(SymbolKind::Field);

static RULES: &[Rule] = &[
    on(&["identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"], Act::Ident),
    on(&["line_comment", "block_comment"], Act::Comment),
    on(&["string_literal", "raw_string_literal"], Act::Str),
    on(&["char_literal"], Act::Literal(Literal::Char)),
    on(&["integer_literal", "float_literal"], Act::Literal(Literal::Number)),
    on(&["boolean_literal"], Act::Literal(Literal::Bool)),
    on(&["lifetime"], Act::Ident),
    on(&["label"], Act::Skip),
    on(&["self", "crate", "super"], Act::Ident),
    on(&["primitive_type"], Act::BasicType),
    on(&["metavariable"], Act::Opaque),
    // Definitions.
    on(&["function_item", "function_signature_item"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    on(&["struct_item"], Act::Def(SymbolKind::Struct))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("body", Slot::Body),
    on(&["union_item"], Act::Def(SymbolKind::Union))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("body", Slot::Body),
    on(&["enum_item"], Act::Def(SymbolKind::Enum))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("body", Slot::Body),
    on(&["enum_variant"], Act::Def(SymbolKind::EnumMember))
        .field("name", Slot::Name)
        .field("value", Slot::Value)
        .field("body", Slot::Type),
    on(&["trait_item"], Act::Def(SymbolKind::Trait))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("bounds", Slot::Base)
        .field("body", Slot::Body),
    on(&["impl_item"], Act::Def(SymbolKind::Impl))
        .field("type_parameters", Slot::TypeParams)
        .field("trait", Slot::Implements)
        .field("type", Slot::SelfType)
        .field("body", Slot::Body),
    on(&["mod_item"], Act::Def(SymbolKind::Module)).field("name", Slot::Name).field("body", Slot::Body),
    on(&["const_item"], Act::Def(SymbolKind::Constant))
        .field("name", Slot::Name)
        .field("type", Slot::Type)
        .field("value", Slot::Value),
    on(&["static_item"], Act::Def(SymbolKind::Static))
        .field("name", Slot::Name)
        .field("type", Slot::Type)
        .field("value", Slot::Value),
    on(&["type_item", "associated_type"], Act::Def(SymbolKind::TypeAlias))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("type", Slot::Type)
        .field("bounds", Slot::Base),
    on(&["ordered_field_declaration_list"], Act::Fields)
        .child("visibility_modifier", Slot::Skip)
        .child("attribute_item", Slot::Skip)
        .rest(Slot::Type),
    on(&["field_declaration"], FIELD).field("name", Slot::Name).field("type", Slot::Type),
    on(&["macro_definition"], Act::Def(SymbolKind::Macro)).field("name", Slot::Name),
    on(&["visibility_modifier", "function_modifiers", "extern_modifier"], Act::Modifiers).rest(Slot::Skip),
    on(&["attribute_item", "inner_attribute_item"], Act::Attribute),
    on(&["attribute"], Act::Opaque).field("arguments", Slot::Skip).rest(Slot::Macro),
    // Parameters and type parameters.
    on(&["parameters", "closure_parameters"], Act::Params),
    on(&["parameter"], Act::Param(Flags(0))).field("pattern", Slot::Bind).field("type", Slot::Type),
    on(&["self_parameter"], Act::Param(Flags::RECEIVER)).child("self", Slot::Bind).rest(Slot::Skip),
    on(&["variadic_parameter"], Act::Param(Flags::VARIADIC)).field("pattern", Slot::Bind),
    on(&["type_parameter", "const_parameter"], Act::Local(BindingKind::TypeParam))
        .field("name", Slot::Bind)
        .field("bounds", Slot::Type)
        .field("type", Slot::Type)
        .field("default_type", Slot::Type)
        .field("value", Slot::Expr),
    on(&["lifetime_parameter"], Act::Local(BindingKind::TypeParam))
        .field("name", Slot::Bind)
        .field("bounds", Slot::Type),
    on(&["trait_bounds"], Act::Either).rest(Slot::Object),
    on(&["where_predicate"], Act::TypeBound).field("left", Slot::Returns).field("bounds", Slot::Type),
    // Bindings and patterns.
    on(&["let_declaration"], Act::Local(BindingKind::Local))
        .field("pattern", Slot::Bind)
        .field("type", Slot::Type)
        .field("value", Slot::Value)
        .field("alternative", Slot::Expr),
    on(&["let_condition"], Act::Local(BindingKind::Local)).field("pattern", Slot::Bind).field("value", Slot::Value),
    on(&["for_expression"], Act::Local(BindingKind::Local))
        .field("pattern", Slot::Bind)
        .field("value", Slot::Iterable)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["match_arm"], Act::Scope(ScopeKind::Block)).field("value", Slot::Expr),
    on(&["match_pattern"], Act::Local(BindingKind::Local)).field("condition", Slot::Expr).rest(Slot::Bind),
    on(&["tuple_pattern", "slice_pattern"], Act::Sequence),
    on(&["tuple_struct_pattern"], Act::Sequence).field("type", Slot::Expr),
    on(&["struct_pattern"], Act::TypedPattern).field("type", Slot::Type),
    on(&["field_pattern"], Act::Keyed)
        .field("pattern", Slot::Bind)
        .child("field_identifier", Slot::Property)
        .child("shorthand_field_identifier", Slot::Bind),
    on(&["captured_pattern", "ref_pattern", "reference_pattern", "mut_pattern", "or_pattern"], Act::Opaque),
    on(&["range_pattern"], Act::Opaque).rest(Slot::Expr),
    on(&["generic_pattern"], Act::Opaque).field("type_arguments", Slot::Type).rest(Slot::Expr),
    // Scopes.
    on(
        &["block", "unsafe_block", "async_block", "const_block", "try_block", "gen_block"],
        Act::Scope(ScopeKind::Block),
    ),
    on(&["if_expression", "while_expression"], Act::Scope(ScopeKind::Block)),
    on(&["closure_expression"], Act::Lambda)
        .field("parameters", Slot::Params)
        .field("return_type", Slot::Returns)
        .field("body", Slot::Body),
    // Expressions.
    on(&["call_expression"], Act::Call).field("function", Slot::Callee).field("arguments", Slot::Args),
    on(&["struct_expression"], Act::Call).field("name", Slot::Class).field("body", Slot::Expr),
    on(&["field_initializer"], Act::FieldInit).field("field", Slot::Property).field("value", Slot::Value),
    on(&["macro_invocation"], Act::Call).field("macro", Slot::Macro).child("token_tree", Slot::Code),
    on(&["token_tree", "token_repetition"], Act::Tokens),
    on(&["token_tree_pattern", "token_repetition_pattern", "token_binding_pattern"], Act::Skip),
    on(&["field_expression"], Act::Member).field("value", Slot::Object).field("field", Slot::Property),
    on(&["scoped_identifier", "scoped_type_identifier"], Act::Member)
        .field("path", Slot::Path)
        .field("name", Slot::Property),
    on(&["generic_function", "generic_type", "generic_type_with_turbofish"], Act::Apply)
        .field("function", Slot::Object)
        .field("type", Slot::Object)
        .field("type_arguments", Slot::TypeArgs),
    on(&["index_expression"], Act::Unary(Op::Index)).rest(Slot::Object),
    on(&["unary_expression"], Act::Unary(Op::Deref)).rest(Slot::Object),
    on(&["await_expression"], Act::Unary(Op::Await)).rest(Slot::Object),
    on(&["try_expression"], Act::Unary(Op::Try)).rest(Slot::Object),
    on(&["reference_expression"], Act::Unary(Op::AddressOf)).field("value", Slot::Object),
    on(&["type_cast_expression"], Act::Typed).field("value", Slot::Expr).field("type", Slot::Type),
    on(&["parenthesized_expression", "bracketed_type", "else_clause"], Act::Pass),
    on(&["qualified_type"], Act::Typed).field("alias", Slot::Type).field("type", Slot::Type),
    on(&["assignment_expression"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["compound_assignment_expr"], Act::Assign).field("left", Slot::Update).field("right", Slot::Value),
    on(&["tuple_expression"], Act::Sequence),
    on(&["return_expression"], Act::Return).rest(Slot::Value),
    on(&["match_expression"], Act::Either).field("value", Slot::Subject).field("body", Slot::Object),
    on(&["array_expression"], Act::Literal(Literal::List)),
    // Types.
    on(&["reference_type"], Act::Unary(Op::Pointer)).field("type", Slot::Object),
    on(&["pointer_type"], Act::Unary(Op::Pointer)).field("type", Slot::Object),
    on(&["array_type"], Act::Unary(Op::Array)).field("element", Slot::Object).field("length", Slot::Expr),
    on(&["tuple_type"], Act::Sequence),
    on(&["dynamic_type", "abstract_type"], Act::Pass),
    on(&["function_type"], Act::FunctionType).field("parameters", Slot::Type).field("return_type", Slot::Returns),
    on(&["type_arguments"], Act::List).rest(Slot::TypeArgs),
    on(&["type_binding"], Act::TypeBinding).field("name", Slot::Property).field("type", Slot::Type),
    // Imports.
    on(&["use_declaration"], Act::Import(ImportFlags(0))).field("argument", Slot::Item),
    on(&["use_list"], Act::Import(ImportFlags(0))).rest(Slot::Item),
    on(&["scoped_use_list"], Act::Import(ImportFlags(0))).field("path", Slot::Module),
    on(&["use_as_clause"], Act::ImportItem(ImportFlags(0))).field("path", Slot::Item).field("alias", Slot::Alias),
    on(&["use_wildcard"], Act::Import(ImportFlags::STAR)).rest(Slot::Module),
    on(&["extern_crate_declaration"], Act::ImportItem(ImportFlags::MODULE))
        .field("name", Slot::Item)
        .field("alias", Slot::Alias),
];
