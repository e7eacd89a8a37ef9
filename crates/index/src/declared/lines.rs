//! Manifests that are programs or lists: read line by line, taking what is written plainly.

use super::{Found, Need};

type Parsed = Result<Found, String>;

pub(super) fn requirements(text: &str) -> Parsed {
    let mut found = Found::default();
    let lines = text.lines().map(|line| line.split(" #").next().unwrap_or(line).trim());
    let named = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_alphanumeric()) && !line.contains("://"));
    found.dependencies.extend(named.filter_map(|line| requirement(line, Need::Runtime)));
    Ok(found)
}

/// `name[extra] >= 1.0; marker` as a name and a version.
pub(super) fn requirement(spec: &str, need: Need) -> Option<(String, Option<String>, Need)> {
    let spec = spec.split(';').next().unwrap_or(spec).trim();
    let end = spec.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(spec.len());
    let (name, rest) = spec.split_at(end);
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']').map_or("", |(_, rest)| rest),
        None => rest,
    };
    let version = rest.trim().trim_matches(['(', ')']).to_owned();
    let version = Some(version).filter(|text| !text.is_empty() && !text.starts_with('@'));
    (!name.is_empty()).then(|| (name.to_owned(), version, need))
}

pub(super) fn go(text: &str) -> Parsed {
    let mut found = Found::default();
    let mut inside = false;
    for line in text.lines() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let words: Vec<&str> = code.split_whitespace().collect();
        let module = match words.as_slice() {
            ["require", "("] => {
                inside = true;
                continue;
            }
            [")"] => {
                inside = false;
                continue;
            }
            ["require", module, version] => Some((module, version)),
            [module, version] if inside => Some((module, version)),
            _ => None,
        };
        // What only others need is not the project's own choice.
        if let Some((module, version)) = module.filter(|_| comment.trim() != "indirect") {
            found.dependencies.push(((*module).to_owned(), Some((*version).to_owned()), Need::Runtime));
        }
    }
    Ok(found)
}

/// The words that ask for a package, each configuration with its need by how it begins.
const GRADLE: &[(&str, Need)] = &[
    ("testImplementation", Need::Development),
    ("testRuntimeOnly", Need::Development),
    ("testCompileOnly", Need::Development),
    ("testApi", Need::Development),
    ("testCompile", Need::Development),
    ("androidTestImplementation", Need::Development),
    ("annotationProcessor", Need::Build),
    ("kapt", Need::Build),
    ("ksp", Need::Build),
    ("compileOnly", Need::Build),
    ("implementation", Need::Runtime),
    ("api", Need::Runtime),
    ("compile", Need::Runtime),
    ("runtimeOnly", Need::Runtime),
];

pub(super) fn gradle(text: &str) -> Parsed {
    let mut found = Found::default();
    for line in text.lines().map(str::trim) {
        let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(line);
        let Some((_, need)) = GRADLE.iter().find(|(own, _)| *own == word) else { continue };
        let Some(coordinates) = quoted(&line[word.len()..]).filter(|text| !text.starts_with(':')) else { continue };
        let mut parts = coordinates.splitn(3, ':');
        if let (Some(group), Some(artifact)) = (parts.next(), parts.next()) {
            found.dependencies.push((format!("{group}:{artifact}"), parts.next().map(str::to_owned), *need));
        }
    }
    Ok(found)
}

pub(super) fn gems(text: &str) -> Parsed {
    let mut found = Found::default();
    let mut groups: Vec<bool> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("group ") && line.ends_with("do") {
            groups.push(line.contains(":development") || line.contains(":test"));
        } else if line == "end" {
            groups.pop();
        }
        let call = line.split(['(', ' ']).next().unwrap_or(line);
        let method = call.rsplit('.').next().unwrap_or(call);
        let need = match method {
            "gem" if groups.contains(&true) => Need::Development,
            "gem" | "add_dependency" | "add_runtime_dependency" => Need::Runtime,
            "add_development_dependency" => Need::Development,
            _ => continue,
        };
        let rest = &line[call.len()..];
        let Some(name) = quoted(rest) else { continue };
        let after = rest.split_once(name).map_or("", |(_, after)| after);
        let version = after.split(',').nth(1).and_then(|part| quoted(part)).filter(|_| !after.contains("path:"));
        if !after.contains("path:") {
            found.dependencies.push((name.to_owned(), version.map(str::to_owned), need));
        }
    }
    Ok(found)
}

pub(super) fn cmake(text: &str) -> Parsed {
    let mut found = Found::default();
    let code: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or(line)).collect();
    let code = code.join("\n");
    for (at, _) in code.match_indices('(') {
        let before = code[..at].trim_end();
        let command = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or(before);
        let arguments = code[at + 1..].split(')').next().unwrap_or_default();
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let (name, version) = match (command.to_ascii_lowercase().as_str(), words.as_slice()) {
            ("find_package" | "find_dependency", [name, rest @ ..]) => {
                (name, rest.first().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())))
            }
            ("fetchcontent_declare" | "externalproject_add", [name, ..]) => (name, None),
            ("pkg_check_modules" | "pkg_search_module", [_, rest @ ..]) => {
                match rest.iter().find(|word| !matches!(**word, "REQUIRED" | "QUIET" | "IMPORTED_TARGET" | "GLOBAL")) {
                    Some(name) => (name, None),
                    None => continue,
                }
            }
            _ => continue,
        };
        if !name.contains("${") {
            found.dependencies.push(((*name).to_owned(), version.map(|word| (*word).to_owned()), Need::Runtime));
        }
    }
    Ok(found)
}

/// The first text in quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['"', '\''])?;
    let mark = text[start..].chars().next()?;
    text[start + 1..].split(mark).next().filter(|inside| !inside.is_empty())
}
