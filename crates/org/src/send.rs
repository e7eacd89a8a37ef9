//! Rows on their way into the store: by COPY, read from the index one table after the other.

use std::io::Write;

use codegraph_model::FileId;
use codegraph_query::Reader;
use codegraph_store::{Cell, FileRecord, Tables};
use postgres::{CopyInWriter, Transaction};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abroad::Paths;
use crate::copy::Line;
use crate::push::{Push, Pushed, hex};
use crate::words::Words;
use crate::{Error, Result};

/// The columns of a symbol's row, in the order of the table behind `file`.
pub(crate) const SYMBOL: &[&str] = &[
    "symbol_key", "symbol_id", "parent_key", "name", "kind", "fqn", "canonical_fqn", "byte_start", "byte_end",
    "start_line", "start_col", "end_line", "end_col", "name_line", "visibility", "flags", "signature", "docs",
];
/// The place of the qualified name in it.
const FQN: usize = 5;
/// The place behind which the name without its module stands.
const CANONICAL: usize = 6;

pub(crate) const REFERENCE: &[&str] = &[
    "referenced_symbol", "kind", "byte_start", "byte_end", "start_line", "start_col", "caller_key", "target_key",
    "target", "certainty", "how", "is_external",
];

/// Bytes that are gathered before they are sent.
const BATCH: usize = 1 << 18;
/// Bytes of packed texts that are sent at once.
const TEXTS: usize = 1 << 20;

/// Sends rows, table by table.
pub(crate) struct Sender<'s, 't, 'c> {
    work: &'s mut Transaction<'c>,
    tables: &'t Tables,
    repository: i32,
    files: &'t [Pushed],
    abroad: &'t Paths,
    /// Rows go through a table of the session, because this server sends COPY to other servers row by row.
    staged: bool,
}

/// Rows that are being sent.
struct Batch<'w> {
    line: Line,
    out: CopyInWriter<'w>,
    count: u64,
}

impl Batch<'_> {
    /// Ends a row.
    fn end(&mut self) -> Result<()> {
        self.line.end();
        self.count += 1;
        if self.line.text.len() >= BATCH {
            self.out.write_all(&self.line.text)?;
            self.line.text.clear();
        }
        Ok(())
    }

    /// Sends what is left; how many rows there were.
    fn finish(mut self) -> Result<u64> {
        self.out.write_all(&self.line.text)?;
        self.out.finish()?;
        Ok(self.count)
    }
}

/// The files that are sent, with their numbers.
fn sent(files: &[Pushed]) -> impl Iterator<Item = (&Pushed, i64)> {
    files.iter().filter_map(|file| Some((file, file.number?)))
}

