//! Values of types that lie in other repositories: their members, what functions give, what is inherited, and which of several
//! functions of one name is meant.

use serde_json::Value;

use crate::server::Server;
use crate::store::{Repository, callers, json};

type Files = &'static [(&'static str, &'static str)];

const PYTHON: [(&str, Files); 2] = [
    (
        "py-lib",
        &[
            ("pyproject.toml", "[project]\nname = \"mesh\"\nversion = \"1.2.0\"\n"),
            (
                "mesh/__init__.py",
                "class Base:\n    def flush(self):\n        return 1\n\n\nclass Pen:\n    def lift(self):\n        return 1\n\n\n\
                 class Canvas(Base):\n    def draw(self):\n        return self\n\n    def pens(self) -> list[Pen]:\n        return []\n\n\n\
                 def make() -> Canvas:\n    return Canvas()\n",
            ),
        ],
    ),
    (
        "py-app",
        &[
            ("pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"mesh>=1\"]\n"),
            (
                "app.py",
                "import mesh\nfrom mesh import Canvas\n\n\nclass Own(Canvas):\n    def draw(self):\n        super().draw()\n        self.flush()\n\n\n\
                 def given(canvas: Canvas):\n    canvas.flush()\n\n\ndef made():\n    mesh.make().draw()\n\n\n\
                 def each():\n    for pen in mesh.make().pens():\n        pen.lift()\n\n\n\
                 def other(thing):\n    thing.draw()\n    next(thing).flush()\n",
            ),
        ],
    ),
];

#[test]
fn members_of_values_of_another_repository_are_found() {
    let Some(server) = Server::start() else { return };
    for (name, files) in PYTHON {
        Repository::new(name, files).push(&server, &["--commit", "c"]);
    }
    for (symbol, wanted) in [
        ("mesh.Base.flush", &["py-app@c app.py:12 given", "py-app@c app.py:8 draw"][..]),
        ("mesh.Canvas.draw", &["py-app@c app.py:16 made", "py-app@c app.py:7 draw"]),
        ("mesh.Canvas.pens", &["py-app@c app.py:20 each"]),
        ("mesh.Pen.lift", &["py-app@c app.py:21 each"]),
    ] {
        let mut found = callers(&server, symbol);
        found.sort();
        assert_eq!(found, wanted, "{symbol}");
    }
    // The same the other way round.
    let called = |of: &str| -> Vec<String> {
        let answer = json(&server, &["callees", of]);
        let calls = answer["calls"].as_array().unwrap_or_else(|| panic!("{answer}"));
        calls.iter().map(|call| call["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(called("app.each"), ["mesh.Canvas.pens", "mesh.Pen.lift", "mesh.make"]);
}

const JAVA: [(&str, Files); 3] = [
    (
        "java-lib",
        &[
            (
                "pom.xml",
                "<project><groupId>org.mesh</groupId><artifactId>mesh</artifactId><version>1</version></project>",
            ),
            (
                "src/main/java/org/mesh/Draw.java",
                "package org.mesh;\n\npublic class Draw {\n    public Draw line(int x) { return this; }\n    public Draw line(int x, int y) { return this; }\n\
                 \x20   public void dot(int x) {}\n    public void dot(String x) {}\n}\n",
            ),
        ],
    ),
    (
        "java-app",
        &[
            (
                "pom.xml",
                "<project><groupId>org.app</groupId><artifactId>app</artifactId><dependencies><dependency>\
                 <groupId>org.mesh</groupId><artifactId>mesh</artifactId></dependency></dependencies></project>",
            ),
            (
                "src/main/java/org/app/Main.java",
                "package org.app;\n\nimport org.mesh.*;\n\npublic class Main {\n    private Draw draw;\n    void one() {\n        draw.line(1).line(2, 3);\n    }\n\
                 \x20   void two() {\n        new Draw().dot(1);\n    }\n}\n",
            ),
        ],
    ),
    // A class of the same name in the own package.
    (
        "java-other",
        &[
            (
                "pom.xml",
                "<project><groupId>org.other</groupId><artifactId>other</artifactId><dependencies><dependency>\
                 <groupId>org.mesh</groupId><artifactId>mesh</artifactId></dependency></dependencies></project>",
            ),
            ("src/main/java/org/other/Draw.java", "package org.other;\n\nclass Draw {\n    void dot(int x) {}\n}\n"),
            (
                "src/main/java/org/other/Main.java",
                "package org.other;\n\npublic class Main {\n    void show(Draw draw) {\n        draw.dot(1);\n    }\n}\n",
            ),
        ],
    ),
];

#[test]
fn functions_of_one_name_are_told_apart_by_their_arguments() {
    let Some(server) = Server::start() else { return };
    for (name, files) in JAVA {
        Repository::new(name, files).push(&server, &["--commit", "c"]);
    }
    let sites = |symbol: &str| -> Vec<String> {
        let found = json(&server, &["find", symbol]);
        let all = found["symbols"].as_array().expect("symbols").clone();
        let own = all.iter().filter(|one| one["project"] == "java-lib@c");
        let mut rows = Vec::new();
        for one in own {
            let answer = json(&server, &["refs", one["symbol_id"].as_str().expect("an id")]);
            let row = |site: &Value| {
                format!("{}: {}:{} {}", one["line_number"], site["file"], site["line_number"], site["certainty"])
            };
            rows.extend(answer["references"].as_array().expect("a list").iter().map(row));
        }
        rows
    };
    let main = "\"src/main/java/org/app/Main.java\"";
    assert_eq!(
        sites("line"),
        [format!("4: {main}:8 \"inferred\""), format!("5: {main}:8 \"inferred\"")],
        "each has its own call"
    );
    // Both take one argument: which is meant is not known.
    assert_eq!(sites("dot"), [format!("6: {main}:11 \"candidate\""), format!("7: {main}:11 \"candidate\"")]);
}

/// What Gradle publishes is called after its folder, and a catalogue names what a build needs.
#[test]
fn a_package_is_meant_by_who_needs_it() {
    let Some(server) = Server::start() else { return };
    let library = [
        ("settings.gradle", "include ':mesh'\n"),
        ("mesh/build.gradle", "plugins { id 'java' }\n"),
        (
            "mesh/src/main/java/mesh3/Draw.java",
            "package mesh3;\n\npublic class Draw {\n    public static void dot() {}\n}\n",
        ),
    ];
    let uses = "package app;\n\nimport mesh3.Draw;\n\nclass Main {\n    void show() { Draw.dot(); }\n}\n";
    let catalogue =
        "[versions]\nmesh = \"3.1\"\n[libraries]\nmesh = { module = \"org.mesh:mesh\", version.ref = \"mesh\" }\n";
    Repository::new("lib", &library).push(&server, &["--commit", "c"]);
    Repository::new("needs", &[("Main.java", uses), ("libs.versions.toml", catalogue)])
        .push(&server, &["--commit", "c"]);
    Repository::new("without", &[("Main.java", uses)]).push(&server, &["--commit", "c"]);
    assert_eq!(callers(&server, "mesh3.Draw.dot"), ["needs@c Main.java:6 show"]);
}
