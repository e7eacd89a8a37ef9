//! The vocabulary of a language table: which syntax nodes define, bind, call, import or scope something.
//!
//! A table is a list of [`Rule`]s. A rule names node kinds of the grammar, what they do ([`Act`]) and what each child
//! is for ([`Slot`], chosen by field name or by node kind). Extraction interprets tables; it knows no language.

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, Span, SymbolKind, Tie, Visibility};

use crate::doc_types::DocTypes;
use crate::flow::Flow;
use crate::linking::Linking;
pub use crate::testing::{Runner, Tests};

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Nothing of its own. Children keep the context; a value does not pass up, names bound in patterns do.
    Opaque,
    /// A member of one base (Callee) stands for those of the same name that others have.
    Instead,
    /// A block is run with what stands in Args.
    RunBlock,
    /// Transparent: like its only child (parentheses, wrappers). The last value passes up.
    Pass,
    /// A name: reference, bound name or part of a definition, by context. May have children; the name is its whole text.
    Ident,
    /// Like Ident, but a type wherever it is neither bound nor defined.
    TypeIdent,
    /// The name of a built-in type: no reference, and a name only where it is being defined (`typedef int bool`).
    Builtin,
    /// Like Ident, but a member of the receiver by its form: assigning to it declares an instance variable.
    FieldIdent,
    /// Like Ident, but a variable of the whole program by its form.
    GlobalIdent,
    /// Words inside are code, keywords too; nothing else is known (raw preprocessor text, builtin types).
    Raw,
    /// A type that the language has a word for.
    BasicType,
    /// The types of fields without names.
    Fields,
    /// A pattern that says the type or variant of what it takes apart.
    TypedPattern,
    /// `name=value` among the arguments of a call: the name is that of a parameter.
    KeywordArgument,
    /// What a type parameter of the definition around has to be. Slots: Property (the parameter), Type.
    Constraint,
    /// `Name = Type` among the arguments of a type: the name is that of a member of the type. Slots: Property, Type.
    TypeBinding,
    /// A bound of a type parameter that is said apart from it. Slots: Returns (the parameter), Type.
    TypeBound,
    /// Words inside are text, like a string (markup text).
    Text,
    /// Words inside are prose, like a comment.
    Prose,
    /// A comment.
    Comment,
    /// A string literal; children with [`Act::Interpolation`], and names, members and calls, are code again.
    Str,
    /// Code inside a string.
    Interpolation,
    /// A literal without names.
    Literal(Literal),
    /// Defines a symbol and opens a scope. Slots: Name, Params, Returns, Type, Base, Implements, Decorator, Body,
    /// TypeParams, Qualifier, SelfType, Value.
    Def(SymbolKind),
    /// A definition that is a value (class or function expression): takes the name it is assigned to. Its own name is
    /// known only inside then; if it is assigned to none, it is called by its own name. Slots as in Def.
    DefValue(SymbolKind),
    /// A definition if it has a body, else a reference to the type it names (`struct S`).
    DefOrRef(SymbolKind),
    /// Defines symbols (outside functions) or local names (inside) for every name in its Bind slots.
    /// `module` and `member` are the symbol kinds at module level and inside a type. Slots: Bind, Type, Value.
    Bind {
        module: SymbolKind,
        member: SymbolKind,
    },
    /// Like Bind for the fields of a type; without a name it embeds the type in slot Type, which becomes a base and a
    /// field of its own name. Slots: Bind, Type.
    FieldOrBase,
    /// One declarator of a Bind around it, with its own initialiser or type. Slots: Bind, Type, Value.
    Initialized,
    /// Like Bind, but always local: loop variables, catch parameters, type-test patterns. Slots: Bind, Type, Value
    /// (the initialiser) or Iterable (what is iterated over). With the flag REASSIGNED, names that the scope has already
    /// are assigned instead.
    Local(BindingKind),
    /// A list of parameters; names bound directly inside are parameters.
    Params,
    /// One parameter. Slots: Bind, Type, Value or OuterValue (the default).
    Param(Flags),
    /// A pattern with a default: one parameter directly inside a parameter list, else a part of a pattern. Slots: Bind,
    /// Value.
    Defaulted,
    /// Opens a scope. Its value is that of its last part.
    Scope(ScopeKind),
    /// Opens a scope; its value is a list of its first part.
    Comprehension,
    /// Among the members of an object that is written out: it has all those of the value in Object.
    Copied,
    /// A function without a name of its own; takes the name it is assigned to. Slots as in Def.
    Lambda,
    /// `a(b)`. Slots: Callee or Class, Args.
    Call,
    /// `a.b`, `a::b`. Slots: Object or Path, Property; several of these are a path from left to right.
    Member,
    /// A value made from one part: indexing, await, `?`, dereference. The operand has slot Object.
    Unary(Op),
    /// Either of its Object slots (conditional expression, `a or b`, union type).
    Either,
    /// All of its Object slots at once (intersection type).
    Meet,
    /// A list of parts whose positions matter (tuples, destructuring).
    Sequence,
    /// Like Sequence, but one part alone stands for itself.
    Row,
    /// Destructuring by name: a name bound directly inside is the member of that name; with Property it is that member.
    /// On a leaf: the name itself.
    Keyed,
    /// A generic type or function with its arguments. Slots: Object, TypeArgs.
    Apply,
    /// A cast or type test: the value has the type in slot Type.
    Typed,
    /// A function type. Slots: Params, Returns.
    FunctionType,
    /// The receiver of the method.
    This,
    /// The receiver as its base.
    Super,
    /// `a = b`. Slots: Target or Update, Type, Value.
    Assign,
    /// `return x`, `yield x`. Slot: Value.
    Return,
    Yield,
    /// Hands all its values to the node around it (type argument lists, a colon before a type).
    List,
    /// A type written out: opens a scope for its members and is the type without a name that has them.
    Shape,
    /// `key: value` of an object literal; a function value takes the key as its name; a member if the object is named.
    /// On a leaf: key and value in one. Slots: Property, Value.
    Pair,
    /// `field: value` of a literal whose type is the Class of the [`Act::Call`] around it, the type of the variable that
    /// it initialises, or the field that it is the value of. Slots: Property or Key, Value.
    FieldInit,
    /// A C-like function declarator: marks the name inside as a function, unless it is a pointer to one.
    /// Slots: Bind, Params, Returns. Without a name inside, [`Rule::names`] makes one of the text before the parameters.
    FunctionDeclarator,
    /// `#[attribute]` before a definition, as a sibling; in a Decorator slot it belongs to the node around it.
    Attribute,
    /// Wraps a definition: decorators, `export`, `template<>`. What it wraps is declared outside of a scope that it opens
    /// for type parameters. Slots: Decorator, Module (then the imports inside, or else everything, come from there and
    /// are exported again), Value (what is exported).
    Wrapper,
    /// A declaration statement: if it declares one thing alone, that one spans the whole statement.
    Declaration,
    /// A case of a type switch, with a scope: the names that the switch binds have the type in slot Type there.
    TypeCase,
    /// Holds modifier tokens of the definition around it; its flags are the definition's too.
    Modifiers,
    /// `public:`; its tokens set the visibility of what follows in the type.
    AccessSection,
    /// A package or namespace clause for the whole file. Slot: Name.
    Package,
    /// An import statement or one level of it. Slots: Module, Item, Alias.
    Import(ImportFlags),
    /// One imported name. Slots: Item, Alias (and Module for a nested prefix).
    ImportItem(ImportFlags),
    /// Marks the imports around it (`*`, `static`), unless it is in slot Expr.
    ImportMark(ImportFlags),
    /// `include x`: imports the file that a string names. Slot: Value.
    Include(ImportFlags),
    /// Leading dots of a relative import.
    ImportDots,
    /// A flat sequence of macro tokens: calls and members are recognised from the tokens.
    Tokens,
    /// `global x` or `nonlocal x`. Slot: Bind.
    Redirect(BindingKind),
    /// A heading: a symbol that spans everything up to the next heading of its level or a higher one. Slot: Name.
    Heading,
    /// The level of the heading around it; 1 is the highest.
    Level(u8),
    /// A test of the type of a variable. Slots: Object (else the subject around), Type.
    Check,
    /// A statement with branches: what its tests say about variables ends with it, unless they say what is not so.
    Branch,
    /// No names inside count as references; words still count as terms.
    Skip,
}

