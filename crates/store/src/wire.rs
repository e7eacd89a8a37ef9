//! The bytes of packed data: varints, zigzag deltas, spans, and the zstd frame around a blob.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use codegraph_model::Span;

use crate::{Error, Result};

/// One is the fastest level; columns of small numbers gain little from higher ones.
const LEVEL: i32 = 1;

/// The tables of a compressed frame alone take this much.
const WORTH_TRYING: usize = 64;

/// Appends packed values.
#[derive(Default)]
pub(crate) struct Out {
    pub(crate) bytes: Vec<u8>,
}

impl Out {
    pub(crate) fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn number(&mut self, value: u32) {
        put_varint(&mut self.bytes, value.into());
    }

    /// A number near another one.
    pub(crate) fn near(&mut self, value: u32, base: u32) {
        self.number(zigzag(value.wrapping_sub(base)));
    }

    /// An index where `u32::MAX` means none.
    pub(crate) fn optional(&mut self, value: u32) {
        self.number(value.wrapping_add(1));
    }

    /// An index near another one, where `u32::MAX` means none.
    pub(crate) fn optional_near(&mut self, value: u32, base: u32) {
        match value {
            u32::MAX => self.number(0),
            _ => put_varint(&mut self.bytes, u64::from(zigzag(value.wrapping_sub(base))) + 1),
        }
    }

    /// An offset near another one, where 0 is the cheapest.
    pub(crate) fn offset_near(&mut self, value: u32, base: u32) {
        match value {
            0 => self.byte(0),
            _ => put_varint(&mut self.bytes, u64::from(zigzag(value.wrapping_sub(base))) + 1),
        }
    }

    /// A span near an offset; the default span is the cheapest.
    pub(crate) fn span(&mut self, span: Span, base: u32) {
        if span == Span::default() {
            return self.byte(0);
        }
        put_varint(&mut self.bytes, u64::from(zigzag(span.start.wrapping_sub(base))) + 1);
        self.number(span.end.wrapping_sub(span.start));
    }
}

/// Appends a varint.
pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

const fn zigzag(delta: u32) -> u32 {
    (delta << 1) ^ ((delta as i32 >> 31) as u32)
}

const fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// What [`In::near`] does, for a number that was read before its base was known.
pub(crate) const fn add_zigzag(base: u32, value: u32) -> u32 {
    base.wrapping_add(unzigzag(value))
}

/// Reads packed values. Reading past the end gives zeros and is reported by [`In::finish`].
pub(crate) struct In<'a> {
    bytes: &'a [u8],
    at: usize,
    failed: bool,
}

impl<'a> In<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> In<'a> {
        In { bytes, at: 0, failed: false }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.failed || self.at >= self.bytes.len()
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.bytes.get(self.at) {
            Some(byte) => {
                self.at += 1;
                *byte
            }
            None => {
                self.failed = true;
                0
            }
        }
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> u64 {
        // Most numbers are small.
        match self.bytes.get(self.at) {
            Some(byte) if *byte < 0x80 => {
                self.at += 1;
                u64::from(*byte)
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
        }
        self.failed = true;
        0
    }

    pub(crate) fn number(&mut self) -> u32 {
        self.varint() as u32
    }

    pub(crate) fn near(&mut self, base: u32) -> u32 {
        add_zigzag(base, self.number())
    }

    pub(crate) fn optional(&mut self) -> u32 {
        self.number().wrapping_sub(1)
    }

    pub(crate) fn optional_near(&mut self, base: u32) -> u32 {
        match self.varint() {
            0 => u32::MAX,
            value => add_zigzag(base, (value - 1) as u32),
        }
    }

    pub(crate) fn offset_near(&mut self, base: u32) -> u32 {
        match self.varint() {
            0 => 0,
            value => add_zigzag(base, (value - 1) as u32),
        }
    }

    pub(crate) fn span(&mut self, base: u32) -> Span {
        match self.varint() {
            0 => Span::default(),
            value => {
                let start = add_zigzag(base, (value - 1) as u32);
                Span { start, end: start.wrapping_add(self.number()) }
            }
        }
    }

    /// A count of things of which each takes a byte or more, so that damaged data cannot ask for endless memory.
    pub(crate) fn count(&mut self) -> usize {
        let count = self.varint() as usize;
        if count > self.bytes.len() - self.at {
            self.failed = true;
            return 0;
        }
        count
    }

    /// Passes over so many numbers.
    pub(crate) fn skip(&mut self, numbers: usize) {
        let mut left = numbers;
        let rest = &self.bytes[self.at..];
        let passed = rest.iter().take_while(|byte| {
            let goes_on = left > 0;
            left -= usize::from(goes_on && **byte < 0x80);
            goes_on
        });
        self.at += passed.count();
        self.failed |= left > 0;
    }

    /// The next bytes as they are.
    pub(crate) fn take(&mut self, length: usize) -> &'a [u8] {
        if length > self.bytes.len() - self.at {
            self.failed = true;
            return &[];
        }
        self.at += length;
        &self.bytes[self.at - length..self.at]
    }

    pub(crate) fn fail(&mut self) {
        self.failed = true;
    }

    /// Whether everything was there.
    pub(crate) fn check(&self, what: &'static str) -> Result<()> {
        if self.failed { Err(Error::packed(what)) } else { Ok(()) }
    }

    /// Whether everything was there, and nothing more.
    pub(crate) fn finish(&self, what: &'static str) -> Result<()> {
        if self.failed || self.at != self.bytes.len() { Err(Error::packed(what)) } else { Ok(()) }
    }
}

