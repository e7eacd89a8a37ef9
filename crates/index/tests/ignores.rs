//! What is in git is in the index, and what git ignores is not: compared with git itself, over random trees and rules.
//!
//! `CODEGRAPH_IGNORE_SEEDS=0-1000` tries more than the usual ones.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use codegraph_index::discover;
use support::*;

fn git(root: &Path, arguments: &[&str]) -> Vec<u8> {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.excludesFile=/dev/null"];
    let output = Command::new("git").arg("-C").arg(root).args(who).args(arguments).output().expect("git is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick(&mut self, from: &[&str]) -> String {
        from[self.roll(from.len())].to_owned()
    }
}

const FOLDERS: &[&str] = &["a", "b", "ab", "[a]", "{a,b}", "a b", "x-y", "!n", "#h", "Big", "a]b", "a\\b"];
const FILES: &[&str] = &[
    "a.py", "b.py", "ab.py", "[a].py", "{a,b}.py", "a b.py", "x-y.py", "!n.py", "#h.py", "B.py", "a1.py", "a].py",
    "a^b.py", "a .py", "7.py", "a\\b.py", "a,b.py", "-.py",
];
/// What patterns are put together from.
const PIECES: &[&str] = &[
    "a", "b", "*", "?", "**", "/", "[ab]", "[!a]", "[^b]", "[a-z]", "[[:alpha:]]", "[[:digit:]]", "[]a]", "[a",
    "{a,b}", "{", "}", "\\*", "\\[", "\\]", "\\a", ".py", "*.py", " ", "\\ ", "x-y", "!", "#", "\\!", "\\#", "[-a]",
    "[a-]", "[\\]]", "**/", "/**", "//", "[+-9]", "[/]", "\\", "B", "a]", "[[:upper:]]", "[[:nope:]]", "^", ",", "1",
];

fn pattern(dice: &mut Dice) -> String {
    let mut text = match dice.roll(6) {
        0 => "!".to_owned(),
        1 => "/".to_owned(),
        _ => String::new(),
    };
    for _ in 0..1 + dice.roll(4) {
        text += &dice.pick(PIECES);
    }
    match dice.roll(5) {
        0 => text += "/",
        1 => text += ".py",
        2 => text += "   ",
        _ => {}
    }
    text
}

fn path(dice: &mut Dice, last: &[&str]) -> String {
    let mut path = String::new();
    for _ in 0..dice.roll(3) {
        path += &dice.pick(FOLDERS);
        path += "/";
    }
    path + &dice.pick(last)
}

/// A random tree in which every folder may have rules, and the rules of the repository itself.
fn tree(dice: &mut Dice) -> Sandbox {
    let sandbox = Sandbox::new(&[("keep.py", "x = 1\n")]);
    git(sandbox.root(), &["init", "-q"]);
    for _ in 0..60 {
        sandbox.write(&path(dice, FILES), "x = 1\n");
    }
    for _ in 0..1 + dice.roll(4) {
        let place = path(dice, &[".gitignore"]);
        let ends = if dice.roll(4) == 0 { "\r\n" } else { "\n" };
        let rules: String = (0..1 + dice.roll(6)).map(|_| pattern(dice) + ends).collect();
        sandbox.write(&place, rules.strip_suffix(ends).filter(|_| dice.roll(3) == 0).unwrap_or(&rules));
    }
    sandbox.write(".git/info/exclude", &format!("{}\n", pattern(dice)));
    sandbox
}

fn names(list: &[u8]) -> BTreeSet<String> {
    let names = list.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8(name.to_vec()).expect("UTF-8")).filter(|name| name.ends_with(".py")).collect()
}

fn found(sandbox: &Sandbox) -> BTreeSet<String> {
    discover(&sandbox.project).expect("a walk").files.into_iter().map(|file| file.path).collect()
}

fn seeds() -> std::ops::Range<u64> {
    let text = std::env::var("CODEGRAPH_IGNORE_SEEDS").unwrap_or_else(|_| "0-80".to_owned());
    let (first, last) = text.split_once('-').expect("FIRST-LAST");
    first.parse().expect("a number")..last.parse().expect("a number")
}

#[test]
fn rules_are_read_as_git_reads_them() {
    for seed in seeds() {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let sandbox = tree(&mut dice);
        let untracked = names(&git(sandbox.root(), &["ls-files", "-z", "--others", "--exclude-standard"]));
        let ours = found(&sandbox);
        let differ: Vec<&String> = ours.symmetric_difference(&untracked).collect();
        assert!(differ.is_empty(), "seed {seed}: {differ:?}\n{}", rules_of(sandbox.root(), sandbox.root()));
        // Whatever git tracks is found, ignored or not.
        git(sandbox.root(), &["add", "-f", "-A", "--", "."]);
        let tracked = names(&git(sandbox.root(), &["ls-files", "-z"]));
        assert_eq!(found(&sandbox), tracked, "seed {seed}");
    }
}

