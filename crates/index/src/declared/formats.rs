//! Manifests in TOML, JSON and XML: what they need and where they start.

use roxmltree::Node;
use serde_json::Value;

use super::{Found, Need};

type Parsed = Result<Found, String>;

fn table(text: &str) -> Result<toml::Table, String> {
    toml::from_str(text).map_err(|error| error.message().to_owned())
}

pub(super) fn cargo(text: &str) -> Parsed {
    let table = table(text)?;
    let mut found = Found::default();
    let kinds =
        [("dependencies", Need::Runtime), ("build-dependencies", Need::Build), ("dev-dependencies", Need::Development)];
    let mut take = |holder: &toml::Table| {
        for (key, need) in kinds {
            let crates = holder.get(key).and_then(toml::Value::as_table).into_iter().flatten();
            found.dependencies.extend(crates.filter_map(|(name, value)| cargo_crate(name, value, need)));
        }
    };
    take(&table);
    if let Some(workspace) = table.get("workspace").and_then(toml::Value::as_table) {
        take(workspace);
    }
    for target in table.get("target").and_then(toml::Value::as_table).into_iter().flatten() {
        if let Some(holder) = target.1.as_table() {
            take(holder);
        }
    }
    for program in table.get("bin").and_then(toml::Value::as_array).into_iter().flatten() {
        let text = |key| program.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        if let Some(path) = text("path") {
            found.entries.push((path, text("name")));
        }
    }
    Ok(found)
}

/// A crate that lies in the project, by its path, is none that the project depends on.
fn cargo_crate(name: &str, value: &toml::Value, need: Need) -> Option<(String, Option<String>, Need)> {
    if value.get("path").is_some() {
        return None;
    }
    let version = value.as_str().or_else(|| value.get("version")?.as_str());
    let name = value.get("package").and_then(toml::Value::as_str).unwrap_or(name);
    Some((name.to_owned(), version.map(str::to_owned), need))
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn json_packages(value: &Value, kinds: &[(&str, Need)], found: &mut Found) {
    for (key, need) in kinds {
        for (name, version) in value.get(key).and_then(Value::as_object).into_iter().flatten() {
            let version = version.as_str().map(str::to_owned);
            let inside =
                version.as_deref().is_some_and(|text| text.starts_with("workspace:") || text.starts_with("link:"));
            if !inside {
                found.dependencies.push((name.clone(), version, *need));
            }
        }
    }
}

pub(super) fn package_json(text: &str) -> Parsed {
    let value = json(text)?;
    let mut found = Found::default();
    let kinds = [
        ("dependencies", Need::Runtime),
        ("peerDependencies", Need::Runtime),
        ("optionalDependencies", Need::Runtime),
        ("devDependencies", Need::Development),
    ];
    json_packages(&value, &kinds, &mut found);
    if let Some(main) = value.get("main").and_then(Value::as_str) {
        found.entries.push((main.to_owned(), None));
    }
    let name = value.get("name").and_then(Value::as_str).map(str::to_owned);
    match value.get("bin") {
        Some(Value::String(path)) => found.entries.push((path.clone(), name)),
        Some(Value::Object(programs)) => found.entries.extend(
            programs.iter().filter_map(|(command, path)| Some((path.as_str()?.to_owned(), Some(command.clone())))),
        ),
        _ => {}
    }
    Ok(found)
}

pub(super) fn composer(text: &str) -> Parsed {
    let value = json(text)?;
    let mut found = Found::default();
    json_packages(&value, &[("require", Need::Runtime), ("require-dev", Need::Development)], &mut found);
    // The language and its extensions are asked for in the same list.
    found.dependencies.retain(|(name, ..)| name.contains('/'));
    let programs = value.get("bin").and_then(Value::as_array).into_iter().flatten();
    found.entries.extend(programs.filter_map(|path| Some((path.as_str()?.to_owned(), None))));
    Ok(found)
}

pub(super) fn pyproject(text: &str) -> Parsed {
    let table = table(text)?;
    let mut found = Found::default();
    let strings = |value: Option<&toml::Value>| -> Vec<String> {
        let items = value.and_then(toml::Value::as_array).into_iter().flatten();
        items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let mut add = |specs: Vec<String>, need| {
        found.dependencies.extend(specs.iter().filter_map(|spec| super::lines::requirement(spec, need)));
    };
    let project = table.get("project");
    add(strings(project.and_then(|project| project.get("dependencies"))), Need::Runtime);
    let extras = project.and_then(|project| project.get("optional-dependencies")).and_then(toml::Value::as_table);
    for (_, group) in extras.into_iter().flatten() {
        add(strings(Some(group)), Need::Development);
    }
    for (_, group) in table.get("dependency-groups").and_then(toml::Value::as_table).into_iter().flatten() {
        add(strings(Some(group)), Need::Development);
    }
    add(strings(table.get("build-system").and_then(|build| build.get("requires"))), Need::Build);
    poetry(&table, &mut found);
    for key in ["scripts", "gui-scripts"] {
        let scripts = project.and_then(|project| project.get(key)).and_then(toml::Value::as_table);
        let scripts = scripts.into_iter().flatten();
        found.entries.extend(scripts.filter_map(|(name, at)| Some((at.as_str()?.to_owned(), Some(name.clone())))));
    }
    Ok(found)
}

fn poetry(table: &toml::Table, found: &mut Found) {
    let Some(poetry) = table.get("tool").and_then(|tool| tool.get("poetry")) else { return };
    let mut add = |packages: Option<&toml::Value>, need| {
        for (name, value) in packages.and_then(toml::Value::as_table).into_iter().flatten() {
            let version = value.as_str().or_else(|| value.get("version")?.as_str());
            // The language itself is asked for in the same table.
            if value.get("path").is_none() && codegraph_languages::by_name(name).is_none() {
                found.dependencies.push((name.clone(), version.map(str::to_owned), need));
            }
        }
    };
    add(poetry.get("dependencies"), Need::Runtime);
    add(poetry.get("dev-dependencies"), Need::Development);
    for (_, group) in poetry.get("group").and_then(toml::Value::as_table).into_iter().flatten() {
        add(group.get("dependencies"), Need::Development);
    }
    let scripts = poetry.get("scripts").and_then(toml::Value::as_table).into_iter().flatten();
    found.entries.extend(scripts.filter_map(|(name, at)| Some((at.as_str()?.to_owned(), Some(name.clone())))));
}

fn document(text: &str) -> Result<roxmltree::Document<'_>, String> {
    roxmltree::Document::parse(text).map_err(|error| error.to_string())
}

fn child<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.children().find(|child| child.has_tag_name(name) || child.tag_name().name() == name)?.text().map(str::trim)
}

