//! Go: packages that are folders, embedded structs, methods beside their types.

use super::{Style, Tongue, capital, folder, indent};
use crate::world::{Expr, Field, Func, Import, Item, Kind, Module};

pub(crate) const GO: Tongue = Tongue {
    name: "go",
    places: &[
        "main.go", "util.go", "alpha/a.go", "alpha/b.go", "alpha/a_test.go", "beta/a.go", "beta/gamma/c.go",
        "beta/gamma/d.go", "vendor/other/o.go",
    ],
    render,
    manifests: |variant| match variant {
        0 => vec![("go.mod", "module example.com/m\n")],
        1 => vec![("go.mod", "module example.com/n\n")],
        2 => vec![("go.mod", "module example.com/m\n"), ("beta/go.mod", "module example.com/m/beta\n")],
        _ => vec![],
    },
    breaks: "func broken( { ((\n",
};

const STYLE: Style = Style { this: "self", new: |name| format!("(&{name}{{}})"), member: ".", path: ".", sigil: "" };

fn render(path: &str, places: &[&str], module: &Module) -> String {
    let name = match (folder(path).rsplit('/').next().unwrap_or(""), module.package) {
        ("", _) => "main".to_owned(),
        (_, 2) => "other".to_owned(),
        (name, 1) if path.contains("_test") => format!("{name}_test"),
        (name, _) => name.to_owned(),
    };
    let mut text = format!("// Noise {}.\npackage {name}\n", module.noise);
    module.imports.iter().for_each(|one| text.push_str(&import(places, one)));
    module.items.iter().for_each(|one| text.push_str(&item(one)));
    text
}

fn import(places: &[&str], import: &Import) -> String {
    let folder = folder(places[import.from]);
    let target = if folder.is_empty() { "example.com/m".to_owned() } else { format!("example.com/m/{folder}") };
    match import.kind {
        Kind::Star => format!("import . \"{target}\"\n"),
        Kind::Whole => format!("import thing \"{target}\"\n"),
        Kind::Part => format!("import _ \"{target}\"\n"),
        _ => format!("import \"{target}\"\n"),
    }
}

fn item(item: &Item) -> String {
    match item {
        Item::Class { name, bases, fields, methods } => {
            let mut body: String = bases.iter().map(|base| format!("*{base}\n")).collect();
            for field in fields {
                body.push_str(&format!("{} *{}\n", capital(&field.name), field.ty.as_deref().unwrap_or("int")));
            }
            let methods: String = methods.iter().map(|one| function(one, Some(name))).collect();
            format!("type {name} struct {{\n{}}}\n{methods}", indent(&body))
        }
        Item::Face { name, bases, methods } => {
            let bases: String = bases.iter().map(|base| format!("{base}\n")).collect();
            let methods: String = methods.iter().map(|one| format!("{}\n", signature(one))).collect();
            format!("type {name} interface {{\n{}}}\n", indent(&(bases + &methods)))
        }
        Item::Outside { of, methods, .. } => methods.iter().map(|one| function(one, Some(of))).collect(),
        Item::Func(one) => function(one, None),
        Item::Variable(Field { name, ty, init }) => {
            let ty = ty.as_ref().map_or(String::new(), |ty| format!(" *{ty}"));
            format!("var {}{ty} = {}\n", capital(name), expr(init))
        }
        Item::Inner { name, items } => {
            let items: String = items.iter().map(self::item).collect();
            format!("{items}type {name} int\n")
        }
    }
}

/// Names that others can see begin with a capital letter.
fn expr(one: &Expr) -> String {
    STYLE.expr(&visible(one))
}

fn visible(one: &Expr) -> Expr {
    match one {
        Expr::Name(name) if ["one", "two", "three"].contains(&name.as_str()) => Expr::Name(capital(name)),
        Expr::Call(callee, args) => match &**callee {
            Expr::Name(name) => Expr::Call(Box::new(Expr::Name(capital(name))), *args),
            other => Expr::Call(Box::new(visible(other)), *args),
        },
        Expr::Member(of, name) => Expr::Member(Box::new(visible(of)), capital(name)),
        other => other.clone(),
    }
}

fn signature(function: &Func) -> String {
    let params = function.params.iter().enumerate();
    let params = params.map(|(i, ty)| format!("{} {}", ["a", "b", "c"][i % 3], ty.as_deref().unwrap_or("int")));
    let returns = function.returns.as_ref().map_or(String::new(), |ty| match function.params.len() {
        2 => format!(" (*{ty}, error)"),
        1 => format!(" []{ty}"),
        _ => format!(" *{ty}"),
    });
    format!("{}({}){returns}", capital(&function.name), params.collect::<Vec<_>>().join(", "))
}

fn function(function: &Func, receiver: Option<&str>) -> String {
    let receiver = receiver.map_or(String::new(), |of| format!("(self *{of}) "));
    let mut body = String::new();
    for (i, (name, init)) in function.locals.iter().enumerate() {
        let more = if i == 1 { ", err" } else { "" };
        body.push_str(&format!("{name}{more} := {}\n", expr(init)));
    }
    body.push_str(&format!("return {}\n", expr(&function.result)));
    format!("func {receiver}{} {{\n{}}}\n", signature(function), indent(&body))
}
