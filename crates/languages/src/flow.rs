//! How values move through the syntax of a language: which nodes name, call, assign and return something, and which
//! functions outside a project run what they are given. Read when a question follows values; not when a file
//! is indexed.

/// What a node does with values. Words are the grammar's field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A name.
    Name,
    /// A text or a number: what an element may be called by.
    Text,
    /// `object.name`.
    Member {
        object: &'static str,
        name: &'static str,
    },
    /// `object[key]`.
    Index {
        object: &'static str,
        key: &'static str,
    },
    /// `callee(arguments)`.
    Call {
        callee: &'static str,
        arguments: &'static str,
    },
    /// The same, of a type.
    Make {
        callee: &'static str,
        arguments: &'static str,
    },
    /// A function with a name, or without.
    Function,
    /// One that has the receiver of the function around it.
    Arrow,
    Class,
    /// A definition with decorators before it, in the field `definition`.
    Decorated,
    Decorator,
    /// What a class inherits from, as a child of it.
    Bases,
    /// `left = right`.
    Assign {
        left: &'static str,
        right: &'static str,
    },
    /// `left` stands for each item of `right`; whatever else is inside runs for each.
    Each {
        left: &'static str,
        right: &'static str,
    },
    /// A field of a class.
    Field {
        name: &'static str,
        value: &'static str,
    },
    /// A list, a tuple: in a pattern its parts.
    Sequence,
    /// A dictionary, an object: in a pattern its members.
    Table,
    /// `key: value` in a table.
    Pair {
        key: &'static str,
        value: &'static str,
    },
    /// A name that is key and value.
    Short,
    /// A pattern or parameter with a default.
    Default {
        left: &'static str,
        right: &'static str,
    },
    /// A parameter or pattern with a type: its name is the field, or else the first child.
    Typed {
        name: &'static str,
    },
    /// `*x`, `...x`: all items.
    Spread,
    /// `**x`: all members.
    SpreadTable,
    /// `name=value` among arguments.
    Keyword {
        name: &'static str,
        value: &'static str,
    },
    /// Any of its parts may be the value.
    Either,
    /// Two operands: one of them is the value if the operator chooses, else both are in it.
    Binary,
    /// A stretch of a list, as a key: the list itself.
    Slice,
    /// The part in this field is one of two values; the others are tests.
    Choice {
        first: &'static str,
        second: &'static str,
    },
    /// Its last part is the value.
    Pass,
    Return,
    Yield,
    /// What is made for each item: a list of it.
    Comprehension {
        body: &'static str,
    },
    /// A value with a name for it (`with x as y`).
    As {
        alias: &'static str,
    },
    This,
    Super,
    /// Only a part of it runs.
    Branch,
    /// Its parts may run again.
    Loop,
    /// Nothing in it is a value.
    Skip,
}

/// What a function outside the project gives to a function that it runs, or returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    Nothing,
    /// An item of what the method is called on.
    OwnItem,
    /// What the method is called on.
    Own,
    /// An item of the argument with this number.
    ItemOf(u8),
    /// The argument with this number.
    Argument(u8),
    /// What the function returned before.
    Result,
    /// A function that gives what it is called with to who waits for the call.
    Settles,
    /// A list of what the function returned.
    Results,
    /// A table of the pairs in the argument with this number, and of what is given by name.
    TableOf(u8),
    /// A list of pairs: a key and an item of the argument with this number.
    PairsOf(u8),
}

/// A function or method outside the project that runs one of its arguments, or hands on a value.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    /// Names apart by spaces.
    pub names: &'static str,
    /// It is a method of any value that has no own of this name; otherwise a function.
    pub method: bool,
    /// The argument that is run: its number, and its name where it is given by name.
    pub runs: Option<(u8, &'static str)>,
    /// What the function that is run is given.
    pub given: &'static [Passed],
    pub returns: Passed,
}

/// What a method of a container, or of something that keeps handlers, does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Puts the argument with this number into it.
    Puts(u8),
    /// Puts the second argument into it, under the first.
    PutsUnder,
    /// Puts all items of the argument into it.
    PutsAll(u8),
    /// Returns an item.
    Gives,
    /// Returns itself.
    Itself,
    /// Returns its keys and items as pairs.
    Pairs,
    /// Keeps the second argument for the event that the first one names.
    Registers,
    /// Runs what was kept for an event.
    Fires,
}

/// How a function value is called through a member of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Invoker {
    /// Receiver, then arguments.
    Call,
    /// Receiver, then a list of arguments.
    Apply,
    /// Makes a function with a receiver and first arguments.
    Bind,
}

/// Decorators that say how a method is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Without a receiver.
    Static,
    /// By its type.
    ByType,
    /// By reading it.
    ByReading,
}

/// How values move in a language.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    pub shapes: &'static [&'static [(&'static str, Shape)]],
    pub outside: &'static [Outside],
    pub keeps: &'static [(&'static str, Keeps)],
    pub invokers: &'static [(&'static str, Invoker)],
    /// Operators that give one of their operands.
    pub choosing: &'static [&'static str],
    /// Functions that read a member of their first argument by the name in the second, and that write it.
    pub member_reader: &'static str,
    pub member_writer: &'static str,
    /// Functions that make a key that is like no other.
    pub keys: &'static [&'static str],
    /// Decorators after which a class takes its fields when it is made.
    pub records: &'static [&'static str],
    /// Functions outside that make a function of a function and its first arguments.
    pub partial: &'static [&'static str],
    /// The member that runs when a value is called, and those that run when it is iterated over.
    pub call_member: &'static str,
    pub iterator: (&'static str, &'static str),
    /// The member of what that returns that is the item; nothing if it is the item itself.
    pub iterated: &'static str,
    /// What runs where a value opens a block, and where the block ends.
    pub entered: (&'static str, &'static str),
    pub constructor: &'static str,
    /// Methods have their receiver as a first parameter.
    pub receiver_is_parameter: bool,
    /// Members and elements by a constant key are the same.
    pub members_are_elements: bool,
    /// The member of a function that its instances have their members from.
    pub prototype: &'static str,
    pub reached: &'static [(&'static str, Reached)],
    /// Words before a method that mark it as static, and as reached by reading.
    pub static_word: &'static str,
    pub getter_word: &'static str,
    /// Functions are there before the code around them runs.
    pub hoisted: bool,
}
