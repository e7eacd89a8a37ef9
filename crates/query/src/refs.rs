//! Where a symbol is used: every reference that is proved to mean it, and a count of those that only name it.

use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{Certainty, FileId, Flags, RefKind, Span, Symbol, SymbolId, SymbolKind};
use codegraph_resolve::{Linker, Sym};
use codegraph_store::SymbolRow;
use serde::Serialize;

use crate::graph::{Graph, LinkedFile, Site};
use crate::linked::{select_across, sites_into};
use crate::lookup::is_short_key;
use crate::paths::FileFilter;
use crate::reader::FileView;
use crate::relation::{Describer, SiteInfo, SymbolBrief};
use crate::select::{Selection, Unselected, overloads};
use crate::unbound::{MOST_PLACES, SitePlace, Unbound, Wished};
use crate::{Error, Note, Reader, Remarks, Result, Selector, Window, dispatch, variants, vocabulary};

/// A question for the uses of a symbol.
#[derive(Clone, Debug, Default)]
pub struct Refs {
    /// A name, a qualified name, `file:line`, an id or a prefix of one.
    pub symbol: Selector,
    /// Only these kinds of use; all if empty.
    pub kinds: Vec<String>,
    pub file_filter: Option<String>,
    /// List the sites that only name the symbol, and nothing else.
    pub candidates: bool,
    /// Show the lines alone.
    pub compact: bool,
    pub window: Window,
}

/// Where a symbol is used, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum RefsAnswer {
    Found(Box<Uses>),
    Unselected(Unselected),
}

/// The uses of a symbol.
#[derive(Clone, Debug, Serialize)]
pub struct Uses {
    pub symbol: SymbolBrief,
    pub references: Vec<SiteInfo>,
    pub total: usize,
    /// Distinct files with a use.
    pub files: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Methods that override it, and those that it overrides and that have uses: a call of one may run another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relatives: Vec<Override>,
    /// Sites that name this symbol but could not be bound.
    pub unbound: Unbound,
    /// The lines alone are to be shown.
    #[serde(skip)]
    pub compact: bool,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A method that overrides another, or is overridden by it.
#[derive(Clone, Debug, Serialize)]
pub struct Override {
    pub symbol: SymbolBrief,
    /// It overrides the symbol that was asked about; otherwise it is overridden.
    pub overrides: bool,
    pub references: usize,
    /// Where these are, if those of all together are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<SitePlace>,
}

/// Overrides that are counted at most.
const MOST_RELATIVES: usize = 50;

/// The methods that a call may mean instead, as far as something refers to them.
fn relatives(describer: &mut Describer<'_, '_>, row: SymbolRow) -> Result<Vec<Override>> {
    let graph = describer.graph();
    let kind = graph.reader.view_of(row.file)?.symbol(row.symbol).kind;
    if !kind.is_callable() || dispatch::owner(graph, row)?.is_none() {
        return Ok(Vec::new());
    }
    let below = dispatch::implementations(graph, row)?.into_iter().map(|row| (row, true));
    let above = dispatch::overridden(graph, row)?.into_iter().map(|row| (row, false));
    let mut found = Vec::new();
    for (relative, overrides) in below.chain(above).take(MOST_RELATIVES) {
        let sites = graph.uses_of(relative)?;
        if overrides || !sites.is_empty() {
            let symbol = describer.brief(relative)?;
            found.push((Override { symbol, overrides, references: sites.len(), places: Vec::new() }, sites));
        }
    }
    let few = found.iter().map(|(_, sites)| sites.len()).sum::<usize>() <= MOST_PLACES;
    let mut shown = Vec::with_capacity(found.len());
    for (mut one, sites) in found {
        for site in sites.iter().filter(|_| few) {
            one.places.push(describer.place(site)?);
        }
        shown.push(one);
    }
    Ok(shown)
}

/// Answers where a symbol is used.
pub fn refs(reader: &Reader, question: &Refs) -> Result<RefsAnswer> {
    let kinds = ref_kinds(&question.kinds)?;
    let files = FileFilter::new(question.file_filter.as_deref())?;
    let (home, rows) = match select_across(reader, &question.symbol)? {
        (home, Selection::One(view, id)) => (home, with_overloads(&view, id, &question.symbol)?),
        (_, Selection::Other(other)) => match together(reader, &other, &question.symbol)? {
            rows if rows.is_empty() => return Ok(RefsAnswer::Unselected(other)),
            rows => (reader, rows),
        },
    };
    let row = rows[0];
    let graph = Graph::new(home);
    let wanted = |graph: &Graph<'_>, mut sites: Vec<Site>| -> Result<Vec<Site>> {
        sites.retain(|site| kinds.is_empty() || kinds.contains(&site.reference.kind));
        let mut kept = Vec::with_capacity(sites.len());
        for site in sites {
            if files.accepts(&graph.reader.record(site.user.file)?.path) {
                kept.push(site);
            }
        }
        Ok(kept)
    };
    let mut lists = vec![wanted(&graph, uses_of_all(&graph, &rows)?)?];
    let own = Graph::new(reader);
    if !std::ptr::eq(home, reader) {
        // What the project itself does with it comes first.
        lists.insert(0, wanted(&own, sites_into(&own, &graph, row)?)?);
    }
    let total = lists.iter().map(Vec::len).sum();
    let mut describers: Vec<Describer<'_, '_>> =
        if lists.len() > 1 { vec![Describer::new(&own), Describer::new(&graph)] } else { vec![Describer::new(&graph)] };
    let (mut shown, mut passed) = (Vec::new(), 0);
    for (list, describer) in lists.iter().zip(&mut describers).filter(|_| !question.candidates) {
        for site in question.window.rest(shown.len(), passed).of(list) {
            shown.push(describer.site(site)?);
        }
        passed += list.len();
    }
    let mut describer = describers.pop().expect("one for the project of the symbol");
    let kind = |kind: RefKind| kinds.is_empty() || kinds.contains(&kind);
    let listed = question.candidates.then_some(question.window);
    let wished = Wished { files: &files, kind: &kind, listed, few: true };
    let unbound = describer.unbound(&rows, &wished)?;
    let relatives = if question.candidates { Vec::new() } else { relatives(&mut describer, row)? };
    let symbol = describer.brief(row)?;
    let mut remarks = std::mem::take(&mut describer.remarks);
    if rows.len() > 1 {
        let places = rows.iter().map(|row| describer.brief(*row)).collect::<Result<Vec<SymbolBrief>>>()?;
        let places = places.iter().map(|one| format!("{}:{}", one.file, one.line_number)).collect();
        remarks.note(Note::Together { name: question.symbol.text(), places });
    }
    if let Some(first) = describers.pop() {
        let linked = std::mem::replace(&mut remarks, first.remarks);
        remarks.join(home, linked, true);
    }
    Ok(RefsAnswer::Found(Box::new(Uses {
        symbol,
        references: shown,
        total,
        files: lists.iter().map(|list| list.chunk_by(|a, b| a.user.file == b.user.file).count()).sum(),
        next_offset: question.window.next(total).filter(|_| !question.candidates),
        relatives,
        unbound,
        compact: question.compact,
        remarks,
    })))
}

