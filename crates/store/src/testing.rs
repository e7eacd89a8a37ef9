//! Made-up facts for tests: arbitrary ones for round trips, and a toy language for whole indexes.

use std::path::Path;

use codegraph_model::*;

use crate::{Build, Encoded, FileNames, FileRecord, Interner, LineIds, Store, Update, encode, pack_neighbours};

/// A small deterministic random number generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(below.max(1))) as u32
    }

    fn any(&mut self) -> u32 {
        match self.roll(6) {
            0 => u32::MAX,
            1 => self.roll(u32::MAX),
            _ => self.roll(300),
        }
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len() as u32) as usize]
    }

    fn span(&mut self) -> Span {
        if self.roll(3) == 0 { Span::default() } else { Span { start: self.any(), end: self.any() } }
    }

    fn name(&mut self, names: u32) -> StrId {
        if self.roll(5) == 0 { StrId::NONE } else { StrId(self.roll(names)) }
    }

    fn spans(&mut self) -> Vec<Span> {
        (0..self.roll(3)).map(|_| self.span()).collect()
    }

    fn param(&mut self) -> Param {
        Param { name: self.span(), type_span: self.span(), default: self.span(), flags: Flags(self.any()) }
    }

    fn symbol(&mut self, index: u32, names: u32) -> Symbol {
        Symbol {
            kind: self.pick(SymbolKind::ALL),
            name: self.name(names),
            parent: if index == 0 { SymbolId::NONE } else { SymbolId(self.roll(index)) },
            span: self.span(),
            name_span: self.span(),
            head_end: self.any(),
            flags: Flags(self.any()),
            visibility: self.pick(Visibility::ALL),
            scope: ScopeId(self.any()),
            inner: ScopeId(self.any()),
            qualifier: self.name(names),
            doc: self.span(),
            type_span: self.span(),
            params: (0..self.roll(4)).map(|_| self.param()).collect(),
            bases: self.spans(),
            decorators: self.spans(),
        }
    }

    fn expr(&mut self, names: u32) -> Expr {
        use ExprOp::*;
        let op = self.pick(&[Ref, Call, Key, Cons, Literal, Lambda, This, Own, Shape, Typed, Item, Named]);
        let b = if matches!(op, Key | Literal | Named) { self.name(names).0 } else { self.any() };
        Expr { op, a: self.any(), b }
    }

    fn import(&mut self, names: u32) -> Import {
        Import {
            span: self.span(),
            scope: ScopeId(self.any()),
            path: (0..self.roll(4)).map(|_| RefId(self.any())).collect(),
            source: self.name(names),
            source_span: self.span(),
            alias: self.name(names),
            alias_span: self.span(),
            level: self.roll(256) as u8,
            flags: ImportFlags(self.roll(1 << 16) as u16),
        }
    }
}

/// Facts with arbitrary values in every field.
pub(crate) fn arbitrary_facts(seed: u64) -> FileFacts {
    let mut dice = Dice(seed);
    let names = dice.roll(50) + 1;
    let mut facts = FileFacts { length: dice.any(), header: dice.span(), ..Default::default() };
    for name in 0..names {
        facts.strings.push(&format!("name{name}"));
    }
    facts.package = dice.name(names);
    let lines = dice.roll(40) + 1;
    let mut start = 0;
    for _ in 0..lines {
        facts.line_starts.push(start);
        start += dice.roll(200) + 1;
    }
    facts.symbols = (0..dice.roll(20) + 1).map(|index| dice.symbol(index, names)).collect();
    facts.scopes = (0..dice.roll(20))
        .map(|_| Scope {
            kind: dice.pick(&[ScopeKind::Module, ScopeKind::Type, ScopeKind::Block]),
            parent: ScopeId(dice.any()),
            owner: SymbolId(dice.any()),
            span: dice.span(),
        })
        .collect();
    facts.bindings = (0..dice.roll(20))
        .map(|_| Binding {
            kind: dice.pick(&[BindingKind::Local, BindingKind::Again, BindingKind::Label]),
            name: dice.name(names),
            span: dice.span(),
            scope: ScopeId(dice.any()),
            from: dice.any(),
            ty: ExprId(dice.any()),
            init: ExprId(dice.any()),
        })
        .collect();
    facts.refs = (0..dice.roll(60))
        .map(|_| Reference {
            name: dice.name(names),
            span: dice.span(),
            kind: dice.pick(RefKind::ALL),
            scope: ScopeId(dice.any()),
            receiver: ExprId(dice.any()),
            args: dice.roll(256) as u8,
        })
        .collect();
    facts.imports = (0..dice.roll(6)).map(|_| dice.import(names)).collect();
    facts.exprs = (0..dice.roll(60)).map(|_| dice.expr(names)).collect();
    facts.notes = (0..dice.roll(9))
        .map(|_| Note {
            symbol: SymbolId(dice.any()),
            tie: dice.pick(&[Tie::Type, Tie::Decorator]),
            expr: ExprId(dice.any()),
        })
        .collect();
    if dice.roll(2) == 0 {
        facts.problems = vec![Problem::Syntax(dice.roll(9)), Problem::TimedOut, Problem::Dense];
        facts.generated = true;
    }
    facts.uneven_lines = (1..50).filter(|_| dice.roll(9) == 0).collect();
    for term in (0..names).filter(|name| name % 3 > 0) {
        for line in (1..=lines).filter(|line| (line * 7 + term) % 5 == 0) {
            facts.terms.push(TermLine { term: StrId(term), line, mask: TermMask((term % 15) as u8 + 1) });
        }
    }
    facts
}

