//! Imports: from what is written to the module, symbol or package that it means.

use std::sync::Arc;

use codegraph_languages::linking::ImportScheme;
use codegraph_languages::table::ModuleScheme;
use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{FileId, TermId, Unit};

impl Linker<'_> {
    /// What an import declares.
    pub(crate) fn import_target(&mut self, unit: &Arc<Unit>, index: u32) -> Option<Found> {
        let key = (unit.file, index, None);
        self.remembered(|l| &mut l.imports, key, None, |l| l.import_target_now(unit, index))
    }

    fn import_target_now(&mut self, unit: &Arc<Unit>, index: u32) -> Option<Found> {
        let import = &unit.facts.imports[index as usize];
        if import.source.is_some() {
            return self.source_target(unit, import);
        }
        let last = import.path.len();
        if unit.language.linking.namespaces {
            return if last > 0 { self.spaced_path(unit, import, last) } else { None };
        }
        // `import a.b` declares `a`, unless it has an alias.
        let whole = !import.flags.has(ImportFlags::MODULE) || import.alias.is_some();
        self.path_target(unit, import, if whole { last } else { 1 })
    }

    /// What the first `count` parts of an import path mean.
    pub(crate) fn path_target(&mut self, unit: &Arc<Unit>, import: &Import, count: usize) -> Option<Found> {
        let (mut at, taken) = self.path_start(unit, import)?;
        let import_self = self.words(unit).import_self;
        let modules = match unit.language.linking.imports {
            ImportScheme::Dotted | ImportScheme::Declared => {
                let whole = import.flags.has(ImportFlags::STAR) || import.flags.has(ImportFlags::MODULE);
                import.path.len() - usize::from(!whole && !import.path.is_empty())
            }
            _ => 0,
        };
        for (i, part) in import.path.iter().enumerate().take(count).skip(taken) {
            let name = unit.name(unit.facts.refs[part.index()].name);
            if import_self == Some(name) {
                continue;
            }
            // All but the last part of a dotted path are modules first, whatever else has their names.
            let inner = match at.what {
                What::Module(module) if i < modules => self.inner_module(module, name),
                _ => None,
            };
            let around = at.what;
            at = match inner {
                Some(inner) => inner,
                None => self.step(unit, at, name)?,
            };
            if i + 1 == import.path.len() {
                at = self.rather_value(unit, around, name, at);
            }
        }
        Some(at)
    }

    /// Where paths lead through modules, a module and a function may share a name: the import of it means the function.
    fn rather_value(&mut self, unit: &Arc<Unit>, around: What, name: TermId, found: Found) -> Found {
        let is_module = match found.what {
            What::Module(_) => true,
            What::Symbol(sym) => self.is_module(sym),
            _ => false,
        };
        if unit.language.linking.imports != ImportScheme::Paths || !is_module {
            return found;
        }
        let module = match self.found_value(unit, Found::new(around)).ty {
            Ty::Module(module) => module,
            _ => return found,
        };
        self.callable_export(module, name).unwrap_or(found)
    }

    fn step(&mut self, unit: &Arc<Unit>, at: Found, name: TermId) -> Option<Found> {
        let base = self.found_value(unit, at);
        self.member(unit, &base, name, 0, RefKind::Import)
    }

    /// Where an import path starts, and how many of its parts that took.
    pub(crate) fn path_start(&mut self, unit: &Arc<Unit>, import: &Import) -> Option<(Found, usize)> {
        let name = |i: usize| import.path.get(i).map(|r| unit.name(unit.facts.refs[r.index()].name));
        match unit.language.linking.imports {
            ImportScheme::Dotted if import.level > 0 => {
                let module = self.relative_package(unit, import.level)?;
                Some((Found::new(What::Module(module)), 0))
            }
            ImportScheme::Dotted | ImportScheme::Declared => match self.root_named(name(0)?, unit.language) {
                Some(module) => Some((Found::new(What::Module(module)), 1)),
                None => Some((self.outside(unit, name(0)?), 1)),
            },
            ImportScheme::Paths => self.path_root(unit, import, name(0)?).map(|found| (found, 1)),
            ImportScheme::Files { .. } => {
                let reference = unit.facts.refs[import.path.first()?.index()];
                self.name(unit, name(0)?, import.scope, &reference).map(|found| (found, 1))
            }
            ImportScheme::Include => {
                let part = unit.facts.refs[import.path.first()?.index()];
                let whole = import.path.len() == 1 && !import.flags.has(ImportFlags::STAR);
                let reference = Reference { kind: if whole { RefKind::Import } else { RefKind::TypeRef }, ..part };
                self.name(unit, name(0)?, import.scope, &reference).map(|found| (found, 1))
            }
            _ => None,
        }
    }

    /// The package that a relative import starts from.
    fn relative_package(&mut self, unit: &Arc<Unit>, level: u8) -> Option<ModuleRef> {
        let module = self.program.module(unit.file);
        let mut module = &*module;
        let path = self.program.path(unit.file);
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or(name);
        let is_package =
            matches!(unit.language.modules, ModuleScheme::DottedPath { package_file, .. } if package_file == stem);
        let up = level as usize - usize::from(is_package);
        for _ in 0..up {
            module = module.rsplit_once(unit.language.separator).map(|(parent, _)| parent)?;
        }
        self.named_module(module, unit.language)
    }

    /// The first part of a path import: a path word, a name in scope, a package of the project, or outside.
    fn path_root(&mut self, unit: &Arc<Unit>, import: &Import, name: TermId) -> Option<Found> {
        let words = self.words(unit);
        let word = Some(name);
        let module = if word == words.root {
            Some(self.root_module(unit)?)
        } else if word == words.here {
            Some(self.module_here(unit, import.scope))
        } else if word == words.up {
            Some(self.module_up(unit, import.scope)?)
        } else {
            None
        };
        if let Some(module) = module {
            return Some(Found::new(What::Module(module)));
        }
        // In a function a path starts from what the module around has, too; never from a variable or a member.
        let mut scope = import.scope;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            for decl in unit.declared(scope, name).filter(|_| entry.kind != ScopeKind::Type) {
                // An import cannot start from itself.
                let itself = matches!(decl, Decl::Import(i) if unit.facts.imports[i as usize].span == import.span);
                let leads_on = match decl {
                    Decl::Symbol(symbol) => import.path.len() < 2 || may_be_prefix(unit.symbol(symbol).kind),
                    Decl::Binding(_) => false,
                    Decl::Import(_) => true,
                };
                if !itself
                    && leads_on
                    && let Some(found) = self.declared_thing(unit, decl)
                {
                    return Some(found);
                }
            }
            scope = if entry.kind == ScopeKind::Module { ScopeId::NONE } else { entry.parent };
        }
        if let Some(found) = self.package_name(unit, name) {
            return Some(found);
        }
        for &star in unit.stars() {
            let own = &unit.facts.imports[star as usize];
            if own.span != import.span
                && unit.is_within(import.scope, own.scope)
                && let Some(found) = self.star_member(unit, star, name)
            {
                return Some(found.by(How::Import));
            }
        }
        Some(self.outside(unit, name))
    }

    /// A name that the project does not define.
    pub(crate) fn outside(&mut self, unit: &Unit, name: TermId) -> Found {
        let separator = unit.language.separator;
        let joint = if matches!(unit.language.linking.imports, ImportScheme::Files { .. }) { "#" } else { separator };
        Found::new(What::External(self.externals.root(name, joint, separator)))
    }

    /// A part of an import path as a reference.
    pub(crate) fn import_part(&mut self, unit: &Arc<Unit>, id: RefId) -> Option<Found> {
        let (index, place) = unit.import_of(id)?;
        let import = &unit.facts.imports[index as usize];
        if import.source.is_some() {
            return self.source_target(unit, import);
        }
        let count = (place + 1).min(import.path.len());
        match unit.language.linking.namespaces {
            true => self.spaced_part(unit, import, count),
            false => self.path_target(unit, import, count),
        }
    }

    /// `name` through an import of everything of a module.
    pub(crate) fn star_member(&mut self, unit: &Arc<Unit>, index: u32, name: TermId) -> Option<Found> {
        let key = (unit.file, index, Some(name));
        self.remembered(|l| &mut l.imports, key, None, |l| l.star_member_now(unit, index, name))
    }

    fn star_member_now(&mut self, unit: &Arc<Unit>, index: u32, name: TermId) -> Option<Found> {
        let import = &unit.facts.imports[index as usize];
        let module = match import.source.is_some() {
            true => self.source_module(unit, import).map(|m| Found::new(What::Module(m))),
            false => self.import_target(unit, index),
        };
        let base = self.found_value(unit, module?);
        match base.ty {
            Ty::Module(ModuleRef::File(file)) if unit.language.linking.exports_apart => self.export(file, name),
            Ty::Module(_) | Ty::Type(..) => self.member(unit, &base, name, 0, RefKind::Import),
            _ => None,
        }
    }

    /// What an import by a string declares: the module, its default, or one of its names.
    fn source_target(&mut self, unit: &Arc<Unit>, import: &Import) -> Option<Found> {
        let Some(module) = self.source_module(unit, import) else {
            let outside = self.outside(unit, unit.name(import.source));
            return match import.path.last() {
                Some(part) => self.step(unit, outside, unit.name(unit.facts.refs[part.index()].name)),
                None => Some(outside),
            };
        };
        let base = Typed::sure(Ty::Module(module));
        if let Some(part) = import.path.last() {
            let name = unit.name(unit.facts.refs[part.index()].name);
            return self.member(unit, &base, name, 0, RefKind::Import);
        }
        if import.flags.has(ImportFlags::DEFAULT) {
            return self.default_export(module);
        }
        Some(Found::new(What::Module(module)))
    }

    /// The module named by the string of an import.
    pub(crate) fn source_module(&mut self, unit: &Arc<Unit>, import: &Import) -> Option<ModuleRef> {
        let source = self.program.text(unit.name(import.source));
        match unit.language.linking.imports {
            // What is loaded while the program runs is what runs, not what only describes it.
            ImportScheme::Files { extensions, built, folder_file } if import.flags.has(ImportFlags::MODULE) => {
                let probe = Probe { extensions, built, folder_file, runs: true };
                self.specified(unit, &source, &probe).map(ModuleRef::File)
            }
            ImportScheme::Include => {
                let system = import.flags.has(ImportFlags::SYSTEM);
                self.included(unit, &source, system).map(ModuleRef::File)
            }
            _ => self.sourced_module(unit, &source),
        }
    }

    /// The module that a string means in the imports of a file.
    pub(crate) fn sourced_module(&mut self, unit: &Unit, source: &str) -> Option<ModuleRef> {
        match unit.language.linking.imports {
            ImportScheme::Folders => {
                let files = self.program.files_of_module(source);
                files.first().map(|_| ModuleRef::Package(self.packages.number(source, unit.language)))
            }
            ImportScheme::Files { extensions, built, folder_file } => {
                let probe = Probe { extensions, built, folder_file, runs: self.wants_what_runs };
                self.specified(unit, source, &probe).map(ModuleRef::File)
            }
            ImportScheme::Include => self.included(unit, source, false).map(ModuleRef::File),
            ImportScheme::LoadPath { extension } => self.loaded(unit, source, extension).map(ModuleRef::File),
            _ => None,
        }
    }

    /// The file that a specifier names: relative to the file, or where the manifests say.
    fn specified(&mut self, unit: &Unit, source: &str, probe: &Probe) -> Option<FileId> {
        let path = self.program.path(unit.file);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if source.starts_with('.') {
            return self.probe(&joined(folder, source)?, probe);
        }
        let places = self.program.workspace().places(folder, source);
        places.iter().find_map(|place| self.probe(place, probe))
    }

    /// A path with an extension, with another one than a build gives it, as it is, or as a folder.
    fn probe(&mut self, target: &str, probe: &Probe) -> Option<FileId> {
        let with = |base: &str| probe.find(base, |path| self.program.file_at(path));
        let built = target.rsplit_once('.').filter(|(_, extension)| probe.built.contains(extension));
        if let Some(file) = built.and_then(|(stem, _)| with(stem.strip_suffix(".d").unwrap_or(stem))) {
            return Some(file);
        }
        let as_it_is = if target.is_empty() { None } else { self.program.file_at(target) };
        as_it_is
            .or_else(|| with(target))
            .or_else(|| self.folder_entry(target, probe))
            .or_else(|| with(join_name(target, probe.folder_file).as_str()))
    }

    /// What the manifest of a folder names as its entry.
    fn folder_entry(&self, folder: &str, probe: &Probe) -> Option<FileId> {
        let mut places: Vec<&String> = self.program.workspace().entries.get(folder)?.iter().collect();
        if probe.runs {
            places.sort_by_key(|place| probe.is_description(place));
        }
        let with = |base: &str| probe.find(base, |path| self.program.file_at(path));
        places.into_iter().find_map(|place| {
            let file = self.program.file_at(place).or_else(|| with(place));
            file.or_else(|| with(join_name(place, probe.folder_file).as_str()))
        })
    }

    fn loaded(&mut self, unit: &Unit, source: &str, extension: &str) -> Option<FileId> {
        let path = self.program.path(unit.file);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let near = joined(folder, source)?;
        [near, format!("lib/{source}"), source.to_owned()]
            .iter()
            .find_map(|base| self.program.file_at(&format!("{base}.{extension}")))
    }
}

/// What is tried for a path, as the language says.
struct Probe {
    extensions: &'static [&'static str],
    built: &'static [&'static str],
    folder_file: &'static str,
    /// What runs comes before what only describes it.
    runs: bool,
}

impl Probe {
    /// Extensions of descriptions have two parts.
    fn is_description(&self, path: &str) -> bool {
        let ends = |e: &str| e.contains('.') && path.strip_suffix(e).is_some_and(|stem| stem.ends_with('.'));
        self.extensions.iter().any(|e| ends(e))
    }

    /// The first of the files that a path may mean without its extension.
    fn find(&self, base: &str, at: impl Fn(&str) -> Option<FileId>) -> Option<FileId> {
        let all = self.extensions.iter();
        let (first, then): (Vec<&&str>, Vec<&&str>) = all.partition(|e| !self.runs || !e.contains('.'));
        first.into_iter().chain(then).find_map(|e| at(&format!("{base}.{e}")))
    }
}

fn join_name(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A path joined to a folder, with `.` and `..` taken out; `None` above the root.
pub fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a path goes on behind something of a kind: a function of that name is another thing.
fn may_be_prefix(kind: SymbolKind) -> bool {
    kind.is_type() || kind.is_module() || kind == SymbolKind::TypeAlias
}
