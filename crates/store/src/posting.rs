//! Where a term stands: packed lists of lines per (term, segment of files).
//!
//! A list has an entry per file. Head: `file delta << 2 | min(lines - 1, 3)`, the rest of the count if it was 3; then
//! per line `delta << 2 | class`, followed by the mask where the class does not say it. Line 0 stands for a use that is
//! on no line: a name that is no word, or a symbol whose name is not written where it is defined. The first mask of a file
//! also says whether the file adds to a type of that name from outside of it.

use codegraph_model::{FileId, TermId, TermLine, TermMask};

use crate::wire::{In, put_varint};
use crate::{Error, Result};

/// Files per list.
pub(crate) const SEGMENT: u32 = 256;
/// Terms that share a row, because most lists are shorter than the row around them.
pub(crate) const SHELF: u32 = 512;
/// Lists above this length have a row of their own, so that a reader of their neighbours need not skip them.
pub(crate) const LARGE: usize = 256;

/// A line of a posting and in which kinds of text the term stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMask {
    pub line: u32,
    pub mask: TermMask,
}

/// The lines of one file on which a term stands, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    pub file: FileId,
    pub lines: Vec<LineMask>,
}

/// The masks that need no byte of their own; any other has class 3.
const CLASSES: [TermMask; 3] = [TermMask::CODE, TermMask::COMMENT, TermMask::STRING];

/// In the first mask of a file: impl blocks or qualified definitions of the file are about a type of this name.
const EXTENDS: u8 = 1 << 7;

/// On no line: the name is the file's own.
pub(crate) const OWN: TermMask = TermMask(1 << 6);

/// The key of a list's own row.
pub(crate) const fn key(term: TermId, segment: u32) -> i64 {
    (term.0 as i64) << 24 | segment as i64
}

/// The key of the row that a list shares.
pub(crate) const fn shelf_key(term: TermId, segment: u32) -> i64 {
    key(TermId(term.0 / SHELF), segment)
}

/// The term or shelf of a row.
pub(crate) const fn number_of(key: i64) -> u32 {
    (key >> 24) as u32
}

/// The segment of a row.
pub(crate) const fn segment_of(key: i64) -> u32 {
    (key & 0xff_ffff) as u32
}

/// The segment of a file and its place there.
pub(crate) const fn place(file: FileId) -> (u32, u8) {
    (file.0 / SEGMENT, (file.0 % SEGMENT) as u8)
}

/// The file at a place.
pub(crate) const fn file_at(segment: u32, place: u8) -> FileId {
    FileId(segment * SEGMENT + place as u32)
}

/// Packs the lines of one term in one file; `mention` is the mask of a use on no line, `extends` says that the file adds
/// to a type of this name.
pub(crate) fn write_lines(bytes: &mut Vec<u8>, lines: &[TermLine], mention: Option<TermMask>, extends: bool) {
    let on_no_line = mention.map(|mask| (0, mask));
    let (mut last, mut extends) = (0, if extends { EXTENDS } else { 0 });
    for (line, mask) in on_no_line.into_iter().chain(lines.iter().map(|entry| (entry.line, entry.mask))) {
        let mask = TermMask(mask.0 | std::mem::take(&mut extends));
        let class = CLASSES.iter().position(|known| *known == mask).unwrap_or(3);
        put_varint(bytes, u64::from(line.wrapping_sub(last)) << 2 | class as u64);
        if class == 3 {
            bytes.push(mask.0);
        }
        last = line;
    }
}

/// Appends an entry to a list. `delta` is the distance to the file before, or the file's own place.
pub(crate) fn write_entry(bytes: &mut Vec<u8>, delta: u32, count: u32, lines: &[u8]) {
    let short = (count - 1).min(3);
    put_varint(bytes, u64::from(delta) << 2 | u64::from(short));
    if short == 3 {
        put_varint(bytes, u64::from(count - 4));
    }
    bytes.extend_from_slice(lines);
}

