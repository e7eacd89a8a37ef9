//! Pushing and asking: several repositories in several ecosystems, who uses whom across them, rights, and what a push
//! leaves behind when it fails.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;

use codegraph_fixture::Sandbox;
use serde_json::Value;

use crate::server::Server;

/// A library and who uses it, in three ecosystems; names of what is used are the same, so that only the right ones count.
const REPOSITORIES: &[(&str, &[(&str, &str)])] = &[
    (
        "py-lib",
        &[
            ("pyproject.toml", "[project]\nname = \"mesh\"\nversion = \"1.2.0\"\n"),
            ("mesh/__init__.py", "from .core import render as render, Canvas as Canvas\n"),
            (
                "mesh/core.py",
                "class Base:\n    def flush(self):\n        return 1\n\n\nclass Canvas(Base):\n    def draw(self):\n        return render(self)\n\n\n\
                 def render(thing):\n    return thing\n",
            ),
        ],
    ),
    (
        "py-app",
        &[
            ("pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"mesh>=1\"]\n"),
            (
                "app/main.py",
                "import mesh\nfrom mesh.core import Canvas\n\n\ndef show():\n    return mesh.render(1)\n\n\ndef paint():\n    \
                 canvas = Canvas()\n    return canvas.draw()\n",
            ),
            ("app/own.py", "def render(x):\n    return x\n\n\ndef other():\n    return render(2)\n"),
        ],
    ),
    (
        "js-lib",
        &[
            ("package.json", "{\"name\": \"@mesh/draw\", \"version\": \"2.0.0\", \"main\": \"index.js\"}"),
            ("index.js", "export function render(thing) {\n  return thing;\n}\n"),
        ],
    ),
    (
        "js-app",
        &[
            ("package.json", "{\"name\": \"page\", \"dependencies\": {\"@mesh/draw\": \"^2\"}}"),
            ("package-lock.json", "{\"packages\": {\"node_modules/@mesh/draw\": {\"version\": \"2.0.1\"}}}"),
            ("page.js", "import { render } from '@mesh/draw';\n\nexport function page() {\n  return render(1);\n}\n"),
        ],
    ),
    (
        "go-lib",
        &[
            ("go.mod", "module example.org/mesh\n\ngo 1.22\n"),
            ("mesh.go", "package mesh\n\n// Render draws.\nfunc Render(x int) int {\n\treturn x\n}\n"),
        ],
    ),
    (
        "go-app",
        &[
            ("go.mod", "module example.org/app\n\ngo 1.22\n\nrequire example.org/mesh v1.4.0\n"),
            ("main.go", "package main\n\nimport \"example.org/mesh\"\n\nfunc main() {\n\tprintln(mesh.Render(1))\n}\n"),
        ],
    ),
];

