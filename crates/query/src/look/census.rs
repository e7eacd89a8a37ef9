//! A folder with what is in it, counted: sizes, symbols, and references that go out and come in.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Traffic;
use crate::{EntryType, Error, Reader, Remarks, Result};

/// A question for the content of a folder.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// The root if empty.
    pub path: String,
    /// How many levels below it; one if absent.
    pub depth: Option<usize>,
}

/// A file or a folder; counts of a folder are those of all files below it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CensusEntry {
    pub path: String,
    #[serde(rename = "type")]
    pub entry_type: EntryType,
    /// Of a folder, that of most of its lines.
    pub language: String,
    pub files: usize,
    pub lines: u64,
    pub bytes: u64,
    pub symbols: u64,
    /// References to what lies outside of it, in the project.
    pub uses: u64,
    /// References from what lies outside of it.
    pub used: u64,
    /// Files whose text was not understood completely.
    pub problems: usize,
    #[serde(skip)]
    lines_by_language: BTreeMap<String, u64>,
}

/// A folder and what is in it.
#[derive(Clone, Debug, Serialize)]
pub struct CensusAnswer {
    pub folder: CensusEntry,
    /// In path order.
    pub entries: Vec<CensusEntry>,
    pub total: usize,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// No list is longer: what is smaller is left out.
const MOST: usize = 5_000;

/// Answers what is in a folder.
pub fn census(reader: &Reader, question: &Census) -> Result<CensusAnswer> {
    let root = reader.relative(&question.path)?;
    let depth = question.depth.unwrap_or(1).max(1);
    let traffic = Traffic::of(reader)?;
    let mut entries: BTreeMap<String, CensusEntry> = BTreeMap::new();
    for file in &traffic.files {
        for (path, is_file) in around(&file.record.path, &root, depth) {
            let entry = entries.entry(path.to_owned()).or_default();
            entry.entry_type = if is_file { EntryType::File } else { EntryType::Directory };
            entry.add(&file.record);
        }
    }
    if entries.is_empty() && !root.is_empty() {
        return Err(Error::UnknownFile { nearest: crate::nearest::files(reader, &root)?, path: root });
    }
    count_references(&traffic, &root, depth, &mut entries);
    let finish = |(path, mut entry): (String, CensusEntry)| {
        entry.path = path;
        let most = entry.lines_by_language.iter().max_by_key(|(name, lines)| (**lines, std::cmp::Reverse(*name)));
        entry.language = most.map_or_else(String::new, |(name, _)| name.clone());
        entry
    };
    let folder = entries.remove(&root).unwrap_or_default();
    let folder = finish((root, folder));
    let mut entries: Vec<CensusEntry> = entries.into_iter().map(finish).collect();
    let total = entries.len();
    if total > MOST {
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.lines));
        entries.truncate(MOST);
    }
    entries.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    Ok(CensusAnswer { folder, entries, total, remarks: Remarks::of(reader) })
}

impl CensusEntry {
    fn add(&mut self, record: &codegraph_store::FileRecord) {
        self.files += 1;
        self.lines += u64::from(record.lines);
        self.bytes += record.size;
        self.symbols += u64::from(record.symbols);
        self.problems += usize::from(!record.problems.is_empty());
        *self.lines_by_language.entry(record.language.clone()).or_default() += u64::from(record.lines).max(1);
    }
}

/// The folder that is asked about and the entries below it that a file counts for, and whether one is the file itself.
fn around<'p>(path: &'p str, root: &str, depth: usize) -> Vec<(&'p str, bool)> {
    let start = match path.strip_prefix(root) {
        Some(_) if root.is_empty() => 0,
        Some("") => return vec![(path, true)],
        Some(rest) if rest.starts_with('/') => root.len() + 1,
        _ => return Vec::new(),
    };
    let mut found = vec![(&path[..root.len()], false)];
    let ends = path[start..].match_indices('/').map(|(at, _)| (start + at, false));
    let ends = ends.chain([(path.len(), true)]).take(depth);
    found.extend(ends.map(|(end, is_file)| (&path[..end], is_file)));
    found
}

/// A reference counts for an entry if only one of its ends is in it.
fn count_references(traffic: &Traffic, root: &str, depth: usize, entries: &mut BTreeMap<String, CensusEntry>) {
    let within: Vec<Vec<(&str, bool)>> =
        traffic.files.iter().map(|file| around(&file.record.path, root, depth)).collect();
    for (from, file) in traffic.files.iter().enumerate() {
        for flow in &file.flows {
            let to = flow.to as usize;
            let mut count = |of: usize, other: usize, out: bool| {
                for (path, _) in &within[of] {
                    if within[other].iter().any(|(shared, _)| shared == path) {
                        continue;
                    }
                    if let Some(entry) = entries.get_mut(*path) {
                        *(if out { &mut entry.uses } else { &mut entry.used }) += u64::from(flow.count);
                    }
                }
            };
            count(from, to, true);
            count(to, from, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn a_file_counts_for_the_folders_around_it() {
        assert_eq!(around("a/b/c.py", "", 1), [("", false), ("a", false)]);
        assert_eq!(around("a/b/c.py", "a", 2), [("a", false), ("a/b", false), ("a/b/c.py", true)]);
        assert_eq!(around("c.py", "", 3), [("", false), ("c.py", true)]);
        assert_eq!(around("c.py", "c.py", 1), [("c.py", true)]);
        assert!(around("ab/c.py", "a", 1).is_empty());
    }
}
