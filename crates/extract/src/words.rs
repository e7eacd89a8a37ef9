//! Terms: every word of the file, once per line, with the kind of text it stands in.

use std::collections::hash_map::Entry;

use codegraph_model::{StrId, Strings, TermLine, TermMask};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Collects distinct strings and the words of the file in reading order.
pub(crate) struct Words<'s> {
    source: &'s [u8],
    line_starts: Vec<u32>,
    /// Index of the line that the last position was on: positions only grow.
    line: usize,
    ids: FxHashMap<&'s [u8], StrId>,
    /// Names that do not stand in the source as such.
    made: FxHashMap<String, StrId>,
    strings: Strings,
    found: Vec<TermLine>,
    /// How many of them are kept.
    room: usize,
    /// How many different ones are taken from text that is not parsed.
    most_texts: usize,
    /// The text is not that of the file: its words stand elsewhere.
    pub(crate) quiet: bool,
}

/// What a file may have of words on lines, and one more for so many of its bytes. No text that people wrote has more.
const MOST_WORDS: usize = 1 << 20;
const BYTES_PER_WORD: usize = 6;
/// The same for different words.
const MOST_TEXTS: usize = 1 << 18;
const BYTES_PER_TEXT: usize = 16;

impl<'s> Words<'s> {
    pub(crate) fn new(source: &'s [u8]) -> Words<'s> {
        let mut line_starts = Vec::with_capacity(memchr::memchr_iter(b'\n', source).count() + 1);
        line_starts.push(0);
        line_starts.extend(memchr::memchr_iter(b'\n', source).map(|i| i as u32 + 1));
        Words {
            source,
            line_starts,
            line: 0,
            // A table that grows is filled again and again.
            ids: FxHashMap::with_capacity_and_hasher(source.len() / 32, FxBuildHasher),
            made: FxHashMap::default(),
            strings: Strings::default(),
            found: Vec::with_capacity(source.len() / 8),
            room: MOST_WORDS + source.len() / BYTES_PER_WORD,
            most_texts: MOST_TEXTS + source.len() / BYTES_PER_TEXT,
            quiet: false,
        }
    }

    /// The id of a stretch of source text as a string. Text that is not UTF-8 is stored with replacement characters.
    pub(crate) fn intern(&mut self, text: &'s [u8]) -> StrId {
        let free = match self.ids.entry(text) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(free) => free,
        };
        if let Ok(valid) = std::str::from_utf8(text) {
            return *free.insert(self.made.get(valid).copied().unwrap_or_else(|| self.strings.push(valid)));
        }
        // Different broken texts may read the same.
        let id = self.intern_made(String::from_utf8_lossy(text).into_owned());
        self.ids.insert(text, id);
        id
    }

    /// The id of a name that was put together from parts.
    pub(crate) fn intern_made(&mut self, text: String) -> StrId {
        if let Some(id) = self.made.get(&text).or_else(|| self.ids.get(text.as_bytes())) {
            return *id;
        }
        let id = self.strings.push(&text);
        self.made.insert(text, id);
        id
    }

    pub(crate) fn text(&self, id: StrId) -> &str {
        self.strings.get(id)
    }

    /// Takes one word that is known to be all word characters.
    pub(crate) fn word(&mut self, start: usize, end: usize, mask: TermMask) -> StrId {
        let source = self.source;
        let id = self.intern(&source[start..end]);
        self.add(id, start, mask);
        id
    }

    /// The words since a place, which were taken for those of a string, document something.
    pub(crate) fn are_comments_from(&mut self, start: u32) {
        let line = self.line_of(start);
        let since = self.found.iter_mut().rev().take_while(|word| word.line >= line && word.mask == TermMask::STRING);
        since.for_each(|word| word.mask = TermMask::COMMENT);
    }

    /// Takes every word of a stretch of text.
    pub(crate) fn scan(&mut self, start: usize, end: usize, mask: TermMask) {
        let source = self.source;
        let text = &source[..end];
        let mut at = start;
        while let Some(byte) = text.get(at) {
            let mut class = CLASSES[*byte as usize];
            if class == 0 {
                at += 1;
                continue;
            }
            let from = at;
            at += 1;
            while let Some(next) = text.get(at).map(|byte| CLASSES[*byte as usize]).filter(|class| *class != 0) {
                class |= next;
                at += 1;
            }
            match class {
                DIGIT => {}
                _ if class & WIDE == 0 => self.loose_word(from, at, mask),
                _ => self.scan_unicode(from, at, mask),
            }
        }
    }

