//! What Ruby has without a `require`: classes, modules and constants, and the functions that every object has.

/// Constants of the language itself and functions of `Kernel` and `Module`.
pub(super) static BUILTINS: &[&str] = &[
    // Classes and modules.
    "ARGF", "ARGV", "ArgumentError", "Array", "BasicObject", "Binding", "Class", "ClosedQueueError", "Comparable",
    "Complex", "ConditionVariable", "DATA", "Data", "Dir", "ENV", "EOFError", "Encoding", "EncodingError",
    "Enumerable", "Enumerator", "Errno", "Exception", "FalseClass", "Fiber", "FiberError", "File", "FileTest", "Float",
    "FloatDomainError", "FrozenError", "GC", "Hash", "IO", "IOError", "IndexError", "Integer", "Interrupt", "Kernel",
    "KeyError", "LoadError", "LocalJumpError", "Marshal", "MatchData", "Math", "Method", "Module", "Mutex",
    "NameError", "NilClass", "NoMatchingPatternError", "NoMatchingPatternKeyError", "NoMemoryError", "NoMethodError",
    "NotImplementedError", "Numeric", "Object", "ObjectSpace", "Proc", "Process", "Queue", "RUBY_ENGINE",
    "RUBY_PLATFORM", "RUBY_VERSION", "Ractor", "Random", "Range", "RangeError", "Rational", "Refinement", "Regexp",
    "RegexpError", "RubyVM", "RuntimeError", "STDERR", "STDIN", "STDOUT", "ScriptError", "SecurityError", "Signal",
    "SignalException", "SizedQueue", "StandardError", "StopIteration", "String", "Struct", "Symbol", "SyntaxError",
    "SystemCallError", "SystemExit", "SystemStackError", "TOPLEVEL_BINDING", "Thread", "ThreadError", "ThreadGroup",
    "Time", "TracePoint", "TrueClass", "TypeError", "UnboundMethod", "UncaughtThrowError", "UnicodeNormalize",
    "Warning", "ZeroDivisionError", // Functions.
    "abort", "at_exit", "autoload", "binding", "block_given?", "caller", "caller_locations", "catch", "class_eval",
    "define_method", "dup", "eval", "exec", "exit", "exit!", "extend", "fail", "fork", "format", "freeze", "frozen?",
    "gets", "global_variables", "include", "inspect", "instance_eval", "instance_exec", "instance_variable_get",
    "instance_variable_set", "instance_variables", "is_a?", "kind_of?", "lambda", "load", "local_variables", "loop",
    "method", "methods", "module_eval", "module_function", "nil?", "object_id", "open", "p", "pp", "prepend", "print",
    "printf", "private", "private_class_method", "private_constant", "proc", "protected", "public", "public_send",
    "putc", "puts", "raise", "rand", "readline", "readlines", "refine", "remove_method", "require", "require_relative",
    "respond_to?", "select", "send", "set_trace_func", "singleton_class", "sleep", "spawn", "sprintf", "srand",
    "syscall", "system", "tap", "test", "then", "throw", "trace_var", "trap", "undef_method", "untrace_var", "using",
    "warn", "yield_self",
];
