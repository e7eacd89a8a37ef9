//! What a change of a symbol reaches, in all repositories.

use codegraph_query::{Affected, Impact, ImpactAnswer, ImpactList, Remarks, Unbound, is_test};
use rustc_hash::FxHashSet;

use super::select::Selection;
use super::{FoundSymbol, part};
use crate::{Org, Result};

const DEEPEST: u32 = 16;
const MOST_SYMBOLS: usize = 20_000;

impl Org {
    /// Answers what a change reaches: whoever uses the symbol, whoever uses that, and so on.
    pub fn impact(&self, question: &Impact) -> Result<ImpactAnswer> {
        let symbol = match self.select(&question.symbol)? {
            Selection::One(symbol) => symbol,
            Selection::Other(other) => return Ok(ImpactAnswer::Unselected(other)),
        };
        let mut seen: FxHashSet<(i32, String)> = FxHashSet::from_iter([symbol.identity()]);
        let mut level = vec![(*symbol).clone()];
        let mut all = Vec::new();
        for depth in 1..=question.depth.min(DEEPEST) {
            let asked: Vec<(i32, String)> = level.iter().map(FoundSymbol::identity).collect();
            let mut next = Vec::new();
            for site in self.sites(&asked)? {
                if !seen.insert(site.user.identity()) {
                    continue;
                }
                all.push(Affected {
                    depth,
                    symbol: site.user.brief.clone(),
                    via: level[site.of].brief.fqn.clone(),
                    kind: site.kind,
                    line_number: site.line,
                    certainty: site.certainty,
                    through: None,
                });
                next.push(site.user);
            }
            if next.is_empty() || seen.len() > MOST_SYMBOLS {
                break;
            }
            level = next;
        }
        let (tests, affected): (Vec<Affected>, Vec<Affected>) =
            all.into_iter().partition(|one| is_test(&one.symbol.file));
        let files: FxHashSet<(&Option<String>, &str)> =
            affected.iter().map(|one| (&one.symbol.project, one.symbol.file.as_str())).collect();
        let (files, total, total_tests) = (files.len(), affected.len(), tests.len());
        let (affected, next_offset) = part(affected, question.window);
        let (tests, _) = part(tests, question.window);
        Ok(ImpactAnswer::Found(Box::new(ImpactList {
            symbol: symbol.brief.clone(),
            affected,
            total,
            files,
            tests,
            total_tests,
            levels: question.depth.clamp(1, DEEPEST),
            next_offset,
            unbound: Unbound::default(),
            remarks: Remarks::default(),
        })))
    }
}
