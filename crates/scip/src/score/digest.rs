//! An index reduced to what is compared: where symbols are defined and referred to.

use crate::types::{Document, PositionEncoding, SymbolRole};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ScipKind, Sources};
use crate::range::{Point, Range};

/// File, line and column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pos {
    pub(crate) path: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// File and line.
pub(crate) type FileLine = (u32, u32);

/// The number of a symbol in its digest; local symbols of two files are two.
pub(crate) type Key = u32;

/// One index.
pub(crate) struct Digest {
    pub(crate) tool: String,
    pub(crate) paths: FxHashSet<u32>,
    /// Symbols with where their names end, in the order of the document.
    pub(crate) refs: FxHashMap<Pos, Vec<(Key, u32)>>,
    pub(crate) definitions: FxHashMap<Pos, Vec<Key>>,
    /// Kinds of what is defined on a line, as bits.
    pub(crate) lines: FxHashMap<FileLine, u16>,
    /// Start, end and line of the name.
    pub(crate) functions: FxHashMap<u32, Vec<(Point, Point, u32)>>,
    pub(crate) packages: FxHashSet<String>,
    symbols: Vec<Symbol>,
    keys: FxHashMap<(Option<u32>, String), Key>,
    /// Documents whose file is not there.
    pub(crate) absent: Vec<String>,
}

struct Symbol {
    name: String,
    kind: ScipKind,
    /// Where it is defined, sorted.
    places: Vec<FileLine>,
    forward: Vec<FileLine>,
}

impl Digest {
    pub(crate) fn kind(&self, key: Key) -> ScipKind {
        self.symbols[key as usize].kind
    }

    /// Where a symbol is defined.
    pub(crate) fn places(&self, key: Key) -> &[FileLine] {
        &self.symbols[key as usize].places
    }

    pub(crate) fn name(&self, key: Key) -> &str {
        &self.symbols[key as usize].name
    }

    /// A symbol that is not local.
    pub(crate) fn global(&self, name: &str) -> Option<Key> {
        self.keys.get(&(None, name.to_owned())).copied()
    }

    /// The same symbol is defined at this very position.
    pub(crate) fn is_defined_at(&self, pos: Pos, key: Key) -> bool {
        self.definitions.get(&pos).is_some_and(|keys| keys.contains(&key))
    }
}

/// The package of a symbol: manager, name and version.
pub(crate) fn package_of(symbol: &str) -> String {
    symbol.splitn(5, ' ').skip(1).take(3).collect::<Vec<_>>().join(" ")
}

/// What is counted where a document does not say it: two tools run on engines that count in UTF-16.
fn encoding(document: &Document, tool: &str) -> PositionEncoding {
    let said = document.position_encoding();
    match said {
        PositionEncoding::Unspecified if ["scip-typescript", "scip-python"].contains(&tool) => PositionEncoding::Utf16,
        PositionEncoding::Unspecified => PositionEncoding::Utf8,
        said => said,
    }
}

/// Makes a digest, document by document.
pub(crate) struct Digester<'s> {
    sources: &'s Sources,
    digest: Digest,
}

impl<'s> Digester<'s> {
    pub(crate) fn new(sources: &'s Sources, tool: &str) -> Digester<'s> {
        let digest = Digest {
            tool: tool.to_owned(),
            paths: FxHashSet::default(),
            refs: FxHashMap::default(),
            definitions: FxHashMap::default(),
            lines: FxHashMap::default(),
            functions: FxHashMap::default(),
            packages: FxHashSet::default(),
            symbols: Vec::new(),
            keys: FxHashMap::default(),
            absent: Vec::new(),
        };
        Digester { sources, digest }
    }

    /// Adds a document. What has no file here are products of a build: there is nothing to compare them with.
    pub(crate) fn add(&mut self, document: &Document) {
        let Some(path) = self.sources.number(&document.relative_path).filter(|path| self.sources.exists(*path)) else {
            self.digest.absent.push(document.relative_path.clone());
            return;
        };
        self.digest.paths.insert(path);
        let encoding = encoding(document, &self.digest.tool);
        for occurrence in &document.occurrences {
            let Some(range) = Range::of_occurrence(occurrence) else { continue };
            let key = self.key(path, &occurrence.symbol);
            let has = |role: SymbolRole| occurrence.symbol_roles & role as i32 != 0;
            let column = |(line, column): Point| self.sources.byte_column(path, line, column, encoding);
            let pos = Pos { path, line: range.start.0, column: column(range.start) };
            if has(SymbolRole::Definition) {
                let around = Range::around(occurrence);
                self.define(pos, key, around);
            } else if has(SymbolRole::ForwardDefinition) {
                self.digest.symbols[key as usize].forward.push((path, pos.line));
            } else {
                let end = if range.end.0 == pos.line { column(range.end) } else { pos.column };
                self.digest.refs.entry(pos).or_default().push((key, end));
            }
        }
    }

    fn key(&mut self, path: u32, symbol: &str) -> Key {
        let kind = ScipKind::of(symbol);
        let owner = (kind == ScipKind::Local).then_some(path);
        let next = self.digest.symbols.len() as Key;
        let key = *self.digest.keys.entry((owner, symbol.to_owned())).or_insert(next);
        if key == next {
            let symbol = Symbol { name: symbol.to_owned(), kind, places: Vec::new(), forward: Vec::new() };
            self.digest.symbols.push(symbol);
        }
        key
    }

    fn define(&mut self, pos: Pos, key: Key, around: Option<Range>) {
        let digest = &mut self.digest;
        let symbol = &mut digest.symbols[key as usize];
        let place = (pos.path, pos.line);
        symbol.places.push(place);
        if symbol.kind != ScipKind::Local {
            digest.packages.insert(package_of(&symbol.name));
        }
        digest.definitions.entry(pos).or_default().push(key);
        *digest.lines.entry(place).or_default() |= symbol.kind.bit();
        if let (ScipKind::Function, Some(around)) = (symbol.kind, around) {
            digest.functions.entry(pos.path).or_default().push((around.start, around.end, pos.line));
        }
    }

    /// A symbol that is only declared is defined where it is declared.
    pub(crate) fn finish(self) -> Digest {
        let mut digest = self.digest;
        for symbol in &mut digest.symbols {
            if symbol.places.is_empty() && !symbol.forward.is_empty() {
                symbol.places = std::mem::take(&mut symbol.forward);
                if symbol.kind != ScipKind::Local {
                    digest.packages.insert(package_of(&symbol.name));
                }
            }
            symbol.places.sort_unstable();
            symbol.places.dedup();
        }
        digest.absent.sort_unstable();
        digest
    }
}
