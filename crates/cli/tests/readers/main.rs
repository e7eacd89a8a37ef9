//! Exports, read back by programs that know nothing of codegraph and compared with `codegraph sql`. `.ci/readers` installs
//! them; where they are missing, the tests say so and pass, unless `CODEGRAPH_READERS=required`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_codegraph");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Whether a reader is there; says so if it is not.
fn installed(what: &Path) -> bool {
    if what.exists() || what.components().count() == 1 && runs(what) {
        return true;
    }
    let required = std::env::var("CODEGRAPH_READERS").is_ok_and(|value| value == "required");
    assert!(!required, "{} is missing: run .ci/readers", what.display());
    // Written to the stream itself, because the output of tests that pass is not shown.
    let notice = format!("SKIPPED: {} is not installed, run .ci/readers to test with it\n", what.display());
    std::io::stderr().write_all(notice.as_bytes()).expect("standard error is there");
    false
}

fn runs(program: &Path) -> bool {
    Command::new(program).arg("-V").output().is_ok_and(|output| output.status.success())
}

/// Code of several languages: this repository's fixtures, with some names that need care.
fn sample() -> TempDir {
    let folder = TempDir::with_prefix("codegraph-readers-").expect("a folder");
    let languages = repository().join("crates/languages/src");
    for entry in std::fs::read_dir(&languages).expect("the languages are there").flatten() {
        copy(&entry.path().join("fixtures"), &folder.path().join(entry.file_name()));
    }
    let odd = "def größe(x):\n    '''Says \"a, b\"\n\n    and <more> & more.'''\n    return größe(x)\n\n\nclass A:\n    pass\n";
    std::fs::write(folder.path().join("odd name, \"quoted\".py"), odd).expect("a file");
    let run =
        Command::new(BINARY).args(["init", "--name", "demo"]).current_dir(folder.path()).output().expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    folder
}

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = std::fs::read_dir(from) else { return };
    std::fs::create_dir_all(to).expect("a folder");
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_none_or(|end| end != "facts")) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
    }
}

fn here(script: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers").join(script)
}

/// Runs a check of `check.py` with a Python that has what it needs.
fn check(python: &Path, what: &str) {
    if !installed(python) {
        return;
    }
    let folder = sample();
    let run = Command::new(python).arg(here("check.py")).arg(BINARY).arg(folder.path()).arg(what).output();
    let run = run.expect("Python runs");
    assert!(run.status.success(), "{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
}

fn plain_python() -> PathBuf {
    PathBuf::from("python3")
}

fn full_python() -> PathBuf {
    repository().join("target/readers/venv/bin/python")
}

#[test]
fn sqlite_reads_all_tables_with_their_keys() {
    check(&plain_python(), "sqlite");
}

#[test]
fn csv_has_all_rows() {
    check(&plain_python(), "csv");
}

#[test]
fn json_is_the_graph_of_the_schema() {
    check(&plain_python(), "json");
}

#[test]
fn duckdb_reads_csv() {
    check(&full_python(), "duckdb_csv");
}

#[test]
fn duckdb_reads_parquet_of_several_commits() {
    check(&full_python(), "duckdb_parquet");
}

#[test]
fn duckdb_answers_questions_to_a_lake() {
    check(&full_python(), "duckdb_lake");
}

#[test]
fn networkx_reads_graphml() {
    check(&full_python(), "pictures");
}

#[test]
fn graphviz_draws_dot() {
    if installed(Path::new("dot")) {
        check(&plain_python(), "dot");
    }
}

#[test]
fn the_protocol_of_lsif_accepts_the_dump() {
    let modules = repository().join("target/readers/node_modules");
    if !installed(&modules) {
        return;
    }
    let folder = sample();
    for name in ["a.lsif", "b.lsif"] {
        let mut run = Command::new(BINARY);
        run.args(["export", "--format", "lsif", "--out", name]).current_dir(folder.path());
        assert!(run.output().expect("it runs").status.success());
    }
    let place = folder.path().join("a.lsif");
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("it was written");
    assert!(bytes("a.lsif") == bytes("b.lsif"), "two runs differ");
    let run = Command::new("node").arg(here("lsif.js")).arg(&place).arg(&modules).output().expect("node runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let counts: serde_json::Value = serde_json::from_slice(&run.stdout).expect("counts");
    let mut files = Command::new(BINARY);
    files.args(["sql", "SELECT count(*) AS n FROM files", "--json"]).current_dir(folder.path());
    let files: serde_json::Value = serde_json::from_slice(&files.output().expect("it runs").stdout).expect("JSON");
    assert_eq!(counts["document"], files["data"]["rows"][0]["n"]);
    assert!(counts["range"].as_u64() > Some(1000), "{counts}");
}
