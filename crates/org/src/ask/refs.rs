//! Where a symbol is used, in all repositories.

use codegraph_model::RefKind;
use codegraph_query::{Refs, RefsAnswer, Remarks, Unbound, Uses, ref_kinds};
use rustc_hash::FxHashSet;

use super::part;
use super::select::Selection;
use super::sites::Site;
use crate::{Org, Result};

impl Org {
    /// Answers where a symbol is used.
    pub fn refs(&self, question: &Refs) -> Result<RefsAnswer> {
        let kinds: Vec<RefKind> = ref_kinds(&question.kinds)?;
        let symbol = match self.select(&question.symbol)? {
            Selection::One(symbol) => symbol,
            Selection::Other(other) => return Ok(RefsAnswer::Unselected(other)),
        };
        let mut sites = self.sites(&[symbol.identity()])?;
        sites.retain(|site| kinds.is_empty() || kinds.contains(&site.kind));
        if let Some(filter) = &question.file_filter {
            let accepted = codegraph_query::file_filter(filter)?;
            sites.retain(|site| accepted(&site.path));
        }
        let files: FxHashSet<(i32, &str)> =
            sites.iter().map(|site| (site.user.repository, site.path.as_str())).collect();
        let (total, files) = (sites.len(), files.len());
        let (shown, next_offset) = part(sites, question.window);
        let texts = self.texts(shown.iter().map(|site| site.hash.as_str()))?;
        let info = |site: &Site| site.info(texts.line(&site.hash, site.line));
        Ok(RefsAnswer::Found(Box::new(Uses {
            symbol: symbol.brief.clone(),
            references: shown.iter().map(info).collect(),
            total,
            files,
            next_offset,
            unbound: Unbound::default(),
            relatives: Vec::new(),
            compact: question.compact,
            remarks: Remarks::default(),
        })))
    }
}
