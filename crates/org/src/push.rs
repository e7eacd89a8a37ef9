//! A repository at a commit, brought into the store in one transaction: whoever asks meanwhile sees the state before or the
//! state after.
//!
//! What a file says is summed up in a fingerprint: its symbols and what its references mean. Files whose fingerprint is
//! known stay as they are. Symbols are told apart by keys that survive edits above them, so that a change in one file
//! changes no row of another that uses it.

use std::io::Write;

use codegraph_query::Reader;
use codegraph_store::{Cell, FileRecord, Tables};
use postgres::Transaction;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::copy::Line;
use crate::{Error, Org, Result};

/// What is pushed, and how.
#[derive(Clone, Debug, Default)]
pub struct Push {
    /// The name of the repository, such as `github.com/owner/name`.
    pub repository: String,
    pub commit: String,
    /// Who may see it, if not everybody.
    pub team: Option<String>,
    /// Where the forge shows a file: a template with `{commit}`, `{path}` and `{line}`.
    pub link: Option<String>,
    /// Copy the source text too.
    pub text: bool,
    /// So many states before this one stay.
    pub keep: u32,
    pub offers: Vec<Offer>,
    pub needs: Vec<Need>,
}

/// A name under which others can use a symbol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer {
    pub ecosystem: &'static str,
    pub package: String,
    pub version: Option<String>,
    /// As an importer's index writes it.
    pub path: String,
    /// The key of the symbol.
    pub key: u128,
    /// The path begins with the package's own name: who uses it means this package, declared or not.
    pub named: bool,
}

/// A package that is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    pub ecosystem: &'static str,
    pub package: String,
    pub version: Option<String>,
}

/// What a push did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PushReport {
    pub repository: String,
    pub commit: String,
    pub files: u64,
    /// Files whose rows were sent.
    pub sent: u64,
    pub removed: u64,
    pub symbols: u64,
    pub references: u64,
    pub terms: u64,
    pub texts: u64,
    pub offers: u64,
}

/// The columns of a symbol's row, in the order of the table behind `file`.
const SYMBOL: &[&str] = &[
    "symbol_key", "symbol_id", "parent_key", "name", "kind", "fqn", "canonical_fqn", "byte_start", "byte_end",
    "start_line", "start_col", "end_line", "end_col", "name_line", "visibility", "flags", "signature", "docs",
];
/// The place of the qualified name in it.
const FQN: usize = 5;
/// The place behind which the name without its module stands.
const CANONICAL: usize = 6;

const REFERENCE: &[&str] = &[
    "referenced_symbol", "kind", "byte_start", "byte_end", "start_line", "start_col", "caller_key", "target_key",
    "target", "certainty", "how", "is_external",
];

/// A file of the project and what the store has of it.
struct Pushed {
    record: FileRecord,
    fingerprint: String,
    /// The number of its rows in the store, if they are to be sent.
    number: Option<i64>,
    content_changed: bool,
}

/// What the store has of a file.
struct Known {
    id: i64,
    fingerprint: String,
    hash: String,
}

/// Brings a project into the store.
pub fn push(org: &Org, reader: &Reader, push: &Push) -> Result<PushReport> {
    let tables = codegraph_query::tables(reader)?;
    let mut client = org.client.borrow_mut();
    let mut work = client.transaction()?;
    let repository = register(&mut work, push)?;
    let known = known(&mut work, repository)?;
    let mut files = Vec::new();
    for record in reader.store().files()? {
        let fingerprint = fingerprint(&tables, &record)?;
        files.push(Pushed { record, fingerprint, number: None, content_changed: true });
    }
    let gone = compare(&mut work, &mut files, known)?;
    let state: i64 = work
        .query_one("INSERT INTO state(repository, commit) VALUES ($1, $2) RETURNING id", &[&repository, &push.commit])?
        .get(0);
    retire(&mut work, repository, state, &gone, push.keep)?;
    let mut report = PushReport {
        repository: push.repository.clone(),
        commit: push.commit.clone(),
        files: files.len() as u64,
        sent: files.iter().filter(|file| file.number.is_some()).count() as u64,
        removed: gone.len() as u64,
        ..PushReport::default()
    };
    let mut sender = Sender { work: &mut work, tables: &tables, repository, files: &files };
    sender.files(state)?;
    report.symbols = sender.symbols()?;
    report.references = sender.references()?;
    report.terms = sender.terms()?;
    if push.text {
        report.texts = sender.texts(reader)?;
    }
    report.offers = names(&mut work, repository, push)?;
    work.execute(
        "UPDATE repository SET state = $2, commit = $3, pushed_at = now() WHERE id = $1",
        &[&repository, &state, &push.commit],
    )?;
    work.commit()?;
    Ok(report)
}

