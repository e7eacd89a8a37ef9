//! Two projects with the same files: one index is updated, the other is made anew. They must say the same.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::dump::dump;
use crate::support::Sandbox;
use crate::tongue::Files;

pub(crate) struct Trial {
    updated: Sandbox,
    fresh: Sandbox,
    files: Files,
}

impl Trial {
    pub(crate) fn new(files: &Files) -> Trial {
        let list: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Trial { updated: Sandbox::built(&list), fresh: Sandbox::new(&list), files: files.clone() }
    }

    /// Brings both to these files. Gives the rows in which the indexes differ.
    pub(crate) fn step(&mut self, files: &Files) -> Vec<String> {
        for sandbox in [&self.updated, &self.fresh] {
            for gone in self.files.keys().filter(|path| !files.contains_key(*path)) {
                sandbox.delete(gone);
            }
            for (path, text) in files.iter().filter(|(path, text)| self.files.get(*path) != Some(text)) {
                sandbox.write(path, text);
            }
        }
        self.files = files.clone();
        self.updated.update();
        self.fresh.build();
        let complaints = self.updated.store().integrity().expect("the index opens");
        let mut rows = differences(&dump(&self.updated.project), &dump(&self.fresh.project));
        rows.extend(complaints);
        rows
    }
}

pub(crate) fn differences(updated: &[String], fresh: &[String]) -> Vec<String> {
    if updated == fresh {
        return Vec::new();
    }
    let (old, new): (BTreeSet<&String>, BTreeSet<&String>) = (updated.iter().collect(), fresh.iter().collect());
    let only_old = old.difference(&new).map(|row| format!("- {row}"));
    let only_new = new.difference(&old).map(|row| format!("+ {row}"));
    let mut rows: Vec<String> = only_old.chain(only_new).collect();
    if rows.is_empty() {
        rows.push("a row is there more than once".to_owned());
    }
    rows
}

/// What goes wrong in one step from some files to others.
fn wrong(before: &Files, after: &Files) -> Vec<String> {
    let run = AssertUnwindSafe(|| Trial::new(before).step(after));
    catch_unwind(run).unwrap_or_else(|_| vec!["a panic".to_owned()])
}

/// The smallest step found that still goes wrong, as text.
pub(crate) fn minimised(before: &Files, after: &Files) -> String {
    let mut state = (before.clone(), after.clone());
    if wrong(&state.0, &state.1).is_empty() {
        return "it takes more than one step".to_owned();
    }
    while let Some(smaller) = candidates(&state).into_iter().find(|(before, after)| !wrong(before, after).is_empty()) {
        state = smaller;
    }
    let show = |files: &Files| files.iter().map(|(path, text)| format!("//- /{path}\n{text}")).collect::<String>();
    let rows = wrong(&state.0, &state.1);
    format!("=== before\n{}=== after\n{}=== rows\n{}", show(&state.0), show(&state.1), rows.join("\n"))
}

/// Smaller steps: without a file, with one file as it was, without a run of lines.
fn candidates((before, after): &(Files, Files)) -> Vec<(Files, Files)> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut all = Vec::new();
    for path in &paths {
        let (mut old, mut new) = (before.clone(), after.clone());
        old.remove(*path);
        new.remove(*path);
        all.push((old, new));
    }
    for path in &paths {
        if before.get(*path) != after.get(*path) {
            let mut new = after.clone();
            match before.get(*path) {
                Some(text) => new.insert((*path).clone(), text.clone()),
                None => new.remove(*path),
            };
            all.push((before.clone(), new));
        }
    }
    for path in paths {
        let lines = |files: &Files| files.get(path).map_or(0, |text| text.lines().count());
        let most = lines(before).max(lines(after));
        let same = before.get(path) == after.get(path);
        for size in [8, 3, 1] {
            for at in (0..most).step_by(size) {
                let (old, new) = (without(before, path, at, size), without(after, path, at, size));
                if same {
                    all.push((old, new));
                } else {
                    all.push((old.clone(), new.clone()));
                    all.push((old, after.clone()));
                    all.push((before.clone(), new));
                }
            }
        }
    }
    all.retain(|state| (&state.0, &state.1) != (before, after));
    all
}

fn without(files: &Files, path: &str, at: usize, size: usize) -> Files {
    let mut files = files.clone();
    if let Some(text) = files.get_mut(path) {
        let kept = text.lines().enumerate().filter(|(i, _)| !(at..at + size).contains(i));
        *text = kept.map(|(_, line)| format!("{line}\n")).collect();
    }
    files
}
