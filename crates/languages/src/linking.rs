//! How a language looks names up: the small policy that the linker needs besides the facts.

use codegraph_model::{Literal, RefKind, Symbol, SymbolKind};

/// Lookup rules of one language.
#[derive(Clone, Copy, Debug)]
pub struct Linking {
    /// Local names are visible from their declaration on; a later one of the same scope hides an earlier one.
    pub ordered_locals: bool,
    /// Types and variables of the same name do not hide each other.
    pub types_apart: bool,
    /// Functions and variables of the same name do not hide each other.
    pub functions_apart: bool,
    /// A type is no value: what is called or read by a name is never an enum, a trait or another name for a type.
    pub values_apart: bool,
    /// Members of the types around are in scope in their bodies, inherited ones too.
    pub members_in_scope: bool,
    /// The body of a type is a scope for what stands directly in it: its members can be named there as they are.
    pub bodies_are_scopes: bool,
    /// The body of a type runs line by line: until it gives a name a value, the name means what it means around the type.
    /// What the head of a function says is read where the function stands, and nothing but a member is reached through
    /// the receiver.
    pub bodies_run: bool,
    /// A variable that is what a module load gives is a name for the module.
    pub loads_are_imports: bool,
    /// Files of the same module see each other's top-level names.
    pub shared_modules: bool,
    /// Types may have members that are defined outside them: impl blocks, receivers, qualified names.
    pub outside_members: bool,
    /// Members stand in blocks about a type: `impl T { … }`.
    pub impl_blocks: bool,
    /// Static paths start from these words: the package's root, this module, the module around, the type around.
    pub path_words: PathWords,
    pub imports: ImportScheme,
    /// The import part that means the module itself.
    pub import_self: Option<&'static str>,
    /// A call with the same name and another number of arguments is another function.
    pub overloads: bool,
    /// Functions are declared in one file and defined in another.
    pub headers: bool,
    /// Types declared inside a type can be named outside of it as they are.
    pub tags_leak: bool,
    /// Names of folders that includes are often relative to.
    pub include_folders: &'static [&'static str],
    /// Extensions of files that are there to be included.
    pub included_extensions: &'static [&'static str],
    /// A type implements an interface by having its methods.
    pub structural_interfaces: bool,
    /// Of a declaration and a definition of the same name, the definition is meant; else the first.
    pub prefers_bodies: bool,
    /// The types of literals.
    pub literals: &'static [(Literal, &'static str)],
    /// Types that are words of the language.
    pub basics: &'static [&'static str],
    /// Types outside the project and all that their values can be passed as, the closest first.
    pub widens: &'static [(&'static str, &'static str)],
    /// Types outside the project that nothing inherits from.
    pub sealed: &'static [&'static str],
    /// The type that everything can be passed as.
    pub anything: &'static str,
    /// Types whose values may have any member: nothing is ruled out by them.
    pub open_values: &'static [&'static str],
    /// Names that are there without an import.
    pub builtins: &'static [&'static str],
    /// What a file exports is said apart from its local names; a new name for it refers to what it is.
    pub exports_apart: bool,
    /// Functions may be declared several times before they are defined, types and values may share a name, and members
    /// of either kind of type are those of all its declarations.
    pub declared_overloads: bool,
    /// The first base with all that it inherits comes before the second; else a type comes before its bases.
    pub bases_in_depth: bool,
    /// Types of the standard library that are made from others.
    pub type_functions: &'static [(&'static str, TypeFunction)],
    /// Methods of containers that go over all items with a function of a result so far and an item.
    pub folders: &'static [&'static str],
    /// Methods of containers with a function that is given something else than what they hold.
    pub callbacks_apart: &'static [&'static str],
    /// Methods of containers that assign what they hold to an argument, and its number.
    pub fills: &'static [(&'static str, u8)],
    /// Modules of the standard library.
    pub standard_modules: &'static [&'static str],
    /// Several files add to one namespace, whose names are seen in it and wherever it is imported.
    pub namespaces: bool,
    /// What is made is named by a type alone, never by a variable or a function.
    pub made_by_types: bool,
    /// What a function without a name gives decides between functions of the same name.
    pub lambda_results_decide: bool,
    /// A parameter that takes the rest of the arguments is declared as a list of them.
    pub rest_is_list: bool,
    /// It is declared by the type of one of them, and is a list of them.
    pub rest_makes_list: bool,
    /// A function that takes any number of arguments is meant only if no other of its name takes those that are given.
    pub rest_comes_last: bool,
    /// Values of structs and enums are never nothing.
    pub value_types: bool,
    /// A type may say itself what can be passed in its place.
    pub conversions: bool,
    /// A name for a type may stand for functions, with parameters of its own.
    pub delegates: bool,
    /// Functions may belong to the values of types that are written elsewhere, and are called as their members.
    pub extensions: bool,
    /// What may be left out at the end of the name of a decorator.
    pub decorator_suffix: &'static str,
    /// Types that the language has a word for, and their names.
    pub aliases: &'static [(&'static str, &'static str)],
    /// The type of what is a value or nothing, where that is another type than that of the value.
    pub optional: &'static str,
    /// Types outside the project whose values are never nothing.
    pub values: &'static [&'static str],
    /// Types of functions outside the project: their arguments are what the function takes, the last one what it gives
    /// where that is said.
    pub functions: &'static [(&'static str, bool)],
    /// Members of types outside the project that are values of the type itself: names with spaces between them.
    pub own_members: &'static str,
    /// The member that indexing a value asks for.
    pub indexer: &'static str,
    /// Types may be declared in many places that add up to one; their constants are found by the namespaces around, their
    /// methods by the receiver alone, and those of a type itself are apart from those of its values.
    pub open_types: bool,
    /// The member that is the type of a value.
    pub class_of: &'static str,
    /// The part of a module by which those are extended that include it.
    pub class_part: &'static str,
    /// Functions and constants that a module does not have are those outside of all modules.
    pub outermost_functions: bool,
    /// Methods and other members of the same name are apart.
    pub members_apart: bool,
    /// A call of a member never means a field: what a field holds is called in brackets.
    pub fields_uncalled: bool,
    /// A variable is what was assigned to it last, in the order of the text.
    pub flows: bool,
    /// The type of the receiver in a declared type is that of what a member is asked of.
    pub receiver_types: bool,
    /// The method by which a value is called like a function.
    pub call_member: &'static str,
    /// A path may start from a module inside the one around.
    pub relative_modules: bool,
    /// A type may have an object whose members are used as its own.
    pub companions: bool,
    /// What is read or written is rather a variable further out than a function.
    pub variables_first: bool,
    /// The head of a type takes parameters that are no members: its methods do not know them.
    pub head_parameters: bool,
    /// A function without a name, or one of another type's values, has a receiver by itself.
    pub lambda_receivers: bool,
    /// A type that nothing declares is outside the project.
    pub unknown_types_outside: bool,
    /// Functions of one name in all files of a module are overloads of each other.
    pub module_overloads: bool,
    /// The value that a function belongs to is no parameter of it, and its name means nothing without one.
    pub receivers_apart: bool,
    /// Of an object without a name that a member holds or gives, others know its base only.
    pub nameless_by_base: bool,
    /// What methods that every value has give a function without a name, and what they return.
    pub scope_functions: &'static [(&'static str, ScopeFunction)],
    /// What members of values outside the project give, whatever the value is: names with spaces between them, a type.
    pub results: &'static [(&'static str, &'static str)],
    /// The function of the standard library that makes its first argument the receiver of the function that it is given.
    pub with: &'static str,
    /// A module can be held in a variable like any other value.
    pub modules_are_values: bool,
    pub arity: Arity,
    /// Whatever a member is asked of has a type that is written somewhere or follows from what is written.
    pub static_types: bool,
    /// Files whose values come to others without being named there: a runner of tests hands them over.
    pub given_files: &'static [&'static str],
    /// Methods by which a type answers for members that it does not have.
    pub stand_ins: &'static [&'static str],
    /// Languages with the same word here use each other's symbols; empty for one that stands alone.
    pub family: &'static str,
    /// Methods of every value, and how many arguments they take: no type takes them from an interface.
    pub class_methods: &'static [(&'static str, u8)],
    /// Types of the standard library that hold others, and which argument is what they hold.
    pub containers: &'static [(&'static str, Holds)],
    /// Variants of types outside the project, and which type argument they hold.
    pub variants: &'static [(&'static str, u8)],
    /// The member by which a value gives what a property is that it stands for.
    pub delegate: &'static str,
    /// Functions of the standard library that make a container of what they are given, or of what the function gives that
    /// they are given: names with spaces between them, the container.
    pub makers: &'static [(&'static str, &'static str)],
    /// Types that a whole number that is written out may be of besides its own: names with spaces between them.
    pub number_types: &'static str,
    /// The method that makes a pair of a value and its argument.
    pub pairs_by: &'static str,
    /// Types of the standard library whose values are awaited.
    pub awaited: &'static [&'static str],
    /// The type that lists have which methods of containers make; empty where that is an array.
    pub list: &'static str,
    /// What members that every enum has give, a value being an item of it: names with spaces between them.
    pub enum_members: &'static [(&'static str, Gives)],
    /// Methods whose names begin with these are read, and written, as properties by others of the family.
    pub getters: &'static [&'static str],
    pub setter: &'static str,
    /// Iterating over a map gives pairs of keys and values, not keys.
    pub maps_give_pairs: bool,
    /// The type of two values, and the names of both, with spaces between them where there are several.
    pub pair: (&'static str, [&'static str; 2]),
    /// The member through which others are reached that a type does not have itself.
    pub behind: &'static str,
    /// What methods of containers give: names with spaces between them.
    pub methods: &'static [(&'static str, Gives)],
}