/// The number of the repository. Two pushes of one repository go one after the other, those of others go on.
fn register(work: &mut Transaction<'_>, push: &Push) -> Result<i32> {
    work.execute("SELECT pg_advisory_xact_lock(hashtextextended('push of ' || $1::text, 0))", &[&push.repository])?;
    let row = work.query_one(
        "INSERT INTO repository(name, team, link) VALUES ($1, coalesce($2, 'everyone'), $3)
         ON CONFLICT (name) DO UPDATE SET team = coalesce($2, repository.team), link = coalesce($3, repository.link)
         RETURNING id",
        &[&push.repository, &push.team, &push.link],
    )?;
    Ok(row.get(0))
}

fn known(work: &mut Transaction<'_>, repository: i32) -> Result<FxHashMap<String, Known>> {
    let sql = "SELECT path, id, fingerprint, hash FROM file WHERE repository = $1 AND until IS NULL";
    let rows = work.query(sql, &[&repository])?;
    Ok(rows
        .into_iter()
        .map(|row| (row.get(0), Known { id: row.get(1), fingerprint: row.get(2), hash: row.get(3) }))
        .collect())
}

/// Numbers the files that have to be sent, and names the rows that are not right any more.
fn compare(work: &mut Transaction<'_>, files: &mut [Pushed], mut known: FxHashMap<String, Known>) -> Result<Vec<i64>> {
    let mut gone = Vec::new();
    let mut wanted = Vec::new();
    for (place, file) in files.iter_mut().enumerate() {
        match known.remove(&file.record.path) {
            Some(same) if same.fingerprint == file.fingerprint => file.content_changed = false,
            Some(other) => {
                file.content_changed = other.hash != hex(&file.record.hash);
                gone.push(other.id);
                wanted.push(place);
            }
            None => wanted.push(place),
        }
    }
    gone.extend(known.into_values().map(|file| file.id));
    let count = wanted.len() as i64;
    let numbers = work.query("SELECT nextval('file_number') FROM generate_series(1, $1::bigint)", &[&count])?;
    for (place, row) in wanted.into_iter().zip(numbers) {
        files[place].number = Some(row.get(0));
    }
    Ok(gone)
}

/// Rows that are not right any more go, or stay as they were for the states before.
fn retire(work: &mut Transaction<'_>, repository: i32, state: i64, gone: &[i64], keep: u32) -> Result<()> {
    work.execute(
        "UPDATE file SET until = $2 WHERE repository = $1 AND id = ANY($3) AND until IS NULL",
        &[&repository, &state, &gone],
    )?;
    let kept = work.query_opt(
        "SELECT id FROM state WHERE repository = $1 ORDER BY id DESC OFFSET $2 LIMIT 1",
        &[&repository, &i64::from(keep)],
    )?;
    // The oldest state that is kept: what had ended by then is seen by nobody.
    let oldest: i64 = kept.map_or(0, |row| row.get(0));
    for table in ["symbol", "reference", "term"] {
        work.execute(
            &format!(
                "DELETE FROM {table} WHERE repository = $1 AND file IN
                     (SELECT id FROM file WHERE repository = $1 AND until <= $2)"
            ),
            &[&repository, &oldest],
        )?;
    }
    work.execute("DELETE FROM file WHERE repository = $1 AND until <= $2", &[&repository, &oldest])?;
    work.execute("DELETE FROM state WHERE repository = $1 AND id < $2", &[&repository, &oldest])?;
    Ok(())
}

/// A sum over everything that is sent for a file.
fn fingerprint(tables: &Tables, record: &FileRecord) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&record.hash);
    hasher.update(record.module.as_bytes());
    for (table, columns) in [("symbols", SYMBOL), ("references", REFERENCE)] {
        let mut line = Line::default();
        tables.each_row_in(table, record.id, columns, |row| {
            line.text.clear();
            row.iter().for_each(|cell| line.cell(cell));
            line.end();
            hasher.update(&line.text);
            Ok::<(), Error>(())
        })?;
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Sends rows, table by table.
struct Sender<'s, 't, 'c> {
    work: &'s mut Transaction<'c>,
    tables: &'t Tables,
    repository: i32,
    files: &'t [Pushed],
}

