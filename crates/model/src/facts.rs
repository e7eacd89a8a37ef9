//! What extraction says about one file. Plain data: indexes instead of pointers, byte offsets instead of text.

use crate::{Flags, RefKind, SymbolKind, Visibility};

/// A half-open range of UTF-8 byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Declares a `u32` index type with a `NONE` value.
macro_rules! index_type {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub const NONE: $name = $name(u32::MAX);

            pub const fn is_some(self) -> bool {
                self.0 != u32::MAX
            }

            pub const fn is_none(self) -> bool {
                self.0 == u32::MAX
            }

            pub const fn index(self) -> usize {
                self.0 as usize
            }

            pub const fn get(self) -> Option<$name> {
                if self.is_some() { Some(self) } else { None }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::NONE
            }
        }
    )*};
}

index_type!(
    /// An entry of [`FileFacts::strings`].
    StrId,
    /// An entry of [`FileFacts::symbols`]; 0 is the file's own module symbol.
    SymbolId,
    /// An entry of [`FileFacts::scopes`]; 0 is the file's own scope.
    ScopeId,
    /// An entry of [`FileFacts::refs`].
    RefId,
    /// An entry of [`FileFacts::exprs`].
    ExprId
);

/// Distinct strings of one file, addressed by [`StrId`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Adds a string and returns its id. The caller makes sure that it is new.
    pub fn push(&mut self, text: &str) -> StrId {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        StrId(self.ends.len() as u32 - 1)
    }

    pub fn get(&self, id: StrId) -> &str {
        let index = id.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|i| self.get(StrId(i as u32)))
    }
}

/// A definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    pub kind: SymbolKind,
    pub name: StrId,
    pub parent: SymbolId,
    pub span: Span,
    pub name_span: Span,
    /// Where the signature ends: the start of the body, or the end of the symbol.
    pub head_end: u32,
    pub flags: Flags,
    pub visibility: Visibility,
    /// The scope that declares it.
    pub scope: ScopeId,
    /// The scope that it opens, if any.
    pub inner: ScopeId,
    /// Scopes written before the name, as in `void Foo::bar()` or a Go receiver: joined by the language's separator.
    pub qualifier: StrId,
    /// The documentation comment or doc string.
    pub doc: Span,
    /// The declared type: of a variable or field, or what a function returns. Text.
    pub type_span: Span,
    pub params: Vec<Param>,
    pub bases: Vec<Span>,
    pub decorators: Vec<Span>,
}

#[expect(clippy::derivable_impls, reason = "a macro declares the variants")]
impl Default for SymbolKind {
    fn default() -> Self {
        SymbolKind::Module
    }
}

#[expect(clippy::derivable_impls, reason = "a macro declares the variants")]
impl Default for Visibility {
    fn default() -> Self {
        Visibility::Unknown
    }
}

/// A parameter as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Param {
    /// The name or the destructuring pattern; empty for an unnamed parameter.
    pub name: Span,
    pub type_span: Span,
    pub default: Span,
    pub flags: Flags,
}

impl Symbol {
    /// The parameters as readers see them: a receiver only where it is written like the others, as in extension methods.
    pub fn shown_params(&self) -> impl Iterator<Item = &Param> {
        let free = self.flags.has(Flags::STATIC) && !self.flags.has(Flags::TYPE_RECEIVER);
        let written = move |param: &Param| self.flags.has(Flags::STATIC) && (free || !param.type_span.is_empty());
        self.params.iter().filter(move |param| !param.flags.has(Flags::RECEIVER) || written(param))
    }
}

/// What kind of region a scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ScopeKind {
    Module,
    Namespace,
    Type,
    Function,
    Block,
}

/// A region in which names are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: ScopeId,
    /// The symbol that references in this scope belong to.
    pub owner: SymbolId,
    pub span: Span,
}

