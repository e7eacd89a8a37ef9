//! `pom.xml` and the build scripts of Gradle. The scripts are programs: what is written plainly is taken, line by line.

use roxmltree::{Document, Node};

use crate::{Dependency, Manifest, Need, Parsed, quoted};

pub(crate) fn maven(text: &str) -> Parsed {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let all = document.descendants().filter(|node| node.tag_name().name() == "dependency");
    Ok(Manifest { dependencies: all.filter_map(dependency).collect(), ..Manifest::default() })
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
