//! Answers through the server are those of the command line, at random places of programs in every language, with
//! characters of every width, tabs and both ends of lines. `CODEGRAPH_LSP_TREES` names more trees, with colons between.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::project::{Project, run_in};

/// The same program in every language.
pub(crate) fn programs() -> Vec<(String, String)> {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/src");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(languages).expect("languages").filter_map(Result::ok) {
        let Ok(fixtures) = std::fs::read_dir(folder.path().join("fixtures")) else { continue };
        for file in fixtures.filter_map(Result::ok) {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.starts_with("same.") && name.matches('.').count() == 1 {
                let language = folder.file_name().to_string_lossy().into_owned();
                let text = std::fs::read_to_string(file.path()).expect("text");
                found.push((format!("{language}/{name}"), text));
            }
        }
    }
    found.sort();
    found
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// The offsets at which words start.
fn words(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric() || c == '_';
        if word && !inside {
            starts.push(at);
        }
        inside = word;
    }
    starts
}

/// Line from 0, and the column in bytes and in UTF-16.
fn place(text: &str, at: usize) -> (usize, usize, usize) {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[..start].matches('\n').count();
    (line, at - start, text[start..at].encode_utf16().count())
}

/// An answer of the command line in the words of the protocol.
fn expected(root: &Path, data: &Value) -> Vec<Value> {
    let rows = data.as_array().expect("rows");
    let location = |row: &Value| {
        let path = root.join(row["file"].as_str().expect("a file"));
        let bytes = std::fs::read(&path).expect("it is there");
        let position = |key: &str| {
            let at = row["range"][key].as_u64().expect("an offset") as usize;
            let text = String::from_utf8_lossy(&bytes[..at]).into_owned();
            let (line, _, column) = place(&text, text.len());
            json!({"line": line, "character": column})
        };
        json!({"uri": uri(&path), "range": {"start": position("byte_start"), "end": position("byte_end")}})
    };
    rows.iter().map(location).collect()
}

fn compare(root: &Path, files: &[PathBuf], count: usize, seed: u64) -> usize {
    let mut client = Client::of(root);
    let mut numbers = Numbers(seed);
    let mut found = 0;
    for _ in 0..count {
        let path = &files[numbers.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let starts = words(&text);
        if starts.is_empty() {
            continue;
        }
        let at = starts[numbers.below(starts.len())];
        let (line, byte, column) = place(&text, at);
        let relative = path.strip_prefix(root).expect("below").to_str().expect("plain").to_owned();
        let selector = format!("{relative}:{}:{byte}", line + 1);
        let data = |command: &str| -> Value {
            let arguments = [command, &selector, "--json", "--no-update"];
            let mut all: Vec<&str> = arguments.to_vec();
            if command == "references" {
                all.extend(["--limit", "50000"]);
            }
            serde_json::from_str::<Value>(&run_in(root, &all)).expect("json")["data"].take()
        };
        let own = uri(path);
        let definition = client.at("definition", &own, line as u64, column as u64);
        let said = expected(root, &data("definition")["definitions"]);
        assert_eq!(definition.as_array(), Some(&said), "definition at {selector}");
        let references = client.at("references", &own, line as u64, column as u64);
        let used = expected(root, &data("references")["references"]);
        assert_eq!(references.as_array(), Some(&used), "references at {selector}");
        found += usize::from(!said.is_empty()) + usize::from(!used.is_empty());
    }
    found
}

#[test]
fn definitions_and_references_are_those_of_the_command_line() {
    let mut files: Vec<(String, String)> = programs();
    let wide = "def größe(x):\r\n\ts = '😀'; größe(s)\r\n\treturn s\r\n\r\n\r\ngröße('ü'); größe(1)\r\n";
    files.push(("wide/wide.py".to_owned(), wide.to_owned()));
    let given: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::new(&given);
    let paths: Vec<PathBuf> = files.iter().map(|(path, _)| project.path(path)).collect();
    assert!(paths.len() > 10, "every language is there");
    let found = compare(&project.root(), &paths, 60, 1);
    assert!(found > 20, "{found} answers had something in them");
    assert!(compare(&project.root(), &[project.path("wide/wide.py")], 12, 2) > 5);
    // Trees of others, where somebody has them.
    let trees = std::env::var("CODEGRAPH_LSP_TREES").unwrap_or_default();
    for tree in trees.split(':').filter(|tree| !tree.is_empty()) {
        let root = Path::new(tree).canonicalize().expect("a folder");
        let listed = run_in(&root, &["sql", "SELECT path FROM files", "--limit", "100000", "--json"]);
        let listed: Value = serde_json::from_str(&listed).expect("json");
        let rows = listed["data"]["rows"].as_array().expect("rows");
        let paths: Vec<PathBuf> =
            rows.iter().filter_map(|row| row["path"].as_str()).map(|path| root.join(path)).collect();
        let found = compare(&root, &paths, 350, 3);
        println!("{tree}: {found} answers of 700 had something in them, all the same");
    }
}
