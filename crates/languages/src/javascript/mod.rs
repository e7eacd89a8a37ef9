//! JavaScript and JSX, and the rules that languages with the same expressions and statements share.

mod builtins;
pub(crate) mod flow;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind};

use crate::doc_types::*;
use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "javascript",
    exchanged: "JavaScript",
    manifest: "package.json",
    registry: "npm",
    reserved: &["false", "null", "super", "this", "true", "void"],
    conditionals: &["if_statement", "try_statement", "switch_statement", "ternary_expression"],
    extensions: &["js", "jsx", "mjs", "cjs"],
    interpreters: &["node", "nodejs", "deno", "bun"],
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    rules: &[COMMON, JSX, OWN],
    entries: Entries { functions: &[], files: &["index", "main", "app", "server", "cli"] },
    called_by_name: &["constructor", "toString", "valueOf", "toJSON", "then"],
    modifiers: &[
        ("async", Modifier::Flag(Flags::ASYNC)),
        ("static", Modifier::Flag(Flags::STATIC)),
        ("const", Modifier::Flag(Flags::CONST)),
        ("default", Modifier::Flag(Flags::DEFAULT)),
        ("get", Modifier::Kind(SymbolKind::Getter)),
        ("static get", Modifier::Kind(SymbolKind::Getter)),
        ("set", Modifier::Kind(SymbolKind::Setter)),
        ("*", Modifier::Flag(Flags::GENERATOR)),
    ],
    receiver_fields: true,
    doc_types: Some(&DOC_TYPES),
    last_definition_runs: true,
    assignment_declares_globals: true,
    linking: Linking { loads_are_imports: true, types_apart: false, ..BASE.linking },
    ..BASE
};

static DOC_TYPES: DocTypes = DocTypes {
    order: DocOrder::Braced,
    tags: &[
        ("param", DocTag::Param),
        ("arg", DocTag::Param),
        ("argument", DocTag::Param),
        ("return", DocTag::Returns),
        ("returns", DocTag::Returns),
        ("type", DocTag::Variable),
        ("typedef", DocTag::Typedef),
        ("callback", DocTag::Callback),
        ("property", DocTag::Property),
        ("prop", DocTag::Property),
        ("implements", DocTag::Mixin),
        ("template", DocTag::Template),
        ("import", DocTag::Import),
    ],
    prefixes: &[],
    basics: &[
        "string", "number", "boolean", "bool", "bigint", "symbol", "any", "unknown", "never", "void", "null",
        "undefined", "object", "Object", "function", "Function", "true", "false", "String", "Number", "Boolean",
        "const",
    ],
    lists: &[],
};

