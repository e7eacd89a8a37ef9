//! The closed vocabularies: symbol kinds, reference kinds, visibilities, flags, and their projections.

use serde::{Deserialize, Serialize};

/// Declares an enum whose variants have one stable lower-case word and one display word each.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal, $display:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every variant, in declaration order; the position is the stored number.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The words of all variants.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];

            /// The lower-case word used in input and output.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// The capitalised word used in canonical names.
            pub const fn display(self) -> &'static str {
                match self { $($name::$variant => $display,)* }
            }

            /// The variant for a stored number.
            pub fn from_number(number: u8) -> Option<$name> {
                Self::ALL.get(number as usize).copied()
            }

            /// The variant for an input word.
            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|v| v.word() == word)
            }
        }
    };
}

vocabulary! {
    /// What a symbol is in its own language.
    SymbolKind {
        Function = "function", "Function";
        Method = "method", "Method";
        Constructor = "constructor", "Constructor";
        Destructor = "destructor", "Destructor";
        Operator = "operator", "Operator";
        Property = "property", "Property";
        Getter = "getter", "Getter";
        Setter = "setter", "Setter";
        Class = "class", "Class";
        Record = "record", "Record";
        Object = "object", "Object";
        Struct = "struct", "Struct";
        Interface = "interface", "Interface";
        Protocol = "protocol", "Protocol";
        Trait = "trait", "Trait";
        Enum = "enum", "Enum";
        Union = "union", "Union";
        TypeAlias = "type_alias", "TypeAlias";
        Module = "module", "Module";
        Namespace = "namespace", "Namespace";
        Package = "package", "Package";
        Constant = "constant", "Const";
        Static = "static", "Static";
        Variable = "variable", "Variable";
        Field = "field", "Field";
        InstanceVariable = "instance_variable", "InstanceVariable";
        EnumMember = "enum_member", "EnumMember";
        Impl = "impl", "Impl";
        Macro = "macro", "Macro";
        Heading = "heading", "Heading";
    }
}

vocabulary! {
    /// Why a file is nobody's own work: such files are marked, and come last.
    Origin {
        Vendored = "vendored", "Vendored";
        Minified = "minified", "Minified";
        Generated = "generated", "Generated";
    }
}

vocabulary! {
    /// How a reference uses its target.
    RefKind {
        Read = "read", "Read";
        Call = "call", "Call";
        Instantiation = "instantiation", "Instantiation";
        Write = "write", "Write";
        Attribute = "attribute", "Attribute";
        TypeRef = "type_ref", "TypeRef";
        Import = "import", "Import";
        Inherit = "inherit", "Inherit";
        Implements = "implements", "Implements";
        Decorator = "decorator", "Decorator";
        Macro = "macro", "Macro";
    }
}

vocabulary! {
    /// How sure it is what a reference means.
    Certainty {
        Exact = "exact", "Exact";
        Inferred = "inferred", "Inferred";
        Candidate = "candidate", "Candidate";
    }
}

vocabulary! {
    /// Which rule bound a reference to its target.
    How {
        Scope = "scope", "Scope";
        Import = "import", "Import";
        Module = "module", "Module";
        Member = "member", "Member";
        Inherited = "inherited", "Inherited";
        Compiler = "compiler", "Compiler";
        Name = "name", "Name";
        Value = "value", "Value";
    }
}

vocabulary! {
    /// Who may use a symbol, as written or by the language's default.
    Visibility {
        Unknown = "unknown", "Unknown";
        Public = "public", "Public";
        Private = "private", "Private";
        Protected = "protected", "Protected";
        Internal = "internal", "Internal";
    }
}

vocabulary! {
    /// The type of a line or of one occurrence on it.
    LineType {
        Code = "code", "Code";
        Comment = "comment", "Comment";
        Struct = "struct", "Struct";
        Method = "method", "Method";
        Property = "property", "Property";
        String = "string", "String";
    }
}

