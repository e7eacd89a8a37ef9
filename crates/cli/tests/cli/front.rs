//! What a newcomer types: words of other programs, a folder inside the project, options of the environment.

use expect_test::expect;

use crate::support::Project;

fn sample() -> Project {
    Project::new(&[
        ("pkg/models.py", "class User:\n    def save(self): ...\n"),
        ("pkg/main.py", "from pkg.models import User\n\ndef run():\n    User().save()\n"),
    ])
}

#[test]
fn words_of_other_programs_lead_to_the_right_command() {
    let project = sample();
    let same = [
        (["search", "save"], ["query", "save"]),
        (["usages", "User.save"], ["refs", "User.save"]),
        (["symbols", "User"], ["find", "User"]),
        (["outline", "pkg/main.py"], ["signature", "pkg/main.py"]),
        (["def", "pkg/main.py:4:6"], ["definition", "pkg/main.py:4:6"]),
        (["show", "User.save"], ["get", "User.save"]),
        (["ls", "pkg"], ["tree", "pkg"]),
        (["rg", "save"], ["grep", "save"]),
        (["who-calls", "User.save"], ["callers", "User.save"]),
        (["dependents", "User"], ["get-entity-dependents", "User"]),
    ];
    for (typed, meant) in same {
        let (typed_run, meant_run) = (project.run(&typed), project.run(&meant));
        assert_eq!(typed_run.code, 0, "{typed:?}: {}", typed_run.err);
        assert_eq!(typed_run.out, meant_run.out, "{typed:?}");
    }
    assert!(project.run(&["index"]).out.contains("indexed"));
}

#[test]
fn words_in_other_forms_mean_the_same() {
    let project = sample();
    for (typed, meant) in [
        (["query", "save", "--type", "functions"], ["query", "save", "--type", "method"]),
        (["query", "User", "--type", "class"], ["query", "User", "--type", "struct"]),
        (["find", "User", "--kind", "classes"], ["find", "User", "--kind", "class"]),
        (["find", "User", "--language", "py"], ["find", "User", "--language", "python"]),
        (["refs", "User.save", "--kind", "calls"], ["refs", "User.save", "--kind", "call"]),
        (["callers", "User.save()", "--limit", "9"], ["callers", "User.save", "--limit", "9"]),
        (["refs", "class User", "--limit", "9"], ["refs", "User", "--limit", "9"]),
        (["refs", "user.SAVE(self)", "--limit", "9"], ["refs", "User.save", "--limit", "9"]),
    ] {
        let (typed_run, meant_run) = (project.run(&typed), project.run(&meant));
        assert_eq!((typed_run.code, typed_run.out), (0, meant_run.out), "{typed:?}: {}", typed_run.err);
    }
}

#[test]
fn a_question_in_words_leads_to_the_command_for_it() {
    let project = sample();
    for words in [&["where", "is", "User", "saved"][..], &["how does saving work"], &["who", "saves", "users"]] {
        let refused = project.run(words);
        let hint = format!("codegraph context \"{}\"", words.join(" "));
        assert!(refused.code == 2 && refused.err.contains(&hint), "{}", refused.err);
    }
    assert!(project.run(&["serch", "x"]).err.contains("similar"));
    let file = project.run(&["symbols", "pkg/models.py"]).out;
    assert!(file.contains("codegraph signature pkg/models.py"), "{file}");
    assert!(project.run(&["find", "def save"]).out.contains("pkg.models.User.save"));
    assert!(project.run(&["find", "a sve"]).out.contains("near: save"));
    assert!(project.run(&["get", "models.py"]).out.contains("near: pkg/models.py"));
}

#[test]
fn what_lets_nothing_through_and_what_has_no_history_is_said() {
    let project = sample();
    for command in ["query", "find"] {
        let nothing = project.run(&[command, "save", "--file-filter", "nowhere/**"]).out;
        assert!(nothing.contains("no indexed file matches 'nowhere/**'"), "{nothing}");
        assert!(!project.run(&[command, "nothing_has_this", "--file-filter", "pkg"]).out.contains("no indexed file"));
    }
    for command in [&["diff"][..], &["sync-git", "--from", "HEAD"]] {
        let refused = project.run(command);
        assert!(refused.code == 2 && refused.err.contains("is in no git repository"), "{}", refused.err);
    }
    let option = project.run(&["find-ast", "--kind", "class_definition"]);
    assert_eq!((option.code, &option.out), (0, &project.run(&["find-ast", "class_definition"]).out));
}

