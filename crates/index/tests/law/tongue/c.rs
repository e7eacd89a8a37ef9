//! C and C++: headers, declarations apart from definitions, namespaces.

use super::{Style, Tongue, indent, relative};
use crate::world::{Field, Func, Import, Item, Kind, Module};

pub(crate) const C: Tongue = Tongue {
    name: "c",
    places: &["alpha.c", "alpha.h", "beta.h", "include/beta.h", "src/beta.c", "src/gamma.c", "src/gamma.h"],
    render: |path, places, module| render(path, places, module, false),
    manifests: |_| Vec::new(),
    breaks: "int broken( { ((\n",
};

pub(crate) const CPP: Tongue = Tongue {
    name: "cpp",
    places: &[
        "alpha.cpp", "alpha.hpp", "beta.hpp", "include/beta.hpp", "src/beta.cpp", "src/gamma.cc", "src/gamma.hpp",
    ],
    render: |path, places, module| render(path, places, module, true),
    manifests: |_| Vec::new(),
    breaks: "int broken( { ((\n",
};

const STYLE: Style = Style { this: "self", new: |name| format!("new_{name}()"), member: "->", path: "_", sigil: "" };
const STYLE_PP: Style = Style { this: "this", new: |name| format!("{name}()"), member: ".", path: "::", sigil: "" };

fn render(path: &str, places: &[&str], module: &Module, classes: bool) -> String {
    let mut text = format!("// Noise {}.\n", module.noise);
    module.imports.iter().for_each(|one| text.push_str(&import(path, places, one, classes)));
    let items: String = module.items.iter().map(|one| if classes { item_pp(one) } else { item(one) }).collect();
    match module.package {
        1 if classes => text.push_str(&format!("namespace app {{\n{}}}\n", indent(&items))),
        _ => text.push_str(&items),
    }
    text
}

fn import(path: &str, places: &[&str], import: &Import, classes: bool) -> String {
    let target = places[import.from];
    match import.kind {
        Kind::Default if classes => "using namespace app;\n".to_owned(),
        Kind::Part if classes => format!("using app::{};\n", import.name),
        _ if import.relative => {
            format!("#include \"{}\"\n", relative(super::folder(path), target).trim_start_matches("./"))
        }
        _ => format!("#include \"{target}\"\n"),
    }
}

fn item(item: &Item) -> String {
    match item {
        Item::Class { name, bases, fields, methods } => {
            let mut body: String = bases.iter().map(|base| format!("struct {base} *base;\n")).collect();
            fields.iter().for_each(|f| body.push_str(&format!("{} *{};\n", ty(f), f.name)));
            let methods: String = methods.iter().map(|one| format!("{};\n", signature(one, ""))).collect();
            format!("typedef struct {name} {{\n{}}} {name};\n{methods}", indent(&body))
        }
        Item::Face { name, methods, .. } => format!("#define {name}(x) {}\n", methods.len()),
        Item::Outside { methods, .. } => methods.iter().map(|one| format!("{};\n", signature(one, ""))).collect(),
        Item::Func(one) => function(one, "", &STYLE),
        Item::Variable(one) => format!("{} *{} = {};\n", ty(one), one.name, STYLE.expr(&one.init)),
        Item::Inner { items, .. } => items.iter().map(self::item).collect(),
    }
}

fn item_pp(item: &Item) -> String {
    match item {
        Item::Class { name, bases, fields, methods } => {
            let head = if bases.is_empty() { String::new() } else { format!(" : public {}", bases.join(", public ")) };
            let fields: String = fields.iter().map(|f| format!("{} {};\n", ty(f), f.name)).collect();
            let methods = methods.iter().enumerate().map(|(i, one)| match i % 2 {
                0 => function(one, "", &STYLE_PP),
                _ => format!("{};\n", signature(one, "")),
            });
            let methods: String = methods.collect();
            format!("class {name}{head} {{\npublic:\n{}}};\n", indent(&(fields + &methods)))
        }
        Item::Face { name, methods, .. } => {
            let methods: String = methods.iter().map(|one| format!("virtual {} = 0;\n", signature(one, ""))).collect();
            format!("struct {name} {{\n{}}};\n", indent(&methods))
        }
        Item::Outside { of, methods, .. } => {
            methods.iter().map(|one| function(one, &format!("{of}::"), &STYLE_PP)).collect()
        }
        Item::Func(one) => function(one, "", &STYLE_PP),
        Item::Variable(one) => {
            let ty = one.ty.as_deref().unwrap_or("auto");
            format!("{ty} {} = {};\n", one.name, STYLE_PP.expr(&one.init))
        }
        Item::Inner { name, items } => {
            let items: String = items.iter().map(item_pp).collect();
            format!("namespace {name} {{\n{}}}\n", indent(&items))
        }
    }
}

fn ty(field: &Field) -> String {
    field.ty.clone().unwrap_or_else(|| "int".to_owned())
}

fn signature(function: &Func, of: &str) -> String {
    let params = function.params.iter().enumerate();
    let params = params.map(|(i, ty)| format!("{} *{}", ty.as_deref().unwrap_or("int"), ["a", "b", "c"][i % 3]));
    let returns = function.returns.as_deref().unwrap_or("int");
    format!("{returns} {of}{}({})", function.name, params.collect::<Vec<_>>().join(", "))
}

fn function(function: &Func, of: &str, style: &Style) -> String {
    let locals = function.locals.iter().map(|(name, expr)| format!("auto {name} = {};\n", style.expr(expr)));
    let body: String = locals.chain([format!("return {};\n", style.expr(&function.result))]).collect();
    format!("{} {{\n{}}}\n", signature(function, of), indent(&body))
}
