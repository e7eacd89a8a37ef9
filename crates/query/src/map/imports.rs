//! What a file imports: files of the project, and names of what lies outside.

use codegraph_languages::linking::ImportScheme;
use codegraph_model::{ImportFlags, TermId};

use rustc_hash::{FxHashMap, FxHashSet};

use super::atlas::{Atlas, RawImport};
use crate::{Result, vocabulary};

/// The imports of a file, each once, in source order.
#[derive(Clone, Debug, Default)]
pub(super) struct Imports {
    pub(super) outside: Vec<String>,
    pub(super) local: Vec<Local>,
}

/// A part of the project that is imported.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Local {
    File(u32),
    /// A package that is a folder.
    Folder(String),
}

/// More files of one package are shown as their folder.
const MOST_FILES: usize = 3;

/// Finds files by what imports call them.
pub(super) struct Importer<'a> {
    atlas: &'a Atlas,
    /// Files by path without the extension.
    stems: FxHashMap<&'a str, u32>,
    /// Files by name, for includes: several of one name mean none.
    endings: FxHashMap<&'a str, Vec<u32>>,
    modules: FxHashMap<&'a str, Vec<u32>>,
}

impl<'a> Importer<'a> {
    pub(super) fn new(atlas: &'a Atlas) -> Importer<'a> {
        let mut importer = Importer {
            atlas,
            stems: FxHashMap::default(),
            endings: FxHashMap::default(),
            modules: FxHashMap::default(),
        };
        for (place, file) in atlas.files.iter().enumerate().filter(|(_, file)| !file.layout.prose) {
            let path = file.record.path.as_str();
            let place = place as u32;
            let name = path.rfind('/').map_or(0, |slash| slash + 1);
            let stem = path[name..].rfind('.').map_or(path, |dot| &path[..name + dot]);
            importer.stems.entry(stem).or_insert(place);
            importer.endings.entry(&path[name..]).or_default().push(place);
            importer.modules.entry(&file.record.module).or_default().push(place);
        }
        importer
    }

    /// The imports of a file.
    pub(super) fn imports(&self, file: u32) -> Result<Imports> {
        let mut found = Imports::default();
        let (mut outside, mut local) = (FxHashSet::default(), FxHashSet::default());
        for import in &self.atlas.files[file as usize].imports {
            let targets = self.targets(file, import)?;
            if targets.is_empty() && !import.own {
                let text = self.outside(file, import)?;
                if !text.is_empty() && outside.insert(text.clone()) {
                    found.outside.push(text);
                }
            }
            for target in targets {
                if target != Local::File(file) && local.insert(target.clone()) {
                    found.local.push(target);
                }
            }
        }
        Ok(found)
    }

    fn targets(&self, file: u32, import: &RawImport) -> Result<Vec<Local>> {
        if let Some(source) = import.source {
            let source = self.atlas.texts.text(source)?;
            if let Some(found) = self.by_source(file, source, import.flags)? {
                return Ok(vec![Local::File(found)]);
            }
            if let Some(found) = import.module.or(import.item) {
                return Ok(vec![Local::File(found)]);
            }
            return Ok(self.package(file, source));
        }
        if let Some(found) = import.module.or(import.item) {
            return Ok(vec![Local::File(found)]);
        }
        self.by_names(file, import)
    }

    /// A file that an import names by its path: beside the importing file, from the root, or the only one that ends so.
    fn by_source(&self, file: u32, source: &str, flags: ImportFlags) -> Result<Option<u32>> {
        let record = &self.atlas.files[file as usize].record;
        let folder = folder(&record.path);
        if let ImportScheme::LoadPath { extension } = vocabulary::language(&record.language)?.linking.imports {
            let beside = || join(folder, source).and_then(|path| self.at(&path));
            let loaded = || self.by_ending(&format!("{source}.{extension}"));
            return Ok(if flags.has(ImportFlags::SYSTEM) { loaded() } else { beside() });
        }
        let include = flags.has(ImportFlags::INCLUDE);
        if source.starts_with("./") || source.starts_with("../") || include {
            let found = join(folder, source).and_then(|path| self.at(&path));
            if found.is_some() || !include {
                return Ok(found);
            }
        }
        if include {
            let root = self.atlas.by_path.get(source).copied();
            return Ok(root.or_else(|| self.by_ending(source).filter(|_| !flags.has(ImportFlags::SYSTEM))));
        }
        Ok(None)
    }

    /// The file at a path, with the extension or the index file that imports leave out.
    fn at(&self, path: &str) -> Option<u32> {
        let exact = self.atlas.by_path.get(path).copied();
        let stem = || self.stems.get(path).copied();
        let index = || self.stems.get(format!("{path}/index").as_str()).copied();
        // `./a.js` is what a file that is compiled calls `./a.ts`.
        let other =
            || self.stems.get(&path[..path.rfind('.').filter(|dot| path[*dot..].find('/').is_none())?]).copied();
        exact.or_else(stem).or_else(index).or_else(other)
    }

    fn by_ending(&self, source: &str) -> Option<u32> {
        let name = source.rsplit('/').next()?;
        let ends = |place: &&u32| {
            let path = &self.atlas.files[**place as usize].record.path;
            path.strip_suffix(source).is_some_and(|rest| rest.ends_with('/'))
        };
        let mut found = self.endings.get(name)?.iter().filter(ends);
        let first = found.next()?;
        found.next().is_none().then_some(*first)
    }

    /// `a.b.C`: the longest part that is a module of the project, and the file in it that defines the rest.
    fn by_names(&self, file: u32, import: &RawImport) -> Result<Vec<Local>> {
        if import.level > 0 {
            return Ok(Vec::new());
        }
        let separator = &self.atlas.files[file as usize].record.separator;
        let texts = import.path.iter().map(|name| self.atlas.texts.text(*name)).collect::<Result<Vec<_>, _>>()?;
        for length in (1..=texts.len()).rev() {
            let module = texts[..length].join(separator);
            let Some(files) = self.modules.get(module.as_str()) else { continue };
            let Some(item) = import.path.get(length) else {
                return Ok(self.package(file, &module));
            };
            let defines = |place: &&u32| self.defines(**place, *item);
            return Ok(files.iter().find(defines).map(|place| Local::File(*place)).into_iter().collect());
        }
        Ok(Vec::new())
    }

    fn defines(&self, place: u32, name: TermId) -> bool {
        let file = &self.atlas.files[place as usize];
        let Ok(name) = file.names.binary_search(&name) else { return false };
        file.symbols.iter().skip(1).any(|symbol| symbol.name.index() == name && symbol.parent.0 == 0)
            || file.symbols.iter().skip(1).any(|symbol| symbol.name.index() == name && symbol.kind.is_type())
    }

    /// The files of a module that are used, or the folder if there are many or none.
    fn package(&self, file: u32, module: &str) -> Vec<Local> {
        let Some(files) = self.modules.get(module) else { return Vec::new() };
        let linked = |place: &&u32| self.atlas.uses(**place).iter().any(|entry| entry.source == file);
        let used: Vec<u32> = files.iter().filter(linked).copied().collect();
        if (1..=MOST_FILES).contains(&used.len()) {
            return used.into_iter().map(Local::File).collect();
        }
        let folders: FxHashSet<&str> =
            files.iter().map(|place| folder(&self.atlas.files[*place as usize].record.path)).collect();
        match folders.into_iter().collect::<Vec<_>>().as_slice() {
            [one] => vec![Local::Folder(format!("{one}/"))],
            _ => used.into_iter().take(MOST_FILES).map(Local::File).collect(),
        }
    }

    fn outside(&self, file: u32, import: &RawImport) -> Result<String> {
        if let Some(source) = import.source {
            return Ok(self.atlas.texts.text(source)?.to_string());
        }
        let separator = &self.atlas.files[file as usize].record.separator;
        let whole = import.flags.has(ImportFlags::MODULE) || import.flags.has(ImportFlags::STAR);
        let length = import.path.len();
        let kept = if whole || length < 2 { length } else { length - 1 };
        let texts =
            import.path[..kept].iter().map(|name| self.atlas.texts.text(*name)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("{}{}", ".".repeat(usize::from(import.level)), texts.join(separator)))
    }
}

/// The folder of a path; empty for the root.
pub(super) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