#[test]
fn names_are_found_by_patterns_and_phrases_without_quotes() {
    let project = Project::new(&[
        ("src/a/store.py", "class Store:\n\t\"\"\"Keeps\tall items.\"\"\"\n\tdef keep_items(self): ...\n"),
        ("tests/test_store.py", "class Store: ...\n"),
    ]);
    for name in ["keep*", "*items", "k*ms"] {
        assert!(project.run(&["find", name]).out.contains("Store.keep_items"), "{name}");
        assert!(project.run(&["query", name]).out.contains("def keep_items"), "{name}");
    }
    let phrase = project.run(&["query", "all", "items"]).out;
    assert!(phrase.contains("Keeps all items") && !phrase.contains('\u{fffd}'), "{phrase}");
    let found = project.json(&["find", "Store"]);
    assert_eq!(found["symbols"][0]["file"], "src/a/store.py", "the product first: {found}");
    let inside = project.run_in(&project.path().join("src"), &["tree", "a"], "");
    assert!(inside.code == 0 && inside.out.contains("store.py"), "{}", inside.err);
    assert_eq!(project.run_in(&project.path().join("src"), &["signatures", "a"], "").code, 0);
}

#[test]
fn a_server_answers_on_pipes() {
    let project = sample();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
    let run = project.run_in(project.path(), &["mcp"], &format!("{hello}\n"));
    assert!(run.code == 0 && run.out.contains("serverInfo"), "{}{}", run.out, run.err);
}

#[test]
fn the_help_begins_with_what_matters() {
    let project = sample();
    let help = project.run(&["--help"]).out;
    assert!(help.len() < 1800, "{} bytes:\n{help}", help.len());
    let lines = help.lines().filter(|line| line.starts_with("  ") && !line.trim_start().starts_with('-'));
    assert_eq!(lines.count(), 10, "{help}");
    assert_eq!(project.run(&["help"]).out, help);
    let all = project.run(&["help", "--all"]).out;
    for command in ["sync-git", "find-ast", "completions-script", "grep"] {
        assert!(all.contains(&format!("\n  {command} ")), "{command}: {all}");
    }
    assert!(project.run(&["help", "sync-git"]).out.contains("Usage: codegraph sync-git"));
}

#[test]
fn a_shell_gets_its_script_under_either_name() {
    let project = sample();
    let script = project.run(&["completions", "bash"]);
    assert_eq!((script.code, &script.out), (0, &project.run(&["completions-script", "bash"]).out));
    assert!(script.out.contains("complete -F"), "{}", script.out);
}

#[test]
fn a_folder_inside_is_the_project_around_it() {
    let project = sample();
    let here = std::env::temp_dir();
    let inside = project.path().join("pkg");
    let run = project.run_in(&here, &["find", "User", "--project", inside.to_str().expect("UTF-8")], "");
    expect![[r#"
        Class  pkg.models.User  pkg/models.py:1  class User
    "#]]
    .assert_eq(&run.out);
}

#[test]
fn colour_can_be_forced_and_switched_off() {
    let project = sample();
    let run = |name: &str, value: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_codegraph"))
            .args(["find", "User"])
            .current_dir(project.path())
            .env_remove("NO_COLOR")
            .env(name, value)
            .output()
            .expect("the binary runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(run("CLICOLOR_FORCE", "1").contains("\x1b["));
    assert!(!run("CLICOLOR_FORCE", "0").contains("\x1b["));
    assert!(!run("CLICOLOR", "1").contains("\x1b["));
}

#[test]
fn what_is_done_is_told_to_who_asks() {
    let project = sample();
    let told = project.run(&["-v", "find", "User"]);
    assert!(told.err.contains("ms] project ") && told.err.contains("ms] answered"), "{}", told.err);
    assert_eq!(project.run(&["find", "User"]).err, "");
    assert_eq!(project.run(&["find", "User", "-vv"]).out, told.out);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(["find", "User"])
        .current_dir(project.path())
        .env("CODEGRAPH_LOG_LEVEL", "debug")
        .output()
        .expect("the binary runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("index.db"));
}

#[test]
fn sql_answers_what_is_typed_at_a_prompt() {
    let project = sample();
    let tables = project.run(&["sql", ".tables"]).out;
    assert!(tables.lines().any(|line| line == "references") && tables.lines().count() == 18, "{tables}");
    assert!(project.run(&["sql", ".schema symbols"]).out.contains("symbol_id"));
    assert_eq!(project.run(&["sql", ".schema"]).code, 0);
    assert!(project.run(&["sql", "PRAGMA table_info(files)"]).out.contains("language"));
    let unquoted = project.run(&["sql", "select count(*) as n from references where kind = 'call'"]);
    assert_eq!((unquoted.code, unquoted.out.as_str()), (0, "n\n1\n"), "{}", unquoted.err);
    for (statement, says) in [
        ("delete from files", "read-only"),
        ("insert into symbols values (1)", "read-only"),
        ("select nope from files", "no such column"),
        ("select 1; select 2", "several statements"),
        (".nothing", "no command here"),
        (".schema nothing", "no such table"),
    ] {
        let run = project.run(&["sql", statement]);
        assert_eq!(run.code, 2, "{statement}");
        assert!(run.err.contains(says) && run.err.contains("entity_cross_ref, ast_nodes"), "{statement}: {}", run.err);
    }
}
