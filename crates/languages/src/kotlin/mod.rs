//! Kotlin. Its grammar names few fields, so most slots go by the kind of the child.

mod builtins;
mod rewrite;

use codegraph_model::{BindingKind, Flags, ImportFlags, Literal, ScopeKind, SymbolKind, Visibility};

use crate::linking::*;
use crate::table::*;

pub(crate) static LANGUAGE: Language = Language {
    name: "kotlin",
    exchanged: "Kotlin",
    registry: "maven",
    reserved: &["false", "null", "super", "this", "true"],
    conditionals: &["if_expression", "try_expression", "when_expression"],
    extensions: &["kt", "kts"],
    grammar: || tree_sitter_kotlin_sg::LANGUAGE.into(),
    rewrite: Some(rewrite::rewrite),
    rules: &[RULES],
    entries: Entries { functions: &["main"], files: &[] },
    called_by_name: &[
        "main", "toString", "equals", "hashCode", "invoke", "iterator", "compareTo", "getValue", "setValue",
        "provideDelegate",
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
        ("private", Modifier::Visible(Visibility::Private)),
        ("protected", Modifier::Visible(Visibility::Protected)),
        ("internal", Modifier::Visible(Visibility::Internal)),
        ("suspend", Modifier::Flag(Flags::ASYNC)),
        ("abstract", Modifier::Flag(Flags::ABSTRACT)),
        ("final", Modifier::Flag(Flags::FINAL)),
        ("override", Modifier::Flag(Flags::OVERRIDE)),
        ("const", Modifier::Flag(Flags::CONST)),
        ("inline", Modifier::Flag(Flags::INLINE)),
        ("external", Modifier::Flag(Flags::EXTERN)),
        ("vararg", Modifier::Flag(Flags::VARIADIC)),
        ("val", Modifier::Flag(Flags::READONLY)),
        ("var", Modifier::Flag(Flags::REASSIGNED)),
        ("interface", Modifier::Kind(SymbolKind::Interface)),
        ("enum", Modifier::Kind(SymbolKind::Enum)),
        ("data", Modifier::Kind(SymbolKind::Record)),
    ],
    doc_prefixes: &["/**"],
    underscore_discards: true,
    lambdas_take_names: false,
    values_have_context: true,
    unnamed_parameters: true,
    promoted_parameters: true,
    components: SymbolKind::Property,
    implicit_parameter: "it",
    lambda_receiver: "this",
    keyword_members: &["class"],
    checks: Checks { not: "!is", jumps: &["return", "throw", "continue", "break", "error"] },
    linking: Linking {
        arity: Arity::Free,
        static_types: true,
        members_in_scope: true,
        shared_modules: true,
        imports: ImportScheme::Declared,
        overloads: true,
        extensions: true,
        companions: true,
        variables_first: true,
        head_parameters: true,
        lambda_receivers: true,
        unknown_types_outside: true,
        module_overloads: true,
        receivers_apart: true,
        nameless_by_base: true,
        open_values: &["Any", "dynamic"],
        builtins: builtins::BUILTINS,
        literals: &[
            (Literal::String, "String"),
            (Literal::Number, "Int"),
            (Literal::Long, "Long"),
            (Literal::Float, "Float"),
            (Literal::Double, "Double"),
            (Literal::Char, "Char"),
            (Literal::Bool, "Boolean"),
            (Literal::Test, "Boolean"),
            (Literal::Type, "KClass"),
        ],
        flows: true,
        family: "jvm",
        getters: &["get"],
        setter: "set",
        delegate: "getValue",
        pairs_by: "to",
        number_types: "Long Short Byte",
        call_member: "invoke",
        folders: &[
            "forEachIndexed", "mapIndexed", "mapIndexedNotNull", "filterIndexed", "flatMapIndexed", "onEachIndexed",
        ],
        makers: builtins::MAKERS,
        list: "List",
        maps_give_pairs: true,
        pair: ("Pair", ["first key", "second value"]),
        enum_members: &[("valueOf", Gives::Item), ("values entries", Gives::Items)],
        widens: builtins::WIDENS,
        anything: "Any",
        indexer: "get",
        with: "with",
        scope_functions: builtins::SCOPE_FUNCTIONS,
        containers: builtins::CONTAINERS,
        methods: builtins::METHODS,
        results: builtins::RESULTS,
        ..Linking::DEFAULT
    },
    ..Language::DEFAULT
};

