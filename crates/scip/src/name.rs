//! The names of symbols in SCIP's grammar: `codegraph . package . src/`main.rs`/Type#method().`
//!
//! Made of the same parts as canonical names: package, path, scopes, name. Repetitions are numbered.

use codegraph_model::{FileFacts, Symbol, SymbolId, SymbolKind};
use codegraph_store::{FileRecord, NameSource};
use rustc_hash::FxHashSet;

/// The scheme of all symbols.
const SCHEME: &str = "codegraph";

/// What a symbol without a name is called.
const ANONYMOUS: &str = "<anonymous>";

/// How a descriptor ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    Macro,
}

impl Suffix {
    fn of(kind: SymbolKind) -> Suffix {
        match kind {
            SymbolKind::Macro => Suffix::Macro,
            SymbolKind::TypeAlias => Suffix::Type,
            // They are read and written like variables, whatever runs then.
            SymbolKind::Property => Suffix::Term,
            kind if kind.is_callable() => Suffix::Method,
            kind if kind.is_type() => Suffix::Type,
            kind if kind.is_module() => Suffix::Namespace,
            _ => Suffix::Term,
        }
    }
}

/// The names of all symbols of a file, by place. The first is the file itself.
pub(crate) fn names(record: &FileRecord, facts: &FileFacts, texts: &impl NameSource) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(facts.symbols.len());
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for (place, symbol) in facts.symbols.iter().enumerate() {
        if place == 0 {
            names.push(file(&record.package, &record.path));
            continue;
        }
        let parent = symbol.parent.get().unwrap_or(SymbolId(0));
        let mut scope = names[parent.index()].clone();
        if symbol.kind == SymbolKind::Impl {
            // A block is no symbol of its own: its members are those of the type.
            push(&mut scope, &implemented(symbol, texts), Suffix::Type, 1);
            names.push(scope);
            continue;
        }
        if symbol.qualifier.is_some() {
            for part in parts(texts.text(symbol.qualifier), &record.separator) {
                push(&mut scope, part, Suffix::Type, 1);
            }
        }
        names.push(numbered(&scope, name(symbol, texts), Suffix::of(symbol.kind), &mut seen));
    }
    names
}

/// The name of a parameter of a function.
pub(crate) fn parameter(function: &str, name: &str) -> String {
    let mut text = format!("{function}(");
    push_identifier(&mut text, if name.is_empty() { ANONYMOUS } else { name });
    text.push(')');
    text
}

/// The name of something outside the project, outermost part first.
pub(crate) fn external<'a>(path: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = path.len();
    let mut text = String::new();
    for (place, part) in path.enumerate() {
        if place == 0 {
            let package = if count > 1 { part } else { "" };
            text = package_of(package);
            if count > 1 {
                continue;
            }
        }
        push(&mut text, part, if place + 1 == count { Suffix::Term } else { Suffix::Namespace }, 1);
    }
    text
}

fn file(package: &str, path: &str) -> String {
    let mut text = package_of(package);
    path.split('/').for_each(|part| push(&mut text, part, Suffix::Namespace, 1));
    text
}

fn package_of(name: &str) -> String {
    let name = if name.is_empty() { ".".to_owned() } else { name.replace(' ', "  ") };
    format!("{SCHEME} . {name} . ")
}

fn parts<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    match separator {
        "" => vec![text],
        separator => text.split(separator).filter(|part| !part.is_empty()).collect(),
    }
}

/// A block of a trait is kept apart from the type's own members.
fn implemented(symbol: &Symbol, texts: &impl NameSource) -> String {
    let of = name(symbol, texts);
    match symbol.qualifier.get() {
        Some(base) => format!("<{of} as {}>", texts.text(base)),
        None => of.to_owned(),
    }
}

fn name<'a>(symbol: &Symbol, texts: &'a impl NameSource) -> &'a str {
    symbol.name.get().map_or("", |name| texts.text(name))
}

/// The first of these names that is free.
fn numbered(scope: &str, name: &str, suffix: Suffix, seen: &mut FxHashSet<String>) -> String {
    let mut number = 1;
    loop {
        let mut text = scope.to_owned();
        push(&mut text, name, suffix, number);
        if seen.insert(text.clone()) {
            return text;
        }
        number += 1;
    }
}

fn push(text: &mut String, name: &str, suffix: Suffix, number: u32) {
    let name = if name.is_empty() { ANONYMOUS } else { name };
    match suffix {
        Suffix::Method if number > 1 => {
            push_identifier(text, name);
            return text.push_str(&format!("(+{}).", number - 1));
        }
        _ if number > 1 => push_identifier(text, &format!("{name}#{number}")),
        _ => push_identifier(text, name),
    }
    text.push_str(match suffix {
        Suffix::Namespace => "/",
        Suffix::Type => "#",
        Suffix::Term => ".",
        Suffix::Method => "().",
        Suffix::Macro => "!",
    });
}

/// Plain if it consists of letters, digits and a few signs, else in backticks.
fn push_identifier(text: &mut String, name: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'$');
    if name.bytes().all(plain) {
        return text.push_str(name);
    }
    text.push('`');
    text.push_str(&name.replace('`', "``"));
    text.push('`');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_externals_follow_the_grammar() {
        assert_eq!(file("my app", "src/a b.rs"), "codegraph . my  app . src/`a b.rs`/");
        assert_eq!(file("", "x"), "codegraph . . . x/");
        assert_eq!(external(["os", "path", "join"].into_iter()), "codegraph . os . path/join.");
        assert_eq!(external(["print"].into_iter()), "codegraph . . . print.");
    }

    #[test]
    fn repetitions_are_numbered() {
        let mut seen = FxHashSet::default();
        let mut next = |name, suffix| numbered("a/", name, suffix, &mut seen);
        assert_eq!(next("f", Suffix::Method), "a/f().");
        assert_eq!(next("f", Suffix::Method), "a/f(+1).");
        assert_eq!(next("f", Suffix::Term), "a/f.");
        assert_eq!(next("f", Suffix::Term), "a/`f#2`.");
        assert_eq!(next("a`b", Suffix::Type), "a/`a``b`#");
        assert_eq!(next("", Suffix::Type), "a/`<anonymous>`#");
    }
}
