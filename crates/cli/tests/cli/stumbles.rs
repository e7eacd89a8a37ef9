//! What new users and auditors stumbled over, each through the binary as they met it.

use std::process::Command;

use crate::support::Project;

const CORE: &str = "\
#!/usr/bin/env python
# Tools of somebody
\"\"\"The docstring with wordalpha.\"\"\"
from __future__ import annotations
from .models import User as U

def handler(x):
    \"\"\"Handles wordbeta.\"\"\"
    print(\"needleword in a string\")
    return x

TABLE = {\"a\": handler}

class A:
    @staticmethod
    def make(first, second): ...
    @classmethod
    def build(cls, z): ...
    def render(self, m):
        self.render(m)
";

fn sample() -> Project {
    Project::new(&[
        ("pkg/__init__.py", ""),
        ("pkg/core.py", CORE),
        ("pkg/models.py", "class User: ...\n"),
        ("conf.yml", "kind: yamlword\n"),
        ("README.md", "# handler\n\nThe handler of things.\n"),
    ])
}

fn git(project: &Project, arguments: &[&str]) -> String {
    let output = Command::new("git").args(arguments).current_dir(project.path()).output().expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn doc_strings_are_comments() {
    let project = sample();
    for word in ["wordalpha", "wordbeta"] {
        let found = project.json(&["query", word]);
        assert_eq!(found["matches"][0]["line_type"], "comment", "{found}");
        assert_eq!(project.run(&["query", word, "--type", "comment"]).code, 0);
        assert_eq!(project.run(&["query", word, "--type", "string"]).code, 1);
    }
}

#[test]
fn words_of_strings_are_shown_marked_when_code_has_none() {
    let found = sample().run(&["query", "needleword"]);
    assert_eq!(found.code, 0, "{}", found.out);
    assert!(
        found.out.contains("pkg/core.py:9  string") && found.out.contains("found in strings only"),
        "{}",
        found.out
    );
}

#[test]
fn code_comes_before_prose() {
    let found = sample().json(&["query", "handler"]);
    let files: Vec<&str> =
        found["matches"].as_array().expect("rows").iter().map(|row| row["file"].as_str().expect("a file")).collect();
    assert!(files.len() >= 4 && files[0] == "pkg/core.py" && files.last() == Some(&"README.md"), "{files:?}");
}

#[test]
fn a_filter_for_code_gives_code_lines_only() {
    let found = sample().json(&["query", "handler", "--type", "code"]);
    let types: Vec<&str> = found["matches"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["line_type"].as_str().expect("a type"))
        .collect();
    assert!(!types.is_empty() && types.iter().all(|own| *own == "code"), "{found}");
    let lines: Vec<&serde_json::Value> =
        found["matches"].as_array().expect("rows").iter().map(|row| &row["line_number"]).collect();
    assert!(!lines.contains(&&7.into()), "the line of the definition is a method: {found}");
}

#[test]
fn a_phrase_is_its_words_in_their_order() {
    let project = sample();
    let found = project.json(&["query", "render m"]);
    let lines: Vec<u64> = found["matches"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["line_number"].as_u64().expect("a line"))
        .collect();
    assert_eq!(lines, [20, 19], "close together first: {found}");
    assert_eq!(project.run(&["query", "m render"]).code, 1);
}

#[test]
fn an_empty_answer_names_grep_where_that_was_meant() {
    let project = sample();
    let regex = project.run(&["query", "--regex", "hand.* x"]).out;
    assert!(regex.contains("terms are single words") && regex.contains("'codegraph grep \"hand.* x\"'"), "{regex}");
    let phrase = project.run(&["query", "no such phrase"]).out;
    assert!(phrase.contains("codegraph grep"), "{phrase}");
    let word = project.run(&["query", "yamlword"]).out;
    assert!(word.contains("of no known language: 1 yml") && word.contains("codegraph grep"), "{word}");
    assert!(!word.contains("not searched"), "{word}");
}

#[test]
fn what_was_not_read_is_counted() {
    let project = sample();
    assert!(project.run(&["status"]).out.contains("of no known language: 1 yml"));
    assert!(project.run(&["init"]).out.contains("not read, of no known language: 1 yml"));
    assert_eq!(project.json(&["status"])["unread"][0]["extension"], "yml");
}

#[test]
fn a_function_without_callers_says_where_its_value_goes() {
    let found = sample().run(&["callers", "handler"]);
    assert!(found.out.contains("used as a value: pkg/core.py:12"), "{}", found.out);
    assert!(!found.out.contains("that is all"), "{}", found.out);
}

#[test]
fn a_definition_wins_over_what_an_import_calls_it() {
    let project = Project::program(
        "
//- /a.js
function foo(x) { return x; }
module.exports = { foo };
//- /b.js
const { foo } = require('./a');
foo(1);
",
    );
    assert!(project.run(&["get", "foo"]).out.contains("a.foo"));
    assert!(project.run(&["callers", "foo"]).out.contains("b.js: 2"));
}

#[test]
fn an_entity_without_dependents_says_so() {
    let project = sample();
    assert!(project.run(&["get-entity-dependents", "A.build"]).out.contains("0 dependents"));
    assert!(project.run(&["get-entity-dependencies", "User"]).out.contains("0 dependencies"));
}

#[test]
fn seven_digits_are_too_few_for_an_id() {
    let project = sample();
    let id = project.json(&["find", "handler"])["symbols"][0]["symbol_id"].as_str().expect("an id").to_owned();
    assert_eq!(project.run(&["get", &id[..8]]).code, 0);
    if id[..7].bytes().any(|byte| byte.is_ascii_digit()) {
        let found = project.run(&["get", &id[..7]]);
        assert!(found.code == 1 && found.out.contains("8 of its digits"), "{}", found.out);
    }
}

#[test]
fn a_name_that_is_only_local_is_said_to_be() {
    let project = sample();
    let local = project.run(&["find", "first"]).out;
    assert!(local.contains("'first' stands in code"), "{local}");
    let unknown = project.run(&["find", "zzz_nothing"]).out;
    assert!(!unknown.contains("stands in code") && !unknown.contains("locals"), "{unknown}");
}

#[test]
fn a_module_is_found_by_its_name_and_has_no_source_as_a_signature() {
    let project = sample();
    for name in ["pkg.core", "core", "pkg/core.py"] {
        let found = project.json(&["find", name]);
        assert_eq!(found["symbols"][0]["fqn"], "pkg.core", "{name}: {found}");
        assert!(found["symbols"][0].get("signature").is_none(), "{found}");
    }
}

#[test]
fn the_map_shows_what_is_there() {
    let project = Project::new(&[
        ("pkg/core.py", CORE),
        ("pkg/models.py", "class User: ...\n"),
        (
            "web/a.ts",
            "export class A {}\nexport interface I {}\nexport class B extends A implements I {\n  m({a, bb, ccc}: X) {}\n}\n",
        ),
        (
            "n.h",
            "#ifndef GUARD_H\n#define GUARD_H\n#define LIMIT 3\n#define SQ(x) ((x)*(x))\n#define NOW() 1\n#endif\n",
        ),
    ]);
    let map = project.run(&["map"]).out;
    for line in [
        "  m make(first,second):16", "  m build(z):18", "c B(A,I):3", "  m m({a,bb,ccc}):4", "v GUARD_H:2", "v LIMIT:3",
    ] {
        assert!(map.lines().any(|own| own == line || own.starts_with(&format!("{line} "))), "{line}:\n{map}");
    }
    assert!(map.contains("\nf SQ(x):4") && map.contains("\nf NOW:5"), "{map}");
    assert!(!map.contains("i annotations"), "{map}");
}

#[test]
fn ditto_stands_only_for_the_same_places() {
    let mut files = vec![("lib.py".to_owned(), "def one(): ...\ndef two(): ...\ndef three(): ...\n".to_owned())];
    for i in 0..5 {
        files.push((format!("u{i}.py"), format!("from lib import one, two\none()\n{}", "two()\n".repeat(i % 2))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let map = Project::new(&files).run(&["map", "lib.py"]).out;
    let two = map.lines().find(|line| line.starts_with("f two()")).expect("a line");
    assert!(!two.contains('″'), "{map}");
}

#[test]
fn attributes_do_not_cut_a_prototype() {
    let source = "namespace N {\n  public class P {\n    [Obsolete(\"x\")]\n    [Test] public void A() { }\n    [X, Y(1)]\n    public int B { get; }\n  }\n}\n";
    let outline = Project::new(&[("x.cs", source)]).run(&["signature", "x.cs"]).out;
    assert!(outline.contains(" public void A()") && !outline.contains("] public"), "{outline}");
}

#[test]
fn a_header_keeps_the_comment_before_the_doc_string() {
    let header = sample().json(&["signature", "pkg/core.py"])["header_comments"].as_str().expect("a text").to_owned();
    assert!(header.contains("Tools of somebody") && header.ends_with("The docstring with wordalpha."), "{header}");
}

#[test]
fn imports_have_their_alias_and_level() {
    let project = sample();
    let outline = project.json(&["signature", "pkg/core.py"]);
    let import = &outline["imports"][0];
    assert_eq!((&import["module"], &import["name"]), (&"models".into(), &"User".into()), "{outline}");
    assert_eq!((&import["alias"], import["level"].as_u64()), (&"U".into(), Some(1)), "{import}");
    let rows =
        project.json(&["sql", "select import_alias, import_level from references where referenced_symbol = 'User'"]);
    assert_eq!(rows["rows"][0]["import_alias"], "U", "{rows}");
    assert_eq!(rows["rows"][0]["import_level"], 1);
}

#[test]
fn keywords_are_no_terms_in_any_language() {
    let project = Project::program(
        "
//- /K.java
class K { void m() { this.m(); boolean b = true; Object o = null; } }
//- /k.ts
class K { m(): void { this.m(); const b = true; let o = null; } }
//- /k.cpp
struct K { void m() { this->m(); bool b = true; } };
//- /k.cs
class K { void M() { this.M(); bool b = true; object o = null; } }
//- /k.php
<?php class K { function m(): void { $this->m(); $b = true; $o = null; } }
//- /k.go
package k
func m() { b := true; _ = b }
//- /k.rs
struct K; impl K { fn m(&self) -> bool { self.m(); true } }
//- /k.kt
class K { fun m() { this.m(); val b = true; val o = null } }
//- /k.rb
class K
  def m
    b = true
  end
end
//- /k.c
void m(void) { int b = 1; }
",
    );
    for word in ["void", "this", "true", "null"] {
        let found = project.run(&["query", word]);
        assert_eq!(found.code, 1, "{word}: {}", found.out);
        assert!(found.out.contains("is a keyword of"), "{word}: {}", found.out);
    }
    assert_eq!(project.run(&["query", "b"]).code, 0);
}

#[test]
fn git_sees_nothing_of_a_new_index_unless_asked_to() {
    let project = Project::bare(&[("a.py", "x = 1\n")]);
    git(&project, &["init", "-q"]);
    git(&project, &["add", "a.py"]);
    assert_eq!(project.run(&["init"]).code, 0);
    assert_eq!(git(&project, &["status", "--short", "--untracked-files=all"]), "A  a.py\n");
    assert_eq!(project.run(&["init", "--shared"]).code, 0);
    let seen = git(&project, &["status", "--short", "--untracked-files=all"]);
    assert!(seen.contains(".codegraph/config.json") && !seen.contains("index.db"), "{seen}");
}

#[test]
fn packages_of_others_are_left_out_unless_git_tracks_them() {
    let files = [
        ("a.js", "const own = 1;\n"),
        ("node_modules/left/i.js", "const left = 1;\n"),
        ("vendor/kept/k.js", "const kept = 1;\n"),
        ("vendor/gone/g.js", "const gone = 1;\n"),
        ("x.min.js", "var small=1;\n"),
        ("y.min.js", "var tracked=1;\n"),
    ];
    let project = Project::bare(&files);
    git(&project, &["init", "-q"]);
    git(&project, &["add", "a.js", "vendor/kept", "y.min.js"]);
    let init = project.run(&["init"]).out;
    assert!(init.contains("node_modules") && init.contains("only what git tracks"), "{init}");
    let found = |name: &str| project.run(&["find", name]).code == 0;
    assert!(found("own") && found("kept") && found("tracked"));
    assert!(!found("left") && !found("gone") && !found("small"));
    assert_eq!(project.run(&["init", "--vendored"]).code, 0);
    assert!(found("left") && found("gone") && found("small"));
}

#[test]
fn what_was_removed_stays_out_until_it_is_added() {
    let project = sample();
    assert_eq!(project.run(&["remove", "pkg/models.py"]).code, 0);
    let found = || project.run(&["find", "User"]).code == 0;
    assert!(!found());
    project.write("pkg/models.py", "class User: ...\nclass Later: ...\n");
    project.write("pkg/other.py", "class Other: ...\n");
    assert!(!found() && project.run(&["find", "Other"]).code == 0);
    assert_eq!(project.run(&["update"]).code, 0);
    assert!(!found());
    let doctor = project.run(&["doctor"]);
    assert_eq!(doctor.code, 0, "{}", doctor.out);
    assert!(project.run(&["status"]).out.contains("pkg/models.py: removed"));
    assert_eq!(project.run(&["update", "pkg/models.py"]).code, 0);
    assert!(found());
}

#[test]
fn notes_have_the_headings_of_their_projects() {
    let project = Project::bare(&[("CLAUDE.md", "# Notes\n\nUse tabs.\n"), ("lib/a/CLAUDE.md", "Use spaces.\n")]);
    assert_eq!(project.run(&["init", "--name", "demo"]).code, 0);
    let notes = project.run(&["docs"]).out;
    assert!(notes.contains("\n## Project: demo\n") && notes.contains("\n## Library: lib/a\n"), "{notes}");
}

#[test]
fn settings_that_can_be_made_are_in_the_file() {
    let project = sample();
    let config = std::fs::read_to_string(project.path().join(".codegraph/config.json")).expect("a file");
    assert!(config.contains("\"auto_map\": false"), "{config}");
}

#[test]
fn a_name_that_linked_projects_share_offers_all() {
    let project = sample();
    let other = Project::new(&[("m.py", "class User: ...\nclass Lonely: ...\n")]);
    let again = Project::new(&[("n.py", "class Third: ...\n")]);
    for linked in [&other, &again] {
        assert_eq!(project.run(&["link", linked.path().to_str().expect("UTF-8")]).code, 0);
    }
    let both = project.run(&["refs", "User", "--include-dependencies"]).out;
    assert!(both.contains("pkg.models.User") && both.contains("m.User"), "{both}");
    let links = project.run(&["links"]).out;
    let names: Vec<&str> = links.lines().filter(|line| line.contains("demo (")).collect();
    assert_eq!(names.len(), 2, "two links of one name look different: {links}");
}

#[test]
fn callees_and_default_imports_lead_into_linked_projects() {
    let library = Project::bare(&[
        ("package.json", "{\"name\": \"mylib\", \"main\": \"src/index.js\"}\n"),
        (
            "src/index.js",
            "/* Sums of\n * things. */\n\nexport function add(a) { return a; }\nexport default function main(x) { return add(x); }\n",
        ),
    ]);
    assert_eq!(library.run(&["init", "--name", "lib"]).code, 0);
    let project = Project::new(&[(
        "a.js",
        "import start, { add } from 'mylib';\nexport function run() { start(1); add(2); return own(); }\nfunction own() {}\n",
    )]);
    assert_eq!(project.run(&["link", library.path().to_str().expect("UTF-8")]).code, 0);
    assert_eq!(project.run(&["callees", "run"]).out.matches("(external)").count(), 2);
    let callees = project.run(&["callees", "run", "--include-dependencies"]).out;
    for line in ["src.main  line 2  (lib: src/index.js:5)", "src.add   line 2  (lib: src/index.js:4)", "a.own "] {
        assert!(callees.contains(line), "{line}: {callees}");
    }
    let found = project.json(&["callees", "run", "--include-dependencies"]);
    assert_eq!(found["calls"][0]["symbol"]["project"], "lib", "{found}");
    for command in ["callers", "refs"] {
        let users = project.run(&[command, "main", "--include-dependencies"]).out;
        assert!(users.contains("a.js") && users.contains("run"), "{command}: {users}");
    }
    let inner = project.run(&["callees", "main", "--include-dependencies"]).out;
    assert!(inner.contains("lib: src/index.js:5") && inner.contains("src.add"), "{inner}");
    let nothing = project.run(&["callers", "no_such_name", "--include-dependencies"]).out;
    assert!(nothing.contains("searched 2 files"), "{nothing}");
    let rows = library.json(&["sql", "select header_comments from signatures"]);
    assert_eq!(rows["rows"][0]["header_comments"], "Sums of\nthings.", "{rows}");
    assert!(library.run(&["sql", "select header_comments from signatures"]).out.contains("Sums of\\nthings."));
}

/// A module of a linked project that is worth a function: who calls it calls that, who reads it has the module.
#[test]
fn a_module_that_is_called_means_its_function_in_a_linked_project() {
    let library = Project::bare(&[
        ("package.json", "{\"name\": \"mylib\", \"main\": \"index.js\"}\n"),
        (
            "index.js",
            "function build() {}\nmodule.exports = build;\nmodule.exports.other = other;\nfunction other() {}\n",
        ),
    ]);
    assert_eq!(library.run(&["init", "--name", "lib"]).code, 0);
    let app = "const Lib = require('mylib');\nfunction run() { Lib.other(); return Lib(); }\n";
    let project = Project::new(&[("a.js", app)]);
    assert_eq!(project.run(&["link", library.path().to_str().expect("UTF-8")]).code, 0);
    let callees = project.run(&["callees", "run", "--include-dependencies"]).out;
    assert!(callees.contains("(lib: index.js:1)") && callees.contains(".build "), "{callees}");
    let callers = project.run(&["callers", "build", "--include-dependencies"]).out;
    assert!(callers.contains("a.js: run:2"), "{callers}");
}

#[test]
fn a_name_that_both_have_offers_both_to_callers_and_callees() {
    let project = sample();
    let other = Project::new(&[("m.py", "def handler(): ...\n")]);
    assert_eq!(project.run(&["link", other.path().to_str().expect("UTF-8"), "--name", "other"]).code, 0);
    for command in ["callers", "callees", "refs"] {
        let both = project.run(&[command, "handler", "--include-dependencies"]).out;
        assert!(both.contains("means 2 symbols") && both.contains("other: m.py:1"), "{command}: {both}");
        let own = project.run(&[command, "pkg.core.handler", "--include-dependencies"]).out;
        assert!(own.contains("handler  pkg/core.py:7"), "{command}: {own}");
    }
}

#[test]
fn a_default_export_is_defined_where_it_is_written() {
    let project = Project::program(
        "
//- /a.ts
export default function () { return 1 }
//- /b.ts
const foo = 1;
export default foo;
//- /m.ts
import a from './a';
import b from './b';
a(); b;
",
    );
    assert!(project.run(&["definition", "m.ts:1:7"]).out.starts_with("a.ts:1:"));
    assert!(project.run(&["definition", "m.ts:2:7"]).out.starts_with("b.ts:1:6"));
    assert!(project.run(&["definition", "b.ts:2:16"]).out.starts_with("b.ts:1:6"));
}

#[test]
fn a_name_after_two_colons_is_a_name() {
    let project = Project::new(&[(
        "n.cpp",
        "namespace ns { struct S { static int f(); }; }\nint ns::S::f() { return 1; }\nint main() { return ns::S::f(); }\n",
    )]);
    for command in ["hover", "definition"] {
        assert!(project.run(&[command, "n.cpp:3:27"]).out.contains("S::f"), "{command}");
    }
    assert!(project.run(&["references", "n.cpp:3:27"]).out.contains("return ns::S::f()"));
}

#[test]
fn projects_that_a_project_refers_to_are_dependencies() {
    let csproj = "<Project><ItemGroup><ProjectReference Include=\"..\\lib\\My.Lib.csproj\" /></ItemGroup></Project>";
    let project = Project::new(&[("App.csproj", csproj), ("P.cs", "class P { static void Main() {} }\n")]);
    let summary = project.run(&["summary"]).out;
    assert!(summary.contains("My.Lib") && summary.contains("P.Main"), "{summary}");
}

#[test]
fn a_call_says_whether_it_may_be_left_out() {
    let source = "def a(): ...\ndef b(): ...\ndef c(): ...\n\ndef run(x):\n    a()\n    if x:\n        b()\n    try:\n        c()\n    except E:\n        a()\n";
    let project = Project::new(&[("m.py", source)]);
    let found = project.json(&["callees", "run"]);
    let of = |name: &str| {
        let calls = found["calls"].as_array().expect("calls");
        calls.iter().find(|call| call["name"] == name).expect("a call")["is_conditional"].as_bool()
    };
    assert_eq!((of("m.a"), of("m.b"), of("m.c")), (Some(false), Some(true), Some(true)), "{found}");
    let rows = project.json(&["sql", "select start_line, is_conditional from calls where caller = 'run' order by 1"]);
    let marks: Vec<i64> = rows["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["is_conditional"].as_i64().expect("a number"))
        .collect();
    assert_eq!(marks, [0, 1, 1, 1], "{rows}");
}