impl<'s, 't, 'c> Sender<'s, 't, 'c> {
    pub(crate) fn new(
        work: &'s mut Transaction<'c>,
        tables: &'t Tables,
        repository: i32,
        files: &'t [Pushed],
        abroad: &'t Paths,
    ) -> Result<Sender<'s, 't, 'c>> {
        let staged = "SELECT current_setting('server_version_num')::int < 160000 AND EXISTS (
            SELECT FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
            WHERE i.inhparent = 'codegraph.file'::regclass AND c.relkind = 'f')";
        let staged = work.query_one(staged, &[])?.get(0);
        Ok(Sender { work, tables, repository, files, abroad, staged })
    }

    /// Sends the rows of one table.
    fn send(&mut self, table: &str, columns: &str, fill: impl FnOnce(&mut Batch<'_>) -> Result<()>) -> Result<u64> {
        let into = if self.staged { "rows_on_their_way" } else { table };
        if self.staged {
            self.work.batch_execute(&format!("CREATE TEMP TABLE {into} (LIKE {table}) ON COMMIT DROP"))?;
        }
        let out = self.work.copy_in(&format!("COPY {into}({columns}) FROM STDIN"))?;
        let mut batch = Batch { line: Line::default(), out, count: 0 };
        fill(&mut batch)?;
        let count = batch.finish()?;
        if self.staged {
            let moved = format!("INSERT INTO {table}({columns}) SELECT {columns} FROM {into}; DROP TABLE {into}");
            self.work.batch_execute(&moved)?;
        }
        Ok(count)
    }

    pub(crate) fn files(&mut self, state: i64) -> Result<u64> {
        let columns = "repository, id, path, language, hash, fingerprint, lines, size, package, module, since";
        let (repository, files) = (self.repository, self.files);
        self.send("file", columns, |rows| {
            for (file, number) in sent(files) {
                let record = &file.record;
                rows.line.number(repository.into());
                rows.line.number(number);
                rows.line.word(&record.path);
                rows.line.word(&record.language);
                rows.line.word(&hex(&record.hash));
                rows.line.word(&file.fingerprint);
                rows.line.number(record.lines.into());
                rows.line.number(record.size as i64);
                rows.line.word(&record.package);
                rows.line.word(&record.module);
                rows.line.number(state);
                rows.end()?;
            }
            Ok(())
        })
    }

    pub(crate) fn symbols(&mut self) -> Result<u64> {
        let columns =
            "repository, file, key, symbol_id, parent, name, kind, fqn, canonical_fqn, scoped, byte_start, byte_end,
            start_line, start_col, end_line, end_col, line, visibility, flags, signature, docs";
        self.each("symbol", columns, "symbols", SYMBOL, |line, file, row| {
            for (place, cell) in row.iter().enumerate() {
                line.cell(cell);
                if place == CANONICAL {
                    line.word(&scoped(&row[FQN], &file.record));
                }
            }
        })
    }

    pub(crate) fn references(&mut self) -> Result<u64> {
        let columns = "repository, file, name, kind, byte_start, byte_end, line, col, caller, target, outside, args, certainty, how";
        let abroad = self.abroad;
        self.each("reference", columns, "references", REFERENCE, |line, file, row| abroad.reference(line, file, row))
    }

    /// Sends what a table of the index says about the files that are sent.
    fn each(
        &mut self,
        table: &str,
        columns: &str,
        from: &str,
        wanted: &[&str],
        write: impl Fn(&mut Line, &Pushed, &[Cell]),
    ) -> Result<u64> {
        let (tables, repository, files) = (self.tables, self.repository, self.files);
        self.send(table, columns, |rows| {
            for (file, number) in sent(files) {
                tables.each_row_in(from, file.record.id, wanted, |row| {
                    rows.line.number(repository.into());
                    rows.line.number(number);
                    write(&mut rows.line, file, row);
                    rows.end()
                })?;
            }
            Ok(())
        })
    }

    /// Terms stand by text in the index; each row is a term in a file. What words the repository has is told anew.
    pub(crate) fn terms(&mut self) -> Result<u64> {
        let numbers: FxHashMap<FileId, i64> = sent(self.files).map(|(file, number)| (file.record.id, number)).collect();
        let (tables, repository) = (self.tables, self.repository);
        let mut texts: FxHashMap<i64, String> = FxHashMap::default();
        tables.each_row("items", &["id", "term"], |row| {
            if let [Cell::Integer(id), Cell::Text(text)] = row {
                texts.insert(*id, text.clone());
            }
            Ok::<(), Error>(())
        })?;
        let mut words = Words::new(&texts);
        let count = self.send("term", "repository, file, term, lines, types", |rows| {
            let mut term = TermRow::default();
            tables.each_row("occurrences", &["item_id", "file_id", "line_number", "line_type"], |row| {
                let [Cell::Integer(item), Cell::Integer(file), Cell::Integer(at), Cell::Text(kind)] = row else {
                    return Ok(());
                };
                if term.at != Some((*item, *file)) {
                    term.end(repository, &numbers, &texts, rows)?;
                    term.at = Some((*item, *file));
                    words.stands_in_a_file(*item);
                }
                term.lines.push(at.to_string());
                term.types.push(kind.clone());
                Ok::<(), Error>(())
            })?;
            term.end(repository, &numbers, &texts, rows)
        })?;
        self.work.execute("DELETE FROM word WHERE repository = $1", &[&repository])?;
        let most = self.files.len();
        self.send("word", "repository, stem, files, terms", |rows| {
            for (stem, files, terms) in words.all(most) {
                rows.line.number(repository.into());
                rows.line.word(&stem);
                rows.line.number(files as i64);
                rows.line.list(&terms);
                rows.end()?;
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// Each distinct text once, whichever repositories have it.
    pub(crate) fn texts(&mut self, reader: &Reader) -> Result<u64> {
        let changed = self.files.iter().filter(|file| file.number.is_some() && file.content_changed);
        // In one order by all pushes, so that two that have the same texts do not wait for each other.
        let mut wanted: Vec<(String, &FileRecord)> =
            changed.map(|file| (hex(&file.record.hash), &file.record)).collect();
        wanted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        wanted.dedup_by(|a, b| a.0 == b.0);
        let hashes: Vec<&str> = wanted.iter().map(|(hash, _)| hash.as_str()).collect();
        let there = self.work.query("SELECT hash FROM content WHERE hash = ANY($1)", &[&hashes])?;
        let there: FxHashSet<String> = there.into_iter().map(|row| row.get(0)).collect();
        wanted.retain(|(hash, _)| !there.contains(hash));
        let (mut hashes, mut packed, mut bytes, mut count) = (Vec::new(), Vec::new(), 0, 0);
        for (place, (hash, record)) in wanted.iter().enumerate() {
            // A file that has changed since is sent without its text.
            if let Ok(text) = reader.text(record) {
                let text = zstd::bulk::compress(&text, 3)?;
                bytes += text.len();
                hashes.push(hash.as_str());
                packed.push(text);
            }
            if bytes > TEXTS || place + 1 == wanted.len() {
                let sql = "INSERT INTO content(hash, text) SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING";
                count += self.work.execute(sql, &[&hashes, &packed])?;
                hashes.clear();
                packed.clear();
                bytes = 0;
            }
        }
        Ok(count)
    }

    /// What the repository offers to others, and what it needs of them.
    pub(crate) fn names(&mut self, push: &Push) -> Result<u64> {
        let repository = self.repository;
        self.work.execute("DELETE FROM offer WHERE repository = $1", &[&repository])?;
        self.work.execute("DELETE FROM need WHERE repository = $1", &[&repository])?;
        let staged = std::mem::take(&mut self.staged);
        let columns = "repository, ecosystem, package, path, uses, key, named, least, most, gives";
        let count = self.send("offer", columns, |rows| {
            for offer in &push.offers {
                rows.line.number(repository.into());
                rows.line.word(offer.registry);
                rows.line.word(&offer.package);
                rows.line.word(&offer.path);
                rows.line.word(offer.to.word());
                rows.line.word(&format!("{:032x}", offer.key));
                rows.line.word(if offer.named { "t" } else { "f" });
                let (least, most) = offer.arguments.unzip();
                rows.line.number_if(least.map(i64::from));
                rows.line.number_if(most.map(i64::from));
                rows.line.word_if(offer.gives.map(|key| format!("{key:032x}")).as_deref());
                rows.end()?;
            }
            Ok(())
        })?;
        self.send("need", "repository, ecosystem, package, version", |rows| {
            for need in &push.needs {
                rows.line.number(repository.into());
                rows.line.word(need.ecosystem);
                rows.line.word(&need.package);
                rows.line.word_if(need.version.as_deref());
                rows.end()?;
            }
            Ok(())
        })?;
        self.staged = staged;
        Ok(count)
    }
}

/// A term of a file while its lines come.
#[derive(Default)]
struct TermRow {
    /// The numbers of the term and the file.
    at: Option<(i64, i64)>,
    lines: Vec<String>,
    types: Vec<String>,
}

impl TermRow {
    fn end(
        &mut self,
        repository: i32,
        numbers: &FxHashMap<FileId, i64>,
        texts: &FxHashMap<i64, String>,
        rows: &mut Batch<'_>,
    ) -> Result<()> {
        let (lines, types) = (std::mem::take(&mut self.lines), std::mem::take(&mut self.types));
        let Some((item, file)) = self.at else { return Ok(()) };
        let number = u32::try_from(file).ok().and_then(|file| numbers.get(&FileId(file)));
        let Some(number) = number else { return Ok(()) };
        rows.line.number(repository.into());
        rows.line.number(*number);
        rows.line.word(texts.get(&item).map_or("", |text| text));
        rows.line.word(&format!("{{{}}}", lines.join(",")));
        rows.line.word(&types.join(","));
        rows.end()
    }
}

/// A qualified name without the name of the file's module, which a path says as well.
fn scoped(fqn: &Cell, record: &FileRecord) -> String {
    let Cell::Text(fqn) = fqn else { return String::new() };
    let inner = fqn.strip_prefix(record.module.as_str()).map(|rest| rest.trim_start_matches(&*record.separator));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(fqn).to_owned()
}
