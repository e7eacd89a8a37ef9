//! Every tool with every kind of wrong input, and with all others at the same time.

use codegraph_mcp::{Options, Server, ToolSet};
use serde_json::{Value, json};

use crate::sample::{Sample, good_calls, serve};

/// No answer is longer, whatever was asked for.
const MOST_BYTES: usize = 40_000;

/// The names of a tool's parameters that a value can be put into.
fn params(sample: &Sample, tool: &str, kind: &str) -> Vec<String> {
    let listed = sample.server.list().tools.into_iter().find(|one| one.name == tool).expect("it is listed");
    let properties = listed.input_schema["properties"].as_object().expect("an object").clone();
    properties.into_iter().filter(|(_, schema)| schema["type"] == kind).map(|(name, _)| name).collect()
}

/// The parameter that says which project a tool is asked about: `path` unless that means something else.
fn named_by(sample: &Sample, tool: &str) -> &'static str {
    let own = params(sample, tool, "string").iter().any(|name| name == "path" || name == "file");
    if own && tool != "codegraph_init" && tool != "codegraph_scan" { "project" } else { "path" }
}

fn with(arguments: &Value, name: &str, value: Value) -> Value {
    let mut changed = arguments.clone();
    changed[name] = value;
    changed
}

fn sound(tool: &str, arguments: &Value, text: &str, wrong: bool) {
    let arguments = format!("{:.300}", arguments.to_string());
    assert!(!text.is_empty() && text.len() < MOST_BYTES, "{tool} {arguments}: {} bytes", text.len());
    if wrong {
        assert!(text.starts_with("error: ") && text.contains("\nhint: "), "{tool} {arguments}: {text}");
        assert!(!text.contains("panicked"), "{tool} {arguments}: {text}");
    }
}

/// Calls every tool with changed arguments and says how many calls were refused.
fn each(change: impl Fn(&Sample, &str, &Value) -> Vec<Value>) -> (usize, usize) {
    let sample = Sample::new();
    let (mut calls, mut refused) = (0, 0);
    for (tool, good) in good_calls() {
        for arguments in change(&sample, &tool, &good) {
            let (text, wrong) = sample.call(&tool, arguments.clone());
            sound(&tool, &arguments, &text, wrong);
            (calls, refused) = (calls + 1, refused + usize::from(wrong));
        }
        let (text, wrong) = sample.call("codegraph_find", json!({"name": "User"}));
        assert!(!wrong && text.contains("app/models.py:1"), "after {tool}: {text}");
    }
    (calls, refused)
}

#[test]
fn good_calls_are_answered_with_one_text() {
    let sample = Sample::new();
    assert!(sample.server.list().tools.iter().all(|tool| tool.output_schema.is_none()));
    for (tool, arguments) in good_calls() {
        let result = sample.server.call(&tool, arguments.clone()).expect("the tool is listed");
        assert_eq!((result.content.len(), result.structured_content), (1, None), "{tool}");
        let text = &result.content[0].as_text().expect("it is text").text;
        assert_ne!(result.is_error, Some(true), "{tool} {arguments}: {text}");
        sound(&tool, &arguments, text, false);
        let (text, data, wrong) = sample.answer(&tool, json!({"no_such_parameter": 1}));
        assert!(wrong && data.is_none(), "{tool}: {text}");
    }
}

#[test]
fn data_is_sent_where_the_server_was_started_for_it() {
    let sample = Sample::structured();
    assert!(sample.server.list().tools.iter().all(|tool| tool.output_schema.is_some()));
    for (tool, arguments) in good_calls() {
        let (text, data, wrong) = sample.answer(&tool, arguments.clone());
        assert!(!wrong, "{tool} {arguments}: {text}");
        assert!(data.is_some_and(|data| data.is_object()), "{tool}: no data");
        let (_, data, wrong) = sample.answer(&tool, json!({"no_such_parameter": 1}));
        assert!(wrong && data.is_some_and(|data| data["hint"].is_string()), "{tool}");
    }
}

