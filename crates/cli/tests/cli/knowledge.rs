//! What people know about a project: summary, describe, docs, update-docs.

use std::process::{Command, Stdio};

use expect_test::expect;

use super::support::Project;

const CARGO: &str =
    "[package]\nname = \"shop\"\n\n[dependencies]\nserde = \"1\"\n\n[dev-dependencies]\ninsta = \"1.40\"\n";

fn shop() -> Project {
    Project::new(&[
        ("Cargo.toml", CARGO),
        ("src/main.rs", "mod cart;\nmod price;\nfn main() {\n    cart::Cart::default();\n}\n"),
        ("src/cart.rs", "use crate::price::Price;\n#[derive(Default)]\npub struct Cart {\n    total: Price,\n}\n"),
        ("src/price.rs", "#[derive(Default)]\npub struct Price(u32);\n"),
        (
            "web/package.json",
            "{\"name\": \"web\", \"bin\": {\"serve\": \"./run.js\"}, \"dependencies\": {\"left\": \"^2\"}}",
        ),
        ("web/run.js", "console.log(1);\n"),
        ("web/bad/pom.xml", "<project>"),
        ("web/bad/a.js", "1;\n"),
    ])
}

fn summary(project: &Project) -> String {
    std::fs::read_to_string(project.path().join(".codegraph/summary.md")).expect("a summary")
}

