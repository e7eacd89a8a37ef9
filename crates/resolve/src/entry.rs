//! What a path of names means to somebody outside the project: as if one of its own files imported it.

use std::sync::Arc;

use codegraph_languages::linking::ImportScheme;
use codegraph_model::RefKind;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::{FileId, Program, Target, Unit};

impl<'p> Linker<'p> {
    /// A linker for which packages are the files that run, where others are described by files of their own.
    pub fn running(program: &'p dyn Program) -> Linker<'p> {
        let mut linker = Linker::new(program);
        linker.wants_what_runs = true;
        linker
    }

    /// What another project means by a path, such as `package.module.Name`, that it imports from this one. The path is
    /// looked up as `file` would, which is any file of the language.
    pub fn entered(&mut self, file: FileId, path: &[&str]) -> Option<Target> {
        let unit = self.unit(file);
        let at = self.reached(&unit, path)?;
        self.forget_cuts();
        self.target(&unit, at.what).filter(|target| !matches!(target, Target::External(_)))
    }

    /// What another project gets that imports the default of a path.
    pub fn entered_default(&mut self, file: FileId, path: &[&str]) -> Option<Target> {
        let unit = self.unit(file);
        let What::Module(module) = self.reached(&unit, path)?.what else { return None };
        let at = self.default_export(module)?;
        self.forget_cuts();
        self.target(&unit, at.what).filter(|target| !matches!(target, Target::External(_)))
    }

    fn reached(&mut self, unit: &Arc<Unit>, path: &[&str]) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut at = Found::new(What::Module(self.entry(unit, first)?));
        for (i, part) in rest.iter().enumerate() {
            let name = self.program.term(part)?;
            let inner = match at.what {
                // All but the last part are modules first, whatever else has their names.
                What::Module(module) if i + 1 < rest.len() => self.inner_module(module, name),
                _ => None,
            };
            at = match inner {
                Some(inner) => inner,
                None => {
                    let base = self.found_value(unit, at);
                    self.member(unit, &base, name, 0, RefKind::Import)?
                }
            };
        }
        Some(at)
    }

    /// The module that the first part of a path names.
    fn entry(&mut self, unit: &Arc<Unit>, name: &str) -> Option<ModuleRef> {
        match unit.language.linking.imports {
            ImportScheme::Dotted | ImportScheme::Declared => self.named_module(name, unit.language),
            ImportScheme::Paths => self.program.package_root(name).and_then(|_| self.named_module(name, unit.language)),
            ImportScheme::Files { .. } | ImportScheme::Folders => self.sourced_module(unit, name),
            ImportScheme::Include | ImportScheme::LoadPath { .. } => None,
        }
    }
}
