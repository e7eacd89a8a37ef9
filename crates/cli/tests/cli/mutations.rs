//! Changes that tempt a linker to guess, in several languages: a twin, another name, a name that is hidden, a file that
//! is gone. An edge may vanish, but never lead to something else. And how many files an edit links again.

use std::collections::BTreeSet;

use crate::support::Project;

/// The same small project in a language: a type and a function, somebody who uses both, somebody who does not.
struct Case {
    name: &'static str,
    manifest: Option<(&'static str, &'static str)>,
    target: (&'static str, &'static str),
    user: (&'static str, &'static str),
    unrelated: (&'static str, &'static str),
    /// Where the twin goes.
    twin: (&'static str, &'static str),
    /// The start of the user's function, and the same with something that hides `make`.
    shadow: (&'static str, &'static str),
    /// A new function for the target.
    fresh: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "python",
        manifest: None,
        target: (
            "shapes/base.py",
            "class Shape:\n    def area(self):\n        return 0\n\n\ndef make():\n    return Shape()\n",
        ),
        user: (
            "app.py",
            "from shapes.base import Shape, make\n\n\ndef main():\n    one = Shape()\n    one.area()\n    make().area()\n",
        ),
        unrelated: ("far/away.py", "def other():\n    return 1\n"),
        twin: ("other/twin.py", ""),
        shadow: ("def main():\n", "def main():\n    make = lambda: None\n"),
        fresh: "\n\ndef entirely():\n    return 1\n",
    },
    Case {
        name: "javascript",
        manifest: None,
        target: (
            "shapes/base.js",
            "export class Shape {\n  area() {\n    return 0;\n  }\n}\n\nexport function make() {\n  return new Shape();\n}\n",
        ),
        user: (
            "app.js",
            "import { Shape, make } from './shapes/base.js';\n\nexport function main() {\n  const one = new Shape();\n  one.area();\n  make().area();\n}\n",
        ),
        unrelated: ("far/away.js", "export function other() {\n  return 1;\n}\n"),
        twin: ("other/twin.js", ""),
        shadow: ("function main() {\n", "function main() {\n  const make = () => null;\n"),
        fresh: "\nexport function entirely() {\n  return 1;\n}\n",
    },
    Case {
        name: "typescript",
        manifest: None,
        target: (
            "shapes/base.ts",
            "export class Shape {\n  area(): number {\n    return 0;\n  }\n}\n\nexport function make(): Shape {\n  return new Shape();\n}\n",
        ),
        user: (
            "app.ts",
            "import { Shape, make } from './shapes/base';\n\nexport function main(): void {\n  const one: Shape = new Shape();\n  one.area();\n  make().area();\n}\n",
        ),
        unrelated: ("far/away.ts", "export function other(): number {\n  return 1;\n}\n"),
        twin: ("other/twin.ts", ""),
        shadow: ("function main(): void {\n", "function main(): void {\n  const make = (): any => null;\n"),
        fresh: "\nexport function entirely(): number {\n  return 1;\n}\n",
    },
    Case {
        name: "rust",
        manifest: Some(("Cargo.toml", "[package]\nname = \"demo\"\n")),
        target: (
            "src/shapes.rs",
            "pub struct Shape;\n\nimpl Shape {\n    pub fn area(&self) -> u32 {\n        return 0;\n    }\n}\n\npub fn make() -> Shape {\n    Shape\n}\n",
        ),
        user: (
            "src/main.rs",
            "mod far;\nmod shapes;\nuse shapes::{Shape, make};\n\nfn main() {\n    let one = Shape;\n    one.area();\n    make().area();\n}\n",
        ),
        unrelated: ("src/far.rs", "pub fn other() -> u32 {\n    1\n}\n"),
        twin: ("src/twin.rs", ""),
        shadow: ("fn main() {\n", "fn main() {\n    let make = || None;\n"),
        fresh: "\npub fn entirely() -> u32 {\n    1\n}\n",
    },
    Case {
        name: "go",
        manifest: Some(("go.mod", "module example.com/demo\n")),
        target: (
            "shapes/base.go",
            "package shapes\n\ntype Shape struct{}\n\nfunc (s *Shape) area() int {\n\treturn 0\n}\n\nfunc make() *Shape {\n\treturn &Shape{}\n}\n",
        ),
        user: (
            "shapes/app.go",
            "package shapes\n\nfunc main() {\n\tone := Shape{}\n\tone.area()\n\tmake().area()\n}\n",
        ),
        unrelated: ("far/away.go", "package far\n\nfunc other() int {\n\treturn 1\n}\n"),
        twin: ("other/twin.go", "package other\n"),
        shadow: ("func main() {\n", "func main() {\n\tmake := func() any { return nil }\n"),
        fresh: "\nfunc entirely() int {\n\treturn 1\n}\n",
    },
    Case {
        name: "java",
        manifest: None,
        target: (
            "src/shapes/Shape.java",
            "package shapes;\n\npublic class Shape {\n    public int area() {\n        return 0;\n    }\n\n    public static Shape make() {\n        return new Shape();\n    }\n}\n",
        ),
        user: (
            "src/app/App.java",
            "package app;\n\nimport shapes.Shape;\nimport static shapes.Shape.make;\n\nclass App {\n    void main() {\n        Shape one = new Shape();\n        one.area();\n        make().area();\n    }\n}\n",
        ),
        unrelated: (
            "src/far/Away.java",
            "package far;\n\nclass Away {\n    int other() {\n        return 1;\n    }\n}\n",
        ),
        twin: ("src/other/Shape.java", "package other;\n"),
        shadow: ("class App {\n", "class App {\n    static Object make() {\n        return null;\n    }\n\n"),
        fresh: "\nclass Entirely {}\n",
    },
];

