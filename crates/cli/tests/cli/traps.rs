//! Everything that a repository can put under a name that we open: no command follows, waits for or changes it.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::support::Project;

/// Every name of ours in `.codegraph/`, and whether it is changed in place.
const NAMES: &[(&str, bool)] = &[
    ("index.db", true),
    ("index.db-wal", true),
    ("index.db-shm", true),
    ("index.db-journal", true),
    ("index.db.lock", true),
    ("index.db.notes.lock", true),
    ("index.db.before", true),
    ("config.json", false),
    ("summary.md", false),
    ("docs.md", false),
    ("symbol_map.txt", false),
    (".gitignore", false),
];

/// Commands of every kind: that build, write, ask, and keep notes.
const COMMANDS: &[&[&str]] = &[
    &["init"],
    &["update"],
    &["find", "first"],
    &["get", "first"],
    &["status"],
    &["summary"],
    &["describe", "purpose", "nothing"],
    &["update-docs"],
    &["map"],
    &["link", "."],
    &["sql", "SELECT 1"],
    &["doctor"],
];

const KINDS: &[Trap] = &[
    Trap::LinkToFile,
    Trap::LinkToFolder,
    Trap::DanglingLink,
    Trap::Pipe,
    Trap::Device,
    Trap::Folder,
    Trap::OfAnother,
    Trap::SecondName,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Trap {
    LinkToFile,
    LinkToFolder,
    DanglingLink,
    Pipe,
    Device,
    Folder,
    OfAnother,
    SecondName,
}

impl Trap {
    /// Puts the trap there; false where this user cannot make one.
    fn set(self, path: &Path, outside: &Path) -> bool {
        let run = |program: &str, arguments: &[&str]| {
            let run = Command::new(program).args(arguments).arg(path).stderr(Stdio::null()).status();
            run.is_ok_and(|status| status.success())
        };
        match self {
            Trap::LinkToFile => symlink(outside.join("precious"), path).is_ok(),
            Trap::LinkToFolder => symlink(outside.join("folder"), path).is_ok(),
            Trap::DanglingLink => symlink(outside.join("nothing"), path).is_ok(),
            Trap::Pipe => run("mkfifo", &[]),
            Trap::Device => Command::new("mknod").arg(path).args(["c", "1", "5"]).status().is_ok_and(|s| s.success()),
            Trap::Folder => std::fs::create_dir(path).is_ok(),
            Trap::OfAnother => std::fs::write(path, "{}").is_ok() && run("chown", &["12345"]),
            Trap::SecondName => std::fs::hard_link(outside.join("precious"), path).is_ok(),
        }
    }

    fn take_away(path: &Path) {
        let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path));
    }
}

/// Everything in a folder: content and time of the last change.
fn state(folder: &Path) -> BTreeMap<PathBuf, (Option<Vec<u8>>, SystemTime)> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let found = path.symlink_metadata().expect("it is there");
        let content = found.is_file().then(|| std::fs::read(&path).expect("a file"));
        all.insert(path.clone(), (content, found.modified().expect("a time")));
        if found.is_dir() {
            open.extend(std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        }
    }
    all
}

/// A run that must come to an end by itself.
fn ends(project: &Path, arguments: &[&str]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(arguments)
        .current_dir(project)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let start = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("{arguments:?} waits");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it has ended");
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?} died"));
    (code, String::from_utf8_lossy(&output.stderr).into_owned())
}

struct Scene {
    project: Project,
    outside: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let outside = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(outside.path().join("precious"), "do not touch\n").expect("a file");
        std::fs::create_dir(outside.path().join("folder")).expect("a folder");
        let project = Project::new(&[("a.py", "def first(): pass\n"), ("CLAUDE.md", "# Notes\n")]);
        Scene { project, outside }
    }

    fn ours(&self, name: &str) -> PathBuf {
        self.project.path().join(".codegraph").join(name)
    }

    /// Every command refuses with a remedy, and nothing outside has changed.
    fn refuses(&self, what: &str) {
        for arguments in COMMANDS {
            let before = state(self.outside.path());
            let (code, message) = ends(self.project.path(), arguments);
            assert!(state(self.outside.path()) == before, "{what}: {arguments:?} changed something outside");
            assert_eq!(code, 2, "{what}: {arguments:?}: {message}");
            assert!(message.contains("hint: "), "{what}: {arguments:?}: {message}");
        }
    }
}

