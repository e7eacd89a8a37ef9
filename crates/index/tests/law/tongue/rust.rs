//! Rust: trees of modules, globs, impl blocks anywhere, `Deref`.

use super::{Style, Tongue, indent};
use crate::world::{Func, Import, Item, Kind, Module};

pub(crate) const RUST: Tongue = Tongue {
    name: "rust",
    places: &[
        "src/lib.rs", "src/alpha.rs", "src/beta.rs", "src/beta/gamma.rs", "src/beta/gamma/deep.rs", "src/part/mod.rs",
        "src/part/alpha.rs", "src/main.rs", "other/src/lib.rs", "other/src/alpha.rs",
    ],
    render,
    manifests: |variant| match variant {
        0 => vec![("Cargo.toml", "[package]\nname = \"one\"\n"), ("other/Cargo.toml", "[package]\nname = \"other\"\n")],
        1 => vec![("Cargo.toml", "[package]\nname = \"one\"\n"), ("other/Cargo.toml", "[package]\nname = \"two\"\n")],
        2 => vec![("Cargo.toml", "[package]\nname = \"another\"\n[lib]\npath = \"src/alpha.rs\"\n")],
        _ => vec![],
    },
    breaks: "fn broken( { ((\n",
};

const STYLE: Style = Style { this: "self", new: |name| format!("{name}::new()"), member: ".", path: "::", sigil: "" };

/// The names of the modules around a file, and of itself.
fn modules(path: &str) -> Vec<&str> {
    let inside = path.trim_start_matches("other/").trim_start_matches("src/").trim_end_matches(".rs");
    let mut parts: Vec<&str> = inside.split('/').collect();
    if ["mod", "lib", "main"].contains(parts.last().expect("there is one")) {
        parts.pop();
    }
    parts
}

fn krate(path: &str) -> bool {
    path.starts_with("other/")
}

fn render(path: &str, places: &[&str], module: &Module) -> String {
    let mut text = format!("//! Noise {}.\n", module.noise);
    module.imports.iter().for_each(|one| text.push_str(&import(path, places, one)));
    module.items.iter().for_each(|one| text.push_str(&item(one)));
    text
}

fn way(path: &str, target: &str, relative: bool) -> String {
    let (own, to) = (modules(path), modules(target));
    let mut parts: Vec<&str> = Vec::new();
    if krate(path) != krate(target) {
        parts.push(if krate(target) { "other" } else { "one" });
        parts.extend(to);
    } else if relative {
        let same = own.iter().zip(&to).take_while(|(a, b)| a == b).count();
        parts = if own.len() == same { vec!["self"] } else { vec!["super"; own.len() - same] };
        parts.extend(&to[same..]);
    } else {
        parts.push("crate");
        parts.extend(to);
    }
    parts.join("::")
}

fn import(path: &str, places: &[&str], import: &Import) -> String {
    let from = way(path, places[import.from], import.relative);
    let word = if import.again { "pub use" } else { "use" };
    let Import { name, alias, .. } = import;
    let alias = alias.as_ref().map_or(String::new(), |alias| format!(" as {alias}"));
    match import.kind {
        Kind::Named => format!("{word} {from}::{name}{alias};\n"),
        Kind::Star => format!("{word} {from}::*;\n"),
        Kind::Whole => format!("{word} {from}{alias};\n"),
        Kind::Default => format!("{word} {from}::{{self, {name}{alias}}};\n"),
        Kind::Part => {
            let children: Vec<&str> = children(path, places);
            match children.get(import.from % children.len().max(1)) {
                Some(child) => format!("pub mod {child};\n"),
                None => format!("{word} super::*;\n"),
            }
        }
    }
}

fn children<'p>(path: &str, places: &[&'p str]) -> Vec<&'p str> {
    let own = modules(path);
    let below = |other: &&str| krate(other) == krate(path) && modules(other).len() == own.len() + 1;
    let below = places.iter().copied().filter(below).map(modules).filter(|parts| parts.starts_with(&own));
    below.map(|parts| parts[own.len()]).collect()
}

fn item(one: &Item) -> String {
    match one {
        Item::Class { name, bases, fields, methods } => {
            let typed = fields.iter().map(|f| format!("pub {}: {},\n", f.name, f.ty.as_deref().unwrap_or("usize")));
            let typed: String = typed.collect();
            let methods: String = methods.iter().map(|one| function(one, true)).collect();
            let mut text =
                format!("pub struct {name} {{\n{}}}\nimpl {name} {{\n{}}}\n", indent(&typed), indent(&methods));
            for base in bases {
                text.push_str(&match base.as_str() {
                    "Face" | "Gate" => format!("impl {base} for {name} {{}}\n"),
                    _ => format!(
                        "impl std::ops::Deref for {name} {{\n    type Target = {base};\n    fn deref(&self) -> &{base} {{ loop {{}} }}\n}}\n"
                    ),
                });
            }
            text
        }
        Item::Face { name, bases, methods } => {
            let head = if bases.is_empty() { String::new() } else { format!(": {}", bases.join(" + ")) };
            let methods: String = methods.iter().map(|one| function(one, true)).collect();
            format!("pub trait {name}{head} {{\n{}}}\n", indent(&methods))
        }
        Item::Outside { of, face, methods } => {
            let head = face.as_ref().map_or(String::new(), |face| format!("{face} for "));
            let methods: String = methods.iter().map(|one| function(one, true)).collect();
            format!("impl {head}{of} {{\n    pub fn new() -> Self {{ loop {{}} }}\n{}}}\n", indent(&methods))
        }
        Item::Func(one) => function(one, false),
        Item::Variable(field) => {
            let ty = field.ty.as_deref().unwrap_or("Vec<Ant>");
            format!("pub static {}: {ty} = {};\n", field.name, STYLE.expr(&field.init))
        }
        Item::Inner { name, items } => {
            let items: String = items.iter().map(item).collect();
            format!("pub mod {name} {{\n    use super::*;\n{}}}\n", indent(&items))
        }
    }
}

fn function(function: &Func, method: bool) -> String {
    let mut params: Vec<String> = if method { vec!["&self".to_owned()] } else { Vec::new() };
    for (i, ty) in function.params.iter().enumerate() {
        params.push(format!("{}: {}", ["a", "b", "c"][i % 3], ty.as_deref().unwrap_or("u8")));
    }
    let returns = function.returns.as_ref().map_or(String::new(), |ty| match function.params.len() {
        2 => format!(" -> Option<{ty}>"),
        _ => format!(" -> {ty}"),
    });
    let mut body = String::new();
    for (name, expr) in &function.locals {
        body.push_str(&format!("let {name} = {};\n", STYLE.expr(expr)));
    }
    body.push_str(&format!("{}\n", STYLE.expr(&function.result)));
    format!("pub fn {}({}){returns} {{\n{}}}\n", function.name, params.join(", "), indent(&body))
}
