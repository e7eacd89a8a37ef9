//! Names and ids of symbols: fully qualified, canonical, and the hashes made of them.
//!
//! `module` + scopes + name, joined by the language's separator, is the *base* name. Where several symbols of the
//! project share it, the second and further ones in (path, position) order get `#2`, `#3`…: the *display* name.

use std::fmt::Write;

use codegraph_model::{FileFacts, Span, StrId, Symbol, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use crate::FileRecord;
use crate::encode::SymbolNames;

/// Where the text of a file's names comes from: the facts themselves, or the dictionary.
pub trait NameSource {
    fn text(&self, id: StrId) -> &str;
}

impl NameSource for codegraph_model::Strings {
    fn text(&self, id: StrId) -> &str {
        self.get(id)
    }
}

/// What a symbol is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// See [`FileNames::symbol_id`].
    pub id: u128,
    /// See [`FileNames::symbol_key`].
    pub key: u128,
    /// See [`FileNames::canonical`].
    pub canonical: String,
}

/// What the names of a file's symbols are made of.
#[derive(Clone, Copy, Debug)]
pub struct FileNames<'a> {
    pub path: &'a str,
    pub language: &'a str,
    pub separator: &'a str,
    pub package: &'a str,
    pub module: &'a str,
}

impl<'a> FileNames<'a> {
    pub fn of(record: &'a FileRecord) -> FileNames<'a> {
        FileNames {
            path: &record.path,
            language: &record.language,
            separator: &record.separator,
            package: &record.package,
            module: &record.module,
        }
    }

    /// Scopes and name without the module: `Outer.Inner.method`, `<T as Trait>::method`, `impl T`.
    ///
    /// A symbol of kind `Impl` is named after its type; its `qualifier`, if any, is the trait.
    pub fn scoped(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> String {
        let mut text = String::new();
        self.push_scoped(&mut text, facts, symbol, names);
        text
    }

    /// Module and scoped name. The file's own symbol has the module's name where that is the file's alone (the file
    /// declares no package), else the path.
    pub fn base(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> String {
        let mut text = String::new();
        self.push_base(&mut text, facts, symbol, names);
        text
    }

    pub(crate) fn push_base(&self, text: &mut String, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) {
        if symbol.0 == 0 {
            let shared = self.module.is_empty() || facts.package.is_some();
            return text.push_str(if shared { self.path } else { self.module });
        }
        text.push_str(self.module);
        if !self.module.is_empty() {
            text.push_str(self.separator);
        }
        self.push_scoped(text, facts, symbol, names);
    }

    /// `{package}::{path}::{Kind} {scoped name}`, with `#2`… for repetitions inside the file.
    pub fn canonical(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> String {
        self.canonical_of(&facts.symbols[symbol.index()], &self.numbered(facts, symbol, names))
    }

    pub(crate) fn canonical_of(&self, symbol: &Symbol, numbered: &str) -> String {
        format!("{}::{}::{} {numbered}", self.package, self.path, symbol.kind.display())
    }

    /// The canonical names of all symbols of a file, for those who need many of them.
    pub fn all_canonical(&self, facts: &FileFacts, names: &impl NameSource) -> Vec<String> {
        let numbered = self.all_numbered(facts, names);
        facts.symbols.iter().zip(numbered).map(|(symbol, numbered)| self.canonical_of(symbol, &numbered)).collect()
    }

    /// Id, key and canonical name of a symbol.
    pub fn identity(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> Identity {
        let (id, numbered) = (self.symbol_id(facts, symbol, names), self.numbered(facts, symbol, names));
        self.identity_of(&facts.symbols[symbol.index()], id, &numbered)
    }

    /// The same of all symbols of a file, for those who need many of them.
    pub fn identities(&self, facts: &FileFacts, names: &impl NameSource) -> Vec<Identity> {
        let told = self.all_symbol_ids(facts, names).into_iter().zip(self.all_numbered(facts, names));
        facts.symbols.iter().zip(told).map(|(symbol, (id, numbered))| self.identity_of(symbol, id, &numbered)).collect()
    }

    fn identity_of(&self, symbol: &Symbol, id: u128, numbered: &str) -> Identity {
        Identity { id, key: self.key_of(symbol, numbered), canonical: self.canonical_of(symbol, numbered) }
    }

    /// First 32 hex of BLAKE3 over `language:fqn:start:end`, as 128 bits. Where the qualified name does not say by itself
    /// which symbol is meant, the canonical one enters instead: so an id depends on its own file alone.
    pub fn symbol_id(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> u128 {
        let span = facts.symbols[symbol.index()].span;
        match self.is_told_by_module(facts) && self.is_alone(facts, symbol, names) {
            true => self.id_at(&self.base(facts, symbol, names), span),
            false => self.id_at(&self.canonical(facts, symbol, names), span),
        }
    }

    /// The ids of all symbols of a file, for those who need many of them.
    pub fn all_symbol_ids(&self, facts: &FileFacts, names: &impl NameSource) -> Vec<u128> {
        SymbolNames::of(*self, facts, names).ids
    }

    /// Whether the module says which file this is: it has the path of the file, from the root or from `src`. A module that
    /// is declared, or that a file has because of its place (`lib`, `index`), may have several files.
    pub(crate) fn is_told_by_module(&self, facts: &FileFacts) -> bool {
        let Some((stem, extension)) = self.path.rsplit_once('.') else { return false };
        // Variants of a language's files have longer extensions, and the same stems: `.mjs`, `.pyi`.
        if self.module.is_empty() || facts.package.is_some() || extension.len() > 2 {
            return false;
        }
        let module = self.module.replace(self.separator, "/");
        let inner = module.strip_prefix(self.package).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&module);
        [stem, stem.strip_prefix("src/").unwrap_or(stem)].iter().any(|own| *own == module || *own == inner)
    }

    /// Whether no other symbol of the file has the same qualified name.
    fn is_alone(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> bool {
        let own = &facts.symbols[symbol.index()];
        let base = self.base(facts, symbol, names);
        let mut other = String::new();
        facts.symbols.iter().enumerate().filter(|(place, _)| *place != symbol.index()).all(|(place, one)| {
            if place > 0 && symbol.0 > 0 && !same_end(one.name, own.name, names) {
                return true;
            }
            other.clear();
            self.push_base(&mut other, facts, SymbolId(place as u32), names);
            other != base
        })
    }

    pub(crate) fn id_at(&self, fqn: &str, span: Span) -> u128 {
        let mut hasher = blake3::Hasher::new();
        for part in [self.language, ":", fqn] {
            hasher.update(part.as_bytes());
        }
        let mut place = [0; 24];
        hasher.update(decimal(&mut place, span.start, span.end));
        leading_bits(&hasher.finalize())
    }

    /// 32 hex over `language:path:kind:scoped name`, without offsets; repetitions inside the file are numbered.
    pub fn symbol_key(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> u128 {
        self.key_of(&facts.symbols[symbol.index()], &self.numbered(facts, symbol, names))
    }

    fn key_of(&self, symbol: &Symbol, numbered: &str) -> u128 {
        let text = format!("{}:{}:{}:{numbered}", self.language, self.path, symbol.kind.word());
        leading_bits(&blake3::hash(text.as_bytes()))
    }

    /// The keys of all symbols of a file, for those who need many of them.
    pub fn all_symbol_keys(&self, facts: &FileFacts, names: &impl NameSource) -> Vec<u128> {
        let numbered = self.all_numbered(facts, names);
        facts.symbols.iter().zip(numbered).map(|(symbol, numbered)| self.key_of(symbol, &numbered)).collect()
    }

    fn all_numbered(&self, facts: &FileFacts, names: &impl NameSource) -> Vec<String> {
        let mut counts: FxHashMap<(SymbolKind, String), u32> = FxHashMap::default();
        let symbols = facts.symbols.iter().enumerate();
        let numbered = symbols.map(|(at, symbol)| {
            let scoped = self.scoped(facts, SymbolId(at as u32), names);
            let count = counts.entry((symbol.kind, scoped.clone())).or_default();
            *count += 1;
            display(scoped, *count)
        });
        numbered.collect()
    }

    fn numbered(&self, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) -> String {
        let own = &facts.symbols[symbol.index()];
        let scoped = self.scoped(facts, symbol, names);
        let earlier = facts.symbols[..symbol.index()].iter().enumerate().filter(|(_, s)| s.kind == own.kind);
        // Different splits of one text into scopes are the same name, so texts are compared, not ids.
        let mut other = String::new();
        let equal = earlier.filter(|(index, s)| {
            if s.name == own.name && s.parent == own.parent && s.qualifier == own.qualifier {
                return true;
            }
            if !same_end(s.name, own.name, names) {
                return false;
            }
            other.clear();
            self.push_scoped(&mut other, facts, SymbolId(*index as u32), names);
            other == scoped
        });
        display(scoped.clone(), equal.count() as u32 + 1)
    }

    fn push_scoped(&self, text: &mut String, facts: &FileFacts, symbol: SymbolId, names: &impl NameSource) {
        let own = &facts.symbols[symbol.index()];
        self.push_scopes(text, facts, own.parent, names);
        if own.kind == SymbolKind::Impl {
            text.push_str("impl ");
            if own.qualifier.is_some() {
                text.push_str(names.text(own.qualifier));
                text.push_str(" for ");
            }
        } else if own.qualifier.is_some() {
            text.push_str(names.text(own.qualifier));
            text.push_str(self.separator);
        }
        push_name(text, own, names);
    }

    fn push_scopes(&self, text: &mut String, facts: &FileFacts, scope: SymbolId, names: &impl NameSource) {
        let mut chain = Vec::new();
        let mut at = scope;
        while at.is_some() && at.0 != 0 {
            chain.push(at);
            at = facts.symbols[at.index()].parent;
        }
        for scope in chain.iter().rev() {
            self.push_scope(text, &facts.symbols[scope.index()], names);
            text.push_str(self.separator);
        }
    }

    fn push_scope(&self, text: &mut String, scope: &Symbol, names: &impl NameSource) {
        if scope.qualifier.is_none() {
            return push_name(text, scope, names);
        }
        let qualifier = names.text(scope.qualifier);
        if scope.kind == SymbolKind::Impl {
            text.push('<');
            push_name(text, scope, names);
            text.push_str(" as ");
            text.push_str(qualifier);
            return text.push('>');
        }
        text.push_str(qualifier);
        text.push_str(self.separator);
        push_name(text, scope, names);
    }
}

fn push_name(text: &mut String, symbol: &Symbol, names: &impl NameSource) {
    if symbol.name.is_some() {
        text.push_str(names.text(symbol.name));
    }
}

/// Whether one name ends with the other, which equal scoped names always do.
fn same_end(a: StrId, b: StrId, names: &impl NameSource) -> bool {
    if a == b || a.is_none() || b.is_none() {
        return a == b;
    }
    let (a, b) = (names.text(a), names.text(b));
    a.ends_with(b) || b.ends_with(a)
}

/// The display name for a base name and its number among its equals.
pub(crate) fn display(mut base: String, ordinal: u32) -> String {
    if ordinal > 1 {
        write!(base, "#{ordinal}").expect("writing to a string cannot fail");
    }
    base
}

/// `:start:end` in decimal, without allocating: this runs for every symbol.
fn decimal(buffer: &mut [u8; 24], start: u32, end: u32) -> &[u8] {
    let mut at = buffer.len();
    for mut value in [end, start] {
        loop {
            at -= 1;
            buffer[at] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        at -= 1;
        buffer[at] = b':';
    }
    &buffer[at..]
}

fn leading_bits(hash: &blake3::Hash) -> u128 {
    let bytes = hash.as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    u128::from_be_bytes(bytes)
}

/// First 16 hex of SHA-256 over `path:start:end`.
pub fn span_id(path: &str, start: u32, end: u32) -> String {
    let hash = Sha256::digest(format!("{path}:{start}:{end}"));
    hash[..8].iter().fold(String::with_capacity(16), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

/// `ref_` and 16 hex over name, path and place: the id of a use of a name.
pub(crate) fn reference_id(name: &str, path: &str, start: u32) -> String {
    let hash = blake3::hash(format!("{name}\0{path}\0{start}").as_bytes());
    hash.as_bytes()[..8].iter().fold(String::from("ref_"), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

/// Reads a symbol id or a prefix of 8 hex digits or more: the smallest and the largest id that it may mean.
pub fn parse_symbol_id(text: &str) -> Option<(u128, u128)> {
    if !(8..=32).contains(&text.len()) || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let free = 4 * (32 - text.len() as u32);
    let first = u128::from_str_radix(text, 16).ok()? << free;
    Some((first, first | (1u128 << free).wrapping_sub(1)))
}

#[cfg(test)]
mod tests {
    use codegraph_model::Strings;

    use super::*;

    const FILE: FileNames<'static> =
        FileNames { path: "src/a.rs", language: "rust", separator: "::", package: "pkg", module: "pkg::a" };

    struct Maker(FileFacts);

    impl Maker {
        fn new() -> Maker {
            let mut maker = Maker(FileFacts::default());
            maker.add(SymbolKind::Module, "a", u32::MAX, "");
            maker
        }

        fn text(&mut self, text: &str) -> StrId {
            let known = self.0.strings.iter().position(|s| s == text);
            known.map_or_else(|| self.0.strings.push(text), |at| StrId(at as u32))
        }

        fn add(&mut self, kind: SymbolKind, name: &str, parent: u32, qualifier: &str) -> SymbolId {
            let name = self.text(name);
            let qualifier = if qualifier.is_empty() { StrId::NONE } else { self.text(qualifier) };
            self.0.symbols.push(Symbol { kind, name, parent: SymbolId(parent), qualifier, ..Default::default() });
            SymbolId(self.0.symbols.len() as u32 - 1)
        }

        fn base(&self, symbol: SymbolId) -> String {
            FILE.base(&self.0, symbol, &self.0.strings)
        }

        fn canonical(&self, symbol: SymbolId) -> String {
            FILE.canonical(&self.0, symbol, &self.0.strings)
        }
    }

    #[test]
    fn members_of_impl_blocks_are_named_after_type_and_trait() {
        let mut maker = Maker::new();
        let plain = maker.add(SymbolKind::Impl, "T", 0, "");
        let of_trait = maker.add(SymbolKind::Impl, "T", 0, "Show");
        let a = maker.add(SymbolKind::Method, "run", plain.0, "");
        let b = maker.add(SymbolKind::Method, "run", of_trait.0, "");
        assert_eq!(maker.base(plain), "pkg::a::impl T");
        assert_eq!(maker.base(of_trait), "pkg::a::impl Show for T");
        assert_eq!(maker.base(a), "pkg::a::T::run");
        assert_eq!(maker.base(b), "pkg::a::<T as Show>::run");
    }

    #[test]
    fn a_file_is_named_by_its_module_unless_the_module_is_shared() {
        let mut maker = Maker::new();
        assert_eq!(maker.base(SymbolId(0)), "pkg::a");
        maker.0.package = maker.text("com.example");
        assert_eq!(maker.base(SymbolId(0)), "src/a.rs");
    }

    #[test]
    fn qualifiers_stand_before_the_name() {
        let mut maker = Maker::new();
        let method = maker.add(SymbolKind::Method, "bar", 0, "Foo");
        let local = maker.add(SymbolKind::Function, "inner", method.0, "");
        assert_eq!(maker.base(method), "pkg::a::Foo::bar");
        assert_eq!(maker.base(local), "pkg::a::Foo::bar::inner");
    }

    #[test]
    fn canonical_names_number_repetitions_of_one_kind() {
        let mut maker = Maker::new();
        let first = maker.add(SymbolKind::Function, "f", 0, "");
        let class = maker.add(SymbolKind::Class, "f", 0, "");
        let second = maker.add(SymbolKind::Function, "f", 0, "");
        let nested = maker.add(SymbolKind::Function, "x", first.0, "");
        let split = maker.add(SymbolKind::Function, "f::x", 0, "");
        assert_eq!(maker.canonical(first), "pkg::src/a.rs::Function f");
        assert_eq!(maker.canonical(class), "pkg::src/a.rs::Class f");
        assert_eq!(maker.canonical(second), "pkg::src/a.rs::Function f#2");
        assert_eq!(maker.canonical(nested), "pkg::src/a.rs::Function f::x");
        assert_eq!(maker.canonical(split), "pkg::src/a.rs::Function f::x#2");
        let all: Vec<String> = (0..maker.0.symbols.len() as u32).map(|id| maker.canonical(SymbolId(id))).collect();
        assert_eq!(FILE.all_canonical(&maker.0, &maker.0.strings), all);
        let key = |symbol| FILE.symbol_key(&maker.0, symbol, &maker.0.strings);
        let keys: Vec<u128> = (0..maker.0.symbols.len() as u32).map(|id| key(SymbolId(id))).collect();
        assert_eq!(FILE.all_symbol_keys(&maker.0, &maker.0.strings), keys);
        assert_ne!(key(first), key(second));
        let each = (0..all.len() as u32).map(|id| FILE.identity(&maker.0, SymbolId(id), &maker.0.strings));
        assert_eq!(FILE.identities(&maker.0, &maker.0.strings), each.collect::<Vec<_>>());
    }

    #[test]
    fn ids_follow_their_formulas() {
        let expected = blake3::hash(b"rust:pkg::a::f:42:100").to_hex();
        assert_eq!(format!("{:032x}", FILE.id_at("pkg::a::f", Span::new(42, 100))), expected[..32]);
        assert_eq!(span_id("main.rs", 3, 7), "7eac011a5b7533f9");
    }

    #[test]
    fn an_id_is_made_of_the_name_that_says_which_symbol_it_is() {
        let mut maker = Maker::new();
        let plain = maker.add(SymbolKind::Function, "f", 0, "");
        let twice = maker.add(SymbolKind::Function, "g", 0, "");
        maker.add(SymbolKind::Class, "g", 0, "");
        let id = |file: FileNames<'_>, symbol| file.symbol_id(&maker.0, symbol, &maker.0.strings);
        let hashed = |text: &str| FILE.id_at(text, Span::default());
        assert_eq!(id(FILE, plain), hashed("pkg::a::f"));
        assert_eq!(id(FILE, twice), hashed("pkg::src/a.rs::Function g"));
        // A file whose module does not say where it is.
        let elsewhere = FileNames { path: "deep/a.rs", ..FILE };
        assert_eq!(id(elsewhere, plain), hashed("pkg::deep/a.rs::Function f"));
        for file in [FILE, elsewhere, FileNames { module: "", ..FILE }] {
            let all = SymbolNames::of(file, &maker.0, &maker.0.strings).ids;
            let each: Vec<u128> = (0..all.len() as u32).map(|symbol| id(file, SymbolId(symbol))).collect();
            assert_eq!(all, each);
        }
    }

    #[test]
    fn id_prefixes_are_ranges() {
        assert_eq!(parse_symbol_id("1234567"), None);
        assert_eq!(parse_symbol_id("1234567g"), None);
        let (first, last) = parse_symbol_id("28E17E99").expect("eight digits");
        assert_eq!(format!("{first:032x}"), "28e17e99000000000000000000000000");
        assert_eq!(format!("{last:032x}"), "28e17e99ffffffffffffffffffffffff");
        let whole = parse_symbol_id(&"f".repeat(32)).expect("a whole id");
        assert_eq!(whole.0, whole.1);
    }

    #[test]
    fn missing_names_are_empty() {
        let facts = FileFacts { symbols: vec![Symbol::default(), Symbol::default()], ..Default::default() };
        assert_eq!(FILE.base(&facts, SymbolId(1), &Strings::default()), "pkg::a::");
    }
}
