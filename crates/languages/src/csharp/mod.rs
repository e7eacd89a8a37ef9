//! C#.

mod builtins;
mod conditional;
mod contextual;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Visibility};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "csharp",
    exchanged: "CSharp",
    registry: "nuget",
    reserved: &[
        "base", "bool", "byte", "char", "decimal", "double", "false", "float", "int", "long", "null", "object",
        "sbyte", "short", "string", "this", "true", "uint", "ulong", "ushort", "void",
    ],
    conditionals: &["if_statement", "try_statement", "switch_statement", "switch_expression", "conditional_expression"],
    extensions: &["cs", "csx"],
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    rewrite: Some(conditional::rewrite),
    inactive: Some(conditional::inactive),
    rules: &[RULES],
    entries: Entries { functions: &["Main"], files: &["Program"] },
    called_by_name: &[
        "Main", "ToString", "Equals", "GetHashCode", "Finalize", "Dispose", "GetEnumerator", "MoveNext", "Current",
        "GetAwaiter", "Deconstruct",
    ],
    tests: Tests {
        runner: "dotnet test",
        names: Runner::Qualified,
        marks: &["Fact", "Theory", "Test", "TestCase", "TestMethod", "DataTestMethod"],
        anywhere: true,
        ..Tests::NONE
    },
    separator: ".",
    modules: ModuleScheme::Declared,
    modifiers: &[
        ("public", Modifier::Visible(Visibility::Public)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("internal", Modifier::Visible(Visibility::Internal)),
        ("private", Modifier::Visible(Visibility::Private)),
        ("file", Modifier::Visible(Visibility::Private)),
        // `global using` counts for every file.
        ("global", Modifier::Visible(Visibility::Public)),
        ("static", Modifier::Flag(Flags::STATIC)),
        ("abstract", Modifier::Flag(Flags::ABSTRACT)),
        ("async", Modifier::Flag(Flags::ASYNC)),
        ("const", Modifier::Flag(Flags::CONST)),
        ("extern", Modifier::Flag(Flags::EXTERN)),
        ("override", Modifier::Flag(Flags::OVERRIDE)),
        ("partial", Modifier::Flag(Flags::PARTIAL)),
        ("readonly", Modifier::Flag(Flags::READONLY)),
        ("sealed", Modifier::Flag(Flags::FINAL)),
        ("unsafe", Modifier::Flag(Flags::UNSAFE)),
        ("virtual", Modifier::Flag(Flags::VIRTUAL)),
        ("params", Modifier::Flag(Flags::VARIADIC)),
        ("ref", Modifier::Flag(Flags::REASSIGNED)),
        ("out", Modifier::Flag(Flags::REASSIGNED)),
        ("this", Modifier::Flag(Flags::RECEIVER)),
        ("++", Modifier::Op(Op::Step)),
        ("--", Modifier::Op(Op::Step)),
        ("*", Modifier::Op(Op::Deref)),
        ("&", Modifier::Op(Op::AddressOf)),
        ("==", Modifier::Op(Op::Test)),
        ("!=", Modifier::Op(Op::Test)),
        ("<", Modifier::Op(Op::Test)),
        (">", Modifier::Op(Op::Test)),
        ("<=", Modifier::Op(Op::Test)),
        (">=", Modifier::Op(Op::Test)),
        ("&&", Modifier::Op(Op::Test)),
        ("||", Modifier::Op(Op::Test)),
    ],
    visibility: DefaultVisibility::Nested,
    doc_prefixes: &["///", "/**"],
    underscore_discards: true,
    by_reference: &["ref", "out"],
    components: SymbolKind::Property,
    lambdas_take_names: false,
    values_have_context: true,
    name_prefixes: &["operator", "~"],
    linking: Linking {
        members_in_scope: true,
        static_types: true,
        shared_modules: true,
        namespaces: true,
        fills: &[
            ("TryGetValue", 1),
            ("TryRemove", 1),
            ("TryPop", 0),
            ("TryDequeue", 0),
            ("TryPeek", 0),
            ("TryTake", 0),
        ],
        made_by_types: true,
        lambda_results_decide: true,
        rest_is_list: true,
        value_types: true,
        conversions: true,
        delegates: true,
        extensions: true,
        decorator_suffix: "Attribute",
        imports: ImportScheme::Declared,
        overloads: true,
        literals: &[
            (Literal::String, "String"),
            (Literal::Number, "int"),
            (Literal::Long, "long"),
            (Literal::Float, "float"),
            (Literal::Double, "double"),
            (Literal::Char, "char"),
            (Literal::Bool, "bool"),
            (Literal::Test, "bool"),
            (Literal::Decimal, "decimal"),
            (Literal::Type, "Type"),
        ],
        basics: &[
            "bool", "sbyte", "byte", "short", "ushort", "char", "int", "uint", "long", "ulong", "float", "double",
            "decimal", "nint", "nuint",
        ],
        aliases: &[("string", "String"), ("object", "Object"), ("dynamic", "Object")],
        widens: builtins::WIDENS,
        anything: "Object",
        optional: "Nullable",
        values: builtins::VALUES,
        functions: builtins::FUNCTIONS,
        open_values: &["Object", "object", "dynamic"],
        builtins: builtins::BUILTINS,
        results: builtins::RESULTS,
        own_members: "InvariantCulture CurrentCulture CurrentUICulture UTF8 ASCII Unicode Ordinal OrdinalIgnoreCase \
                      MaxValue MinValue Epsilon NaN PositiveInfinity NegativeInfinity Zero One MinusOne Empty Now UtcNow \
                      Today NewGuid Parse ParseExact FromSeconds FromMinutes FromHours FromDays FromMilliseconds",
        maps_give_pairs: true,
        awaited: &["Task", "ValueTask"],
        pair: ("KeyValuePair", ["Key Item1", "Value Item2"]),
        indexer: "this",
        path_words: PathWords { root: "global", ..Linking::DEFAULT.path_words },
        containers: &[
            ("IEnumerable", holds(0)),
            ("IEnumerator", holds(0)),
            ("ICollection", holds(0)),
            ("IReadOnlyCollection", holds(0)),
            ("IList", holds(0)),
            ("IReadOnlyList", holds(0)),
            ("List", holds(0)),
            ("HashSet", holds(0)),
            ("ISet", holds(0)),
            ("Queue", holds(0)),
            ("Stack", holds(0)),
            ("Span", holds(0)),
            ("ReadOnlySpan", holds(0)),
            ("Task", holds(0)),
            ("ValueTask", holds(0)),
            ("Lazy", holds(0)),
            ("Nullable", points_to(0)),
            ("Dictionary", MAP),
            ("IDictionary", MAP),
            ("IReadOnlyDictionary", MAP),
            ("ConcurrentDictionary", MAP),
        ],
        methods: &[
            ("Select", Gives::Mapped),
            ("SelectMany", Gives::Flattened),
            ("GroupBy", Gives::Groups),
            ("Values", Gives::Values),
            ("Keys", Gives::Items),
            ("GetValueOrDefault Value Result GetAwaiter GetResult Current", Gives::Item),
            ("First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt Peek Pop Dequeue", Gives::Item),
            ("Where OrderBy OrderByDescending Skip Take Distinct ToList ToArray ConfigureAwait Reverse", Gives::Same),
        ],
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

const BLOCK: Act = Act::Scope(ScopeKind::Block);
const LOCAL: Act = Act::Local(BindingKind::Local);
const FIELD: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Field };
const EVENT: Act = Act::Bind { module: SymbolKind::Property, member: SymbolKind::Property };
const VARIABLE: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Variable };

