//! Tables as Parquet, for engines that ask many projects at once: a file for each table and each state of a repository.
//!
//! The smallest part of the format that every engine reads: optional columns, plain values, one page for each column of a
//! row group, compressed. A row group is all that is in memory.

mod column;
mod thrift;

use std::io::Write;

use codegraph_query::Reader;
use codegraph_store::{Cell, TableShape};

use self::column::{Chunk, Column, element};
use self::thrift::Fields;
use crate::{Listener, Report, Result};

const MAGIC: &[u8] = b"PAR1";
/// What a row group holds at most.
const MOST_ROWS: u64 = 1 << 17;
const MOST_BYTES: usize = 32 << 20;

/// Writes one table.
pub fn parquet(reader: &Reader, shape: &TableShape, listener: &dyn Listener, out: &mut dyn Write) -> Result<Report> {
    let columns: Vec<&str> = shape.columns.iter().map(|column| column.name).collect();
    let tables = codegraph_query::tables(reader)?;
    written(shape, listener, out, |file| tables.each_row(shape.name, &columns, file))
}

/// Writes rows that stand in no table of the index.
pub(crate) fn parquet_rows(
    shape: &TableShape,
    rows: impl IntoIterator<Item = Vec<Cell>>,
    listener: &dyn Listener,
    out: &mut dyn Write,
) -> Result<Report> {
    written(shape, listener, out, |push| rows.into_iter().try_for_each(|row| push(&row)))
}

/// A table of which `rows` brings the rows.
fn written(
    shape: &TableShape,
    listener: &dyn Listener,
    out: &mut dyn Write,
    rows: impl FnOnce(&mut dyn FnMut(&[Cell]) -> Result<()>) -> Result<()>,
) -> Result<Report> {
    let mut report = Report::default();
    report.begin(shape.name);
    let mut file = File::begin(shape, out)?;
    rows(&mut |row| {
        report.count(listener);
        file.push(row)
    })?;
    file.finish(shape)?;
    Ok(report)
}

struct File<'w> {
    out: &'w mut dyn Write,
    offset: u64,
    columns: Vec<Column>,
    /// Rows that are not written yet.
    waiting: u64,
    rows: u64,
    groups: Vec<(u64, Vec<Chunk>)>,
}

impl<'w> File<'w> {
    fn begin(shape: &TableShape, out: &'w mut dyn Write) -> Result<File<'w>> {
        out.write_all(MAGIC)?;
        let columns = shape.columns.iter().map(|column| Column::new(*column)).collect();
        Ok(File { out, offset: MAGIC.len() as u64, columns, waiting: 0, rows: 0, groups: Vec::new() })
    }

    fn push(&mut self, row: &[Cell]) -> Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.waiting += 1;
        if self.is_full() { self.flush() } else { Ok(()) }
    }

    fn is_full(&self) -> bool {
        self.waiting >= MOST_ROWS || self.columns.iter().map(Column::size).sum::<usize>() >= MOST_BYTES
    }

    fn flush(&mut self) -> Result<()> {
        if self.waiting == 0 {
            return Ok(());
        }
        let mut chunks = Vec::with_capacity(self.columns.len());
        for column in &mut self.columns {
            let (page, chunk) = column.page(self.offset)?;
            self.out.write_all(&page)?;
            self.offset += page.len() as u64;
            chunks.push(chunk);
        }
        let rows = std::mem::take(&mut self.waiting);
        self.rows += rows;
        self.groups.push((rows, chunks));
        Ok(())
    }

    fn finish(mut self, shape: &TableShape) -> Result<()> {
        self.flush()?;
        let root = Fields::default().text(4, shape.name).i32(5, shape.columns.len() as i32);
        let elements: Vec<Fields> = [root].into_iter().chain(shape.columns.iter().map(element)).collect();
        let groups: Vec<Fields> = self.groups.iter().map(|(rows, chunks)| group(*rows, chunks)).collect();
        let footer = Fields::default()
            .i32(1, 1)
            .structs(2, elements.into_iter())
            .i64(3, self.rows as i64)
            .structs(4, groups.into_iter())
            .text(6, "codegraph")
            .finish();
        self.out.write_all(&footer)?;
        self.out.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        Ok(self.out.flush()?)
    }
}

fn group(rows: u64, chunks: &[Chunk]) -> Fields {
    let size: u64 = chunks.iter().map(Chunk::size).sum();
    Fields::default().structs(1, chunks.iter().map(Chunk::describe)).i64(2, size as i64).i64(3, rows as i64)
}
