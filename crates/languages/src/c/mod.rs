//! C, and the part of its table that C++ shares.

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind};

use crate::linking::*;
use crate::table::*;

mod arguments;
mod condition;
mod conditionals;
mod heads;
mod rewrite;
mod tokens;
mod unlikely;

pub(crate) use rewrite::rewrite;
pub(crate) use unlikely::unlikely_cpp;

pub(crate) static LANGUAGE: Language = Language {
    name: "c",
    exchanged: "C",
    reserved: &["char", "double", "false", "float", "int", "long", "short", "signed", "true", "unsigned", "void"],
    conditionals: &["if_statement", "switch_statement", "conditional_expression", "preproc_if", "preproc_ifdef"],
    extensions: &["c", "h"],
    fragments: FRAGMENTS,
    grammar: || tree_sitter_c::LANGUAGE.into(),
    rewrite: Some(rewrite::rewrite_c),
    unlikely: Some(unlikely::unlikely_c),
    rules: &[FAMILY, OWN],
    entries: Entries { functions: &["main", "wmain", "WinMain", "wWinMain"], files: &[] },
    called_by_name: &["main", "wmain", "WinMain", "wWinMain"],
    tests: Tests { runner: "ctest", prefixes: &["test"], ..Tests::NONE },
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
    ],
    visibility: DefaultVisibility::Sections,
    types_around_names: true,
    linking: Linking {
        arity: Arity::Free,
        imports: ImportScheme::Include,
        family: "c",
        headers: true,
        tags_leak: true,
        include_folders: INCLUDE_FOLDERS,
        included_extensions: INCLUDED,
        standard_modules: STANDARD_HEADERS,
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

/// Tables that are there to be included; linkers of one system have files of that name too.
pub(crate) const FRAGMENTS: Fragments = Fragments { extensions: &["def"], begins };

/// Whether a text begins with a comment or a line of the preprocessor.
fn begins(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let directive = text.strip_prefix(b"#").map_or(&b""[..], <[u8]>::trim_ascii_start);
    let words = [&b"if"[..], b"define", b"include", b"undef", b"pragma", b"error"];
    text.starts_with(b"//") || text.starts_with(b"/*") || words.iter().any(|word| directive.starts_with(word))
}

/// Folders that builds look into for includes, the likeliest first.
pub(crate) const INCLUDE_FOLDERS: &[&str] = &["include", "inc", "includes", "src", "lib"];

/// Extensions of files that are there to be included.
pub(crate) const INCLUDED: &[&str] =
    &["h", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "txx", "inc", "def", "tcc", "c.inc"];

/// Headers of the C library and of common systems: an include in angle brackets means these.
pub(crate) const STANDARD_HEADERS: &[&str] = &[
    "assert.h", "complex.h", "ctype.h", "dirent.h", "dlfcn.h", "errno.h", "fcntl.h", "fenv.h", "float.h", "fnmatch.h",
    "getopt.h", "glob.h", "grp.h", "iconv.h", "inttypes.h", "io.h", "iso646.h", "langinfo.h", "libgen.h", "limits.h",
    "locale.h", "malloc.h", "math.h", "memory.h", "netdb.h", "poll.h", "process.h", "pthread.h", "pwd.h", "regex.h",
    "sched.h", "semaphore.h", "setjmp.h", "signal.h", "spawn.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h",
    "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "strings.h", "syslog.h", "termios.h",
    "tgmath.h", "threads.h", "time.h", "uchar.h", "unistd.h", "utime.h", "wchar.h", "wctype.h", "windows.h",
    "winsock2.h", "ws2tcpip.h",
];

const VARIABLE: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Field };
const ALIAS: Act = Act::Bind { module: SymbolKind::TypeAlias, member: SymbolKind::TypeAlias };

