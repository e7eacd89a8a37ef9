//! Java.

mod builtins;
mod rewrite;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Visibility};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "java",
    exchanged: "Java",
    registry: "maven",
    reserved: &[
        "boolean", "byte", "char", "double", "false", "float", "int", "long", "null", "short", "super", "this", "true",
        "void",
    ],
    conditionals: &[
        "if_statement", "try_statement", "try_with_resources_statement", "switch_expression", "ternary_expression",
    ],
    extensions: &["java"],
    rewrite: Some(rewrite::rewrite),
    grammar: || tree_sitter_java::LANGUAGE.into(),
    rules: &[RULES],
    entries: Entries { functions: &["main"], files: &[] },
    called_by_name: &[
        "main", "toString", "equals", "hashCode", "clone", "finalize", "values", "valueOf", "readObject",
        "writeObject", "readResolve", "writeReplace", "serialVersionUID",
    ],
    tests: Tests {
        runner: "gradle",
        names: Runner::Qualified,
        prefixes: &["test"],
        marks: &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory"],
        ..Tests::NONE
    },
    separator: ".",
    modules: ModuleScheme::Declared,
    modifiers: &[
        ("public", Modifier::Visible(Visibility::Public)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("private", Modifier::Visible(Visibility::Private)),
        ("static", Modifier::Flag(Flags::STATIC)),
        ("final", Modifier::Flag(Flags::FINAL)),
        ("abstract", Modifier::Flag(Flags::ABSTRACT)),
        ("default", Modifier::Flag(Flags::DEFAULT)),
        ("native", Modifier::Flag(Flags::EXTERN)),
        ("==", Modifier::Op(Op::Test)),
        ("!=", Modifier::Op(Op::Test)),
        ("<", Modifier::Op(Op::Test)),
        (">", Modifier::Op(Op::Test)),
        ("<=", Modifier::Op(Op::Test)),
        (">=", Modifier::Op(Op::Test)),
        ("&&", Modifier::Op(Op::Test)),
        ("||", Modifier::Op(Op::Test)),
        ("!", Modifier::Op(Op::Test)),
    ],
    // Without a word, the package sees it.
    visibility: DefaultVisibility::Always(Visibility::Internal),
    doc_prefixes: &["/**", "///"],
    decorators: &[("Override", Modifier::Flag(Flags::OVERRIDE))],
    underscore_discards: true,
    lambdas_take_names: false,
    implicit_type: "var",
    linking: Linking {
        family: "jvm",
        getters: &["get"],
        setter: "set",
        enum_members: &[("valueOf", Gives::Item), ("values", Gives::Items)],
        open_values: &["Object"],
        builtins: builtins::BUILTINS,
        functions_apart: true,
        rest_makes_list: true,
        rest_comes_last: true,
        members_in_scope: true,
        static_types: true,
        shared_modules: true,
        imports: ImportScheme::Declared,
        overloads: true,
        literals: &[
            (Literal::String, "String"),
            (Literal::Number, "int"),
            (Literal::Long, "long"),
            (Literal::Float, "float"),
            (Literal::Double, "double"),
            (Literal::Char, "char"),
            (Literal::Bool, "boolean"),
            (Literal::Test, "boolean"),
            (Literal::Type, "Class"),
        ],
        basics: &["boolean", "byte", "short", "char", "int", "long", "float", "double"],
        widens: builtins::WIDENS,
        sealed: &[
            "Boolean", "Byte", "Character", "Class", "Double", "Float", "Integer", "Long", "Short", "String",
            "StringBuilder",
        ],
        anything: "Object",
        class_methods: &[("equals", 1), ("hashCode", 0), ("toString", 0)],
        containers: &[
            ("Iterable", holds(0)),
            ("Iterator", holds(0)),
            ("Collection", holds(0)),
            ("List", holds(0)),
            ("ArrayList", holds(0)),
            ("LinkedList", holds(0)),
            ("Set", holds(0)),
            ("HashSet", holds(0)),
            ("Queue", holds(0)),
            ("Deque", holds(0)),
            ("Stream", holds(0)),
            ("Optional", holds(0)),
            ("Supplier", holds(0)),
            ("AtomicReference", holds(0)),
            ("ThreadLocal", holds(0)),
            ("Map", MAP),
            ("HashMap", MAP),
            ("LinkedHashMap", MAP),
            ("TreeMap", MAP),
            ("ConcurrentMap", MAP),
            ("ConcurrentHashMap", MAP),
        ],
        methods: &[
            ("get getOrDefault remove put computeIfAbsent putIfAbsent", Gives::Value),
            (
                "next previous orElse orElseThrow orElseGet peek poll pop element getFirst getLast first last",
                Gives::Item,
            ),
            ("filter sorted limit skip distinct subList reversed", Gives::Same),
            ("iterator listIterator", Gives::Made("Iterator")),
            ("stream parallelStream", Gives::Made("Stream")),
            ("findFirst findAny", Gives::Made("Optional")),
            ("toList", Gives::Made("List")),
            ("values", Gives::MadeOfValues("Collection")),
            ("keySet", Gives::Made("Set")),
        ],
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

const BLOCK: Act = Act::Scope(ScopeKind::Block);
const LOCAL: Act = Act::Local(BindingKind::Local);
const FIELD: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Field };
const CONSTANT: Act = Act::Bind { module: SymbolKind::Constant, member: SymbolKind::Constant };

static RULES: &[Rule] = &[
    on(&["identifier", "type_identifier"], Act::Ident),
    on(&["line_comment", "block_comment"], Act::Comment),
    on(&["string_literal"], Act::Str),
    on(&["string_interpolation"], Act::Interpolation),
    on(&["character_literal"], Act::Literal(Literal::Char)),
    on(&["decimal_integer_literal", "hex_integer_literal", "octal_integer_literal"], Act::Literal(Literal::Number)),
    on(&["binary_integer_literal", "decimal_floating_point_literal"], Act::Literal(Literal::Number)),
    on(&["hex_floating_point_literal"], Act::Literal(Literal::Number)),
    on(&["true", "false"], Act::Literal(Literal::Bool)),
    on(&["null_literal"], Act::Literal(Literal::Null)),
    on(&["array_initializer", "element_value_array_initializer"], Act::Literal(Literal::List)),
    on(&["integral_type", "floating_point_type", "boolean_type"], Act::BasicType),
    on(&["void_type"], Act::Raw),
    on(&["this"], Act::This),
    on(&["super"], Act::Super),
    // Packages and modules.
    on(&["package_declaration"], Act::Package).child("identifier", Slot::Name).child("scoped_identifier", Slot::Name),
    on(&["import_declaration"], Act::Import(ImportFlags(0)))
        .child("identifier", Slot::Item)
        .child("scoped_identifier", Slot::Item),
    on(&["asterisk"], Act::ImportMark(ImportFlags::STAR)),
    on(&["module_declaration"], Act::Def(SymbolKind::Module)).field("name", Slot::Name).field("body", Slot::Body),
    on(&["requires_module_directive"], Act::Import(ImportFlags::MODULE)).field("module", Slot::Item),
    on(&["exports_module_directive", "opens_module_directive"], Act::Skip),
    on(&["uses_module_directive", "provides_module_directive"], Act::Opaque).rest(Slot::Type),
    // Types.
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("superclass", Slot::Base)
        .field("interfaces", Slot::Implements)
        .field("permits", Slot::TypeArgs)
        .field("body", Slot::Body),
    on(&["record_declaration"], Act::Def(SymbolKind::Record))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Components)
        .field("interfaces", Slot::Implements)
        .field("body", Slot::Body),
    on(&["interface_declaration", "annotation_type_declaration"], Act::Def(SymbolKind::Interface))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .child("extends_interfaces", Slot::Base)
        .field("permits", Slot::TypeArgs)
        .field("body", Slot::Body),
    on(&["enum_declaration"], Act::Def(SymbolKind::Enum))
        .field("name", Slot::Name)
        .field("interfaces", Slot::Implements)
        .field("body", Slot::Body),
    on(&["enum_constant"], Act::Def(SymbolKind::EnumMember))
        .field("name", Slot::Name)
        .field("arguments", Slot::Expr)
        .field("body", Slot::Body),
    // Members.
    on(&["method_declaration"], Act::Def(SymbolKind::Function))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("type", Slot::Returns)
        .field("parameters", Slot::Params)
        .child("throws", Slot::TypeArgs)
        .field("body", Slot::Body),
    on(&["constructor_declaration", "compact_constructor_declaration"], Act::Def(SymbolKind::Constructor))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .child("throws", Slot::TypeArgs)
        .field("body", Slot::Body),
    on(&["annotation_type_element_declaration"], Act::Def(SymbolKind::Method))
        .field("name", Slot::Name)
        .field("type", Slot::Returns)
        .field("value", Slot::Value),
    on(&["field_declaration"], FIELD).field("type", Slot::Type),
    on(&["constant_declaration"], CONSTANT).field("type", Slot::Type),
    on(&["variable_declarator"], Act::Initialized).field("name", Slot::Bind).field("value", Slot::Value),
    on(&["static_initializer"], Act::Opaque),
    on(&["lambda_expression"], Act::Lambda).field("parameters", Slot::Params).field("body", Slot::Body),
    // Modifiers and annotations.
    on(&["modifiers"], Act::Modifiers).child("annotation", Slot::Decorator).child("marker_annotation", Slot::Decorator),
    on(&["marker_annotation"], Act::Pass),
    on(&["annotation"], Act::Call).field("name", Slot::Callee).field("arguments", Slot::Args),
    on(&["element_value_pair"], Act::FieldInit).field("key", Slot::Property).field("value", Slot::Expr),
    on(&["annotated_type"], Act::Pass).child("annotation", Slot::Decorator).child("marker_annotation", Slot::Decorator),
    // Parameters.
    on(&["formal_parameters"], Act::Params),
    on(&["inferred_parameters"], Act::Params).rest(Slot::Bind),
    on(&["formal_parameter"], Act::Param(Flags(0))).field("type", Slot::Type).field("name", Slot::Bind),
    on(&["spread_parameter"], Act::Param(Flags::VARIADIC))
        .child("modifiers", Slot::Inherit)
        .child("variable_declarator", Slot::Bind)
        .rest(Slot::Type),
    on(&["receiver_parameter"], Act::Opaque).first(Slot::Type).rest(Slot::Skip),
    on(&["type_parameter"], Act::Local(BindingKind::TypeParam))
        .child("type_identifier", Slot::Bind)
        .child("type_bound", Slot::Type)
        .child("annotation", Slot::Decorator)
        .child("marker_annotation", Slot::Decorator),
    on(&["type_bound", "catch_type"], Act::Either).rest(Slot::Object),
    // Local names.
    on(&["local_variable_declaration"], LOCAL).field("type", Slot::Type),
    on(&["enhanced_for_statement"], LOCAL)
        .field("type", Slot::Type)
        .field("name", Slot::Bind)
        .field("value", Slot::Iterable)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["resource"], LOCAL).field("type", Slot::Type).field("name", Slot::Bind).field("value", Slot::Value),
    on(&["catch_formal_parameter"], LOCAL).child("catch_type", Slot::Type).field("name", Slot::Bind),
    on(&["instanceof_expression"], LOCAL)
        .field("left", Slot::Value)
        .field("right", Slot::Type)
        .field("name", Slot::Bind)
        .field("pattern", Slot::Bind),
    on(&["pattern"], LOCAL).rest(Slot::Bind),
    on(&["type_pattern", "record_pattern_component"], Act::Initialized)
        .first(Slot::Type)
        .child("identifier", Slot::Bind),
    on(&["record_pattern"], Act::Opaque).first(Slot::Type),
    on(&["record_pattern_body"], Act::Sequence),
    on(&["labeled_statement"], Act::Local(BindingKind::Label)).first(Slot::Bind),
    on(&["break_statement", "continue_statement"], Act::Skip),
    // Scopes.
    on(&["block", "constructor_body", "switch_block", "switch_rule", "for_statement", "catch_clause"], BLOCK),
    on(&["while_statement", "try_with_resources_statement"], BLOCK),
    // Expressions.
    on(&["method_invocation"], Act::Call)
        .field("object", Slot::Object)
        .field("type_arguments", Slot::TypeArgs)
        .field("name", Slot::Callee)
        .field("arguments", Slot::Args),
    on(&["explicit_constructor_invocation"], Act::Call)
        .field("object", Slot::Expr)
        .field("type_arguments", Slot::TypeArgs)
        .field("constructor", Slot::Class)
        .field("arguments", Slot::Args),
    on(&["object_creation_expression"], Act::Call)
        .field("type_arguments", Slot::TypeArgs)
        .field("type", Slot::Class)
        .field("arguments", Slot::Args)
        .child("class_body", Slot::Members)
        .rest(Slot::Expr),
    on(&["array_creation_expression"], Act::Unary(Op::NewArray)).field("type", Slot::Type).rest(Slot::Expr),
    on(&["field_access"], Act::Member).field("object", Slot::Object).field("field", Slot::Property),
    on(&["scoped_identifier"], Act::Member).field("scope", Slot::Path).field("name", Slot::Property),
    on(&["method_reference"], Act::Member)
        .first(Slot::Object)
        .child("identifier", Slot::Property)
        .rest(Slot::Type)
        .names(SymbolKind::Method),
    on(&["array_access"], Act::Unary(Op::Index)).field("array", Slot::Object).field("index", Slot::Expr),
    on(&["cast_expression"], Act::Typed).field("type", Slot::Type).field("value", Slot::Expr),
    on(&["class_literal"], Act::Literal(Literal::Type)).rest(Slot::Type),
    on(&["ternary_expression"], Act::Either)
        .field("condition", Slot::Expr)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["unary_expression"], Act::Unary(Op::Written)).field("operand", Slot::Object),
    on(&["binary_expression"], Act::Unary(Op::Both)).field("left", Slot::Object).field("right", Slot::Expr),
    on(&["update_expression"], Act::Opaque).rest(Slot::Update),
    on(&["assignment_expression"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["parenthesized_expression", "expression_statement"], Act::Pass),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    on(&["switch_expression"], Act::Either).field("condition", Slot::Subject).field("body", Slot::Object),
    // Type expressions.
    on(&["scoped_type_identifier"], Act::Member).first(Slot::Path).child("type_identifier", Slot::Property),
    on(&["generic_type"], Act::Apply).first(Slot::Object).child("type_arguments", Slot::TypeArgs),
    on(&["type_arguments"], Act::List).rest(Slot::TypeArgs),
    on(&["wildcard"], Act::Pass),
    on(&["array_type"], Act::Unary(Op::Array)).field("element", Slot::Object),
];