/// How a [`Act::Unary`] value relates to its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Index,
    Await,
    Try,
    Deref,
    AddressOf,
    Array,
    Optional,
    Pointer,
    /// A new array of the type in slot Type.
    NewArray,
    /// `x++`: the operand is changed in place.
    Step,
    /// The type of the value in slot Expr.
    TypeOf,
    /// A member of the type: the string in slot Expr is its name; else any element of it.
    Lookup,
    /// The operand itself.
    Same,
    /// Two operands that make one value of their kind.
    Both,
    /// Two operands that are compared.
    Test,
    /// What its operator token says ([`Modifier::Op`]), else the operand itself.
    Written,
}

/// What a child is for its parent. It also decides what a name inside means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// As the parent itself.
    Inherit,
    /// The name being defined.
    Name,
    /// The name being defined, dots and all.
    WholeName,
    /// A pattern: names inside are bound.
    Bind,
    Type,
    /// An initialiser or default value.
    Value,
    /// A test that decides whether the part behind it runs.
    Condition,
    /// Like Object, of the part that runs if the condition is not true.
    Otherwise,
    /// A default value that is evaluated in the scope around the function.
    OuterValue,
    /// What a loop iterates over.
    Iterable,
    Body,
    /// The body of a nameless type.
    Members,
    Params,
    /// The parameters of a type that are members of it too.
    Components,
    Returns,
    Base,
    Implements,
    Decorator,
    Callee,
    /// The class in an instantiation.
    Class,
    Macro,
    /// The name of an element of markup: refers to what it names unless it begins with a lower-case letter.
    Element,
    Args,
    Object,
    /// Like Object, of a static path (`a` in `a::b`): a module or a type, not a value.
    Path,
    /// What a match or switch looks at: the initialiser of the names in its patterns.
    Subject,
    Property,
    /// The name of a field, or an ordinary expression if the literal is no record. An assignment inside an
    /// initialiser: what it assigns to is a member of the class.
    Key,
    TypeArgs,
    TypeParams,
    /// What is assigned to; declares the name where the language does so.
    Target,
    /// What is changed in place; never declares.
    Update,
    /// Scopes before a name in a definition.
    Qualifier,
    /// The type that an impl block or a receiver belongs to.
    SelfType,
    /// A parameter list that holds the receiver alone; its type is the one that the method belongs to.
    Receiver,
    Module,
    Item,
    Alias,
    /// An ordinary expression.
    Expr,
    /// Macro arguments: read as code if they look like code.
    Code,
    /// No references inside.
    Skip,
}

