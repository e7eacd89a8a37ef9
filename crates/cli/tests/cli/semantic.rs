//! `query --mode semantic`: code that means what was asked, in other words.

use crate::support::Project;

const CACHE: &str = "def evict(entries, now):\n    for key in list(entries):\n        if entries[key].expires < now:\n            \
                     del entries[key]\n\n\ndef paint(canvas, colour):\n    canvas.fill(colour)\n";
const LOGIN: &str = "class Session:\n    def authenticate(self, user, password):\n        return user.check(password)\n\n    \
                     def resize(self, width, height):\n        self.size = width, height\n";
const TEST: &str = "from login import Session\n\n\ndef test_authenticate():\n    Session().authenticate(1, 2)\n";

fn project() -> Project {
    Project::new(&[("cache.py", CACHE), ("login.py", LOGIN), ("tests/test_login.py", TEST)])
}

#[test]
fn words_lead_to_code_that_does_not_have_them() {
    let project = project();
    for (asked, right) in [
        ("remove outdated items", "cache.evict"),
        ("verify credentials", "login.Session.authenticate"),
        ("change dimensions", "login.Session.resize"),
    ] {
        let found = project.json(&["query", asked, "--mode", "semantic"]);
        let first = &found["matches"][0];
        assert_eq!(first["fqn"], right, "{asked}: {found:#}");
        assert!(first["score"].as_f64().is_some_and(|score| score > 0.05 && score <= 1.0), "{first:#}");
        assert!(first["because"].as_array().is_some_and(|words| !words.is_empty()), "{first:#}");
        assert!(first["line_number"].as_u64().is_some() && first["text"].is_string(), "{first:#}");
    }
}

#[test]
fn answers_are_filtered_paged_and_shown_with_the_reason() {
    let project = project();
    let run =
        project.run(&["query", "check a password", "--mode", "semantic", "--file-filter", "tests", "--limit", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("tests/test_login.py:4  0."), "{}", run.out);
    let types = project.json(&["query", "check a password", "--mode", "semantic", "--type", "struct"]);
    let types = types["matches"].as_array().expect("matches");
    assert!(types.iter().all(|row| row["line_type"] == "struct"), "{types:#?}");
}

#[test]
fn what_means_nothing_here_is_said_and_names_stay_exact() {
    let project = project();
    let run = project.run(&["query", "?!", "--mode", "semantic"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("no word"), "{}", run.out);
    let run = project.run(&["find", "sign in", "--mode", "semantic"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("query"), "{}", run.err);
}