/// Pairs in other ecosystems: a library, and who calls it.
const MORE: &[(&str, &[(&str, &str)])] = &[
    (
        "rs-lib",
        &[
            ("Cargo.toml", "[package]\nname = \"mesh-draw\"\nversion = \"1.0.0\"\n"),
            ("src/lib.rs", "mod core;\npub use core::render;\n"),
            ("src/core.rs", "pub fn render(x: u32) -> u32 {\n    x\n}\n"),
        ],
    ),
    (
        "rs-app",
        &[
            ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"1.0.0\"\n\n[dependencies]\nmesh-draw = \"1\"\n"),
            (
                "src/main.rs",
                "use mesh_draw::render;\n\nfn main() {\n    render(1);\n}\n\nfn other() {\n    mesh_draw::render(2);\n}\n",
            ),
        ],
    ),
    (
        "java-lib",
        &[
            (
                "pom.xml",
                "<project><groupId>org.mesh</groupId><artifactId>mesh</artifactId><version>1</version></project>",
            ),
            (
                "src/main/java/org/mesh/Draw.java",
                "package org.mesh;\n\npublic class Draw {\n    public static int render(int x) {\n        return x;\n    }\n}\n",
            ),
        ],
    ),
    (
        "java-app",
        &[
            (
                "pom.xml",
                "<project><groupId>org.app</groupId><artifactId>app</artifactId><version>1</version><dependencies><dependency>\
                 <groupId>org.mesh</groupId><artifactId>mesh</artifactId><version>1</version></dependency></dependencies></project>",
            ),
            (
                "src/main/java/org/app/Main.java",
                "package org.app;\n\nimport org.mesh.Draw;\n\npublic class Main {\n    void show() {\n        Draw.render(1);\n    }\n}\n",
            ),
        ],
    ),
    (
        "php-lib",
        &[
            ("composer.json", "{\"name\": \"mesh/draw\", \"autoload\": {\"psr-4\": {\"Mesh\\\\\": \"src/\"}}}"),
            (
                "src/Draw.php",
                "<?php\nnamespace Mesh;\n\nclass Draw\n{\n    public static function render($x)\n    {\n        return $x;\n    }\n}\n",
            ),
        ],
    ),
    (
        "php-app",
        &[
            ("composer.json", "{\"name\": \"some/app\", \"require\": {\"mesh/draw\": \"^1\"}}"),
            ("main.php", "<?php\nuse Mesh\\Draw;\n\nfunction show()\n{\n    return Draw::render(1);\n}\n"),
        ],
    ),
    (
        "rb-lib",
        &[
            ("mesh.gemspec", "Gem::Specification.new do |s|\n  s.name = \"mesh\"\n  s.version = \"1.0\"\nend\n"),
            ("lib/mesh.rb", "module Mesh\n  def self.render(x)\n    x\n  end\nend\n"),
        ],
    ),
    (
        "rb-app",
        &[
            ("Gemfile", "source \"https://gems.example\"\ngem \"mesh\"\n"),
            ("main.rb", "require \"mesh\"\n\ndef show\n  Mesh.render(1)\nend\n"),
        ],
    ),
    (
        "cs-lib",
        &[
            (
                "Mesh.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><PackageId>Mesh</PackageId></PropertyGroup></Project>",
            ),
            (
                "Draw.cs",
                "namespace Mesh\n{\n    public static class Draw\n    {\n        public static int Render(int x) { return x; }\n    }\n}\n",
            ),
        ],
    ),
    (
        "cs-app",
        &[
            (
                "App.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><PackageReference Include=\"Mesh\" Version=\"1.0\" /></ItemGroup></Project>",
            ),
            (
                "Main.cs",
                "using Mesh;\n\nnamespace App\n{\n    class Main\n    {\n        int Show() { return Draw.Render(1); }\n    }\n}\n",
            ),
        ],
    ),
    (
        "cjs-lib",
        &[
            ("package.json", "{\"name\": \"mesh-whole\", \"version\": \"2.0.0\", \"main\": \"mesh.js\"}"),
            (
                "mesh.js",
                "function build(options) {\n  return options;\n}\n\nmodule.exports = build;\nmodule.exports.other = other;\n\nfunction other() {}\n",
            ),
        ],
    ),
    (
        "cjs-app",
        &[
            ("package.json", "{\"name\": \"page\", \"dependencies\": {\"mesh-whole\": \"^2\"}}"),
            (
                "page.js",
                "const Mesh = require('mesh-whole');\n\nfunction page() {\n  Mesh.other();\n  return Mesh({});\n}\n",
            ),
            ("page.mjs", "import Mesh from 'mesh-whole';\n\nexport function module() {\n  return Mesh({});\n}\n"),
        ],
    ),
];

pub(crate) struct Repository(Sandbox);

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let run = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let run = Run { code: run.status.code().expect("no signal"), out: text(&run.stdout), err: text(&run.stderr) };
    // The address is in no output, whatever happens.
    assert!(!run.out.contains("geheim") && !run.err.contains("geheim"), "{}{}", run.out, run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
    run
}

impl Repository {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Repository {
        let repository = Repository(Sandbox::new(files));
        let made = run(repository.0.root(), &["init", "--name", name]);
        assert_eq!(made.code, 0, "{}", made.err);
        repository
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(path, text);
    }

