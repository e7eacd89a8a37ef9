//! Where a term stands: packed lists of lines per (term, segment of files).
//!
//! A segment blob is a list of entries by file. Head: `file delta << 2 | min(lines - 1, 3)`, the rest of the count if
//! it was 3; then per line `delta << 2 | class`, followed by the mask where the class does not say it. A mention blob is
//! a list of file deltas.

use codegraph_model::{TermLine, TermMask};

use crate::wire::{In, put_varint};
use crate::{Error, FileId, Result, TermId};

/// Files per posting blob.
pub(crate) const SEGMENT: u32 = 256;

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

/// The key of a blob.
pub(crate) const fn key(term: TermId, segment: u32) -> i64 {
    (term.0 as i64) << 24 | segment as i64
}

/// The keys of all blobs of a term.
pub(crate) const fn keys(term: TermId) -> (i64, i64) {
    (key(term, 0), key(term, 0xff_ffff))
}

/// Packs the lines of one term in one file.
pub(crate) fn write_lines(bytes: &mut Vec<u8>, lines: &[TermLine]) {
    let mut last = 0;
    for entry in lines {
        let class = CLASSES
            .iter()
            .position(|mask| *mask == entry.mask)
            .unwrap_or(3);
        put_varint(
            bytes,
            u64::from(entry.line.wrapping_sub(last)) << 2 | class as u64,
        );
        if class == 3 {
            bytes.push(entry.mask.0);
        }
        last = entry.line;
    }
}

/// Appends an entry to a segment blob. `delta` is the distance to the file before, or the file's own place.
pub(crate) fn write_entry(bytes: &mut Vec<u8>, delta: u32, count: u32, lines: &[u8]) {
    let short = (count - 1).min(3);
    put_varint(bytes, u64::from(delta) << 2 | u64::from(short));
    if short == 3 {
        put_varint(bytes, u64::from(count - 4));
    }
    bytes.extend_from_slice(lines);
}

/// One file in a segment blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// Place in the segment.
    pub(crate) file: u8,
    pub(crate) count: u32,
    /// Packed lines.
    pub(crate) lines: &'a [u8],
}

/// Splits a segment blob into its files.
pub(crate) fn entries(blob: &[u8]) -> Result<Vec<Entry<'_>>> {
    let mut found = Vec::new();
    let mut input = In::new(blob);
    let mut file = 0;
    while !input.is_empty() {
        let head = input.varint();
        file += (head >> 2) as u32;
        let count = if head & 3 == 3 {
            input.number().saturating_add(4)
        } else {
            (head & 3) as u32 + 1
        };
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
        found.push(Entry {
            file,
            count,
            lines: &blob[start..input.position()],
        });
    }
    input.finish("posting")?;
    Ok(found)
}

/// Unpacks the lines of an entry.
pub(crate) fn read_lines(entry: &Entry<'_>) -> Result<Vec<LineMask>> {
    let mut input = In::new(entry.lines);
    let mut lines = Vec::with_capacity((entry.count as usize).min(entry.lines.len()));
    let mut line = 0u32;
    while !input.is_empty() {
        let head = input.varint();
        line = line.wrapping_add((head >> 2) as u32);
        let mask = match CLASSES.get((head & 3) as usize) {
            Some(mask) => *mask,
            None => TermMask(input.byte()),
        };
        lines.push(LineMask { line, mask });
    }
    input.finish("posting")?;
    Ok(lines)
}

/// Packs a list of files of a segment.
pub(crate) fn write_files(bytes: &mut Vec<u8>, files: impl IntoIterator<Item = u8>) {
    let mut last = 0;
    for file in files {
        put_varint(bytes, u64::from(file - last));
        last = file;
    }
}

/// Unpacks a list of files of a segment.
pub(crate) fn read_files(blob: &[u8]) -> Result<Vec<u8>> {
    let mut input = In::new(blob);
    let (mut file, mut files) = (0, Vec::new());
    while !input.is_empty() {
        file += input.number();
        files.push(u8::try_from(file).map_err(|_| Error::packed("mention"))?);
    }
    input.finish("mention")?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use codegraph_model::StrId;

    use super::*;

    fn lines(masks: &[(u32, u8)]) -> Vec<TermLine> {
        masks
            .iter()
            .map(|(line, mask)| TermLine {
                term: StrId(0),
                line: *line,
                mask: TermMask(*mask),
            })
            .collect()
    }

    #[test]
    fn segments_come_back_file_by_file() {
        let lists: Vec<Vec<(u32, u8)>> = vec![
            vec![(1, 1)],
            vec![(5, 9), (6, 1), (900, 2)],
            (1..200).map(|n| (n * 70, (n % 15) as u8 + 1)).collect(),
        ];
        let mut blob = Vec::new();
        for (list, delta) in lists.iter().zip([0, 1, 200]) {
            let mut packed = Vec::new();
            write_lines(&mut packed, &lines(list));
            write_entry(&mut blob, delta, list.len() as u32, &packed);
        }
        let found = entries(&blob).expect("the blob is whole");
        assert_eq!(
            found.iter().map(|e| e.file).collect::<Vec<_>>(),
            [0, 1, 201]
        );
        for (entry, list) in found.iter().zip(&lists) {
            let got: Vec<(u32, u8)> = read_lines(entry)
                .expect("the entry is whole")
                .iter()
                .map(|l| (l.line, l.mask.0))
                .collect();
            assert_eq!(&got, list);
        }
    }

    #[test]
    fn damaged_blobs_are_errors() {
        assert!(entries(&[0x03, 0xff, 0xff, 0xff, 0x7f]).is_err());
        assert!(entries(&[0xff]).is_err());
    }

    #[test]
    fn file_lists_come_back() {
        let mut blob = Vec::new();
        write_files(&mut blob, [0, 3, 255]);
        assert_eq!(read_files(&blob).expect("the list is whole"), [0, 3, 255]);
    }
}