thread_local! {
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses a blob: its length, then the frame.
pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() / 2 + 32);
    put_varint(&mut packed, bytes.len() as u64);
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = slot.get_or_insert_with(|| {
            let mut new = zstd::bulk::Compressor::new(LEVEL).expect("the level is valid");
            new.include_contentsize(false).expect("a plain parameter");
            new.include_checksum(false).expect("a plain parameter");
            new.include_dictid(false).expect("a plain parameter");
            new
        });
        let frame = compressor.compress(bytes).expect("the buffer is as large as the worst case");
        packed.extend_from_slice(&frame);
    });
    packed
}

/// Gives the bytes of a compressed blob to a reader.
pub(crate) fn decompress(packed: &[u8], what: &'static str) -> Result<Vec<u8>> {
    let mut input = In::new(packed);
    let length = input.varint() as usize;
    // zstd cannot shrink more than about 1 : 32 768, so a larger claim is damage.
    if input.failed || length / 40_000 > packed.len() {
        return Err(Error::packed(what));
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor =
            slot.get_or_insert_with(|| zstd::bulk::Decompressor::new().expect("a context can be allocated"));
        decompressor.decompress(&packed[input.at..], length).map_err(|_| Error::packed(what))
    })
}

/// An unpacked frame.
pub(crate) type Frame = Rc<Vec<u8>>;

/// Frames that a thread keeps: who reads file after file asks for those of its neighbours.
const KEPT_FRAMES: usize = 4;
/// Larger frames belong to one file.
const KEPT_LENGTH: usize = 64 << 10;

/// Frames with the bytes that they were unpacked from, the newest first.
type RecentFrames = VecDeque<(Vec<u8>, Frame)>;

thread_local! {
    static FRAMES: RefCell<RecentFrames> = const { RefCell::new(VecDeque::new()) };
    static LINK_FRAMES: RefCell<RecentFrames> = const { RefCell::new(VecDeque::new()) };
}

/// The bytes of a compressed blob that is probably asked for again. They are known by the compressed ones, so that
/// they are never out of date.
pub(crate) fn frame(packed: &[u8], what: &'static str) -> Result<Frame> {
    FRAMES.with_borrow_mut(|kept| kept_frame(kept, packed, what))
}

/// The same for links: who reads those reads facts in between, which stay.
pub(crate) fn link_frame(packed: &[u8]) -> Result<Frame> {
    LINK_FRAMES.with_borrow_mut(|kept| kept_frame(kept, packed, "links"))
}

fn kept_frame(kept: &mut RecentFrames, packed: &[u8], what: &'static str) -> Result<Frame> {
    if let Some((_, frame)) = kept.iter().find(|(key, _)| key == packed) {
        return Ok(frame.clone());
    }
    let frame = Rc::new(decompress(packed, what)?);
    if frame.len() <= KEPT_LENGTH {
        kept.truncate(KEPT_FRAMES - 1);
        kept.push_front((packed.to_vec(), frame.clone()));
    }
    Ok(frame)
}

/// Compresses a row if that makes it smaller; the first byte says whether.
pub(crate) fn pack_row(bytes: &[u8]) -> Vec<u8> {
    if bytes.len() >= WORTH_TRYING {
        let mut packed = vec![1];
        packed.extend(compress(bytes));
        if packed.len() <= bytes.len() {
            return packed;
        }
    }
    let mut plain = Vec::with_capacity(bytes.len() + 1);
    plain.push(0);
    plain.extend_from_slice(bytes);
    plain
}

/// The bytes of a row from [`pack_row`].
pub(crate) fn unpack_row<'a>(row: &'a [u8], what: &'static str) -> Result<Cow<'a, [u8]>> {
    match row.split_first() {
        Some((0, plain)) => Ok(Cow::Borrowed(plain)),
        Some((1, packed)) => Ok(Cow::Owned(decompress(packed, what)?)),
        _ => Err(Error::packed(what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back() {
        let values = [0, 1, 127, 128, 300, 1 << 20, u32::MAX - 1, u32::MAX];
        let mut out = Out::default();
        for value in values {
            out.number(value);
            out.near(value, 77);
            out.optional(value);
            out.optional_near(value, 12_345);
            out.span(Span { start: value, end: 5 }, 9);
        }
        let mut input = In::new(&out.bytes);
        for value in values {
            assert_eq!(input.number(), value);
            assert_eq!(input.near(77), value);
            assert_eq!(input.optional(), value);
            assert_eq!(input.optional_near(12_345), value);
            assert_eq!(input.span(9), Span { start: value, end: 5 });
        }
        input.finish("test").expect("all was read");
    }

    #[test]
    fn truncated_bytes_are_reported() {
        let mut input = In::new(&[0x80]);
        input.number();
        assert!(input.finish("test").is_err());
    }

    #[test]
    fn rows_are_compressed_where_it_helps() {
        for row in [&b""[..], b"short", &[9; 500]] {
            let packed = pack_row(row);
            assert!(packed.len() <= row.len() + 1);
            assert_eq!(&*unpack_row(&packed, "test").expect("it is whole"), row);
        }
        assert!(pack_row(&[9; 500]).len() < 50);
        assert!(unpack_row(&[], "test").is_err());
    }

    #[test]
    fn damaged_frames_are_errors() {
        let packed = compress(&[7; 1000]);
        assert_eq!(decompress(&packed, "test").expect("it is whole"), vec![7; 1000]);
        assert!(decompress(&packed[..packed.len() - 3], "test").is_err());
        assert!(decompress(&[0xff; 20], "test").is_err());
    }
}