/// A symbol, and where it was named without a number, its overloads beside it.
fn with_overloads(view: &FileView<'_>, id: SymbolId, selector: &Selector) -> Result<Vec<SymbolRow>> {
    let mut rows = vec![SymbolRow::new(view.record.id, id)];
    let own = view.symbol(id);
    let has_overloads = vocabulary::language(&view.record.language)?.linking.overloads;
    let is_named = matches!(selector, Selector::Name(text) if !text.contains('#'));
    if is_named && has_overloads && own.kind.is_callable() && own.name.is_some() {
        let same = |(at, symbol): &(usize, &Symbol)| {
            *at != id.index() && (symbol.parent, symbol.name, symbol.kind) == (own.parent, own.name, own.kind)
        };
        let others = view.facts().symbols.iter().enumerate().filter(same);
        rows.extend(others.map(|(at, _)| SymbolRow::new(view.record.id, SymbolId(at as u32))));
    }
    Ok(rows)
}

/// The overloads that a name means, if it means nothing else.
fn together(reader: &Reader, other: &Unselected, selector: &Selector) -> Result<Vec<SymbolRow>> {
    if other.ambiguous && reader.linked().is_empty() { overloads(reader, selector) } else { Ok(Vec::new()) }
}

/// The uses of several symbols, by path and position.
fn uses_of_all(graph: &Graph<'_>, rows: &[SymbolRow]) -> Result<Vec<Site>> {
    let [first, others @ ..] = rows else { return Ok(Vec::new()) };
    let mut sites = uses(graph, *first)?;
    for row in others {
        sites.extend(uses(graph, *row)?);
    }
    if others.is_empty() { Ok(sites) } else { by_place(graph, sites) }
}

