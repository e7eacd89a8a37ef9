//! What a project offers to others: the paths by which they can name its symbols, and which symbols these are.
//!
//! Candidates are what stands at the top of each file, defined or imported; the linker says what each path means, by the
//! same rules by which another project's path is looked up. So re-exports are found under all their names.

use std::collections::BTreeMap;

use codegraph_languages::Language;
use codegraph_languages::linking::ImportScheme;
use codegraph_live::{Live, Published, comparable, on_deep_stack};
use codegraph_model::{FileId, RefKind, StrId, SymbolId, SymbolKind, Visibility};
use codegraph_resolve::{Linker, Sym, Target};
use codegraph_store::{FileNames, FileRecord, Store, Stored};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::paths::is_test;
use crate::{Reader, Result, vocabulary};

/// Which uses of a path mean the symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfferedTo {
    All,
    /// The path is that of a module which is worth a value: whoever calls it, makes one of it or takes it for a type means that.
    Value,
    /// The others mean the module.
    Module,
}

impl OfferedTo {
    pub fn word(self) -> &'static str {
        match self {
            OfferedTo::All => "all",
            OfferedTo::Value => "value",
            OfferedTo::Module => "module",
        }
    }

    /// Whether a use of a module means the value that it is worth.
    pub(crate) fn means_value(kind: RefKind) -> bool {
        use RefKind::{Call, Decorator, Implements, Inherit, Instantiation, TypeRef};
        matches!(kind, Call | Instantiation | Decorator | Inherit | Implements | TypeRef)
    }

    /// Whether a use of a path means the symbol that this is said of; `word` is that of a variant.
    pub fn admits(word: &str, kind: RefKind) -> bool {
        word != if OfferedTo::means_value(kind) { OfferedTo::Module.word() } else { OfferedTo::Value.word() }
    }
}

/// A path under which others can use a symbol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offered {
    /// Where such packages are published.
    pub registry: &'static str,
    /// As registries compare it.
    pub package: String,
    /// Names joined by the language's separator, as the index of an importer has them.
    pub path: String,
    /// Who means the symbol by it.
    pub to: OfferedTo,
    pub key: u128,
    /// The path begins with the package's own name: who uses it means this package, declared or not.
    pub named: bool,
    /// How many arguments a call has that means it, at least and at most, where functions of one name are told apart by that.
    pub arguments: Option<(u8, u8)>,
    /// The type of the project that calling it gives, or that it is a value of.
    pub gives: Option<u128>,
}

/// All paths, sorted. `published` are the packages that folders are made into.
pub fn offers(reader: &Reader, published: &[Published]) -> Result<Vec<Offered>> {
    let store = reader.store();
    let live = Live::new(store);
    let found = on_deep_stack(|| {
        let mut work = Work {
            store,
            published,
            linker: Linker::new(&live),
            running: Linker::running(&live),
            runs: false,
            tried: FxHashSet::default(),
            files: FxHashMap::default(),
            found: BTreeMap::new(),
        };
        for record in store.files()? {
            reader.go_on()?;
            work.file(&record)?;
        }
        Ok::<_, crate::Error>(work.found)
    })?;
    live.check()?;
    let offered = |(((path, registry, to), key), about): ((Name, u128), About)| {
        let named = is_named(&path, &about.package);
        let About { package, arguments, gives } = about;
        Offered { registry, package: comparable(&package), path, to, key, named, arguments, gives }
    };
    Ok(found.into_iter().map(offered).collect())
}

/// Whether a path begins with the name of its package, or with the domain of who publishes it.
fn is_named(path: &str, package: &str) -> bool {
    let begins = |start: &str| {
        let rest = path.get(start.len()..).unwrap_or_default();
        let ends = rest.is_empty() || rest.starts_with(['.', '/', ':', '\\', '#']);
        let same = path.get(..start.len()).is_some_and(|own| comparable(own) == comparable(start));
        !start.is_empty() && ends && same
    };
    match package.split_once(':') {
        Some((group, _)) => {
            let mut ends = group.match_indices('.').map(|(place, _)| place).chain([group.len()]);
            ends.nth(1).is_some_and(|end| begins(&group[..end]))
        }
        None => begins(package),
    }
}

