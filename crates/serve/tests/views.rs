//! What the views show, counted by hand on a small project with a history.

use std::path::Path;
use std::process::Command;

use codegraph_fixture::Sandbox;
use codegraph_index::{BuildOptions, InitOptions, Silent};
use codegraph_mcp::{Options, Question, Server};
use serde_json::{Value, json};

const MODELS: &str =
    "class User:\n    def save(self):\n        return check(self)\n\n\ndef check(user):\n    return user\n";
const VIEWS: &str =
    "from pkg.models import User, check\n\n\ndef show():\n    user = User()\n    user.save()\n    return check(user)\n";
const TEST: &str = "from pkg.views import show\n\n\ndef test_show():\n    assert show()\n";

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ann", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
    assert!(command.args(arguments).current_dir(folder).output().expect("git is there").status.success());
}

/// A package, a test, and three commits: the last one changes `check` alone.
fn project() -> (Sandbox, Server) {
    let before = MODELS.replace("return user", "return None");
    let sandbox = Sandbox::new(&[("pkg/__init__.py", ""), ("pkg/models.py", &before), ("tests/test_views.py", TEST)]);
    let root = sandbox.root();
    git(root, &["init", "--quiet"]);
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "-m", "Begin"]);
    sandbox.write("pkg/views.py", VIEWS);
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "-m", "Show users"]);
    sandbox.write("pkg/models.py", MODELS);
    git(root, &["commit", "--quiet", "--all", "-m", "Check users"]);
    codegraph_runtime::init(root, &InitOptions::default(), &BuildOptions::default(), &Silent).expect("indexed");
    let server = Server::new(&Options { folders: vec![root.to_owned()], ..Options::default() });
    (sandbox, server)
}