/// What holds for the whole family.
pub(crate) const BASE: Language = Language {
    tests: Tests { runner: "jest", calls: &["it", "test", "describe", "suite", "specify"], ..Tests::NONE },
    separator: ".",
    modules: ModuleScheme::SlashPath,
    visibility: DefaultVisibility::Exported,
    constructors: &["constructor"],
    doc_prefixes: &["/**"],
    calls: &[("require", CallRole::Import(ImportFlags::MODULE)), ("import", CallRole::Import(ImportFlags::MODULE))],
    flow: Some(&flow::FLOW),
    object_members: true,
    values_have_context: true,
    invokers: &["call", "apply"],
    base_word: "extends",
    inheriting_calls: &["inherits", "inherit", "setPrototypeOf"],
    linking: Linking {
        arity: Arity::Free,
        modules_are_values: true,
        open_values: &["any", "unknown", "object", "Object", "Function"],
        builtins: builtins::BUILTINS,
        family: "javascript",
        ordered_locals: false,
        bodies_are_scopes: false,
        outside_members: true,
        exports_apart: true,
        imports: ImportScheme::Files {
            extensions: &["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs"],
            built: &["js", "jsx", "mjs", "cjs", "ts", "mts", "cts"],
            folder_file: "index",
        },
        declared_overloads: true,
        bases_in_depth: true,
        type_functions: &[
            ("Partial", TypeFunction::Same),
            ("Required", TypeFunction::Same),
            ("Readonly", TypeFunction::Same),
            ("NonNullable", TypeFunction::Same),
            ("Exclude", TypeFunction::Same),
            ("Extract", TypeFunction::Same),
            ("Pick", TypeFunction::Same),
            ("Omit", TypeFunction::Same),
            ("NoInfer", TypeFunction::Same),
            ("Awaited", TypeFunction::Held),
            ("ReturnType", TypeFunction::Result),
            ("InstanceType", TypeFunction::Instance),
        ],
        folders: &["reduce", "reduceRight"],
        standard_modules: MODULES,
        containers: &[
            ("Promise", holds(0)),
            ("PromiseLike", holds(0)),
            ("Array", holds(0)),
            ("ReadonlyArray", holds(0)),
            ("Iterable", holds(0)),
            ("Iterator", holds(0)),
            ("IterableIterator", holds(0)),
            ("AsyncIterable", holds(0)),
            ("Generator", holds(0)),
            ("AsyncGenerator", holds(0)),
            ("Set", holds(0)),
            ("ReadonlySet", holds(0)),
            ("Map", MAP),
            ("ReadonlyMap", MAP),
            ("WeakMap", MAP),
            ("Record", MAP),
        ],
        methods: &[
            ("get find findLast pop shift at", Gives::Value),
            ("filter slice concat reverse sort toSorted toReversed splice", Gives::Same),
            ("values", Gives::Values),
            ("keys", Gives::Items),
            ("entries", Gives::Pairs),
        ],
        ..Linking::DEFAULT
    },
    member_assignments: Some(MemberAssignments {
        exports: &["exports", "module.exports"],
        transparent: &["prototype"],
        makers: &["Object.create(", "new "],
        passes: &["Object.create", "Object.freeze", "Object.seal"],
        givers: &[("Object.assign", Giver::Members), ("Object.defineProperty", Giver::Member)],
    }),
    ..Language::DEFAULT
};

/// What the runtime has without a package.
const MODULES: &[&str] = &[
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
    "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net",
    "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream", "string_decoder",
    "sys", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
];

/// A variable outside functions is a symbol; names in a class body are fields.
pub(crate) const VARIABLE: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Field };

