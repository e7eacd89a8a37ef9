//! Any bytes, any names: one bad file never stops a build.

mod support;

use std::fs;

use codegraph_fixture::write;
use codegraph_index::Reason;
use support::*;

#[test]
fn a_hostile_tree_is_indexed_and_what_is_left_out_is_named() {
    let sandbox = Sandbox::new(&[("good.py", PYTHON), ("empty.py", ""), ("crlf.py", "def a():\r\n    return b\r\n")]);
    let root = sandbox.root().to_owned();
    write(&root, "binary.py", b"\x7fELF\0\0\0\x01\x02\0\0junk");
    write(&root, "wide.py", b"\xff\xfed\0e\0f\0");
    write(&root, "late_nul.py", &[b"x = 1\n".repeat(2000), b"y\0 = 2\n".to_vec()].concat());
    write(&root, "latin.py", b"name = 'caf\xe9'\ndef caf\xe9(): pass\n");
    write(&root, "bom.py", b"\xef\xbb\xbfdef first(): pass\n");
    write(&root, "deep.py", &[b"x = ".to_vec(), b"[".repeat(100_000)].concat());
    write(&root, "a b'c\"d.py", b"spaces = 1\n");
    write(&root, "new\nline.py", b"line = 1\n");
    write(&root, "\u{1f600}.py", b"emoji = 1\n");
    write(&root, "huge.py", &b"x = 1\n".repeat((32 << 20) / 6 + 2));
    let report = sandbox.build();
    let reasons: Vec<(&str, &Reason)> = report.skipped.iter().map(|one| (one.path.as_str(), &one.reason)).collect();
    let expected = [("binary.py", &Reason::Binary), ("huge.py", &Reason::TooLarge), ("wide.py", &Reason::Utf16)];
    assert_eq!(reasons, expected);
    let expected = [
        "a b'c\"d.py", "bom.py", "crlf.py", "deep.py", "empty.py", "good.py", "late_nul.py", "latin.py",
        "new\nline.py", "\u{1f600}.py",
    ];
    assert_eq!(sandbox.paths(), expected);
    assert!(sandbox.update().is_unchanged());
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "hostile tree");
}

#[test]
fn offsets_count_a_byte_order_mark() {
    let sandbox = Sandbox::new(&[]);
    write(sandbox.root(), "bom.py", b"\xef\xbb\xbfdef first(): pass\n");
    sandbox.build();
    let store = sandbox.store();
    let stored = store.outline(store.files().expect("files")[0].id).expect("an outline");
    let first = &stored.facts.symbols[1];
    assert_eq!((first.name_span.start, first.name_span.end), (7, 12));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_the_project_nor_in_circles() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().expect("a temporary folder");
    write(outside.path(), "secret.py", b"secret = 1\n");
    let sandbox = Sandbox::new(&[("pkg/real.py", "x = 1\n")]);
    let root = sandbox.root();
    symlink(outside.path().join("secret.py"), root.join("escape.py")).expect("a link");
    symlink(outside.path(), root.join("outer")).expect("a link");
    symlink("real.py", root.join("pkg/alias.py")).expect("a link");
    symlink("..", root.join("pkg/loop")).expect("a link");
    symlink("self.py", root.join("self.py")).expect("a link");
    symlink("nowhere.py", root.join("broken.py")).expect("a link");
    let report = sandbox.build();
    assert_eq!(sandbox.paths(), ["pkg/real.py"]);
    let reasons: Vec<(&str, &Reason)> = report.skipped.iter().map(|one| (one.path.as_str(), &one.reason)).collect();
    let expected = [
        ("broken.py", &Reason::BrokenLink),
        ("escape.py", &Reason::LinkOutside),
        ("outer", &Reason::LinkOutside),
        ("self.py", &Reason::BrokenLink),
    ];
    assert_eq!(reasons, expected);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_and_pipes_are_passed_over() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new(&[("good.py", "x = 1\n")]);
    let odd = sandbox.root().join(std::ffi::OsStr::from_bytes(b"caf\xe9.py"));
    fs::write(odd, "x = 1\n").expect("a file");
    let made = std::process::Command::new("mkfifo").arg(sandbox.root().join("pipe.py")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let report = sandbox.build();
    assert_eq!(sandbox.paths(), ["good.py"]);
    assert_eq!(report.skipped.len(), 1);
    assert_eq!(report.skipped[0].reason, Reason::NameNotUtf8);
}

/// Whether permissions mean anything to this user.
#[cfg(unix)]
fn may_read_everything(sandbox: &Sandbox) -> bool {
    fs::File::open(sandbox.root().join("locked.py")).is_ok()
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named_and_taken_in_when_it_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new(&[("good.py", "x = 1\n"), ("locked.py", "y = 1\n")]);
    let locked = sandbox.root().join("locked.py");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("permissions");
    if may_read_everything(&sandbox) {
        return;
    }
    let report = sandbox.build();
    assert_eq!(report.skipped.len(), 1);
    assert!(report.skipped[0].reason.to_string().starts_with("unreadable"));
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o644)).expect("permissions");
    assert_eq!(sandbox.update().added, ["locked.py"]);
}

/// Twice as much of the same takes about twice as long, whatever it is. Each of these once took the square of it.
#[test]
fn no_text_takes_the_square_of_its_length() {
    let texts = [("c", "("), ("c", "a\n"), ("c", "end "), ("rs", "::a"), ("cs", "a;"), ("py", "x = x\n")];
    for (extension, part) in texts {
        let time = |bytes: usize| {
            let sandbox = Sandbox::new(&[(&format!("a.{extension}"), &part.repeat(bytes / part.len()))]);
            let start = std::time::Instant::now();
            sandbox.build();
            start.elapsed().as_secs_f64()
        };
        let (small, large) = (time(40_000), time(320_000));
        // Eight times as much; the square would be 64 times as long.
        assert!(large < 1.0 || large < small * 24.0, "{part:?} in {extension}: {small:.3} s, then {large:.3} s");
    }
}
