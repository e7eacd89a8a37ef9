//! The types above and below a type, in all repositories.

use codegraph_model::RefKind;
use codegraph_query::{Hierarchy, HierarchyAnswer, HierarchyQuestion, Relative, Remarks};
use rustc_hash::FxHashSet;

use super::select::Selection;
use super::{FoundSymbol, part};
use crate::{Org, Result};

const DEEPEST: u32 = 16;

fn relates(kind: RefKind) -> bool {
    matches!(kind, RefKind::Inherit | RefKind::Implements)
}

impl Org {
    /// Answers what is above and below a type.
    pub fn hierarchy(&self, question: &HierarchyQuestion) -> Result<HierarchyAnswer> {
        let symbol = match self.select(&question.symbol)? {
            Selection::One(symbol) => symbol,
            Selection::Other(other) => return Ok(HierarchyAnswer::Unselected(other)),
        };
        let (bases, heirs) = (self.above(&symbol)?, self.below(&symbol)?);
        let (total_bases, total_heirs) = (bases.len(), heirs.len());
        let (bases, next_base) = part(bases, question.window);
        let (heirs, next_heir) = part(heirs, question.window);
        Ok(HierarchyAnswer::Found(Box::new(Hierarchy {
            symbol: symbol.brief.clone(),
            bases,
            total_bases,
            heirs,
            total_heirs,
            next_offset: next_base.max(next_heir),
            remarks: Remarks::default(),
        })))
    }

    fn above(&self, symbol: &FoundSymbol) -> Result<Vec<Relative>> {
        let mut seen: FxHashSet<(i32, String)> = FxHashSet::from_iter([symbol.identity()]);
        let mut level = vec![symbol.clone()];
        let mut all = Vec::new();
        for depth in 1..=DEEPEST {
            let mut next = Vec::new();
            for from in &level {
                for used in self.uses_by(from)?.into_iter().filter(|used| relates(used.kind)) {
                    all.push(Relative {
                        depth,
                        name: used.target.as_ref().map_or(used.name.clone(), |target| target.brief.fqn.clone()),
                        symbol: used.target.as_ref().map(|target| target.brief.clone()),
                        external: used.target.is_none(),
                        unresolved: false,
                        relation: used.kind,
                        of: from.brief.fqn.clone(),
                        file: used.path,
                        line_number: used.line,
                    });
                    next.extend(used.target.filter(|target| seen.insert(target.identity())));
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ok(all)
    }

    fn below(&self, symbol: &FoundSymbol) -> Result<Vec<Relative>> {
        let mut seen: FxHashSet<(i32, String)> = FxHashSet::from_iter([symbol.identity()]);
        let mut level = vec![symbol.clone()];
        let mut all = Vec::new();
        for depth in 1..=DEEPEST {
            let asked: Vec<(i32, String)> = level.iter().map(FoundSymbol::identity).collect();
            let mut next = Vec::new();
            for site in self.sites(&asked)?.into_iter().filter(|site| relates(site.kind)) {
                if !seen.insert(site.user.identity()) {
                    continue;
                }
                all.push(Relative {
                    depth,
                    name: site.user.brief.fqn.clone(),
                    symbol: Some(site.user.brief.clone()),
                    external: false,
                    unresolved: false,
                    relation: site.kind,
                    of: level[site.of].brief.fqn.clone(),
                    file: site.path,
                    line_number: site.line,
                });
                next.push(site.user);
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ok(all)
    }
}
