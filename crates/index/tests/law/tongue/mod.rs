//! The random projects as text: one file per family of languages. What comes out need not compile, only parse.

mod braces;
mod c;
mod go;
mod python;
mod ruby;
mod rust;
mod web;

use std::collections::BTreeMap;

use crate::world::{Expr, Module, World};

/// How projects are written in a language.
pub(crate) struct Tongue {
    pub(crate) name: &'static str,
    /// Where files may be.
    pub(crate) places: &'static [&'static str],
    render: fn(&str, &[&str], &Module) -> String,
    /// Manifests and the like, by variant.
    manifests: fn(usize) -> Vec<(&'static str, &'static str)>,
    breaks: &'static str,
}

pub(crate) const ALL: &[Tongue] = &[
    python::PYTHON,
    web::JAVASCRIPT,
    web::TYPESCRIPT,
    rust::RUST,
    go::GO,
    braces::JAVA,
    braces::CSHARP,
    braces::KOTLIN,
    braces::PHP,
    c::C,
    c::CPP,
    ruby::RUBY,
];

/// The files of a project by path.
pub(crate) type Files = BTreeMap<String, String>;

impl Tongue {
    pub(crate) fn files(&self, world: &World) -> Files {
        let mut files = Files::new();
        for (path, text) in (self.manifests)(world.manifest) {
            files.insert(path.to_owned(), text.to_owned());
        }
        for module in &world.modules {
            let path = self.places[module.place];
            let mut text = (self.render)(path, self.places, module);
            if module.broken {
                text.push_str(self.breaks);
            }
            files.insert(path.to_owned(), text);
        }
        files
    }
}

/// How expressions are written.
pub(crate) struct Style {
    pub(crate) this: &'static str,
    pub(crate) new: fn(&str) -> String,
    pub(crate) member: &'static str,
    /// Between a type or module and its members.
    pub(crate) path: &'static str,
    /// Before local names.
    pub(crate) sigil: &'static str,
}

impl Style {
    pub(crate) fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Name(name) if is_type(name) || is_module(name) => name.clone(),
            Expr::Name(name) => format!("{}{name}", self.sigil),
            Expr::New(name) => (self.new)(name),
            Expr::This => self.this.to_owned(),
            Expr::Call(callee, args) => {
                let callee = match &**callee {
                    Expr::Name(name) => name.clone(),
                    other => self.expr(other),
                };
                format!("{callee}({})", vec!["1"; *args].join(", "))
            }
            Expr::Member(of, name) => {
                let joint = match &**of {
                    Expr::Name(name) if is_type(name) || is_module(name) => self.path,
                    _ => self.member,
                };
                format!("{}{joint}{name}", self.expr(of))
            }
        }
    }
}

pub(crate) fn is_type(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_module(name: &str) -> bool {
    ["thing", "inner", "part", "alpha", "beta", "gamma"].contains(&name)
}

pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The way from a folder to a path, as few steps as possible.
pub(crate) fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut parts = if from.len() == same { vec!["."] } else { vec![".."; from.len() - same] };
    parts.extend(&to[same..]);
    parts.join("/")
}

pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

pub(crate) fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
