//! `composer.json`.

use serde_json::Value;

use crate::{Entry, Layout, Manifest, Need, Parsed, json, json_packages};

pub(crate) fn manifest(text: &str) -> Parsed {
    let value = json(text)?;
    let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut dependencies = json_packages(&value, &[("require", Need::Runtime), ("require-dev", Need::Development)]);
    // The language and its extensions are asked for in the same list.
    dependencies.retain(|one| one.name.contains('/'));
    let programs = value.get("bin").and_then(Value::as_array).into_iter().flatten();
    let entries = programs.filter_map(|path| Some(Entry::new(path.as_str()?, None))).collect();
    Ok(Manifest { layout: Layout::named(name), dependencies, entries, ..Manifest::default() })
}
