//! The symbols of one side: what each is called and what it says, apart from where it stands.
//!
//! What a symbol says is a sum over the nodes of its syntax tree: white space and comments do not count, and what belongs
//! to symbols inside it is theirs.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use codegraph_extract::AstNode;
use codegraph_languages::Language;
use codegraph_model::{Span, Symbol, SymbolId, SymbolKind};
use codegraph_store::LinkTarget;

use crate::graph::{Graph, LinkedFile};
use crate::prototype::prototype;
use crate::reader::FileView;
use crate::relation::{SymbolBrief, brief, external};
use crate::source::{Source, slice};
use crate::{Reader, Result, vocabulary};

/// The symbols of files as one side has them, by path.
#[derive(Default)]
pub struct Side {
    pub(super) files: BTreeMap<String, Vec<Item>>,
}

/// A symbol of one side.
pub(super) struct Item {
    pub(super) id: SymbolId,
    pub(super) path: String,
    pub(super) brief: SymbolBrief,
    /// The names around it and its own; a second one of that name has a number.
    pub(super) scoped: String,
    pub(super) signature: String,
    pub(super) head: u64,
    pub(super) body: u64,
    pub(super) doc: u64,
    /// How much it says.
    pub(super) tokens: usize,
    /// What its names mean, in order.
    pub(super) meanings: Vec<(String, String)>,
}

/// Reads the symbols of files. Those that this side does not have are left out.
pub fn side(reader: &Reader, paths: &[String]) -> Result<Side> {
    let graph = Graph::new(reader);
    let mut side = Side::default();
    for path in paths {
        let Some(record) = reader.store.file_by_path(path)? else { continue };
        let language = vocabulary::language(&record.language)?;
        if language.prose {
            continue;
        }
        let view = reader.view_of(record.id)?;
        let source = reader.source(&view.record)?;
        let items = items(&graph, &view, &source, language)?;
        view.check()?;
        side.files.insert(path.clone(), items);
    }
    Ok(side)
}

fn items(graph: &Graph<'_>, view: &FileView<'_>, source: &Source, language: &'static Language) -> Result<Vec<Item>> {
    let linked = graph.file(view.record.id)?;
    let text = Text::of(view, &linked, source, language);
    let mut meanings = meanings(graph, &linked, view)?;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut items = Vec::new();
    for (id, symbol) in view.symbols() {
        let signature = if id.0 == 0 { String::new() } else { prototype(&source.bytes, symbol) };
        let plain = scoped(view, id, source);
        let count = seen.entry(plain.clone()).or_default();
        *count += 1;
        let said = text.said(id, symbol);
        items.push(Item {
            id,
            path: view.record.path.clone(),
            brief: brief(view, id),
            scoped: if *count > 1 { format!("{plain}#{count}") } else { plain },
            signature,
            head: said.head.finish(),
            body: said.body.finish(),
            doc: text.doc(id, symbol),
            tokens: said.tokens,
            meanings: std::mem::take(&mut meanings[id.index()]),
        });
    }
    Ok(items)
}

/// `Class.method`; the head of a block without a name is its name.
fn scoped(view: &FileView<'_>, id: SymbolId, source: &Source) -> String {
    let (mut parts, mut at) = (Vec::new(), id);
    while at.is_some() && at.0 != 0 {
        let symbol = view.symbol(at);
        parts.push(match symbol.kind == SymbolKind::Impl || symbol.name.is_none() {
            true => prototype(&source.bytes, symbol),
            false => view.name(at).to_owned(),
        });
        if let Some(qualifier) = symbol.qualifier.get() {
            parts.push(codegraph_store::NameSource::text(view, qualifier).to_owned());
        }
        at = symbol.parent;
    }
    parts.reverse();
    parts.join(".")
}

/// What the names in each symbol mean: those that stand in it directly.
fn meanings(graph: &Graph<'_>, linked: &LinkedFile, view: &FileView<'_>) -> Result<Vec<Vec<(String, String)>>> {
    let facts = &linked.stored.facts;
    let mut found = vec![Vec::new(); facts.symbols.len()];
    let mut names: Vec<Option<String>> = vec![None; linked.links.targets.len()];
    for bound in &linked.links.bound {
        let reference = &facts.refs[bound.reference.index()];
        let place = bound.target as usize;
        if names[place].is_none() {
            names[place] = Some(match &linked.links.targets[place] {
                LinkTarget::Symbol(row) => without_number(&graph.reader.view_of(row.file)?.fqn(row.symbol)).to_owned(),
                LinkTarget::External(path) => external(graph.reader, &view.record, path)?,
            });
        }
        let target = names[place].clone().expect("just found");
        let name = codegraph_store::NameSource::text(view, reference.name).to_owned();
        found[linked.user(reference).index()].push((name, target));
    }
    Ok(found)
}

/// Duplicates are numbered over the whole project, so another file may change the number.
fn without_number(fqn: &str) -> &str {
    match fqn.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => fqn,
    }
}

#[derive(Default)]
struct Said {
    head: DefaultHasher,
    body: DefaultHasher,
    tokens: usize,
}

/// The text of a file as its parser sees it.
struct Text<'t> {
    bytes: &'t [u8],
    nodes: Vec<AstNode>,
    depths: Vec<u32>,
    /// Nodes that are comments or in one.
    silent: Vec<bool>,
    /// What belongs to each symbol: its span, and decorators before it.
    extents: Vec<Span>,
    children: Vec<Vec<usize>>,
    /// Whole statements that only import; they say nothing by themselves.
    imports: Vec<Span>,
    header: Span,
}

