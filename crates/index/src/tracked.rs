//! The files that git tracks, read from its own index: what is in git is in ours, whatever ignore rules say.
//!
//! The list is read and not asked for: asking starts a process, and a walk happens whenever a file comes or goes.

use std::ops::Range;

/// Bytes of an entry before its hash: times, numbers, mode, owner, size.
const BEFORE_HASH: usize = 40;
const MODE: Range<usize> = 24..28;
/// How long names of objects are: SHA-1, SHA-256.
const HASHES: [usize; 2] = [20, 32];
const EXTENDED: u16 = 0x4000;
const PLAIN_FILE: u32 = 0o100_000;
const KIND: u32 = 0o170_000;

/// The paths of plain files in a list that git wrote, from the root of its repository. Nothing if it is not understood:
/// one that is kept in two files, for example.
pub(crate) fn parse(bytes: &[u8]) -> Option<Vec<String>> {
    HASHES.iter().find_map(|hash| parse_with(bytes, *hash))
}

fn parse_with(bytes: &[u8], hash: usize) -> Option<Vec<String>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let version = number(4).filter(|version| bytes.starts_with(b"DIRC") && (2..=4).contains(version))?;
    let (count, mut at) = (number(8)?, 12);
    let (mut paths, mut path) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let mode = u32::from_be_bytes(bytes.get(at + MODE.start..at + MODE.end)?.try_into().ok()?);
        let flags_at = at + BEFORE_HASH + hash;
        let flags = u16::from_be_bytes(bytes.get(flags_at..flags_at + 2)?.try_into().ok()?);
        let name_at = flags_at + if version > 2 && flags & EXTENDED != 0 { 4 } else { 2 };
        at = match version {
            4 => read_shortened(bytes, name_at, &mut path)?,
            _ => {
                let name = until_zero(bytes, name_at)?;
                path = name.to_vec();
                // Padded to a multiple of eight, with at least one zero.
                at + (name_at - at + name.len() + 8) / 8 * 8
            }
        };
        if mode & KIND == PLAIN_FILE
            && let Ok(path) = std::str::from_utf8(&path)
        {
            paths.push(path.to_owned());
        }
    }
    is_whole(bytes, at, hash).then_some(paths)
}

/// A name that says only how it differs from the one before: so many bytes less, then these. Gives where it ends.
fn read_shortened(bytes: &[u8], at: usize, path: &mut Vec<u8>) -> Option<usize> {
    let (mut at, mut less) = (at, 0usize);
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        less = less.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            break;
        }
        less = less.checked_add(1)?;
    }
    let name = until_zero(bytes, at)?;
    path.truncate(path.len().checked_sub(less)?);
    path.extend_from_slice(name);
    Some(at + name.len() + 1)
}

fn until_zero(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    rest.iter().position(|byte| *byte == 0).map(|end| &rest[..end])
}

/// Whether what follows the entries is what git writes there: extensions, then a hash. One that refers to another file
/// (`link`) is not whole.
fn is_whole(bytes: &[u8], at: usize, hash: usize) -> bool {
    let Some(end) = bytes.len().checked_sub(hash) else { return false };
    let mut at = at;
    while at + 8 <= end {
        let size = u32::from_be_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize;
        if &bytes[at..at + 4] == b"link" {
            return false;
        }
        at = at.saturating_add(8).saturating_add(size);
    }
    at == end
}