/// One file in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// Place in the segment.
    pub(crate) file: u8,
    pub(crate) count: u32,
    /// Packed lines.
    pub(crate) lines: &'a [u8],
}

/// Splits a list into its files.
pub(crate) fn entries(list: &[u8]) -> Result<Vec<Entry<'_>>> {
    let mut found = Vec::new();
    let mut input = In::new(list);
    let mut file = 0;
    while !input.is_empty() {
        let head = input.varint();
        file += (head >> 2) as u32;
        let count = if head & 3 == 3 { input.number().saturating_add(4) } else { (head & 3) as u32 + 1 };
        let start = input.position();
        for _ in 0..count {
            if input.varint() & 3 == 3 {
                input.byte();
            }
            if input.is_empty() {
                break;
            }
        }
        let file = u8::try_from(file).map_err(|_| Error::packed("posting"))?;
        found.push(Entry { file, count, lines: &list[start..input.position()] });
    }
    input.finish("posting")?;
    Ok(found)
}

impl Entry<'_> {
    /// Whether the file adds to a type of this name from outside of it.
    pub(crate) fn extends(&self) -> bool {
        let mut input = In::new(self.lines);
        input.varint() & 3 == 3 && input.byte() & EXTENDS != 0
    }
}

/// Unpacks the lines of an entry, with line 0 for a use on no line.
pub(crate) fn read_lines(entry: &Entry<'_>) -> Result<Vec<LineMask>> {
    let mut input = In::new(entry.lines);
    let mut lines = Vec::with_capacity((entry.count as usize).min(entry.lines.len()));
    let mut line = 0u32;
    while !input.is_empty() {
        let head = input.varint();
        line = line.wrapping_add((head >> 2) as u32);
        let mask = match CLASSES.get((head & 3) as usize) {
            Some(mask) => *mask,
            None => TermMask(input.byte() & !EXTENDS),
        };
        lines.push(LineMask { line, mask });
    }
    input.finish("posting")?;
    Ok(lines)
}

/// A list of a shared row and the place of its term there.
pub(crate) type Shelved<'a> = (u32, &'a [u8]);

/// Packs a shared row: distances of places, lengths, then the lists.
pub(crate) fn write_shelf(lists: &[Shelved<'_>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(lists.iter().map(|(_, list)| list.len() + 4).sum());
    put_varint(&mut bytes, lists.len() as u64);
    let mut last = 0;
    for (place, _) in lists {
        put_varint(&mut bytes, u64::from(place - last));
        last = *place;
    }
    lists.iter().for_each(|(_, list)| put_varint(&mut bytes, list.len() as u64));
    lists.iter().for_each(|(_, list)| bytes.extend_from_slice(list));
    bytes
}

/// Splits a shared row into its lists.
pub(crate) fn read_shelf(row: &[u8]) -> Result<Vec<Shelved<'_>>> {
    let mut input = In::new(row);
    let count = if row.is_empty() { 0 } else { input.count() };
    let mut place = 0u32;
    let mut lists: Vec<Shelved<'_>> = Vec::with_capacity(count);
    for _ in 0..count {
        place = place.wrapping_add(input.number());
        lists.push((place, &[]));
    }
    let lengths: Vec<usize> = (0..count).map(|_| input.varint() as usize).collect();
    lists.iter_mut().zip(lengths).for_each(|(list, length)| list.1 = input.take(length));
    input.finish("posting")?;
    Ok(lists)
}

/// The list at a place of a shared row.
pub(crate) fn find_in_shelf(row: &[u8], wanted: u32) -> Result<Option<&[u8]>> {
    let mut input = In::new(row);
    let count = if row.is_empty() { 0 } else { input.count() };
    let (mut place, mut found) = (0u32, None);
    for at in 0..count {
        place = place.wrapping_add(input.number());
        found = if place == wanted { Some(at) } else { found };
    }
    let Some(found) = found else { return Ok(None) };
    let (mut start, mut length) = (0usize, 0);
    for at in 0..count {
        let next = input.varint() as usize;
        start = start.saturating_add(if at < found { next } else { 0 });
        length = if at == found { next } else { length };
    }
    let start = input.position().saturating_add(start);
    row.get(start..start.saturating_add(length)).map(Some).ok_or_else(|| Error::packed("posting"))
}