vocabulary! {
    /// How a text in a question is compared with names and words.
    Mode {
        Exact = "exact", "Exact";
        Contains = "contains", "Contains";
        StartsWith = "starts_with", "StartsWith";
        Regex = "regex", "Regex";
        Semantic = "semantic", "Semantic";
    }
}

#[expect(clippy::derivable_impls, reason = "vocabularies have no attributes on their variants")]
impl Default for Mode {
    fn default() -> Mode {
        Mode::Exact
    }
}

impl SymbolKind {
    /// `kind_normalized` of the data contract.
    pub const fn normalized(self) -> &'static str {
        use SymbolKind::*;
        match self {
            Function => "fn",
            Method | Constructor | Destructor | Operator | Property | Getter | Setter => "method",
            Class | Record | Object | Struct => "struct",
            Interface | Protocol | Trait => "trait",
            Enum => "enum",
            Union => "union",
            TypeAlias => "type",
            Module | Namespace | Package | Heading => "module",
            Constant | Static => "const",
            Variable | Field | InstanceVariable | EnumMember => "variable",
            Impl => "impl",
            Macro => "unknown",
        }
    }

    /// `types.kind`, for the kinds that the table `types` lists.
    pub const fn type_kind(self) -> Option<&'static str> {
        use SymbolKind::*;
        match self {
            Class | Record | Object => Some("class"),
            Struct | Union => Some("struct"),
            Interface | Protocol | Trait => Some("interface"),
            Enum => Some("enum"),
            TypeAlias => Some("type"),
            _ => None,
        }
    }

    /// The entity class of entity-to-entity references: `class`, `method` or `function`.
    pub const fn entity(self) -> Option<&'static str> {
        use SymbolKind::*;
        match self {
            Function | Macro => Some("function"),
            Method | Constructor | Destructor | Operator | Property | Getter | Setter => Some("method"),
            Class | Record | Object | Struct | Interface | Protocol | Trait | Enum | Union => Some("class"),
            _ => None,
        }
    }

    /// The type of the line on which a symbol of this kind is named.
    pub const fn line_type(self) -> LineType {
        use SymbolKind::*;
        match self {
            Function | Method | Constructor | Destructor | Operator | Macro => LineType::Method,
            Property | Getter | Setter | Field | InstanceVariable | EnumMember => LineType::Property,
            Class | Record | Object | Struct | Interface | Protocol | Trait | Enum | Union | TypeAlias => {
                LineType::Struct
            }
            _ => LineType::Code,
        }
    }

    /// Functions in the widest sense: what has parameters and can be called.
    pub const fn is_callable(self) -> bool {
        use SymbolKind::*;
        matches!(self, Function | Method | Constructor | Destructor | Operator | Getter | Setter | Macro)
    }

    /// Kinds whose members are methods and fields.
    pub const fn is_type(self) -> bool {
        use SymbolKind::*;
        matches!(self, Class | Record | Object | Struct | Interface | Protocol | Trait | Enum | Union | Impl)
    }

    /// Kinds that group others without being a type.
    pub const fn is_module(self) -> bool {
        use SymbolKind::*;
        matches!(self, Module | Namespace | Package)
    }
}

impl RefKind {
    /// The reference kind of the data contract (`schema-reference`).
    pub const fn contract(self) -> &'static str {
        use RefKind::*;
        match self {
            Call | Instantiation | Macro | Decorator => "call",
            Read | Attribute => "read",
            Write => "write",
            TypeRef => "type_ref",
            Import => "import",
            Inherit | Implements => "inheritance",
        }
    }
}

/// A set of yes/no properties of a symbol or a binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u32);

