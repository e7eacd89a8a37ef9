//! `package.json`, and the configurations of compilers beside it.

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;

use crate::{Entry, Layout, Manifest, Mapping, Need, Parsed, PathsNote, json, json_packages};

pub(crate) fn package(text: &str) -> Parsed {
    let value = json(text)?;
    let kinds = [
        ("dependencies", Need::Runtime),
        ("peerDependencies", Need::Runtime),
        ("optionalDependencies", Need::Runtime),
        ("devDependencies", Need::Development),
    ];
    let dependencies = json_packages(&value, &kinds);
    Ok(Manifest { layout: layout(&value), dependencies, entries: programs(&value), ..Manifest::default() })
}

fn layout(value: &Value) -> Layout {
    let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut exports = value.get("exports").map_or(Vec::new(), |exports| mappings(exports, "."));
    let fields = ["source", "types", "typings", "module", "browser", "main"];
    let main: Vec<String> = fields.iter().filter_map(|key| Some(value.get(key)?.as_str()?.to_owned())).collect();
    match exports.iter_mut().find(|(key, _)| key == ".") {
        Some((_, places)) => places.extend(main),
        None if !main.is_empty() => exports.push((".".to_owned(), main)),
        None => {}
    }
    let imports = value.get("imports").map_or(Vec::new(), |imports| mappings(imports, "#"));
    Layout { exports, imports, ..Layout::named(name) }
}

fn programs(value: &Value) -> Vec<Entry> {
    let main = value.get("main").and_then(Value::as_str).map(|main| Entry::new(main, None));
    let mut entries = Vec::from_iter(main);
    match value.get("bin") {
        Some(Value::String(path)) => entries.push(Entry::new(path, value.get("name").and_then(Value::as_str))),
        Some(Value::Object(programs)) => {
            let entry = |(command, path): (&String, &Value)| Some(Entry::new(path.as_str()?, Some(command)));
            entries.extend(programs.iter().filter_map(entry));
        }
        _ => {}
    }
    entries
}

/// Entry points: one place for `.`, or places by keys that begin with `mark`, each behind any conditions.
fn mappings(value: &Value, mark: &str) -> Vec<Mapping> {
    let keys = value.as_object().filter(|object| object.keys().any(|key| key.starts_with(mark)));
    match keys {
        Some(object) => object.iter().map(|(key, value)| (key.clone(), places(value))).collect(),
        None => vec![(".".to_owned(), places(value))],
    }
}

/// All places behind conditions, in the order of the conditions' names.
fn places(value: &Value) -> Vec<String> {
    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(place) if !found.contains(place) => found.push(place.clone()),
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(conditions) => conditions.values().for_each(|value| collect(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

/// `tsconfig.json` and its like: JSON with comments and with commas before closing brackets.
pub(crate) fn compiler(text: &str) -> Parsed {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    };
    let value: Value = parse_to_serde_value(text, &options).map_err(|error| error.to_string())?;
    let compiler = value.get("compilerOptions");
    let option = |key: &str| compiler.and_then(|options| options.get(key));
    let mapped = option("paths").and_then(Value::as_object).into_iter().flatten();
    let note = PathsNote {
        base: option("baseUrl").and_then(Value::as_str).map(str::to_owned),
        mappings: mapped.map(|(pattern, value)| (pattern.clone(), places(value))).collect(),
        extends: value.get("extends").map_or(Vec::new(), places),
    };
    let paths = (note != PathsNote::default()).then_some(note);
    Ok(Manifest { layout: Layout { paths, ..Layout::default() }, ..Manifest::default() })
}
