//! Modules: files, packages without a file of their own, and modules written inside a file.

use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_languages::linking::ImportScheme;
use codegraph_model::*;
use rustc_hash::FxHashMap;

use crate::lookup::{Found, Linker, What, accepts};
use crate::types::{Ty, Typed};
use crate::{FileId, Sym, TermId, Unit};

/// Something that has top-level names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ModuleRef {
    File(FileId),
    Package(PackageId),
    /// A module or namespace written inside a file.
    Inline(Sym),
}

/// The number of a module without a file of its own, in its linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackageId(u32);

/// The modules without a file of their own that a linker met. Languages that do not use each other's symbols may have
/// modules of the same name.
#[derive(Default)]
pub(crate) struct Packages {
    all: Vec<(Arc<str>, &'static Language)>,
    numbers: FxHashMap<&'static str, FxHashMap<Arc<str>, PackageId>>,
}

impl Packages {
    pub(crate) fn number(&mut self, name: &str, language: &'static Language) -> PackageId {
        let family = language.linking.family;
        let numbers = self.numbers.entry(if family.is_empty() { language.name } else { family }).or_default();
        if let Some(known) = numbers.get(name) {
            return *known;
        }
        let id = PackageId(self.all.len() as u32);
        let name: Arc<str> = name.into();
        self.all.push((Arc::clone(&name), language));
        numbers.insert(name, id);
        id
    }

    pub(crate) fn name(&self, id: PackageId) -> Arc<str> {
        Arc::clone(&self.all[id.0 as usize].0)
    }

    pub(crate) fn language(&self, id: PackageId) -> &'static Language {
        self.all[id.0 as usize].1
    }
}

/// Imports of everything that are followed in search of a function, at most.
const MOST_STARS: u32 = 64;

