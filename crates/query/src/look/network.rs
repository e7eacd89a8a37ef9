//! Who refers to whom as a graph that can be drawn: folders that stand for all that is in them, files, and the symbols of
//! files that are opened; or the symbols around one symbol.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_model::{Certainty, FileId, RefKind, SymbolId, SymbolKind};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::Traffic;
use crate::cycles::components;
use crate::graph::{Graph, Site};
use crate::paths::{FileFilter, is_test};
use crate::relation::Describer;
use crate::select::{Selection, select};
use crate::{Error, Reader, Remarks, Result, Selector};

/// A question for a graph.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Folders and files that are shown as what is in them; chosen if absent, so that there is something to see.
    pub open: Option<Vec<String>>,
    /// Only what is around this symbol.
    pub focus: Option<Selector>,
    /// How far around it.
    pub depth: u32,
    /// Only these kinds of use; all if empty.
    pub kinds: Vec<String>,
    /// Only what scope, import or declared type prove.
    pub exact: bool,
    pub no_tests: bool,
    /// Only files that match.
    pub file_filter: Option<String>,
    pub limit: usize,
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeType {
    Folder,
    File,
    Symbol,
}

/// A node of the graph.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkNode {
    /// A path, or the id of a symbol.
    pub id: String,
    pub label: String,
    #[serde(rename = "type")]
    pub node_type: NodeType,
    /// Of a symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<SymbolKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fqn: Option<String>,
    /// The file of a symbol; the path of anything else.
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_number: Option<u32>,
    pub language: String,
    pub files: usize,
    pub lines: u64,
    pub test: bool,
    /// Nodes with the same number use each other in a circle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
}

/// One node uses another: places in the list of nodes.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkEdge {
    pub from: usize,
    pub to: usize,
    pub references: u64,
    /// How many of them are proven by scope, import or declared type.
    pub exact: u64,
    pub kinds: BTreeMap<RefKind, u64>,
}

/// A graph.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkAnswer {
    /// By id.
    pub nodes: Vec<NetworkNode>,
    pub edges: Vec<NetworkEdge>,
    /// What is shown as what is in it.
    pub open: Vec<String>,
    /// Nodes that were left out because there are too many: those with the fewest references.
    pub left_out: usize,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// So many nodes are there to begin with, if there are as many.
const ENOUGH: usize = 24;
/// A folder that would bring more than this is not opened by itself.
const TOO_MANY: usize = 60;
/// Steps around a symbol at most.
const FARTHEST: u32 = 4;

/// Answers with a graph.
pub fn network(reader: &Reader, question: &Network) -> Result<NetworkAnswer> {
    let uses = Uses::of(question)?;
    match &question.focus {
        Some(selector) => around(reader, question, &uses, selector),
        None => whole(reader, question, &uses),
    }
}

/// Which references count.
struct Uses {
    kinds: Vec<RefKind>,
    exact: bool,
}

impl Uses {
    fn of(question: &Network) -> Result<Uses> {
        let read = |word: &String| {
            RefKind::from_word(word).ok_or_else(|| Error::UnknownWord {
                what: "kind of use",
                word: word.clone(),
                allowed: RefKind::WORDS.iter().map(|word| (*word).to_owned()).collect(),
            })
        };
        Ok(Uses { kinds: question.kinds.iter().map(read).collect::<Result<_>>()?, exact: question.exact })
    }

    fn count(&self, kind: RefKind, certainty: Certainty) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind)) && (!self.exact || certainty == Certainty::Exact)
    }
}

/// A node before it has a number: a path, or a symbol of an opened file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Path(String),
    Symbol(SymbolRow),
}

#[derive(Default)]
struct Weight {
    references: u64,
    exact: u64,
    kinds: BTreeMap<RefKind, u64>,
}

impl Weight {
    fn add(&mut self, kind: RefKind, certainty: Certainty, count: u64) {
        self.references += count;
        self.exact += if certainty == Certainty::Exact { count } else { 0 };
        *self.kinds.entry(kind).or_default() += count;
    }
}

