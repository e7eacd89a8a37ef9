//! What manifests say about the names of the packages and modules below them, and about the places of modules.

use codegraph_resolve::Mapping;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parent;

/// The part of a manifest that names and links depend on. The index keeps it as JSON, so that a change elsewhere in the
/// manifest costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The folder of the library's root file, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Root files in unusual places: (path from the manifest, module below the package; empty for the package itself).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<(String, String)>,
    /// Entry points of the package, by what an importer writes; `.` is the package itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<Mapping>,
    /// The same for names that only the package itself may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<Mapping>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<PathsNote>,
    /// What all files of a build import: path, alias, whether the members of a type are meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub usings: Vec<(String, String, bool)>,
}

/// What a compiler's configuration says about paths, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PathsNote {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<Mapping>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extends: Vec<String>,
}

type Parse = fn(&str) -> Option<Manifest>;

/// File names of manifests and how each is read.
const MANIFESTS: &[(&str, Parse)] = &[
    ("Cargo.toml", cargo),
    ("go.mod", go),
    ("package.json", package_json),
    ("composer.json", json_name),
    ("pyproject.toml", pyproject),
    ("Directory.Build.props", usings),
    ("Directory.Build.targets", usings),
];

/// The end of the names of files that describe a build of the folder that they are in.
pub(crate) const BUILD_FILE: &str = ".csproj";

pub fn is_manifest(path: &str) -> bool {
    parser(path).is_some()
}

/// The manifest of the package that a compiler's configuration stands in.
pub fn manifest_beside(path: &str) -> Option<String> {
    let folder = path.strip_suffix("tsconfig.json")?;
    (folder.is_empty() || folder.ends_with('/')).then(|| format!("{folder}package.json"))
}

fn parser(path: &str) -> Option<Parse> {
    let name = path.rsplit('/').next().unwrap_or(path);
    // Configurations extend each other: `tsconfig.base.json`.
    if name.ends_with(".json") && (name.starts_with("tsconfig") || name == "jsconfig.json") {
        return Some(compiler_paths);
    }
    if name.ends_with(BUILD_FILE) {
        return Some(usings);
    }
    MANIFESTS.iter().find(|(own, _)| *own == name).map(|(_, parse)| *parse)
}

impl Manifest {
    /// Reads a manifest. One that is broken or says nothing about names is like an empty one.
    pub fn parse(path: &str, text: &[u8]) -> Manifest {
        let text = std::str::from_utf8(text).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        parser(path).and_then(|parse| parse(text)).unwrap_or_default()
    }

    pub fn to_note(&self) -> String {
        serde_json::to_string(self).expect("a manifest is always valid JSON")
    }

    pub fn from_note(note: &str) -> Manifest {
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

fn package_json(text: &str) -> Option<Manifest> {
    let value: Value = serde_json::from_str(text).ok()?;
    let name = value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut exports = value.get("exports").map_or(Vec::new(), |exports| entries(exports, "."));
    let fields = ["source", "types", "typings", "module", "browser", "main"];
    let main: Vec<String> = fields.iter().filter_map(|key| Some(value.get(key)?.as_str()?.to_owned())).collect();
    match exports.iter_mut().find(|(key, _)| key == ".") {
        Some((_, places)) => places.extend(main),
        None if !main.is_empty() => exports.push((".".to_owned(), main)),
        None => {}
    }
    let imports = value.get("imports").map_or(Vec::new(), |imports| entries(imports, "#"));
    Some(Manifest { name, exports, imports, ..Manifest::default() })
}

/// Entry points: one place for `.`, or places by keys that begin with `mark`, each behind any conditions.
fn entries(value: &Value, mark: &str) -> Vec<Mapping> {
    let keys = value.as_object().filter(|object| object.keys().any(|key| key.starts_with(mark)));
    let entry = |key: &str, value: &Value| {
        let mut places = Vec::new();
        leaves(value, &mut places);
        (key.to_owned(), places)
    };
    match keys {
        Some(object) => object.iter().map(|(key, value)| entry(key, value)).collect(),
        None => vec![entry(".", value)],
    }
}

/// All places behind conditions, in the order of the conditions' names.
fn leaves(value: &Value, places: &mut Vec<String>) {
    match value {
        Value::String(place) if !places.contains(place) => places.push(place.clone()),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, places)),
        Value::Object(conditions) => conditions.values().for_each(|value| leaves(value, places)),
        _ => {}
    }
}

