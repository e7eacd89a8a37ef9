//! A column of a row group: values as they come, then one page, compressed.

use codegraph_store::{Cell, ColumnKind, ColumnShape};

use super::thrift::{Fields, varint};
use crate::Result;

/// Numbers of the format.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const ZSTD: i32 = 6;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;

/// How hard the compressor tries.
const EFFORT: i32 = 3;

fn physical(kind: ColumnKind) -> i32 {
    match kind {
        ColumnKind::Integer => INT64,
        ColumnKind::Real => DOUBLE,
        ColumnKind::Text => BYTE_ARRAY,
    }
}

/// A column of the schema: every value may be missing.
pub(super) fn element(column: &ColumnShape) -> Fields {
    let fields = Fields::default().i32(1, physical(column.kind)).i32(3, OPTIONAL).text(4, column.name);
    match column.kind {
        ColumnKind::Text => fields.i32(6, UTF8).inner(10, Fields::default().inner(1, Fields::default())),
        _ => fields,
    }
}

/// Values that wait for their page.
pub(super) struct Column {
    shape: ColumnShape,
    values: Vec<u8>,
    /// Whether each value is there, as runs of equal answers.
    runs: Vec<(bool, u64)>,
    count: u64,
}

/// A page that was written, for the footer.
pub(super) struct Chunk {
    shape: ColumnShape,
    offset: u64,
    count: u64,
    plain: u64,
    packed: u64,
}

impl Column {
    pub(super) fn new(shape: ColumnShape) -> Column {
        Column { shape, values: Vec::new(), runs: Vec::new(), count: 0 }
    }

    pub(super) fn push(&mut self, cell: &Cell) {
        let there = self.add(cell);
        self.count += 1;
        match self.runs.last_mut() {
            Some((last, run)) if *last == there => *run += 1,
            _ => self.runs.push((there, 1)),
        }
    }

    /// A value that is not of the column's kind counts as missing: no table has one.
    fn add(&mut self, cell: &Cell) -> bool {
        match (self.shape.kind, cell) {
            (ColumnKind::Integer, Cell::Integer(number)) => self.values.extend(number.to_le_bytes()),
            (ColumnKind::Real, Cell::Real(number)) => self.values.extend(number.to_le_bytes()),
            (ColumnKind::Text, Cell::Text(text)) => {
                self.values.extend((text.len() as u32).to_le_bytes());
                self.values.extend(text.as_bytes());
            }
            _ => return false,
        }
        true
    }

    pub(super) fn size(&self) -> usize {
        self.values.len()
    }

    /// Empties the column into a page at `offset` of the file.
    pub(super) fn page(&mut self, offset: u64) -> Result<(Vec<u8>, Chunk)> {
        let mut levels = Vec::new();
        for (there, run) in self.runs.drain(..) {
            varint(&mut levels, run << 1);
            levels.push(there.into());
        }
        let mut body = (levels.len() as u32).to_le_bytes().to_vec();
        body.append(&mut levels);
        body.append(&mut self.values);
        let packed = zstd::bulk::compress(&body, EFFORT)?;
        let count = std::mem::take(&mut self.count);
        let data = Fields::default().i32(1, count as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
        let head = Fields::default().i32(1, 0).i32(2, body.len() as i32).i32(3, packed.len() as i32).inner(5, data);
        let mut page = head.finish();
        let plain = (page.len() + body.len()) as u64;
        page.extend(packed);
        let chunk = Chunk { shape: self.shape, offset, count, plain, packed: page.len() as u64 };
        Ok((page, chunk))
    }
}

impl Chunk {
    pub(super) fn size(&self) -> u64 {
        self.plain
    }

    pub(super) fn describe(&self) -> Fields {
        let about = Fields::default()
            .i32(1, physical(self.shape.kind))
            .numbers(2, &[PLAIN, RLE])
            .texts(3, &[self.shape.name])
            .i32(4, ZSTD)
            .i64(5, self.count as i64)
            .i64(6, self.plain as i64)
            .i64(7, self.packed as i64)
            .i64(9, self.offset as i64);
        Fields::default().i64(2, self.offset as i64).inner(3, about)
    }
}