/// The facts of a text in a toy language: `def NAME` defines a function, `class NAME` a class that holds the indented
/// functions after it, `// …` is a comment, and every other word is a call.
pub(crate) fn toy_facts(text: &str) -> FileFacts {
    let mut toy = Toy { facts: FileFacts { length: text.len() as u32, ..Default::default() }, terms: Vec::new() };
    let whole = Span::new(0, text.len() as u32);
    let file = toy.intern("<file>");
    toy.facts.symbols.push(Symbol { name: file, span: whole, ..Default::default() });
    toy.facts.scopes.push(Scope { kind: ScopeKind::Module, parent: ScopeId::NONE, owner: SymbolId(0), span: whole });
    let (mut start, mut class) = (0, SymbolId(0));
    for line in text.split_inclusive('\n') {
        toy.facts.line_starts.push(start as u32);
        toy.line(line, start as u32, &mut class);
        start += line.len();
    }
    if text.is_empty() || text.ends_with('\n') {
        toy.facts.line_starts.push(start as u32);
    }
    toy.finish()
}

struct Toy {
    facts: FileFacts,
    terms: Vec<TermLine>,
}

impl Toy {
    fn intern(&mut self, text: &str) -> StrId {
        let known = self.facts.strings.iter().position(|known| known == text);
        known.map_or_else(|| self.facts.strings.push(text), |at| StrId(at as u32))
    }

    fn line(&mut self, line: &str, start: u32, class: &mut SymbolId) {
        let number = self.facts.line_starts.len() as u32;
        let comment = line.trim_start().starts_with("//");
        let mut keyword = "";
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize) as u32;
            let span = Span::new(at, at + word.len() as u32);
            if !comment && matches!(word, "def" | "class") {
                keyword = word;
                continue;
            }
            let name = self.intern(word);
            let mask = match (comment, keyword) {
                (true, _) => TermMask::COMMENT,
                (_, "") => TermMask::CODE,
                _ => TermMask(TermMask::CODE.0 | TermMask::DEF.0),
            };
            self.terms.push(TermLine { term: name, line: number, mask });
            if keyword.is_empty() && !comment {
                self.facts.refs.push(Reference {
                    name,
                    span,
                    kind: RefKind::Call,
                    scope: ScopeId(0),
                    receiver: ExprId::NONE,
                    args: 0,
                });
            } else if !comment {
                self.define(keyword, name, span, line.starts_with(' '), class);
            }
            keyword = "";
        }
    }

    fn define(&mut self, keyword: &str, name: StrId, span: Span, inside: bool, class: &mut SymbolId) {
        let parent = if inside { *class } else { SymbolId(0) };
        let kind = match (keyword, parent.0) {
            ("class", _) => SymbolKind::Class,
            (_, 0) => SymbolKind::Function,
            _ => SymbolKind::Method,
        };
        self.facts.symbols.push(Symbol {
            kind,
            name,
            parent,
            span: Span::new(span.start - keyword.len() as u32 - 1, span.end),
            name_span: span,
            head_end: span.end,
            ..Default::default()
        });
        if kind == SymbolKind::Class {
            *class = SymbolId(self.facts.symbols.len() as u32 - 1);
        }
    }

    fn finish(mut self) -> FileFacts {
        self.terms.sort_unstable_by_key(|entry| (entry.term, entry.line, entry.mask.0));
        for entry in self.terms {
            match self.facts.terms.last_mut() {
                Some(last) if (last.term, last.line) == (entry.term, entry.line) => last.mask.0 |= entry.mask.0,
                _ => self.facts.terms.push(entry),
            }
        }
        self.facts
    }
}