type Weights = FxHashMap<(Key, Key), Weight>;

fn whole(reader: &Reader, question: &Network, uses: &Uses) -> Result<NetworkAnswer> {
    let traffic = Traffic::of(reader)?;
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let shown: Vec<bool> = traffic
        .files
        .iter()
        .map(|file| filter.accepts(&file.record.path) && !(question.no_tests && is_test(&file.record.path)))
        .collect();
    let paths: Vec<&str> =
        traffic.files.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(f, _)| f.record.path.as_str()).collect();
    let open: BTreeSet<String> = match &question.open {
        Some(open) => open.iter().map(|path| reader.relative(path)).collect::<Result<_>>()?,
        None => opened(&paths),
    };
    let open = through(&paths, open);
    let places: Vec<&str> = traffic.files.iter().map(|file| visible(&file.record.path, &open)).collect();
    let mut nodes: BTreeMap<Key, Stats> = BTreeMap::new();
    for ((file, place), _) in traffic.files.iter().zip(&places).zip(&shown).filter(|(_, shown)| **shown) {
        if !open.contains(&file.record.path) {
            nodes.entry(Key::Path((*place).to_owned())).or_default().add(&file.record);
        }
    }
    let graph = Graph::new(reader);
    let mut weights = Weights::default();
    for (from, file) in traffic.files.iter().enumerate().filter(|(from, _)| shown[*from]) {
        let opens = |place: usize| open.contains(&traffic.files[place].record.path);
        let touches_open = opens(from) || file.flows.iter().any(|flow| opens(flow.to as usize));
        if touches_open {
            let ends = Ends { reader, graph: &graph, traffic: &traffic, open: &open, places: &places, shown: &shown };
            ends.links(file.record.id, uses, &mut weights)?;
            continue;
        }
        let wanted = |flow: &&super::traffic::Flow| {
            shown[flow.to as usize]
                && uses.count(flow.kind, flow.certainty)
                && !(flow.names_only && uses.kinds.is_empty())
        };
        for flow in file.flows.iter().filter(wanted) {
            let (a, b) = (places[from], places[flow.to as usize]);
            if a != b {
                let pair = (Key::Path(a.to_owned()), Key::Path(b.to_owned()));
                weights.entry(pair).or_default().add(flow.kind, flow.certainty, u64::from(flow.count));
            }
        }
    }
    for place in traffic.files.iter().zip(&shown).filter(|(file, shown)| **shown && open.contains(&file.record.path)) {
        for row in entities(&graph, place.0.record.id)? {
            nodes.entry(Key::Symbol(row)).or_default();
        }
    }
    answer(reader, &graph, nodes, weights, open, question.limit)
}

/// What is known of the files behind a node.
#[derive(Clone, Default)]
struct Stats {
    files: usize,
    lines: u64,
    tests: usize,
    languages: BTreeMap<String, u64>,
}

impl Stats {
    fn add(&mut self, record: &codegraph_store::FileRecord) {
        self.files += 1;
        self.lines += u64::from(record.lines);
        self.tests += usize::from(is_test(&record.path));
        *self.languages.entry(record.language.clone()).or_default() += u64::from(record.lines).max(1);
    }
}

/// The outermost part of a path that is not opened.
fn visible<'p>(path: &'p str, open: &BTreeSet<String>) -> &'p str {
    let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
    ends.into_iter().find(|folder| !open.contains(*folder)).unwrap_or(path)
}

