//! What manifests say about the names of the packages and modules below them.

use serde::{Deserialize, Serialize};

use crate::project::parent;

/// The part of a manifest that names depend on. The index keeps it as JSON, so that a change elsewhere in the
/// manifest costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Manifest {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// The folder of the library's root file, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// Root files in unusual places: (path from the manifest, module below the package; empty for the package itself).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) roots: Vec<(String, String)>,
}

type Parse = fn(&str) -> Option<Manifest>;

/// File names of manifests and how each is read.
const MANIFESTS: &[(&str, Parse)] = &[
    ("Cargo.toml", cargo),
    ("go.mod", go),
    ("package.json", json_name),
    ("composer.json", json_name),
    ("pyproject.toml", pyproject),
];

pub(crate) fn is_manifest(path: &str) -> bool {
    parser(path).is_some()
}

fn parser(path: &str) -> Option<Parse> {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.iter().find(|(own, _)| *own == name).map(|(_, parse)| *parse)
}

impl Manifest {
    /// Reads a manifest. One that is broken or says nothing about names is like an empty one.
    pub(crate) fn parse(path: &str, text: &[u8]) -> Manifest {
        let text = std::str::from_utf8(text).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        parser(path).and_then(|parse| parse(text)).unwrap_or_default()
    }

    pub(crate) fn to_note(&self) -> String {
        serde_json::to_string(self).expect("a manifest is always valid JSON")
    }

    pub(crate) fn from_note(note: &str) -> Manifest {
        serde_json::from_str(note).unwrap_or_default()
    }
}

fn cargo(text: &str) -> Option<Manifest> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let package = table.get("package")?.as_table()?;
    let name = package.get("name")?.as_str()?;
    let library = table.get("lib").and_then(|lib| lib.as_table());
    let of_library = |key| library.and_then(|lib| lib.get(key)).and_then(|value| value.as_str());
    let mut manifest = Manifest { name: of_library("name").unwrap_or(name).replace('-', "_"), ..Manifest::default() };
    if let Some(path) = of_library("path") {
        manifest.roots.push((path.to_owned(), String::new()));
        manifest.source = Some(parent(path).to_owned());
    }
    for (key, folder) in [("bin", "bin"), ("test", "tests"), ("example", "examples"), ("bench", "benches")] {
        let targets = table.get(key).and_then(|targets| targets.as_array()).into_iter().flatten();
        manifest.roots.extend(targets.filter_map(|target| {
            let path = target.get("path")?.as_str()?;
            let name = target.get("name")?.as_str()?.replace('-', "_");
            // What lies in the usual place gets the usual name.
            (!path.starts_with(folder) && !path.starts_with("src/"))
                .then(|| (path.to_owned(), format!("{folder}/{name}")))
        }));
    }
    Some(manifest)
}

fn go(text: &str) -> Option<Manifest> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line).trim());
    let path = lines.into_iter().find_map(|line| line.strip_prefix("module")?.strip_prefix([' ', '\t']))?;
    Some(Manifest { name: path.trim().trim_matches(['"', '`']).to_owned(), ..Manifest::default() })
}

fn json_name(text: &str) -> Option<Manifest> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(Manifest { name: value.get("name")?.as_str()?.to_owned(), ..Manifest::default() })
}

fn pyproject(text: &str) -> Option<Manifest> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let poetry = || table.get("tool")?.get("poetry")?.get("name");
    let name = table.get("project").and_then(|project| project.get("name")).or_else(poetry)?;
    Some(Manifest { name: name.as_str()?.to_owned(), ..Manifest::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_each_kind_of_manifest() {
        let name = |path: &str, text: &str| Manifest::parse(path, text.as_bytes()).name;
        assert_eq!(name("a/Cargo.toml", "[package]\nname = \"my-crate\"\n"), "my_crate");
        assert_eq!(name("Cargo.toml", "[package]\nname = \"my-crate\"\n[lib]\nname = \"other\"\n"), "other");
        assert_eq!(name("Cargo.toml", "[workspace]\nmembers = []\n"), "");
        assert_eq!(name("go.mod", "// c\nmodule example.com/m // x\n\ngo 1.22\n"), "example.com/m");
        assert_eq!(name("package.json", "{\"name\": \"@scope/pkg\"}"), "@scope/pkg");
        assert_eq!(name("pyproject.toml", "[project]\nname = \"dist\"\n"), "dist");
        assert_eq!(name("pyproject.toml", "[tool.poetry]\nname = \"dist\"\n"), "dist");
        assert_eq!(name("package.json", "{ not json"), "");
    }

    #[test]
    fn a_note_gives_the_manifest_back() {
        let text = "[package]\nname = \"x\"\n[lib]\npath = \"lib/x.rs\"\n[[bin]]\nname = \"t\"\npath = \"tool/t.rs\"\n";
        let manifest = Manifest::parse("Cargo.toml", text.as_bytes());
        assert_eq!(manifest.roots.len(), 2);
        assert_eq!(Manifest::from_note(&manifest.to_note()), manifest);
    }
}