/// What C and C++ have in common.
pub(crate) const FAMILY: &[Rule] = &[
    on(&["identifier", "type_identifier", "field_identifier", "statement_identifier"], Act::Ident),
    on(&["labeled_statement"], Act::Local(BindingKind::Label)).field("label", Slot::Bind).rest(Slot::Expr).hoists(),
    on(&["goto_statement"], Act::Opaque).field("label", Slot::Expr),
    on(&["comment"], Act::Comment),
    on(&["string_literal", "system_lib_string"], Act::Str),
    on(&["concatenated_string"], Act::Literal(Literal::String)),
    on(&["char_literal"], Act::Literal(Literal::Char)),
    on(&["number_literal"], Act::Literal(Literal::Number)),
    on(&["true", "false"], Act::Literal(Literal::Bool)),
    on(&["null"], Act::Literal(Literal::Null)),
    on(&["initializer_list"], Act::Literal(Literal::List)).rest(Slot::Expr),
    // Macros of the standard headers that the grammar takes for keywords: words all the same.
    on(&["NULL", "offsetof", "noreturn"], Act::Raw),
    on(&["primitive_type"], Act::Builtin),
    // Definitions.
    on(&["function_definition"], Act::Def(SymbolKind::Function))
        .field("type", Slot::Returns)
        .field("declarator", Slot::Bind)
        .field("body", Slot::Body)
        .child("type_qualifier", Slot::Returns)
        .child("attribute_specifier", Slot::Decorator)
        .child("attribute_declaration", Slot::Decorator)
        .rest(Slot::Expr),
    on(&["declaration", "field_declaration"], VARIABLE)
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .child("type_qualifier", Slot::Type)
        .child("attribute_specifier", Slot::Decorator)
        .child("attribute_declaration", Slot::Decorator)
        .rest(Slot::Expr),
    on(&["type_definition"], ALIAS)
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .child("type_qualifier", Slot::Type)
        .rest(Slot::Expr),
    on(&["init_declarator"], Act::Initialized).field("declarator", Slot::Bind).field("value", Slot::Value),
    on(&["struct_specifier"], Act::DefOrRef(SymbolKind::Struct)).field("name", Slot::Bind).field("body", Slot::Body),
    on(&["union_specifier"], Act::DefOrRef(SymbolKind::Union)).field("name", Slot::Bind).field("body", Slot::Body),
    on(&["enum_specifier"], Act::DefOrRef(SymbolKind::Enum)).field("name", Slot::Bind).field("body", Slot::Body),
    on(&["enumerator"], Act::Def(SymbolKind::EnumMember)).field("name", Slot::Name).field("value", Slot::Value),
    on(&["linkage_specification"], Act::Wrapper),
    on(&["storage_class_specifier", "type_qualifier"], Act::Modifiers),
    on(&["attribute_specifier", "attribute_declaration", "ms_declspec_modifier", "ms_based_modifier"], Act::Skip),
    // Declarators: the name stands inside.
    on(&["function_declarator"], Act::FunctionDeclarator)
        .field("declarator", Slot::Bind)
        .field("parameters", Slot::Params)
        .rest(Slot::Skip),
    on(&["abstract_function_declarator"], Act::FunctionDeclarator).field("parameters", Slot::Params).rest(Slot::Expr),
    on(&["pointer_declarator"], Act::Unary(Op::Pointer)).field("declarator", Slot::Bind),
    on(&["array_declarator"], Act::Unary(Op::Array)).field("declarator", Slot::Bind).field("size", Slot::Expr),
    on(&["parenthesized_declarator"], Act::Pass).rest(Slot::Bind),
    on(&["abstract_array_declarator"], Act::Opaque).field("size", Slot::Expr),
    // Parameters.
    on(&["parameter_list"], Act::Params).child("identifier", Slot::Bind),
    on(&["parameter_declaration"], Act::Param(Flags(0)))
        .field("type", Slot::Type)
        .field("declarator", Slot::Bind)
        .child("type_qualifier", Slot::Type)
        .rest(Slot::Expr),
    // The preprocessor.
    on(&["preproc_def"], Act::Def(SymbolKind::Macro)).field("name", Slot::Name).field("value", Slot::Value),
    on(&["preproc_function_def"], Act::Def(SymbolKind::Macro))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("value", Slot::Body),
    on(&["preproc_params"], Act::Params).rest(Slot::Bind),
    on(&["preproc_arg", "preproc_directive"], Act::Raw),
    on(&["preproc_include"], Act::Import(ImportFlags::INCLUDE)).field("path", Slot::Item),
    // Scopes.
    on(
        &["compound_statement", "if_statement", "while_statement", "for_statement", "switch_statement"],
        Act::Scope(ScopeKind::Block),
    )
    .rest(Slot::Expr),
    // Expressions.
    on(&["call_expression"], Act::Call).field("function", Slot::Callee).field("arguments", Slot::Args),
    on(&["field_expression"], Act::Member).field("argument", Slot::Object).field("field", Slot::Property),
    on(&["subscript_expression"], Act::Unary(Op::Index)).field("argument", Slot::Object).rest(Slot::Expr),
    on(&["pointer_expression"], Act::Unary(Op::Deref)).field("argument", Slot::Object),
    on(&["cast_expression"], Act::Typed).field("type", Slot::Type).field("value", Slot::Expr),
    on(&["compound_literal_expression"], Act::Call).field("type", Slot::Class).field("value", Slot::Expr),
    on(&["initializer_pair"], Act::FieldInit).field("designator", Slot::Property).field("value", Slot::Value),
    on(&["field_designator"], Act::Pass),
    on(&["subscript_designator", "subscript_range_designator"], Act::Opaque).rest(Slot::Expr),
    on(&["assignment_expression"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["update_expression"], Act::Assign).field("argument", Slot::Update),
    on(&["conditional_expression"], Act::Either)
        .field("condition", Slot::Expr)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["sizeof_expression", "alignof_expression"], Act::Opaque).field("type", Slot::Type),
    on(&["offsetof_expression"], Act::Member).field("type", Slot::Path).field("member", Slot::Property),
    on(&["parenthesized_expression", "extension_expression"], Act::Pass),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    on(&["gnu_asm_output_operand", "gnu_asm_input_operand"], Act::Opaque).field("symbol", Slot::Skip),
    on(&["gnu_asm_goto_list"], Act::Skip),
    // Types.
    on(&["type_descriptor"], Act::Pass).field("declarator", Slot::Expr),
    on(&["generic_expression"], Act::Opaque).child("type_descriptor", Slot::Type),
    on(&["sized_type_specifier"], Act::Opaque).field("type", Slot::Type),
];

const OWN: &[Rule] = &[
    on(&["variadic_parameter"], Act::Param(Flags::VARIADIC)),
    on(&["macro_type_specifier"], Act::Typed).field("name", Slot::Macro).field("type", Slot::Type),
];