/// How a local name came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum BindingKind {
    Local,
    Param,
    TypeParam,
    /// `global x`: the name means the module's.
    Global,
    /// `nonlocal x`: the name means the next outer function's.
    Nonlocal,
    /// A further assignment to a name that is declared already, kept for its initialiser.
    Again,
    Label,
}

/// The place of the receiver among what a function takes.
pub const RECEIVER_PLACE: u32 = 254;
/// The place of the block that a call is given besides its arguments.
pub const BLOCK_PLACE: u32 = 253;
/// The name under which a block declares its receiver.
pub const BLOCK_RECEIVER: &str = "self";

/// The qualifier of the symbol of a file with imports that hold for other files too: no name has a space in it.
pub const EVERYWHERE: &str = "for all";

/// The name under which a type declares how its values are called.
pub const CALL: &str = "()";

/// A local name: a variable, a parameter, a type parameter. Not a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub kind: BindingKind,
    pub name: StrId,
    pub span: Span,
    pub scope: ScopeId,
    /// Where it can be used from: after its initialiser, in languages where the order of declarations counts.
    pub from: u32,
    /// The declared type or the bound.
    pub ty: ExprId,
    /// The initialiser, with destructuring steps applied.
    pub init: ExprId,
}

/// As many arguments as anything may take.
pub const ANY_COUNT: u8 = u8::MAX;

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    pub name: StrId,
    pub span: Span,
    pub kind: RefKind,
    pub scope: ScopeId,
    /// What stands before the dot of a member.
    pub receiver: ExprId,
    /// The number of arguments of a call; of the name of a type, 1 if a keyword before it says what kind of type it is;
    /// [`ANY_COUNT`] of a member that names a function without calling it.
    pub args: u8,
}

/// One import of one name, module or everything of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    pub span: Span,
    pub scope: ScopeId,
    /// The dotted or `::` path, outermost first. Each part is a reference of kind `import`.
    pub path: Vec<RefId>,
    /// The module as a string literal, without its quotes.
    pub source: StrId,
    pub source_span: Span,
    /// The local name if it differs from the last part of the path.
    pub alias: StrId,
    pub alias_span: Span,
    /// Leading dots of a relative import.
    pub level: u8,
    pub flags: ImportFlags,
}

/// Properties of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ImportFlags(pub u16);

impl ImportFlags {
    /// Everything of the module.
    pub const STAR: ImportFlags = ImportFlags(1);
    /// Visible to importers of this file.
    pub const REEXPORT: ImportFlags = ImportFlags(1 << 1);
    pub const STATIC: ImportFlags = ImportFlags(1 << 2);
    pub const TYPE_ONLY: ImportFlags = ImportFlags(1 << 3);
    /// The path names a module as a whole (`import a.b`), not a member of one.
    pub const MODULE: ImportFlags = ImportFlags(1 << 4);
    /// The default export.
    pub const DEFAULT: ImportFlags = ImportFlags(1 << 5);
    /// The text of a file is included (`#include`).
    pub const INCLUDE: ImportFlags = ImportFlags(1 << 6);
    /// An include in angle brackets, or an absolute path.
    pub const SYSTEM: ImportFlags = ImportFlags(1 << 7);
    /// For its effects only; binds no name.
    pub const BARE: ImportFlags = ImportFlags(1 << 8);
    /// In conditional text that a usual build leaves out.
    pub const INACTIVE: ImportFlags = ImportFlags(1 << 9);