/// A path with its registry and who means a symbol by it.
type Name = (String, &'static str, OfferedTo);

/// A path in the making.
#[derive(Clone)]
struct Named {
    path: String,
    /// The package that the path begins in.
    package: String,
    language: &'static Language,
    to: OfferedTo,
}

/// What is known about what a path means.
struct About {
    package: String,
    arguments: Option<(u8, u8)>,
    gives: Option<u128>,
}

struct Work<'s> {
    store: &'s Store,
    published: &'s [Published],
    linker: Linker<'s>,
    /// Who looks for what runs, not for what describes it.
    running: Linker<'s>,
    /// That is looked for now, beside what was found.
    runs: bool,
    tried: FxHashSet<(&'static str, Vec<String>)>,
    files: FxHashMap<FileId, Home>,
    /// By path and key.
    found: BTreeMap<(Name, u128), About>,
}

/// A file that has a symbol that is offered.
struct Home {
    stored: Stored,
    keys: Vec<u128>,
    names: Vec<String>,
}

impl Work<'_> {
    fn file(&mut self, record: &FileRecord) -> Result<()> {
        let language = vocabulary::language(&record.language)?;
        if language.registry.is_empty() || is_test(&record.path) || is_shown(&record.path) {
            return Ok(());
        }
        let loaded = matches!(language.linking.imports, ImportScheme::LoadPath { .. });
        if loaded || language.linking.namespaces {
            return self.full_names(record, language);
        }
        let names = self.names_at_top(record.id)?;
        let module = [record.module.clone()];
        let split: Vec<String> = record.module.split(language.separator).map(str::to_owned).collect();
        let package = [record.package.clone()];
        for base in [&module[..], &split, &package] {
            if base.iter().any(String::is_empty) {
                continue;
            }
            self.attempt(record, language, base.to_vec())?;
            for name in &names {
                let mut path = base.to_vec();
                path.push(name.clone());
                self.attempt(record, language, path)?;
            }
        }
        Ok(())
    }

    /// Where a file gives its names to everybody, or adds to namespaces, each symbol has one path: its own name.
    fn full_names(&mut self, record: &FileRecord, language: &'static Language) -> Result<()> {
        self.load(record.id)?;
        let home = &self.files[&record.id];
        let symbols = home.stored.facts.symbols.iter().enumerate().skip(1);
        let named = symbols.filter(|(_, symbol)| symbol.visibility != Visibility::Private && !is_local(symbol.kind));
        let named: Vec<SymbolId> = named.map(|(place, _)| SymbolId(place as u32)).collect();
        let texts = self.store.symbol_names(&home.stored)?;
        let names = FileNames::of(record);
        let package = self.package_of(record, language);
        for symbol in named {
            let path = names.base(&self.files[&record.id].stored.facts, symbol, &texts);
            let sym = Sym { file: record.id.0, symbol };
            let named = Named { path: path.clone(), package: package.clone(), language, to: OfferedTo::All };
            if !path.contains(language.separator) && !path.starts_with(char::is_uppercase) {
                continue;
            }
            if self.files[&record.id].stored.facts.symbols[symbol.index()].kind.is_type() {
                self.members(&named, sym)?;
            }
            self.add(&named, sym)?;
        }
        Ok(())
    }

    /// What a file defines or imports at its top.
    fn names_at_top(&self, file: FileId) -> Result<Vec<String>> {
        let stored = self.store.facts(file)?;
        let facts = &stored.facts;
        let is_top = |parent: SymbolId| parent.get().is_none_or(|parent| parent.0 == 0);
        let mut ids: Vec<StrId> = facts
            .symbols
            .iter()
            .skip(1)
            // Macros are passed on by other rules than names.
            .filter(|symbol| symbol.visibility != Visibility::Private || symbol.kind == SymbolKind::Macro)
            .filter(|symbol| is_top(symbol.parent))
            .map(|symbol| symbol.name)
            .collect();
        for import in &facts.imports {
            let last = import.path.last().map(|reference| facts.refs[reference.index()].name);
            ids.extend(import.alias.get().or(last));
        }
        ids.retain(|id| id.is_some());
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(|id| Ok(self.store.name(&stored, id)?.to_string())).collect()
    }

    fn attempt(&mut self, record: &FileRecord, language: &'static Language, path: Vec<String>) -> Result<()> {
        if !self.tried.insert((language.name, path.clone())) {
            return Ok(());
        }
        self.enter(record, language, &path)?;
        if let ImportScheme::Files { .. } = language.linking.imports {
            std::mem::swap(&mut self.linker, &mut self.running);
            self.runs = true;
            let entered = self.enter(record, language, &path);
            std::mem::swap(&mut self.linker, &mut self.running);
            self.runs = false;
            entered?;
        }
        Ok(())
    }

    fn enter(&mut self, record: &FileRecord, language: &'static Language, path: &[String]) -> Result<()> {
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let (file, symbol) = match self.linker.entered(record.id.0, &parts) {
            Some(Target::Symbol(found)) => (FileId(found.file), found.symbol),
            Some(Target::Module(file)) => (FileId(file), SymbolId(0)),
            _ => return Ok(()),
        };
        let package = self.package_of(record, language);
        let value = match symbol.0 {
            0 => self.linker.entered_default(record.id.0, &parts),
            _ => None,
        };
        let mut named = Named { path: path.join(language.separator), package, language, to: OfferedTo::All };
        if let Some(Target::Symbol(value)) = value
            && value.symbol.0 != 0
        {
            named.to = OfferedTo::Value;
            self.add(&named, value)?;
            named.to = OfferedTo::Module;
        }
        self.load(file)?;
        let sym = Sym { file: file.0, symbol };
        if symbol.0 != 0 {
            self.members(&named, sym)?;
        }
        self.add(&named, sym)
    }

    /// The members of a type are named through it, also those that it inherits.
    fn members(&mut self, named: &Named, of: Sym) -> Result<()> {
        let home = &self.files[&FileId(of.file)];
        let symbols = home.stored.facts.symbols.iter().enumerate();
        let inside = symbols.filter(|(place, member)| {
            member.parent == of.symbol && member.visibility != Visibility::Private && !home.names[*place].is_empty()
        });
        let inside = inside.map(|(place, _)| (home.names[place].clone(), SymbolId(place as u32)));
        let mut all: Vec<(String, Sym)> = inside.map(|(name, symbol)| (name, Sym { file: of.file, symbol })).collect();
        if home.stored.facts.symbols[of.symbol.index()].kind.is_type() {
            let members = self.linker.members_of(of);
            all.extend(members.into_iter().map(|(name, member)| (name.to_string(), member)));
        }
        for (name, member) in all {
            let path = format!("{}{}{name}", named.path, named.language.separator);
            self.add(&Named { path, ..named.clone() }, member)?;
        }
        Ok(())
    }

    /// Of several symbols with one path the first counts, unless functions of one name are told apart by their arguments.
    fn add(&mut self, named: &Named, sym: Sym) -> Result<()> {
        self.load(FileId(sym.file))?;
        let home = &self.files[&FileId(sym.file)];
        let key = home.keys[sym.symbol.index()];
        let name = (named.path.clone(), named.language.registry, named.to);
        let mut known = self.found.range((name.clone(), 0)..=(name.clone(), u128::MAX));
        let several = self.runs || named.language.linking.overloads;
        if known.any(|((_, own), _)| *own == key || !several) {
            return Ok(());
        }
        let package = named.package.clone();
        let arguments = self.linker.argument_counts(sym);
        let gives = match self.linker.given_type(sym) {
            Some(of) => {
                self.load(FileId(of.file))?;
                Some(self.files[&FileId(of.file)].keys[of.symbol.index()])
            }
            None => None,
        };
        self.found.insert((name, key), About { package, arguments, gives });
        Ok(())
    }

    /// What the files of a folder are published as: by the nearest manifest, where the language has none of its own.
    fn package_of(&self, record: &FileRecord, language: &Language) -> String {
        let mut folder = record.path.as_str();
        while language.manifest.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            let here = |one: &&Published| one.registry == language.registry && one.folder == folder;
            if let Some(found) = self.published.iter().find(here) {
                return found.package.clone();
            }
            if folder.is_empty() {
                break;
            }
        }
        record.package.clone()
    }

    fn load(&mut self, file: FileId) -> Result<()> {
        if self.files.contains_key(&file) {
            return Ok(());
        }
        let record = self.store.file(file)?.unwrap_or_default();
        let stored = self.store.outline(file)?;
        let texts = self.store.symbol_names(&stored)?;
        let keys = FileNames::of(&record).all_symbol_keys(&stored.facts, &texts);
        let name = |id: StrId| {
            id.get().map_or_else(String::new, |id| codegraph_store::NameSource::text(&texts, id).to_owned())
        };
        let names = stored.facts.symbols.iter().map(|symbol| name(symbol.name)).collect();
        self.files.insert(file, Home { stored, keys, names });
        Ok(())
    }
}