/// Opens the largest folder, again and again, until there is something to see.
fn opened(paths: &[&str]) -> BTreeSet<String> {
    let files: FxHashSet<&str> = paths.iter().copied().collect();
    let mut open = BTreeSet::new();
    let mut closed: BTreeSet<String> = BTreeSet::new();
    loop {
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for path in paths {
            *sizes.entry(visible(path, &open)).or_default() += 1;
        }
        let folders = sizes.iter().filter(|(path, _)| !files.contains(*path) && !closed.contains(**path));
        let largest = folders.max_by_key(|(path, files)| (**files, std::cmp::Reverse(**path)));
        let Some((largest, _)) = largest.filter(|_| sizes.len() < ENOUGH) else { return open };
        let largest = (*largest).to_owned();
        let mut with = open.clone();
        with.insert(largest.clone());
        let children: BTreeSet<&str> = paths.iter().map(|path| visible(path, &with)).collect();
        if children.len() > TOO_MANY {
            closed.insert(largest)
        } else {
            open.insert(largest)
        };
    }
}

/// Opens what is all that an opened folder holds: nobody wants to open one folder after the other to see one folder.
fn through(paths: &[&str], mut open: BTreeSet<String>) -> BTreeSet<String> {
    loop {
        let mut only: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for path in paths {
            for (at, _) in path.match_indices('/').filter(|(at, _)| open.contains(&path[..*at])) {
                let end = path[at + 1..].find('/').map_or(path.len(), |next| at + 1 + next);
                // A file is no folder that could be opened.
                let child = (end < path.len()).then_some(&path[..end]);
                only.entry(&path[..at]).and_modify(|one| *one = one.filter(|one| Some(*one) == child)).or_insert(child);
            }
        }
        let more: Vec<&str> = only.into_values().flatten().filter(|child| !open.contains(*child)).collect();
        if more.is_empty() {
            return open;
        }
        open.extend(more.into_iter().map(str::to_owned));
    }
}

/// Finds the node of each end of a reference, where a file is opened.
struct Ends<'a, 'r> {
    reader: &'a Reader,
    graph: &'a Graph<'r>,
    traffic: &'a Traffic,
    open: &'a BTreeSet<String>,
    places: &'a [&'a str],
    shown: &'a [bool],
}

impl Ends<'_, '_> {
    fn links(&self, file: FileId, uses: &Uses, weights: &mut Weights) -> Result<()> {
        self.reader.go_on()?;
        let file = self.graph.file(file)?;
        for bound in &file.links.bound {
            let LinkTarget::Symbol(to) = file.links.target(bound) else { continue };
            let site = file.site(bound);
            let names_only = to.symbol.0 == 0 && site.reference.kind == RefKind::Import && uses.kinds.is_empty();
            if names_only || !uses.count(site.reference.kind, site.certainty) {
                continue;
            }
            let (Some(from), Some(to)) = (self.end(site.user)?, self.end(*to)?) else { continue };
            if from != to {
                weights.entry((from, to)).or_default().add(site.reference.kind, site.certainty, 1);
            }
        }
        Ok(())
    }

    fn end(&self, row: SymbolRow) -> Result<Option<Key>> {
        let Some(place) = self.traffic.place(row.file).filter(|place| self.shown[*place]) else { return Ok(None) };
        if !self.open.contains(&self.traffic.files[place].record.path) {
            return Ok(Some(Key::Path(self.places[place].to_owned())));
        }
        Ok(Some(Key::Symbol(self.graph.entity(row)?)))
    }
}

/// The functions, methods and types of a file.
fn entities(graph: &Graph<'_>, file: FileId) -> Result<Vec<SymbolRow>> {
    let outline = graph.reader.outline(file)?;
    let symbols = outline.facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind.entity().is_some());
    Ok(symbols.map(|(place, _)| SymbolRow::new(file, SymbolId(place as u32))).collect())
}