fn compiler_paths(text: &str) -> Option<Manifest> {
    let value: Value = serde_json::from_str(&without_comments(text)).ok()?;
    let options = value.get("compilerOptions");
    let option = |key: &str| options.and_then(|options| options.get(key));
    let strings = |value: &Value| -> Vec<String> {
        let mut found = Vec::new();
        leaves(value, &mut found);
        found
    };
    let mappings = option("paths").and_then(Value::as_object).into_iter().flatten();
    let note = PathsNote {
        base: option("baseUrl").and_then(Value::as_str).map(str::to_owned),
        mappings: mappings.map(|(pattern, places)| (pattern.clone(), strings(places))).collect(),
        extends: value.get("extends").map_or(Vec::new(), strings),
    };
    let paths = (note != PathsNote::default()).then_some(note);
    Some(Manifest { paths, ..Manifest::default() })
}

/// JSON without the comments and the commas before closing brackets that configurations may have.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let len = match next {
            '"' => string_length(rest),
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = &rest[rest.find("*/").map_or(rest.len(), |end| end + 2)..];
                continue;
            }
            '}' | ']' => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
                1
            }
            other => other.len_utf8(),
        };
        out.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    out
}

/// The length of the string literal that a text begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

fn json_name(text: &str) -> Option<Manifest> {
    let value: Value = serde_json::from_str(text).ok()?;
    Some(Manifest { name: value.get("name")?.as_str()?.to_owned(), ..Manifest::default() })
}

fn pyproject(text: &str) -> Option<Manifest> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let poetry = || table.get("tool")?.get("poetry")?.get("name");
    let name = table.get("project").and_then(|project| project.get("name")).or_else(poetry)?;
    Some(Manifest { name: name.as_str()?.to_owned(), ..Manifest::default() })
}

/// `<Using Include="A.B" Alias="C" Static="true" />` in a description of a build.
fn usings(text: &str) -> Option<Manifest> {
    let mut usings = Vec::new();
    for tag in text.split("<Using").skip(1).filter(|tag| tag.starts_with(|c: char| c.is_ascii_whitespace())) {
        let tag = tag.split('>').next().unwrap_or(tag);
        let value = |key: &str| {
            let mut rest = tag;
            while let Some((before, after)) = rest.split_once(key) {
                let quoted = after.trim_start().strip_prefix('=').map(str::trim_start);
                if before.ends_with(|c: char| c.is_ascii_whitespace())
                    && let Some(quoted) = quoted
                    && let Some(quote) = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))
                {
                    return quoted[1..].split(quote).next().map(str::trim);
                }
                rest = after;
            }
            None
        };
        let members = value("Static").is_some_and(|is| is.eq_ignore_ascii_case("true"));
        for path in value("Include").unwrap_or_default().split(';').map(str::trim).filter(|path| !path.is_empty()) {
            usings.push((path.to_owned(), value("Alias").unwrap_or_default().to_owned(), members));
        }
    }
    Some(Manifest { usings, ..Manifest::default() })
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
    fn a_build_says_what_all_its_files_import() {
        let text = "<Project>\n <ItemGroup>\n  <Using Include=\"A.B\" />\n  <Using Include='A.C' Static = 'True'/>\n  \
                    <Using Alias=\"X\" Include=\"A.D\"></Using>\n  <Using Remove=\"System\" />\n <UsingTask/></ItemGroup>";
        let found = Manifest::parse("src/App.csproj", text.as_bytes()).usings;
        let wanted = [("A.B", "", false), ("A.C", "", true), ("A.D", "X", false)];
        assert_eq!(found, wanted.map(|(path, alias, members)| (path.to_owned(), alias.to_owned(), members)));
    }

    #[test]
    fn a_note_gives_the_manifest_back() {
        let text = "[package]\nname = \"x\"\n[lib]\npath = \"lib/x.rs\"\n[[bin]]\nname = \"t\"\npath = \"tool/t.rs\"\n";
        let manifest = Manifest::parse("Cargo.toml", text.as_bytes());
        assert_eq!(manifest.roots.len(), 2);
        assert_eq!(Manifest::from_note(&manifest.to_note()), manifest);
    }
}