impl Case {
    fn files(&self) -> Vec<(&str, &str)> {
        [self.target, self.user, self.unrelated].into_iter().chain(self.manifest).collect()
    }

    fn project(&self) -> Project {
        Project::new(&self.files())
    }

    /// The target's text for another file.
    fn twin_text(&self) -> String {
        let plain = self.target.1.lines().filter(|line| !line.starts_with("package ")).collect::<Vec<_>>().join("\n");
        format!("{}{plain}\n", self.twin.1)
    }
}

/// An edge to a symbol of the project: file, line, column, name, and the file that it leads to with its name there.
type Edge = (String, String, String);

fn edges(project: &Project) -> BTreeSet<Edge> {
    let sql = "SELECT r.file_path AS here, r.start_line || ':' || r.start_col || ' ' || r.referenced_symbol AS place, \
               s.file_path || ' ' || s.name AS there FROM \"references\" r JOIN symbols s ON s.id = r.target_id";
    let data = project.json(&["sql", sql, "--limit", "10000"]);
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let rows = data["rows"].as_array().expect("rows").iter();
    rows.map(|row| (text(&row["here"]), text(&row["place"]), text(&row["there"]))).collect()
}

/// The edges of the user's file into a file.
fn leading<'e>(edges: &'e BTreeSet<Edge>, case: &Case, into: &str) -> Vec<&'e Edge> {
    edges.iter().filter(|(here, _, there)| here == case.user.0 && there.starts_with(into)).collect()
}

#[test]
fn a_twin_in_an_unrelated_file_takes_no_edge() {
    for case in CASES {
        let project = case.project();
        let before = edges(&project);
        let uses = leading(&before, case, case.target.0);
        assert!(uses.iter().any(|(_, _, there)| there.ends_with(" area")), "{}: {before:?}", case.name);
        assert!(uses.iter().any(|(_, _, there)| there.ends_with(" make")), "{}: {before:?}", case.name);
        project.write(case.twin.0, &case.twin_text());
        project.run(&["update"]);
        let mut after = edges(&project);
        after.retain(|(here, ..)| here != case.twin.0);
        assert_eq!(after, before, "{}", case.name);
    }
}

#[test]
fn edges_to_what_is_renamed_vanish() {
    for case in CASES {
        for (old, new) in [("Shape", "Form"), ("make", "build"), ("area", "surface")] {
            let project = case.project();
            project.write(case.twin.0, &case.twin_text());
            project.run(&["update"]);
            let before = edges(&project);
            project.write(case.target.0, &case.target.1.replace(old, new));
            project.run(&["update"]);
            let after = edges(&project);
            let invented: Vec<&Edge> =
                leading(&after, case, "").into_iter().filter(|edge| !before.contains(*edge)).collect();
            assert!(invented.is_empty(), "{}: without {old}: {invented:?}", case.name);
            let kept = leading(&after, case, "").into_iter().find(|(_, place, _)| place.ends_with(&format!(" {old}")));
            assert!(kept.is_none(), "{}: without {old}: {kept:?}", case.name);
        }
    }
}

#[test]
fn a_name_that_hides_an_import_takes_its_edges() {
    for case in CASES {
        let project = case.project();
        let (start, hidden) = case.shadow;
        let text = case.user.1.replace(start, hidden);
        assert_ne!(text, case.user.1, "{}", case.name);
        project.write(case.user.0, &text);
        project.run(&["update"]);
        let after = edges(&project);
        let line = text.lines().position(|line| line.contains("make().area()")).expect("it is there") + 1;
        let found = leading(&after, case, case.target.0);
        let wrong = found.iter().find(|(_, place, _)| place.starts_with(&format!("{line}:")));
        assert!(wrong.is_none(), "{}: {wrong:?}", case.name);
    }
}

#[test]
fn edges_into_a_file_that_is_gone_vanish() {
    for case in CASES {
        let project = case.project();
        project.write(case.twin.0, &case.twin_text());
        project.run(&["update"]);
        let before = edges(&project);
        std::fs::remove_file(project.path().join(case.target.0)).expect("it is there");
        project.run(&["update"]);
        let after = edges(&project);
        // A name that is declared in the same file may mean that declaration again.
        let invented: Vec<&Edge> = after.difference(&before).filter(|(file, _, to)| !to.starts_with(file)).collect();
        assert!(invented.is_empty(), "{}: {invented:?}", case.name);
        assert!(leading(&after, case, case.target.0).is_empty(), "{}", case.name);
        assert!(leading(&after, case, case.twin.0).is_empty(), "{}", case.name);
    }
}

#[test]
fn an_edit_links_no_more_files_than_it_reaches() {
    for case in CASES {
        let project = case.project();
        let relinked = |text: &str| {
            project.write(case.target.0, text);
            project.json(&["update"])["relinked"].clone()
        };
        let text = case.target.1;
        let body = text.replace("return 0", "return 7");
        assert_eq!(relinked(&body), 1, "{}: a body", case.name);
        let comment = format!("{}\n{body}", if case.name == "python" { "# Words." } else { "// Words." });
        assert_eq!(relinked(&comment), 1, "{}: a comment", case.name);
        assert_eq!(relinked(&format!("{comment}{}", case.fresh)), 1, "{}: a fresh name", case.name);
        assert_eq!(relinked(&comment), 1, "{}: a name that nobody uses is gone", case.name);
        assert_eq!(relinked(&comment.replace("area", "surface")), 2, "{}: a renamed method", case.name);
        project.write(case.unrelated.0, case.unrelated.1);
        assert_eq!(project.json(&["update"])["relinked"], 0, "{}: nothing", case.name);
    }
}