/// Whether a file only shows how the package is used: nobody can use it in turn.
fn is_shown(path: &str) -> bool {
    let is_one = |folder: &str| {
        matches!(
            folder,
            "example" | "examples" | "demo" | "demos" | "sample" | "samples" | "bench" | "benches" | "benchmarks"
        ) || matches!(folder, "doc" | "docs" | "playground")
    };
    path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(is_one))
}

/// Whether a thing is reached by no path.
fn is_local(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Variable | SymbolKind::InstanceVariable | SymbolKind::Heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_by_its_package_or_by_the_domain_of_who_publishes_it() {
        for (path, package) in [
            ("example.org/mesh.Render", "example.org/mesh"),
            ("@fastify/cors.default", "@fastify/cors"),
            ("flask_login.utils.login_user", "Flask-Login"),
            ("com.google.gson.Gson.toJson", "com.google.code.gson:gson"),
            ("Rack::Request", "rack"),
        ] {
            assert!(is_named(path, package), "{path} of {package}");
        }
        for (path, package) in [
            ("example.org/mesher.Render", "example.org/mesh"),
            ("fastify-plugin.default", "fastify"),
            ("okhttp3.OkHttpClient", "com.squareup.okhttp3:okhttp"),
            ("com.example.Main", "org.mesh:mesh"),
            ("junit.Assert", "junit:junit"),
            ("anything", ""),
        ] {
            assert!(!is_named(path, package), "{path} of {package}");
        }
    }
}