    /// Splits a stretch with non-ASCII bytes at characters that belong to no word.
    fn scan_unicode(&mut self, start: usize, end: usize, mask: TermMask) {
        let source = self.source;
        let mut from = start;
        let mut at = start;
        for chunk in source[start..end].utf8_chunks() {
            for c in chunk.valid().chars() {
                if !(c.is_alphanumeric() || c == '_' || is_mark(c)) {
                    self.word_if_any(from, at, mask);
                    from = at + c.len_utf8();
                }
                at += c.len_utf8();
            }
            if !chunk.invalid().is_empty() {
                self.word_if_any(from, at, mask);
                at += chunk.invalid().len();
                from = at;
            }
        }
        self.word_if_any(from, at, mask);
    }

    fn word_if_any(&mut self, start: usize, end: usize, mask: TermMask) {
        if self.source[start..end].iter().any(|b| !b.is_ascii_digit()) {
            self.loose_word(start, end, mask);
        }
    }

    /// Takes a word that nothing but the list of words refers to.
    fn loose_word(&mut self, start: usize, end: usize, mask: TermMask) {
        match self.ids.len() < self.most_texts || self.ids.contains_key(&self.source[start..end]) {
            true => _ = self.word(start, end, mask),
            false => self.room = 0,
        }
    }

    fn add(&mut self, term: StrId, offset: usize, mask: TermMask) {
        if self.quiet {
            return;
        }
        let offset = offset as u32;
        while self.line + 1 < self.line_starts.len() && self.line_starts[self.line + 1] <= offset {
            self.line += 1;
        }
        let line = self.line as u32 + 1;
        if let Some(last) = self.found.last_mut().filter(|last| (last.term, last.line) == (term, line)) {
            last.mask.0 |= mask.0;
        } else if self.found.len() < self.room {
            self.found.push(TermLine { term, line, mask });
        } else {
            self.room = 0;
        }
    }

    /// Whether there were more words than are kept.
    pub(crate) fn overflowed(&self) -> bool {
        self.room == 0
    }

    /// The 1-based line of any offset.
    pub(crate) fn line_of(&self, offset: u32) -> u32 {
        let guess = self.line;
        if self.line_starts[guess] <= offset && self.line_starts.get(guess + 1).is_none_or(|next| offset < *next) {
            return guess as u32 + 1;
        }
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    pub(crate) fn line_start(&self, line: u32) -> u32 {
        self.line_starts[line as usize - 1]
    }

    /// Strings, line starts, and the terms: sorted, one entry per term and line.
    /// Reserved words of the language are no terms of code, whichever nodes a grammar makes of them.
    pub(crate) fn finish(self, reserved: &[&str]) -> (Strings, Vec<u32>, Vec<TermLine>) {
        let reserved: Vec<StrId> = reserved.iter().filter_map(|word| self.ids.get(word.as_bytes()).copied()).collect();
        let mut terms = sorted(self.found);
        if !reserved.is_empty() {
            let is_reserved = |term: &TermLine| reserved.contains(&term.term);
            for term in terms.iter_mut().filter(|term| is_reserved(term) && !term.mask.has(TermMask::DEF)) {
                term.mask.0 &= !TermMask::CODE.0;
            }
            terms.retain(|term| term.mask.0 != 0);
        }
        (self.strings, self.line_starts, terms)
    }
}

/// Orders by term and line with a counting sort: the input is ordered by line already.
fn sorted(found: Vec<TermLine>) -> Vec<TermLine> {
    let terms = found.iter().map(|t| t.term.0 + 1).max().unwrap_or(0) as usize;
    let mut starts = vec![0u32; terms + 1];
    for entry in &found {
        starts[entry.term.index() + 1] += 1;
    }
    for i in 0..terms {
        starts[i + 1] += starts[i];
    }
    let empty = TermLine { term: StrId(0), line: 0, mask: TermMask(0) };
    let mut ordered = vec![empty; found.len()];
    for entry in &found {
        let place = &mut starts[entry.term.index()];
        ordered[*place as usize] = *entry;
        *place += 1;
    }
    ordered.dedup_by(|next, kept| {
        let same = next.term == kept.term && next.line == kept.line;
        if same {
            kept.mask.0 |= next.mask.0;
        }
        same
    });
    ordered
}

/// What a byte of a word is: a digit, a letter, a part of a character beyond ASCII. Other bytes have no class.
const DIGIT: u8 = 1;
const LETTER: u8 = 2;
const WIDE: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => LETTER,
            0x80.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

pub(crate) fn is_word_byte(byte: u8) -> bool {
    CLASSES[byte as usize] != 0
}

/// Combining marks and joiners continue a word.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{203f}' | '\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_has_one_id_however_it_came_about() {
        let mut words = Words::new(b"default \xff \xfe");
        let made = words.intern_made("default".to_owned());
        assert_eq!(words.intern(b"default"), made);
        assert_eq!(words.intern(b"\xff"), words.intern(b"\xfe"));
        let word = words.intern(b"other");
        assert_eq!(words.intern_made("other".to_owned()), word);
    }
}
