//! The examination of an index: nothing on a healthy one, the right word on a sick one.

mod support;

use codegraph_index::{DoctorOptions, Finding, Silent, doctor, remove};
use codegraph_model::Advice;
use support::*;

fn findings(sandbox: &Sandbox) -> Vec<Finding> {
    let options = DoctorOptions { full: true, ..DoctorOptions::default() };
    doctor(&sandbox.project, &options, &Silent).expect("an examination").findings
}

#[test]
fn a_healthy_index_has_no_findings() {
    let sandbox = Sandbox::built(&small_tree());
    assert_eq!(findings(&sandbox), []);
    sandbox.write("main.py", "other = 1\n");
    sandbox.update();
    assert_eq!(findings(&sandbox), []);
}

#[test]
fn differences_from_the_tree_are_named() {
    let sandbox = Sandbox::built(&small_tree());
    sandbox.write("main.py", "other = 1\n");
    sandbox.write("more.py", "x = 1\n");
    sandbox.delete("shapes/base.py");
    let found = findings(&sandbox);
    let named = |check: &str, path: &str| found.iter().any(|one| one.check == check && one.paths == [path]);
    assert!(named("files", "more.py"), "{found:?}");
    assert!(named("files", "shapes/base.py"), "{found:?}");
    assert!(named("content", "main.py"), "{found:?}");
    assert!(found.iter().all(|one| one.remedy == Advice::run("update")));
    sandbox.update();
    assert_eq!(findings(&sandbox), []);
    remove(&sandbox.project, "main.py".as_ref(), &Default::default()).expect("a removal");
    assert_eq!(findings(&sandbox), [], "what was taken out is known to be");
}

#[test]
fn a_missing_or_foreign_index_is_a_finding() {
    let sandbox = Sandbox::new(&small_tree());
    assert_eq!(findings(&sandbox)[0].check, "index");
    sandbox.write(".codegraph/index.db", "not an index");
    assert_eq!(findings(&sandbox)[0].check, "index");
}

#[test]
fn damage_inside_the_index_is_found() {
    let lost = "a symbol is not found by its id";
    let other_lines = "the lines of its terms are not what extraction gives";
    let strange = "terms with lines in files that are not in the index";
    for (damage, message) in [
        ("DELETE FROM symbol_prefix", lost),
        ("DELETE FROM posting_shelf", other_lines),
        ("UPDATE posting_shelf SET key = key + 5", strange),
    ] {
        let sandbox = Sandbox::built(&small_tree());
        let index = rusqlite::Connection::open(sandbox.project.index_path()).expect("an index");
        index.execute(damage, []).expect("a table of the index");
        let found = findings(&sandbox);
        assert!(found.iter().any(|one| one.message == message && !one.paths.is_empty()), "{damage}: {found:?}");
    }
}

/// Bits that flip on a disk: an answer that they change is an answer that nobody gets unwarned.
#[test]
fn a_flipped_bit_is_found_or_changes_nothing() {
    let sandbox = Sandbox::built(&small_tree());
    sandbox.write("main.py", "from shapes.circle import Circle\nother = Circle(2)\n");
    sandbox.update();
    let path = sandbox.project.index_path();
    let healthy = sandbox.snapshot();
    drop(sandbox.project.store(codegraph_store::Access::Write).expect("an index"));
    let whole = std::fs::read(&path).expect("an index");
    let (mut dice, mut found) = (7u64, 0);
    for _ in 0..400 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bit = 100 * 8 + (dice >> 20) as usize % ((whole.len() - 100) * 8);
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, damaged).expect("its own file");
        if findings(&sandbox).is_empty() {
            assert_eq!(sandbox.snapshot(), healthy, "bit {bit}");
        } else {
            found += 1;
        }
    }
    // Most of a small index is room that nothing stands in.
    assert!(found > 20, "{found}");
}

/// Damage of every kind, and the command that the examination names for it.
#[test]
fn what_is_named_as_the_remedy_mends() {
    let by_sql = |sql: &'static str| {
        move |sandbox: &Sandbox| {
            let index = rusqlite::Connection::open(sandbox.project.index_path()).expect("an index");
            index.execute_batch(sql).expect("a table of the index");
        }
    };
    let cut = |length: u64| {
        move |sandbox: &Sandbox| {
            let index = std::fs::File::options().write(true).open(sandbox.project.index_path());
            index.and_then(|file| file.set_len(length)).expect("cut off");
        }
    };
    type Damage = Box<dyn Fn(&Sandbox)>;
    let damages: Vec<(&str, Damage)> = vec![
        ("prefixes", Box::new(by_sql("DELETE FROM symbol_prefix"))),
        ("postings", Box::new(by_sql("DELETE FROM posting_shelf"))),
        ("keys", Box::new(by_sql("UPDATE posting_shelf SET key = key + 5"))),
        ("glance", Box::new(by_sql("DELETE FROM glance"))),
        ("facts", Box::new(by_sql("UPDATE facts SET outlines = x'00', bodies = x'00'"))),
        ("stamps", Box::new(by_sql("UPDATE file SET mtime_ns = 1, mark = 1, hash = zeroblob(32)"))),
        ("hashes", Box::new(by_sql("UPDATE file SET hash = zeroblob(32)"))),
        ("extractor", Box::new(by_sql("UPDATE file SET extractor = 0"))),
        ("modules", Box::new(by_sql("UPDATE place SET module = 'other.', package = 'other'"))),
        ("paths", Box::new(by_sql("UPDATE place SET folder = '../'"))),
        ("lost row", Box::new(by_sql("DELETE FROM file WHERE id = 1"))),
        ("inputs", Box::new(by_sql("DELETE FROM input"))),
        ("origin", Box::new(by_sql("UPDATE metadata SET value = '1-2' WHERE key = 'made_as'"))),
        ("half", Box::new(cut(8192))),
        ("empty", Box::new(cut(0))),
        ("new file", Box::new(|sandbox| sandbox.write("more.py", "x = 1\n"))),
        ("gone file", Box::new(|sandbox| sandbox.delete("shapes/base.py"))),
    ];
    for (name, damage) in damages {
        let sandbox = Sandbox::built(&small_tree());
        damage(&sandbox);
        for round in 0.. {
            let found = findings(&sandbox);
            let Some(first) = found.first() else { break };
            assert!(round < 2, "{name}: still {found:?}");
            match first.remedy.to_string().as_str() {
                "run 'update'" => drop(sandbox.update()),
                "run 'init'" => drop(sandbox.build()),
                other => panic!("{name}: {other}"),
            }
        }
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), name);
    }
}
