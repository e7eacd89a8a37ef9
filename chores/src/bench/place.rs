//! Where tables go in a document: between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.

use std::path::Path;

use anyhow::{Context, Result, bail};

/// Puts each part between its markers. A file that does not exist yet gets all parts.
pub(super) fn put(file: &Path, parts: &[(&str, String)]) -> Result<()> {
    let old = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => empty(parts),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    let mut text = old.clone();
    for (name, part) in parts {
        text = replace(&text, name, part).unwrap_or(text);
    }
    if !parts.iter().any(|(name, _)| old.contains(&opening(name))) {
        bail!("{} has no place for the tables: add {}", file.display(), opening(parts[0].0));
    }
    std::fs::write(file, text).with_context(|| file.display().to_string())
}

/// What stands between the markers of a part; nothing if the file or the part is not there.
pub(super) fn part(file: &Path, name: &str) -> Result<String> {
    let text = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        text => text.with_context(|| file.display().to_string())?,
    };
    let after = text.split_once(&opening(name)).map_or("", |(_, after)| after);
    Ok(after.split_once(&closing(name)).map_or("", |(part, _)| part).trim().to_owned())
}

fn opening(name: &str) -> String {
    format!("<!-- bench:{name} -->\n")
}

fn closing(name: &str) -> String {
    format!("<!-- /bench:{name} -->")
}

fn empty(parts: &[(&str, String)]) -> String {
    let places = parts.iter().map(|(name, _)| format!("\n{}{}\n", opening(name), closing(name)));
    format!("# Benchmarks\n{}", places.collect::<String>())
}

/// The text with a new part; `None` if it has no place for it.
fn replace(text: &str, name: &str, part: &str) -> Option<String> {
    let start = text.find(&opening(name))? + opening(name).len();
    let end = start + text[start..].find(&closing(name))?;
    Some(format!("{}\n{}\n\n{}", &text[..start], part.trim_end(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_replaces_what_was_between_its_markers() {
        let text = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n";
        let once = replace(text, "x", "new\n").expect("it has a place");
        assert_eq!(once, "a\n<!-- bench:x -->\n\nnew\n\n<!-- /bench:x -->\nb\n");
        assert_eq!(replace(&once, "x", "new").as_deref(), Some(once.as_str()));
        assert_eq!(replace(text, "y", "new"), None);
    }
}