    pub const fn has(self, other: ImportFlags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn insert(&mut self, other: ImportFlags) {
        self.0 |= other.0;
    }
}

/// The operator of an [`Expr`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ExprOp {
    /// The value or type named by reference `a`.
    Ref,
    /// The result of calling `a`; instantiation too.
    Call,
    /// An element of `a`, as in `a[i]`.
    Index,
    /// `await a`.
    Await,
    /// `a?`, `a!`: the value inside a result or optional.
    Try,
    Deref,
    AddressOf,
    /// One item of iterating over `a`.
    Iterate,
    /// Item number `b` of the tuple or list `a`.
    Item,
    /// Member named by string `b` of `a`, from destructuring.
    Key,
    /// Type or function `a` with type arguments: the list `b`.
    Apply,
    /// A list cell: item `a`, rest `b`.
    Cons,
    /// Either `a` or `b`.
    Either,
    /// A tuple of the list `a`.
    Tuple,
    /// An array, slice or list of `a`.
    Array,
    /// `a` or nothing.
    Optional,
    /// A pointer or reference to `a`.
    Pointer,
    /// A function type that returns `a`; `b` is the scope of its parameters, or 0.
    FunctionType,
    /// A literal of kind `a` (see [`Literal`]); `b` is the text of a string.
    Literal,
    /// A function without a name; `a` is its scope.
    Lambda,
    /// The receiver of the method around scope `a`.
    This,
    /// The same as its base type.
    Super,
    /// The symbol `a` of this file, where a definition stands as a type or value.
    Own,
    /// The type without a name whose members scope `a` declares.
    Shape,
    /// A value of type `a` whatever it was before: casts, type tests.
    Typed,
    /// What import number `a` of this file loads, as a value.
    Module,
    /// What argument number `b` of a call of `a` has to be.
    Takes,
    /// As a type: the type of the value `a`.
    TypeOf,
    /// A call of `a` with the list of arguments `b`.
    Arguments,
    /// The value `a` as the variant or type that `b` names, taken apart by a pattern; `a` may be absent.
    Case,
    /// What has the parameters of the function or constructor `a` as its members.
    Parameters,
    /// `a` and `b` at once: a value of both types.
    Meet,
    /// The outermost namespace: what a path starts from that begins with its separator.
    Root,
    /// As an argument: the value `a` for the parameter that string `b` names.
    Named,
}

/// The literal kinds whose type a linker may want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Literal {
    String,
    Number,
    Bool,
    Null,
    List,
    Map,
    Set,
    Regex,
    Char,
    /// A value of which nothing is known.
    Other,
    /// A whole number that says that it is long.
    Long,
    /// A number with a fraction, and one that says that it is short.
    Double,
    Float,
    /// A type as a value.
    Type,
    /// As a type: one that the language has a word for. `b` is the word.
    Basic,
    /// The result of a comparison or another test of several operands.
    Test,
    /// A number that says that its fraction is decimal.
    Decimal,
}

/// An expression or type expression, as far as a linker needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expr {
    pub op: ExprOp,
    pub a: u32,
    pub b: u32,
}

/// What an expression says about a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tie {
    /// Declared type of a variable, return type of a function, meaning of an alias.
    Type,
    /// Initialiser of a variable or field.
    Init,
    Base,
    Implements,
    /// A returned value.
    Return,
    Yield,
    /// The type that an impl block, an extension or a method receiver belongs to.
    SelfType,
    Decorator,
    /// A call with its arguments, where they decide between functions of the same name. Belongs to the file's symbol.
    Call,
    /// A module whose methods the type itself has, not its values.
    Extends,
    /// A member of a base that stands for those of its name that other bases have.
    Instead,
    /// What the receiver is in the block that a method runs.
    Within,
    /// It is there when the named macro is defined; a cast around the name: when its value is not zero.
    When,
    /// It is there when that is not so.
    Unless,
    /// It is there under those standards of the language whose bits are set in the number `a` of a literal.
    Standards,
}

/// A symbol and an expression that describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    pub symbol: SymbolId,
    pub tie: Tie,
    pub expr: ExprId,
}

/// In which kinds of text a term stands on a line; `DEF` marks the line where a symbol of that name is defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermMask(pub u8);

impl TermMask {
    pub const CODE: TermMask = TermMask(1);
    pub const COMMENT: TermMask = TermMask(2);
    pub const STRING: TermMask = TermMask(4);
    pub const DEF: TermMask = TermMask(8);

