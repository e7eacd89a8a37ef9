//! The files and symbols that most other files refer to.

use std::cmp::Reverse;

use codegraph_store::SymbolRow;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::Traffic;
use crate::graph::Graph;
use crate::paths::is_test;
use crate::relation::{Describer, SymbolBrief};
use crate::{Reader, Remarks, Result};

/// How many of each are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Central {
    pub limit: usize,
}

/// A file that others use.
#[derive(Clone, Debug, Serialize)]
pub struct CentralFile {
    pub file: String,
    pub language: String,
    pub lines: u32,
    /// Other files that refer to it, tests apart.
    pub used_by_files: usize,
    pub used_by_tests: usize,
    /// References from other files.
    pub references: u64,
}

/// A symbol that others use.
#[derive(Clone, Debug, Serialize)]
pub struct CentralSymbol {
    #[serde(flatten)]
    pub symbol: SymbolBrief,
    pub used_by_files: usize,
}

/// What most others refer to, the most used first. Tests use things, but are not what is central.
#[derive(Clone, Debug, Serialize)]
pub struct CentralAnswer {
    pub files: Vec<CentralFile>,
    pub symbols: Vec<CentralSymbol>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers what is central.
pub fn central(reader: &Reader, question: &Central) -> Result<CentralAnswer> {
    let traffic = Traffic::of(reader)?;
    let mut files = files(&traffic);
    files.retain(|file| file.used_by_files > 0);
    files.sort_by(|a, b| {
        let rank = |file: &CentralFile| Reverse((file.used_by_files, file.references));
        rank(a).cmp(&rank(b)).then_with(|| a.file.cmp(&b.file))
    });
    files.truncate(question.limit);
    let graph = Graph::new(reader);
    let mut describer = Describer::new(&graph);
    let mut symbols = Vec::new();
    for (used_by_files, row) in symbols_by_use(reader, &traffic)?.into_iter().take(question.limit) {
        symbols.push(CentralSymbol { symbol: describer.brief(row)?, used_by_files });
    }
    Ok(CentralAnswer { files, symbols, remarks: describer.remarks })
}

fn files(traffic: &Traffic) -> Vec<CentralFile> {
    let row = |file: &super::traffic::FileTraffic| CentralFile {
        file: file.record.path.clone(),
        language: file.record.language.clone(),
        lines: file.record.lines,
        used_by_files: 0,
        used_by_tests: 0,
        references: 0,
    };
    let mut rows: Vec<CentralFile> = traffic.files.iter().map(row).collect();
    for file in &traffic.files {
        let test = is_test(&file.record.path);
        let mut last = None;
        for flow in file.flows.iter().filter(|flow| !flow.names_only) {
            let row = &mut rows[flow.to as usize];
            row.references += u64::from(flow.count);
            if last.replace(flow.to) != Some(flow.to) {
                *(if test { &mut row.used_by_tests } else { &mut row.used_by_files }) += 1;
            }
        }
    }
    rows.retain(|row| !is_test(&row.file));
    rows
}

/// Symbols with how many files use each that hold no tests.
fn symbols_by_use(reader: &Reader, traffic: &Traffic) -> Result<Vec<(usize, SymbolRow)>> {
    let is_own = |file: &&super::traffic::FileTraffic| !is_test(&file.record.path);
    let own: FxHashSet<_> = traffic.files.iter().filter(is_own).map(|file| file.record.id).collect();
    let mut used = Vec::new();
    for file in traffic.files.iter().filter(is_own) {
        reader.go_on()?;
        let mut pairs = reader.store().all_sources(file.record.id)?;
        pairs.retain(|(symbol, user)| *user != file.record.id && symbol.0 != 0 && own.contains(user));
        pairs.sort_unstable();
        pairs.dedup();
        let runs = pairs.chunk_by(|a, b| a.0 == b.0);
        used.extend(runs.map(|run| (run.len(), SymbolRow::new(file.record.id, run[0].0))));
    }
    used.sort_unstable_by_key(|(files, row)| (Reverse(*files), *row));
    Ok(used)
}