pub(super) fn maven(text: &str) -> Parsed {
    let document = document(text)?;
    let mut found = Found::default();
    let all = document.descendants().filter(|node| node.tag_name().name() == "dependency");
    for node in all {
        let (Some(group), Some(artifact)) = (child(node, "groupId"), child(node, "artifactId")) else { continue };
        let need = match child(node, "scope") {
            Some("test") => Need::Development,
            Some("provided") => Need::Build,
            _ => Need::Runtime,
        };
        let own = group.starts_with("${project.") || group.starts_with("${pom.");
        if !own {
            found.dependencies.push((format!("{group}:{artifact}"), child(node, "version").map(str::to_owned), need));
        }
    }
    Ok(found)
}

pub(super) fn msbuild(text: &str) -> Parsed {
    let document = document(text)?;
    let mut found = Found::default();
    for node in document.descendants() {
        // Another project of the solution, by the path of its file.
        if let ("ProjectReference", Some(path)) = (node.tag_name().name(), node.attribute("Include")) {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            found.dependencies.push((name.to_owned(), None, Need::Runtime));
        }
        if !matches!(node.tag_name().name(), "PackageReference" | "PackageVersion") {
            continue;
        }
        let Some(name) = node.attribute("Include").or_else(|| node.attribute("Update")) else { continue };
        let version = node.attribute("Version").or_else(|| child(node, "Version"));
        let private = node.attribute("PrivateAssets").or_else(|| child(node, "PrivateAssets"));
        let need =
            if private.is_some_and(|assets| assets.eq_ignore_ascii_case("all")) { Need::Build } else { Need::Runtime };
        found.dependencies.push((name.to_owned(), version.map(str::to_owned), need));
    }
    Ok(found)
}
