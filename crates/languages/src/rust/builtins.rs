//! Names that are there without an import: the prelude, with macros and attributes.

pub(crate) static BUILTINS: &[&str] = &[
    "AsMut", "AsRef", "Box", "Clone", "Copy", "Debug", "Default", "DoubleEndedIterator", "Drop", "Eq", "Err",
    "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From", "FromIterator", "Future", "Hash", "Into",
    "IntoFuture", "IntoIterator", "Iterator", "None", "Ok", "Option", "Ord", "PartialEq", "PartialOrd", "Result",
    "Send", "Sized", "Some", "String", "Sync", "ToOwned", "ToString", "TryFrom", "TryInto", "Unpin", "Vec", "alloc",
    "allow", "assert", "assert_eq", "assert_ne", "bench", "bool", "cfg", "char", "column", "compile_error", "concat",
    "concat_idents", "core", "dbg", "debug_assert", "debug_assert_eq", "debug_assert_ne", "deny", "deprecated",
    "derive", "doc", "drop", "env", "eprint", "eprintln", "expect", "f32", "f64", "file", "forbid", "format",
    "format_args", "global_allocator", "i128", "i16", "i32", "i64", "i8", "ignore", "include", "include_bytes",
    "include_str", "inline", "isize", "line", "matches", "module_path", "must_use", "option_env", "panic", "print",
    "println", "proc_macro", "repr", "should_panic", "std", "str", "stringify", "test", "thread_local", "todo", "u128",
    "u16", "u32", "u64", "u8", "unimplemented", "unreachable", "usize", "vec", "warn", "write", "writeln",
];
