//! Names that are there without an import: the global scope of the language and its common hosts.

pub(crate) static BUILTINS: &[&str] = &[
    "AbortController", "AbortSignal", "Array", "ArrayBuffer", "ArrayIterator", "ArrayLike", "AsyncFunction",
    "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Atomics", "Awaited", "BigInt", "BigInt64Array",
    "BigUint64Array", "Blob", "Boolean", "Buffer", "Capitalize", "ConstructorParameters", "DataView", "Date",
    "Element", "Error", "EvalError", "Event", "EventTarget", "Exclude", "Extract", "File", "FinalizationRegistry",
    "Float32Array", "Float64Array", "FormData", "Function", "Generator", "HTMLElement", "Headers", "Infinity",
    "InstanceType", "Int16Array", "Int32Array", "Int8Array", "Intl", "Iterable", "IterableIterator", "Iterator",
    "JSON", "KeyboardEvent", "Lowercase", "Map", "MapIterator", "Math", "MouseEvent", "NaN", "NoInfer", "Node",
    "NodeJS", "NodeList", "NonNullable", "Number", "Object", "Omit", "OmitThisParameter", "Parameters", "Partial",
    "Pick", "Promise", "PromiseLike", "PropertyDescriptor", "PropertyKey", "Proxy", "RangeError", "Readonly",
    "ReadonlyArray", "ReadonlyMap", "ReadonlySet", "Record", "ReferenceError", "Reflect", "RegExp", "Request",
    "Required", "Response", "ReturnType", "Set", "SharedArrayBuffer", "String", "Symbol", "SyntaxError",
    "TemplateStringsArray", "TextDecoder", "TextEncoder", "ThisParameterType", "ThisType", "TypeError", "URIError",
    "URL", "URLSearchParams", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "Uncapitalize",
    "Uppercase", "WeakMap", "WeakRef", "WeakSet", "__dirname", "__filename", "arguments", "clearImmediate",
    "clearInterval", "clearTimeout", "console", "crypto", "decodeURI", "decodeURIComponent", "document", "encodeURI",
    "encodeURIComponent", "escape", "eval", "exports", "fetch", "global", "globalThis", "history", "isFinite", "isNaN",
    "localStorage", "location", "module", "navigator", "parseFloat", "parseInt", "performance", "process",
    "queueMicrotask", "require", "sessionStorage", "setImmediate", "setInterval", "setTimeout", "structuredClone",
    "undefined", "unescape", "window",
];
