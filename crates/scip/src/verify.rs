//! How good our links are: the index of a project against one that a compiler made of the same tree.

use std::collections::BTreeMap;

use codegraph_live::on_deep_stack;
use codegraph_model::Certainty;
use codegraph_query::Reader;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::export::each_document;
use crate::read::Truth;
use crate::score::{
    Digest, Digester, Edges, MissClass, Pos, Sources, Table, classify, misses, score_definitions, score_edges,
    score_references, wrong,
};
use crate::{ExportOptions, Result};

/// Names of files that are listed at most.
const MOST_NAMED: usize = 20;

/// One of the two indexes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Who {
    pub tool: String,
    pub version: String,
    pub documents: u64,
}

/// The measures.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    pub truth: Who,
    pub candidate: Who,
    pub references: Table,
    pub tally: BTreeMap<&'static str, u64>,
    pub definitions: Table,
    pub edges: Edges,
    /// Largest class first.
    pub misses: Vec<MissClass>,
    pub wrong: Vec<MissClass>,
    /// Files that the compiler's index has and ours has not: how many, and the first of them.
    pub not_indexed: Files,
    /// Files that our index has and the compiler's has not: nothing in them is scored.
    pub not_in_truth: Files,
    /// Documents of the compiler's index without a file here.
    pub not_here: Files,
}

/// Some files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Files {
    pub count: u64,
    pub first: Vec<String>,
}

impl Files {
    pub(crate) fn of(mut all: Vec<String>) -> Files {
        all.sort_unstable();
        let count = all.len() as u64;
        all.truncate(MOST_NAMED);
        Files { count, first: all }
    }
}

/// Compares the index of a project with one that a compiler made. `examples` are shown of each class of misses.
pub fn verify(reader: &mut Reader, version: &str, truth: &Truth, examples: usize) -> Result<Verification> {
    on_deep_stack(move || verify_here(reader, version, truth, examples))
}

fn verify_here(reader: &Reader, version: &str, truth_index: &Truth, examples: usize) -> Result<Verification> {
    let sources = Sources::new(reader.root());
    let truth = digest(&sources, truth_index);
    let mut candidate = Digester::new(&sources, "codegraph");
    each_document(reader, ExportOptions { symbols: false }, &mut |document| {
        candidate.add(&document);
        Ok(())
    })?;
    let candidate = candidate.finish();
    let classes = classify(&truth, &sources);
    let inferred = inferred(reader, &sources)?;
    let (references, tally) = score_references(&truth, &candidate, &classes, &sources, &inferred);
    let only = |a: &Digest, b: &Digest| {
        Files::of(a.paths.difference(&b.paths).map(|path| sources.path(*path).to_string()).collect())
    };
    Ok(Verification {
        truth: Who {
            tool: truth_index.tool().to_owned(),
            version: truth_index.version().to_owned(),
            documents: truth.paths.len() as u64,
        },
        candidate: Who {
            tool: "codegraph".to_owned(),
            version: version.to_owned(),
            documents: candidate.paths.len() as u64,
        },
        references,
        tally,
        definitions: score_definitions(&truth, &candidate),
        edges: score_edges(&truth, &candidate, &classes, &sources),
        misses: misses(&candidate, &classes, &sources, examples),
        wrong: wrong(&candidate, &classes, &sources, examples),
        not_indexed: only(&truth, &candidate),
        not_in_truth: only(&candidate, &truth),
        not_here: Files::of(truth.absent.clone()),
    })
}

/// The positions of links that an inference found.
fn inferred(reader: &Reader, sources: &Sources) -> Result<FxHashSet<Pos>> {
    let mut found = FxHashSet::default();
    for record in reader.store().files()? {
        let Some(path) = sources.number(&record.path) else { continue };
        let (stored, links) = (reader.store().uses(record.id)?, reader.store().links(record.id)?);
        for bound in links.bound.iter().filter(|bound| bound.certainty == Certainty::Inferred) {
            let (line, column) = stored.facts.position(stored.facts.refs[bound.reference.index()].span.start);
            found.insert(Pos { path, line: line - 1, column });
        }
    }
    Ok(found)
}

/// The compiler's index, reduced to what is compared.
pub(crate) fn digest(sources: &Sources, truth: &Truth) -> Digest {
    let mut digester = Digester::new(sources, truth.tool());
    truth.index.documents.iter().for_each(|document| digester.add(document));
    digester.finish()
}
