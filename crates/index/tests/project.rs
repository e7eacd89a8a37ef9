//! Finding, setting up and configuring a project.

mod support;

use std::fs;

use codegraph_fixture::write;
use codegraph_index::{Error, InitOptions, Project};
use codegraph_model::Mends;
use support::*;

fn message(error: &Error) -> String {
    error.advice().to_string()
}

#[test]
fn init_writes_settings_and_gitignore_once() {
    let sandbox = Sandbox::new(&[]);
    let folder = sandbox.project.folder();
    let ignored = || fs::read_to_string(folder.join(".gitignore")).expect("a file");
    assert!(ignored().ends_with("\n*\n"), "{}", ignored());
    Project::init(sandbox.root(), &InitOptions { shared: true, ..InitOptions::default() }).expect("a project");
    assert_eq!(ignored(), "index.db*\nsymbol_map.txt\n");
    Project::init(sandbox.root(), &InitOptions::default()).expect("a project");
    assert_eq!(ignored(), "index.db*\nsymbol_map.txt\n", "what was chosen stays");
    let config = fs::read_to_string(folder.join("config.json")).expect("a file");
    assert!(config.contains("\"auto_update\": true"), "{config}");
    let options = InitOptions { languages: Some(vec!["python".to_owned()]), ..InitOptions::default() };
    let again = Project::init(sandbox.root(), &options).expect("a project").project;
    assert_eq!(again.name(), "demo");
    assert_eq!(again.config().languages, ["python"]);
    assert_eq!(fs::read_to_string(folder.join(".gitignore")).expect("a file"), "index.db*\nsymbol_map.txt\n");
}

#[test]
fn a_folder_of_another_tool_is_named_and_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), ".codegraph/cache.bin", b"theirs");
    write(folder.path(), ".codegraph/.gitignore", b"*.bin");
    let initialised = Project::init(folder.path(), &InitOptions::default()).expect("a project");
    assert_eq!(initialised.foreign, ["cache.bin"]);
    let ignored = fs::read_to_string(folder.path().join(".codegraph/.gitignore")).expect("a file");
    assert_eq!(ignored, "*.bin\nindex.db*\nsymbol_map.txt\n");
    assert_eq!(fs::read(folder.path().join(".codegraph/cache.bin")).expect("a file"), b"theirs");
}

#[test]
fn settings_that_do_not_parse_are_reported_with_their_place() {
    let sandbox = Sandbox::new(&[]);
    let text = "{\n  \"name\": \"x\",\n  \"exlude\": []\n}\n";
    sandbox.write(".codegraph/config.json", text);
    for refused in [Project::open(sandbox.root()).err(), Project::init(sandbox.root(), &InitOptions::default()).err()] {
        let Some(Error::Config { line, column, message, .. }) = refused else { panic!("it was taken") };
        assert_eq!((line, column), (3, 10));
        assert!(message.starts_with("unknown field `exlude`, expected one of"), "{message}");
    }
    assert_eq!(fs::read_to_string(sandbox.root().join(".codegraph/config.json")).expect("a file"), text);
}

#[test]
fn unknown_languages_and_bad_patterns_are_explained() {
    let sandbox = Sandbox::new(&[]);
    sandbox.write(".codegraph/config.json", "{\"languages\": [\"klingon\"]}");
    let text = message(&Project::open(sandbox.root()).expect_err("no such language"));
    assert!(text.starts_with("unknown language 'klingon': one of: ") && text.contains(", python, "), "{text}");
    sandbox.write(".codegraph/config.json", "{\"exclude\": [\"a{b\"]}");
    assert!(matches!(Project::open(sandbox.root()), Err(Error::Pattern { .. })));
}

#[test]
fn a_project_is_found_from_below_and_not_invented() {
    let sandbox = Sandbox::new(&small_tree());
    let found = Project::find(&sandbox.root().join("shapes")).expect("a project");
    assert_eq!(found.root(), sandbox.root());
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    assert!(matches!(Project::find(elsewhere.path()), Err(Error::NoProject(_))));
    assert!(!elsewhere.path().join(".codegraph").exists());
}

#[test]
fn paths_have_one_form() {
    let sandbox = Sandbox::new(&small_tree());
    let (project, root) = (&sandbox.project, sandbox.root());
    let relative = |text: &str, base: &str| project.relative(text.as_ref(), &root.join(base));
    assert_eq!(relative("circle.py", "shapes").expect("inside"), "shapes/circle.py");
    assert_eq!(relative("./../main.py", "shapes").expect("inside"), "main.py");
    assert_eq!(relative("not/yet.py", "").expect("inside"), "not/yet.py");
    assert_eq!(relative("", "").expect("inside"), "");
    let absolute = root.join("main.py");
    assert_eq!(project.relative(&absolute, root).expect("inside"), "main.py");
    for out in ["../x.py", "shapes/../../x.py", "/etc/passwd", "/"] {
        assert!(matches!(relative(out, ""), Err(Error::Outside { .. })), "{out}");
    }
}

#[cfg(unix)]
#[test]
fn links_lead_to_real_paths_or_nowhere() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new(&small_tree());
    let root = sandbox.root();
    symlink("shapes", root.join("alias")).expect("a link");
    symlink("/etc", root.join("escape")).expect("a link");
    symlink("nowhere", root.join("broken.py")).expect("a link");
    let relative = |text: &str| sandbox.project.relative(text.as_ref(), root);
    assert_eq!(relative("alias/circle.py").expect("inside"), "shapes/circle.py");
    for out in ["escape/passwd", "escape/not-there", "broken.py"] {
        assert!(matches!(relative(out), Err(Error::Outside { .. })), "{out}");
    }
}