impl Flags {
    pub const STATIC: Flags = Flags(1);
    pub const ASYNC: Flags = Flags(1 << 1);
    pub const ABSTRACT: Flags = Flags(1 << 2);
    pub const FINAL: Flags = Flags(1 << 3);
    pub const CONST: Flags = Flags(1 << 4);
    pub const OVERRIDE: Flags = Flags(1 << 5);
    pub const VIRTUAL: Flags = Flags(1 << 6);
    pub const EXTERN: Flags = Flags(1 << 7);
    pub const UNSAFE: Flags = Flags(1 << 8);
    pub const GENERATOR: Flags = Flags(1 << 9);
    pub const EXPORT: Flags = Flags(1 << 10);
    pub const DEFAULT: Flags = Flags(1 << 11);
    pub const READONLY: Flags = Flags(1 << 12);
    pub const PARTIAL: Flags = Flags(1 << 13);
    pub const INLINE: Flags = Flags(1 << 14);
    /// Declared without a body: a prototype, an interface member, an overload signature.
    pub const DECLARATION: Flags = Flags(1 << 15);
    pub const GETTER: Flags = Flags(1 << 16);
    pub const SETTER: Flags = Flags(1 << 17);
    pub const OPTIONAL: Flags = Flags(1 << 18);
    pub const VARIADIC: Flags = Flags(1 << 19);
    pub const KEYWORD_VARIADIC: Flags = Flags(1 << 20);
    pub const KEYWORD_ONLY: Flags = Flags(1 << 21);
    pub const HAS_DEFAULT: Flags = Flags(1 << 22);
    pub const RECEIVER: Flags = Flags(1 << 23);
    /// A name that the language re-declares by assignment.
    pub const REASSIGNED: Flags = Flags(1 << 24);
    /// The receiver of the method is the type itself, not a value of it.
    pub const TYPE_RECEIVER: Flags = Flags(1 << 25);
    /// In conditional text that a usual build leaves out.
    pub const INACTIVE: Flags = Flags(1 << 26);
    /// Assigned to a member of what the file exports: known to importers, but no name of the file itself.
    pub const MEMBER: Flags = Flags(1 << 27);
    /// A later definition of the same name stands in its place when the program runs.
    pub const REPLACED: Flags = Flags(1 << 28);
    /// A definition that is a value where it stands, such as an argument: who gets the value uses it.
    pub const VALUE: Flags = Flags(1 << 29);
    /// Members are named through it only. Of a constructor: it is called by name only, nothing becomes a value of its type unasked.
    pub const SCOPED: Flags = Flags(1 << 30);
    /// A specialisation of a template: by its name the template is meant.
    pub const SPECIAL: Flags = Flags(1 << 31);

    const WORDS: &'static [(Flags, &'static str)] = &[
        (Flags::STATIC, "static"),
        (Flags::ASYNC, "async"),
        (Flags::ABSTRACT, "abstract"),
        (Flags::FINAL, "final"),
        (Flags::CONST, "const"),
        (Flags::OVERRIDE, "override"),
        (Flags::VIRTUAL, "virtual"),
        (Flags::EXTERN, "extern"),
        (Flags::UNSAFE, "unsafe"),
        (Flags::GENERATOR, "generator"),
        (Flags::EXPORT, "export"),
        (Flags::DEFAULT, "default"),
        (Flags::READONLY, "readonly"),
        (Flags::PARTIAL, "partial"),
        (Flags::INLINE, "inline"),
        (Flags::DECLARATION, "declaration"),
        (Flags::OPTIONAL, "optional"),
        (Flags::VARIADIC, "variadic"),
        (Flags::KEYWORD_VARIADIC, "keyword_variadic"),
        (Flags::KEYWORD_ONLY, "keyword_only"),
    ];

    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub fn insert(&mut self, other: Flags) {
        self.0 |= other.0;
    }

    /// Those of the words in a text that are words of flags.
    pub fn known(text: &str) -> Vec<&'static str> {
        let has = |word: &str| text.split(' ').any(|own| own == word);
        Self::WORDS.iter().map(|(_, word)| *word).filter(|word| has(word)).collect()
    }

    /// The words of the flags that are set, in a fixed order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.iter().filter(move |(flag, _)| self.has(*flag)).map(|(_, word)| *word)
    }
}
