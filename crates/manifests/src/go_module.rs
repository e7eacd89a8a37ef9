//! `go.mod`.

use crate::{Dependency, Layout, Manifest, Need, Parsed};

pub(crate) fn manifest(text: &str) -> Parsed {
    let mut found = Manifest::default();
    let mut inside = false;
    for line in text.lines() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let words: Vec<&str> = code.split_whitespace().collect();
        let required = match words.as_slice() {
            ["module", path, ..] if found.layout.name.is_empty() => {
                found.layout = Layout::named(path.trim_matches(['"', '`']));
                None
            }
            ["require", "("] => {
                inside = true;
                None
            }
            [")"] => {
                inside = false;
                None
            }
            ["require", module, version] => Some((*module, *version)),
            [module, version] if inside => Some((*module, *version)),
            _ => None,
        };
        // What only others need is not the project's own choice.
        if let Some((module, version)) = required.filter(|_| comment.trim() != "indirect") {
            found.dependencies.push(Dependency::new(module, Some(version), Need::Runtime));
        }
    }
    Ok(found)
}
