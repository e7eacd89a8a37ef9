//! Where a name is used, whatever it means there; and what a symbol or a file uses, each thing once.

use std::collections::BTreeMap;

use codegraph_model::{Certainty, RefKind};
use codegraph_store::{LinkTarget, SymbolRow};
use serde::Serialize;

use crate::graph::Graph;
use crate::lookup::{self, Wanted};
use crate::paths::FileFilter;
use crate::refs::{ref_kinds, uses};
use crate::relation::{Describer, SymbolBrief};
use crate::select::{Selection, Unselected, select};
use crate::unbound::Wished;
use crate::{Reader, Remarks, Result, Selector, UseKind, Window};

/// A question for the uses of everything that a text can mean.
#[derive(Clone, Debug, Default)]
pub struct FindUsages {
    pub name: Selector,
    /// Only these kinds of use; all if empty.
    pub kinds: Vec<String>,
    pub file_filter: Option<String>,
    /// Show the lines alone.
    pub compact: bool,
    pub window: Window,
}

/// One use.
#[derive(Clone, Debug, Serialize)]
pub struct Usage {
    pub file_path: String,
    pub line: u32,
    pub usage_type: RefKind,
    /// What is used; absent where only the name is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The symbol around the use.
    pub context: String,
    /// Its simple name; nothing at the top of a file.
    #[serde(skip)]
    pub context_name: String,
    pub certainty: Certainty,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The uses of a name: proved ones first, then those that only have the name.
#[derive(Clone, Debug, Serialize)]
pub struct FindUsagesAnswer {
    pub name: String,
    /// The symbols that the name means.
    pub symbols: Vec<SymbolBrief>,
    pub usages: Vec<Usage>,
    pub total: usize,
    /// How many of all are not proved.
    pub candidates: usize,
    /// How many have the name but are known to be something else.
    pub elsewhere: u64,
    /// The lines alone are to be shown.
    #[serde(skip)]
    pub compact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers where a name is used.
pub fn find_usages(reader: &Reader, question: &FindUsages) -> Result<FindUsagesAnswer> {
    let kinds = ref_kinds(&question.kinds)?;
    let files = FileFilter::new(question.file_filter.as_deref())?;
    let mut meant = lookup::by_selector(reader, &question.name, false, &Wanted::anything())?;
    let best = meant.first().map(|candidate| candidate.rank);
    meant.retain(|candidate| Some(candidate.rank) == best);
    let graph = Graph::new(reader);
    let mut describer = Describer::new(&graph);
    let (mut proved, mut symbols) = (Vec::new(), Vec::new());
    let (mut open, mut named) = (BTreeMap::new(), 0);
    let kind = |kind: RefKind| kinds.is_empty() || kinds.contains(&kind);
    let wished = Wished { files: &files, kind: &kind, listed: Some(Window::ALL), few: false };
    for candidate in &meant {
        let row = SymbolRow::new(candidate.file.id, candidate.symbol);
        let brief = describer.brief(row)?;
        for site in uses(&graph, row)? {
            proved.push((describer.site(&site)?, Some(brief.fqn.clone())));
        }
        let unbound = describer.unbound(&[row], &wished)?;
        named = named.max(unbound.total + unbound.elsewhere);
        for site in unbound.candidates {
            open.insert((site.file.clone(), site.byte_start), site);
        }
        symbols.push(brief);
    }
    let elsewhere = named.saturating_sub(open.len() as u64);
    let mut all = proved;
    all.sort_by(|a, b| (&a.0.file, a.0.byte_start).cmp(&(&b.0.file, b.0.byte_start)));
    all.extend(open.into_values().map(|site| (site, None)));
    all.retain(|(site, _)| files.accepts(&site.file));
    all.retain(|(site, _)| kinds.is_empty() || kinds.contains(&site.kind));
    let mut remarks = describer.remarks;
    if all.is_empty() {
        remarks.cover(reader, &["locals and parameters", "comments", "strings"])?;
        if symbols.is_empty() {
            remarks.nearest = crate::find::near(reader, &question.name.text())?;
        }
    }
    Ok(FindUsagesAnswer {
        name: question.name.text(),
        symbols,
        usages: question
            .window
            .of(&all)
            .iter()
            .map(|(site, target)| Usage {
                file_path: site.file.clone(),
                line: site.line_number,
                usage_type: site.kind,
                target: target.clone(),
                context: site.user.fqn.clone(),
                context_name: if site.user.kind.is_module() { String::new() } else { site.user.name.clone() },
                certainty: site.certainty,
                text: site.text.clone(),
            })
            .collect(),
        total: all.len(),
        candidates: all.iter().filter(|(site, _)| site.certainty == Certainty::Candidate).count(),
        next_offset: question.window.next(all.len()),
        elsewhere,
        compact: question.compact,
        remarks,
    })
}

/// A question for what a symbol or a file uses.
#[derive(Clone, Debug, Default)]
pub struct FindDependencies {
    /// A symbol as everywhere, or a file.
    pub name: Selector,
    pub window: Window,
}

/// What something uses, or why no symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum FindDependenciesAnswer {
    Found(Box<DependencyList>),
    Unselected(Unselected),
}

/// Something that is used.
#[derive(Clone, Debug, Serialize)]
pub struct Dependency {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolBrief>,
    pub external: bool,
    /// What is done to it: call, instantiation, attribute, inherit, import.
    pub usage_types: Vec<UseKind>,
    pub uses: usize,
    /// The first use.
    pub file_path: String,
    pub line: u32,
}

/// Everything that a symbol or a file uses, in the order of its first use.
#[derive(Clone, Debug, Serialize)]
pub struct DependencyList {
    pub symbol: SymbolBrief,
    pub dependencies: Vec<Dependency>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers what a symbol or a file uses, apart from what is inside it.
pub fn find_dependencies(reader: &Reader, question: &FindDependencies) -> Result<FindDependenciesAnswer> {
    let row = match select(reader, &question.name)? {
        Selection::One(view, id) => SymbolRow::new(view.record.id, id),
        Selection::Other(other) => return Ok(FindDependenciesAnswer::Unselected(other)),
    };
    let graph = Graph::new(reader);
    let file = graph.file(row.file)?;
    let mut found: Vec<(LinkTarget, Vec<crate::graph::Site>)> = Vec::new();
    let mut places: BTreeMap<LinkTarget, usize> = BTreeMap::new();
    for used in graph.uses_by(row)? {
        let inside = matches!(used.target, LinkTarget::Symbol(target)
            if target.file == row.file && file.is_inside(target.symbol, row.symbol));
        if inside {
            continue;
        }
        let place = *places.entry(used.target.clone()).or_insert_with(|| {
            found.push((used.target.clone(), Vec::new()));
            found.len() - 1
        });
        found[place].1.push(used.site);
    }
    let mut describer = Describer::new(&graph);
    let dependencies = question.window.of(&found).iter();
    let dependencies = dependencies.map(|(target, sites)| dependency(&mut describer, target, sites));
    Ok(FindDependenciesAnswer::Found(Box::new(DependencyList {
        dependencies: dependencies.collect::<Result<_>>()?,
        symbol: describer.brief(row)?,
        total: found.len(),
        next_offset: question.window.next(found.len()),
        remarks: describer.remarks,
    })))
}

fn dependency(
    describer: &mut Describer<'_, '_>,
    target: &LinkTarget,
    sites: &[crate::graph::Site],
) -> Result<Dependency> {
    let view = describer.view(sites[0].user)?;
    let mut usage_types: Vec<UseKind> = sites.iter().map(|site| site.reference.kind.into()).collect();
    usage_types.sort_unstable();
    usage_types.dedup();
    let symbol = match target {
        LinkTarget::Symbol(row) => Some(describer.brief(*row)?),
        LinkTarget::External(_) => None,
    };
    Ok(Dependency {
        name: describer.target(&view.record, target)?,
        external: symbol.is_none(),
        symbol,
        usage_types,
        uses: sites.len(),
        file_path: view.record.path.clone(),
        line: view.facts().line_of(sites[0].reference.span.start),
    })
}