#[test]
fn a_missing_project_is_refused_with_the_remedy() {
    let (calls, refused) =
        each(|sample, tool, good| vec![with(good, named_by(sample, tool), json!("/no/such/folder"))]);
    assert_eq!((calls, refused), (calls, calls));
    let empty = tempfile::tempdir().expect("a folder");
    let server = serve(empty.path(), ToolSet::All);
    let result = server.call("codegraph_find", json!({"name": "x"})).expect("it is listed");
    let text = &result.content[0].as_text().expect("text").text;
    assert!(text.contains("no codegraph project") && text.contains("hint: run codegraph_init"), "{text}");
}

#[test]
fn missing_files_and_files_outside_are_refused() {
    let (calls, refused) = each(|sample, tool, good| {
        let mut calls = Vec::new();
        for path in ["no/such.py", "../../etc/passwd", "/etc/passwd", "app/\u{0}"] {
            if params(sample, tool, "string").iter().any(|name| name == "file") && tool != "codegraph_remove" {
                calls.push(with(good, "file", json!(path)));
            }
            if params(sample, tool, "array").iter().any(|name| name == "files") && tool != "codegraph_signatures" {
                calls.push(with(good, "files", json!([path])));
            }
        }
        calls
    });
    assert!(calls > 10);
    assert_eq!((calls, refused), (calls, calls));
    // Of several files those that are there are answered for.
    let sample = Sample::new();
    let (text, wrong) = sample.call("codegraph_signatures", json!({"files": ["no/such.py", "app/main.py"]}));
    assert!(!wrong && text.contains("'no/such.py' is not in the index") && text.contains("main"), "{text}");
    let (text, wrong) = sample.call("codegraph_signatures", json!({"files": ["../../etc/passwd"]}));
    assert!(wrong, "{text}");
}

#[test]
fn an_ambiguous_name_is_answered_with_the_choices() {
    let sample = Sample::new();
    // These ask about whatever has the name.
    let by_name = ["codegraph_find_usages", "codegraph_find_dependencies"];
    let calls = good_calls().into_iter().filter(|(_, good)| good.get("symbol").is_some());
    for (tool, good) in calls.filter(|(tool, _)| !by_name.contains(&tool.as_str())) {
        let (text, wrong) = sample.call(&tool, with(&good, "symbol", json!("render")));
        assert!(!wrong && text.contains("'render' means 3 symbols"), "{tool}: {text}");
    }
}

#[test]
fn wrong_types_are_refused() {
    let (calls, refused) = each(|_, tool, good| {
        let _ = tool;
        good.as_object().expect("an object").keys().map(|name| with(good, name, json!({"a": 1}))).collect()
    });
    assert_eq!((calls, refused), (calls, calls));
}

#[test]
fn unknown_parameters_are_refused() {
    let (calls, refused) = each(|_, _, good| vec![with(good, "no_such_parameter", json!(1))]);
    assert_eq!((calls, refused), (calls, calls));
}

#[test]
fn huge_numbers_are_bounded() {
    each(|sample, tool, good| {
        let numbers = params(sample, tool, "integer");
        numbers.iter().map(|name| with(good, name, json!(1_000_000_000_000_000_000u64))).collect()
    });
}

#[test]
fn negative_numbers_are_refused() {
    let (calls, refused) = each(|sample, tool, good| {
        params(sample, tool, "integer").iter().map(|name| with(good, name, json!(-3))).collect()
    });
    assert_eq!((calls, refused), (calls, calls));
}

#[test]
fn empty_and_enormous_texts_are_refused_or_bounded() {
    each(|sample, tool, good| {
        let texts = params(sample, tool, "string");
        // An empty path is the project itself; nothing is made in a folder with an enormous name.
        let empty = texts.iter().map(|name| with(good, name, json!("")));
        let enormous = texts.iter().map(|name| with(good, name, json!("x".repeat(100_000))));
        empty.chain(enormous).collect()
    });
}

#[test]
fn a_bad_regex_is_refused() {
    let sample = Sample::new();
    for (tool, name) in [("codegraph_query", "term"), ("codegraph_find", "name")] {
        for pattern in ["([", "(?<=x)y", "a{99999999}"] {
            let (text, wrong) = sample.call(tool, json!({name: pattern, "mode": "regex"}));
            assert!(wrong, "{tool} {pattern}: {text}");
            sound(tool, &json!(pattern), &text, wrong);
        }
    }
}

