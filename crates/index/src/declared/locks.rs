//! Lock files: which version of each package a project really gets.

use std::collections::BTreeMap;

use serde_json::Value;

/// Versions by the name of the package.
pub(super) type Locked = BTreeMap<String, String>;

type Parse = fn(&str) -> Option<Locked>;

/// Names of lock files, whose packages they list, and how each is read.
const LOCKS: &[(&str, &str, Parse)] = &[
    ("Cargo.lock", "cargo", listed),
    ("poetry.lock", "pypi", listed),
    ("uv.lock", "pypi", listed),
    ("package-lock.json", "npm", npm),
    ("composer.lock", "composer", composer),
    ("Gemfile.lock", "gem", gems),
];

/// The registry and the reader of a lock file.
pub(super) fn lock(name: &str) -> Option<(&'static str, Parse)> {
    LOCKS.iter().find(|(own, ..)| *own == name).map(|(_, registry, parse)| (*registry, *parse))
}

/// Tables `[[package]]` with a name and a version.
fn listed(text: &str) -> Option<Locked> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let packages = table.get("package")?.as_array()?.iter();
    let pair =
        |one: &toml::Value| Some((one.get("name")?.as_str()?.to_owned(), one.get("version")?.as_str()?.to_owned()));
    Some(packages.filter_map(pair).collect())
}

fn npm(text: &str) -> Option<Locked> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut found = Locked::new();
    for (place, package) in value.get("packages").and_then(Value::as_object).into_iter().flatten() {
        // What lies deeper is another's.
        let name = place.strip_prefix("node_modules/").filter(|name| !name.contains("node_modules/"));
        if let (Some(name), Some(version)) = (name, package.get("version").and_then(Value::as_str)) {
            found.insert(name.to_owned(), version.to_owned());
        }
    }
    Some(found)
}

fn composer(text: &str) -> Option<Locked> {
    let value: Value = serde_json::from_str(text).ok()?;
    let lists = ["packages", "packages-dev"].into_iter().filter_map(|key| value.get(key)?.as_array());
    let pair = |one: &Value| Some((one.get("name")?.as_str()?.to_owned(), one.get("version")?.as_str()?.to_owned()));
    Some(lists.flatten().filter_map(pair).collect())
}

/// Lines of four spaces, a name and its version in brackets; what is deeper are wishes.
fn gems(text: &str) -> Option<Locked> {
    let pair = |line: &str| {
        let (name, version) = line.strip_prefix("    ")?.strip_suffix(')')?.split_once(" (")?;
        (!name.starts_with(' ')).then(|| (name.to_owned(), version.to_owned()))
    };
    Some(text.lines().filter_map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_lock_file_says_versions() {
        let of = |name: &str, text: &str| {
            let (registry, parse) = lock(name).expect("a lock file");
            let found = parse(text).expect("it parses");
            format!("{registry} {}", found.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(" "))
        };
        let toml =
            "version = 4\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n[[package]]\nname = \"b\"\nversion = \"2\"\n";
        assert_eq!(of("Cargo.lock", toml), "cargo a=1.2.3 b=2");
        assert_eq!(of("uv.lock", toml), "pypi a=1.2.3 b=2");
        let npm = r#"{"packages": {"": {}, "node_modules/@s/a": {"version": "1"},
            "node_modules/b/node_modules/a": {"version": "9"}}}"#;
        assert_eq!(of("package-lock.json", npm), "npm @s/a=1");
        assert_eq!(of("composer.lock", r#"{"packages": [{"name": "p/l", "version": "3"}]}"#), "composer p/l=3");
        let gems = "GEM\n  specs:\n    rack (3.0)\n      other (>= 1)\n    rake (13.1)\n";
        assert_eq!(of("Gemfile.lock", gems), "gem rack=3.0 rake=13.1");
        assert!(lock("yarn.lock").is_none() && listed("nonsense [").is_none());
    }
}