const MOST_SLOTS: usize = 12;

/// One row of a language table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub kinds: &'static [&'static str],
    pub act: Act,
    slots: [(Key, Slot); MOST_SLOTS],
    used: usize,
    /// The slot of the first child, if it has one of its own.
    pub first: Slot,
    /// The same for the second child.
    pub second: Slot,
    /// The slot of every other child.
    pub rest: Slot,
    pub flags: Flags,
    /// The node opens a scope of this kind, whatever else it does.
    pub scope: Option<ScopeKind>,
    /// A symbol that is named by this node is of this kind; of a member, what it refers to is.
    pub names: Option<SymbolKind>,
    /// Names bound here belong to the function around, not to the block.
    pub hoists: bool,
    /// The name of a definition that is written without one.
    pub unnamed: &'static str,
}

/// How a child is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Field(&'static str),
    Kind(&'static str),
}

/// A rule for one or more node kinds.
pub const fn on(kinds: &'static [&'static str], act: Act) -> Rule {
    Rule {
        kinds,
        act,
        slots: [(Key::Kind(""), Slot::Inherit); MOST_SLOTS],
        used: 0,
        first: Slot::Inherit,
        second: Slot::Inherit,
        rest: Slot::Inherit,
        flags: Flags(0),
        scope: None,
        names: None,
        hoists: false,
        unnamed: "",
    }
}