/// The symbols around one: what uses it and what it uses, step by step.
fn around(reader: &Reader, question: &Network, uses: &Uses, selector: &Selector) -> Result<NetworkAnswer> {
    let graph = Graph::new(reader);
    let start = match select(reader, selector)? {
        Selection::One(view, id) => SymbolRow::new(view.record.id, id),
        Selection::Other(other) => {
            let remarks = other.remarks;
            return Ok(NetworkAnswer { nodes: Vec::new(), edges: Vec::new(), open: Vec::new(), left_out: 0, remarks });
        }
    };
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let wanted = |row: SymbolRow| -> Result<bool> {
        let path = &reader.record(row.file)?.path;
        Ok(filter.accepts(path) && !(question.no_tests && is_test(path)))
    };
    let mut seen: FxHashSet<SymbolRow> = FxHashSet::from_iter([start]);
    // Walking from both ends meets a reference twice.
    let mut counted: FxHashSet<(SymbolRow, u32, SymbolRow)> = FxHashSet::default();
    let mut weights = Weights::default();
    let mut level = vec![start];
    let mut left_out = 0;
    for _ in 0..question.depth.clamp(1, FARTHEST) {
        let mut next = Vec::new();
        for row in level {
            for (site, from, to) in uses_around(&graph, row)? {
                let other = if from == row { to } else { from };
                if from == to || !uses.count(site.reference.kind, site.certainty) || !wanted(other)? {
                    continue;
                }
                if !seen.contains(&other) {
                    if seen.len() >= question.limit {
                        left_out += 1;
                        continue;
                    }
                    seen.insert(other);
                    next.push(other);
                }
                if counted.insert((site.user, site.reference.span.start, to)) {
                    let weight = weights.entry((Key::Symbol(from), Key::Symbol(to))).or_default();
                    weight.add(site.reference.kind, site.certainty, 1);
                }
            }
        }
        level = next;
    }
    let nodes = seen.into_iter().map(|row| (Key::Symbol(row), Stats::default())).collect();
    let mut found = answer(reader, &graph, nodes, weights, BTreeSet::new(), question.limit)?;
    found.left_out += left_out;
    Ok(found)
}

