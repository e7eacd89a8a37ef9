//! What a project holds besides the languages that are known: how many files of which kind were not read.

use std::path::Path;
use std::sync::Mutex;

use ignore::overrides::Override;
use ignore::types::Types;
use rustc_hash::FxHashMap;

use crate::every_file::{EveryFile, every_file};
use crate::{Project, Result};

/// Extensions with how many files have them, the most frequent first; files without one are counted as `(none)`. What
/// ignore rules leave out is not counted.
pub fn unread(project: &Project) -> Result<Vec<(String, u64)>> {
    let which =
        EveryFile { paths: Vec::new(), globs: Override::empty(), types: Types::empty(), hidden: false, ignored: false };
    let all: Mutex<FxHashMap<String, u64>> = Mutex::default();
    every_file(project, &which, || {
        let all = &all;
        move |path: &Path, _| {
            if let Some(extension) = unknown(path) {
                *all.lock().expect("no thread panics with it").entry(extension).or_default() += 1;
            }
            true
        }
    })?;
    let mut counts: Vec<(String, u64)> = all.into_inner().expect("no thread panics with it").into_iter().collect();
    counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(counts)
}

/// The extension of a file that no language claims.
fn unknown(path: &Path) -> Option<String> {
    let name = path.to_str()?;
    let known = codegraph_languages::for_path(name).next().is_some() || codegraph_languages::is_told_by_text(name);
    let extension = || path.extension().and_then(|ext| ext.to_str()).map(str::to_ascii_lowercase);
    (!known).then(|| extension().unwrap_or_else(|| "(none)".to_owned()))
}
