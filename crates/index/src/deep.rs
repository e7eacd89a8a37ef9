//! Compares an index with one that is built anew beside it: the law, on somebody's own project.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;

use codegraph_model::{Certainty, FileId, How};
use codegraph_store::{FileRecord, LinkTarget, Store, SymbolRow};
use rustc_hash::FxHashMap;

use crate::build::build_at;
use crate::{BuildOptions, Progress, Project, Result};

/// How an index differs from a new one, by what differs.
pub(crate) type Differences = BTreeMap<&'static str, Vec<String>>;

/// A new index that goes away again. What a kill leaves behind has the name of an abandoned build, and goes with those.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut name = self.0.clone().into_os_string();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }
}

/// Builds the project anew beside its index and compares the two.
pub(crate) fn compare(project: &Project, old: &Store, progress: &dyn Progress) -> Result<Differences> {
    let name = format!("index.db.new-{}-deep", std::process::id());
    let aside = Aside(project.folder().join(name));
    build_at(project, &aside.0, &BuildOptions::default(), progress)?;
    let new = Store::open(&aside.0, codegraph_store::Access::Read)?;
    let mut found = Differences::new();
    let (before, after) = (by_path(old)?, by_path(&new)?);
    let mut note = |what, path: &str| found.entry(what).or_default().push(path.to_owned());
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        note("in the index, but a new one does not have it", path);
    }
    for (path, new_file) in &after {
        let Some(old_file) = before.get(path) else {
            note("a new index has it", path);
            continue;
        };
        let names = |file: &FileRecord| (file.package.clone(), file.module.clone(), file.language.clone(), file.hash);
        if names(old_file) != names(new_file) {
            note("its content, language, package or module is another", path);
        } else if old.symbol_ids(old_file.id)? != new.symbol_ids(new_file.id)? {
            note("its symbols are others", path);
        } else {
            let (ours, theirs) = (Said::of(old, old_file.id)?, Said::of(&new, new_file.id)?);
            match ours.bound == theirs.bound {
                // What a compiler said is not found out again.
                false if !ours.compiled => note("its names mean something else", path),
                _ if ours.open != theirs.open && !ours.compiled => note("other names of it are open", path),
                _ if !ours.compiled && users(old, old_file.id)? != users(&new, new_file.id)? => {
                    note("its symbols are used by others", path);
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

fn by_path(store: &Store) -> Result<BTreeMap<String, FileRecord>> {
    Ok(store.files()?.into_iter().map(|file| (file.path.clone(), file)).collect())
}

/// What the references of a file mean, without internal numbers.
#[derive(PartialEq, Eq)]
struct Said {
    bound: Vec<(u32, String, Certainty, How, bool)>,
    open: Vec<u32>,
    compiled: bool,
}

impl Said {
    fn of(store: &Store, file: FileId) -> Result<Said> {
        let links = store.links(file)?;
        let mut targets = Vec::with_capacity(links.targets.len());
        for target in &links.targets {
            targets.push(match target {
                LinkTarget::Symbol(row) => place(store, *row)?,
                LinkTarget::External(path) => {
                    let texts: Result<Vec<_>, _> = path.iter().map(|term| store.text(*term)).collect();
                    texts?.join("\0")
                }
            });
        }
        let bound = links.bound.iter();
        let bound = bound.map(|one| {
            let target = targets[one.target as usize].clone();
            (one.reference.0, target, one.certainty, one.how, one.makes)
        });
        Ok(Said {
            bound: bound.collect(),
            open: links.unbound.iter().map(|id| id.0).collect(),
            compiled: links.bound.iter().any(|one| one.how == How::Compiler),
        })
    }
}

fn place(store: &Store, row: SymbolRow) -> Result<String> {
    let path = store.file(row.file)?.map(|file| file.path).unwrap_or_default();
    Ok(format!("{path}#{}", row.symbol.0))
}

/// The files that use each symbol of a file.
fn users(store: &Store, file: FileId) -> Result<Vec<(u32, Vec<String>)>> {
    let count = store.outline(file)?.facts.symbols.len() as u32;
    let mut all: Vec<(u32, Vec<String>)> = (0..count).map(|symbol| (symbol, Vec::new())).collect();
    let mut known: FxHashMap<FileId, Option<String>> = FxHashMap::default();
    for (symbol, user) in store.all_sources(file)? {
        let path = match known.entry(user) {
            Entry::Occupied(path) => path.into_mut(),
            Entry::Vacant(free) => free.insert(store.file(user)?.map(|file| file.path)),
        };
        if let Some((_, paths)) = all.get_mut(symbol.index()) {
            paths.extend(path.clone());
        }
    }
    all.iter_mut().for_each(|(_, paths)| paths.sort_unstable());
    Ok(all)
}

#[cfg(test)]
mod tests {
    use codegraph_fixture::Sandbox;

    use super::*;
    use crate::{InitOptions, Silent, build};

    fn indexed(files: &[(&str, &str)]) -> (Sandbox, Project) {
        let folder = Sandbox::new(files);
        let options = InitOptions { name: Some("demo".to_owned()), ..InitOptions::default() };
        let project = Project::init(folder.root(), &options).expect("a project").project;
        build(&project, &BuildOptions::default(), &Silent).expect("a build");
        (folder, project)
    }

    #[test]
    fn an_index_that_says_something_else_is_told_by_file() {
        let user = ("a.py", "from b import f\n\nf()\n");
        let (_one, project) = indexed(&[user, ("b.py", "def f(): pass\n"), ("d.py", "x = 1\n")]);
        let (_two, other) = indexed(&[user, ("b.py", "def g(): pass\n"), ("c.py", "x = 1\n"), ("d.py", "x = 1\n")]);
        let store = |project: &Project| project.store(codegraph_store::Access::Read).expect("an index");
        assert_eq!(compare(&project, &store(&project), &Silent).expect("two indexes"), Differences::new());
        let found = compare(&project, &store(&other), &Silent).expect("two indexes");
        let expected = [
            ("in the index, but a new one does not have it", vec!["c.py".to_owned()]),
            ("its content, language, package or module is another", vec!["b.py".to_owned()]),
            ("its names mean something else", vec!["a.py".to_owned()]),
        ];
        assert_eq!(found, Differences::from(expected));
        let left = std::fs::read_dir(project.folder()).expect("a folder").flatten();
        let left: Vec<String> = left.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        assert!(!left.iter().any(|name| name.contains(".new-")), "left behind: {left:?}");
    }
}