fn rules_of(root: &Path, folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if entry.file_name() == ".gitignore" || path.ends_with("info/exclude") {
            let place = path.strip_prefix(root).expect("inside").display().to_string();
            text += &format!("{place}: {:?}\n", std::fs::read_to_string(&path).expect("text"));
        } else if path.is_dir() {
            text += &rules_of(root, &path);
        }
    }
    text
}

fn hidden() -> Sandbox {
    let sandbox = Sandbox::new(&[
        ("a.py", "x = 1\n"),
        (".hidden/tool.py", "tool = 1\n"),
        ("build/made.py", "made = 1\n"),
        ("build/kept.py", "kept = 1\n"),
        (".setup.py", "setup = 1\n"),
        (".gitignore", "build/\n"),
        ("vendor/v.py", "v = 1\n"),
        (".ignore", "vendor/\n"),
    ]);
    git(sandbox.root(), &["init", "-q"]);
    git(sandbox.root(), &["add", "-f", ".hidden", "build/kept.py", "a.py", ".setup.py", "vendor"]);
    sandbox.build();
    sandbox
}

#[test]
fn what_git_tracks_is_indexed_though_hidden_or_ignored() {
    let sandbox = hidden();
    // An `.ignore` file is written for tools like this one, so it counts.
    assert_eq!(sandbox.paths(), [".hidden/tool.py", ".setup.py", "a.py", "build/kept.py"]);
}

#[test]
fn tracked_files_come_and_go_with_git() {
    let sandbox = hidden();
    let check = |expected: &[&str], what: &str| {
        sandbox.update();
        assert_eq!(sandbox.paths(), expected, "{what}");
        assert_eq!(sandbox.snapshot(), sandbox.fresh().snapshot(), "{what}");
        assert!(sandbox.update().is_unchanged(), "{what}");
    };
    git(sandbox.root(), &["add", "-f", "build/made.py"]);
    check(&[".hidden/tool.py", ".setup.py", "a.py", "build/kept.py", "build/made.py"], "tracked");
    git(sandbox.root(), &["rm", "-q", "--cached", "build/kept.py"]);
    check(&[".hidden/tool.py", ".setup.py", "a.py", "build/made.py"], "not tracked any more");
    sandbox.delete(".hidden/tool.py");
    check(&[".setup.py", "a.py", "build/made.py"], "deleted");
    sandbox.write(".hidden/tool.py", "again = 1\n");
    check(&[".hidden/tool.py", ".setup.py", "a.py", "build/made.py"], "there again");
    std::fs::remove_dir_all(sandbox.root().join(".hidden")).expect("a folder");
    check(&[".setup.py", "a.py", "build/made.py"], "deleted with its folder");
    sandbox.write(".hidden/tool.py", "again = 2\n");
    check(&[".hidden/tool.py", ".setup.py", "a.py", "build/made.py"], "there with its folder");
    sandbox.write("build/made.py", "changed = 1\n");
    assert_eq!(sandbox.update().changed, ["build/made.py"]);
    sandbox.write(".gitignore", "");
    check(&[".hidden/tool.py", ".setup.py", "a.py", "build/kept.py", "build/made.py"], "no rules");
    sandbox.write("c.py", "c = 1\n");
    git(sandbox.root(), &["add", "-A"]);
    check(&[".hidden/tool.py", ".setup.py", "a.py", "build/kept.py", "build/made.py", "c.py"], "a plain one");
}

#[test]
fn every_form_of_the_list_is_read() {
    for version in ["2", "3", "4"] {
        let sandbox = hidden();
        git(sandbox.root(), &["update-index", "--index-version", version]);
        git(sandbox.root(), &["update-index", "--skip-worktree", ".setup.py"]);
        sandbox.update();
        assert_eq!(found(&sandbox).len(), 4, "version {version}");
    }
    let sandbox = hidden();
    git(sandbox.root(), &["update-index", "--split-index"]);
    git(sandbox.root(), &["add", "-f", "build/made.py"]);
    assert_eq!(found(&sandbox).len(), 5, "a list in two files");
}

#[test]
fn a_list_that_is_none_is_no_danger() {
    let sandbox = hidden();
    let list = sandbox.root().join(".git/index");
    let whole = std::fs::read(&list).expect("a list");
    for cut in (0..whole.len()).step_by(7) {
        std::fs::write(&list, &whole[..cut]).expect("a file");
        found(&sandbox);
        let mut flipped = whole.clone();
        flipped[cut] ^= 0x55;
        std::fs::write(&list, flipped).expect("a file");
        found(&sandbox);
    }
}
