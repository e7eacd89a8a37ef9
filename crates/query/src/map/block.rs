//! The block of a file: header, imports, symbols with what they call and who uses them. Blocks do not depend on others.

use codegraph_model::{Span, Symbol, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

use super::alias::Aliases;
use super::atlas::{Atlas, MapFile, SymbolAt, Use};
use super::imports::{Importer, Local};
use super::layout::{Node, What, simple_owner};
use super::line;
use crate::source::{self, Texts};
use crate::{Error, Result};

const MOST_CALLS: usize = 5;
const MOST_USERS: usize = 3;
const MOST_FIXTURES: usize = 20;
const DITTO: &str = "←″";

/// The block of a file.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) file: u32,
    /// `path: ←5`
    pub(super) header: String,
    /// The lines `i …` and `i→ …`, if there are any.
    pub(super) imports: Vec<String>,
    /// Of a test file: stands for its lines.
    summary: Option<Line>,
    /// Empty for a test file unless asked for.
    pub(super) lines: Vec<Line>,
    /// Says whether the structure changed: names, parameters, types, nesting, imports, calls; no positions.
    pub(super) hash: String,
    /// The text was not what was indexed, so nothing of it is shown.
    pub(super) stale: bool,
}

/// A line of a block.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) depth: u16,
    pub(super) symbol: u32,
    /// `m validate()->bool`
    pub(super) head: String,
    /// `:20`
    pub(super) at: String,
    /// `→a,b`
    calls: String,
    /// `←a.py:5,+2`
    users: String,
    /// All places that use it: those of the line above are the same only if all are.
    places: Vec<(u32, u32, u32)>,
}

impl Block {
    /// The whole block, each line with its end.
    pub(super) fn text(&self) -> String {
        let mut text = self.opening();
        let mut above: &[(u32, u32, u32)] = &[];
        for line in self.shown() {
            text.push_str(&line.indented());
            text.push_str(&line.at);
            let users = if line.places == above && !above.is_empty() { DITTO } else { &line.users };
            for annotation in [line.calls.as_str(), users].into_iter().filter(|text| !text.is_empty()) {
                text.push(' ');
                text.push_str(annotation);
            }
            text.push('\n');
            above = &line.places;
        }
        text
    }

    /// The lines of a whole block.
    fn shown(&self) -> &[Line] {
        self.summary.as_ref().map_or(&self.lines, std::slice::from_ref)
    }

    /// Header and imports.
    pub(super) fn opening(&self) -> String {
        let mut text = format!("{}\n", self.header);
        for import in &self.imports {
            text.push_str(import);
            text.push('\n');
        }
        text
    }
}

impl Line {
    pub(super) fn indented(&self) -> String {
        format!("{:indent$}{}", "", self.head, indent = usize::from(self.depth) * 2)
    }
}

/// Writes blocks. One per thread.
pub(super) struct Writer<'a> {
    pub(super) atlas: &'a Atlas,
    pub(super) importer: &'a Importer<'a>,
    pub(super) aliases: &'a Aliases,
    /// Every path as the map shows it.
    pub(super) paths: &'a [String],
    pub(super) texts: &'a Texts,
}

