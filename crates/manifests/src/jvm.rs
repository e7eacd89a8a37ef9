//! `pom.xml` and the build scripts of Gradle. The scripts are programs: what is written plainly is taken, line by line.

use roxmltree::{Document, Node};

use crate::{Dependency, Manifest, Need, Parsed, quoted};

pub(crate) fn maven(text: &str) -> Parsed {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let all = document.descendants().filter(|node| node.tag_name().name() == "dependency");
    let dependencies = all.filter_map(dependency).collect();
    Ok(Manifest { dependencies, publishes: coordinates(document.root_element()), ..Manifest::default() })
}

/// Group and name of what is built; the group may be that of the parent.
fn coordinates(project: Node<'_, '_>) -> Option<String> {
    let child = |of: Node<'_, '_>, name: &str| {
        let found = of.children().find(|child| child.tag_name().name() == name)?.text()?.trim().to_owned();
        Some(found).filter(|text| !text.is_empty())
    };
    let parent = || project.children().find(|child| child.tag_name().name() == "parent");
    let group = child(project, "groupId").or_else(|| child(parent()?, "groupId"))?;
    Some(format!("{group}:{}", child(project, "artifactId")?))
}

fn dependency(node: Node<'_, '_>) -> Option<Dependency> {
    let text = |name: &str| node.children().find(|child| child.tag_name().name() == name)?.text().map(str::trim);
    let (group, artifact) = (text("groupId")?, text("artifactId")?);
    let need = match text("scope") {
        Some("test") => Need::Development,
        Some("provided") => Need::Build,
        _ => Need::Runtime,
    };
    let own = group.starts_with("${project.") || group.starts_with("${pom.");
    (!own).then(|| Dependency::new(format!("{group}:{artifact}"), text("version"), need))
}

/// The words that ask for a package, each with when it is needed.
const CONFIGURATIONS: &[(&str, Need)] = &[
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

pub(crate) fn gradle(text: &str) -> Parsed {
    Ok(Manifest { dependencies: text.lines().filter_map(configured).collect(), ..Manifest::default() })
}

/// A version catalogue of Gradle: what the scripts of a build may ask for by short names.
pub(crate) fn catalogue(text: &str) -> Parsed {
    let table = crate::toml_table(text)?;
    let versions = table.get("versions").and_then(toml::Value::as_table);
    let libraries = table.get("libraries").and_then(toml::Value::as_table);
    let one = |library: &toml::Value| {
        let text = |key: &str| library.get(key).and_then(toml::Value::as_str);
        let (module, plain) = match (library.as_str(), text("module"), text("group"), text("name")) {
            (Some(plain), ..) => {
                let mut parts = plain.splitn(3, ':');
                (format!("{}:{}", parts.next()?, parts.next()?), parts.next())
            }
            (_, Some(module), ..) => (module.to_owned(), None),
            (_, _, Some(group), Some(name)) => (format!("{group}:{name}"), None),
            _ => return None,
        };
        let named = |name: &str| versions?.get(name)?.as_str();
        let version = library.get("version");
        let by_name = || named(version?.get("ref")?.as_str()?);
        let version = plain.or_else(|| version?.as_str()).or_else(by_name);
        Some(Dependency::new(module, version, Need::Runtime))
    };
    let dependencies = libraries.into_iter().flat_map(|libraries| libraries.values()).filter_map(one).collect();
    Ok(Manifest { dependencies, ..Manifest::default() })
}

fn configured(line: &str) -> Option<Dependency> {
    let line = line.trim();
    let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(line);
    let (_, need) = CONFIGURATIONS.iter().find(|(own, _)| *own == word)?;
    // What begins with a colon is a part of the same build.
    let coordinates = quoted(&line[word.len()..]).filter(|text| !text.starts_with(':'))?;
    let mut parts = coordinates.splitn(3, ':');
    let (group, artifact) = (parts.next()?, parts.next()?);
    Some(Dependency::new(format!("{group}:{artifact}"), parts.next(), *need))
}
