//! `pyproject.toml`, with what Poetry adds to it, `Pipfile`, and lists of requirements.

use toml::Value;

use crate::{Dependency, Entry, Layout, Manifest, Need, Parsed, toml_table};

pub(crate) fn project(text: &str) -> Parsed {
    let table = toml_table(text)?;
    let project = table.get("project");
    let poetry = table.get("tool").and_then(|tool| tool.get("poetry"));
    let name = project.and_then(|project| project.get("name")).or_else(|| poetry?.get("name"));
    let mut found =
        Manifest { layout: Layout::named(name.and_then(Value::as_str).unwrap_or_default()), ..Manifest::default() };
    let extras = groups(project.and_then(|project| project.get("optional-dependencies")));
    let groups = groups(table.get("dependency-groups"));
    let build = table.get("build-system").and_then(|build| build.get("requires"));
    found.add(project.and_then(|project| project.get("dependencies")), Need::Runtime);
    extras.chain(groups).for_each(|list| found.add(Some(list), Need::Development));
    found.add(build, Need::Build);
    if let Some(poetry) = poetry {
        found.dependencies.extend(of_poetry(poetry));
    }
    found.entries =
        scripts(poetry, "scripts").chain(scripts(project, "scripts")).chain(scripts(project, "gui-scripts")).collect();
    Ok(found)
}

/// The values of a table of groups.
fn groups(table: Option<&Value>) -> impl Iterator<Item = &Value> {
    table.and_then(Value::as_table).into_iter().flatten().map(|(_, group)| group)
}

impl Manifest {
    /// Adds a list of requirements.
    fn add(&mut self, list: Option<&Value>, need: Need) {
        let items = list.and_then(Value::as_array).into_iter().flatten();
        self.dependencies.extend(items.filter_map(|item| requirement(item.as_str()?, need)));
    }
}

fn of_poetry(poetry: &Value) -> Vec<Dependency> {
    let mut found = packages(poetry.get("dependencies"), Need::Runtime);
    found.extend(packages(poetry.get("dev-dependencies"), Need::Development));
    groups(poetry.get("group")).for_each(|group| found.extend(packages(group.get("dependencies"), Need::Development)));
    found
}

/// A table of packages, each with a version or a table that has one. What lies in the project is left out.
fn packages(table: Option<&Value>, need: Need) -> Vec<Dependency> {
    let package = |(name, value): (&String, &Value)| {
        let version = value.as_str().or_else(|| value.get("version")?.as_str());
        // The language itself is asked for in the same table.
        let is_outside = value.get("path").is_none() && codegraph_languages::by_name(name).is_none();
        is_outside.then(|| Dependency::new(name, version, need))
    };
    table.and_then(Value::as_table).into_iter().flatten().filter_map(package).collect()
}

pub(crate) fn pipfile(text: &str) -> Parsed {
    let table = toml_table(text)?;
    let mut dependencies = packages(table.get("packages"), Need::Runtime);
    dependencies.extend(packages(table.get("dev-packages"), Need::Development));
    Ok(Manifest { dependencies, ..Manifest::default() })
}

fn scripts<'a>(holder: Option<&'a Value>, key: &str) -> impl Iterator<Item = Entry> + use<'a> {
    let scripts = holder.and_then(|holder| holder.get(key)).and_then(Value::as_table).into_iter().flatten();
    scripts.filter_map(|(name, at)| Some(Entry::new(at.as_str()?, Some(name))))
}

pub(crate) fn requirements(text: &str) -> Parsed {
    let lines = text.lines().map(|line| line.split(" #").next().unwrap_or(line).trim());
    let named = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_alphanumeric()) && !line.contains("://"));
    let dependencies = named.filter_map(|line| requirement(line, Need::Runtime)).collect();
    Ok(Manifest { dependencies, ..Manifest::default() })
}

/// `name[extra] >= 1.0; marker` as a name and a version.
fn requirement(spec: &str, need: Need) -> Option<Dependency> {
    let spec = spec.split(';').next().unwrap_or(spec).trim();
    let end = spec.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(spec.len());
    let (name, rest) = spec.split_at(end);
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']').map_or("", |(_, rest)| rest),
        None => rest,
    };
    let version = rest.trim().trim_matches(['(', ')']);
    let version = Some(version).filter(|text| !text.is_empty() && !text.starts_with('@'));
    (!name.is_empty()).then(|| Dependency::new(name, version, need))
}
