//! Random names of a project: as many of each kind as there are, until there are enough.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use codegraph_model::{BindingKind, Span, SymbolKind};
use codegraph_store::{Access, Store, Stored};

use super::Options;

/// Where something is declared, and the name that it is to have.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) new: String,
    file: String,
    line: u32,
    column: u32,
}

impl Name {
    pub(crate) fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The texts of all files, by path.
pub(crate) type Texts = BTreeMap<String, Vec<u8>>;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count.max(1) as u64) as usize
    }
}

pub(crate) fn pick(tree: &Path, options: &Options) -> Result<(Vec<Name>, Texts)> {
    let store = Store::open(&tree.join(".codegraph/index.db"), Access::Read)?;
    let (mut kinds, mut texts) = (BTreeMap::<String, Vec<Name>>::new(), Texts::new());
    let mut others = BTreeMap::<String, Vec<String>>::new();
    for record in store.files()? {
        let Ok(text) = std::fs::read(tree.join(&record.path)) else { continue };
        let wanted = options.under.is_empty() || options.under.iter().any(|folder| record.path.starts_with(folder));
        for (kind, span) in names(&store.facts(record.id)?).into_iter().filter(|_| wanted) {
            if let Some(name) = named(&record.path, &text, &kind, span)
                && (options.kind.is_empty() || options.kind.contains(&kind))
            {
                others.entry(record.path.clone()).or_default().push(name.text.clone());
                kinds.entry(kind).or_default().push(name);
            }
        }
        texts.insert(record.path.clone(), text);
    }
    let mut dice = Dice(options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut picked = Vec::new();
    while picked.len() < options.count && !kinds.is_empty() {
        for names in kinds.values_mut().filter(|names| !names.is_empty()) {
            let at = dice.below(names.len());
            let mut name = names.swap_remove(at);
            let ending: String =
                [picked.len() / 26 % 26, picked.len() % 26].map(|i| (b'a' + i as u8) as char).iter().collect();
            let ending = format!("Zq{ending}");
            let upper = !name.text.contains(char::is_lowercase);
            name.new = format!("{}{}", name.text, if upper { ending.to_uppercase() } else { ending });
            if options.taken {
                let others = &others[&name.file];
                name.new = others[dice.below(others.len())].clone();
            }
            picked.push(name);
        }
        kinds.retain(|_, names| !names.is_empty());
    }
    picked.truncate(options.count);
    Ok((picked, texts))
}

/// All that a file declares under a name.
fn names(stored: &Stored) -> BTreeSet<(String, Span)> {
    let facts = &stored.facts;
    let symbols =
        facts.symbols.iter().skip(1).filter(|symbol| !matches!(symbol.kind, SymbolKind::Impl | SymbolKind::Heading));
    let symbols = symbols.map(|symbol| (symbol.kind.word().to_owned(), symbol.name_span));
    let bindings = facts.bindings.iter().filter_map(|binding| {
        let kind = match binding.kind {
            BindingKind::Local => "local name",
            BindingKind::Param => "parameter",
            BindingKind::TypeParam => "type parameter",
            BindingKind::Label => "label",
            BindingKind::Global | BindingKind::Nonlocal | BindingKind::Again => return None,
        };
        Some((kind.to_owned(), binding.span))
    });
    symbols.chain(bindings).filter(|(_, span)| !span.is_empty()).collect()
}

/// A name as it stands in the text. What is written otherwise, as an operator or a string, has no name to change.
fn named(file: &str, text: &[u8], kind: &str, span: Span) -> Option<Name> {
    let word = std::str::from_utf8(text.get(span.range())?).ok()?;
    let is_word = word.chars().all(|c| c.is_alphanumeric() || c == '_') && !word.starts_with(|c: char| c.is_numeric());
    let before = &text[..span.start as usize];
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() as u32;
    let (kind, text, file) = (kind.to_owned(), word.to_owned(), file.to_owned());
    (is_word && word != "_").then_some(Name { kind, text, new: String::new(), file, line, column })
}
