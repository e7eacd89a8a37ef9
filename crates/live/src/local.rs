//! Links that are not stored because the file alone gives them: those to local names.

use codegraph_model::{ExprOp, FileId, RefId, Reference};
use codegraph_resolve::{Link, Linker, Program, Target};
use codegraph_store::{FileLinks, Store};

use crate::Live;

/// Unpacked files that are kept: local names need few others.
const KEPT: usize = 256;

/// Finds the local names of files again. Chains of inferences can be deep: see [`crate::on_deep_stack`].
pub struct Locals<'s> {
    live: Live<'s>,
}

impl<'s> Locals<'s> {
    pub fn new(store: &'s Store) -> Locals<'s> {
        Locals { live: Live::new(store) }
    }

    /// What some references of a file mean, stored or not.
    pub fn at(&self, file: FileId, wanted: &[RefId]) -> codegraph_store::Result<Vec<Link>> {
        let found = Linker::new(&self.live).link_only(file.0, |id, _| wanted.contains(&id));
        self.live.check()?;
        Ok(found)
    }

    /// The references of a file that mean a local name or a parameter, with the file and the place in its bindings.
    /// `links` are what is stored of the file.
    pub fn of(&self, file: FileId, links: &FileLinks) -> codegraph_store::Result<Vec<(RefId, FileId, u32)>> {
        let unit = self.live.unit(file.0);
        // A member is never local, but the name of an argument looks like one.
        let may_be = |reference: &Reference| {
            let receiver = reference.receiver.get().map(|receiver| unit.facts.exprs[receiver.index()].op);
            let of_object = unit.language.object_members;
            receiver.is_none_or(|op| op == ExprOp::Parameters || of_object)
        };
        let open = |id, reference: &Reference| may_be(reference) && links.of(id).is_none();
        let found = Linker::new(&self.live).link_only(file.0, open);
        self.live.check()?;
        if self.live.unit_count() > KEPT {
            self.live.forget_units();
        }
        let local = found.into_iter().filter_map(|link| match link.target {
            Target::Local(binding) => Some((link.reference, file, binding)),
            Target::Parameter(file, binding) => Some((link.reference, FileId(file), binding)),
            _ => None,
        });
        Ok(local.collect())
    }
}