static RULES: &[Rule] = &[
    on(&["identifier", "implicit_parameter", "discard"], Act::Ident),
    on(&["comment"], Act::Comment),
    on(
        &["string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"],
        Act::Str,
    ),
    on(&["interpolation"], Act::Interpolation).rest(Slot::Expr),
    on(&["interpolation_format_clause"], Act::Text),
    on(&["character_literal"], Act::Literal(Literal::Char)),
    on(&["integer_literal", "real_literal"], Act::Literal(Literal::Number)),
    on(&["boolean_literal"], Act::Literal(Literal::Bool)),
    on(&["null_literal"], Act::Literal(Literal::Null)),
    on(&["initializer_expression"], Act::Literal(Literal::List)).child("assignment_expression", Slot::Key),
    on(&["implicit_array_creation_expression", "collection_expression"], Act::Literal(Literal::List)),
    on(&["this"], Act::This),
    on(&["base"], Act::Super),
    on(&["predefined_type"], Act::BasicType),
    on(&["implicit_type"], Act::Opaque),
    // Namespaces and imports.
    on(&["namespace_declaration"], Act::Def(SymbolKind::Namespace))
        .field("name", Slot::WholeName)
        .field("body", Slot::Body),
    on(&["file_scoped_namespace_declaration"], Act::Package).field("name", Slot::Name),
    on(&["using_directive"], Act::Import(ImportFlags::STAR)).field("name", Slot::Alias).rest(Slot::Item),
    on(&["extern_alias_directive"], Act::Import(ImportFlags::MODULE)).field("name", Slot::Item),
    // Types.
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .field("name", Slot::Name)
        .child("type_parameter_list", Slot::TypeParams)
        .child("parameter_list", Slot::Params)
        .child("base_list", Slot::Base)
        .child("type_parameter_constraints_clause", Slot::Inherit)
        .field("body", Slot::Body),
    on(&["struct_declaration"], Act::Def(SymbolKind::Struct))
        .field("name", Slot::Name)
        .child("type_parameter_list", Slot::TypeParams)
        .child("parameter_list", Slot::Params)
        .child("base_list", Slot::Base)
        .child("type_parameter_constraints_clause", Slot::Inherit)
        .field("body", Slot::Body),
    on(&["record_declaration"], Act::Def(SymbolKind::Record))
        .field("name", Slot::Name)
        .child("type_parameter_list", Slot::TypeParams)
        .child("parameter_list", Slot::Components)
        .child("base_list", Slot::Base)
        .child("type_parameter_constraints_clause", Slot::Inherit)
        .field("body", Slot::Body),
    on(&["interface_declaration"], Act::Def(SymbolKind::Interface))
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .child("base_list", Slot::Base)
        .child("type_parameter_constraints_clause", Slot::Inherit)
        .field("body", Slot::Body),
    on(&["enum_declaration"], Act::Def(SymbolKind::Enum))
        .field("name", Slot::Name)
        .child("base_list", Slot::Base)
        .field("body", Slot::Body),
    on(&["enum_member_declaration"], Act::Def(SymbolKind::EnumMember))
        .field("name", Slot::Name)
        .field("value", Slot::Value),
    on(&["delegate_declaration"], Act::Def(SymbolKind::TypeAlias))
        .field("type", Slot::Returns)
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .child("type_parameter_constraints_clause", Slot::Inherit),
    on(&["base_list", "primary_constructor_base_type"], Act::Opaque).child("argument_list", Slot::Expr),
    // Functions.
    on(&["method_declaration"], Act::Def(SymbolKind::Function))
        .field("returns", Slot::Returns)
        .child("explicit_interface_specifier", Slot::Qualifier)
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .child("type_parameter_constraints_clause", Slot::Inherit)
        .field("body", Slot::Body),
    on(&["local_function_statement"], Act::Def(SymbolKind::Function))
        .field("type", Slot::Returns)
        .field("name", Slot::Name)
        .field("type_parameters", Slot::TypeParams)
        .field("parameters", Slot::Params)
        .child("type_parameter_constraints_clause", Slot::Inherit)
        .field("body", Slot::Body),
    on(&["constructor_declaration"], Act::Def(SymbolKind::Constructor))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["constructor_initializer"], Act::Call)
        .child("base", Slot::Class)
        .child("this", Slot::Class)
        .child("argument_list", Slot::Args),
    on(&["destructor_declaration"], Act::Def(SymbolKind::Destructor))
        .field("name", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["operator_declaration"], Act::Def(SymbolKind::Operator))
        .field("type", Slot::Returns)
        .child("explicit_interface_specifier", Slot::Qualifier)
        .field("operator", Slot::Name)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["conversion_operator_declaration"], Act::Def(SymbolKind::Operator))
        .child("explicit_interface_specifier", Slot::Qualifier)
        .field("type", Slot::Returns)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["!", "~", "++", "--", "true", "false", "+", "-", "*", "/", "%", "^", "|", "&"], Act::Ident),
    on(&["<<", ">>", ">>>", "==", "!=", ">", "<", ">=", "<="], Act::Ident),
    on(&["lambda_expression"], Act::Lambda)
        .field("type", Slot::Returns)
        .field("parameters", Slot::Params)
        .field("body", Slot::Body),
    on(&["anonymous_method_expression"], Act::Lambda).field("parameters", Slot::Params).child("block", Slot::Body),
    on(&["arrow_expression_clause"], Act::Return).rest(Slot::Value),
    // Other members.
    on(&["field_declaration"], FIELD),
    on(&["event_field_declaration"], EVENT),
    on(&["property_declaration"], Act::Def(SymbolKind::Property))
        .field("type", Slot::Type)
        .child("explicit_interface_specifier", Slot::Qualifier)
        .field("name", Slot::Name)
        .field("accessors", Slot::Body)
        .child("arrow_expression_clause", Slot::Body)
        .child("modifier", Slot::Inherit)
        .child("attribute_list", Slot::Inherit)
        .rest(Slot::Value),
    on(&["indexer_declaration"], Act::Def(SymbolKind::Property))
        .field("type", Slot::Type)
        .child("explicit_interface_specifier", Slot::Qualifier)
        .child("this", Slot::Name)
        .field("parameters", Slot::Params)
        .field("accessors", Slot::Body)
        .field("value", Slot::Body),
    on(&["event_declaration"], Act::Def(SymbolKind::Property))
        .field("type", Slot::Type)
        .child("explicit_interface_specifier", Slot::Qualifier)
        .field("name", Slot::Name)
        .field("accessors", Slot::Body),
    on(&["accessor_declaration"], Act::Scope(ScopeKind::Function)).field("name", Slot::Skip),
    // Modifiers and attributes.
    on(&["modifier"], Act::Modifiers),
    on(&["attribute_list"], Act::List).child("attribute", Slot::Decorator),
    on(&["global_attribute"], Act::Opaque).child("attribute", Slot::Decorator),
    on(&["attribute"], Act::Call).field("name", Slot::Callee).child("attribute_argument_list", Slot::Args),
    on(&["attribute_argument"], Act::FieldInit).field("name", Slot::Property).rest(Slot::Expr),
    // Parameters.
    on(&["parameter_list", "bracketed_parameter_list"], Act::Params)
        .field("name", Slot::Bind)
        .field("type", Slot::Type),
    on(&["parameter"], Act::Param(Flags(0)))
        .field("type", Slot::Type)
        .field("name", Slot::Bind)
        .child("modifier", Slot::Inherit)
        .child("attribute_list", Slot::Inherit)
        .rest(Slot::Value),
    on(&["type_parameter"], Act::Local(BindingKind::TypeParam)).field("name", Slot::Bind),
    on(&["type_parameter_constraints_clause"], Act::Constraint).first(Slot::Property).rest(Slot::Type),
    on(&["type_parameter_constraint"], Act::Pass),
    // Variables.
    on(&["local_declaration_statement"], VARIABLE),
    on(&["for_statement", "using_statement", "fixed_statement"], VARIABLE)
        .child("variable_declaration", Slot::Inherit)
        .rest(Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["variable_declaration"], Act::Initialized).field("type", Slot::Type),
    on(&["variable_declarator"], Act::Initialized)
        .field("name", Slot::Bind)
        .child("tuple_pattern", Slot::Bind)
        .child("bracketed_argument_list", Slot::Expr)
        .rest(Slot::Value),
    on(&["tuple_pattern", "parenthesized_variable_designation"], Act::Sequence),
    on(&["declaration_expression"], LOCAL).field("type", Slot::Type).field("name", Slot::Bind),
    on(&["foreach_statement"], LOCAL)
        .field("type", Slot::Type)
        .field("left", Slot::Bind)
        .field("right", Slot::Iterable)
        .field("body", Slot::Expr)
        .opens(ScopeKind::Block),
    on(&["catch_declaration"], LOCAL).field("type", Slot::Type).field("name", Slot::Bind),
    on(&["from_clause"], LOCAL).field("type", Slot::Type).field("name", Slot::Bind).rest(Slot::Iterable),
    on(&["let_clause"], LOCAL).first(Slot::Bind).rest(Slot::Value),
    on(&["join_clause"], LOCAL).field("type", Slot::Type).first(Slot::Bind).rest(Slot::Expr),
    on(&["join_into_clause"], LOCAL).first(Slot::Bind),
    on(&["query_expression"], LOCAL).child("identifier", Slot::Bind).rest(Slot::Expr).opens(ScopeKind::Block),
    on(&["labeled_statement"], Act::Local(BindingKind::Label)).first(Slot::Bind),
    on(&["goto_statement"], Act::Skip),
    // Patterns.
    on(&["is_pattern_expression"], LOCAL).field("expression", Slot::Value).field("pattern", Slot::Bind),
    on(&["switch_statement"], Act::Opaque).field("value", Slot::Subject),
    on(&["switch_expression"], Act::Either).first(Slot::Subject).child("switch_expression_arm", Slot::Object),
    on(&["switch_section", "switch_expression_arm"], LOCAL)
        .child("constant_pattern", Slot::Bind)
        .child("declaration_pattern", Slot::Bind)
        .child("recursive_pattern", Slot::Bind)
        .child("var_pattern", Slot::Bind)
        .child("negated_pattern", Slot::Bind)
        .child("parenthesized_pattern", Slot::Bind)
        .child("relational_pattern", Slot::Bind)
        .child("or_pattern", Slot::Bind)
        .child("and_pattern", Slot::Bind)
        .child("list_pattern", Slot::Bind)
        .child("type_pattern", Slot::Bind)
        .child("when_clause", Slot::Expr)
        .rest(Slot::Object)
        .opens(ScopeKind::Block),
    on(&["constant_pattern", "relational_pattern"], Act::Opaque).rest(Slot::Expr),
    on(&["type_pattern"], Act::Opaque).field("type", Slot::Type),
    on(&["declaration_pattern", "recursive_pattern"], Act::Initialized)
        .field("type", Slot::Type)
        .field("name", Slot::Bind),
    on(&["positional_pattern_clause", "list_pattern"], Act::Sequence),
    on(&["subpattern"], Act::Keyed).child("identifier", Slot::Property).child("member_access_expression", Slot::Expr),
    // Scopes.
    on(&["block", "switch_body", "while_statement", "catch_clause"], BLOCK),
    // Expressions.
    on(&["invocation_expression"], Act::Call).field("function", Slot::Callee).field("arguments", Slot::Args),
    on(&["object_creation_expression"], Act::Call)
        .field("type", Slot::Class)
        .field("arguments", Slot::Args)
        .field("initializer", Slot::Expr),
    on(&["implicit_object_creation_expression"], Act::Call).child("argument_list", Slot::Args).rest(Slot::Expr),
    on(&["with_expression"], Act::Call).first(Slot::Object),
    on(&["with_initializer"], Act::FieldInit).first(Slot::Property).rest(Slot::Expr),
    on(&["argument"], Act::KeywordArgument).field("name", Slot::Property),
    on(&["member_access_expression"], Act::Member).field("expression", Slot::Object).field("name", Slot::Property),
    on(&["conditional_access_expression"], Act::Member)
        .field("condition", Slot::Object)
        .child("member_binding_expression", Slot::Property)
        .rest(Slot::Expr),
    on(&["member_binding_expression"], Act::Pass),
    on(&["element_access_expression"], Act::Unary(Op::Index))
        .field("expression", Slot::Object)
        .field("subscript", Slot::Expr),
    on(&["await_expression"], Act::Unary(Op::Await)).rest(Slot::Object),
    on(&["postfix_unary_expression", "prefix_unary_expression"], Act::Unary(Op::Written)).rest(Slot::Object),
    on(&["binary_expression"], Act::Unary(Op::Both)).field("left", Slot::Object).field("right", Slot::Expr),
    on(&["conditional_expression"], Act::Either)
        .field("condition", Slot::Expr)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Object),
    on(&["assignment_expression"], Act::Assign).field("left", Slot::Target).field("right", Slot::Value),
    on(&["as_expression"], Act::Typed).field("left", Slot::Expr).field("right", Slot::Type),
    on(&["is_expression"], Act::Opaque).field("left", Slot::Expr).field("right", Slot::Type),
    on(&["cast_expression"], Act::Typed).field("type", Slot::Type).field("value", Slot::Expr),
    on(&["array_creation_expression", "stackalloc_expression"], Act::Typed).field("type", Slot::Type).rest(Slot::Expr),
    on(&["default_expression"], Act::Typed).field("type", Slot::Type),
    on(&["typeof_expression"], Act::Literal(Literal::Type)).field("type", Slot::Type),
    on(&["sizeof_expression"], Act::Opaque).field("type", Slot::Type),
    on(&["parenthesized_expression", "checked_expression", "ref_expression", "expression_statement"], Act::Pass),
    on(&["tuple_expression"], Act::Sequence),
    on(&["return_statement"], Act::Return).rest(Slot::Value),
    on(&["yield_statement"], Act::Yield).rest(Slot::Value),
    // Type expressions.
    on(&["qualified_name"], Act::Member).field("qualifier", Slot::Path).field("name", Slot::Property),
    on(&["alias_qualified_name"], Act::Member).field("alias", Slot::Path).field("name", Slot::Property),
    on(&["generic_name"], Act::Apply).first(Slot::Object).child("type_argument_list", Slot::TypeArgs),
    on(&["type_argument_list"], Act::List).rest(Slot::TypeArgs),
    on(&["array_type"], Act::Unary(Op::Array)).field("type", Slot::Object).field("rank", Slot::Expr),
    on(&["nullable_type"], Act::Unary(Op::Optional)).field("type", Slot::Object),
    on(&["pointer_type"], Act::Unary(Op::Pointer)).field("type", Slot::Object),
    on(&["ref_type", "scoped_type"], Act::Pass),
    on(&["tuple_type"], Act::Sequence),
    on(&["tuple_element"], Act::Pass).field("type", Slot::Type).field("name", Slot::Skip),
    on(&["function_pointer_type"], Act::FunctionType).field("returns", Slot::Returns),
    // Preprocessor.
    on(&["preproc_if", "preproc_elif"], Act::Opaque).field("condition", Slot::Skip),
    on(&["preproc_pragma"], Act::Skip),
    on(&["preproc_arg"], Act::Raw),
];