#[cfg(test)]
mod tests {
    use codegraph_model::StrId;

    use super::*;

    fn lines(masks: &[(u32, u8)]) -> Vec<TermLine> {
        masks.iter().map(|(line, mask)| TermLine { term: StrId(0), line: *line, mask: TermMask(*mask) }).collect()
    }

    #[test]
    fn lists_come_back_file_by_file() {
        let lists: Vec<Vec<(u32, u8)>> = vec![
            vec![(1, 1)],
            vec![(5, 9), (6, 1), (900, 2)],
            (1..200).map(|n| (n * 70, (n % 15) as u8 + 1)).collect(),
        ];
        let mut blob = Vec::new();
        for (list, delta) in lists.iter().zip([0, 1, 200]) {
            let mut packed = Vec::new();
            write_lines(&mut packed, &lines(list), None, false);
            write_entry(&mut blob, delta, list.len() as u32, &packed);
        }
        let found = entries(&blob).expect("the blob is whole");
        assert_eq!(found.iter().map(|e| e.file).collect::<Vec<_>>(), [0, 1, 201]);
        for (entry, list) in found.iter().zip(&lists) {
            let got: Vec<(u32, u8)> =
                read_lines(entry).expect("the entry is whole").iter().map(|l| (l.line, l.mask.0)).collect();
            assert_eq!(&got, list);
        }
    }

    #[test]
    fn a_use_on_no_line_comes_first() {
        let mut packed = Vec::new();
        write_lines(&mut packed, &lines(&[(4, 1)]), Some(TermMask::DEF), false);
        let got = read_lines(&Entry { file: 0, count: 2, lines: &packed }).expect("whole");
        assert_eq!(got.iter().map(|l| (l.line, l.mask)).collect::<Vec<_>>(), [(0, TermMask::DEF), (4, TermMask::CODE)]);
    }

    #[test]
    fn the_first_mask_says_whether_a_type_is_extended() {
        for (mention, extends) in [(None, true), (None, false), (Some(OWN), true), (Some(TermMask::DEF), false)] {
            let mut packed = Vec::new();
            write_lines(&mut packed, &lines(&[(4, 1), (5, 1)]), mention, extends);
            let entry = Entry { file: 0, count: 2, lines: &packed };
            assert_eq!(entry.extends(), extends);
            let masks = read_lines(&entry).expect("whole").into_iter().map(|line| line.mask);
            assert!(masks.eq(mention.into_iter().chain([TermMask::CODE; 2])));
        }
    }

    #[test]
    fn damaged_blobs_are_errors() {
        assert!(find_in_shelf(&[1, 3, 2, 7], 3).is_err());
        assert!(entries(&[0x03, 0xff, 0xff, 0xff, 0x7f]).is_err());
        assert!(entries(&[0xff]).is_err());
        assert!(read_shelf(&[1, 200, 3]).is_err());
        assert!(read_shelf(&[1, 3, 2, 7]).is_err());
    }

    #[test]
    fn shared_rows_come_back_list_by_list() {
        let lists = [(0, &[1, 2, 3][..]), (7, &[]), (SHELF - 1, &[4])];
        assert_eq!(read_shelf(&write_shelf(&lists)).expect("whole"), lists);
        assert!(read_shelf(&[]).expect("nothing is whole").is_empty());
        for place in 0..SHELF {
            let list = lists.iter().find(|(at, _)| *at == place).map(|(_, list)| *list);
            assert_eq!(find_in_shelf(&write_shelf(&lists), place).expect("whole"), list);
        }
        assert_eq!(find_in_shelf(&[], 0).expect("nothing is whole"), None);
    }
}