#[test]
fn calls_at_the_same_time_are_all_answered() {
    let sample = Sample::new();
    std::thread::scope(|scope| {
        for at in 0..8 {
            let sample = &sample;
            scope.spawn(move || {
                let mut calls = good_calls();
                let by = at * 3 % calls.len();
                calls.rotate_left(by);
                for (tool, arguments) in
                    calls.iter().filter(|(tool, _)| !["codegraph_init", "codegraph_unlink"].contains(&tool.as_str()))
                {
                    let (text, wrong) = sample.call(tool, arguments.clone());
                    assert!(!wrong, "{tool} {arguments}: {text}");
                }
            });
        }
    });
}

/// What the tools of others call the same things, and the design documents too.
#[test]
fn other_names_of_parameters_mean_the_same() {
    let sample = Sample::new();
    for (tool, calls) in [
        (
            "codegraph_callers",
            &[
                json!({"symbol": "User.save"}),
                json!({"name": "User.save"}),
                json!({"entity": "User.save"}),
                json!({"method": "User.save"}),
                json!({"function": "User.save", "path": "."}),
            ][..],
        ),
        ("codegraph_find", &[json!({"name": "User"}), json!({"symbol": "User"}), json!({"query": "User"})]),
        ("codegraph_query", &[json!({"term": "save"}), json!({"query": "save"}), json!({"name": "save"})]),
        (
            "codegraph_find_usages",
            &[json!({"symbol": "User"}), json!({"name": "User"}), json!({"target_name": "User"})],
        ),
        (
            "codegraph_signature",
            &[
                json!({"file": "app/main.py"}),
                json!({"path": "app/main.py"}),
                json!({"file_path": "app/main.py"}),
                json!({"file": "app/main.py", "path": "."}),
            ],
        ),
        ("codegraph_definition", &[json!({"place": "app/main.py:6:9"}), json!({"symbol": "app/main.py:6:9"})]),
    ] {
        let answers: Vec<_> = calls.iter().map(|call| (call, sample.call(tool, call.clone()))).collect();
        for (call, (text, wrong)) in &answers {
            assert!(!wrong, "{tool} {call}: {text}");
            assert_eq!(*text, answers[0].1.0, "{tool} {call}");
        }
    }
    let (text, wrong) = sample.call("codegraph_sync_git", json!({"from_commit": "HEAD~1", "to_commit": "HEAD"}));
    assert!(!wrong, "{text}");
}

/// The ids of the tables are those of the entity tools.
#[test]
fn a_row_of_a_table_is_an_entity() {
    let sample = Sample::new();
    let project = codegraph_index::Project::open(sample.folder.path()).expect("it is a project");
    let reader = codegraph_query::Reader::open(project.root(), &project.index_path()).expect("an index");
    for (table, entity) in [("classes", "class"), ("methods", "method"), ("functions", "function")] {
        let sql = format!("SELECT m.id, s.name FROM {table} m JOIN symbols s ON s.id = m.id LIMIT 1");
        let answer = serde_json::to_value(
            codegraph_query::sql(&reader, &sql, codegraph_store::SqlLimits::rows(1)).expect("it is read"),
        )
        .expect("JSON");
        let row = &answer["rows"][0];
        let (id, called) = (row["id"].clone(), row["name"].as_str().expect("a name").to_owned());
        for tool in ["codegraph_get_entity_dependencies", "codegraph_get_entity_dependents", "codegraph_find_usages"] {
            let by_id = sample.call(tool, json!({"entity_type": entity, "entity_id": id}));
            assert!(!by_id.1 && by_id.0.contains(&called), "{tool} {entity} {id}: {}", by_id.0);
        }
        let other = if entity == "class" { "method" } else { "class" };
        let (text, _) =
            sample.call("codegraph_get_entity_dependents", json!({"entity_type": other, "entity_id": row["id"]}));
        assert!(text.contains(&format!("no symbol '#{id}'")), "{text}");
    }
}

