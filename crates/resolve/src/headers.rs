//! Which file an include means: beside the file, from the root, or below a folder that builds look into.
//!
//! Without a build, a folder counts under which the path exists. Of several, the one is meant that is closest to the file.

use std::cmp::{Ordering, Reverse};

use crate::import::joined;
use crate::lookup::Linker;
use crate::{FileId, Unit};

impl Linker<'_> {
    pub(crate) fn included(&mut self, unit: &Unit, source: &str, system: bool) -> Option<FileId> {
        let path = self.program.path(unit.file);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let linking = &unit.language.linking;
        if system && linking.standard_modules.contains(&source) {
            return None;
        }
        let near = joined(folder, source).and_then(|target| self.program.file_at(&target)).filter(|_| !system);
        near.or_else(|| self.program.file_at(source)).or_else(|| self.below_some_folder(unit, folder, source))
    }

    /// The file under some folder, the closest one to the folder that asks.
    fn below_some_folder(&mut self, unit: &Unit, folder: &str, source: &str) -> Option<FileId> {
        let source = source.trim_start_matches("./");
        if source.starts_with("../") || source.starts_with('/') {
            return None;
        }
        let name = source.rsplit('/').next().unwrap_or(source);
        let mut best: Option<(Rank, FileId)> = None;
        let mut tied = false;
        for &file in self.program.files_named(name).iter() {
            let path = self.program.path(file);
            let Some(root) = path.strip_suffix(source).and_then(|root| root.strip_suffix('/')) else { continue };
            if file == unit.file || !self.program.language(file).is_related(unit.language) {
                continue;
            }
            let rank = Rank::of(unit, folder, root);
            match best.as_ref().map_or(Ordering::Greater, |(own, _)| rank.cmp(own)) {
                Ordering::Less => {}
                Ordering::Equal => tied = true,
                Ordering::Greater => (best, tied) = (Some((rank, file)), false),
            }
        }
        best.filter(|_| !tied).map(|(_, file)| file)
    }
}

/// How likely a folder is where includes of another one are looked up: the more, the likelier.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    shared: usize,
    usual: usize,
    depth: Reverse<usize>,
}

impl Rank {
    fn of(unit: &Unit, from: &str, root: &str) -> Rank {
        let parts = |path: &str| path.split('/').filter(|part| !part.is_empty()).count();
        let same = from.split('/').zip(root.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count();
        let last = root.rsplit('/').next().unwrap_or(root);
        let folders = unit.language.linking.include_folders;
        let usual = folders.iter().rev().position(|name| *name == last).map_or(0, |place| place + 1);
        Rank { shared: same, usual, depth: Reverse(parts(root)) }
    }
}
