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
