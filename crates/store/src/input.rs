//! The table `input`: folders, ignore files and manifests that the content of the index depends on.
//!
//! All of them are read before every answer, and most are folders: neighbours share a row, which says of a path only
//! where it differs from the one before.

use rusqlite::{Connection, OptionalExtension, params};

use crate::inside::input_inside;
use crate::wire::{In, Out, pack_row, put_varint, unpack_row};
use crate::{Error, Input, Result, Store, Watched};

/// Inputs in a new row; twice as many make it split.
const ROW: usize = 256;

/// Writes all inputs of a first build.
pub(crate) fn write(db: &Connection, inputs: &mut [Input]) -> Result<()> {
    inputs.sort_by(|a, b| order(a).cmp(&order(b)));
    write_rows(db, "", inputs, ROW)
}

fn order(input: &Input) -> (&str, u8) {
    (&input.path, input.watched.stored().0)
}

/// Writes inputs as rows, or as one if there are at most so many. The key of a row is a lower bound of its paths; that of
/// the first is given.
fn write_rows(db: &Connection, first: &str, inputs: &[Input], most: usize) -> Result<()> {
    let length = if inputs.len() <= most { most } else { ROW };
    let (mut key, mut rest) = (first, inputs);
    while !rest.is_empty() {
        // What is known about one path stays together.
        let apart = |at: &usize| rest[*at].path != rest[*at - 1].path;
        let (row, after) = rest.split_at((length..rest.len()).find(apart).unwrap_or(rest.len()));
        db.prepare_cached("INSERT OR REPLACE INTO input VALUES (?1, ?2, row_sum(?1, ?2))")?
            .execute(params![key, pack(row)])?;
        (key, rest) = (after.first().map_or("", |input| &input.path), after);
    }
    Ok(())
}

/// Adds inputs, or changes them, after all those at some paths were forgotten. Each row is written once.
pub(crate) fn change(db: &Connection, gone: &[&str], new: &[&Input]) -> Result<()> {
    let mut paths: Vec<&str> = gone.iter().copied().chain(new.iter().map(|input| &*input.path)).collect();
    paths.sort_unstable();
    paths.dedup();
    let (mut gone, mut new) = (gone.to_vec(), new.to_vec());
    gone.sort_unstable();
    new.sort_by(|a, b| order(a).cmp(&order(b)));
    let (mut rest, mut new) = (&*paths, &*new);
    while let Some(path) = rest.first() {
        let ((first, mut inputs), end) = row_of(db, path)?;
        inputs.retain(|input| gone.binary_search(&&*input.path).is_err());
        let is_before = |path: &str| end.as_deref().is_none_or(|end| path < end);
        let (here, later) = new.split_at(new.partition_point(|input| is_before(&input.path)));
        for input in here {
            match inputs.binary_search_by(|other| order(other).cmp(&order(input))) {
                Ok(at) => inputs[at] = (*input).clone(),
                Err(at) => inputs.insert(at, (*input).clone()),
            }
        }
        match inputs.is_empty() {
            true => drop(db.prepare_cached("DELETE FROM input WHERE first = ?1")?.execute([first])?),
            false => write_rows(db, &first, &inputs, 2 * ROW)?,
        }
        (rest, new) = (&rest[rest.partition_point(|path| is_before(path))..], later);
    }
    Ok(())
}

type Row = (String, Vec<Input>);

/// The row that a path is in or belongs into, with its key, and the key of the next one.
fn row_of(db: &Connection, path: &str) -> Result<(Row, Option<String>)> {
    let mut query = db.prepare_cached("SELECT first, data FROM input WHERE first <= ?1 ORDER BY first DESC LIMIT 1")?;
    let row: Option<(String, Vec<u8>)> = query.query_row([path], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let row = match row {
        Some((first, data)) => (first, unpack(&data)?),
        None => Row::default(),
    };
    let mut query = db.prepare_cached("SELECT first FROM input WHERE first > ?1 ORDER BY first LIMIT 1")?;
    Ok((row, query.query_row([path], |row| row.get(0)).optional()?))
}

fn pack(inputs: &[Input]) -> Vec<u8> {
    let mut out = Out::default();
    out.number(inputs.len() as u32);
    let (mut path, mut time) = ("", 0);
    for input in inputs {
        let shared = shared_prefix(path, &input.path);
        out.number(shared as u32);
        text(&mut out, &input.path[shared..]);
        path = &input.path;
    }
    for input in inputs {
        let (number, said) = input.watched.stored();
        out.byte(number);
        put_varint(&mut out.bytes, zigzag(input.mtime_ns.wrapping_sub(time)));
        put_varint(&mut out.bytes, input.size);
        put_varint(&mut out.bytes, input.mark as u64);
        text(&mut out, &said);
        // Free: no version of this row has said anything else here.
        out.bytes.push(0);
        time = input.mtime_ns;
    }
    pack_row(&out.bytes)
}

fn unpack(row: &[u8]) -> Result<Vec<Input>> {
    let damaged = || Error::packed("inputs");
    let bytes = unpack_row(row, "inputs")?;
    let mut input = In::new(&bytes);
    let mut paths: Vec<String> = Vec::new();
    for _ in 0..input.count() {
        let shared = input.number() as usize;
        let before = paths.last().map_or("", String::as_str).get(..shared).ok_or_else(damaged)?.to_owned();
        paths.push(before + read_text(&mut input).ok_or_else(damaged)?);
    }
    let (mut inputs, mut time) = (Vec::with_capacity(paths.len()), 0i64);
    for path in paths {
        let number = input.byte();
        time = time.wrapping_add(unzigzag(input.varint()));
        let (size, mark) = (input.varint(), input.varint() as i64);
        let watched = Watched::from_stored(number, read_text(&mut input).ok_or_else(damaged)?);
        if input.byte() != 0 {
            return Err(damaged());
        }
        let one = Input { path, watched, mtime_ns: time, size, mark };
        input_inside(&one)?;
        inputs.push(one);
    }
    input.finish("inputs")?;
    Ok(inputs)
}

/// How many bytes two paths begin with in common, up to a character.
pub(crate) fn shared_prefix(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    (0..=same).rev().find(|at| b.is_char_boundary(*at)).unwrap_or(0)
}

pub(crate) fn text(out: &mut Out, text: &str) {
    out.number(text.len() as u32);
    out.bytes.extend_from_slice(text.as_bytes());
}

pub(crate) fn read_text<'a>(input: &mut In<'a>) -> Option<&'a str> {
    let length = input.number() as usize;
    str::from_utf8(input.take(length)).ok()
}

