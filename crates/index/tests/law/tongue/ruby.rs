//! Ruby: classes that are opened again, modules that are mixed in.

use super::{Style, Tongue, capital, folder, indent, relative};
use crate::world::{Func, Item, Kind, Module};

pub(crate) const RUBY: Tongue = Tongue {
    name: "ruby",
    places: &[
        "alpha.rb", "lib/alpha.rb", "lib/beta.rb", "lib/part/gamma.rb", "lib/part/delta.rb", "spec/alpha_spec.rb",
    ],
    render,
    manifests: |_| Vec::new(),
    breaks: "def broken((\n  class\n",
};

const STYLE: Style = Style { this: "self", new: |name| format!("{name}.new"), member: ".", path: ".", sigil: "" };

fn render(path: &str, places: &[&str], module: &Module) -> String {
    let mut text = format!("# Noise {}.\n", module.noise);
    for import in &module.imports {
        let target = places[import.from].trim_end_matches(".rb");
        text.push_str(&match import.kind {
            Kind::Named | Kind::Part => {
                format!("require_relative '{}'\n", relative(folder(path), target).trim_start_matches("./"))
            }
            Kind::Star if import.again => format!("include {}\n", import.name),
            _ => format!("require '{}'\n", target.trim_start_matches("lib/")),
        });
    }
    module.items.iter().for_each(|one| text.push_str(&item(one)));
    text
}

fn item(one: &Item) -> String {
    match one {
        Item::Class { name, bases, fields, methods } => {
            let base = bases.first().map_or(String::new(), |base| format!(" < {base}"));
            let mut body = bases.get(1).map_or(String::new(), |face| format!("include {face}\n"));
            for field in fields {
                let (name, init) = (&field.name, STYLE.expr(&field.init));
                body.push_str(&format!("attr_reader :{name}\ndef initialize\n  @{name} = {init}\nend\n"));
            }
            methods.iter().for_each(|one| body.push_str(&function(one)));
            format!("class {name}{base}\n{}end\n", indent(&body))
        }
        Item::Face { name, methods, .. } => {
            let methods: String = methods.iter().map(function).collect();
            format!("module {name}\n{}end\n", indent(&methods))
        }
        Item::Outside { of, methods, .. } => {
            let methods: String = methods.iter().map(function).collect();
            format!("class {of}\n{}end\n", indent(&methods))
        }
        Item::Func(one) => function(one),
        Item::Variable(field) => format!("{} = {}\n", capital(&field.name), STYLE.expr(&field.init)),
        Item::Inner { name, items } => {
            let items: String = items.iter().map(item).collect();
            format!("module {}\n{}end\n", capital(name), indent(&items))
        }
    }
}

fn function(function: &Func) -> String {
    let params = ["a", "b", "c"][..function.params.len().min(3)].join(", ");
    let locals = function.locals.iter().map(|(name, expr)| format!("{name} = {}\n", STYLE.expr(expr)));
    let body: String = locals.chain([format!("{}\n", STYLE.expr(&function.result))]).collect();
    format!("def {}({params})\n{}end\n", function.name, indent(&body))
}
