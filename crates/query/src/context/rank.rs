//! Which symbols a task is about: by their names, documentation, surroundings and bodies, and by how much they are used.

use codegraph_model::{Span, Symbol, SymbolId, SymbolKind, TermMask};
use codegraph_store::{SymbolRow, TermId};
use rustc_hash::FxHashMap;

use super::evidence::{Evidence, FileEvidence, Hit, weight};
use super::words::Asked;
use crate::paths::is_test;
use crate::reader::FileView;
use crate::{Reader, Result};

/// A symbol with how much it has to do with the task.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    pub(super) row: SymbolRow,
    pub(super) score: f64,
    /// The words that it has in its name, surroundings, documentation or body.
    pub(super) bits: u32,
}

/// Where the asker is at work.
pub(super) struct Focus {
    pub(super) paths: Vec<String>,
}

/// Ranks the symbols of all files with evidence, best first.
pub(super) fn rank(reader: &Reader, asked: &Asked, evidence: &Evidence, focus: &Focus) -> Result<Vec<Ranked>> {
    let mut all = Vec::new();
    for file in &evidence.files {
        let view = reader.view_of(file.file)?;
        rank_file(asked, evidence, file, &view, focus, &mut all);
        view.check()?;
    }
    sort(&mut all);
    Ok(all)
}

/// Best first; equal ones by file and position.
pub(super) fn sort(all: &mut [Ranked]) {
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
}

fn rank_file(
    asked: &Asked,
    evidence: &Evidence,
    file: &FileEvidence,
    view: &FileView<'_>,
    focus: &Focus,
    all: &mut Vec<Ranked>,
) {
    let mut hits = file.hits.clone();
    hits.sort_unstable_by_key(|hit| (hit.line, hit.term));
    let path = &view.record.path;
    let path_bits = asked.bits(path).0;
    let terms: FxHashMap<TermId, &Hit> = hits.iter().map(|hit| (hit.term, hit)).collect();
    let of_file = file_factor(path, asked, focus);
    for (id, symbol) in view.symbols().skip(1) {
        let prior = prior(symbol);
        if prior == 0.0 {
            continue;
        }
        let seen = Seen { path: path_bits, ..Seen::of(view, &hits, &terms, id, asked) };
        let score = seen.score(&evidence.rarity, symbol.kind) * prior * of_file;
        if score > 0.0 {
            let row = SymbolRow::new(view.record.id, id);
            all.push(Ranked { row, score, bits: seen.all() });
        }
    }
}

fn file_factor(path: &str, asked: &Asked, focus: &Focus) -> f64 {
    let test = if is_test(path) && !asked.tests { 0.35 } else { 1.0 };
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let near = match () {
        () if focus.paths.iter().any(|own| own == path) => 1.5,
        () if focus.paths.iter().any(|own| folder(own) == folder(path)) => 1.15,
        () => 1.0,
    };
    test * near
}

/// How often a kind of symbol is what people look for.
fn prior(symbol: &Symbol) -> f64 {
    match symbol.kind {
        SymbolKind::Impl => 0.0,
        SymbolKind::Heading => 0.3,
        kind if kind.is_type() => 1.0,
        kind if kind.is_callable() => 1.0,
        kind if kind.is_module() => 0.5,
        SymbolKind::TypeAlias | SymbolKind::Macro => 0.8,
        _ => 0.55,
    }
}

/// In which parts of a symbol the words stand.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    name: u32,
    /// How much of the name they are.
    share: f64,
    parent: u32,
    path: u32,
    doc: u32,
    body: u32,
}

impl Seen {
    fn of(view: &FileView<'_>, hits: &[Hit], terms: &FxHashMap<TermId, &Hit>, id: SymbolId, asked: &Asked) -> Seen {
        let symbol = view.symbol(id);
        let mut seen = Seen::default();
        if symbol.name.is_some() {
            let term = view.stored.term(symbol.name);
            if let Some(hit) = terms.get(&term) {
                seen.name = hit.bits;
                seen.share = f64::from(hit.bits.count_ones()) / f64::from(hit.parts.max(1));
            }
        }
        let parent = symbol.parent.get().filter(|parent| parent.0 != 0);
        if let Some(parent) = parent
            && view.symbol(parent).name.is_some()
        {
            seen.parent = asked.bits(view.name(parent)).0;
        }
        seen.doc = bits_in(view, hits, symbol.doc, TermMask(TermMask::COMMENT.0 | TermMask::STRING.0));
        let body = Span::new(symbol.name_span.end.max(symbol.span.start), symbol.span.end);
        seen.body = bits_in(view, hits, body, TermMask(TermMask::CODE.0 | TermMask::COMMENT.0 | TermMask::STRING.0));
        seen
    }

    fn all(&self) -> u32 {
        self.name | self.parent | self.doc | self.body
    }

    fn score(&self, rarity: &[f64], kind: SymbolKind) -> f64 {
        // A long body has everything somewhere.
        let body = if kind.is_callable() { 0.15 } else { 0.05 };
        let own = self.name | self.doc;
        if own == 0 && (self.body.count_ones() < 2 || !kind.is_callable()) {
            return 0.0;
        }
        let by_name = weight(self.name, rarity) * (0.5 + 0.5 * self.share);
        let around = 0.35 * weight(self.parent & !self.name, rarity)
            + 0.2 * weight(self.path & !self.name & !self.parent, rarity);
        let text = 0.35 * weight(self.doc, rarity) + body * weight(self.body, rarity);
        let total: f64 = rarity.iter().sum();
        let covered = weight(self.name | self.parent | self.doc | self.path, rarity)
            + 0.5 * weight(self.body & !(self.name | self.parent | self.doc | self.path), rarity);
        (by_name + around + text) * (0.35 + 0.65 * covered / total.max(0.001))
    }
}

/// The words that stand in a stretch of a file, in these kinds of text.
fn bits_in(view: &FileView<'_>, hits: &[Hit], span: Span, kinds: TermMask) -> u32 {
    if span.is_empty() {
        return 0;
    }
    let (first, last) = (view.facts().line_of(span.start), view.facts().line_of(span.end - 1));
    let start = hits.partition_point(|hit| hit.line < first);
    let inside = hits[start..].iter().take_while(|hit| hit.line <= last);
    inside.filter(|hit| hit.mask.has(kinds)).fold(0, |bits, hit| bits | hit.bits)
}