/// The record of a toy file; its module is what stands before the last dot of its name.
pub(crate) fn toy_record(path: &str, text: &str) -> FileRecord {
    let name = path.rsplit('/').next().unwrap_or(path);
    FileRecord {
        path: path.to_owned(),
        language: "toy".to_owned(),
        separator: ".".to_owned(),
        size: text.len() as u64,
        mtime_ns: 5,
        mark: 6,
        hash: [7; 32],
        extractor: 1,
        indexed_at: 1_700_000_000,
        package: "pkg".to_owned(),
        module: name.split('.').next().unwrap_or(name).to_owned(),
        ..Default::default()
    }
}

pub(crate) fn toy_encode(record: &FileRecord, text: &str, interner: &mut Interner) -> Encoded {
    let facts = toy_facts(text);
    let ids = interner.intern(&facts.strings);
    encode(&facts, &ids, FileNames::of(record), &LineIds::default())
}

/// Builds an index of toy files.
pub(crate) fn toy_build<'a>(path: &Path, files: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_unstable();
    let mut build = Build::create(path).expect("the folder is there");
    let mut interner = Interner::new();
    let records: Vec<_> = files.iter().map(|(path, text)| toy_record(path, text)).collect();
    let encode = |((_, text), record): (&(&str, &str), _)| toy_encode(record, text, &mut interner);
    let mut encoded: Vec<_> = files.iter().zip(&records).map(encode).collect();
    let packed = pack_neighbours(&mut encoded);
    for ((record, encoded), packed) in records.iter().zip(&encoded).zip(&packed) {
        build.put(record, encoded, packed).expect("the file is new");
    }
    build.close_files().expect("the disk has room");
    build.finish(interner).expect("the disk has room");
}

/// Adds or replaces a toy file, carrying line ids.
pub(crate) fn toy_put(update: &mut Update<'_>, path: &str, text: &str) -> crate::Change {
    let record = toy_record(path, text);
    let facts = toy_facts(text);
    let old = update.store().file_by_path(path).expect("the index is readable");
    let lines = match old {
        Some(old) => {
            let stored = update.store().outline(old.id).expect("the outline is whole");
            LineIds::carry(&stored, &facts.line_starts, facts.length, None)
        }
        None => LineIds::default(),
    };
    let ids = update.intern(&facts.strings).expect("texts can be added");
    let encoded = encode(&facts, &ids, FileNames::of(&record), &lines);
    update.put(&record, &encoded).expect("the file can be written").1
}

/// Everything an index says, without internal numbers.
pub(crate) fn dump(store: &Store) -> Vec<String> {
    let mut lines = Vec::new();
    for record in store.files().expect("readable") {
        let stored = store.facts(record.id).expect("whole");
        let names = FileNames::of(&record);
        let texts = store.symbol_names(&stored).expect("whole");
        lines.push(format!("file {} {} {} {:?}", record.path, record.module, record.items, record.problems));
        lines.push(format!("generated {}", record.generated));
        let ids = store.symbol_ids(record.id).expect("whole");
        for (index, id) in ids.iter().enumerate() {
            let symbol = SymbolId(index as u32);
            let fqn = store.fqn(&record, &stored, symbol).expect("whole");
            let found = store.symbols_by_id(&format!("{id:032x}")).expect("whole");
            assert_eq!(found.len(), 1, "{fqn} is found by its id alone");
            lines.push(format!("symbol {id:032x} {fqn} {}", names.canonical(&stored.facts, symbol, &texts)));
        }
        for reference in &stored.facts.refs {
            let name = store.name(&stored, reference.name).expect("whole");
            lines.push(format!("ref {} {name} {:?}", record.path, reference.span));
        }
    }
    let paths: std::collections::HashMap<_, _> =
        store.files().expect("readable").into_iter().map(|file| (file.id, file.path)).collect();
    for term in store.terms_matching(|_| true).expect("readable") {
        let mut at: Vec<_> = store.postings(term.id).expect("whole");
        at.sort_by_key(|posting| paths[&posting.file].clone());
        let places: Vec<_> = at.iter().map(|posting| (&paths[&posting.file], &posting.lines)).collect();
        let mut definers: Vec<_> =
            store.definers(term.id).expect("whole").into_iter().map(|file| &paths[&file]).collect();
        definers.sort_unstable();
        lines.push(format!("term {} {places:?} {definers:?}", term.text));
    }
    let statistics = store.statistics().expect("readable");
    let items = store.word_count().expect("readable");
    lines.push(format!("{items} items, {} occurrences", statistics.occurrences));
    lines
}
