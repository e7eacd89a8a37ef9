//! Which files refer to which, of the whole project at once: read once per state of the index.

use std::sync::Arc;

use codegraph_model::{Certainty, FileId, RefKind};
use codegraph_store::{FileRecord, LinkTarget};
use rustc_hash::FxHashMap;

use crate::graph::Graph;
use crate::{Reader, Result};

/// How often a file uses another one in one way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    /// Place in [`Traffic::files`].
    pub(crate) to: u32,
    pub(crate) kind: RefKind,
    pub(crate) certainty: Certainty,
    pub(crate) count: u32,
    /// It imports the module and no more: a name on the way to what is used, which counts for itself.
    pub(crate) names_only: bool,
}

/// The references of one file.
pub(crate) struct FileTraffic {
    pub(crate) record: Arc<FileRecord>,
    pub(crate) references: u32,
    /// Those that mean something of the project.
    pub(crate) inside: u32,
    /// Those that mean something outside of it.
    pub(crate) outside: u32,
    /// Those whose name the project defines, without proof that it is meant.
    pub(crate) unproven: u32,
    /// To other files.
    pub(crate) flows: Vec<Flow>,
}

/// The references of all files, in the order of the index.
pub(crate) struct Traffic {
    pub(crate) files: Vec<FileTraffic>,
    places: FxHashMap<FileId, u32>,
}

impl Traffic {
    pub(crate) fn of(reader: &Reader) -> Result<Arc<Traffic>> {
        if let Some(known) = reader.traffic() {
            return Ok(known);
        }
        let gathered = Arc::new(Traffic::gather(reader)?);
        reader.keep_traffic(&gathered);
        Ok(gathered)
    }

    fn gather(reader: &Reader) -> Result<Traffic> {
        let records: Vec<Arc<FileRecord>> = reader.store().files()?.into_iter().map(Arc::new).collect();
        let places: FxHashMap<FileId, u32> = records.iter().enumerate().map(|(i, r)| (r.id, i as u32)).collect();
        let graph = Graph::new(reader);
        let files = records.into_iter().map(|record| FileTraffic::of(&graph, record, &places));
        Ok(Traffic { files: files.collect::<Result<_>>()?, places })
    }

    pub(crate) fn place(&self, file: FileId) -> Option<usize> {
        self.places.get(&file).map(|place| *place as usize)
    }
}

impl FileTraffic {
    fn of(graph: &Graph<'_>, record: Arc<FileRecord>, places: &FxHashMap<FileId, u32>) -> Result<FileTraffic> {
        let file = graph.file(record.id)?;
        let mut counts: FxHashMap<(u32, RefKind, Certainty, bool), u32> = FxHashMap::default();
        let (mut inside, mut outside) = (0, 0);
        for bound in &file.links.bound {
            let LinkTarget::Symbol(row) = file.links.target(bound) else {
                outside += 1;
                continue;
            };
            inside += 1;
            let reference = &file.stored.facts.refs[bound.reference.index()];
            if let (true, Some(to)) = (row.file != record.id, places.get(&row.file)) {
                let kind = bound.kind(reference);
                let names_only = row.symbol.0 == 0 && kind == RefKind::Import;
                *counts.entry((*to, kind, bound.certainty, names_only)).or_default() += 1;
            }
        }
        let flow = |((to, kind, certainty, names_only), count)| Flow { to, kind, certainty, count, names_only };
        let mut flows: Vec<Flow> = counts.into_iter().map(flow).collect();
        flows.sort_unstable_by_key(|flow| (flow.to, flow.kind, flow.certainty, flow.names_only));
        let references = file.stored.facts.refs.len() as u32;
        Ok(FileTraffic { record, references, inside, outside, unproven: file.links.unbound.len() as u32, flows })
    }
}
