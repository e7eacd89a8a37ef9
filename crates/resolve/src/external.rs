//! What lies outside the project: the standard library and packages, as paths of names.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Program, TermId};

/// Something outside the project, such as `os.path.join`, `std::fs::read` or `react#useState`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct External {
    pub names: Arc<[TermId]>,
    /// What stands between the first name and the second.
    pub joint: &'static str,
    /// What stands between the other names.
    pub separator: &'static str,
}

impl External {
    /// The path as text.
    pub fn render(&self, program: &dyn Program) -> String {
        let mut out = String::new();
        for (i, name) in self.names.iter().enumerate() {
            out.push_str(match i {
                0 => "",
                1 => self.joint,
                _ => self.separator,
            });
            out.push_str(&program.text(*name));
        }
        out
    }
}

/// The number of an external path in its linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExternalId(u32);

/// Names in a path.
const DEEPEST: usize = 64;

/// All external paths that a linker met.
#[derive(Default)]
pub(crate) struct Externals {
    paths: Vec<External>,
    numbers: FxHashMap<(Option<ExternalId>, TermId), ExternalId>,
}

impl Externals {
    /// A path of one name.
    pub(crate) fn root(&mut self, name: TermId, joint: &'static str, separator: &'static str) -> ExternalId {
        self.number(None, name, |_| External { names: [name].into(), joint, separator })
    }

    /// A name inside another external one. A path that is longer than anybody writes stops growing.
    pub(crate) fn child(&mut self, of: ExternalId, name: TermId) -> ExternalId {
        if self.path(of).names.len() >= DEEPEST {
            return of;
        }
        self.number(Some(of), name, |paths| {
            let parent = &paths[of.0 as usize];
            let names = parent.names.iter().copied().chain([name]).collect();
            External { names, ..parent.clone() }
        })
    }

    fn number(
        &mut self,
        of: Option<ExternalId>,
        name: TermId,
        path: impl FnOnce(&[External]) -> External,
    ) -> ExternalId {
        if let Some(known) = self.numbers.get(&(of, name)) {
            return *known;
        }
        let id = ExternalId(self.paths.len() as u32);
        let path = path(&self.paths);
        self.paths.push(path);
        self.numbers.insert((of, name), id);
        id
    }

    pub(crate) fn path(&self, id: ExternalId) -> &External {
        &self.paths[id.0 as usize]
    }

    /// The last name of a path.
    pub(crate) fn name(&self, id: ExternalId) -> TermId {
        let names = &self.path(id).names;
        names[names.len() - 1]
    }
}