impl Linker<'_> {
    /// A top-level name of a module.
    pub(crate) fn module_member(&mut self, module: ModuleRef, name: TermId) -> Option<Found> {
        self.remembered(|l| &mut l.exports, (module, name), None, |l| l.module_member_now(module, name))
    }

    fn module_member_now(&mut self, module: ModuleRef, name: TermId) -> Option<Found> {
        match module {
            ModuleRef::File(file) => self.file_member(file, name),
            ModuleRef::Package(package) => self.package_member(package, name),
            ModuleRef::Inline(sym) => {
                let unit = self.unit(sym.file);
                let inner = unit.symbol(sym.symbol).inner;
                self.exported(&unit, inner, name).or_else(|| self.declared_beside(&unit, sym.symbol, name))
            }
        }
    }

    /// What another declaration of the same namespace shows, where all of them are one.
    pub(crate) fn declared_beside(&mut self, unit: &Arc<Unit>, space: SymbolId, name: TermId) -> Option<Found> {
        let own = unit.symbol(space);
        if !unit.language.linking.declared_overloads || own.kind != SymbolKind::Namespace {
            return None;
        }
        unit.declared(own.scope, unit.name(own.name)).find_map(|decl| match decl {
            crate::Decl::Symbol(other) if other != space && unit.symbol(other).inner.is_some() => {
                let found = self.scope_declares(unit, unit.symbol(other).inner, name)?;
                let What::Symbol(sym) = found.what else { return None };
                (unit.symbol(sym.symbol).visibility == Visibility::Public).then_some(found)
            }
            _ => None,
        })
    }

    fn file_member(&mut self, file: FileId, name: TermId) -> Option<Found> {
        let unit = self.unit(file);
        if unit.language.linking.exports_apart {
            return self.export_or_name(file, name);
        }
        if let Some(found) = self.exported(&unit, ScopeId(0), name) {
            return Some(found);
        }
        let module = self.program.module(file);
        self.submodule(&module, unit.language, name).or_else(|| self.root_macro(&unit, name))
    }

    /// The root of a package has the macros that any of its files exports.
    fn root_macro(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        let has_root = !unit.language.linking.path_words.root.is_empty();
        if !has_root || self.parent_file(unit.file).is_some() {
            return None;
        }
        self.package_macro(unit, name)
    }

    /// What a scope declares under a name: a symbol rather than anything else.
    pub(crate) fn scope_declares(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId) -> Option<Found> {
        let mut best = None;
        for decl in unit.declared(scope, name) {
            let replaces = |old: &crate::Decl| match old {
                crate::Decl::Symbol(old) => unit.symbol(*old).flags.has(Flags::REPLACED),
                _ => matches!(decl, crate::Decl::Symbol(_)),
            };
            if best.as_ref().is_none_or(replaces) {
                best = Some(decl);
            }
        }
        match best? {
            crate::Decl::Import(_) if unit.language.linking.values_apart => {
                self.import_of_kind(unit, scope, name, false).or_else(|| self.declared_thing(unit, best?))
            }
            best => self.declared_thing(unit, best),
        }
    }

    /// What the top level of a file or inline module declares, or passes on by importing everything of another.
    fn exported(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId) -> Option<Found> {
        let declared = self.scope_declares(unit, scope, name);
        // What is passed on besides may have the name of a macro.
        let only_macro = match declared {
            Some(found) if unit.language.linking.values_apart && self.is_macro(&found) => Some(found),
            Some(found) => return Some(found),
            None => None,
        };
        if scope == ScopeId(0) && unit.language.linking.imports == ImportScheme::Dotted && !unit.stars().is_empty() {
            return self.passed_on_name(unit, name);
        }
        for &import in unit.stars() {
            let entry = &unit.facts.imports[import as usize];
            if entry.scope == scope
                && let Some(found) = self.star_member(unit, import, name)
            {
                return Some(found);
            }
        }
        only_macro
    }

    pub(crate) fn is_module(&mut self, sym: Sym) -> bool {
        self.unit(sym.file).symbol(sym.symbol).kind.is_module()
    }

    /// What a module declares or imports under a name that is no module.
    pub(crate) fn callable_export(&mut self, module: ModuleRef, name: TermId) -> Option<Found> {
        self.callable_among(module, name, &mut { MOST_STARS })
    }

    fn callable_among(&mut self, module: ModuleRef, name: TermId, left: &mut u32) -> Option<Found> {
        *left = left.checked_sub(1)?;
        let (file, scope) = match module {
            ModuleRef::File(file) => (file, ScopeId(0)),
            ModuleRef::Inline(sym) => (sym.file, self.unit(sym.file).symbol(sym.symbol).inner),
            ModuleRef::Package(_) => return None,
        };
        let unit = self.unit(file);
        let own = unit.declared(scope, name).find_map(|decl| {
            let found = self.declared_thing(&unit, decl)?;
            match found.what {
                What::Module(_) => None,
                What::Symbol(sym) if self.is_module(sym) => None,
                _ => Some(found),
            }
        });
        if own.is_some() {
            return own;
        }
        for &star in unit.stars() {
            if unit.facts.imports[star as usize].scope == scope
                && let Some(around) = self.import_target(&unit, star)
                && let Ty::Module(module) = self.found_value(&unit, around).ty
                && let Some(found) = self.callable_among(module, name, left)
            {
                return Some(found);
            }
        }
        None
    }

    /// A module inside a module by the tree of files.
    pub(crate) fn inner_module(&mut self, module: ModuleRef, name: TermId) -> Option<Found> {
        if let Some(known) = self.inner_modules.get(&(module, name)) {
            return known.map(|module| Found::new(What::Module(module)));
        }
        let found = match module {
            ModuleRef::File(file) => {
                let language = self.unit(file).language;
                self.submodule(&self.program.module(file), language, name)
            }
            ModuleRef::Package(package) => {
                let language = self.packages.language(package);
                self.submodule(&self.packages.name(package), language, name)
            }
            ModuleRef::Inline(_) => None,
        };
        let inner = found.as_ref().and_then(|found| match found.what {
            What::Module(module) => Some(module),
            _ => None,
        });
        self.inner_modules.insert((module, name), inner);
        found
    }

    /// `name` inside a module by the tree of files.
    fn submodule(&mut self, module: &str, language: &'static Language, name: TermId) -> Option<Found> {
        let text = self.program.text(name);
        let full = if module.is_empty() { text.to_string() } else { format!("{module}{}{text}", language.separator) };
        self.named_module(&full, language).map(|module| Found::new(What::Module(module)))
    }

    /// The module with this name, which has no parts.
    pub(crate) fn root_named(&mut self, name: TermId, language: &'static Language) -> Option<ModuleRef> {
        if let Some(known) = self.roots.get(&(language.name, name)) {
            return *known;
        }
        let found = self.named_module(&self.program.text(name), language);
        self.roots.insert((language.name, name), found);
        found
    }

    /// The module with this full name.
    pub(crate) fn named_module(&mut self, full: &str, language: &'static Language) -> Option<ModuleRef> {
        let files = self.program.files_of_module(full);
        let shared = files.first().is_some_and(|f| self.unit(*f).language.linking.shared_modules);
        match files.first() {
            Some(_) if shared => Some(ModuleRef::Package(self.packages.number(full, language))),
            Some(file) => Some(ModuleRef::File(*file)),
            None if self.program.is_module_prefix(full) => {
                Some(ModuleRef::Package(self.packages.number(full, language)))
            }
            None => None,
        }
    }

    /// A top-level name of the files that share a module.
    pub(crate) fn package_member(&mut self, package: PackageId, name: TermId) -> Option<Found> {
        let found = self.top_level(package, name, None);
        if found.is_some() {
            return found;
        }
        let language = self.packages.language(package);
        self.submodule(&self.packages.name(package), language, name)
    }

    /// Top-level symbols of this name in the files of a module.
    pub(crate) fn top_level(
        &mut self,
        package: PackageId,
        name: TermId,
        reference: Option<&Reference>,
    ) -> Option<Found> {
        let args = reference.map(|reference| reference.args);
        let key = (package, name, args);
        let found = match self.tops.get(&key) {
            Some(known) => *known,
            None => {
                let found = self.find_top_level(package, name, args);
                self.tops.insert(key, found);
                found
            }
        };
        found.map(|sym| Found::new(What::Symbol(sym)))
    }

    fn find_top_level(&mut self, package: PackageId, name: TermId, args: Option<u8>) -> Option<Sym> {
        let (module, language) = (self.packages.name(package), self.packages.language(package));
        let mut best: Option<(Sym, bool)> = None;
        for &file in self.program.defining(name).iter() {
            if *self.program.module(file) != *module || !self.program.language(file).is_related(language) {
                continue;
            }
            let unit = self.unit(file);
            for decl in unit.declared(ScopeId(0), name) {
                let crate::Decl::Symbol(symbol) = decl else { continue };
                let fits = args
                    .is_none_or(|args| !unit.symbol(symbol).kind.is_callable() || accepts(unit.symbol(symbol), args));
                if best.is_none_or(|(_, old)| !old && fits) {
                    best = Some((Sym { file, symbol }, fits));
                }
            }
        }
        best.map(|(sym, _)| sym)
    }

    /// A top-level name of another file of the same module.
    pub(crate) fn module_neighbour(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let module = self.program.module(unit.file);
        let reference = unit.language.linking.overloads.then_some(reference);
        let package = self.packages.number(&module, unit.language);
        self.top_level(package, name, reference)
    }

    /// A module symbol as a value: its file if it has no body of its own.
    pub(crate) fn module_symbol(&mut self, unit: &Arc<Unit>, sym: Sym) -> Typed {
        let symbol = unit.symbol(sym.symbol);
        if sym.symbol.0 == 0 {
            // A file may be worth a value of its own.
            if let Some(expr) = unit.note(sym.symbol, Tie::Init) {
                return self.value(unit, expr).guessed(true);
            }
            return Typed::sure(Ty::Module(ModuleRef::File(sym.file)));
        }
        let has_body = symbol.head_end < symbol.span.end;
        if has_body {
            return Typed::sure(Ty::Module(ModuleRef::Inline(sym)));
        }
        let name = self.program.text(unit.name(symbol.name));
        let file = self.written_file(unit, sym.symbol).or_else(|| self.child_file(unit, &name));
        match file {
            Some(file) => Typed::sure(Ty::Module(ModuleRef::File(file))),
            None => Typed::sure(Ty::Module(ModuleRef::Inline(sym))),
        }
    }

    /// The file that the declaration of a module names.
    fn written_file(&mut self, unit: &Unit, symbol: SymbolId) -> Option<FileId> {
        let note = unit.facts.exprs[unit.note(symbol, Tie::Init)?.index()];
        let path = StrId(note.b).get().filter(|_| note.op == ExprOp::Literal)?;
        let own = self.program.path(unit.file);
        let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.program.file_at(&crate::joined(folder, &self.program.text(unit.name(path)))?)
    }

    /// The file of a module that is declared in another file without a body.
    fn child_file(&mut self, unit: &Unit, name: &str) -> Option<FileId> {
        let folder_file = unit.language.linking.path_words.folder_file;
        if folder_file.is_empty() {
            return None;
        }
        let path = self.program.path(unit.file);
        let (folder, file) = path.rsplit_once('/').map_or(("", &*path), |(folder, file)| (folder, file));
        let (stem, extension) = file.rsplit_once('.')?;
        let near = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = format!("{near}{stem}/");
        // A file that stands for its folder has its modules beside it, any other one in a folder of its own name.
        let order = if stem == folder_file { [&near, &below] } else { [&below, &near] };
        order.into_iter().find_map(|base| {
            let plain = self.program.file_at(&format!("{base}{name}.{extension}"));
            plain.or_else(|| self.program.file_at(&format!("{base}{name}/{folder_file}.{extension}")))
        })
    }

    /// The file that declares the module which a file is.
    fn parent_file(&mut self, file: FileId) -> Option<FileId> {
        if let Some(known) = self.parents.get(&file) {
            return *known;
        }
        let found = self.find_parent(file);
        self.parents.insert(file, found);
        found
    }

    fn find_parent(&mut self, file: FileId) -> Option<FileId> {
        let unit = self.unit(file);
        let folder_file = unit.language.linking.path_words.folder_file;
        let path = self.program.path(file);
        let mut parts = path.rsplit('/');
        let stem = parts.next()?.split('.').next()?;
        let name = if stem == folder_file { parts.next()? } else { stem };
        let Some(term) = self.program.term(name) else { return self.folder_parent(&unit, &path, stem) };
        for &other in self.program.defining(term).iter() {
            let candidate = self.unit(other);
            if other == file || candidate.language.name != unit.language.name {
                continue;
            }
            let declares = candidate.declared(ScopeId(0), term).any(|decl| match decl {
                crate::Decl::Symbol(id) => {
                    let symbol = candidate.symbol(id);
                    symbol.kind == SymbolKind::Module && symbol.head_end == symbol.span.end
                }
                _ => false,
            });
            if declares && self.child_file(&candidate, name) == Some(file) {
                return Some(other);
            }
        }
        self.folder_parent(&unit, &path, stem)
    }

    /// The parent of a file that nobody declares, as when a macro does: the file of its folder or of its package.
    fn folder_parent(&mut self, unit: &Unit, path: &str, stem: &str) -> Option<FileId> {
        let words = unit.language.linking.path_words;
        if words.root_files.contains(&stem) {
            return None;
        }
        let (mut folder, file) = path.rsplit_once('/')?;
        let (_, extension) = file.rsplit_once('.')?;
        let mut found = None;
        if stem == words.folder_file {
            folder = folder.rsplit_once('/')?.0;
        } else {
            found = self.program.file_at(&format!("{folder}/{}.{extension}", words.folder_file));
        }
        let found = found.or_else(|| self.program.file_at(&format!("{folder}.{extension}")));
        let roots =
            || words.root_files.iter().find_map(|root| self.program.file_at(&format!("{folder}/{root}.{extension}")));
        found.or_else(roots).filter(|parent| *parent != unit.file)
    }

    /// The module that a scope is in: an inline module, or the file.
    pub(crate) fn module_here(&mut self, unit: &Arc<Unit>, mut scope: ScopeId) -> ModuleRef {
        while scope.is_some() {
            let entry = unit.scope(scope);
            if entry.kind == ScopeKind::Namespace {
                return ModuleRef::Inline(Sym { file: unit.file, symbol: entry.owner });
            }
            scope = entry.parent;
        }
        ModuleRef::File(unit.file)
    }

    /// The module around the one that a scope is in.
    pub(crate) fn module_up(&mut self, unit: &Arc<Unit>, scope: ScopeId) -> Option<ModuleRef> {
        let here = self.module_here(unit, scope);
        self.module_around(here)
    }

    pub(crate) fn module_around(&mut self, module: ModuleRef) -> Option<ModuleRef> {
        match module {
            ModuleRef::Inline(sym) => {
                let unit = self.unit(sym.file);
                let parent = unit.symbol(sym.symbol).scope;
                Some(self.module_here(&unit, parent))
            }
            ModuleRef::File(file) => self.parent_file(file).map(ModuleRef::File),
            ModuleRef::Package(_) => None,
        }
    }

    /// The root module of the package that a file belongs to.
    pub(crate) fn root_module(&mut self, unit: &Arc<Unit>) -> Option<ModuleRef> {
        let mut root = unit.file;
        // Declarations of modules form a tree; the bound is for trees that are not.
        for _ in 0..64 {
            match self.parent_file(root) {
                Some(parent) => root = parent,
                None => break,
            }
        }
        Some(ModuleRef::File(root))
    }

    /// A name that is the name of a package of the project, else something outside.
    pub(crate) fn package_name(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        if unit.language.linking.path_words.root.is_empty() {
            return None;
        }
        let text = self.program.text(name);
        self.program.package_root(&text)?;
        self.named_module(&text, unit.language).map(|module| Found::new(What::Module(module)))
    }

    /// A macro that some file of the package defines.
    pub(crate) fn package_macro(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        let package = self.program.package(unit.file);
        let mut only = None;
        for &file in self.program.defining(name).iter() {
            if *self.program.package(file) != *package {
                continue;
            }
            let other = self.unit(file);
            for symbol in other.named(name).filter(|id| other.symbol(*id).kind == SymbolKind::Macro) {
                if only.is_some() {
                    return None;
                }
                only = Some(Sym { file, symbol });
            }
        }
        only.map(|sym| Found::new(What::Symbol(sym)))
    }
}
