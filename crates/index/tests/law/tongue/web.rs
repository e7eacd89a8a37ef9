//! JavaScript and TypeScript: relative specifiers, index files, packages, both systems of modules.

use super::{Style, Tongue, folder, indent, relative, stem};
use crate::world::{Field, Func, Import, Item, Kind, Module};

pub(crate) const JAVASCRIPT: Tongue = Tongue {
    name: "javascript",
    places: &[
        "src/index.js", "src/alpha.js", "src/beta.js", "src/lib/index.js", "src/lib/gamma.js", "src/lib/alpha.js",
        "src/alpha/index.js", "test/delta.js", "packages/one/index.js", "packages/one/src/beta.js",
    ],
    render: |path, places, module| render(path, places, module, false),
    manifests: |variant| match variant {
        0 => vec![("packages/one/package.json", "{\"name\": \"@me/one\"}")],
        1 => vec![("packages/one/package.json", "{\"name\": \"@me/two\"}")],
        2 => vec![("packages/one/package.json", "{\"name\": \"@me/one\", \"main\": \"./src/beta.js\"}")],
        _ => vec![],
    },
    breaks: "function broken( { ((\n",
};

pub(crate) const TYPESCRIPT: Tongue = Tongue {
    name: "typescript",
    places: &[
        "src/index.ts", "src/alpha.ts", "src/beta.tsx", "src/lib/index.ts", "src/lib/gamma.ts", "src/lib/alpha.ts",
        "src/alpha/index.ts", "types/beta.d.ts", "packages/one/index.ts", "packages/one/src/beta.ts",
    ],
    render: |path, places, module| render(path, places, module, true),
    manifests: |variant| match variant {
        0 => vec![("packages/one/package.json", "{\"name\": \"@me/one\"}")],
        1 => vec![("tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"@me/one\": [\"./src/lib/gamma.ts\"]}}}")],
        2 => vec![(
            "tsconfig.json",
            "{\"compilerOptions\": {\"baseUrl\": \"packages\", \"paths\": {\"@me/*\": [\"./*\"]}}}",
        )],
        _ => vec![],
    },
    breaks: "function broken( { ((\n",
};

const STYLE: Style = Style { this: "this", new: |name| format!("new {name}()"), member: ".", path: ".", sigil: "" };

fn render(path: &str, places: &[&str], module: &Module, typed: bool) -> String {
    let mut text = format!("// Noise {}.\n", module.noise);
    module.imports.iter().for_each(|one| text.push_str(&import(path, places, one)));
    let common = !typed && module.package > 0;
    let export = if common { "" } else { "export " };
    module.items.iter().for_each(|one| text.push_str(&item(one, export, typed)));
    if let Some(name) = &module.default {
        text.push_str(&match module.package {
            1 if common => format!("module.exports = {{ {name}, made: make }};\n"),
            2 if common => format!("module.exports = {name};\n"),
            1 => "export default class { run() { return make(); } }\n".to_owned(),
            2 => format!("export {{ {name} as default }};\n"),
            _ => format!("export default {name};\n"),
        });
    }
    text
}

fn specifier(path: &str, target: &str, short: bool) -> String {
    if target.starts_with("packages/one/") && !short {
        return if target.contains("/src/") { "@me/one/src/beta".to_owned() } else { "@me/one".to_owned() };
    }
    let plain = match target.rsplit_once('/') {
        Some((folder, name)) if name.starts_with("index.") && short => folder.to_owned(),
        Some((folder, _)) => format!("{folder}/{}", stem(target)),
        None => stem(target).to_owned(),
    };
    let way = relative(folder(path), &plain);
    if short { way } else { format!("{way}.js") }
}

