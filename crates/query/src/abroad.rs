//! What a project uses of others, beyond its links: for stores of many projects, where somebody may offer it.

use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{Certainty, FileId, How, RefKind};
use codegraph_resolve::Linker;
use rustc_hash::FxHashMap;

use crate::{Reader, Result};

/// A use of something outside the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedAbroad {
    /// Names joined by the language's separator.
    pub path: String,
    /// How many arguments a call has, where functions of one name are told apart by that.
    pub arguments: Option<u8>,
    pub certainty: Certainty,
    pub how: How,
}

/// Asks files what they use of others.
pub struct Abroad<'l> {
    live: &'l Live<'l>,
    linker: Linker<'l>,
}

impl<'l> Abroad<'l> {
    /// Runs a piece of work that asks.
    pub fn with<T, E: From<crate::Error>>(
        reader: &Reader,
        work: impl FnOnce(&mut Abroad<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let live = Live::new(reader.store());
        on_deep_stack(|| work(&mut Abroad { live: &live, linker: Linker::abroad(&live) }))
    }

    /// What a file uses, by place and kind.
    pub fn of(&mut self, file: FileId) -> Result<FxHashMap<(u32, RefKind), UsedAbroad>> {
        use codegraph_resolve::Program as _;
        let uses = self.linker.used_abroad(file.0);
        let unit = self.live.unit(file.0);
        let mut found = FxHashMap::default();
        for one in uses {
            let reference = unit.facts.refs[one.reference.index()];
            let names: Vec<_> = one.path.names.iter().map(|name| self.live.text(*name)).collect();
            let path = names.iter().map(|name| &**name).collect::<Vec<&str>>().join(unit.language.separator);
            let is_call = matches!(reference.kind, RefKind::Call | RefKind::Instantiation);
            let arguments = (is_call && unit.language.linking.overloads).then_some(reference.args);
            found.insert(
                (reference.span.start, reference.kind),
                UsedAbroad { path, arguments, certainty: one.certainty, how: one.how },
            );
        }
        self.live.check()?;
        Ok(found)
    }
}
