//! Projects of MSBuild, and what several of them have in common.

use roxmltree::{Document, Node};

use crate::{Dependency, Layout, Manifest, Need, Parsed};

pub(crate) fn project(text: &str) -> Parsed {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let mut found = Manifest::default();
    for node in document.descendants() {
        match node.tag_name().name() {
            "ProjectReference" => found.dependencies.extend(neighbour(node)),
            "PackageReference" | "PackageVersion" => found.dependencies.extend(package(node)),
            "Using" => add_usings(node, &mut found.layout),
            "PackageId" | "AssemblyName" => {
                let name = node.text().map(str::trim).filter(|name| !name.is_empty() && !name.contains('$'));
                if node.tag_name().name() == "PackageId" || found.publishes.is_none() {
                    found.publishes = name.map(str::to_owned).or(found.publishes);
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Another project of the solution, by the path of its file.
fn neighbour(node: Node<'_, '_>) -> Option<Dependency> {
    let path = node.attribute("Include")?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    Some(Dependency::new(name, None, Need::Runtime))
}

fn package(node: Node<'_, '_>) -> Option<Dependency> {
    let name = node.attribute("Include").or_else(|| node.attribute("Update"))?;
    let is_private = said(node, "PrivateAssets").is_some_and(|assets| assets.eq_ignore_ascii_case("all"));
    let need = if is_private { Need::Build } else { Need::Runtime };
    Some(Dependency::new(name, said(node, "Version"), need))
}

/// An attribute, or a child of that name.
fn said<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let child = || node.children().find(|child| child.tag_name().name() == name)?.text().map(str::trim);
    node.attribute(name).or_else(child)
}

/// `<Using Include="A.B;A.C" Alias="D" Static="true" />`: what all files of the build import.
fn add_usings(node: Node<'_, '_>, layout: &mut Layout) {
    let value = |key| node.attribute(key).map_or("", str::trim);
    let members = value("Static").eq_ignore_ascii_case("true");
    for path in value("Include").split(';').map(str::trim).filter(|path| !path.is_empty()) {
        layout.usings.push((path.to_owned(), value("Alias").to_owned(), members));
    }
}
