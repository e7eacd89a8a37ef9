//! Questions that go on into linked projects: a symbol that is defined there, and where this project uses it.
//!
//! A project knows what lies outside by its path of names. A linked project says what such a path means in it, by the
//! same rules by which its own files import.

use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{FileId, Import, ImportFlags, SymbolId, SymbolKind, TermId, TermMask};
use codegraph_resolve::{Linker, Target};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Site, is_call};
use crate::offers::OfferedTo;
use crate::select::{Selection, Unselected, select};
use crate::{Reader, Remarks, Result, Selector, vocabulary};

/// The symbol that a selector means, and the project that has it. A name that several projects have means none of them
/// alone: all are offered.
pub(crate) fn select_across<'r>(reader: &'r Reader, selector: &Selector) -> Result<(&'r Reader, Selection<'r>)> {
    let own = select(reader, selector)?;
    let place = matches!(selector, Selector::Place(_));
    let mut found: Vec<(&'r Reader, Selection<'r>)> = Vec::new();
    let is_known = |selection: &Selection<'_>| !matches!(selection, Selection::Other(other) if !other.ambiguous);
    if is_known(&own) && (place || reader.linked().is_empty()) {
        return Ok((reader, own));
    }
    let mut unknown = match own {
        Selection::Other(own) if !own.ambiguous => Some(own),
        own => {
            found.push((reader, own));
            None
        }
    };
    for linked in reader.linked() {
        match (select(linked, selector)?, &mut unknown) {
            (Selection::Other(other), own) if !other.ambiguous => {
                // An empty answer covers all that were asked.
                own.iter_mut().for_each(|own| own.remarks.join(linked, other.remarks.clone(), false));
            }
            (selection, _) => found.push((linked, selection)),
        }
    }
    match (found.len(), unknown) {
        (0, Some(own)) => Ok((reader, Selection::Other(own))),
        (1, _) => Ok(found.remove(0)),
        _ => Ok((reader, Selection::Other(offered(reader, selector, found)?))),
    }
}

/// The choices of several projects.
fn offered(reader: &Reader, selector: &Selector, found: Vec<(&Reader, Selection<'_>)>) -> Result<Unselected> {
    let mut all = Unselected {
        selector: selector.text(),
        ambiguous: true,
        choices: Vec::new(),
        total: 0,
        remarks: Remarks::of(reader),
    };
    for (home, selection) in found {
        match selection {
            Selection::One(view, id) => {
                let source = home.source(&view.record).ok();
                all.choices.push(view.info(id, source.as_ref()));
                all.total += 1;
            }
            Selection::Other(other) => {
                all.choices.extend(other.choices);
                all.total += other.total;
            }
        }
    }
    Ok(all)
}

/// Where the project uses a symbol of a linked one, by path and position. A constructor is used where its type is made.
pub(crate) fn sites_into(own: &Graph<'_>, home: &Graph<'_>, row: SymbolRow) -> Result<Vec<Site>> {
    let view = home.reader.view_of(row.file)?;
    let symbol = view.symbol(row.symbol);
    if symbol.kind == SymbolKind::Constructor && symbol.parent.is_some() {
        let made = sites_into(own, home, SymbolRow::new(row.file, symbol.parent))?;
        return Ok(made.into_iter().filter(|site| is_call(site.reference.kind)).collect());
    }
    let named = symbol.name.get().map(|_| view.name(row.symbol));
    let term = named.map(|name| own.reader.store.term(name)).transpose()?.flatten();
    // Who imports a default calls it as they like.
    let has_defaults = vocabulary::language(&view.record.language)?.linking.exports_apart;
    let mut files = Vec::new();
    match term {
        _ if has_defaults => files.extend(own.reader.store.stamps()?.into_iter().map(|file| (file.path, file.id))),
        Some(term) => {
            for file in own.reader.store.mentioning(term, TermMask::CODE)? {
                files.push((own.reader.record(file)?.path.clone(), file));
            }
        }
        None => return Ok(Vec::new()),
    }
    files.sort_unstable();
    let live = Live::new(&home.reader.store);
    let mut gate = Gate::of(home, &live);
    let mut sites = Vec::new();
    for (_, file) in files {
        let linked = own.file(file)?;
        for (place, target) in linked.links.targets.iter().enumerate() {
            let LinkTarget::External(path) = target else { continue };
            if path.last() != term.as_ref() && !has_defaults {
                continue;
            }
            let bound = linked.links.bound.iter().filter(|bound| bound.target as usize == place);
            for site in bound.map(|bound| linked.site(bound)) {
                if gate.enter_from(own, &site, path)? == Some(row) {
                    sites.push(site);
                }
            }
        }
    }
    live.check()?;
    Ok(sites)
}

/// Looks paths of one project up in another.
pub(crate) struct Gate<'g, 'r> {
    home: &'g Graph<'r>,
    linker: Linker<'g>,
    /// By language, a file of the other project that imports as files of that language do.
    samples: FxHashMap<String, Option<FileId>>,
    known: FxHashMap<(Option<FileId>, Vec<TermId>, bool), Option<SymbolRow>>,
}

impl<'g, 'r> Gate<'g, 'r> {
    pub(crate) fn of(home: &'g Graph<'r>, live: &'g Live<'_>) -> Gate<'g, 'r> {
        Gate { home, linker: Linker::new(live), samples: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// What a path means at a place that uses it. A default has the name that its importer gives it.
    pub(crate) fn enter_from(&mut self, own: &Graph<'_>, site: &Site, path: &[TermId]) -> Result<Option<SymbolRow>> {
        let file = own.file(site.user.file)?;
        let is_default = |import: &Import| {
            let names_it = import.alias == site.reference.name || import.span.contains(site.reference.span.start);
            import.flags.has(ImportFlags::DEFAULT) && names_it
        };
        let of_default = file.stored.facts.imports.iter().any(is_default);
        // Who calls a module means what it is worth.
        let of_default = of_default || OfferedTo::means_value(site.reference.kind);
        self.enter(own.reader, site.user.file, path, of_default)
    }

    fn enter(&mut self, reader: &Reader, from: FileId, path: &[TermId], default: bool) -> Result<Option<SymbolRow>> {
        let sample = self.sample(&reader.record(from)?.language)?;
        let key = (sample, path.to_vec(), default);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let names = path.iter().map(|name| Ok(reader.store.text(*name)?)).collect::<Result<Vec<_>>>()?;
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let linker = &mut self.linker;
        let target = sample.and_then(|file| {
            on_deep_stack(|| match default {
                true => linker.entered_default(file.0, &names).or_else(|| linker.entered(file.0, &names)),
                false => linker.entered(file.0, &names),
            })
        });
        let found = match target {
            Some(Target::Symbol(sym)) => Some(SymbolRow::new(FileId(sym.file), sym.symbol)),
            Some(Target::Module(file)) => Some(SymbolRow::new(FileId(file), SymbolId(0))),
            _ => None,
        };
        self.known.insert(key, found);
        Ok(found)
    }

    fn sample(&mut self, language: &str) -> Result<Option<FileId>> {
        if let Some(known) = self.samples.get(language) {
            return Ok(*known);
        }
        let wanted = vocabulary::language(language)?;
        let mut found = None;
        for record in self.home.reader.store.files()? {
            if vocabulary::language(&record.language)?.is_related(wanted) {
                found = Some(record.id);
                break;
            }
        }
        self.samples.insert(language.to_owned(), found);
        Ok(found)
    }
}