#[test]
fn a_summary_says_what_the_project_is_made_of() {
    let project = shop();
    expect![[r#"
        # demo

        <!-- codegraph:begin generated: what stands between this line and its end is replaced -->

        ## Languages

        - rust: 3 files
        - javascript: 2 files
        - in all: 5 files, 19 lines

        ## Entry points

        - `src/main.rs:3` shop::main
        - `web/run.js` command `serve` (web/package.json)

        ## Main types

        - struct shop::cart::Cart `src/cart.rs:3` used by 1 file
        - struct shop::price::Price `src/price.rs:2` used by 1 file

        ## Dependencies

        - runtime: left ^2, serde 1
        - development: insta 1.40
        - `web/bad/pom.xml` could not be read: the root node was opened but never closed

        ## Structure

        - `src/` 3 files, rust
        - `web/` 2 files, javascript
          - `web/bad/` 1 file, javascript
        <!-- codegraph:end -->
    "#]]
    .assert_eq(&project.transcript(&["summary"]));
    let answer = project.json(&["summary"]);
    assert_eq!(answer["name"], "demo");
    assert_eq!(answer["auto_generated"]["entry_points"][0], "src/main.rs:3 shop::main");
    assert_eq!(answer["auto_generated"]["main_classes"][1], "shop::price::Price");
    assert_eq!(answer["auto_generated"]["dependencies"][0], "insta");
    assert_eq!(answer["content"], summary(&project));
    assert_eq!(answer["updated"], false);
}

#[test]
fn what_the_user_wrote_around_the_generated_part_stays_byte_for_byte() {
    let project = shop();
    project.run(&["summary"]);
    let page = summary(&project).replace("# demo\n", "My own title\r\n\ttabs  \n").replace('\n', "\r\n");
    let page = format!("{page}\r\n## After\r\nlast words, no line end");
    project.write(".codegraph/summary.md", &page);
    assert_eq!(project.run(&["summary"]).code, 0);
    assert_eq!(summary(&project), page);
    project.write("src/more.rs", "pub fn more() {}\n");
    assert_eq!(project.run(&["summary"]).code, 0);
    assert_eq!(
        summary(&project),
        page.replace("rust: 3 files", "rust: 4 files")
            .replace("5 files, 19", "6 files, 21")
            .replace("`src/` 3", "`src/` 4")
    );
}

#[test]
fn damaged_markers_are_named_with_their_line_and_nothing_is_written() {
    let project = shop();
    for (page, line) in [
        ("# x\n\n<!-- codegraph:begin -->\ntext\n", "summary.md:3"),
        ("# x\n<!-- codegraph:end -->\n", "summary.md:2"),
        ("<!-- codegraph:begin -->\n<!-- codegraph:end -->\n<!-- codegraph:begin -->\n", "summary.md:3"),
    ] {
        project.write(".codegraph/summary.md", page);
        for command in [&["summary"][..], &["describe", "purpose", "x"]] {
            let run = project.run(command);
            assert_eq!((run.code, run.err.contains(line)), (2, true), "{}", run.err);
            assert!(run.err.contains("hint: correct"), "{}", run.err);
        }
        assert_eq!(summary(&project), page);
    }
}

#[test]
fn sections_are_extended_and_replaced_only_when_asked() {
    let project = shop();
    for arguments in [
        &["describe", "purpose", "Sells things."][..],
        &["describe", "purpose", "Also buys."],
        &["describe", "Concepts", "# Cart\n\nWhat is bought."],
        &["describe", "custom", "--title", "Money", "In cents."],
        &["describe", "architecture", "old"],
        &["describe", "architecture", "new", "--replace"],
    ] {
        assert_eq!(project.run(arguments).code, 0);
    }
    assert_eq!(project.json(&["describe", "purpose", "Also buys."])["changed"], false);
    project.run(&["summary"]);
    let page = summary(&project);
    let users = page.split("<!-- codegraph:begin").next().expect("a beginning");
    expect![[r#"
        # demo

        ## Purpose

        Sells things.

        Also buys.

        ## Key Concepts

        ### Cart

        What is bought.

        ## Money

        In cents.

        ## Architecture

        new

    "#]]
    .assert_eq(users);
}

#[test]
fn an_indented_first_line_of_the_user_is_kept() {
    let project = shop();
    let page = "## Purpose\n\n    code\n\n\n## Other\nx";
    project.write(".codegraph/summary.md", page);
    project.run(&["describe", "purpose", "more"]);
    assert_eq!(summary(&project), "## Purpose\n\n    code\n\nmore\n\n## Other\nx");
}

#[test]
fn wrong_descriptions_are_refused() {
    let project = shop();
    let said = |arguments: &[&str]| {
        let run = project.run(arguments);
        assert_eq!(run.code, 2);
        run.err
    };
    expect![[r#"
        error: 'goal' is no section
        hint: one of: purpose, architecture, concepts, patterns, custom
    "#]]
    .assert_eq(&said(&["describe", "goal", "x"]));
    assert!(said(&["describe", "purpose", " \n"]).contains("nothing to keep"));
    assert!(said(&["describe", "purpose", "<!-- codegraph:end -->"]).contains("generated part"));
    assert!(said(&["describe", "purpose", "x", "--title", "y"]).contains("custom"));
}

#[test]
fn concurrent_descriptions_lose_nothing() {
    let project = shop();
    let start = |number: usize| {
        Command::new(env!("CARGO_BIN_EXE_codegraph"))
            .args(["describe", "patterns", &format!("note {number}.")])
            .current_dir(project.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary runs")
    };
    let children: Vec<_> = (0..12).map(start).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let page = summary(&project);
    for number in 0..12 {
        assert_eq!(page.matches(&format!("note {number}.\n")).count(), 1, "{page}");
    }
    let left = std::fs::read_dir(project.path().join(".codegraph")).expect("a folder");
    let left: Vec<String> = left.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect();
    assert!(!left.iter().any(|name| name.starts_with("index.db.summary")), "{left:?}");
}

fn noted() -> Project {
    Project::new(&[
        ("CLAUDE.md", "# Shop\n\nBe kind.\n\n## Build\n\n```sh\n# not a heading\nmake\n```\n\n## Test\n\nmake test\n"),
        ("src/AGENTS.md", "## Build\r\n\r\nin src\r\n"),
        ("src/a.py", "x = 1\n"),
    ])
}

#[test]
fn notes_are_gathered_with_their_sources() {
    let project = noted();
    expect![[r#"
        <!-- codegraph:docs gathered from the files named below; 'codegraph update-docs' reads them again -->

        ## Project: demo
        > Source: CLAUDE.md

        # Shop

        Be kind.

        ## Build

        ```sh
        # not a heading
        make
        ```

        ## Test

        make test

        ---

        ## Library: src
        > Source: src/AGENTS.md

        ## Build

        in src
    "#]]
    .assert_eq(&project.transcript(&["docs"]));
    let kept = || std::fs::read_to_string(project.path().join(".codegraph/docs.md")).expect("a page");
    assert_eq!(kept(), project.json(&["docs"])["content"]);
    project.write("src/AGENTS.md", "changed\n");
    let run = project.run(&["docs", "--no-update"]);
    assert!(run.out.contains("older than its sources"), "{}", run.out);
    assert!(project.run(&["update-docs"]).out.contains("2 files written"));
    assert!(kept().ends_with("\nchanged\n"));
    assert_eq!(project.json(&["update-docs"])["changed"], false);
}

#[test]
fn a_section_of_the_notes_is_found_by_heading_source_or_both() {
    let project = noted();
    let sections = |asked: &str| {
        let answer = project.json(&["docs", asked]);
        let names = answer["sections"].as_array().expect("a list").iter();
        names.map(|one| one["section"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sections("build"), ["CLAUDE.md#Build", "src/AGENTS.md#Build"]);
    assert_eq!(sections("src/AGENTS.md#Build"), ["src/AGENTS.md#Build"]);
    assert_eq!(sections("src"), ["src/AGENTS.md"]);
    assert_eq!(sections("sho"), ["CLAUDE.md#Shop"]);
    expect![[r#"
        > Source: CLAUDE.md#Test

        make test
    "#]]
    .assert_eq(&project.transcript(&["docs", "Test"]).replace("## Test\n\n", ""));
    let run = project.run(&["docs", "nothing"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("near: CLAUDE.md, CLAUDE.md#Shop"), "{}", run.out);
    let part = project.json(&["docs", "--limit", "3"]);
    assert_eq!((&part["lines"], &part["next_offset"]), (&3.into(), &3.into()));
}

#[test]
fn a_project_without_notes_says_so_and_gets_no_page() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    let run = project.run(&["docs"]);
    assert_eq!((run.code, run.out.as_str()), (1, "note: the project has no CLAUDE.md and no AGENTS.md\n"));
    assert_eq!(project.run(&["update-docs"]).code, 1);
    assert!(!project.path().join(".codegraph/docs.md").exists());
}

#[test]
fn a_page_of_somebody_else_is_not_overwritten() {
    let project = noted();
    project.write(".codegraph/docs.md", "mine\n");
    let run = project.run(&["update-docs"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("was not written by codegraph"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(project.path().join(".codegraph/docs.md")).expect("there"), "mine\n");
}

#[cfg(unix)]
#[test]
fn links_are_one_source_inside_and_none_outside() {
    let project = noted();
    let other = Project::bare(&[("secret.md", "secret\n")]);
    std::os::unix::fs::symlink("CLAUDE.md", project.path().join("AGENTS.md")).expect("a link");
    std::os::unix::fs::symlink(other.path().join("secret.md"), project.path().join("src/CLAUDE.md")).expect("a link");
    let answer = project.json(&["docs"]);
    assert_eq!(answer["sources"][0]["also"][0], "AGENTS.md");
    assert_eq!(answer["sources"].as_array().map(Vec::len), Some(2));
    assert!(!answer["content"].as_str().expect("text").contains("secret"));
    assert!(answer["notes"][0].as_str().expect("a note").starts_with("src/CLAUDE.md was left out"));
}