impl Writer<'_> {
    /// The block of a file. The lines behind the summary of a test file are written if `all` says so.
    pub(super) fn block(&self, place: u32, all: bool) -> Result<Block> {
        let file = &self.atlas.files[place as usize];
        let users = self.atlas.users(place);
        let header = format!("{}:{}", self.paths[place as usize], count_mark(users));
        let mut block = Block {
            file: place,
            header,
            imports: Vec::new(),
            summary: None,
            lines: Vec::new(),
            hash: String::new(),
            stale: false,
        };
        let bytes = match source::read(self.texts, &file.record) {
            Ok(bytes) => bytes,
            Err(Error::Changed { .. } | Error::Unreadable { .. } | Error::OutsideProject(_)) => {
                block.stale = true;
                return Ok(block);
            }
            Err(other) => return Err(other),
        };
        let imports = self.importer.imports(place)?;
        if !file.test && !imports.outside.is_empty() {
            let names: Vec<String> = imports.outside.iter().map(|text| line::name(text)).collect();
            block.imports.push(format!("i {}", names.join(",")));
        }
        if !imports.local.is_empty() {
            let shown: Vec<String> = imports.local.iter().map(|local| self.local(local)).collect();
            block.imports.push(format!("i→ {}", shown.join(",")));
        }
        if file.test {
            block.summary = Some(self.summary(file, &bytes)?);
        }
        if !file.test || all {
            block.lines = self.lines(place, file, &bytes)?;
        }
        block.hash = hash(&file.record.path, &block);
        Ok(block)
    }

    fn local(&self, local: &Local) -> String {
        match local {
            Local::File(place) => self.paths[*place as usize].clone(),
            Local::Folder(folder) if folder == "/" => "./".to_owned(),
            Local::Folder(folder) => self.aliases.shown(folder),
        }
    }

    fn lines(&self, place: u32, file: &MapFile, bytes: &[u8]) -> Result<Vec<Line>> {
        let calls = self.calls(place, file)?;
        let mut lines = Vec::with_capacity(file.layout.nodes.len());
        for (number, node) in file.layout.nodes.iter().enumerate() {
            if let What::Tests { classes, methods } = node.what {
                lines.push(plain(node, format!("# {classes}c/{methods}m")));
                continue;
            }
            let symbol = &file.symbols[node.symbol.index()];
            let what = line::shown_as(bytes, node.what, symbol);
            let mark = line::mark(what, symbol);
            let name = self.name(file, node, symbol)?;
            let details = line::details(bytes, what, symbol, &traits(file, node.symbol));
            let mut line = plain(node, format!("{mark} {name}{details}"));
            if node.what != What::Field {
                line.at = format!(":{}", file.lines[node.symbol.index()]);
                line.calls = calls.get(&(number as u32)).cloned().unwrap_or_default();
                (line.users, line.places) = self.users(SymbolAt { file: place, symbol: node.symbol.0 }, symbol);
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// The name of a symbol; of one that is written apart from its type, with the type.
    fn name(&self, file: &MapFile, node: &Node, symbol: &Symbol) -> Result<String> {
        let text = match symbol.name.get() {
            Some(name) => self.atlas.texts.text(file.names[name.index()])?,
            None => return Ok("_".to_owned()),
        };
        if symbol.kind == SymbolKind::Impl {
            return Ok(line::name(simple_owner(text)));
        }
        match symbol.qualifier.get().filter(|_| node.apart) {
            Some(qualifier) => {
                let qualifier = self.atlas.texts.text(file.names[qualifier.index()])?;
                Ok(line::name(&format!("{qualifier}{}{text}", file.record.separator)))
            }
            None => Ok(line::name(text)),
        }
    }

    /// What each line calls.
    fn calls(&self, place: u32, file: &MapFile) -> Result<FxHashMap<u32, String>> {
        let mut names: FxHashMap<u32, Vec<String>> = FxHashMap::default();
        for (caller, target) in &file.calls {
            let symbol = self.atlas.symbol(*target);
            let callable = symbol.kind.is_callable() || symbol.kind.normalized() == "method";
            let node = &file.layout.nodes[*caller as usize];
            if !callable || (target.file == place && target.symbol == node.symbol.0) {
                continue;
            }
            let name = self.called(place, node, *target)?;
            let own = names.entry(*caller).or_default();
            if !own.contains(&name) {
                own.push(name);
            }
        }
        Ok(names.into_iter().map(|(caller, names)| (caller, call_list(&names))).collect())
    }

    /// `name` of a function or of the caller's own type, else `Type.name`.
    fn called(&self, place: u32, caller: &Node, target: SymbolAt) -> Result<String> {
        let file = &self.atlas.files[target.file as usize];
        let symbol = self.atlas.symbol(target);
        let text = |name: codegraph_model::StrId| match name.get() {
            Some(name) => self.atlas.texts.text(file.names[name.index()]),
            None => Ok("_"),
        };
        let name = text(symbol.name)?;
        let owner = match file.symbols.get(symbol.parent.index()) {
            Some(parent) if parent.kind.is_type() => text(parent.name)?,
            _ if symbol.qualifier.is_some() => text(symbol.qualifier)?,
            _ => return Ok(line::name(name)),
        };
        let owner = simple_owner(owner);
        let own = target.file == place && self.owner_name(place, caller)?.as_deref() == Some(owner);
        Ok(line::name(&if own { name.to_string() } else { format!("{owner}.{name}") }))
    }

    /// The simple name of the type that a line stands in.
    fn owner_name(&self, place: u32, node: &Node) -> Result<Option<String>> {
        let file = &self.atlas.files[place as usize];
        let symbol = &file.symbols[node.symbol.index()];
        let parent = file.symbols.get(symbol.parent.index()).filter(|parent| parent.kind.is_type());
        let name = parent.map_or(symbol.qualifier, |parent| parent.name);
        let Some(name) = name.get() else { return Ok(None) };
        Ok(Some(simple_owner(self.atlas.texts.text(file.names[name.index()])?).to_owned()))
    }

    /// Who uses a symbol: other files; for a type that no other file uses, its own. Calls inside a file are shown by
    /// the line that calls.
    fn users(&self, at: SymbolAt, symbol: &Symbol) -> (String, Vec<(u32, u32, u32)>) {
        let uses = self.atlas.uses_of(at);
        let others: Vec<&Use> = uses.iter().filter(|entry| entry.source != at.file).collect();
        let is_type = symbol.kind.is_type() && symbol.kind != SymbolKind::Impl;
        let shown = if others.is_empty() && is_type { uses.iter().collect() } else { others };
        if shown.is_empty() {
            return Default::default();
        }
        let places = shown.iter().map(|entry| (entry.source, entry.line, entry.locations())).collect();
        let total: u32 = shown.iter().map(|entry| entry.locations()).sum();
        let mut parts: Vec<String> = Vec::with_capacity(MOST_USERS + 1);
        for entry in shown.iter().take(MOST_USERS) {
            parts.push(format!("{}:{}", self.paths[entry.source as usize], entry.line));
        }
        let more = total as usize - parts.len();
        if more > 0 {
            parts.push(format!("+{more}"));
        }
        (format!("←{}", parts.join(",")), places)
    }

    /// `# 3c/12m fixtures:a,b`
    fn summary(&self, file: &MapFile, bytes: &[u8]) -> Result<Line> {
        let mut fixtures: Vec<String> = Vec::new();
        let mut more = 0;
        for symbol in file.symbols.iter().skip(1).filter(|symbol| symbol.kind.is_callable()) {
            let decorated = symbol.decorators.iter().any(|span| is_fixture(&line::compact(bytes, *span)));
            let Some(name) = symbol.name.get().filter(|_| decorated) else { continue };
            let name = line::name(self.atlas.texts.text(file.names[name.index()])?);
            match fixtures.len() < MOST_FIXTURES {
                true => fixtures.push(name),
                false => more += 1,
            }
        }
        if more > 0 {
            fixtures.push(format!("+{more}"));
        }
        let names = if fixtures.is_empty() { String::new() } else { format!(" fixtures:{}", fixtures.join(",")) };
        let what = What::Tests { classes: file.layout.classes, methods: file.layout.methods };
        let node = Node { symbol: SymbolId(0), depth: 0, what, apart: false };
        Ok(plain(&node, format!("# {}c/{}m{names}", file.layout.classes, file.layout.methods)))
    }
}

fn plain(node: &Node, head: String) -> Line {
    Line {
        depth: node.depth,
        symbol: node.symbol.0,
        head,
        at: String::new(),
        calls: String::new(),
        users: String::new(),
        places: Vec::new(),
    }
}

/// ` ←5`, or nothing.
pub(super) fn count_mark(count: usize) -> String {
    if count > 0 { format!(" ←{count}") } else { String::new() }
}

fn call_list(names: &[String]) -> String {
    let mut list = names.iter().take(MOST_CALLS).cloned().collect::<Vec<_>>();
    if names.len() > MOST_CALLS {
        list.push(format!("+{}", names.len() - MOST_CALLS));
    }
    format!("→{}", list.join(","))
}

/// The traits that blocks in this file implement for a type.
fn traits(file: &MapFile, owner: SymbolId) -> Vec<Span> {
    let blocks = file.layout.impls.iter().filter(|(own, _)| *own == owner);
    blocks.flat_map(|(_, block)| file.symbols[block.index()].bases.iter().copied()).collect()
}

/// What frameworks call a function that prepares tests.
fn is_fixture(decorator: &str) -> bool {
    let name = decorator.trim_start_matches('@').split('(').next().unwrap_or(decorator).trim();
    let last = name.rsplit(['.', ':', '\\']).next().unwrap_or(name).to_ascii_lowercase().replace('_', "");
    const FIXTURES: &[&str] = &["fixture", "yieldfixture", "before", "setup", "onetimesetup", "classfixture"];
    FIXTURES.contains(&last.as_str())
        || ["beforeeach", "beforeall", "beforeclass", "beforemethod"].contains(&last.as_str())
}

fn hash(path: &str, block: &Block) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    };
    add(path);
    block.imports.iter().for_each(|import| add(import));
    for line in block.shown() {
        add(&line.indented());
        add(&line.calls);
    }
    source::hex(&hasher.finalize().as_bytes()[..8])
}
