//! Runs a checker over changes, several at once, and finds those that break the project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::pick::Texts;
use super::{Edits, FileEdits, Given};

/// Lines of the checker and how often it prints each.
type Lines = BTreeMap<String, usize>;

pub(crate) struct Checker {
    tree: PathBuf,
    command: String,
    /// What it says about the untouched tree.
    before: Lines,
    texts: Texts,
}

impl Checker {
    pub(crate) fn new(tree: &Path, command: &str, texts: Texts) -> Result<Checker> {
        let mut checker = Checker { tree: tree.to_owned(), command: command.to_owned(), before: Lines::new(), texts };
        checker.before = checker.say(&[])?.into_iter().fold(Lines::new(), |mut lines, (line, _)| {
            *lines.entry(line).or_default() += 1;
            lines
        });
        Ok(checker)
    }

    pub(crate) fn known(&self) -> usize {
        self.before.values().sum()
    }

    /// What it says, without new names and numbers, and as it says it.
    fn say(&self, given: &[&Given]) -> Result<Vec<(String, String)>> {
        let out = Command::new("sh").arg("-c").arg(&self.command).current_dir(&self.tree).output();
        let out = out.context("the checker could not be started")?;
        let said = [out.stdout, out.stderr].concat();
        let plain = |line: &str| {
            let named = given.iter().fold(line.to_owned(), |line, one| line.replace(&one.new, &one.name.text));
            named.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, ' ' | '~' | '^')).collect::<String>()
        };
        let said = String::from_utf8_lossy(&said);
        Ok(said.lines().map(|line| (plain(line), line.to_owned())).filter(|(plain, _)| !plain.is_empty()).collect())
    }

    fn after(&self, path: &str, edits: &FileEdits) -> Result<Vec<u8>> {
        let old = self.texts.get(path).with_context(|| format!("{path} is not known"))?;
        let (mut new, mut at) = (Vec::with_capacity(old.len()), 0);
        for (start, end, text) in &edits.changes {
            new.extend_from_slice(&old[at..*start]);
            new.extend_from_slice(text.as_bytes());
            at = *end;
        }
        new.extend_from_slice(&old[at..]);
        Ok(new)
    }

    /// Whether the files have these changes.
    pub(crate) fn is_written(&self, edits: &Edits) -> Result<bool> {
        for (path, edits) in edits {
            let written = self.tree.join(edits.new_file.as_ref().unwrap_or(path));
            if std::fs::read(written)? != self.after(path, edits)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn put_back(&self, edits: &Edits) -> Result<()> {
        for (path, edits) in edits {
            if let Some(new_file) = &edits.new_file {
                std::fs::remove_file(self.tree.join(new_file))?;
            }
            std::fs::write(self.tree.join(path), &self.texts[path])?;
        }
        Ok(())
    }

    /// The changes that break the project, with what is said about them.
    pub(crate) fn broken(&mut self, given: Vec<Given>, group: usize) -> Result<Vec<(Given, Vec<String>)>> {
        let mut broken = Vec::new();
        let mut pending = groups(given, group);
        while let Some(mut group) = pending.pop() {
            let said = self.news(&group)?;
            eprintln!("checked {} changes, {} groups left: {} new lines", group.len(), pending.len(), said.len());
            if said.is_empty() {
                continue;
            }
            if group.len() == 1 {
                broken.extend(group.pop().map(|one| (one, said)));
                continue;
            }
            let rest = group.split_off(group.len() / 2);
            pending.extend([group, rest]);
        }
        Ok(broken)
    }

    /// What the checker says with some changes that it did not say without them.
    fn news(&self, group: &[Given]) -> Result<Vec<String>> {
        let mut all = Edits::new();
        for (path, edits) in group.iter().flat_map(|one| &one.edits) {
            let file = all.entry(path.clone()).or_default();
            file.changes.extend(edits.changes.iter().cloned());
            file.new_file = file.new_file.take().or_else(|| edits.new_file.clone());
        }
        all.values_mut().for_each(|file| file.changes.sort());
        for (path, edits) in &all {
            let written = edits.new_file.as_ref().unwrap_or(path);
            std::fs::write(self.tree.join(written), self.after(path, edits)?)?;
            if edits.new_file.is_some() {
                std::fs::remove_file(self.tree.join(path))?;
            }
        }
        let said = self.say(&group.iter().collect::<Vec<_>>());
        self.put_back(&all)?;
        let mut before = self.before.clone();
        let mut is_new = |plain: &String| match before.get_mut(plain) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        Ok(said?.into_iter().filter(|(plain, _)| is_new(plain)).map(|(_, line)| line).collect())
    }
}

/// Changes that can be made together: no place is changed twice, and no two give the same name.
fn groups(given: Vec<Given>, most: usize) -> Vec<Vec<Given>> {
    let mut groups: Vec<Vec<Given>> = Vec::new();
    for one in given {
        let fits = |group: &Vec<Given>| group.len() < most && group.iter().all(|other| apart(&one, other));
        match groups.iter().position(fits) {
            Some(at) => groups[at].push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

fn apart(one: &Given, other: &Given) -> bool {
    let overlap = one.edits.iter().any(|(path, edits)| {
        let others = other.edits.get(path).into_iter().flat_map(|file| &file.changes);
        let mut others = others.map(|(start, end, _)| (start, end));
        others.any(|(start, end)| edits.changes.iter().any(|(own, own_end, _)| own < end && start < own_end))
    });
    one.new != other.new && one.name.text != other.name.text && one.new != other.name.text && !overlap
}
