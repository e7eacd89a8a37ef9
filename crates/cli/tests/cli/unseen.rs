//! "That is all" is said only where nobody else can come without naming the symbol.

use crate::support::Project;

fn said(files: &[(&str, &str)], symbol: &str) -> String {
    let project = Project::new(files);
    let (refs, callers) = (project.run(&["refs", symbol]), project.run(&["callers", symbol]));
    let line = |out: &str| out.lines().nth(1).unwrap_or_default().to_owned();
    let verdict = |line: &str| line.split_once("; ").map(|(_, verdict)| verdict.to_owned());
    assert_eq!(verdict(&line(&refs.out)), verdict(&line(&callers.out)), "{}{}", refs.out, callers.out);
    line(&refs.out)
}

#[test]
fn what_the_language_or_a_base_outside_calls_is_said_to_be_not_seen() {
    let python = "import threading\nclass Job(threading.Thread):\n    def run(self): pass\n    def __str__(self): return ''\n\
                  class Plain:\n    def run(self): pass\n";
    let job = said(&[("a.py", python)], "Job.run");
    assert_eq!(job, "0 references in 0 files; not seen: calls by threading.Thread, outside of the project");
    let own = said(&[("a.py", python)], "Job.__str__");
    assert_eq!(own, "0 references in 0 files; not seen: calls that the language makes without naming it");
    assert_eq!(said(&[("a.py", python)], "Plain.run"), "0 references in 0 files; that is all");
    let java = "class Job implements Runnable {\n  @Override public void run() {}\n  private void own() {}\n}\n\
                interface Shape { int area(); }\nclass Dot implements Shape { public int area() { return 0; } }\n";
    assert!(said(&[("Job.java", java)], "Job.run").ends_with("not seen: calls by Runnable, outside of the project"));
    assert!(said(&[("Job.java", java)], "Dot.area").ends_with("that is all"));
    let go = "package a\ntype Text struct{}\nfunc (t Text) String() string { return \"\" }\nfunc (t Text) own() {}\n";
    assert!(said(&[("a.go", go)], "Text.String").ends_with("not seen: calls through an interface of another package"));
    assert!(said(&[("a.go", go)], "Text.own").ends_with("that is all"));
    let rust = "struct Text;\nimpl std::fmt::Display for Text {\n    fn fmt(&self) {}\n}\nimpl Text {\n    fn own(&self) {}\n}\n\
                trait Near { fn near(&self); }\nimpl Near for Text { fn near(&self) {} }\n";
    let fmt = said(&[("src/lib.rs", rust)], "Text::fmt");
    assert!(fmt.ends_with("not seen: calls by std::fmt::Display, outside of the project"), "{fmt}");
    assert!(said(&[("src/lib.rs", rust)], "Text::own").ends_with("that is all"));
    assert!(said(&[("src/lib.rs", rust)], "Text::near").ends_with("that is all"));
    let php = "<?php\nclass Bag {\n  public function __get($name) { return 1; }\n  public function own() {}\n}\n";
    assert!(
        said(&[("a.php", php)], "Bag.__get").ends_with("not seen: calls that the language makes without naming it")
    );
    assert!(said(&[("a.php", php)], "Bag.own").ends_with("that is all"));
}

#[test]
fn a_decorator_may_hand_on_what_nobody_names() {
    let python =
        "from web import app\n@app.route('/')\ndef index(): pass\n@app.route('/b')\ndef used(): pass\nused()\n";
    assert_eq!(said(&[("a.py", python)], "index"), "0 references in 0 files; not seen: what @app.route does with it");
    assert!(said(&[("a.py", python)], "used").ends_with("that is all"));
    let project = Project::new(&[("a.py", python)]);
    let found = project.json(&["refs", "index"]);
    assert_eq!(found["unbound"]["unseen"], serde_json::json!({"by": "decorators", "names": ["@app.route"]}));
}
