//! Python: packages with and without `__init__.py`, relative imports, imports of everything.

use super::{Style, Tongue, folder, indent};
use crate::world::{Field, Func, Import, Item, Kind, Module};

pub(crate) const PYTHON: Tongue = Tongue {
    name: "python",
    places: &[
        "alpha.py", "beta.py", "pkg/__init__.py", "pkg/alpha.py", "pkg/gamma.py", "pkg/sub/__init__.py",
        "pkg/sub/beta.py", "pkg/sub/gamma.py", "other/delta.py", "src/tool/main.py",
    ],
    render,
    manifests: |variant| match variant {
        1 => vec![("pyproject.toml", "[project]\nname = \"one\"\n")],
        2 => vec![("pyproject.toml", "[project]\nname = \"two\"\n")],
        _ => vec![],
    },
    breaks: "def broken(:\n    (((\n",
};

const STYLE: Style = Style { this: "self", new: |name| format!("{name}()"), member: ".", path: ".", sigil: "" };

fn render(path: &str, places: &[&str], module: &Module) -> String {
    let mut text = format!("# Noise {}.\n", module.noise);
    module.imports.iter().for_each(|one| text.push_str(&import(path, places, one)));
    module.items.iter().for_each(|one| text.push_str(&item(one)));
    text
}

fn import(path: &str, places: &[&str], import: &Import) -> String {
    let target = places[import.from].trim_start_matches("src/");
    let target = target.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
    let own = folder(path).trim_start_matches("src/").replace('/', ".");
    let from = if import.relative && !own.is_empty() { relative(&own, &target) } else { target.clone() };
    let alias = import.alias.as_ref().map_or(String::new(), |alias| format!(" as {alias}"));
    match import.kind {
        Kind::Named if import.again => {
            format!("def late():\n    from {from} import {}{alias}\n    return {}\n", import.name, import.name)
        }
        Kind::Named => format!("from {from} import {}{alias}\n", import.name),
        Kind::Star => format!("from {from} import *\n"),
        Kind::Whole => format!("import {target}{alias}\n"),
        Kind::Default => match target.rsplit_once('.') {
            Some((parent, last)) => format!("from {parent} import {last}{alias}\n"),
            None => format!("import {target}{alias}\n"),
        },
        Kind::Part => format!("from . import {}{alias}\n", import.name),
    }
}

fn relative(own: &str, target: &str) -> String {
    let (own, to): (Vec<&str>, Vec<&str>) = (own.split('.').collect(), target.split('.').collect());
    let same = own.iter().zip(&to).take_while(|(a, b)| a == b).count();
    format!("{}{}", ".".repeat(own.len() - same + 1), to[same..].join("."))
}

fn item(item: &Item) -> String {
    match item {
        Item::Class { name, bases, fields, methods } => {
            let mut body = String::from("x = 1\n");
            for (i, field) in fields.iter().enumerate() {
                body.push_str(&if i % 2 == 0 { variable(field) } else { init(field) });
            }
            methods.iter().for_each(|one| body.push_str(&function(one, true)));
            format!("class {name}({}):\n{}", bases.join(", "), indent(&body))
        }
        Item::Face { name, bases, methods } => {
            let methods: String = methods.iter().map(|one| function(one, true)).collect();
            format!("class {name}({}):\n    y = 1\n{}", bases.join(", "), indent(&methods))
        }
        Item::Outside { of, face, methods } => {
            let base = face.as_deref().unwrap_or(of);
            let methods: String = methods.iter().map(|one| function(one, true)).collect();
            format!("if {base}:\n    class {of}({base}):\n        z = 1\n{}", indent(&indent(&methods)))
        }
        Item::Func(one) => function(one, false),
        Item::Variable(field) => variable(field),
        Item::Inner { name, items } => {
            let items: String = items.iter().map(item_of).collect();
            format!("class {name}:\n    w = 1\n{}", indent(&items))
        }
    }
}

fn item_of(one: &Item) -> String {
    item(one)
}

fn variable(field: &Field) -> String {
    let ty = field.ty.as_ref().map_or(String::new(), |ty| format!(": {ty}"));
    format!("{}{ty} = {}\n", field.name, STYLE.expr(&field.init))
}

fn init(field: &Field) -> String {
    let ty = field.ty.as_ref().map_or(String::new(), |ty| format!(": \"{ty}\""));
    format!("def __init__(self, given=None):\n    self.{}{ty} = {}\n", field.name, STYLE.expr(&field.init))
}

fn function(function: &Func, method: bool) -> String {
    let mut params: Vec<String> = if method { vec!["self".to_owned()] } else { Vec::new() };
    for (i, ty) in function.params.iter().enumerate() {
        let name = ["a", "b", "c"][i % 3];
        params.push(ty.as_ref().map_or(name.to_owned(), |ty| format!("{name}: {ty} = None")));
    }
    let returns = function.returns.as_ref().map_or(String::new(), |ty| format!(" -> {ty}"));
    let mut body = String::new();
    for (name, expr) in &function.locals {
        body.push_str(&format!("{name} = {}\n", STYLE.expr(expr)));
    }
    body.push_str(&format!("return {}\n", STYLE.expr(&function.result)));
    format!("def {}({}){returns}:\n{}", function.name, params.join(", "), indent(&body))
}
