//! Who uses whom, as a picture shows it: nodes are symbols, files or folders, edges count the uses between them.
//!
//! References come file by file and their users are in that file, so the edges of symbols and files are summed up per
//! file. What lies around something is found by going over all references once per step.

use std::collections::BTreeMap;

use codegraph_query::{Reader, Selected, Selector};
use codegraph_store::{Cell, SymbolRow, Tables};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Error, Level, Listener, Picture, Report, Result, Scope};

/// A node of a picture.
pub(crate) struct Node<'a> {
    pub(crate) number: i64,
    pub(crate) name: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) file: &'a str,
    pub(crate) line: i64,
}

/// How often one node uses another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) all: u64,
    pub(crate) calls: u64,
}

/// What a picture is drawn on.
pub(crate) trait Canvas {
    fn begin(&mut self) -> Result<()>;
    /// The nodes that follow are in this file.
    fn group(&mut self, number: usize, file: &str) -> Result<()>;
    fn end_group(&mut self) -> Result<()>;
    fn node(&mut self, node: &Node<'_>) -> Result<()>;
    /// All nodes are there.
    fn edges(&mut self) -> Result<()> {
        Ok(())
    }
    fn edge(&mut self, from: i64, to: i64, uses: Uses) -> Result<()>;
    fn end(&mut self) -> Result<()>;
}

/// The nodes that are shown, and how to get to the others.
pub(crate) struct Graph {
    tables: Tables,
    level: Level,
    /// By number.
    files: BTreeMap<i64, (String, String)>,
    folders: Vec<String>,
    folder_of: FxHashMap<i64, i64>,
    /// All, if nothing is said.
    shown: Option<FxHashSet<i64>>,
}

/// Bits of a row's number that say which row of its file it is.
const ROW_BITS: u32 = 24;

impl Graph {
    pub(crate) fn new(reader: &Reader, scope: &Scope, picture: Picture) -> Result<Graph> {
        let tables = codegraph_query::tables(reader)?;
        let mut files = BTreeMap::new();
        tables.each_row("files", &["id", "path", "language"], |row| {
            if let [Cell::Integer(id), Cell::Text(path), Cell::Text(language)] = row {
                files.insert(*id, (path.clone(), language.clone()));
            }
            Ok::<(), Error>(())
        })?;
        let centre = scope.around.as_ref().map(|around| Centre::find(reader, &files, around)).transpose()?;
        let usual = match (&centre, picture) {
            (Some(Centre::Folder(_)), _) | (None, Picture::Dot | Picture::Mermaid) => Level::File,
            _ => Level::Symbol,
        };
        let mut graph = Graph {
            tables,
            level: scope.level.unwrap_or(usual),
            files,
            folders: Vec::new(),
            folder_of: FxHashMap::default(),
            shown: None,
        };
        graph.name_folders(scope.depth.filter(|_| centre.is_none()));
        if let Some(centre) = centre {
            graph.shown = Some(graph.around(&centre, scope.depth.unwrap_or(1))?);
        }
        Ok(graph)
    }

    /// Folders in the order of their names; those below `levels` count as the ones that they are in.
    fn name_folders(&mut self, levels: Option<u32>) {
        let folder = |path: &str| {
            let parts: Vec<&str> = path.split('/').collect();
            let deep = parts.len() - 1;
            parts[..levels.map_or(deep, |levels| deep.min(levels as usize))].join("/")
        };
        let mut names: Vec<String> = self.files.values().map(|(path, _)| folder(path)).collect();
        names.sort_unstable();
        names.dedup();
        let place = |path: &str| names.binary_search(&folder(path)).expect("all are listed") as i64;
        self.folder_of = self.files.iter().map(|(id, (path, _))| (*id, place(path))).collect();
        self.folders = names;
    }

    /// The node that a symbol is part of.
    fn node_of(&self, row: i64) -> i64 {
        let file = row >> ROW_BITS;
        match self.level {
            Level::Symbol => row,
            Level::File => file,
            Level::Folder => self.folder_of.get(&file).copied().unwrap_or_default(),
        }
    }

