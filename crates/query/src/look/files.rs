//! Files by a part of their path, the best match first: for who types.

use serde::Serialize;

use crate::paths::{FileFilter, is_test};
use crate::{Reader, Remarks, Result};

/// A question for files.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// A part of a path, in any case.
    pub name: String,
    pub file_filter: Option<String>,
    pub no_tests: bool,
    pub limit: usize,
}

/// A file that matches.
#[derive(Clone, Debug, Serialize)]
pub struct FoundFile {
    pub file: String,
    pub language: String,
    pub lines: u32,
    pub symbols: u32,
}

/// The files that match.
#[derive(Clone, Debug, Serialize)]
pub struct FilesAnswer {
    pub files: Vec<FoundFile>,
    pub total: usize,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers which files have a text in their path.
pub fn files(reader: &Reader, question: &Files) -> Result<FilesAnswer> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let wanted = question.name.to_lowercase();
    let records = reader.store().files()?.into_iter();
    let mut found: Vec<_> = records
        .filter(|record| filter.accepts(&record.path) && !(question.no_tests && is_test(&record.path)))
        .filter_map(|record| Some((rank(&record.path.to_lowercase(), &wanted)?, record)))
        .collect();
    found.sort_by(|(a, x), (b, y)| (a, x.path.len(), &x.path).cmp(&(b, y.path.len(), &y.path)));
    let total = found.len();
    let row = |(_, record): (u8, codegraph_store::FileRecord)| FoundFile {
        language: record.language,
        lines: record.lines,
        symbols: record.symbols,
        file: record.path,
    };
    let files = found.into_iter().take(question.limit).map(row).collect();
    Ok(FilesAnswer { files, total, remarks: Remarks::of(reader) })
}

/// How well a path matches, the lowest best: by its name, the start of its name, a part of it, a part of its folders.
fn rank(path: &str, wanted: &str) -> Option<u8> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    match () {
        () if name == wanted || stem == wanted || path == wanted => Some(0),
        () if name.starts_with(wanted) => Some(1),
        () if name.contains(wanted) => Some(2),
        () if path.contains(wanted) => Some(3),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn names_of_files_count_before_their_folders() {
        assert_eq!(rank("src/http/request.py", "request"), Some(0));
        assert_eq!(rank("src/http/requests.py", "request"), Some(1));
        assert_eq!(rank("src/http/a_request.py", "request"), Some(2));
        assert_eq!(rank("src/request/a.py", "request"), Some(3));
        assert_eq!(rank("src/a.py", "request"), None);
    }
}
