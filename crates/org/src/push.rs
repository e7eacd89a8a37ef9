//! A repository at a commit, brought into the store in one transaction: whoever asks meanwhile sees the state before or the
//! state after.
//!
//! What a file says is summed up in a fingerprint: its symbols and what its references mean. Files whose fingerprint is
//! known stay as they are. Symbols are told apart by keys that survive edits above them, so that a change in one file
//! changes no row of another that uses it.

use codegraph_index::NeededPackage;
use codegraph_query::{Abroad, Offered, Reader};
use codegraph_store::{FileRecord, Tables};
use postgres::Transaction;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::abroad::{Paths, UseOfPath};
use crate::copy::Line;
use crate::send::{REFERENCE, SYMBOL, Sender};
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
    /// Under which names others can use what is here.
    pub offers: Vec<Offered>,
    pub needs: Vec<NeededPackage>,
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

/// A file of the project and what the store has of it.
pub(crate) struct Pushed {
    pub(crate) record: FileRecord,
    pub(crate) fingerprint: String,
    /// The number of its rows in the store, if they are to be sent.
    pub(crate) number: Option<i64>,
    pub(crate) content_changed: bool,
    /// What it uses of others.
    pub(crate) abroad: Vec<UseOfPath>,
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
    let Registered { repository, before } = register(&mut work, push)?;
    mend(&mut work, repository, before)?;
    let known = known(&mut work, repository)?;
    let mut paths = Paths::default();
    let mut files = Abroad::with(reader, |abroad| {
        let mut files = Vec::new();
        for record in reader.store().files()? {
            let uses = paths.of(abroad, record.id)?;
            let fingerprint = String::new();
            let mut file = Pushed { record, fingerprint, number: None, content_changed: true, abroad: uses };
            file.fingerprint = self::fingerprint(&tables, &file, &paths)?;
            files.push(file);
        }
        Ok::<_, Error>(files)
    })?;
    let gone = compare(&mut work, &mut files, known)?;
    let state = begin_state(&mut work, repository, &push.commit)?;
    retire(&mut work, repository, state, &gone, push.keep)?;
    let mut report = PushReport {
        repository: push.repository.clone(),
        commit: push.commit.clone(),
        files: files.len() as u64,
        sent: files.iter().filter(|file| file.number.is_some()).count() as u64,
        removed: gone.len() as u64,
        ..PushReport::default()
    };
    let mut sender = Sender::new(&mut work, &tables, repository, &files, &paths)?;
    sender.files(state)?;
    report.symbols = sender.symbols()?;
    report.references = sender.references()?;
    if report.sent + report.removed > 0 {
        report.terms = sender.terms()?;
    }
    if push.text {
        report.texts = sender.texts(reader)?;
    }
    report.offers = sender.names(push)?;
    work.execute(
        "UPDATE repository SET state = $2, commit = $3, files = $4, pushed_at = now() WHERE id = $1",
        &[&repository, &state, &push.commit, &(report.files as i32)],
    )?;
    work.commit()?;
    Ok(report)
}

/// A repository that the store knows.
struct Registered {
    repository: i32,
    /// The state that readers see now.
    before: i64,
}

/// Two pushes of one repository go one after the other, those of others go on.
fn register(work: &mut Transaction<'_>, push: &Push) -> Result<Registered> {
    work.execute("SELECT pg_advisory_xact_lock(hashtextextended('push of ' || $1::text, 0))", &[&push.repository])?;
    let row = work.query_one(
        "INSERT INTO repository(name, team, link) VALUES ($1, coalesce($2, 'everyone'), $3)
         ON CONFLICT (name) DO UPDATE SET team = coalesce($2, repository.team), link = coalesce($3, repository.link)
         RETURNING id, coalesce(state, 0)",
        &[&push.repository, &push.team, &push.link],
    )?;
    Ok(Registered { repository: row.get(0), before: row.get(1) })
}

/// Servers end their parts of a transaction one after the other. Where all died in between, rows may be left of a state that
/// nobody sees: they go, and what they were to replace stays.
fn mend(work: &mut Transaction<'_>, repository: i32, before: i64) -> Result<()> {
    let rows = work.query("SELECT id FROM file WHERE repository = $1 AND since > $2", &[&repository, &before])?;
    remove(work, repository, &rows.iter().map(|row| row.get(0)).collect::<Vec<i64>>())?;
    work.execute("UPDATE file SET until = NULL WHERE repository = $1 AND until > $2", &[&repository, &before])?;
    Ok(())
}

/// Removes files with all that is in them.
fn remove(work: &mut Transaction<'_>, repository: i32, files: &[i64]) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    for (table, column) in [("symbol", "file"), ("reference", "file"), ("term", "file"), ("file", "id")] {
        let sql = format!("DELETE FROM {table} WHERE repository = $1 AND {column} = ANY($2::bigint[])");
        work.execute(&sql, &[&repository, &files])?;
    }
    Ok(())
}

/// The number of the state that this push makes: larger than any before, also of one that was lost.
fn begin_state(work: &mut Transaction<'_>, repository: i32, commit: &str) -> Result<i64> {
    let sql = "INSERT INTO state(repository, id, commit)
        SELECT $1, greatest((SELECT max(id) + 1 FROM state WHERE repository = $1),
                            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint), $2
        RETURNING id";
    Ok(work.query_one(sql, &[&repository, &commit])?.get(0))
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

/// Rows that are not right any more end with this state. Those that no kept state shows go; the state before is always kept,
/// because somebody may be reading it.
fn retire(work: &mut Transaction<'_>, repository: i32, state: i64, gone: &[i64], keep: u32) -> Result<()> {
    work.execute(
        "UPDATE file SET until = $2 WHERE repository = $1 AND id = ANY($3::bigint[])",
        &[&repository, &state, &gone],
    )?;
    let kept = work.query_opt(
        "SELECT id FROM state WHERE repository = $1 AND id < $2 ORDER BY id DESC OFFSET $3 LIMIT 1",
        &[&repository, &state, &(i64::from(keep.max(1)) - 1)],
    )?;
    // The oldest state that is kept: what had ended by then is seen by nobody.
    let oldest: i64 = kept.map_or(0, |row| row.get(0));
    let rows = work.query("SELECT id FROM file WHERE repository = $1 AND until <= $2", &[&repository, &oldest])?;
    remove(work, repository, &rows.iter().map(|row| row.get(0)).collect::<Vec<i64>>())?;
    work.execute("DELETE FROM state WHERE repository = $1 AND id < $2", &[&repository, &oldest])?;
    Ok(())
}

/// A sum over everything that is sent for a file.
fn fingerprint(tables: &Tables, file: &Pushed, paths: &Paths) -> Result<String> {
    let record = &file.record;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&record.hash);
    hasher.update(record.module.as_bytes());
    for (table, columns) in [("symbols", SYMBOL), ("references", REFERENCE)] {
        let mut line = Line::default();
        tables.each_row_in(table, record.id, columns, |row| {
            line.text.clear();
            match table {
                "references" => paths.reference(&mut line, file, row),
                _ => row.iter().for_each(|cell| line.cell(cell)),
            }
            line.end();
            hasher.update(&line.text);
            Ok::<(), Error>(())
        })?;
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