impl Rule {
    /// The child in grammar field `name` has this slot.
    pub const fn field(self, name: &'static str, slot: Slot) -> Rule {
        self.slot(Key::Field(name), slot)
    }

    /// A child of node kind `kind` has this slot (a field rule wins).
    pub const fn child(self, kind: &'static str, slot: Slot) -> Rule {
        self.slot(Key::Kind(kind), slot)
    }

    /// The first child has this slot (a field rule wins).
    pub const fn first(mut self, slot: Slot) -> Rule {
        self.first = slot;
        self
    }

    /// The second child has this slot (a field rule wins).
    pub const fn second(mut self, slot: Slot) -> Rule {
        self.second = slot;
        self
    }

    /// Every other child has this slot.
    pub const fn rest(mut self, slot: Slot) -> Rule {
        self.rest = slot;
        self
    }

    /// What is defined here has these flags.
    pub const fn flags(mut self, flags: Flags) -> Rule {
        self.flags = flags;
        self
    }

    /// The node also opens a scope.
    pub const fn opens(mut self, kind: ScopeKind) -> Rule {
        self.scope = Some(kind);
        self
    }

    /// A symbol that is named by this node is of this kind.
    pub const fn names(mut self, kind: SymbolKind) -> Rule {
        self.names = Some(kind);
        self
    }

    /// Names bound here belong to the function around, not to the block.
    pub const fn hoists(mut self) -> Rule {
        self.hoists = true;
        self
    }

    /// A definition without a name has this one.
    pub const fn unnamed(mut self, name: &'static str) -> Rule {
        self.unnamed = name;
        self
    }

    const fn slot(mut self, key: Key, slot: Slot) -> Rule {
        self.slots[self.used] = (key, slot);
        self.used += 1;
        self
    }

    pub fn slots(&self) -> &[(Key, Slot)] {
        &self.slots[..self.used]
    }
}

/// What a modifier token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    Flag(Flags),
    /// A flag of the declared type (`const int`): no pointer to it, and no function that returns it, has it.
    TypeFlag(Flags),
    Visible(Visibility),
    /// The kind of the definition is this one instead.
    Kind(SymbolKind),
    /// The unary expression around it is of this kind.
    Op(Op),
    /// What is imported here has these flags.
    Import(ImportFlags),
    /// The receiver around it is meant as its base.
    Super,
}

/// How visibility follows from a name or a place when no modifier says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultVisibility {
    Always(Visibility),
    /// Leading underscore is private, except `__dunder__`.
    Underscore,
    /// Members of types and names inside functions are private, everything else is internal.
    Nested,
    /// An upper-case first letter is public.
    Capital,
    /// Members are public until a section says otherwise.
    PublicSections,
    /// Members are public unless their name begins with `#`; other names are public if they are exported.
    Exported,
    /// Members: the current section of the type, `private` for classes and public for other types. Elsewhere public,
    /// or private if static.
    Sections,
}

/// Calls that do what other languages have syntax for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRole {
    /// `require "x"`: imports the module named by the first string argument.
    Import(ImportFlags),
    /// `attr_reader :a, :b`: defines a member for each symbol argument.
    Members(SymbolKind),
    /// `def_delegators :to, :a, :b` or `delegate :a, :b, to: :other`: defines a member for each symbol argument that is no
    /// name of what it is passed on to. With one member alone, a second name is its own.
    Delegates { receiver_first: bool, one: bool },
    /// `alias_method :new, :old`: defines a member for the first argument.
    Member(SymbolKind),
    /// `private` alone: the visibility of what follows; with arguments, of what they define or name.
    Section(Visibility),
    /// `include M`: the arguments are bases of the type, or of the type itself as a value.
    Bases(Tie),
    /// `cast<T>(x)`: no call, but a value of type `T`.
    Cast,
    /// `super()`: the receiver as its base.
    Super,
    /// `define("X", 1)`: defines a constant named by the first string argument.
    Constant,
    /// `new(T)`, `append(list, x)`: the value is the first argument, or one of the type that it names.
    First,
}