/// How many arguments a call may have beside the parameters of what is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// As many as parameters are needed or taken.
    Exact,
    /// At least as many as are needed.
    AtLeast,
    /// Any number.
    Free,
}

/// Words with a meaning at the start of a path; empty where the language has none.
#[derive(Clone, Copy, Debug)]
pub struct PathWords {
    pub root: &'static str,
    pub here: &'static str,
    pub up: &'static str,
    pub own_type: &'static str,
    /// The file that stands for its folder; modules are then declared in the file around them.
    pub folder_file: &'static str,
    /// The files that packages start from.
    pub root_files: &'static [&'static str],
}

/// What a container gives when it is iterated, indexed, awaited or dereferenced: the number of a type argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    pub item: u8,
    pub index: u8,
    /// Members of what it holds can be used directly.
    pub transparent: bool,
    /// It holds a value of one of two types.
    pub either: bool,
}

/// What a type of the standard library makes of its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeFunction {
    /// A type with the same members, or some of them.
    Same,
    /// What calling it gives.
    Result,
    /// A value of the class that it is.
    Instance,
    /// What it holds.
    Held,
}

/// What a method that every value has does with the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeFunction {
    /// The value is the receiver in the function that the method takes, not its parameter.
    pub as_receiver: bool,
    /// The method returns the value.
    pub returns_it: bool,
}

