//! Paths of what a repository uses of others, beyond what its links say, while it is pushed.

use codegraph_model::{Certainty, FileId, How, RefKind};
use codegraph_query::{Abroad, UsedAbroad};
use codegraph_store::Cell;
use rustc_hash::FxHashMap;

use crate::Result;
use crate::copy::Line;
use crate::push::Pushed;

/// Distinct paths, and where files use them.
#[derive(Default)]
pub(crate) struct Paths {
    texts: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

/// A use of a path by a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UseOfPath {
    at: (u32, RefKind),
    path: u32,
    arguments: Option<u8>,
    certainty: Certainty,
    how: How,
}

impl Paths {
    /// What a file uses, by place.
    pub(crate) fn of(&mut self, abroad: &mut Abroad<'_>, file: FileId) -> Result<Vec<UseOfPath>> {
        let mut uses = Vec::new();
        for (at, used) in abroad.of(file)? {
            let next = self.texts.len() as u32;
            let number = *self.numbers.entry(used.path.clone()).or_insert(next);
            let UsedAbroad { path, arguments, certainty, how } = used;
            if number == next {
                self.texts.push(path);
            }
            uses.push(UseOfPath { at, path: number, arguments, certainty, how });
        }
        uses.sort_unstable_by_key(|one| one.at);
        Ok(uses)
    }

    /// The columns of a reference from its name on. Where the index knows nothing, the path is what is known.
    pub(crate) fn reference(&self, line: &mut Line, file: &Pushed, row: &[Cell]) {
        let [rest @ .., target_key, target, certainty, how, is_external] = row else { return };
        rest.iter().chain([target_key]).for_each(|cell| line.cell(cell));
        let used = match rest {
            [_, Cell::Text(kind), Cell::Integer(start), ..] => RefKind::from_word(kind).and_then(|kind| {
                let start = u32::try_from(*start).ok()?;
                let place = file.abroad.binary_search_by_key(&(start, kind), |one| one.at).ok()?;
                Some(file.abroad[place])
            }),
            _ => None,
        };
        let arguments = used.and_then(|used| used.arguments).map(i64::from);
        match (is_external, target_key, used) {
            (Cell::Integer(1), ..) => {
                line.cell(target);
                line.number_if(arguments);
                line.cell(certainty);
                line.cell(how);
            }
            (_, Cell::Null, Some(used)) => {
                line.word(&self.texts[used.path as usize]);
                line.number_if(arguments);
                line.word(used.certainty.word());
                line.word(used.how.word());
            }
            _ => {
                line.null();
                line.null();
                line.cell(certainty);
                line.cell(how);
            }
        }
    }
}