/// A call whose value is a new class: `Struct.new(:a)`.
#[derive(Clone, Copy, Debug)]
pub struct ClassMaker {
    pub receiver: &'static str,
    pub method: &'static str,
    /// Its symbol arguments are attributes of the class; else its first argument is the base.
    pub attributes: bool,
}

/// Assignments to members that define them: `exports.f = function`, `A.prototype.m = function`.
#[derive(Clone, Copy, Debug)]
pub struct MemberAssignments {
    /// What is assigned to these, or to a member of them, is exported.
    pub exports: &'static [&'static str],
    /// Members that stand for the object they are a member of.
    pub transparent: &'static [&'static str],
    /// What makes an object from another one, before its name.
    pub makers: &'static [&'static str],
    /// Calls whose value has the members of their first argument.
    pub passes: &'static [&'static str],
    /// Calls that give members to their first argument.
    pub givers: &'static [(&'static str, Giver)],
}

/// What a call gives to its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Giver {
    /// The members of the objects after it.
    Members,
    /// The member that a string names, by an object that describes it.
    Member,
}

/// How a file's place in the tree becomes the first part of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleScheme {
    /// The name that the manifest gives, then the `mod` path from the file.
    Crate,
    /// Dotted path of folders; `__init__` and source roots are left out.
    DottedPath { package_file: &'static str, roots: &'static [&'static str] },
    /// The name that the manifest gives, and the folder.
    GoModule,
    /// The path without extension, `index` left out.
    SlashPath,
    /// What the file declares (`package`, `namespace`); nothing if it declares nothing.
    Declared,
    /// The path of the file.
    FilePath,
}

/// Gives the text that a parser is to read instead of the real one, equally long; none if that is the same.
pub type Rewrite = fn(&[u8]) -> Option<Vec<u8>>;

/// Finds text that is parsed apart from what is around it.
pub type Apart = fn(&[u8]) -> Vec<Span>;

/// Finds what calls of macros stand for; none if it finds nothing.
pub type Expand = fn(&[u8]) -> Option<Expansions>;

/// What calls of macros stand for, where that defines something.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    /// One after the other, as code.
    pub text: Vec<u8>,
    /// Where the text comes from, in its order.
    pub pieces: Vec<Piece>,
    /// In the order of the calls.
    pub calls: Vec<Expansion>,
}

/// Text of an expansion that is written somewhere else in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub at: u32,
    pub from: Span,
}

/// A call of a macro and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The name of the macro, as called.
    pub name: Span,
    /// With their brackets.
    pub arguments: Span,
    /// A stretch of the text of all expansions, in braces.
    pub text: Span,
}

/// Finds text that common builds leave out, and text that is there under conditions which one file cannot decide.
pub type Branches = fn(&[u8]) -> Conditional;

/// What conditional text a file has.
#[derive(Clone, Debug, Default)]
pub struct Conditional {
    /// In the order of the text; none overlaps another.
    pub unlikely: Vec<Unlikely>,
    /// In the order in which they end.
    pub conditions: Vec<Condition>,
    /// What is unlikely under each standard of the language; empty if no standard changes it.
    pub by_standard: Vec<Vec<Unlikely>>,
}

/// Standards of a language whose text may depend on them, by the number that compilers give them, and which of them is the usual one.
pub const STANDARDS: [u32; 5] = [201103, 201402, 201703, 202002, 202302];
pub const USUAL_STANDARD: usize = 2;

/// Text that is there if a macro is defined, or if it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub span: Span,
    /// Where the condition names the macro; empty if the condition is more than names.
    pub name: Span,
    /// It has to be so, else it must not.
    pub holds: bool,
    /// The value of the macro counts, not whether there is one.
    pub by_value: bool,
}