/// What a method of a container gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value of the same type, of whatever type: a copy.
    Copy,
    /// The container, or another one of the same.
    Same,
    /// What iterating gives.
    Item,
    /// What indexing gives.
    Value,
    /// What iterating gives; of a map, a key with its value.
    Entry,
    /// Another container of what iterating gives, by its name.
    Made(&'static str),
    /// The same of what indexing gives.
    MadeOfValues(&'static str),
    /// A list of what iterating gives: any number, one or none.
    Items,
    /// The same of what indexing gives.
    Values,
    /// Of a map, keys with their values; of anything else, items.
    Pairs,
    /// Items with their numbers before them.
    Numbered,
    /// A list of what the function gives that the method takes.
    Mapped,
    /// The same, where the function gives lists whose items are meant.
    Flattened,
    /// A list of lists of items.
    Groups,
}

/// How the module of an import is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportScheme {
    /// By its dotted name; a path may also name a member of a module. `package_file` is what a folder is.
    Dotted,
    /// By a path of modules and types from the package's root or from a name in scope.
    Paths,
    /// By a file path relative to the file, with these extensions and folder files tried in order.
    /// `built` are extensions that a build gives to what it makes of other files.
    Files { extensions: &'static [&'static str], built: &'static [&'static str], folder_file: &'static str },
    /// By the import path of a folder.
    Folders,
    /// By a declared package name, then types in it.
    Declared,
    /// By including the text of a file.
    Include,
    /// By the path of a file on a load path.
    LoadPath { extension: &'static str },
}