const LOCAL: Act = Act::Local(BindingKind::Local);
const VARIABLE: Act = Act::Bind { module: SymbolKind::Variable, member: SymbolKind::Property };

static RULES: &[Rule] = &[
    on(&["simple_identifier", "interpolated_identifier"], Act::Ident),
    on(&["type_identifier"], Act::TypeIdent),
    on(&["line_comment", "multiline_comment", "shebang_line"], Act::Comment),
    on(&["string_literal"], Act::Str),
    on(&["interpolated_expression"], Act::Interpolation).rest(Slot::Expr),
    on(&["character_literal"], Act::Literal(Literal::Char)),
    on(&["integer_literal", "hex_literal", "bin_literal", "real_literal"], Act::Literal(Literal::Number)),
    on(&["boolean_literal"], Act::Literal(Literal::Bool)),
    on(&["null_literal"], Act::Literal(Literal::Null)),
    on(&["collection_literal"], Act::Literal(Literal::List)),
    on(&["label"], Act::Skip),
    // Definitions.
    on(&["package_header"], Act::Package).child("identifier", Slot::Name),
    on(&["class_declaration"], Act::Def(SymbolKind::Class))
        .child("type_identifier", Slot::Name)
        .child("type_parameters", Slot::TypeParams)
        .child("primary_constructor", Slot::Params)
        .child("delegation_specifier", Slot::Base)
        .child("class_body", Slot::Body)
        .child("enum_class_body", Slot::Body),
    on(&["primary_constructor"], Act::Params).rest(Slot::Expr),
    on(&["object_declaration"], Act::Def(SymbolKind::Object))
        .child("type_identifier", Slot::Name)
        .child("delegation_specifier", Slot::Base)
        .child("class_body", Slot::Body),
    on(&["companion_object"], Act::Def(SymbolKind::Object))
        .child("type_identifier", Slot::Name)
        .child("delegation_specifier", Slot::Base)
        .child("class_body", Slot::Body)
        .flags(Flags::DEFAULT)
        .unnamed("Companion"),
    on(&["function_declaration"], Act::Def(SymbolKind::Function))
        .child("simple_identifier", Slot::Name)
        .child("type_parameters", Slot::TypeParams)
        .field("receiver", Slot::SelfType)
        .child("function_value_parameters", Slot::Params)
        .child("user_type", Slot::Returns)
        .child("nullable_type", Slot::Returns)
        .child("function_type", Slot::Returns)
        .child("parenthesized_type", Slot::Returns)
        .child("function_body", Slot::Body),
    on(&["function_body"], Act::Return).child("statements", Slot::Expr).rest(Slot::Value),
    on(&["receiver_type"], Act::Pass),
    on(&["secondary_constructor"], Act::Def(SymbolKind::Constructor))
        .child("constructor", Slot::Name)
        .child("function_value_parameters", Slot::Params)
        .child("statements", Slot::Body),
    on(&["enum_entry"], Act::Def(SymbolKind::EnumMember))
        .child("simple_identifier", Slot::Name)
        .child("value_arguments", Slot::Expr)
        .child("class_body", Slot::Body),
    on(&["type_alias"], Act::Def(SymbolKind::TypeAlias)).child("type_identifier", Slot::Name).rest(Slot::Type),
    on(&["property_declaration"], VARIABLE)
        .field("receiver", Slot::SelfType)
        .child("receiver_type", Slot::SelfType)
        .child("variable_declaration", Slot::Bind)
        .child("multi_variable_declaration", Slot::Bind)
        .child("modifiers", Slot::Inherit)
        .child("binding_pattern_kind", Slot::Skip)
        .child("type_parameters", Slot::Expr)
        .child("getter", Slot::Value)
        .child("setter", Slot::Expr)
        .rest(Slot::Value),
    on(&["class_parameter"], Act::Param(Flags(0)))
        .child("simple_identifier", Slot::Bind)
        .child("user_type", Slot::Type)
        .child("nullable_type", Slot::Type)
        .child("function_type", Slot::Type)
        .child("parenthesized_type", Slot::Type)
        .child("modifiers", Slot::Inherit)
        .child("binding_pattern_kind", Slot::Inherit)
        .rest(Slot::Value),
    on(&["binding_pattern_kind"], Act::Modifiers),
    on(&["variable_declaration"], Act::Initialized)
        .child("simple_identifier", Slot::Bind)
        .child("user_type", Slot::Type)
        .child("nullable_type", Slot::Type)
        .child("function_type", Slot::Type),
    on(&["multi_variable_declaration"], Act::Sequence),
    on(&["getter", "setter"], Act::Scope(ScopeKind::Function)),
    on(&["modifiers", "visibility_modifier", "class_modifier", "function_modifier"], Act::Modifiers),
    on(&["member_modifier", "inheritance_modifier", "property_modifier"], Act::Modifiers),
    on(&["platform_modifier", "parameter_modifiers", "parameter_modifier"], Act::Modifiers),
    on(&["annotation"], Act::Attribute).rest(Slot::Decorator),
    // Parameters.
    on(&["function_value_parameters"], Act::Params)
        .child("parameter", Slot::Expr)
        .child("parameter_modifiers", Slot::Inherit)
        .rest(Slot::Value),
    on(&["parameter", "parameter_with_optional_type"], Act::Param(Flags(0)))
        .child("simple_identifier", Slot::Bind)
        .rest(Slot::Type),
    on(&["lambda_parameters"], Act::Params).rest(Slot::Bind),
    on(&["type_parameter"], Act::Local(BindingKind::TypeParam)).child("type_identifier", Slot::Bind).rest(Slot::Type),
    on(&["type_constraint"], Act::Constraint).child("type_identifier", Slot::Property).rest(Slot::Type),
    // Scopes and local names.
    on(&["lambda_literal"], Act::Lambda).child("lambda_parameters", Slot::Params).child("statements", Slot::Body),
    on(&["anonymous_function"], Act::Lambda)
        .child("function_value_parameters", Slot::Params)
        .child("function_body", Slot::Body),
    on(&["control_structure_body", "statements"], Act::Scope(ScopeKind::Block)),
    on(&["for_statement"], LOCAL)
        .child("variable_declaration", Slot::Bind)
        .child("multi_variable_declaration", Slot::Bind)
        .child("control_structure_body", Slot::Expr)
        .rest(Slot::Iterable)
        .opens(ScopeKind::Block),
    on(&["when_expression"], Act::Either)
        .child("when_subject", Slot::Subject)
        .child("when_entry", Slot::Object)
        .opens(ScopeKind::Block),
    on(&["when_subject"], LOCAL).child("variable_declaration", Slot::Bind).rest(Slot::Value),
    on(&["when_entry"], Act::Scope(ScopeKind::Block)).child("when_condition", Slot::Condition),
    on(&["if_expression"], Act::Either)
        .field("condition", Slot::Condition)
        .field("consequence", Slot::Object)
        .field("alternative", Slot::Otherwise),
    on(&["while_statement"], Act::Opaque).child("control_structure_body", Slot::Expr).rest(Slot::Condition),
    on(&["check_expression"], Act::Check)
        .child("user_type", Slot::Type)
        .child("nullable_type", Slot::Type)
        .child("function_type", Slot::Type)
        .rest(Slot::Object),
    on(&["type_test"], Act::Check).rest(Slot::Type),
    on(&["try_expression"], Act::Either).child("statements", Slot::Object).rest(Slot::Expr),
    on(&["catch_block"], LOCAL)
        .child("simple_identifier", Slot::Bind)
        .child("user_type", Slot::Type)
        .child("statements", Slot::Expr)
        .opens(ScopeKind::Block),
    // Expressions.
    on(&["object_literal"], Act::Def(SymbolKind::Object))
        .child("delegation_specifier", Slot::Base)
        .child("class_body", Slot::Body)
        .flags(Flags::VALUE)
        .unnamed("object"),
    on(&["property_delegate"], Act::Unary(Op::Await)).rest(Slot::Object),
    on(&["call_expression"], Act::Call).child("call_suffix", Slot::Args).rest(Slot::Callee),
    on(&["infix_expression"], Act::Call).first(Slot::Object).second(Slot::Callee).rest(Slot::Args),
    on(&["constructor_invocation"], Act::Call).child("user_type", Slot::Inherit).child("value_arguments", Slot::Args),
    on(&["explicit_delegation"], Act::Opaque).child("user_type", Slot::Inherit).rest(Slot::Expr),
    on(&["navigation_expression"], Act::Member).child("navigation_suffix", Slot::Property).rest(Slot::Object),
    on(&["navigation_suffix", "parenthesized_expression"], Act::Pass),
    on(&["call_suffix"], Act::Opaque)
        .child("type_arguments", Slot::TypeArgs)
        .child("value_arguments", Slot::Value)
        .child("annotated_lambda", Slot::Value),
    on(&["value_arguments"], Act::List),
    on(&["annotated_lambda"], Act::Pass),
    on(&["value_argument"], Act::KeywordArgument).child("simple_identifier", Slot::Property).rest(Slot::Value),
    on(&["as_expression"], Act::Typed)
        .child("user_type", Slot::Type)
        .child("nullable_type", Slot::Type)
        .child("function_type", Slot::Type)
        .child("parenthesized_type", Slot::Type)
        .rest(Slot::Expr),
    on(&["postfix_expression"], Act::Pass),
    on(&["additive_expression", "multiplicative_expression"], Act::Unary(Op::Both))
        .first(Slot::Object)
        .rest(Slot::Expr),
    on(&["comparison_expression", "equality_expression", "conjunction_expression"], Act::Unary(Op::Test))
        .rest(Slot::Object),
    on(&["disjunction_expression"], Act::Unary(Op::Test)).rest(Slot::Object),
    on(&["callable_reference"], Act::Member)
        .child("type_identifier", Slot::Object)
        .child("simple_identifier", Slot::Property),
    on(&["indexing_expression"], Act::Unary(Op::Index)).child("indexing_suffix", Slot::Expr).rest(Slot::Object),
    on(&["assignment"], Act::Assign).child("directly_assignable_expression", Slot::Update).rest(Slot::Value),
    on(&["directly_assignable_expression"], Act::Member)
        .child("navigation_suffix", Slot::Property)
        .child("indexing_suffix", Slot::Expr)
        .rest(Slot::Object),
    on(&["elvis_expression"], Act::Either).rest(Slot::Object),
    on(&["this_expression"], Act::This),
    on(&["super_expression"], Act::Super),
    // Types.
    on(&["user_type"], Act::Apply).child("type_arguments", Slot::TypeArgs).rest(Slot::Object),
    on(&["type_arguments"], Act::List).rest(Slot::TypeArgs),
    on(&["function_type"], Act::FunctionType)
        .field("receiver", Slot::SelfType)
        .child("function_type_parameters", Slot::Params)
        .rest(Slot::Returns),
    on(&["function_type_parameters"], Act::Params).child("parameter", Slot::Expr).rest(Slot::Type),
    on(&["nullable_type", "type_projection", "parenthesized_type", "delegation_specifier"], Act::Pass),
    // Imports.
    on(&["import_header"], Act::Import(ImportFlags(0)))
        .child("identifier", Slot::Item)
        .child("import_alias", Slot::Alias),
    on(&["import_alias"], Act::Pass),
    on(&["wildcard_import"], Act::ImportMark(ImportFlags::STAR)),
];