/// What an error or an empty answer of the short list advises can be done with the short list, or in a shell.
#[test]
fn the_core_can_do_what_its_errors_advise() {
    let empty = tempfile::tempdir().expect("a folder");
    std::fs::write(empty.path().join("a.py"), "def here(): pass\n").expect("a file");
    let server = serve(empty.path(), ToolSet::Core);
    assert!(server.instructions().contains("call codegraph_init first"), "{}", server.instructions());
    let listed: Vec<String> = server.list().tools.iter().map(|tool| tool.name.to_string()).collect();
    let mut said = String::new();
    for tool in listed.iter().filter(|tool| *tool != "codegraph_init") {
        let result = server.call(tool, json!({"name": "here", "symbol": "here"})).expect("it is listed");
        said.push_str(&result.content[0].as_text().expect("text").text);
        let good = good_calls().into_iter().find(|(name, _)| name == tool).expect("it has a good call").1;
        let result = server.call(tool, good).expect("it is listed");
        let text = &result.content[0].as_text().expect("text").text;
        assert!(text.contains("hint: run codegraph_init"), "{tool}: {text}");
        said.push_str(text);
    }
    let result = server.call("codegraph_init", json!({})).expect("it is listed");
    assert_ne!(result.is_error, Some(true));
    assert!(server.instructions().contains("Indexed here: python."), "{}", server.instructions());
    std::fs::write(empty.path().join(".codegraph/config.json"), r#"{"auto_update": false}"#).expect("settings");
    std::fs::write(empty.path().join("a.py"), "def here(): return 1\ndef more(): pass\n").expect("a file");
    for (tool, good) in good_calls().into_iter().filter(|(tool, _)| listed.contains(tool)) {
        let result = server.call(&tool, good).expect("it is listed");
        said.push_str(&result.content[0].as_text().expect("text").text);
    }
    for word in said.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("codegraph_")) {
        assert!(listed.iter().any(|tool| tool == word), "{word} is advised, and not there: {said}");
    }
    assert!(said.contains("'codegraph update' in a shell"), "{said}");
}

#[test]
fn every_parameter_is_described() {
    for tools in [ToolSet::Core, ToolSet::All] {
        for tool in serve(std::path::Path::new("."), tools).list().tools {
            for (name, schema) in tool.input_schema["properties"].as_object().expect("an object") {
                assert!(schema["description"].as_str().is_some_and(|about| about.len() > 3), "{} {name}", tool.name);
            }
        }
    }
}

#[test]
fn several_projects_are_served_by_path() {
    let (mut one, other) = (Sample::new(), Sample::new());
    let roots = vec![other.folder.path().to_owned()];
    one.server = Server::new(&Options { folders: vec![one.folder.path().to_owned()], roots, ..Options::default() });
    std::fs::write(other.folder.path().join("only.py"), "def only_here(): pass\n").expect("a file");
    let path = other.folder.path().to_str().expect("a plain name");
    let (text, _) = one.call("codegraph_find", json!({"name": "only_here"}));
    assert!(text.contains("no symbol 'only_here'"), "{text}");
    let (text, _) = one.call("codegraph_find", json!({"name": "only_here", "path": path}));
    assert!(text.contains("only.py:1"), "{text}");
    let (text, _) = one.call("codegraph_tree", json!({"path": format!("{path}/app")}));
    assert!(text.contains("models.py"), "{text}");
}

#[test]
fn a_project_that_the_server_was_not_started_for_is_refused() {
    let (one, other) = (Sample::new(), Sample::new());
    let path = other.folder.path().to_str().expect("a plain name");
    let sneaky =
        format!("{}/../{}", one.folder.path().display(), other.folder.path().file_name().expect("a name").display());
    for (tool, good) in good_calls() {
        let name = named_by(&one, &tool);
        for given in [path, "/", "/etc", &sneaky] {
            let (text, wrong) = one.call(&tool, with(&good, name, json!(given)));
            assert!(wrong && text.contains("outside of what this server was started for"), "{tool} {given}: {text}");
        }
    }
    let (text, wrong) = one.call("codegraph_link", json!({"path": path}));
    assert!(wrong && text.contains("--root"), "{text}");
    let below = serve(&one.folder.path().join("app"), ToolSet::All);
    let result = below.call("codegraph_find", json!({"name": "User", "path": ".."})).expect("it is listed");
    assert!(result.content[0].as_text().expect("text").text.contains("app/models.py:1"), "its own project is served");
}