/// Bytes that are gathered before they are sent.
const BATCH: usize = 1 << 18;

/// The files that are sent, with their numbers.
fn sent(files: &[Pushed]) -> impl Iterator<Item = (&Pushed, i64)> {
    files.iter().filter_map(|file| Some((file, file.number?)))
}

impl Sender<'_, '_, '_> {
    fn files(&mut self, state: i64) -> Result<()> {
        let mut line = Line::default();
        for (file, number) in sent(self.files) {
            let record = &file.record;
            line.number(self.repository.into());
            line.number(number);
            line.word(&record.path);
            line.word(&record.language);
            line.word(&hex(&record.hash));
            line.word(&file.fingerprint);
            line.number(record.lines.into());
            line.number(record.size as i64);
            line.word(&record.package);
            line.word(&record.module);
            line.number(state);
            line.end();
        }
        let columns = "repository, id, path, language, hash, fingerprint, lines, size, package, module, since";
        let mut out = self.work.copy_in(&format!("COPY file({columns}) FROM STDIN"))?;
        out.write_all(&line.text)?;
        out.finish()?;
        Ok(())
    }

    fn symbols(&mut self) -> Result<u64> {
        let columns =
            "repository, file, key, symbol_id, parent, name, kind, fqn, canonical_fqn, scoped, byte_start, byte_end,
            start_line, start_col, end_line, end_col, line, visibility, flags, signature, docs";
        let (tables, repository, files) = (self.tables, self.repository, self.files);
        let mut out = self.work.copy_in(&format!("COPY symbol({columns}) FROM STDIN"))?;
        let mut line = Line::default();
        let mut count = 0;
        for (file, number) in sent(files) {
            let record = &file.record;
            tables.each_row_in("symbols", record.id, SYMBOL, |row| {
                line.number(repository.into());
                line.number(number);
                for (place, cell) in row.iter().enumerate() {
                    line.cell(cell);
                    if place == CANONICAL {
                        line.word(&scoped(&row[FQN], record));
                    }
                }
                line.end();
                count += 1;
                flush(&mut line, &mut out, BATCH)
            })?;
        }
        flush(&mut line, &mut out, 0)?;
        out.finish()?;
        Ok(count)
    }

    fn references(&mut self) -> Result<u64> {
        let columns =
            "repository, file, name, kind, byte_start, byte_end, line, col, caller, target, outside, certainty, how";
        let wanted: Vec<(codegraph_model::FileId, i64)> =
            sent(self.files).map(|(file, number)| (file.record.id, number)).collect();
        let (tables, repository) = (self.tables, self.repository);
        let mut out = self.work.copy_in(&format!("COPY reference({columns}) FROM STDIN"))?;
        let mut line = Line::default();
        let mut count = 0;
        for (file, number) in wanted {
            tables.each_row_in("references", file, REFERENCE, |row| {
                let [rest @ .., target, certainty, how, is_external] = row else { return Ok(()) };
                line.number(repository.into());
                line.number(number);
                rest.iter().for_each(|cell| line.cell(cell));
                match is_external {
                    Cell::Integer(1) => line.cell(target),
                    _ => line.null(),
                }
                line.cell(certainty);
                line.cell(how);
                line.end();
                count += 1;
                flush(&mut line, &mut out, BATCH)
            })?;
        }
        flush(&mut line, &mut out, 0)?;
        out.finish()?;
        Ok(count)
    }

    /// Terms stand by text in the index; each row is a term in a file.
    fn terms(&mut self) -> Result<u64> {
        let numbers: FxHashMap<i64, i64> =
            sent(self.files).map(|(file, number)| (i64::from(file.record.id.0), number)).collect();
        let (tables, repository) = (self.tables, self.repository);
        let mut texts: FxHashMap<i64, String> = FxHashMap::default();
        tables.each_row("items", &["id", "term"], |row| {
            if let [Cell::Integer(id), Cell::Text(text)] = row {
                texts.insert(*id, text.clone());
            }
            Ok::<(), Error>(())
        })?;
        let mut out = self.work.copy_in("COPY term(repository, file, term, lines, types) FROM STDIN")?;
        let mut rows = TermRows { line: Line::default(), repository, open: None, lines: Vec::new(), types: Vec::new() };
        let mut count = 0;
        tables.each_row("occurrences", &["item_id", "file_id", "line_number", "line_type"], |row| {
            let [Cell::Integer(item), Cell::Integer(file), Cell::Integer(at), Cell::Text(kind)] = row else {
                return Ok(());
            };
            let Some(number) = numbers.get(file) else { return Ok(()) };
            if rows.open != Some((*item, *number)) {
                count += rows.close(&texts);
                flush(&mut rows.line, &mut out, BATCH)?;
                rows.open = Some((*item, *number));
            }
            rows.lines.push(*at);
            rows.types.push(kind.clone());
            Ok::<(), Error>(())
        })?;
        count += rows.close(&texts);
        flush(&mut rows.line, &mut out, 0)?;
        out.finish()?;
        Ok(count)
    }

    /// Each distinct text once, whichever repositories have it.
    fn texts(&mut self, reader: &Reader) -> Result<u64> {
        let hashes: Vec<String> = sent(self.files).map(|(file, _)| hex(&file.record.hash)).collect();
        let there = self.work.query("SELECT hash FROM content WHERE hash = ANY($1)", &[&hashes])?;
        let mut there: FxHashSet<String> = there.into_iter().map(|row| row.get(0)).collect();
        let insert = self.work.prepare("INSERT INTO content(hash, text) VALUES ($1, $2) ON CONFLICT DO NOTHING")?;
        let mut count = 0;
        let wanted: Vec<&FileRecord> = self
            .files
            .iter()
            .filter(|file| file.number.is_some() && file.content_changed)
            .map(|file| &file.record)
            .collect();
        for record in wanted {
            let hash = hex(&record.hash);
            if !there.insert(hash.clone()) {
                continue;
            }
            // A file that has changed since is sent without its text.
            let Ok(text) = reader.text(record) else { continue };
            let packed = zstd::bulk::compress(&text, 3)?;
            count += self.work.execute(&insert, &[&hash, &packed])?;
        }
        Ok(count)
    }
}