pub(crate) const COMMON: &[Rule] = &[
    on(&["identifier", "property_identifier", "private_property_identifier", "default", "import"], Act::Ident),
    on(&["statement_identifier"], Act::Skip),
    on(&["comment", "html_comment"], Act::Comment),
    on(&["hash_bang_line"], Act::Prose),
    on(&["string", "template_string"], Act::Str),
    on(&["template_substitution"], Act::Interpolation).rest(Slot::Expr),
    on(&["regex"], Act::Literal(Literal::Regex)),
    on(&["number"], Act::Literal(Literal::Number)),
    on(&["true", "false"], Act::Literal(Literal::Bool)),
    on(&["null", "undefined"], Act::Literal(Literal::Null)),
    on(&["array"], Act::Literal(Literal::List)),
    on(&["object"], Act::Literal(Literal::Map)),
    on(&["this"], Act::This),
    on(&["super"], Act::Super),
    // Definitions.
    on(&["function_declaration"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["generator_function_declaration"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body)
        .flags(Flags::GENERATOR),
    on(&["function_expression"], Act::DefValue(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["generator_function"], Act::DefValue(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body)
        .flags(Flags::GENERATOR),
    on(&["arrow_function"], Act::Lambda)
        .field("parameter", Slot::Params)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["method_definition"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("decorator", Slot::Decorator)
        .field("body", Slot::Body),
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("decorator", Slot::Decorator)
        .child("class_heritage", Slot::Base)
        .field("body", Slot::Body),
    on(&["class"], Act::DefValue(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("decorator", Slot::Decorator)
        .child("class_heritage", Slot::Base)
        .field("body", Slot::Body),
    on(&["class_static_block"], Act::Scope(ScopeKind::Function)),
    on(&["decorator"], Act::Attribute).rest(Slot::Decorator),
    // A name that has to be computed is none.
    on(&["computed_property_name"], Act::List).rest(Slot::Expr),
    // Variables and patterns.
    on(&["lexical_declaration"], VARIABLE),
    on(&["variable_declaration"], VARIABLE).hoists(),
    on(&["variable_declarator"], Act::Initialized).field("name", Slot::Bind).field("value", Slot::Value),
    on(&["object_pattern"], Act::Opaque),
    on(&["pair_pattern"], Act::Keyed).field("key", Slot::Property).field("value", Slot::Inherit),
    on(&["shorthand_property_identifier_pattern"], Act::Keyed),
    on(&["array_pattern"], Act::Sequence),
    on(&["rest_pattern"], Act::Opaque).flags(Flags::VARIADIC),
    on(&["assignment_pattern", "object_assignment_pattern"], Act::Defaulted)
        .field("left", Slot::Inherit)
        .field("right", Slot::Value),
    on(&["formal_parameters"], Act::Params).rest(Slot::Bind),
    on(&["assignment_expression"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["augmented_assignment_expression"], Act::Assign).field("left", Slot::Update).field("right", Slot::Value),
    on(&["update_expression"], Act::Assign).field("argument", Slot::Update),
    // Scopes.
    on(&["statement_block", "switch_body", "for_statement"], Act::Opaque).opens(ScopeKind::Block),
    on(&["for_in_statement"], Act::Local(BindingKind::Local))
        .field("left", Slot::Bind)
        .field("right", Slot::Iterable)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["catch_clause"], Act::Local(BindingKind::Local))
        .field("parameter", Slot::Bind)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    // Expressions.
    on(&["call_expression"], Act::Call).field("function", Slot::Callee).field("arguments", Slot::Args),
    on(&["new_expression"], Act::Call).field("constructor", Slot::Class).field("arguments", Slot::Args),
    on(&["member_expression"], Act::Member).field("object", Slot::Object).field("property", Slot::Property),
    on(&["subscript_expression"], Act::Unary(Op::Index)).field("object", Slot::Object).field("index", Slot::Expr),
    on(&["await_expression"], Act::Unary(Op::Await)).rest(Slot::Object),
    on(&["ternary_expression"], Act::Either)
        .field("condition", Slot::Expr)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["binary_expression"], Act::Either).field("left", Slot::Object).field("right", Slot::Object),
    on(&["parenthesized_expression"], Act::Pass),
    on(&["spread_element"], Act::Copied).rest(Slot::Object),
    on(&["pair"], Act::Pair).field("key", Slot::Property).field("value", Slot::Value),
    on(&["shorthand_property_identifier"], Act::Pair),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    on(&["yield_expression"], Act::Yield).rest(Slot::Value),
    // Imports and exports.
    on(&["import_statement"], Act::Import(ImportFlags(0))).field("source", Slot::Module),
    on(&["import_clause"], Act::ImportItem(ImportFlags::DEFAULT)).child("identifier", Slot::Alias),
    on(&["namespace_import"], Act::ImportItem(ImportFlags::STAR)).child("identifier", Slot::Alias),
    on(&["import_specifier"], Act::ImportItem(ImportFlags(0))).field("name", Slot::Item).field("alias", Slot::Alias),
    on(&["import_attribute"], Act::Skip),
    on(&["export_statement"], Act::Wrapper)
        .field("decorator", Slot::Decorator)
        .field("source", Slot::Module)
        .field("value", Slot::Value)
        .flags(Flags::EXPORT),
    on(&["export_clause"], Act::Import(ImportFlags::REEXPORT)),
    on(&["export_specifier"], Act::ImportItem(ImportFlags::REEXPORT))
        .field("name", Slot::Item)
        .field("alias", Slot::Alias),
    on(&["namespace_export"], Act::ImportItem(ImportFlags::STAR)).child("identifier", Slot::Alias),
];

pub(crate) const JSX: &[Rule] = &[
    on(&["jsx_opening_element", "jsx_self_closing_element"], Act::Call).field("name", Slot::Element),
    on(&["jsx_closing_element"], Act::Opaque).field("name", Slot::Element),
    on(&["jsx_attribute"], Act::Pair).child("property_identifier", Slot::Property).rest(Slot::Value),
    on(&["jsx_expression"], Act::Pass),
    on(&["jsx_namespace_name"], Act::Skip),
    on(&["jsx_text", "html_character_reference"], Act::Text),
];

const OWN: &[Rule] = &[
    on(&["field_definition"], VARIABLE)
        .field("property", Slot::Name)
        .field("value", Slot::Value)
        .field("decorator", Slot::Decorator),
    on(&["class_heritage"], Act::Opaque),
    on(&["using_declaration"], VARIABLE),
];