/// Sites by path and position, each once.
fn by_place(graph: &Graph<'_>, sites: Vec<Site>) -> Result<Vec<Site>> {
    let mut keyed = Vec::with_capacity(sites.len());
    for site in sites {
        let path = graph.reader.record(site.user.file)?.path.clone();
        keyed.push(((graph.reader.origin(&path)?.is_some(), path), site));
    }
    keyed.sort_by(|(a, x), (b, y)| (a, x.reference.span).cmp(&(b, y.reference.span)));
    keyed.dedup_by(|(a, x), (b, y)| a == b && x.reference.span == y.reference.span);
    Ok(keyed.into_iter().map(|(_, site)| site).collect())
}

/// The uses of a symbol; a constructor is used where its type is made.
pub(crate) fn uses(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<Site>> {
    let mut sites = graph.uses_of(row)?;
    let file = graph.file(row.file)?;
    let symbol = &file.stored.facts.symbols[row.symbol.index()];
    if symbol.kind == SymbolKind::Constructor && symbol.parent.is_some() {
        let made = graph.uses_of(SymbolRow::new(row.file, symbol.parent))?;
        sites.extend(made.into_iter().filter(|site| crate::graph::is_call(site.reference.kind)));
    }
    let language = vocabulary::language(&graph.reader.record(row.file)?.language)?;
    let mut others = if language.linking.overloads { Vec::new() } else { declarations(&file, row) };
    if !language.linking.overloads {
        let twins = variants::twins(&file.stored.facts.symbols, row.symbol);
        others.extend(twins.into_iter().map(|twin| SymbolRow::new(row.file, twin)));
    }
    others.extend(definition(graph, row, symbol)?);
    for other in &others {
        sites.extend(graph.uses_of(*other)?);
    }
    let keys = second_names(&file, row, &sites);
    let more = !keys.is_empty() || !others.is_empty();
    for key in keys {
        let through = graph.uses_of(SymbolRow::new(row.file, key))?;
        sites.extend(through.into_iter().map(|site| Site { certainty: Certainty::Inferred, ..site }));
    }
    if more { by_place(graph, sites) } else { Ok(sites) }
}

/// The definition of what a header declares: links lead there.
fn definition(graph: &Graph<'_>, row: SymbolRow, symbol: &Symbol) -> Result<Option<SymbolRow>> {
    let language = vocabulary::language(&graph.reader.record(row.file)?.language)?;
    if !symbol.flags.has(Flags::DECLARATION) || !language.linking.headers {
        return Ok(None);
    }
    let live = Live::new(&graph.reader.store);
    let own = Sym { file: row.file.0, symbol: row.symbol };
    let defined = on_deep_stack(|| Linker::new(&live).defined(own));
    live.check()?;
    Ok((defined != own).then(|| SymbolRow::new(FileId(defined.file), defined.symbol)))
}

/// The declarations of a function in the same scope, and its definition: they are one, whichever of them links lead to.
fn declarations(file: &LinkedFile, row: SymbolRow) -> Vec<SymbolRow> {
    let symbols = &file.stored.facts.symbols;
    let own = &symbols[row.symbol.index()];
    let same = |(i, symbol): &(usize, &Symbol)| {
        *i != row.symbol.index()
            && (symbol.scope, symbol.name, symbol.kind) == (own.scope, own.name, own.kind)
            && symbol.flags.has(Flags::DECLARATION) != own.flags.has(Flags::DECLARATION)
    };
    if !own.kind.is_callable() || own.qualifier.is_some() || own.name.is_none() {
        return Vec::new();
    }
    symbols.iter().enumerate().filter(same).map(|(i, _)| SymbolRow::new(row.file, SymbolId(i as u32))).collect()
}

/// Members that are written by the name of a symbol alone (`{ name }`): who uses them uses the symbol.
fn second_names(file: &LinkedFile, row: SymbolRow, sites: &[Site]) -> Vec<SymbolId> {
    let own = |span: Span| sites.iter().any(|site| site.user.file == row.file && site.reference.span == span);
    let symbols = file.stored.facts.symbols.iter().enumerate();
    let named = symbols
        .filter(|(i, symbol)| SymbolId(*i as u32) != row.symbol && is_short_key(symbol) && own(symbol.name_span));
    named.map(|(i, _)| SymbolId(i as u32)).collect()
}

/// The kinds of use that words mean.
pub fn ref_kinds(words: &[String]) -> Result<Vec<RefKind>> {
    let one = |word: &String| {
        let unknown = || Error::unknown("reference kind", word, RefKind::ALL.iter().map(|kind| kind.word()));
        let lower = word.to_ascii_lowercase();
        RefKind::from_word(&lower).or_else(|| RefKind::from_word(vocabulary::singular(&lower))).ok_or_else(unknown)
    };
    words.iter().map(one).collect()
}