    pub(crate) fn push(&self, server: &Server, more: &[&str]) -> Value {
        let url = server.url("admin");
        let run = run(self.0.root(), &[&["push", &url, "--json"], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str::<Value>(&run.out).expect("JSON")["data"].take()
    }
}

fn all(server: &Server) -> Vec<Repository> {
    let pushed = REPOSITORIES.iter().map(|(name, files)| {
        let repository = Repository::new(name, files);
        repository.push(server, &["--commit", "c0ffee"]);
        repository
    });
    pushed.collect()
}

fn ask(server: &Server, user: &str, arguments: &[&str]) -> Run {
    let url = server.url(user);
    run(Path::new("/"), &[arguments, &["--org", &url]].concat())
}

pub(crate) fn json(server: &Server, arguments: &[&str]) -> Value {
    let run = ask(server, "admin", &[arguments, &["--json"]].concat());
    serde_json::from_str::<Value>(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))["data"].take()
}

/// Callers of a symbol as `repository file:line name`.
pub(crate) fn callers(server: &Server, name: &str) -> Vec<String> {
    let answer = json(server, &["callers", name]);
    let calls = answer["calls"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let row = |call: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let symbol = &call["symbol"];
        format!("{} {}:{} {}", text(&symbol["project"]), text(&call["file"]), call["lines"][0], text(&symbol["name"]))
    };
    calls.iter().map(row).collect()
}

#[test]
fn callers_are_found_across_repositories_in_three_ecosystems() {
    let Some(server) = Server::start() else { return };
    let _repositories = all(&server);
    let found = json(&server, &["find", "render", "--kind", "function"]);
    let projects: Vec<&str> =
        found["symbols"].as_array().expect("a list").iter().filter_map(|s| s["project"].as_str()).collect();
    assert_eq!(projects, ["js-lib@c0ffee", "py-app@c0ffee", "py-lib@c0ffee", "go-lib@c0ffee"]);
    assert_eq!(
        callers(&server, "mesh.core.render"),
        ["py-app@c0ffee app/main.py:6 show", "py-lib@c0ffee mesh/core.py:8 draw"]
    );
    assert_eq!(callers(&server, "example.org/mesh.Render"), ["go-app@c0ffee main.go:6 main"]);
    assert_eq!(callers(&server, "index.render"), ["js-app@c0ffee page.js:4 page"]);
    assert_eq!(callers(&server, "app.own.render"), ["py-app@c0ffee app/own.py:6 other"]);
    assert_eq!(callers(&server, "mesh.core.Canvas"), ["py-app@c0ffee app/main.py:10 paint"]);
    assert_eq!(callers(&server, "mesh.core.Canvas.draw"), ["py-app@c0ffee app/main.py:11 paint"]);
}

#[test]
fn callers_are_found_in_other_ecosystems() {
    let Some(server) = Server::start() else { return };
    for (name, files) in MORE {
        Repository::new(name, files).push(&server, &["--commit", "c0ffee"]);
    }
    for (symbol, wanted) in [
        ("mesh_draw::core::render", &["rs-app@c0ffee src/main.rs:4 main", "rs-app@c0ffee src/main.rs:8 other"][..]),
        ("Mesh\\Draw\\render", &["php-app@c0ffee main.php:6 show"]),
        // A module that is worth a function: who calls it calls that.
        ("mesh.build", &["cjs-app@c0ffee page.js:5 page", "cjs-app@c0ffee page.mjs:4 module"]),
        ("mesh.other", &["cjs-app@c0ffee page.js:4 page"]),
        ("org.mesh.Draw.render", &["java-app@c0ffee src/main/java/org/app/Main.java:7 show"]),
        ("Mesh::render", &["rb-app@c0ffee main.rb:4 show"]),
        ("Mesh.Draw.Render", &["cs-app@c0ffee Main.cs:7 Show"]),
    ] {
        assert_eq!(callers(&server, symbol), wanted, "{symbol}");
    }
}

/// Who may read sees rows through tables and views, and never a part by its name.
#[test]
fn parts_are_not_read_by_their_names() {
    let Some(server) = Server::start() else { return };
    let (name, files) = REPOSITORIES[0];
    Repository::new(name, files).push(&server, &["--team", "red"]);
    server.sql("CREATE ROLE bert LOGIN IN ROLE codegraph_read");
    for part in 0..16 {
        let run = ask(&server, "bert", &["sql", &format!("SELECT count(*) FROM codegraph.symbol_{part}")]);
        assert!(run.code == 2 && run.err.contains("permission denied"), "{}{}", run.out, run.err);
    }
    let run = ask(&server, "bert", &["sql", "SELECT count(*) AS n FROM codegraph.symbol", "--json"]);
    assert!(run.out.contains("\"n\":0") || run.out.contains("\"n\": 0"), "{}{}", run.out, run.err);
}

const TASK: &str = "Where does the canvas flush what was drawn?";

#[test]
fn a_task_in_words_finds_code_in_any_repository() {
    let Some(server) = Server::start() else { return };
    let _repositories = all(&server);
    let answer = json(&server, &["context", TASK]);
    let first = &answer["symbols"][0];
    assert_eq!(
        (first["project"].as_str(), first["file"].as_str()),
        (Some("py-lib@c0ffee"), Some("mesh/core.py")),
        "{answer}"
    );
    let names: Vec<&str> =
        answer["symbols"].as_array().expect("symbols").iter().filter_map(|symbol| symbol["name"].as_str()).collect();
    assert!(names.contains(&"Canvas") && names.contains(&"flush"), "{names:?}");
    let text = ask(&server, "admin", &["context", "Render draws something", "--tokens", "400"]);
    assert!(text.out.contains("go-lib@c0ffee: mesh.go:4-6 function Render"), "{}", text.out);
    assert!(text.out.contains("callers: main go-app@c0ffee: main.go:5"), "{}", text.out);
    assert!(!text.out.contains("module mesh.go") && text.out.contains("return x"), "{}", text.out);
    let named = json(&server, &["context", "--names", "mesh.core.render"]);
    assert_eq!(named["symbols"][0]["fqn"], "mesh.core.render", "{named}");
    let nothing = ask(&server, "admin", &["context", "zeppelin"]);
    assert_eq!(nothing.code, 1, "{}{}", nothing.out, nothing.err);
}

#[test]
fn every_question_is_answered_with_repository_and_commit() {
    let Some(server) = Server::start() else { return };
    let _repositories = all(&server);
    let says = |arguments: &[&str], wanted: &[&str]| {
        let run = ask(&server, "admin", arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.out, run.err);
        wanted.iter().for_each(|text| assert!(run.out.contains(text), "{arguments:?}: no {text} in {}", run.out));
    };
    says(&["find", "Canvas"], &["py-lib@c0ffee", "mesh/core.py:6"]);
    says(&["refs", "mesh.core.render"], &["py-app@c0ffee", "return mesh.render(1)", "py-lib@c0ffee"]);
    says(&["callees", "show"], &["mesh.core.render"]);
    says(&["impact", "mesh.core.render"], &["show", "Canvas.draw"]);
    says(&["hierarchy", "Canvas"], &["Base"]);
    says(&["deps"], &["py-app", "py-lib", "go-app", "go-lib"]);
    says(&["query", "canvas", "--case-sensitive"], &["py-app@c0ffee", "canvas = Canvas()"]);
    says(&["query", "rend", "--starts-with"], &["js-app@c0ffee", "go-lib@c0ffee"]);
    says(&["sql", "SELECT repository, count(*) AS n FROM symbols GROUP BY 1 ORDER BY 1"], &["go-app", "py-lib"]);
    says(&["sql", "SELECT package, version FROM needs WHERE ecosystem = 'npm'"], &["@mesh/draw", "2.0.1"]);
    let missing = ask(&server, "admin", &["find", "no_such_thing"]);
    assert_eq!(missing.code, 1, "{}", missing.err);
    for (arguments, hint) in [
        (&["map"][..], "with --org there are context, find"),
        (&["sql", "DELETE FROM codegraph.symbol"], "SQL:"),
        (&["sql", "SELECT pg_sleep(9)", "--timeout", "1"], "longer than 1 s"),
        (&["sql", "SELECT 1; SELECT 2"], "SQL:"),
    ] {
        let run = ask(&server, "admin", arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(hint), "{arguments:?}: {}", run.err);
    }
}

/// Everything that the store says about a repository, without internal numbers.
fn dump(server: &Server, repository: &str) -> String {
    server.sql(&format!(
        "SET search_path = codegraph;
         SELECT string_agg(t, E'\\n' ORDER BY t) FROM (
             SELECT 'f ' || f::text FROM (SELECT path, hash, lines FROM files WHERE repository = '{repository}') f UNION ALL
             SELECT 's ' || s::text FROM symbols s WHERE repository = '{repository}' UNION ALL
             SELECT 'r ' || r::text FROM \"references\" r WHERE repository = '{repository}' UNION ALL
             SELECT 't ' || t::text FROM terms t WHERE repository = '{repository}') all_rows(t)"
    ))
}

#[test]
fn agents_ask_the_store_with_the_same_tools() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let Some(server) = Server::start() else { return };
    let _repositories = all(&server);
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(["mcp", "--org", &server.url("admin")])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |message: Value| -> Value {
        writeln!(input, "{message}").expect("it listens");
        match message.get("id") {
            Some(_) => serde_json::from_str(&lines.next().expect("an answer").expect("text")).expect("JSON"),
            None => Value::Null,
        }
    };
    let about = serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    ask(serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}));
    ask(serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let listed = ask(serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    let names: Vec<&str> =
        listed["result"]["tools"].as_array().expect("tools").iter().filter_map(|tool| tool["name"].as_str()).collect();
    let wanted = ["context", "query", "find", "callers", "callees", "impact", "sql", "hierarchy", "refs", "deps"];
    assert_eq!(names, wanted.map(|name| format!("codegraph_{name}")));
    let call = serde_json::json!({"name": "codegraph_callers", "arguments": {"symbol": "mesh.core.render"}});
    let answer = ask(serde_json::json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}));
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("py-app@c0ffee: app/main.py: show:6") && !text.contains("geheim"), "{text}");
    for (name, arguments, wanted) in [
        ("context", serde_json::json!({"task": TASK}), "py-lib@c0ffee: mesh/core.py"),
        ("refs", serde_json::json!({"symbol": "mesh.core.render"}), "py-app@c0ffee"),
        ("hierarchy", serde_json::json!({"symbol": "Canvas"}), "Base"),
        ("deps", serde_json::json!({}), "go-lib"),
        ("sql", serde_json::json!({"statement": "SELECT count(*) AS n FROM repositories"}), "6"),
    ] {
        let call = serde_json::json!({"name": format!("codegraph_{name}"), "arguments": arguments});
        let answer = ask(serde_json::json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": call}));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(text.contains(wanted) && !text.contains("geheim"), "{name}: {text}");
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn a_push_sends_what_changed_and_ends_where_a_first_one_would() {
    let Some(server) = Server::start() else { return };
    let (name, files) = REPOSITORIES[0];
    let repository = Repository::new(name, files);
    let first = repository.push(&server, &["--commit", "one"]);
    assert_eq!((first["files"].as_u64(), first["sent"].as_u64()), (Some(2), Some(2)), "{first}");
    let again = repository.push(&server, &["--commit", "one"]);
    assert_eq!((again["sent"].as_u64(), again["removed"].as_u64()), (Some(0), Some(0)), "{again}");
    // Lines above move everything in the file, and nothing in the one that uses it.
    let core = std::fs::read_to_string(repository.0.root().join("mesh/core.py")).expect("it is there");
    repository.write("mesh/core.py", &format!("# A line.\n\n{core}\n\ndef more():\n    return 1\n"));
    let second = repository.push(&server, &["--commit", "two"]);
    assert_eq!((second["sent"].as_u64(), second["removed"].as_u64()), (Some(1), Some(1)), "{second}");
    let incremental = dump(&server, name);
    server.sql("DROP SCHEMA codegraph CASCADE");
    repository.push(&server, &["--commit", "two"]);
    assert_eq!(incremental, dump(&server, name));
    assert!(incremental.contains("more"));
    std::fs::remove_file(repository.0.root().join("mesh/core.py")).expect("it is there");
    let third = repository.push(&server, &["--commit", "three", "--keep", "1"]);
    assert_eq!(third["removed"].as_u64(), Some(2), "{third}");
    assert_eq!(server.sql("SELECT count(*) FROM codegraph.symbols WHERE name = 'render'"), "0");
    // The state before is kept, for as long as it was asked for.
    assert_eq!(server.sql("SELECT count(*) FROM codegraph.symbol WHERE name = 'render'"), "1");
    repository.push(&server, &["--commit", "four"]);
    assert_eq!(server.sql("SELECT count(*) FROM codegraph.symbol WHERE name = 'render'"), "0");
}

#[test]
fn texts_stay_at_home_if_that_is_wanted() {
    let Some(server) = Server::start() else { return };
    let (name, files) = REPOSITORIES[0];
    let repository = Repository::new(name, files);
    repository.push(&server, &["--commit", "c0ffee", "--no-text"]);
    assert_eq!(server.sql("SELECT count(*) FROM codegraph.content"), "0");
    let run = ask(&server, "admin", &["refs", "mesh.core.render"]);
    assert!(run.out.contains("mesh/core.py") && !run.out.contains("return render(self)"), "{}", run.out);
    // The same text in two repositories is there once.
    repository.push(&server, &["--commit", "c0ffee", "--repository", "copy"]);
    let once: usize = server.sql("SELECT count(*) FROM codegraph.content").parse().expect("a number");
    repository.push(&server, &["--commit", "c0ffee", "--repository", "second copy"]);
    assert_eq!(server.sql("SELECT count(*) FROM codegraph.content"), once.to_string());
    assert_eq!(once, 2);
}

#[test]
fn a_reader_sees_the_repositories_of_its_teams_and_writes_nothing() {
    let Some(server) = Server::start() else { return };
    for (place, team) in [(0, "red"), (2, "blue"), (4, "everyone")] {
        let (name, files) = REPOSITORIES[place];
        Repository::new(name, files).push(&server, &["--team", team, "--commit", "c0ffee"]);
    }
    server.sql(
        "CREATE ROLE codegraph_team_red; CREATE ROLE anna LOGIN IN ROLE codegraph_read, codegraph_team_red;
         CREATE ROLE bert LOGIN IN ROLE codegraph_read; CREATE ROLE carl LOGIN BYPASSRLS IN ROLE codegraph_push, codegraph_read;",
    );
    let seen = |user: &str| {
        let run = ask(&server, user, &["sql", "SELECT repository FROM repositories ORDER BY 1", "--json"]);
        let data: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let rows = data["data"]["rows"].as_array().expect("rows").clone();
        rows.iter().map(|row| row["repository"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(seen("anna"), ["go-lib", "py-lib"]);
    assert_eq!(seen("bert"), ["go-lib"]);
    assert_eq!(seen("carl"), ["go-lib", "js-lib", "py-lib"]);
    let projects = |user: &str| {
        let run = ask(&server, user, &["find", "render", "--json"]);
        let data: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        data["data"]["total"].as_u64()
    };
    assert_eq!((projects("anna"), projects("bert"), projects("carl")), (Some(2), Some(1), Some(3)));
    // A text is seen by who sees its file.
    let texts = |user: &str| {
        let statement = "SELECT count(*) AS n FROM content";
        let run = ask(&server, user, &["sql", statement, "--json"]);
        let data: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        data["data"]["rows"][0]["n"].as_u64()
    };
    assert_eq!((texts("anna"), texts("bert")), (Some(3), Some(1)));
    let (name, files) = REPOSITORIES[1];
    let repository = Repository::new(name, files);
    let url = server.url("bert");
    let refused = run(repository.0.root(), &["push", &url]);
    assert_eq!(refused.code, 2, "{}", refused.out);
    let url = server.url("carl");
    let allowed = run(repository.0.root(), &["push", &url]);
    assert_eq!(allowed.code, 0, "{}", allowed.err);
}

/// A store whose large tables lie on three other servers.
fn spread() -> Option<(Server, Vec<Server>)> {
    let server = Server::start()?;
    let others: Vec<Server> = (0..3).map(|_| Server::start()).collect::<Option<_>>()?;
    Some((server, others))
}

/// What a push has to say so that its store is made on other servers.
fn on(others: &[Server]) -> Vec<String> {
    others.iter().flat_map(|other| ["--server".to_owned(), other.url("admin")]).collect()
}

#[test]
fn a_store_on_several_servers_gives_the_same_answers() {
    let Some((server, others)) = spread() else { return };
    let Some(single) = Server::start() else { return };
    let on = on(&others);
    let on: Vec<&str> = on.iter().map(String::as_str).collect();
    for (place, (name, files)) in REPOSITORIES.iter().enumerate() {
        let repository = Repository::new(name, files);
        let more: &[&str] = if place == 0 { &on } else { &[] };
        let commit = ["--commit", "c0ffee"];
        assert_eq!(repository.push(&server, &[&commit, more].concat()), repository.push(&single, &commit));
        // Again, and with a change.
        repository.write("more.py", "def more():\n    return 1\n");
        assert_eq!(repository.push(&server, &commit), repository.push(&single, &commit));
        assert_eq!(dump(&server, name), dump(&single, name), "{name}");
    }
    // Nothing large lies on the server that is asked, and each repository lies on one of the others.
    assert_eq!(
        server.sql("SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '^(symbol|reference|term)'"),
        "0"
    );
    let rows = |server: &Server| -> i64 {
        let parts = server.sql("SELECT string_agg(format('SELECT repository FROM codegraph.%I', relname), ' UNION ALL ') FROM pg_class WHERE relkind = 'r' AND relname ~ '^symbol_'");
        server.sql(&format!("SELECT count(*) FROM ({parts}) s")).parse().expect("a number")
    };
    let all: i64 = server.sql("SELECT count(*) FROM codegraph.symbol").parse().expect("a number");
    assert_eq!(others.iter().map(rows).sum::<i64>(), all);
    for arguments in [
        &["find", "render"][..],
        &["find", "rend", "--starts-with"],
        &["find", "rende.$", "--mode", "regex"],
        &["refs", "mesh.core.render"],
        &["callers", "mesh.core.render"],
        &["callers", "example.org/mesh.Render"],
        &["callees", "show"],
        &["impact", "mesh.core.render"],
        &["hierarchy", "Canvas"],
        &["deps"],
        &["deps", "mesh/core.py"],
        &["query", "canvas", "--case-sensitive"],
        &["query", "rend", "--starts-with"],
        &["context", TASK],
        &["sql", "SELECT repository, count(*) AS n FROM symbols GROUP BY 1 ORDER BY 1"],
    ] {
        let (one, other) = (ask(&server, "admin", arguments), ask(&single, "admin", arguments));
        assert_eq!((one.code, &one.out), (0, &other.out), "{arguments:?}: {}", one.err);
    }
    // Joins within a repository are done where it lies.
    let plan = server.sql(
        "SET search_path = codegraph; SET enable_partitionwise_join = on;
         EXPLAIN SELECT * FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file
         JOIN symbol s ON s.repository = x.repository AND s.file = x.file AND s.key = x.caller WHERE x.outside = 'mesh.render'",
    );
    assert!(plan.contains("Relations: ((reference_0") || plan.contains("Relations: "), "{plan}");
    // Rights are those of the server that is asked.
    server.sql("CREATE ROLE bert LOGIN IN ROLE codegraph_read; UPDATE codegraph.repository SET team = 'red' WHERE name = 'py-lib'");
    let found = ask(&server, "bert", &["find", "render", "--json"]);
    let data: Value = serde_json::from_str(&found.out).unwrap_or_else(|_| panic!("{}", found.err));
    assert_eq!(data["data"]["total"], 3, "{data}");
    let (name, files) = REPOSITORIES[0];
    let again = Repository::new(name, files);
    let run = run(again.0.root(), &[&["push", &server.url("admin")], &on[..]].concat());
    assert!(run.code == 2 && run.err.contains("there is a store in this database already"), "{}", run.err);
}

/// The servers end their parts of a transaction one after the other. What is left when all die in between is as if it were not
/// there, and the next push takes it away.
#[test]
fn a_push_that_only_some_servers_ended_is_not_seen() {
    let Some((server, others)) = spread() else { return };
    let on = on(&others);
    let on: Vec<&str> = on.iter().map(String::as_str).collect();
    let (name, files) = REPOSITORIES[0];
    let repository = Repository::new(name, files);
    repository.push(&server, &[&["--commit", "one"], &on[..]].concat());
    let before = dump(&server, name);
    // The row that decides is put back: the large tables have the new state, the repository has the old one.
    let kept = server.sql("SELECT state, commit FROM codegraph.repository");
    let (state, commit) = kept.split_once('|').expect("two columns");
    repository.write("mesh/more.py", "def more():\n    return 1\n");
    std::fs::remove_file(repository.0.root().join("mesh/__init__.py")).expect("it is there");
    repository.push(&server, &["--commit", "two"]);
    let after = dump(&server, name);
    assert_ne!(before, after);
    server.sql(&format!("UPDATE codegraph.repository SET state = {state}, commit = '{commit}'; DELETE FROM codegraph.state WHERE id > {state}"));
    assert_eq!(dump(&server, name), before);
    repository.push(&server, &["--commit", "two"]);
    assert_eq!(dump(&server, name), after);
    assert_eq!(server.sql("SELECT count(*) FROM codegraph.file WHERE path = 'mesh/more.py'"), "1");
}

#[test]
fn a_server_that_is_killed_during_pushes_has_nothing_by_halves() {
    let Some(mut server) = Server::start() else { return };
    killed_during_pushes(&mut [&mut server], &[]);
}

#[test]
fn all_servers_that_are_killed_during_pushes_have_nothing_by_halves() {
    let Some((mut server, mut others)) = spread() else { return };
    let on = on(&others);
    let mut all = vec![&mut server];
    all.extend(others.iter_mut());
    killed_during_pushes(&mut all, &on.iter().map(String::as_str).collect::<Vec<_>>());
}

/// The first server is the one that is asked.
fn killed_during_pushes(servers: &mut [&mut Server], on: &[&str]) {
    let repositories: Vec<Repository> = REPOSITORIES.iter().map(|(name, files)| Repository::new(name, files)).collect();
    repositories[0].push(servers[0], &[&["--commit", "zero"], on].concat());
    let server = &servers[0];
    let before = dump(server, REPOSITORIES[0].0);
    let url = server.url("admin");
    let (told, stop) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        for repository in &repositories {
            let (url, told) = (url.clone(), told.clone());
            scope.spawn(move || {
                for commit in 0..10 {
                    repository.write("more.py", &format!("def added_{commit}():\n    return {commit}\n"));
                    // It may succeed or fail; it may not leave a half.
                    let run = run(repository.0.root(), &["push", &url, "--commit", &commit.to_string()]);
                    assert!(run.code == 0 || run.code == 2, "{}", run.err);
                    let _ = told.send(());
                }
            });
        }
        for _ in 0..12 {
            stop.recv().expect("pushes go on");
        }
        servers.iter_mut().for_each(|server| server.kill());
        servers.iter_mut().for_each(|server| server.restart());
    });
    let server = &*servers[0];
    // What is there of each repository is one whole push: its commit and the symbol of that commit.
    let rows = server.sql(
        "SELECT count(*) FROM codegraph.repository r WHERE commit ~ '^[0-9]$' AND NOT EXISTS (
             SELECT FROM codegraph.symbols s WHERE s.repository = r.name AND s.name = 'added_' || r.commit)",
    );
    assert_eq!(rows, "0");
    for (repository, (name, _)) in repositories.iter().zip(REPOSITORIES) {
        std::fs::remove_file(repository.0.root().join("more.py")).expect("it is there");
        repository.push(server, &["--commit", "zero"]);
        assert_eq!(
            server.sql(&format!("SELECT commit FROM codegraph.repositories WHERE repository = '{name}'")),
            "zero"
        );
    }
    assert_eq!(before, dump(server, REPOSITORIES[0].0));
}