/// Text that common builds leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlikely {
    pub span: Span,
    /// They do so for what they are; else it is a guess.
    pub sure: bool,
}

/// How tests of types are written whose variable is of the type where they hold.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Between variable and type, this says that it is not of the type.
    pub not: &'static str,
    /// Words that begin a statement behind which nothing runs.
    pub jumps: &'static [&'static str],
}

/// Where programs of a language start.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// Functions and static methods that the system calls.
    pub functions: &'static [&'static str],
    /// Files that are run or loaded first, with or without their extensions.
    pub files: &'static [&'static str],
}

/// Files whose names do not tell a language.
#[derive(Clone, Copy)]
pub struct Fragments {
    /// Extensions that other kinds of files have too.
    pub extensions: &'static [&'static str],
    /// Whether a text begins like this language.
    pub begins: fn(&[u8]) -> bool,
}

/// One language.
pub struct Language {
    /// The word used everywhere: labels, ids, configuration.
    pub name: &'static str,
    /// Its name in SCIP, the exchange format of code indexes.
    pub exchanged: &'static str,
    pub extensions: &'static [&'static str],
    pub filenames: &'static [&'static str],
    pub fragments: Fragments,
    /// Interpreters of a `#!` line.
    pub interpreters: &'static [&'static str],
    /// A test on the content that decides between languages that share an extension; the first that says yes wins.
    pub content: Option<fn(&[u8]) -> bool>,
    pub grammar: fn() -> tree_sitter::Language,
    /// The text that the parser is to read instead, byte for byte in the same places. Words and names are those of the
    /// real text.
    pub rewrite: Option<Rewrite>,
    /// Text that common builds leave out: of several definitions, those in it are not meant.
    pub unlikely: Option<Branches>,
    /// Where [`Slot::Code`] stands, brackets included, outer ones before inner ones: the parser then reads such text
    /// only once, as code. What is found wrongly costs time, and what is not found too, but neither changes a fact.
    pub apart: Option<Apart>,
    /// Macros of the file itself: what their calls define is defined where they stand.
    pub expand: Option<Expand>,
    /// The text that a usual build leaves out: what it declares is not there for the rest.
    pub inactive: Option<Apart>,
    /// Lists of rules; a later rule for the same node kind wins.
    pub rules: &'static [&'static [Rule]],
    /// Where programs start.
    pub entries: Entries,
    pub tests: Tests,
    /// Members whose names begin so are called by operators and statements, not by name.
    pub implicit_members: &'static str,
    /// Functions and members that the language or its library calls by these very names.
    pub called_by_name: &'static [&'static str],
    /// Members of a type by which it hears of the types that are made of it, and keeps them.
    pub hears_of_heirs: &'static [&'static str],
    /// Between the parts of a qualified name.
    pub separator: &'static str,
    pub modules: ModuleScheme,
    /// Token kinds and what they say about the definition they stand in.
    pub modifiers: &'static [(&'static str, Modifier)],
    pub visibility: DefaultVisibility,
    /// Assignment declares a name.
    pub assignment_declares: bool,
    /// Assigning to a name that is declared nowhere makes a global variable.
    pub assignment_declares_globals: bool,
    /// The first parameter of a method is its receiver.
    pub first_parameter_is_receiver: bool,
    /// Assigning to a member of the receiver declares an instance variable.
    pub receiver_fields: bool,
    /// Names of constructors; `=` stands for the name of the type.
    pub constructors: &'static [&'static str],
    /// A documentation comment starts with one of these; empty: every comment right before a definition.
    pub doc_prefixes: &'static [&'static str],
    /// The attribute whose arguments are macros, by the names of what they implement for the type below; or empty.
    pub derives: &'static str,
    /// The attribute that makes a function such a macro: its first argument is the name; or empty.
    pub defines_derive: &'static str,
    /// The first string in a body documents it.
    pub doc_strings: bool,
    /// A type may be written as a string.
    pub quoted_types: bool,
    /// The member of a type that lists the names of its others as texts; or empty.
    pub member_list: &'static str,
    /// What stands around a name in a text that is formatted with what has the name: `{x}`.
    pub captures: &'static [(&'static str, &'static str)],
    /// Upper-case module and class variables are constants.
    pub upper_constants: bool,
    /// Decorators that change the kind of a function.
    pub decorators: &'static [(&'static str, Modifier)],
    pub calls: &'static [(&'static str, CallRole)],
    /// In patterns, names with an upper-case first letter are references.
    pub capital_patterns_refer: bool,
    /// Members of an object literal that is assigned to a name are symbols.
    pub object_members: bool,
    /// Literals and functions without a name take their type from their place, and destructuring refers to members.
    pub values_have_context: bool,
    /// Types of functions may list the types of what they take, without names.
    pub unnamed_parameters: bool,
    /// Words before an argument and before a parameter that the function may assign to.
    pub by_reference: &'static [&'static str],
    /// The method by which a block is run that a parameter holds; empty where calls take no blocks.
    pub block_calls: &'static str,
    /// Methods that run a block with their receiver as the receiver in it.
    pub block_receivers: &'static [&'static str],
    /// The name `_` binds nothing and refers to nothing.
    pub underscore_discards: bool,
    /// A loop over two names gives a key and an item.
    pub iterates_pairs: bool,
    /// A look-up or type test gives two names the value and whether it is there.
    pub second_tells_success: bool,
    /// How names are looked up.
    pub linking: Linking,
    /// Words that can be no name, where the grammar makes other nodes of them than keywords: they are no terms of code.
    pub reserved: &'static [&'static str],
    /// Nodes of which only a part runs: what is in them is conditional.
    pub conditionals: &'static [&'static str],
    /// How values move, for languages in which functions are values that are passed on without saying their types.
    pub flow: Option<&'static Flow>,
    /// Its files are text for people.
    pub prose: bool,
    /// The type of a name is written around it (`const char *name`): all before the name counts.
    pub types_around_names: bool,
    /// Inside functions, a function declarator makes a variable (`Type name(argument)`).
    pub declarators_construct: bool,
    /// What the components of a record are as its members.
    pub components: SymbolKind,
    /// A function that is assigned to a name is a symbol of that name.
    pub lambdas_take_names: bool,
    /// What stands right before a name and is a part of it (`operator +`, `~Name`).
    pub name_prefixes: &'static [&'static str],
    /// In the place of a type, this word says that there is none.
    pub implicit_type: &'static str,
    /// Functions and classes that are assigned to members are definitions.
    pub member_assignments: Option<MemberAssignments>,
    /// Parameters with a visibility or read-only modifier are fields of the type too.
    pub promoted_parameters: bool,
    /// Variables begin with this, fields are named without it.
    pub sigil: &'static str,
    /// The parameter of a function without a name that declares none, and the word for the receiver of such a function.
    pub implicit_parameter: &'static str,
    pub lambda_receiver: &'static str,
    /// Names that mean the receiver or its type.
    pub receivers: &'static [&'static str],
    /// Members that are keywords, not names.
    pub keyword_members: &'static [&'static str],
    /// A name that is no local variable is a call without arguments.
    pub bare_calls: bool,
    /// A function returns the value of its body.
    pub implicit_return: bool,
    /// A function without a body is an empty one, not a declaration.
    pub empty_bodies: bool,
    /// Calling this member makes an object of the receiver.
    pub instantiates: &'static str,
    /// Assigned names with an upper-case first letter are constants.
    pub capital_constants: bool,
    /// The attribute that says in which file a module is.
    pub path_attribute: &'static str,
    /// A definition replaces an earlier one of the same name and scope.
    pub last_definition_runs: bool,
    /// Members of functions that call them.
    pub invokers: &'static [&'static str],
    /// Functions that make the type named by their first argument one of the type named by their second.
    pub inheriting_calls: &'static [&'static str],
    /// The word before a base, where it is part of the same node.
    pub base_word: &'static str,
    /// Calls whose value, if it is assigned to a constant, is a class of that name.
    pub class_makers: &'static [ClassMaker],
    /// A variable that is new where it is passed or indexed is declared there.
    pub uses_declare: bool,
    /// The operator of a type test: its left operand is of the type on its right from there on.
    pub narrows: &'static str,
    /// What tests of types look like.
    pub checks: Checks,
    /// What is assigned to first in a block belongs to the block.
    pub block_locals: bool,
    /// A path that begins with the separator starts from the outermost namespace.
    pub rooted_paths: bool,
    /// How types are written in documentation comments.
    pub doc_types: Option<&'static DocTypes>,
    /// The manifest that names the package of the files beside and below it; empty where none does.
    pub manifest: &'static str,
    /// Where its packages are published, by the word that package addresses have for it; empty for nowhere in particular.
    pub registry: &'static str,
}

