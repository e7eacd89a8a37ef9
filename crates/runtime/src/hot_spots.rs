//! Files that many others use and that change often: where a mistake costs most and is made soonest.

use codegraph_index::{Project, churn, has_no_history};
use codegraph_query::{Central, Reader, Remarks, central};
use serde::Serialize;

/// A file that is central and often changed.
#[derive(Clone, Debug, Serialize)]
pub struct HotSpot {
    pub file: String,
    pub language: String,
    pub lines: u32,
    /// Commits that changed it, of those that were looked at.
    pub commits: usize,
    pub used_by_files: usize,
}

/// The hot spots of a project, the hottest first.
#[derive(Clone, Debug, Serialize)]
pub struct HotSpotsAnswer {
    pub files: Vec<HotSpot>,
    /// Commits that were looked at; none where there is no history.
    pub commits: usize,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// So many commits tell what changes often these days.
const COMMITS: usize = 1_000;

/// Answers what is central and often changed.
pub fn hot_spots(project: &Project, reader: &Reader, limit: usize) -> anyhow::Result<HotSpotsAnswer> {
    let churn = match churn(project, COMMITS) {
        Err(error) if has_no_history(&error) => Default::default(),
        churn => churn?,
    };
    let found = central(reader, &Central { limit: usize::MAX })?;
    let spot = |file: codegraph_query::CentralFile| {
        let commits = churn.files.get(&file.file).copied().filter(|commits| *commits > 1)?;
        let (language, lines, used_by_files) = (file.language, file.lines, file.used_by_files);
        Some(HotSpot { file: file.file, language, lines, commits, used_by_files })
    };
    let mut files: Vec<HotSpot> = found.files.into_iter().filter_map(spot).collect();
    let heat = |spot: &HotSpot| std::cmp::Reverse(spot.commits * spot.used_by_files);
    files.sort_by(|a, b| heat(a).cmp(&heat(b)).then_with(|| a.file.cmp(&b.file)));
    files.truncate(limit);
    Ok(HotSpotsAnswer { files, commits: churn.commits, remarks: found.remarks })
}