fn import(path: &str, places: &[&str], import: &Import) -> String {
    let from = specifier(path, places[import.from], import.relative);
    let Import { name, again, .. } = import;
    let alias = import.alias.as_ref().map_or(String::new(), |alias| format!(" as {alias}"));
    let own = import.alias.as_ref().unwrap_or(name);
    match import.kind {
        Kind::Named if *again => format!("export {{ {name}{alias} }} from '{from}';\n"),
        Kind::Named => format!("import {{ {name}{alias} }} from '{from}';\n"),
        Kind::Star if *again => format!("export * from '{from}';\n"),
        Kind::Star => format!("import * as {own} from '{from}';\n"),
        Kind::Whole if *again => format!("export * as thing from '{from}';\n"),
        Kind::Whole => format!("import * as thing from '{from}';\n"),
        Kind::Default if *again && import.alias.is_none() => format!("export {{ default }} from '{from}';\n"),
        Kind::Default if *again => format!("export {{ default as {own} }} from '{from}';\n"),
        Kind::Default => format!("import {own} from '{from}';\n"),
        Kind::Part if *again => format!("const {own} = require('{from}');\n"),
        Kind::Part => format!("const {{ {name} }} = require('{from}');\n"),
    }
}

fn item(item: &Item, export: &str, typed: bool) -> String {
    match item {
        Item::Class { name, bases, fields, methods } => {
            let mut head = bases.first().map_or(String::new(), |base| format!(" extends {base}"));
            if let (true, Some(face)) = (typed, bases.get(1)) {
                head.push_str(&format!(" implements {face}"));
            }
            let fields: String = fields.iter().map(|one| format!("{};\n", variable(one, typed))).collect();
            let methods: String = methods.iter().map(|one| function(one, "", typed)).collect();
            format!("{export}class {name}{head} {{\n{}}}\n", indent(&(fields + &methods)))
        }
        Item::Face { name, bases, methods } if typed => {
            let head = if bases.is_empty() { String::new() } else { format!(" extends {}", bases.join(", ")) };
            let methods: String = methods.iter().map(|one| format!("{};\n", signature(one, true))).collect();
            format!("{export}interface {name}{head} {{\n{}}}\n", indent(&methods))
        }
        Item::Face { name, methods, .. } => {
            let methods: String =
                methods.iter().map(|one| function(one, "", false).trim_end().to_owned() + ",\n").collect();
            format!("{export}const {name} = {{\n{}}};\n", indent(&methods))
        }
        Item::Outside { of, face: Some(face), .. } if typed => format!("{export}type {of} = {face};\n"),
        Item::Outside { of, methods, .. } => methods
            .iter()
            .map(|one| {
                format!("{of}.prototype.{} = function () {{ return {}; }};\n", one.name, STYLE.expr(&one.result))
            })
            .collect(),
        Item::Func(one) => format!("{export}{}", function(one, "function ", typed)),
        Item::Variable(field) => format!("{export}const {};\n", variable(field, typed)),
        Item::Inner { name, items } if typed => {
            let items: String = items.iter().map(|one| self::item(one, "export ", true)).collect();
            format!("{export}namespace {name} {{\n{}}}\n", indent(&items))
        }
        Item::Inner { name, .. } => format!("{export}const {name} = {{ make, run: find }};\n"),
    }
}

fn variable(field: &Field, typed: bool) -> String {
    let ty = field.ty.as_ref().filter(|_| typed).map_or(String::new(), |ty| format!(": {ty}"));
    format!("{}{ty} = {}", field.name, STYLE.expr(&field.init))
}

fn signature(function: &Func, typed: bool) -> String {
    let params = function.params.iter().enumerate().map(|(i, ty)| {
        let name = ["a", "b", "c"][i % 3];
        ty.as_ref().filter(|_| typed).map_or(name.to_owned(), |ty| format!("{name}: {ty}"))
    });
    let params: Vec<String> = params.collect();
    let returns = function.returns.as_ref().filter(|_| typed).map_or(String::new(), |ty| format!(": {ty}"));
    format!("{}({}){returns}", function.name, params.join(", "))
}

fn function(function: &Func, word: &str, typed: bool) -> String {
    let mut body = String::new();
    for (name, expr) in &function.locals {
        body.push_str(&format!("let {name} = {};\n", STYLE.expr(expr)));
    }
    body.push_str(&format!("return {};\n", STYLE.expr(&function.result)));
    format!("{word}{} {{\n{}}}\n", signature(function, typed), indent(&body))
}
