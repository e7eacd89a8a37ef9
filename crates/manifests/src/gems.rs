//! `Gemfile` and gem specifications: programs, of which is taken what is written plainly, line by line.

use crate::{Dependency, Manifest, Need, Parsed, quoted};

pub(crate) fn gems(text: &str) -> Parsed {
    let mut found = Manifest::default();
    // Whether each group around is for those who work on the project.
    let mut groups: Vec<bool> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("group ") && line.ends_with("do") {
            groups.push(line.contains(":development") || line.contains(":test"));
        } else if line == "end" {
            groups.pop();
        }
        found.dependencies.extend(gem(line, groups.contains(&true)));
        if found.publishes.is_none() {
            found.publishes = own_name(line);
        }
    }
    Ok(found)
}

/// `spec.name = "…"` of a specification.
fn own_name(line: &str) -> Option<String> {
    let (left, right) = line.split_once('=')?;
    let is_name = left.trim_end().strip_suffix(".name").is_some_and(|of| !of.contains([' ', '.', '(']));
    quoted(right).filter(|_| is_name && right.trim_start().starts_with(['"', '\''])).map(str::to_owned)
}

fn gem(line: &str, for_development: bool) -> Option<Dependency> {
    let call = line.split(['(', ' ']).next().unwrap_or(line);
    let need = match call.rsplit('.').next().unwrap_or(call) {
        "gem" if for_development => Need::Development,
        "gem" | "add_dependency" | "add_runtime_dependency" => Need::Runtime,
        "add_development_dependency" => Need::Development,
        _ => return None,
    };
    let rest = &line[call.len()..];
    let name = quoted(rest)?;
    let after = rest.split_once(name).map_or("", |(_, after)| after);
    // What lies in the project is none that it depends on.
    if after.contains("path:") {
        return None;
    }
    Some(Dependency::new(name, after.split(',').nth(1).and_then(quoted), need))
}
