//! Macro arguments are read as code where they are code.

use codegraph_languages::by_name;
use codegraph_model::RefKind;

fn facts(source: &str) -> codegraph_model::FileFacts {
    codegraph_extract::extract(source.as_bytes(), by_name("rust").expect("a language with macros"))
}

#[test]
fn arguments_in_any_brackets_are_code_and_no_syntax_problem() {
    let facts = facts("fn f() { print!(\"{}\", g(1)); let v = vec![h(2)]; once! { fn inner() { i() } } }\n");
    assert_eq!(facts.problems, []);
    let calls = facts.refs.iter().filter(|r| r.kind == RefKind::Call).map(|r| facts.name(r.name));
    assert_eq!(calls.collect::<Vec<_>>(), ["g", "h", "i"]);
    assert!(facts.symbols.iter().any(|s| s.name.is_some() && facts.name(s.name) == "inner"));
}

#[test]
fn arguments_at_the_very_end_of_a_file_are_read() {
    assert_eq!(facts("m!(a)").problems, []);
}

#[test]
fn arguments_that_are_no_code_are_names_and_no_syntax_problem() {
    let facts = facts("fn f() { choose!(recv(a) -> _ => g(1), => else b); }\n");
    assert_eq!(facts.problems, []);
    assert!(facts.refs.iter().any(|r| facts.name(r.name) == "g"));
}

/// The names of what a file defines, each with the text that is said to be its name.
fn defined(source: &str) -> Vec<(String, String)> {
    let facts = facts(source);
    assert_eq!(facts.problems, []);
    let named =
        facts.symbols.iter().skip(1).map(|s| (facts.name(s.name).to_owned(), source[s.name_span.range()].to_owned()));
    named.filter(|(name, _)| name != "make").collect()
}

fn names(source: &str) -> Vec<String> {
    defined(source).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn what_a_macro_defines_is_defined_where_it_is_called() {
    let made = "macro_rules! make { ($name:ident, $of:ty) => { pub struct $name($of); impl $name { fn hidden(&self) {} } } }\n";
    let found = defined(&format!("{made}make!(First, Vec<u8>);\nmake! {{ Second, u8 }}\n"));
    let expected = [
        ("First", "First"),
        ("First", "First"),
        ("hidden", ""),
        ("Second", "Second"),
        ("Second", "Second"),
        ("hidden", ""),
    ];
    let own = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
    assert_eq!(found.iter().filter(|(name, _)| name != "0").cloned().collect::<Vec<_>>(), expected.map(own));
}

#[test]
fn repetitions_choices_and_macros_of_macros_are_followed() {
    let lists = "macro_rules! make { ($($name:ident: $($arm:ident)|+;)* ) => { $( enum $name { $($arm),+ } )* } }\n";
    assert_eq!(names(&format!("{lists}make! {{ A: B | C; D: E; }}\n")), ["A", "B", "C", "D", "E"]);
    let chosen = "macro_rules! make { (fn $n:ident) => { fn $n() {} }; (@ $n:ident) => { const $n: u8 = 1; }; ($($t:tt)*) => { make!{@ $($t)*} } }\n";
    assert_eq!(names(&format!("{chosen}make!(fn a);\nmake!(B);\nimpl T {{ make!(fn c); }}\n")), ["a", "B", "T", "c"]);
    let items = "macro_rules! make { ($($x:item)*) => { $(#[cfg(x)] $x)* } }\nmake! { use a::b; /// d\nfn f(b: u8) { b } struct S { c: u8 } }\n";
    assert_eq!(names(items), ["f", "S", "c"]);
    let crates =
        "macro_rules! make { () => { mod inner { pub use $crate::x::Y; } pub use self::inner::Y as Z; } }\nmake!();\n";
    assert_eq!((names(crates), facts(crates).imports.len()), (vec!["inner".to_owned()], 2));
}

#[test]
fn a_definition_counts_behind_it_in_its_module_and_if_a_rule_fits() {
    let made = "macro_rules! make { ($n:ident) => { fn $n() {} } }";
    assert_eq!(
        names(&format!("make!(early);\nmod m {{ {made}\nmake!(inside); }}\nmake!(outside);\n")),
        ["m", "inside"]
    );
    assert_eq!(names(&format!("{made}\nmake!(two names); make!(1); other! {{ make!(deep); }}\n")), ["deep"]);
}

#[test]
fn words_of_the_arguments_stand_where_they_are_written_and_only_there() {
    let source = "macro_rules! make { ($n:ident, $d:expr) => { fn $n() -> u8 { helper($d) } } }\nmake!(named, /* why */ other(\"text\"));\n";
    let facts = facts(source);
    let lines = |word: &str| -> Vec<(u32, u8)> {
        facts.terms.iter().filter(|t| facts.name(t.term) == word).map(|t| (t.line, t.mask.0)).collect()
    };
    assert_eq!((lines("named"), lines("helper")), (vec![(2, 9)], vec![(1, 1)]));
    assert_eq!((lines("why"), lines("text"), lines("other")), (vec![(2, 2)], vec![(2, 4)], vec![(2, 1)]));
    assert_eq!(facts.line_starts.len(), 3);
    assert!(facts.refs.iter().all(|r| r.span.end <= facts.length && source[r.span.range()] == *facts.name(r.name)));
}

#[test]
fn macros_that_grow_without_end_are_left() {
    let doubled = "macro_rules! make { ($($t:tt)*) => { make!{ $($t)* $($t)* } } }\nmake! { fn a() {} }\n";
    assert_eq!(names(doubled), ["a"]);
    let many: String = (0..4000).map(|i| format!("make! {{ a{i} }}\n")).collect();
    let long = "fn x() { } ".repeat(2000);
    let started = std::time::Instant::now();
    let found = facts(&format!("macro_rules! make {{ ($n:ident) => {{ {long} }} }}\n{many}"));
    assert!(found.symbols.len() < 30_000, "{}", found.symbols.len());
    let open = "macro_rules! make { () => { } }\n".to_owned() + &"{".repeat(1 << 20) + &"}".repeat(1 << 20);
    facts(&open);
    assert!(started.elapsed().as_secs() < 20);
}

#[test]
fn a_type_implements_what_it_derives() {
    let facts = facts(
        "#[derive(Debug, a::Encode)]\npub struct M;\n#[proc_macro_derive(Encode, attributes(x))]\npub fn f() {}\n",
    );
    let derived = facts.notes.iter().filter(|n| n.tie == codegraph_model::Tie::Implements);
    let names = derived
        .map(|n| (facts.name(facts.symbols[n.symbol.index()].name), facts.type_name(n.expr).map(|id| facts.name(id))));
    assert_eq!(names.collect::<Vec<_>>(), [("M", Some("Encode"))]);
    let macros = facts.refs.iter().filter(|r| r.kind == RefKind::Macro).map(|r| facts.name(r.name));
    assert_eq!(macros.collect::<Vec<_>>(), ["derive", "Debug", "Encode", "proc_macro_derive"]);
    assert!(
        facts.symbols.iter().any(|s| facts.name(s.name) == "Encode" && s.kind == codegraph_model::SymbolKind::Macro)
    );
}