fn ask(server: &Server, name: &str, given: Value) -> Value {
    let question = Question::named(name).expect("a question");
    let given = given.as_object().cloned().expect("an object");
    let answer = server.ask(question, given, Default::default()).expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

/// `from -> to: references` by the names of nodes.
fn edges(network: &Value) -> Vec<String> {
    let label = |at: &Value| network["nodes"][at.as_u64().expect("a place") as usize]["label"].clone();
    let edges = network["edges"].as_array().expect("edges").iter();
    let mut edges: Vec<String> = edges
        .map(|edge| {
            format!("{} -> {}: {}", label(&edge["from"]), label(&edge["to"]), edge["references"]).replace('"', "")
        })
        .collect();
    edges.sort();
    edges
}

#[test]
fn a_graph_is_folders_until_they_are_opened() {
    let (_folder, server) = project();
    let closed = ask(&server, "network", json!({"open": [""]}));
    assert_eq!(edges(&closed), ["tests -> pkg: 2"], "an import that is used, and the use");
    let open = ask(&server, "network", json!({"open": ["pkg"]}));
    assert_eq!(edges(&open), ["tests -> views.py: 2", "views.py -> models.py: 5"]);
    assert_eq!(open["open"], json!(["pkg"]));
    let symbols = ask(&server, "network", json!({"open": ["pkg", "pkg/models.py"]}));
    let shown = edges(&symbols);
    assert!(shown.contains(&"save -> check: 1".to_owned()), "{shown:?}");
    assert!(
        shown.contains(&"views.py -> check: 2".to_owned()) && shown.contains(&"views.py -> User: 2".to_owned()),
        "{shown:?}"
    );
    let calls = ask(&server, "network", json!({"open": ["pkg"], "kinds": ["call"]}));
    assert_eq!(edges(&calls), ["tests -> views.py: 1", "views.py -> models.py: 2"]);
    let own = ask(&server, "network", json!({"open": ["pkg"], "no_tests": true}));
    assert_eq!(edges(&own), ["views.py -> models.py: 5"]);
    let around = ask(&server, "network", json!({"focus": "check", "kinds": ["call"]}));
    assert_eq!(edges(&around), ["save -> check: 1", "show -> check: 1"]);
    let far = ask(&server, "network", json!({"focus": "check", "kinds": ["call"], "depth": 2}));
    assert_eq!(edges(&far), ["save -> check: 1", "show -> check: 1", "show -> save: 1", "test_show -> show: 1"]);
}

#[test]
fn folders_are_counted_with_what_leaves_and_enters_them() {
    let (_folder, server) = project();
    let census = ask(&server, "census", json!({}));
    let entry = |name: &str| {
        let entries = census["entries"].as_array().expect("entries");
        entries.iter().find(|entry| entry["path"] == name).cloned().expect("an entry")
    };
    let (pkg, tests) = (entry("pkg"), entry("tests"));
    assert_eq!((&pkg["files"], &pkg["type"], &pkg["uses"]), (&json!(3), &json!("directory"), &json!(0)));
    assert_eq!((&tests["used"], &tests["uses"]), (&json!(0), &pkg["used"]), "what leaves one enters the other");
    assert_eq!(census["folder"]["files"], 4);
    let inner = ask(&server, "census", json!({"path": "pkg"}));
    assert_eq!(inner["total"], 3);
    let health = ask(&server, "health", json!({}))["languages"][0].clone();
    let sum = |names: &[&str]| names.iter().map(|name| health[*name].as_u64().expect("a number")).sum::<u64>();
    assert_eq!(sum(&["inside", "outside", "unproven", "other"]), sum(&["references"]));
    let cloud = ask(&server, "cloud", json!({"file_filter": "pkg", "defined": true}));
    assert_eq!(cloud["terms"][0], json!({"term": "check", "lines": 4, "files": 2, "defined": true}));
}

#[test]
fn what_most_others_use_is_central_and_what_changes_often_too_is_hot() {
    let (_folder, server) = project();
    let central = ask(&server, "central", json!({}));
    let files: Vec<&Value> = central["files"].as_array().expect("files").iter().map(|file| &file["file"]).collect();
    assert_eq!(files, ["pkg/models.py"], "a package that is only named on the way is not used, and tests are nobody");
    let hot = ask(&server, "hot_spots", json!({}));
    assert_eq!((&hot["commits"], &hot["files"][0]["file"]), (&json!(3), &json!("pkg/models.py")));
    assert_eq!(hot["files"][0]["commits"], 2);
}

#[test]
fn the_history_of_a_symbol_is_that_of_its_lines() {
    let (sandbox, server) = project();
    let subjects = |name: &str| -> Vec<Value> {
        let history = ask(&server, "history", json!({"symbol": name}));
        history["commits"].as_array().expect("commits").iter().map(|commit| commit["subject"].clone()).collect()
    };
    assert_eq!(subjects("check"), ["Check users", "Begin"]);
    assert_eq!(subjects("User.save"), ["Begin"]);
    sandbox.write("pkg/models.py", &format!("import os\n{MODELS}"));
    let history = ask(&server, "history", json!({"symbol": "User.save"}));
    assert_eq!((&history["of"], history["commits"].as_array().map(Vec::len)), (&json!("file"), Some(2)));
}

#[test]
fn a_listing_is_the_text_with_what_it_means() {
    let (_folder, server) = project();
    let listing = ask(&server, "listing", json!({"file": "pkg/views.py"}));
    let line = |pieces: &Value| -> String {
        pieces.as_array().expect("pieces").iter().filter_map(|piece| piece["text"].as_str()).collect()
    };
    let lines: Vec<String> = listing["lines"].as_array().expect("lines").iter().map(line).collect();
    assert_eq!(lines.join("\n") + "\n", VIEWS);
    let pieces = listing["lines"][5].as_array().expect("pieces");
    let save = pieces.iter().find(|piece| piece["text"] == "save").expect("a name");
    assert_eq!((&save["certainty"], &save["how"]), (&json!("inferred"), &json!("member")));
    assert_eq!(listing["symbols"][save["symbol"].as_u64().expect("a symbol") as usize]["fqn"], "pkg.models.User.save");
    let word = &listing["lines"][3][0];
    assert_eq!((&word["text"], &word["kind"]), (&json!("def"), &json!("keyword")));
    let refused = Question::named("listing").map(|question| {
        let given = json!({"file": "../secret.py"}).as_object().cloned().expect("an object");
        server.ask(question, given, Default::default())
    });
    assert!(refused.is_some_and(|answer| answer.is_err()));
}
