//! Names of the standard library that links need.

use crate::linking::*;

/// Types and functions that are there without an import.
pub(crate) static BUILTINS: &[&str] = &[
    "Any", "Array", "ArrayList", "Boolean", "BooleanArray", "Byte", "ByteArray", "Char", "CharArray", "CharSequence",
    "ClassCastException", "Collection", "Comparable", "Comparator", "Deprecated", "Double", "DoubleArray", "Enum",
    "Error", "Exception", "Float", "FloatArray", "Function", "HashMap", "HashSet", "IllegalArgumentException",
    "IllegalStateException", "IndexOutOfBoundsException", "Int", "IntArray", "IntRange", "Iterable", "Iterator",
    "JvmField", "JvmName", "JvmOverloads", "JvmStatic", "Lazy", "LinkedHashMap", "LinkedHashSet", "List",
    "ListIterator", "Long", "LongArray", "LongRange", "Map", "MutableCollection", "MutableIterable", "MutableIterator",
    "MutableList", "MutableMap", "MutableSet", "NoSuchElementException", "Nothing", "NullPointerException", "Number",
    "NumberFormatException", "Pair", "Regex", "Result", "RuntimeException", "Sequence", "Set", "Short", "ShortArray",
    "String", "StringBuilder", "Suppress", "Throwable", "Throws", "Triple", "UByte", "UInt", "ULong", "UShort", "Unit",
    "UnsupportedOperationException", "arrayListOf", "arrayOf", "assert", "buildList", "buildMap", "buildString",
    "check", "checkNotNull", "emptyList", "emptyMap", "emptySet", "error", "hashMapOf", "hashSetOf", "lazy",
    "linkedMapOf", "listOf", "listOfNotNull", "mapOf", "maxOf", "minOf", "mutableListOf", "mutableMapOf",
    "mutableSetOf", "print", "println", "repeat", "require", "requireNotNull", "runCatching", "sequence", "sequenceOf",
    "setOf", "synchronized", "TODO", "with",
];

/// What values of common types can be passed as, the closest first.
pub(crate) static WIDENS: &[(&str, &str)] = &[
    ("Any", ""),
    ("Enum", "Comparable Serializable"),
    ("Record", ""),
    ("Comparable", ""),
    ("CharSequence", ""),
    ("Iterable", ""),
    ("AutoCloseable", ""),
    ("Closeable", "AutoCloseable"),
    ("Serializable", ""),
    ("Runnable", ""),
    ("Throwable", "Serializable"),
    ("Exception", "Throwable Serializable"),
    ("RuntimeException", "Exception Throwable Serializable"),
    ("IOException", "Exception Throwable Serializable"),
    ("Boolean", "Comparable"),
    ("Byte", "Number Comparable"),
    ("Short", "Number Comparable"),
    ("Int", "Number Comparable"),
    ("Long", "Number Comparable"),
    ("Float", "Number Comparable"),
    ("Double", "Number Comparable"),
    ("Char", "Comparable"),
    ("String", "CharSequence Comparable"),
    ("StringBuilder", "CharSequence Appendable"),
    ("List", "Collection Iterable"),
    ("MutableList", "List MutableCollection Collection MutableIterable Iterable"),
    ("ArrayList", "MutableList List MutableCollection Collection MutableIterable Iterable RandomAccess"),
    ("Set", "Collection Iterable"),
    ("MutableSet", "Set MutableCollection Collection MutableIterable Iterable"),
    ("HashSet", "MutableSet Set MutableCollection Collection MutableIterable Iterable"),
    ("LinkedHashSet", "MutableSet Set MutableCollection Collection MutableIterable Iterable"),
    ("Collection", "Iterable"),
    ("Map", ""),
    ("MutableMap", "Map"),
    ("HashMap", "MutableMap Map"),
    ("LinkedHashMap", "MutableMap Map HashMap"),
    ("Sequence", ""),
    ("Lazy", ""),
    ("ByteArray", ""),
    ("IntArray", ""),
    ("Reader", "Closeable Readable AutoCloseable"),
    ("StringReader", "Reader Closeable Readable AutoCloseable"),
    ("InputStreamReader", "Reader Closeable Readable AutoCloseable"),
    ("BufferedReader", "Reader Closeable Readable AutoCloseable"),
    ("InputStream", "Closeable AutoCloseable"),
    ("ByteArrayInputStream", "InputStream Closeable AutoCloseable"),
    ("FileInputStream", "InputStream Closeable AutoCloseable"),
    ("OutputStream", "Closeable Flushable AutoCloseable"),
    ("ByteArrayOutputStream", "OutputStream Closeable Flushable AutoCloseable"),
    ("File", "Comparable Serializable"),
    ("Class", "Type GenericDeclaration AnnotatedElement Serializable"),
    ("KClass", "KDeclarationContainer KAnnotatedElement KClassifier"),
];

