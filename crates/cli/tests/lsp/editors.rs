//! Real editors with their own clients, on the same program in every language. `.ci/editors` installs them; where one is
//! missing the test says so and passes, unless `CODEGRAPH_EDITORS=required`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::BINARY;
use crate::project::run_in;
use crate::same::programs;

/// Whether a program is there.
fn installed(program: &str) -> bool {
    if Command::new(program).arg("--version").output().is_ok_and(|said| said.status.success()) {
        return true;
    }
    let required = std::env::var("CODEGRAPH_EDITORS").is_ok_and(|value| value == "required");
    assert!(!required, "{program} is missing: run .ci/editors");
    // Written to the stream itself, because the output of tests that pass is not shown.
    let notice = format!("SKIPPED: {program} is not installed, run .ci/editors to test with it\n");
    std::io::stderr().write_all(notice.as_bytes()).expect("standard error is there");
    false
}

/// A project for each language, and the last use of `helper` in it.
fn places(folder: &Path) -> Vec<Value> {
    let mut places = Vec::new();
    for (path, text) in programs() {
        let file = folder.join(&path);
        let root = file.parent().expect("a folder").to_owned();
        std::fs::create_dir_all(&root).expect("made");
        std::fs::write(&file, &text).expect("written");
        run_in(&root, &["init", "."]);
        let Some((line, column)) = last(&text) else { continue };
        places.push(json!({"root": root, "file": file, "line": line, "column": column}));
    }
    assert!(places.len() >= 12, "{} languages", places.len());
    places
}

fn last(text: &str) -> Option<(usize, usize)> {
    text.lines().enumerate().filter_map(|(line, text)| Some((line, text.find("helper(")?))).last()
}

/// Runs an editor on the places, and takes what it wrote down.
fn asked(folder: &Path, places: &[Value], mut editor: Command) -> Vec<Value> {
    let (given, said) = (folder.join("places.json"), folder.join("said.json"));
    std::fs::write(&given, Value::from(places).to_string()).expect("written");
    editor.env("PLACES", &given).env("SAID", &said).env("CODEGRAPH", BINARY).env("HOME", folder);
    let output = editor.output().expect("it runs");
    let text = std::fs::read(&said).unwrap_or_default();
    let answers: Value = serde_json::from_slice(&text).unwrap_or_default();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let complaint = &complaint[complaint.len().saturating_sub(4000)..];
    answers.as_array().unwrap_or_else(|| panic!("{complaint}")).clone()
}

fn names(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for one in value.as_array().into_iter().flatten() {
        found.extend(one["name"].as_str().map(str::to_owned));
        found.extend(names(&one["children"]));
    }
    found
}

/// What an editor was told about one program.
fn check(place: &Value, answer: &Value) {
    let file = place["file"].as_str().expect("a file");
    let text = std::fs::read_to_string(file).expect("it is there");
    let uses: Vec<usize> = lines_with(&text, "helper(");
    let defined = answer["definition"][0]["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(uses.contains(&defined) && place["line"] != defined, "{file}: {defined} of {uses:?}");
    let references = answer["references"].as_array().expect("references");
    let mut used: Vec<usize> =
        references.iter().filter_map(|one| one["range"]["start"]["line"].as_u64()).map(|line| line as usize).collect();
    used.sort_unstable();
    assert_eq!(used, uses, "{file}");
    let hover = answer["hover"]["contents"]["value"].as_str().expect("markdown");
    assert!(hover.contains("helper") && hover.contains("linked by"), "{file}: {hover}");
    let symbols = names(&answer["symbols"]);
    assert!(["helper", "bark", "make"].iter().all(|name| symbols.iter().any(|own| own == name)), "{file}: {symbols:?}");
    assert!(names(&answer["workspace"]).contains(&"helper".to_owned()), "{file}");
    let callers = answer["callers"].as_array().expect("callers");
    assert!(callers.iter().any(|call| call["from"]["name"] == "bark"), "{file}: {callers:?}");
    let renamed = answer["renamed"].as_str().expect("a text");
    assert_eq!(renamed.trim_end(), text.replace("helper(", "assist(").trim_end(), "{file}");
    let offered = answer["completion"]["items"].as_array().expect("items");
    assert!(offered.iter().any(|item| item["label"] == "helper"), "{file}: {offered:?}");
}

fn lines_with(text: &str, what: &str) -> Vec<usize> {
    text.lines().enumerate().filter(|(_, line)| line.contains(what)).map(|(line, _)| line).collect()
}

fn run(editor: Command) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("there");
    let places = places(&root);
    let answers = asked(&root, &places, editor);
    assert_eq!(answers.len(), places.len());
    for (place, answer) in places.iter().zip(&answers) {
        check(place, answer);
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lsp").join(name)
}

#[test]
fn neovim_asks_and_renames_in_every_language() {
    if !installed("nvim") {
        return;
    }
    let mut editor = Command::new("nvim");
    editor.args(["--clean", "--headless", "-i", "NONE", "-n", "-c"]);
    editor.arg(format!("luafile {}", script("neovim.lua").display())).args(["-c", "cquit"]);
    run(editor);
}

#[test]
fn emacs_asks_and_renames_in_every_language() {
    if !installed("emacs") {
        return;
    }
    let mut editor = Command::new("emacs");
    editor.args(["-Q", "--batch"]);
    // Where Debian keeps what newer versions bring along.
    let packages = std::fs::read_dir("/usr/share/emacs/site-lisp/elpa");
    for folder in packages.into_iter().flatten().filter_map(Result::ok) {
        editor.arg("-L").arg(folder.path());
    }
    editor.arg("-l").arg(script("emacs.el"));
    run(editor);
}