impl Language {
    /// Whether files of the two languages can use each other's symbols.
    pub fn is_related(&self, other: &Language) -> bool {
        self.name == other.name || !self.linking.family.is_empty() && self.linking.family == other.linking.family
    }

    /// Whether nodes of a kind are comments.
    pub fn is_comment(&self, kind: &str) -> bool {
        let mut rules = self.rules.iter().flat_map(|list| list.iter()).filter(|rule| rule.kinds.contains(&kind));
        rules.next_back().is_some_and(|rule| rule.act == Act::Comment)
    }

    /// Whether a call may name the parameters that its arguments are for.
    pub fn names_arguments(&self) -> bool {
        self.rules.iter().flat_map(|list| list.iter()).any(|rule| rule.act == Act::KeywordArgument)
    }

    /// What most languages have; tables override what differs.
    pub const DEFAULT: Language = Language {
        name: "",
        exchanged: "",
        extensions: &[],
        filenames: &[],
        fragments: Fragments { extensions: &[], begins: |_| false },
        interpreters: &[],
        content: None,
        grammar: || unreachable!("every language has a grammar"),
        rewrite: None,
        unlikely: None,
        apart: None,
        expand: None,
        inactive: None,
        rules: &[],
        entries: Entries { functions: &[], files: &[] },
        tests: Tests::NONE,
        implicit_members: "",
        called_by_name: &[],
        hears_of_heirs: &[],
        separator: ".",
        modules: ModuleScheme::FilePath,
        modifiers: &[],
        visibility: DefaultVisibility::Always(Visibility::Public),
        assignment_declares: false,
        assignment_declares_globals: false,
        first_parameter_is_receiver: false,
        receiver_fields: false,
        constructors: &[],
        doc_prefixes: &[],
        derives: "",
        defines_derive: "",
        doc_strings: false,
        quoted_types: false,
        member_list: "",
        captures: &[],
        upper_constants: false,
        decorators: &[],
        calls: &[],
        capital_patterns_refer: false,
        object_members: false,
        values_have_context: false,
        unnamed_parameters: false,
        underscore_discards: false,
        iterates_pairs: false,
        second_tells_success: false,
        linking: Linking::DEFAULT,
        reserved: &[],
        conditionals: &[],
        flow: None,
        prose: false,
        types_around_names: false,
        declarators_construct: false,
        components: SymbolKind::Field,
        by_reference: &[],
        block_calls: "",
        block_receivers: &[],
        lambdas_take_names: true,
        implicit_type: "",
        name_prefixes: &[],
        member_assignments: None,
        promoted_parameters: false,
        sigil: "",
        implicit_parameter: "",
        lambda_receiver: "",
        receivers: &[],
        keyword_members: &[],
        bare_calls: false,
        implicit_return: false,
        empty_bodies: false,
        instantiates: "",
        capital_constants: false,
        path_attribute: "",
        last_definition_runs: false,
        invokers: &[],
        inheriting_calls: &[],
        base_word: "",
        class_makers: &[],
        uses_declare: false,
        narrows: "",
        checks: Checks { not: "", jumps: &[] },
        block_locals: false,
        rooted_paths: false,
        doc_types: None,
        manifest: "",
        registry: "",
    };
}