/// A term of a file while its lines come.
struct TermRows {
    line: Line,
    repository: i32,
    open: Option<(i64, i64)>,
    lines: Vec<i64>,
    types: Vec<String>,
}

impl TermRows {
    fn close(&mut self, texts: &FxHashMap<i64, String>) -> u64 {
        let Some((item, number)) = self.open.take() else { return 0 };
        let lines: Vec<String> = self.lines.drain(..).map(|line| line.to_string()).collect();
        let types: Vec<String> = std::mem::take(&mut self.types);
        self.line.number(self.repository.into());
        self.line.number(number);
        self.line.word(texts.get(&item).map_or("", |text| text));
        self.line.word(&format!("{{{}}}", lines.join(",")));
        self.line.word(&types.join(","));
        self.line.end();
        1
    }
}

fn flush(line: &mut Line, out: &mut impl Write, most: usize) -> Result<()> {
    if line.text.len() >= most {
        out.write_all(&line.text)?;
        line.text.clear();
    }
    Ok(())
}

/// A qualified name without the name of the file's module, which a path says as well.
fn scoped(fqn: &Cell, record: &FileRecord) -> String {
    let Cell::Text(fqn) = fqn else { return String::new() };
    let inner = fqn.strip_prefix(record.module.as_str()).map(|rest| rest.trim_start_matches(&*record.separator));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(fqn).to_owned()
}

/// What the repository offers to others, and what it needs of them.
fn names(work: &mut Transaction<'_>, repository: i32, push: &Push) -> Result<u64> {
    work.execute("DELETE FROM offer WHERE repository = $1", &[&repository])?;
    work.execute("DELETE FROM need WHERE repository = $1", &[&repository])?;
    let mut line = Line::default();
    for offer in &push.offers {
        line.number(repository.into());
        line.word(offer.ecosystem);
        line.word(&offer.package);
        match &offer.version {
            Some(version) => line.word(version),
            None => line.null(),
        }
        line.word(&offer.path);
        line.word(&format!("{:032x}", offer.key));
        line.word(if offer.named { "t" } else { "f" });
        line.end();
    }
    let mut out = work.copy_in("COPY offer(repository, ecosystem, package, version, path, key, named) FROM STDIN")?;
    out.write_all(&line.text)?;
    out.finish()?;
    line.text.clear();
    for need in &push.needs {
        line.number(repository.into());
        line.word(need.ecosystem);
        line.word(&need.package);
        match &need.version {
            Some(version) => line.word(version),
            None => line.null(),
        }
        line.end();
    }
    let mut out = work.copy_in("COPY need(repository, ecosystem, package, version) FROM STDIN")?;
    out.write_all(&line.text)?;
    out.finish()?;
    Ok(push.offers.len() as u64)
}
