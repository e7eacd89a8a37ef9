//! Names that are there without an import: the universe block.

pub(crate) static BUILTINS: &[&str] = &[
    "any", "append", "bool", "byte", "cap", "clear", "close", "comparable", "complex", "complex128", "complex64",
    "copy", "delete", "error", "false", "float32", "float64", "imag", "int", "int16", "int32", "int64", "int8", "iota",
    "len", "make", "max", "min", "new", "nil", "panic", "print", "println", "real", "recover", "rune", "string",
    "true", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
];