impl<'t> Text<'t> {
    fn of(view: &FileView<'_>, linked: &LinkedFile, source: &'t Source, language: &'static Language) -> Text<'t> {
        let nodes = codegraph_extract::ast(&source.bytes, language);
        let (mut depths, mut silent) = (vec![0; nodes.len()], vec![false; nodes.len()]);
        let mut comments: BTreeMap<&str, bool> = BTreeMap::new();
        for node in &nodes {
            let at = node.id as usize;
            let (depth, inside) = node.parent.map_or((0, false), |p| (depths[p as usize] + 1, silent[p as usize]));
            depths[at] = depth;
            silent[at] = inside || *comments.entry(node.kind).or_insert_with(|| language.is_comment(node.kind));
        }
        let symbols = &view.facts().symbols;
        let extents: Vec<Span> = symbols.iter().map(extent).collect();
        let mut children = vec![Vec::new(); symbols.len()];
        for (at, symbol) in symbols.iter().enumerate().skip(1) {
            let parent = symbol.parent.get().map_or(0, SymbolId::index);
            children[parent].push(at);
        }
        children.iter_mut().for_each(|list| list.sort_by_key(|at| extents[*at].start));
        let imports = imports(linked, &nodes, &depths, &extents);
        Text { bytes: &source.bytes, nodes, depths, silent, extents, children, imports, header: view.facts().header }
    }

    /// What a symbol says itself.
    fn said(&self, id: SymbolId, symbol: &Symbol) -> Said {
        let whole = id.0 == 0;
        let extent = if whole { Span::new(0, self.bytes.len() as u32) } else { self.extents[id.index()] };
        let body = body_start(symbol, extent);
        let mut said = Said::default();
        let mut inner = self.children[id.index()].iter().map(|at| self.extents[*at]).peekable();
        let mut covered = Span::new(0, 0);
        let first = self.nodes.partition_point(|node| node.start < extent.start);
        let mut base = None;
        for node in self.nodes[first..].iter().take_while(|node| node.start < extent.end) {
            while let Some(next) = inner.next_if(|next| next.start <= node.start) {
                if next.end > covered.end {
                    covered = next;
                }
            }
            let frame = node.start <= extent.start && node.end >= extent.end || node.end > extent.end;
            let other = node.start >= covered.start && node.start < covered.end;
            let doc = within(node, symbol.doc) || whole && within(node, self.header);
            let import = whole && self.imports.iter().any(|span| within(node, *span));
            if frame || other || doc || import || self.silent[node.id as usize] {
                continue;
            }
            let depth = self.depths[node.id as usize];
            let sum = if node.start < body && !whole { &mut said.head } else { &mut said.body };
            (node.kind, depth.wrapping_sub(*base.get_or_insert(depth))).hash(sum);
            if self.is_leaf(node) {
                slice(self.bytes, Span::new(node.start, node.end)).hash(sum);
                said.tokens += 1;
            }
        }
        if self.nodes.is_empty() {
            slice(self.bytes, extent).hash(&mut said.body);
        }
        said
    }

    fn is_leaf(&self, node: &AstNode) -> bool {
        self.nodes.get(node.id as usize + 1).is_none_or(|next| next.parent != Some(node.id))
    }

    fn doc(&self, id: SymbolId, symbol: &Symbol) -> u64 {
        let span = if id.0 == 0 && symbol.doc.is_empty() { self.header } else { symbol.doc };
        let mut sum = DefaultHasher::new();
        String::from_utf8_lossy(slice(self.bytes, span)).split_whitespace().for_each(|word| word.hash(&mut sum));
        sum.finish()
    }
}

fn within(node: &AstNode, span: Span) -> bool {
    !span.is_empty() && node.start >= span.start && node.end <= span.end
}

/// The span of a symbol with what decorates it.
fn extent(symbol: &Symbol) -> Span {
    let before = symbol.decorators.iter().map(|span| span.start).filter(|start| *start < symbol.span.start);
    Span::new(before.fold(symbol.span.start, u32::min), symbol.span.end)
}

/// Where the part begins that is no signature: of a value, what follows its name and type.
fn body_start(symbol: &Symbol, extent: Span) -> u32 {
    let has_head = symbol.kind.is_callable() || symbol.kind.is_type();
    if has_head {
        let inside = symbol.head_end > extent.start && symbol.head_end < extent.end;
        return if inside { symbol.head_end } else { extent.end };
    }
    let parts = [symbol.name_span, symbol.type_span].into_iter().map(|span| span.end);
    parts.filter(|end| *end <= extent.end).fold(extent.start, u32::max)
}

/// The statements of the file's own level that import and define nothing.
fn imports(linked: &LinkedFile, nodes: &[AstNode], depths: &[u32], extents: &[Span]) -> Vec<Span> {
    let statements: Vec<Span> =
        nodes.iter().filter(|node| depths[node.id as usize] == 1).map(|node| Span::new(node.start, node.end)).collect();
    let mut found: Vec<Span> = Vec::new();
    for import in &linked.stored.facts.imports {
        let place = statements.partition_point(|statement| statement.end <= import.span.start);
        let statement = statements.get(place).filter(|statement| statement.contains(import.span.start));
        let defines =
            |span: &Span| extents.iter().skip(1).any(|extent| extent.start >= span.start && extent.start < span.end);
        if let Some(statement) = statement.filter(|span| found.last() != Some(*span) && !defines(span)) {
            found.push(*statement);
        }
    }
    found
}
