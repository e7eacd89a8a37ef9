//! Lock files: which version of each package a project really gets.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{json, toml_table};

/// Versions by the name of the package.
pub type Locked = BTreeMap<String, String>;

/// A kind of lock file.
#[derive(Debug)]
pub struct Lock {
    file: &'static str,
    /// Where its packages are published, by the word that package addresses have for it.
    pub registry: &'static str,
    parse: fn(&str) -> Result<Locked, String>,
}

const LOCKS: &[Lock] = &[
    Lock { file: "Cargo.lock", registry: "cargo", parse: listed },
    Lock { file: "poetry.lock", registry: "pypi", parse: listed },
    Lock { file: "uv.lock", registry: "pypi", parse: listed },
    Lock { file: "package-lock.json", registry: "npm", parse: node },
    Lock { file: "composer.lock", registry: "composer", parse: composer },
    Lock { file: "Gemfile.lock", registry: "gem", parse: gems },
];

/// How the lock file at a path is read; none if it is not one.
pub fn lock(path: &str) -> Option<&'static Lock> {
    let name = path.rsplit('/').next().unwrap_or(path);
    LOCKS.iter().find(|lock| lock.file == name)
}

impl Lock {
    /// The versions that a text names, or what is wrong with it.
    pub fn read(&self, text: &[u8]) -> Result<Locked, String> {
        (self.parse)(&String::from_utf8_lossy(text))
    }
}

/// Tables `[[package]]` with a name and a version.
fn listed(text: &str) -> Result<Locked, String> {
    let table = toml_table(text)?;
    let packages = table.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let pair =
        |one: &toml::Value| Some((one.get("name")?.as_str()?.to_owned(), one.get("version")?.as_str()?.to_owned()));
    Ok(packages.filter_map(pair).collect())
}

fn node(text: &str) -> Result<Locked, String> {
    let value = json(text)?;
    let mut found = Locked::new();
    for (place, package) in value.get("packages").and_then(Value::as_object).into_iter().flatten() {
        // What lies deeper is another's.
        let name = place.strip_prefix("node_modules/").filter(|name| !name.contains("node_modules/"));
        if let (Some(name), Some(version)) = (name, package.get("version").and_then(Value::as_str)) {
            found.insert(name.to_owned(), version.to_owned());
        }
    }
    Ok(found)
}

fn composer(text: &str) -> Result<Locked, String> {
    let value = json(text)?;
    let lists = ["packages", "packages-dev"].into_iter().filter_map(|key| value.get(key)?.as_array());
    let pair = |one: &Value| Some((one.get("name")?.as_str()?.to_owned(), one.get("version")?.as_str()?.to_owned()));
    Ok(lists.flatten().filter_map(pair).collect())
}

/// Lines of four spaces, a name and its version in brackets; what is deeper are wishes.
fn gems(text: &str) -> Result<Locked, String> {
    let pair = |line: &str| {
        let (name, version) = line.strip_prefix("    ")?.strip_suffix(')')?.split_once(" (")?;
        (!name.starts_with(' ')).then(|| (name.to_owned(), version.to_owned()))
    };
    Ok(text.lines().filter_map(pair).collect())
}