/// Functions that make containers.
pub(crate) static MAKERS: &[(&str, &str)] = &[
    ("listOf listOfNotNull emptyList buildList", "List"),
    ("mutableListOf arrayListOf", "MutableList"),
    ("setOf emptySet buildSet", "Set"),
    ("mutableSetOf hashSetOf linkedSetOf", "MutableSet"),
    ("arrayOf arrayOfNulls emptyArray", "Array"),
    ("sequenceOf emptySequence", "Sequence"),
    ("mapOf emptyMap buildMap", "Map"),
    ("mutableMapOf hashMapOf linkedMapOf", "MutableMap"),
    ("lazy lazyOf", "Lazy"),
];

const fn scoped(as_receiver: bool, returns_it: bool) -> ScopeFunction {
    ScopeFunction { as_receiver, returns_it }
}

/// Functions of every value that take a function of it.
pub(crate) static SCOPE_FUNCTIONS: &[(&str, ScopeFunction)] = &[
    ("let", scoped(false, false)),
    ("also", scoped(false, true)),
    ("takeIf", scoped(false, true)),
    ("takeUnless", scoped(false, true)),
    ("use", scoped(false, false)),
    ("apply", scoped(true, true)),
    ("run", scoped(true, false)),
];

pub(crate) static CONTAINERS: &[(&str, Holds)] = &[
    ("Iterable", holds(0)),
    ("MutableIterable", holds(0)),
    ("Collection", holds(0)),
    ("MutableCollection", holds(0)),
    ("List", holds(0)),
    ("MutableList", holds(0)),
    ("ArrayList", holds(0)),
    ("LinkedList", holds(0)),
    ("ArrayDeque", holds(0)),
    ("Set", holds(0)),
    ("MutableSet", holds(0)),
    ("HashSet", holds(0)),
    ("LinkedHashSet", holds(0)),
    ("Sequence", holds(0)),
    ("Array", holds(0)),
    ("Iterator", holds(0)),
    ("Lazy", holds(0)),
    ("Flow", holds(0)),
    ("Map", MAP),
    ("MutableMap", MAP),
    ("HashMap", MAP),
    ("LinkedHashMap", MAP),
    ("ConcurrentHashMap", MAP),
];

pub(crate) static METHODS: &[(&str, Gives)] = &[
    ("get getOrDefault getValue getOrPut remove getOrElse getOrNull", Gives::Value),
    ("first last single firstOrNull lastOrNull singleOrNull find findLast elementAt next random max min", Gives::Item),
    ("maxBy minBy maxByOrNull minByOrNull removeAt removeFirst removeLast peek poll pop value", Gives::Item),
    ("filter filterNot filterNotNull sorted sortedBy sortedWith sortedByDescending reversed take drop", Gives::Same),
    ("takeWhile dropWhile toList toMutableList toSet asSequence asIterable onEach distinct distinctBy", Gives::Same),
    ("shuffled subList plus minus iterator asReversed takeLast dropLast", Gives::Same),
    ("map mapNotNull mapIndexed mapIndexedNotNull", Gives::Mapped),
    ("flatMap flatMapIndexed", Gives::Flattened),
    ("chunked windowed", Gives::Groups),
    ("withIndex", Gives::Numbered),
    ("entries", Gives::Pairs),
    ("values", Gives::Values),
    ("keys", Gives::Items),
];

/// What methods that values outside the project have give, whatever the value is.
pub(crate) static RESULTS: &[(&str, &str)] = &[
    ("toString trim trimIndent trimMargin trimStart trimEnd replace substring lowercase uppercase", "String"),
    ("removePrefix removeSuffix padStart padEnd joinToString substringAfter substringBefore readText", "String"),
    ("substringAfterLast substringBeforeLast toLowerCase toUpperCase", "String"),
    ("size length indexOf lastIndexOf hashCode compareTo toInt count", "Int"),
    ("toLong", "Long"),
    ("java javaObjectType javaPrimitiveType javaClass", "Class"),
    ("toDouble", "Double"),
    ("toFloat", "Float"),
    ("contains startsWith endsWith isEmpty isNotEmpty isBlank equals containsKey any all none", "Boolean"),
];