impl Linking {
    /// Whether a name in such a place can only be that of a type.
    pub fn names_type(&self, kind: RefKind) -> bool {
        self.types_apart
            && (matches!(kind, RefKind::TypeRef | RefKind::Inherit | RefKind::Implements)
                || self.made_by_types && kind == RefKind::Instantiation)
    }

    /// Whether a symbol is a type that only the compiler knows, and the place wants a value.
    pub fn only_type(&self, symbol: &Symbol, kind: RefKind) -> bool {
        self.declared_overloads
            && matches!(kind, RefKind::Read | RefKind::Write | RefKind::Call | RefKind::Instantiation)
            && matches!(symbol.kind, SymbolKind::TypeAlias | SymbolKind::Interface)
    }

    pub const DEFAULT: Linking = Linking {
        ordered_locals: true,
        types_apart: true,
        functions_apart: false,
        values_apart: false,
        members_in_scope: false,
        bodies_are_scopes: true,
        bodies_run: false,
        loads_are_imports: false,
        shared_modules: false,
        outside_members: false,
        impl_blocks: false,
        path_words: PathWords { root: "", here: "", up: "", own_type: "", folder_file: "", root_files: &[] },
        imports: ImportScheme::Dotted,
        import_self: None,
        overloads: false,
        headers: false,
        tags_leak: false,
        include_folders: &[],
        included_extensions: &[],
        structural_interfaces: false,
        prefers_bodies: true,
        literals: &[],
        basics: &[],
        widens: &[],
        sealed: &[],
        anything: "",
        open_values: &[],
        builtins: &[],
        exports_apart: false,
        declared_overloads: false,
        bases_in_depth: false,
        type_functions: &[],
        folders: &[],
        callbacks_apart: &[],
        fills: &[],
        standard_modules: &[],
        namespaces: false,
        made_by_types: false,
        lambda_results_decide: false,
        rest_is_list: false,
        rest_makes_list: false,
        rest_comes_last: false,
        value_types: false,
        conversions: false,
        delegates: false,
        extensions: false,
        decorator_suffix: "",
        aliases: &[],
        optional: "",
        values: &[],
        functions: &[],
        own_members: "",
        indexer: "",
        open_types: false,
        class_of: "",
        class_part: "",
        outermost_functions: false,
        members_apart: false,
        fields_uncalled: false,
        flows: false,
        receiver_types: false,
        call_member: "",
        relative_modules: false,
        companions: false,
        variables_first: false,
        head_parameters: false,
        lambda_receivers: false,
        unknown_types_outside: false,
        module_overloads: false,
        receivers_apart: false,
        nameless_by_base: false,
        scope_functions: &[],
        results: &[],
        with: "",
        modules_are_values: false,
        arity: Arity::Exact,
        static_types: false,
        given_files: &[],
        stand_ins: &[],
        family: "",
        class_methods: &[],
        containers: &[],
        variants: &[],
        delegate: "",
        makers: &[],
        number_types: "",
        pairs_by: "",
        awaited: &[],
        list: "",
        enum_members: &[],
        getters: &[],
        setter: "",
        maps_give_pairs: false,
        pair: ("", ["", ""]),
        behind: "",
        methods: &[],
    };
}

/// A container that gives its only or first argument.
pub const fn holds(item: u8) -> Holds {
    Holds { item, index: item, transparent: false, either: false }
}

/// A pointer-like container: what it holds can be used as if it stood there.
pub const fn points_to(item: u8) -> Holds {
    Holds { item, index: item, transparent: true, either: false }
}

/// A map: iterating gives keys, indexing gives values.
pub const MAP: Holds = Holds { item: 0, index: 1, transparent: false, either: false };