const fn zigzag(delta: i64) -> u64 {
    (delta << 1) as u64 ^ (delta >> 63) as u64
}

const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

impl Store {
    /// All watched inputs that are not indexed files, by path.
    pub fn inputs(&self) -> Result<Vec<Input>> {
        let rows = self.packed_inputs()?;
        Ok(rows.iter().map(PackedInputs::unpack).collect::<Result<Vec<_>>>()?.concat())
    }

    /// The same, to be unpacked on all cores.
    pub fn packed_inputs(&self) -> Result<Vec<PackedInputs>> {
        let mut query = self.db.prepare_cached("SELECT data FROM input ORDER BY first")?;
        let rows = query.query_map([], |row| row.get(0).map(PackedInputs))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// Neighbouring inputs.
pub struct PackedInputs(Vec<u8>);

impl PackedInputs {
    pub fn unpack(&self) -> Result<Vec<Input>> {
        unpack(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(number: usize) -> Input {
        Input {
            path: format!("größe/{}", number / 3),
            watched: match number % 3 {
                0 => Watched::Folder,
                1 => Watched::Script,
                _ => Watched::Manifest("x".repeat(number % 5)),
            },
            mtime_ns: (number as i64).wrapping_mul(0x1234_5678_9abc_def0),
            size: number as u64,
            mark: number as i64 * 7,
        }
    }

    #[test]
    fn rows_of_inputs_come_back() {
        let inputs: Vec<Input> = (0..100).map(input).collect();
        assert_eq!(unpack(&pack(&inputs)).expect("whole"), inputs);
        assert!(unpack(&[]).is_err() && unpack(&[0, 1, 4]).is_err() && unpack(&[0, 1, 0, 1, 0xff]).is_err());
    }

    #[test]
    fn inputs_are_changed_one_by_one_and_all_at_once() {
        let db = Connection::open_in_memory().expect("memory");
        crate::schema::create_tables(&db).expect("tables");
        let read = || -> Vec<Input> {
            let mut query = db.prepare("SELECT data FROM input ORDER BY first").expect("a table");
            let rows = query.query_map([], |row| row.get::<_, Vec<u8>>(0)).expect("rows");
            rows.flat_map(|row| unpack(&row.expect("a row")).expect("whole")).collect()
        };
        let mut all: Vec<Input> = (0..2000).map(input).collect();
        write(&db, &mut all[..900].to_vec()).expect("written");
        for input in all.iter().rev().take(300) {
            change(&db, &[], &[input]).expect("written");
        }
        let (gone, rest): (Vec<&Input>, Vec<&Input>) = (all[..60].iter().collect(), all[60..].iter().rev().collect());
        let gone: Vec<&str> = gone.iter().map(|input| &*input.path).collect();
        change(&db, &gone, &rest).expect("written");
        let mut left = all[60..].to_vec();
        left.sort_by(|a, b| order(a).cmp(&order(b)));
        assert_eq!(read(), left);
        // What is forgotten and put again is there.
        change(&db, &gone, &all.iter().collect::<Vec<_>>()).expect("written");
        all.sort_by(|a, b| order(a).cmp(&order(b)));
        assert_eq!(read(), all);
        let paths: Vec<&str> = all.iter().map(|input| &*input.path).collect();
        change(&db, &paths[..1000], &[]).expect("written");
        paths[1000..].iter().for_each(|path| change(&db, &[path], &[]).expect("written"));
        assert!(read().is_empty());
    }
}