    pub const fn has(self, other: TermMask) -> bool {
        self.0 & other.0 != 0
    }
}

/// A term on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TermLine {
    pub term: StrId,
    /// 1-based.
    pub line: u32,
    pub mask: TermMask,
}

/// Something that kept a file from being read completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The parser met text that it did not understand: how many places.
    Syntax(u32),
    /// Parsing took too long; nothing but terms was taken.
    TimedOut,
    /// It has more parts than are kept for a file of its size; nothing but terms was taken, or only the first of them.
    Dense,
}

/// Everything that extraction says about one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    pub strings: Strings,
    /// Byte offset of the start of each line; never empty.
    pub line_starts: Vec<u32>,
    /// Length of the text in bytes.
    pub length: u32,
    /// In creation order; a parent comes before its children.
    pub symbols: Vec<Symbol>,
    pub scopes: Vec<Scope>,
    pub bindings: Vec<Binding>,
    pub imports: Vec<Import>,
    /// Ordered by position.
    pub refs: Vec<Reference>,
    pub exprs: Vec<Expr>,
    pub notes: Vec<Note>,
    /// Ordered by term, then line; one entry each.
    pub terms: Vec<TermLine>,
    /// The comment at the top of the file.
    pub header: Span,
    /// The package or namespace that the file declares itself to be in.
    pub package: StrId,
    pub problems: Vec<Problem>,
    /// The comments at its top say that a program wrote it.
    pub generated: bool,
    /// The lines, from 1, whose columns depend on what is counted: those with more than ASCII in them. All lines, if a
    /// carriage return alone ends one: who takes it for an end numbers them otherwise.
    pub uneven_lines: Vec<u32>,
}

impl FileFacts {
    /// The 1-based line of a byte offset.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// The 1-based line and the 0-based byte column of an offset.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.line_of(offset).max(1);
        (line, offset - self.line_starts[line as usize - 1])
    }

    pub fn name(&self, id: StrId) -> &str {
        self.strings.get(id)
    }

    /// The name that an import declares, and where it stands.
    pub fn bound_name(&self, import: &Import) -> Option<(StrId, Span)> {
        if import.flags.has(ImportFlags::BARE) {
            return None;
        }
        if import.alias.is_some() {
            return Some((import.alias, import.alias_span));
        }
        let whole = import.flags.has(ImportFlags::MODULE);
        let part = if whole { import.path.first() } else { import.path.last() };
        part.map(|part| &self.refs[part.index()]).map(|part| (part.name, part.span))
    }

    /// The name of the type in a type expression, without its arguments.
    pub fn type_name(&self, mut id: ExprId) -> Option<StrId> {
        while id.is_some() {
            let expr = self.exprs[id.index()];
            match expr.op {
                ExprOp::Ref => return Some(self.refs[expr.a as usize].name),
                ExprOp::Apply | ExprOp::Pointer | ExprOp::Optional | ExprOp::Typed => id = ExprId(expr.a),
                _ => return None,
            }
        }
        None
    }

    /// The impl blocks and the names of the types that they are about.
    pub fn impl_types(&self) -> impl Iterator<Item = (StrId, SymbolId)> + '_ {
        let is_impl = |symbol: SymbolId| self.symbols[symbol.index()].kind == SymbolKind::Impl;
        let about = self.notes.iter().filter(move |note| note.tie == Tie::SelfType && is_impl(note.symbol));
        about.filter_map(|note| Some((self.type_name(note.expr)?, note.symbol)))
    }

    /// The names of the types that impl blocks and qualified definitions are about, some more than once.
    pub fn extended_types(&self) -> impl Iterator<Item = StrId> + '_ {
        let qualifiers = self.symbols.iter().filter_map(|symbol| symbol.qualifier.get());
        self.impl_types().map(|(name, _)| name).chain(qualifiers)
    }
}
