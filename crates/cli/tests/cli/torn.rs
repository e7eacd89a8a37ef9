//! C whose conditionals tear statements apart: what belongs together is kept together.

use crate::support::Project;

/// The outline of a file, and where its names are called.
fn outline(text: &str) -> String {
    Project::new(&[("a.c", text)]).run(&["outline", "a.c"]).out
}

#[test]
fn a_bracket_is_closed_by_the_branch_that_belongs_to_it() {
    let text = "\
int all(int n)
{
\tint left = n;
#ifdef EXACT
\tif (n)
\t\tleft = 1;
#else
\tif (!left) {
\t\tleft = 2;
#endif
\t\tleft = 3;
#ifndef EXACT
\t\tleft = 4;
\t\t}
#endif
\treturn left;
}
int next(void) { return all(1); }
";
    for (asked, negated) in [("#ifdef EXACT", "#ifndef EXACT"), ("#if defined(EXACT) /* x */", "#if !defined EXACT")] {
        let text = text.replace("#ifdef EXACT", asked).replace("#ifndef EXACT", negated);
        let out = outline(&text);
        assert!(out.contains("1-17  function  int all(int n)"), "{out}");
        assert!(out.contains("18    function  int next(void)") && !out.contains("did not understand"), "{out}");
    }
    // What is defined in between is another question.
    let again = "\
int all(int n)
{
#ifdef EXACT
\tif (n) {
#else
\tif (!n) {
#endif
\t\tn = 3;
\t}
#define EXACT
#ifdef EXACT
\tif (n > 4) {
#endif
\t\tn = 5;
\t}
\treturn n;
}
int next(void) { return all(1); }
";
    let out = outline(again);
    assert!(out.contains("1-17  function  int all(int n)") && out.contains("function  int next(void)"), "{out}");
    let other = outline(&again.replace("#define EXACT", "#define OTHER"));
    assert_ne!(other, out, "the answer stands");
}

#[test]
fn an_else_belongs_to_the_statement_before_its_conditional() {
    let text = "\
int all(int n)
{
\tif (n > 2) {
\t\tn = 1;
\t\t}
#ifndef ROUGH
\telse if (n >= -2) {
\t\tn = 2;
\t\t}
#endif
\treturn n;
}
int next(void) { return all(1); }
";
    let out = outline(text);
    assert!(out.contains("1-12  function  int all(int n)") && !out.contains("did not understand"), "{out}");
    assert_eq!(out.matches("function").count(), 2, "{out}");
}