/// Who uses a symbol, and what it uses, with the entities on both sides.
fn uses_around(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<(Site, SymbolRow, SymbolRow)>> {
    let mut found = Vec::new();
    for site in graph.uses_of(row)? {
        found.push((site, graph.entity(site.user)?, row));
    }
    for used in graph.uses_by(row)? {
        if let LinkTarget::Symbol(to) = used.target {
            found.push((used.site, row, graph.entity(to)?));
        }
    }
    Ok(found)
}

fn answer(
    reader: &Reader,
    graph: &Graph<'_>,
    nodes: BTreeMap<Key, Stats>,
    weights: Weights,
    open: BTreeSet<String>,
    limit: usize,
) -> Result<NetworkAnswer> {
    let kept = heaviest(&nodes, &weights, limit);
    let left_out = nodes.len() - kept.len();
    let mut describer = Describer::new(graph);
    let mut shown = Vec::with_capacity(kept.len());
    for key in kept {
        shown.push((node(reader, &mut describer, &key, &nodes[&key])?, key));
    }
    shown.sort_by(|a, b| a.0.id.cmp(&b.0.id));
    let numbers: FxHashMap<&Key, usize> = shown.iter().enumerate().map(|(i, (_, key))| (key, i)).collect();
    let mut edges = Vec::new();
    for ((from, to), weight) in weights {
        if let (Some(from), Some(to)) = (numbers.get(&from), numbers.get(&to)) {
            let Weight { references, exact, kinds } = weight;
            edges.push(NetworkEdge { from: *from, to: *to, references, exact, kinds });
        }
    }
    edges.sort_by_key(|edge| (edge.from, edge.to));
    let mut nodes: Vec<NetworkNode> = shown.into_iter().map(|(node, _)| node).collect();
    mark_cycles(&mut nodes, &edges);
    Ok(NetworkAnswer { nodes, edges, open: open.into_iter().collect(), left_out, remarks: describer.remarks })
}

/// The nodes with the most references.
fn heaviest(nodes: &BTreeMap<Key, Stats>, weights: &Weights, limit: usize) -> Vec<Key> {
    let mut all: Vec<Key> = nodes.keys().cloned().collect();
    if all.len() > limit {
        let mut sums: FxHashMap<&Key, u64> = FxHashMap::default();
        for ((from, to), weight) in weights {
            *sums.entry(from).or_default() += weight.references;
            *sums.entry(to).or_default() += weight.references;
        }
        all.sort_by_key(|key| std::cmp::Reverse(sums.get(key).copied().unwrap_or(0)));
        all.truncate(limit);
    }
    all
}

fn node(reader: &Reader, describer: &mut Describer<'_, '_>, key: &Key, stats: &Stats) -> Result<NetworkNode> {
    match key {
        Key::Symbol(row) => {
            let brief = describer.brief(*row)?;
            let record = reader.record(row.file)?;
            Ok(NetworkNode {
                id: brief.symbol_id,
                label: if brief.name.is_empty() { file_name(&brief.file).to_owned() } else { brief.name },
                node_type: NodeType::Symbol,
                kind: Some(brief.kind),
                fqn: Some(brief.fqn),
                test: is_test(&brief.file),
                path: brief.file,
                line_number: Some(brief.line_number),
                language: record.language.clone(),
                files: 0,
                lines: u64::from(brief.end_line.saturating_sub(brief.line_number)) + 1,
                cycle: None,
            })
        }
        Key::Path(path) => {
            let is_file = reader.store().file_id(path)?.is_some();
            let most = stats.languages.iter().max_by_key(|(name, lines)| (**lines, std::cmp::Reverse(*name)));
            Ok(NetworkNode {
                id: path.clone(),
                label: file_name(path).to_owned(),
                node_type: if is_file { NodeType::File } else { NodeType::Folder },
                kind: None,
                fqn: None,
                path: path.clone(),
                line_number: None,
                language: most.map_or_else(String::new, |(name, _)| name.clone()),
                files: stats.files,
                lines: stats.lines,
                test: stats.tests * 2 > stats.files,
                cycle: None,
            })
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn mark_cycles(nodes: &mut [NetworkNode], edges: &[NetworkEdge]) {
    let mut to: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    edges.iter().for_each(|edge| to[edge.from].push(edge.to as u32));
    let mut groups = components(&to);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort();
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|node| nodes[*node as usize].cycle = Some(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_as_the_first_folder_that_is_closed() {
        let open: BTreeSet<String> = ["a", "a/b"].map(str::to_owned).into();
        assert_eq!(visible("a/b/c/d.py", &open), "a/b/c");
        assert_eq!(visible("a/b/d.py", &open), "a/b/d.py");
        assert_eq!(visible("x/b/d.py", &open), "x");
        assert_eq!(visible("d.py", &open), "d.py");
    }

    #[test]
    fn a_folder_in_which_there_is_one_folder_is_opened_with_it() {
        let open = |paths: &[&str]| through(paths, ["a".to_owned()].into());
        assert_eq!(open(&["a/b/c/x.py", "a/b/c/y.py", "d/e/z.py"]), ["a", "a/b", "a/b/c"].map(str::to_owned).into());
        assert_eq!(open(&["a/b/x.py", "a/y.py"]), ["a".to_owned()].into());
        assert_eq!(open(&["a/b/x.py", "a/c/y.py"]), ["a".to_owned()].into());
    }

    #[test]
    fn the_largest_folders_are_opened_until_there_is_something_to_see() {
        let many: Vec<String> = (0..100).map(|i| format!("src/p{}/f{i}.py", i % 30)).collect();
        let mut paths: Vec<&str> = many.iter().map(String::as_str).collect();
        paths.push("setup.py");
        assert_eq!(opened(&paths), ["src"].map(str::to_owned).into());
        let flat: Vec<String> = (0..200).map(|i| format!("src/f{i}.py")).collect();
        let flat: Vec<&str> = flat.iter().map(String::as_str).collect();
        assert!(opened(&flat).is_empty(), "a folder of hundreds of files stays closed");
    }
}