#[test]
fn no_command_opens_a_trap_under_a_name_of_ours() {
    let place = Scene::new();
    for (name, in_place) in NAMES {
        for kind in KINDS.iter().filter(|kind| *in_place || **kind != Trap::SecondName) {
            let path = place.ours(name);
            let kept = std::fs::read(&path).ok();
            let _ = std::fs::remove_file(&path);
            if kind.set(&path, place.outside.path()) {
                place.refuses(&format!("{name} as {kind:?}"));
            }
            Trap::take_away(&path);
            if let Some(kept) = kept {
                std::fs::write(&path, kept).expect("put back");
            }
        }
    }
    let (code, message) = ends(place.project.path(), &["init"]);
    assert_eq!(code, 0, "{message}");
}

#[test]
fn a_folder_of_ours_that_is_a_link_is_not_entered() {
    let place = Scene::new();
    let folder = place.project.path().join(".codegraph");
    let aside = place.outside.path().join("folder/index");
    std::fs::rename(&folder, &aside).expect("moved out");
    for target in [aside.clone(), place.outside.path().join("nothing"), place.outside.path().join("precious")] {
        symlink(&target, &folder).expect("a link");
        place.refuses(&format!("the folder as a link to {}", target.display()));
        std::fs::remove_file(&folder).expect("the link");
    }
    // Another owner's folder is as good as a link.
    std::fs::create_dir(&folder).expect("a folder");
    let given = Command::new("chown").arg("12345").arg(&folder).stderr(Stdio::null()).status();
    if given.is_ok_and(|status| status.success()) {
        place.refuses("the folder of another user");
    }
    std::fs::remove_dir(&folder).expect("the folder");
}

#[test]
fn leftovers_of_builds_are_removed_by_name_only() {
    let place = Scene::new();
    let before = state(place.outside.path());
    for (number, kind) in [Trap::LinkToFile, Trap::LinkToFolder, Trap::DanglingLink, Trap::Pipe].iter().enumerate() {
        assert!(kind.set(&place.ours(&format!("index.db.new-{}", 4_000_000 + number)), place.outside.path()));
    }
    let (code, message) = ends(place.project.path(), &["init"]);
    assert_eq!(code, 0, "{message}");
    assert!(state(place.outside.path()) == before);
    let names = std::fs::read_dir(place.ours("")).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().contains(".new-")));
}

#[test]
fn files_that_decide_what_is_indexed_are_not_followed_or_waited_for() {
    let outside = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(outside.path().join("precious"), "*.py\n").expect("a file");
    std::fs::create_dir(outside.path().join("folder")).expect("a folder");
    for kind in [Trap::LinkToFile, Trap::LinkToFolder, Trap::DanglingLink, Trap::Pipe, Trap::Device] {
        for name in [".gitignore", ".ignore", "pkg/.gitignore", "pkg/Cargo.toml", "package.json", "tsconfig.json"] {
            let project = Project::bare(&[("a.py", "def first(): pass\n"), ("pkg/b.py", "def second(): pass\n")]);
            if !kind.set(&project.path().join(name), outside.path()) {
                continue;
            }
            for arguments in [&["init"][..], &["find", "first"], &["file-tree"], &["summary"], &["doctor"]] {
                let (code, message) = ends(project.path(), arguments);
                assert_eq!(code, 0, "{name} as {kind:?}: {arguments:?}: {message}");
            }
        }
    }
}

#[test]
fn a_file_behind_a_folder_that_became_a_link_is_not_read() {
    let outside = tempfile::tempdir().expect("a temporary folder");
    let project = Project::new(&[("pkg/b.py", "def second(): pass\n")]);
    std::fs::write(outside.path().join("b.py"), "def secret(): pass\n").expect("a file");
    std::fs::remove_dir_all(project.path().join("pkg")).expect("it is there");
    symlink(outside.path(), project.path().join("pkg")).expect("a link");
    for arguments in [&["update"][..], &["update", "pkg/b.py"], &["find", "secret"], &["get", "pkg/b.py:1"]] {
        let run = project.run(arguments);
        assert!(!run.out.contains("def secret"), "{arguments:?}: {}", run.out);
    }
    assert_eq!(project.run(&["find", "secret"]).code, 1);
}

/// Not only the link: whoever asks `stat` for it gets what is outside.
#[test]
fn outputs_replace_a_link_and_not_what_it_leads_to() {
    let place = Scene::new();
    let out = place.project.path().join("index.scip");
    symlink(place.outside.path().join("precious"), &out).expect("a link");
    let before = state(place.outside.path());
    let (code, message) = ends(place.project.path(), &["export"]);
    assert_eq!(code, 0, "{message}");
    assert!(state(place.outside.path()) == before);
    assert!(out.symlink_metadata().expect("it is there").is_file());
    assert_eq!(out.metadata().expect("it is there").nlink(), 1);
}
