//! `Cargo.toml`.

use toml::{Table, Value};

use crate::{Dependency, Entry, Layout, Manifest, Need, Parsed, parent, toml_table};

pub(crate) fn manifest(text: &str) -> Parsed {
    let table = toml_table(text)?;
    Ok(Manifest {
        layout: layout(&table).unwrap_or_default(),
        dependencies: dependencies(&table),
        entries: programs(&table),
        ..Manifest::default()
    })
}

fn layout(table: &Table) -> Option<Layout> {
    let name = table.get("package")?.get("name")?.as_str()?;
    let library = table.get("lib").and_then(Value::as_table);
    let of_library = |key| library.and_then(|lib| lib.get(key)).and_then(Value::as_str);
    let mut layout = Layout::named(of_library("name").unwrap_or(name).replace('-', "_"));
    if let Some(path) = of_library("path") {
        layout.roots.push((path.to_owned(), String::new()));
        layout.source = Some(parent(path).to_owned());
    }
    for (key, folder) in [("bin", "bin"), ("test", "tests"), ("example", "examples"), ("bench", "benches")] {
        layout.roots.extend(list(table, key).filter_map(|target| {
            let path = target.get("path")?.as_str()?;
            let name = target.get("name")?.as_str()?.replace('-', "_");
            // What lies in the usual place gets the usual name.
            (!path.starts_with(folder) && !path.starts_with("src/"))
                .then(|| (path.to_owned(), format!("{folder}/{name}")))
        }));
    }
    Some(layout)
}

fn dependencies(table: &Table) -> Vec<Dependency> {
    let kinds =
        [("dependencies", Need::Runtime), ("build-dependencies", Need::Build), ("dev-dependencies", Need::Development)];
    let workspace = table.get("workspace").and_then(Value::as_table);
    let targets = table.get("target").and_then(Value::as_table).into_iter().flatten();
    let holders = [Some(table), workspace].into_iter().chain(targets.map(|(_, target)| target.as_table()));
    let mut found = Vec::new();
    for holder in holders.flatten() {
        for (key, need) in kinds {
            let crates = holder.get(key).and_then(Value::as_table).into_iter().flatten();
            found.extend(crates.filter_map(|(name, value)| dependency(name, value, need)));
        }
    }
    found
}

/// A crate that lies in the project, by its path, is none that the project depends on.
fn dependency(name: &str, value: &Value, need: Need) -> Option<Dependency> {
    if value.get("path").is_some() {
        return None;
    }
    let version = value.as_str().or_else(|| value.get("version")?.as_str());
    let name = value.get("package").and_then(Value::as_str).unwrap_or(name);
    Some(Dependency::new(name, version, need))
}

fn programs(table: &Table) -> Vec<Entry> {
    let entry = |program: &Value| {
        let text = |key| program.get(key).and_then(Value::as_str);
        Some(Entry::new(text("path")?, text("name")))
    };
    list(table, "bin").filter_map(entry).collect()
}

fn list<'a>(table: &'a Table, key: &str) -> impl Iterator<Item = &'a Value> {
    table.get(key).and_then(Value::as_array).into_iter().flatten()
}
