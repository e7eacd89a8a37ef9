//! `codegraph grep`: the hits of ripgrep, in every file of the project, with what the index knows about their places.

use std::process::Command;

use expect_test::expect;

use crate::support::Project;

const MODELS: &str = "\
class Ledger:
    \"\"\"A ledger of things.\"\"\"

    def post(self, entry):
        # post the entry
        self.log(\"post an entry\")  # once
        return entry
";

fn sample() -> Project {
    Project::new(&[
        ("app/models.py", MODELS),
        ("app/main.py", "from app.models import Ledger\n\nLedger().post(1)\n"),
        ("tests/test_models.py", "from app.models import Ledger\n\ndef test_post():\n    Ledger().post(2)\n"),
        ("conf/app.yml", "ledger: post\nhandler: app.models.Ledger.post\n"),
        ("templates/page.html", "<a href=\"{% url 'post' %}\">post</a>\n"),
        (".hidden/x.txt", "post\n"),
        ("build.log", "post\n"),
        (".ignore", "*.log\n"),
    ])
}

#[test]
fn hits_say_where_they_are_and_definitions_come_first() {
    expect![[r#"
        app/models.py
          4  def post(self, entry):  [defines post]
          5  # post the entry  [comment in post]
          6  self.log("post an entry")  # once  [string in post]
        app/main.py
          3  Ledger().post(1)
        tests/test_models.py
          4  Ledger().post(2)  [in test_post]
        conf/app.yml
          1  ledger: post
          2  handler: app.models.Ledger.post
        templates/page.html
          1  <a href="{% url 'post' %}">post</a>
    "#]]
    .assert_eq(&sample().transcript(&["grep", "-w", "post"]));
}

#[test]
fn lines_around_several_hits_are_shown_once() {
    let text = "def f():\n    a = 1\n    hit = a\n    b = hit\n    c = 2\n    d = 3\n    e = 4\n    return hit\n";
    let project = Project::new(&[("pkg/a.py", text)]);
    expect![[r#"
        pkg/a.py
          2-     a = 1
          3      hit = a  [in f]
          4      b = hit
          5-     c = 2
        --
          7-     e = 4
          8      return hit
    "#]]
    .assert_eq(&project.transcript(&["grep", "hit", "-A1", "-B1"]));
    // A folder and one inside of it are one search.
    assert_eq!(project.run(&["grep", "c = 2", ".", "pkg"]).out, "pkg/a.py\n  5  c = 2  [in f]\n");
}

#[test]
fn data_has_the_place_and_the_symbol() {
    let found = sample().json(&["grep", "once|an entry", "--limit", "1"]);
    let hit = &found["hits"][0];
    assert_eq!((found["total"].as_u64(), found["files_matched"].as_u64()), (Some(1), Some(1)), "{found}");
    assert_eq!(hit["line_type"], "string");
    assert_eq!((hit["start_col"].as_u64(), hit["end_col"].as_u64()), (Some(23), Some(31)), "{hit}");
    assert_eq!((&hit["symbol"]["fqn"], &hit["symbol"]["kind"]), (&"app.models.Ledger.post".into(), &"method".into()));
}

#[test]
fn what_was_not_searched_is_said_and_can_be_searched() {
    let project = sample();
    let nothing = project.run(&["grep", "no such text"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.out.contains("--hidden") && nothing.out.contains("--no-ignore"), "{}", nothing.out);
    assert_eq!(project.run(&["grep", "post", "-l", "--hidden", "-g", "*.txt"]).out, ".hidden/x.txt\n");
    assert_eq!(project.run(&["grep", "post", "-c", "--no-ignore", "-g", "*.log"]).out, "build.log:1\n");
    assert_eq!(project.run(&["grep", "post", "build.log", "-l"]).out, "build.log\n");
}

#[test]
fn flags_are_those_of_ripgrep() {
    let project = sample();
    let files = |arguments: &[&str]| project.run(&[&["grep", "-l"], arguments].concat()).out;
    assert_eq!(files(&["-t", "yaml", "post"]), "conf/app.yml\n");
    assert_eq!(files(&["-F", "Ledger().post(2)"]), "tests/test_models.py\n");
    assert_eq!(files(&["-e", "test_post", "-e", "url '"]), "templates/page.html\ntests/test_models.py\n");
    assert_eq!(files(&["-i", "LEDGER: P"]), "conf/app.yml\n");
    assert_eq!(files(&["-S", "ledger:"]), "app/models.py\nconf/app.yml\n");
    assert_eq!(project.run(&["grep", "-l", "-S", "LEDGER:"]).code, 1);
    assert_eq!(files(&["-g", "!app/**", "-g", "!tests", "Ledger"]), "conf/app.yml\n");
    assert_eq!(files(&["Ledger", "app/main.py", "conf"]), "app/main.py\nconf/app.yml\n");
    let around = project.run(&["grep", "def post", "-B1", "-A", "1"]).out;
    assert_eq!(around.lines().count(), 4, "{around}");
    for wrong in
        [&["grep", "("][..], &["grep", "x", "-t", "klingon"], &["grep", "x", "-g", "a{b"], &["grep", "x", ".."]]
    {
        let run = project.run(wrong);
        assert!(run.code == 2 && run.err.contains("hint: "), "{wrong:?}: {}{}", run.out, run.err);
    }
}

#[test]
fn an_answer_goes_on_and_fits_its_budget() {
    let lines: String = (0..300).map(|i| format!("value_{i} = needle({i})\n")).collect();
    let project = Project::new(&[("a.py", &lines)]);
    let first = project.run(&["grep", "needle"]).out;
    assert!(first.contains("300 hits in 1 file") && first.contains("50 of 300; go on with --offset 50"), "{first}");
    let next = project.json(&["grep", "needle", "--offset", "50"]);
    assert_eq!(next["hits"][0]["line_number"], 51);
    assert_eq!(project.json(&["grep", "needle", "--limit", "0"])["hits"].as_array().map(Vec::len), Some(300));
    let small = project.run(&["grep", "needle", "--limit", "0", "--max-tokens", "400"]).out;
    assert!(codegraph_tokens::count(&small) <= 400 && small.lines().count() > 10, "{small}");
}

#[test]
fn a_file_that_changed_is_searched_as_it_is_now() {
    let project = sample();
    project.write("app/models.py", &format!("def earlier():\n    return needle\n\n\n{MODELS}"));
    let found = project.run(&["grep", "needle"]).out;
    assert_eq!(found, "app/models.py\n  2  return needle  [in earlier]\n");
    project.write("app/models.py", "needle = 1\n");
    let found = project.run(&["grep", "needle", "--no-update"]).out;
    assert!(found.contains("1  needle = 1\n") && found.contains("changed since indexed: app/models.py"), "{found}");
}

/// What ripgrep 15 prints for the same trees, byte for byte: see `benches/grep.py`, which compares the two.
#[test]
fn a_plain_list_is_that_of_ripgrep() {
    let project = Project::bare(&[]);
    let put = |path: &str, bytes: &[u8]| {
        project.write(path, "");
        std::fs::write(project.path().join(path), bytes).expect("a file");
    };
    put("crlf.txt", b"one needle\r\ntwo\r\nneedle three\r\n");
    put("latin.txt", b"caf\xe9 needle\n");
    put("bom.txt", b"\xef\xbb\xbfneedle first\n");
    let wide: Vec<u8> = "\u{feff}needle wide\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    put("wide.txt", &wide);
    put("binary.bin", b"needle\0needle\n");
    let mut late = b"needle early\n".to_vec();
    late.extend(b"xxxxxxxx\n".repeat(30_000));
    late.extend(b"\0needle late\n");
    put("late.bin", &late);
    let long = format!("{} needle {}\n", "x".repeat(100_000), "y".repeat(100_000));
    put("long.txt", long.as_bytes());
    put("noend.txt", b"needle at the end");
    put(".dot/x.txt", b"needle\n");
    put("left/out.txt", b"needle\n");
    put(".gitignore", b"left/\n");
    assert!(Command::new("git").arg("init").arg("-q").current_dir(project.path()).status().expect("git").success());
    assert_eq!(project.run(&["init"]).code, 0);
    let output = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(["grep", "needle", "--plain"])
        .current_dir(project.path())
        .output()
        .expect("the binary runs");
    let mut expected: Vec<u8> = b"bom.txt:1:needle first\n".to_vec();
    expected.extend(b"crlf.txt:1:one needle\r\ncrlf.txt:3:needle three\r\n");
    expected.extend(b"late.bin:1:needle early\nlate.bin: WARNING: stopped searching binary file after match (found \"\\0\" byte around offset 270013)\n");
    expected.extend(b"latin.txt:1:caf\xe9 needle\n");
    expected.extend(format!("long.txt:1:{long}").into_bytes());
    expected.extend(b"noend.txt:1:needle at the end\nwide.txt:1:needle wide\r\n");
    let cut =
        |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&"x".repeat(1000), "X").replace(&"y".repeat(1000), "Y");
    assert_eq!(cut(&output.stdout), cut(&expected));
    assert!(output.stdout == expected, "the same but for bytes that are not shown");
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let outside = Project::bare(&[("secret.txt", "needle\n")]);
    let project = sample();
    symlink(outside.path(), project.path().join("way")).expect("a link");
    symlink(outside.path().join("secret.txt"), project.path().join("secret.txt")).expect("a link");
    assert_eq!(project.run(&["grep", "needle", "--hidden", "--no-ignore"]).code, 1);
    for named in ["way", "secret.txt", "way/secret.txt"] {
        let run = project.run(&["grep", "needle", named]);
        assert!(run.code == 2 && !run.out.contains("needle"), "{named}: {}{}", run.out, run.err);
    }
}