    fn is_shown(&self, node: i64) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.contains(&node))
    }

    /// The nodes of a centre, and those that are so many uses away, in either direction.
    fn around(&self, centre: &Centre, depth: u32) -> Result<FxHashSet<i64>> {
        let mut shown = FxHashSet::default();
        self.tables.each_row("symbols", &["id"], |row| {
            if let [Cell::Integer(id)] = row
                && centre.has(*id)
            {
                shown.insert(self.node_of(*id));
            }
            Ok::<(), Error>(())
        })?;
        for _ in 0..depth {
            let mut more = Vec::new();
            self.each_use(|from, to, _| {
                match (shown.contains(&from), shown.contains(&to)) {
                    (true, false) => more.push(to),
                    (false, true) => more.push(from),
                    _ => {}
                }
                Ok(())
            })?;
            if more.is_empty() {
                break;
            }
            shown.extend(more);
        }
        Ok(shown)
    }

    /// Every use of one node by another, and whether it is a call.
    fn each_use(&self, mut take: impl FnMut(i64, i64, bool) -> Result<()>) -> Result<()> {
        self.tables.each_row("references", &["caller_id", "target_id", "kind_normalized"], |row| {
            if let [Cell::Integer(from), Cell::Integer(to), Cell::Text(kind)] = row {
                let (from, to) = (self.node_of(*from), self.node_of(*to));
                // A file that uses itself says nothing; a function that does is recursive.
                if from != to || self.level == Level::Symbol {
                    take(from, to, kind == "call")?;
                }
            }
            Ok(())
        })
    }

    pub(crate) fn draw(&self, canvas: &mut dyn Canvas, listener: &dyn Listener) -> Result<Report> {
        let mut report = Report::default();
        canvas.begin()?;
        report.begin("nodes");
        match self.level {
            Level::Symbol => self.draw_symbols(canvas, &mut report, listener)?,
            Level::File => {
                for (id, (path, language)) in self.files.iter().filter(|(id, _)| self.is_shown(**id)) {
                    canvas.node(&Node { number: *id, name: path, kind: language, file: path, line: 1 })?;
                    report.count(listener);
                }
            }
            Level::Folder => {
                for (place, folder) in self.folders.iter().enumerate().filter(|(id, _)| self.is_shown(*id as i64)) {
                    let name = if folder.is_empty() { "." } else { folder };
                    canvas.node(&Node { number: place as i64, name, kind: "folder", file: name, line: 0 })?;
                    report.count(listener);
                }
            }
        }
        canvas.edges()?;
        report.begin("edges");
        self.draw_edges(canvas, &mut report, listener)?;
        canvas.end()?;
        Ok(report)
    }

    fn draw_symbols(&self, canvas: &mut dyn Canvas, report: &mut Report, listener: &dyn Listener) -> Result<()> {
        let mut open: Option<i64> = None;
        let mut groups = 0;
        let columns = ["id", "name", "kind", "file_path", "start_line"];
        self.tables.each_row("symbols", &columns, |row| {
            let [Cell::Integer(id), Cell::Text(name), Cell::Text(kind), Cell::Text(file), Cell::Integer(line)] = row
            else {
                return Ok(());
            };
            if !self.is_shown(*id) {
                return Ok(());
            }
            if open != Some(id >> ROW_BITS) {
                if open.is_some() {
                    canvas.end_group()?;
                }
                canvas.group(groups, file)?;
                groups += 1;
                open = Some(id >> ROW_BITS);
            }
            let name = if name.is_empty() { file } else { name };
            canvas.node(&Node { number: *id, name, kind, file, line: *line })?;
            report.count(listener);
            Ok::<(), Error>(())
        })?;
        if open.is_some() {
            canvas.end_group()?;
        }
        Ok(())
    }

    fn draw_edges(&self, canvas: &mut dyn Canvas, report: &mut Report, listener: &dyn Listener) -> Result<()> {
        let mut sums: BTreeMap<(i64, i64), Uses> = BTreeMap::new();
        let mut file = 0;
        let mut flush = |sums: &mut BTreeMap<(i64, i64), Uses>| {
            for ((from, to), uses) in std::mem::take(sums) {
                canvas.edge(from, to, uses)?;
                report.count(listener);
            }
            Ok::<(), Error>(())
        };
        self.each_use(|from, to, is_call| {
            let own = if self.level == Level::Symbol { from >> ROW_BITS } else { from };
            if self.level != Level::Folder && own != file {
                file = own;
                flush(&mut sums)?;
            }
            if self.is_shown(from) && self.is_shown(to) {
                let uses = sums.entry((from, to)).or_default();
                uses.all += 1;
                uses.calls += u64::from(is_call);
            }
            Ok(())
        })?;
        flush(&mut sums)
    }
}

/// What a picture is about.
enum Centre {
    /// A file, by number.
    File(i64),
    /// All files of a folder.
    Folder(FxHashSet<i64>),
    Symbol(i64),
}

impl Centre {
    fn find(reader: &Reader, files: &BTreeMap<i64, (String, String)>, around: &Selector) -> Result<Centre> {
        let text = around.text();
        let path = text.trim_start_matches("./").trim_end_matches('/');
        if let Some((id, _)) = files.iter().find(|(_, (own, _))| own == path) {
            return Ok(Centre::File(*id));
        }
        let inside = |own: &str| path == "." || own.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let below: FxHashSet<i64> = files.iter().filter(|(_, (own, _))| inside(own)).map(|(id, _)| *id).collect();
        if !below.is_empty() {
            return Ok(Centre::Folder(below));
        }
        match codegraph_query::selected(reader, around)? {
            Selected::One(row) => Ok(Centre::Symbol(SymbolRow::row_id(row))),
            Selected::Other(other) if other.total == 0 => Err(Error::NoScope(text)),
            Selected::Other(other) => {
                let choice = |info: &codegraph_query::SymbolInfo| format!("{}:{}", info.file, info.line_number);
                let choices = other.choices.iter().map(choice).collect();
                Err(Error::SeveralScopes { name: text, count: other.total, choices })
            }
        }
    }

    fn has(&self, row: i64) -> bool {
        match self {
            Centre::File(file) => row >> ROW_BITS == *file,
            Centre::Folder(files) => files.contains(&(row >> ROW_BITS)),
            Centre::Symbol(own) => row == *own,
        }
    }
}
