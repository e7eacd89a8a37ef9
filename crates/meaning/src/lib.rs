//! What words have to do with code, though they are not written alike: a table of word vectors that we trained.
//!
//! A text is the sum of the vectors of its words, each with a weight; code is its name, its path and its body. How such a
//! table is made, from what, and how good it is: `models/README.md`. The table is part of the binary and is mapped, not
//! copied; only the list of its words is put up in memory, when it is asked first.

mod words;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use words::each_word;

#[cfg(feature = "table")]
static BYTES: &[u8] = include_bytes!("../words.bin");
#[cfg(not(feature = "table"))]
static BYTES: &[u8] = &[];

/// What the table begins with, and where its weights begin.
const MAGIC: &[u8] = b"CGW1";
const WEIGHTS: usize = 24;
/// Pieces of a body that count: a long one says no more than its beginning.
const MOST_OF_BODY: usize = 110;

/// The table, if the binary has it.
pub fn table() -> Option<&'static Table> {
    static TABLE: LazyLock<Option<Table>> = LazyLock::new(|| Table::read(BYTES));
    TABLE.as_ref()
}

/// Vectors of words and pieces of words.
pub struct Table {
    size: usize,
    /// How much the name, the path and the body of code count.
    fields: [f32; 3],
    /// The weight of each piece in a question, and in code.
    asked: &'static [u8],
    held: &'static [u8],
    rows: &'static [u8],
    numbers: FxHashMap<&'static str, u32>,
    longest: usize,
}

/// A direction: of length 1, or nothing.
#[derive(Clone, Debug)]
pub struct Vector(Vec<f32>);

impl Vector {
    /// How near two directions are: 1 is the same, 0 has nothing to do with it.
    pub fn near(&self, other: &Vector) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }

    fn add(&mut self, other: &Vector, weight: f32) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own += more * weight);
    }

    fn into_unit(mut self) -> Vector {
        let length = self.0.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 1e-6 {
            self.0.iter_mut().for_each(|x| *x /= length);
        }
        self
    }
}

/// A question, with how near each piece of the table is to it.
pub struct Asked<'t> {
    table: &'t Table,
    /// The share of each piece in the nearness of a text, and in the square of the text's length.
    parts: Vec<(f32, f32)>,
    vector: Vector,
}

impl Asked<'_> {
    pub fn near(&self, code: &Vector) -> f32 {
        self.vector.near(code)
    }

    /// About how near a name is: as if its pieces had nothing to do with each other.
    pub fn name(&self, name: &str) -> f32 {
        let (mut near, mut square) = (0.0, 0.0);
        each_word(name, |word| {
            self.table.each_piece(word, |piece| {
                let (dot, own) = self.parts[piece as usize];
                near += dot;
                square += own;
            });
        });
        if square > 0.0 { near / square.sqrt() } else { 0.0 }
    }

    /// The words of some texts that are nearest to the question, each once.
    pub fn because<'s>(&self, texts: impl Iterator<Item = &'s str>, most: usize) -> Vec<String> {
        let mut words: Vec<(f32, String)> = Vec::new();
        for text in texts {
            each_word(text, |word| {
                let near = self.name(word);
                if near > LEADS && words.iter().all(|(_, known)| known != word) {
                    words.push((near, word.to_owned()));
                }
            });
        }
        words.sort_by(|a, b| b.0.total_cmp(&a.0));
        words.truncate(most);
        words.into_iter().map(|(_, word)| word).collect()
    }
}

/// A word that is less near says nothing about why.
const LEADS: f32 = 0.15;

/// Pieces of a text, each once, in their order.
#[derive(Clone, Debug, Default)]
pub struct Pieces(Vec<u32>);

impl Table {
    fn read(bytes: &'static [u8]) -> Option<Table> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        if !bytes.starts_with(MAGIC) {
            return None;
        }
        let (count, size) = (number(4)? as usize, number(8)? as usize);
        let fields = [12, 16, 20].map(|at| f32::from_bits(number(at).unwrap_or(0)));
        let (asked, rest) = bytes.get(WEIGHTS..)?.split_at_checked(4 * count)?;
        let (held, rest) = rest.split_at_checked(4 * count)?;
        let (rows, texts) = rest.split_at_checked(count * size)?;
        let texts = std::str::from_utf8(texts).ok()?;
        let numbers: FxHashMap<&str, u32> = texts.split('\n').zip(0..count as u32).collect();
        let longest = texts.split('\n').map(str::len).max().unwrap_or(0);
        Some(Table { size, fields, asked, held, rows, numbers, longest })
    }

    /// The direction of a question.
    pub fn question(&self, text: &str) -> Vector {
        let mut pieces = Pieces::default();
        self.add(text, usize::MAX, &mut pieces);
        self.sum(&pieces, self.asked)
    }

    /// A question to compare many names with.
    pub fn ask(&self, text: &str) -> Asked<'_> {
        let vector = self.question(text);
        let held = |at: usize| self.held[4 * at..4 * at + 4].try_into().map_or(0.0, f32::from_le_bytes);
        let parts = (0..self.held.len() / 4).map(|at| {
            let row = &self.rows[at * self.size..(at + 1) * self.size];
            let (mut dot, mut square) = (0.0, 0.0);
            for (number, own) in row.iter().zip(&vector.0) {
                let number = f32::from(*number as i8);
                dot += number * own;
                square += number * number;
            }
            (dot * held(at), square * held(at) * held(at))
        });
        Asked { table: self, parts: parts.collect(), vector }
    }

    /// The direction of code: its name, where it is, and the texts of its body.
    pub fn code<'t>(&self, name: &str, place: &[&str], body: impl Iterator<Item = &'t str>) -> Vector {
        let mut all = Vector(vec![0.0; self.size]);
        let mut pieces = [Pieces::default(), Pieces::default(), Pieces::default()];
        self.add(name, usize::MAX, &mut pieces[0]);
        place.iter().for_each(|part| self.add(part, MOST_OF_BODY, &mut pieces[1]));
        for text in body {
            if pieces[2].0.len() >= MOST_OF_BODY {
                break;
            }
            self.add(text, MOST_OF_BODY, &mut pieces[2]);
        }
        for (pieces, weight) in pieces.iter().zip(self.fields) {
            all.add(&self.sum(pieces, self.held), weight);
        }
        all.into_unit()
    }

    fn add(&self, text: &str, most: usize, pieces: &mut Pieces) {
        each_word(text, |word| {
            self.each_piece(word, |piece| {
                if pieces.0.len() < most && !pieces.0.contains(&piece) {
                    pieces.0.push(piece);
                }
            });
        });
    }

    /// A word is itself if the table has it, else the longest pieces of it that the table has, from the left.
    fn each_piece(&self, word: &str, mut visit: impl FnMut(u32)) {
        if let Some(number) = self.numbers.get(word) {
            return visit(*number);
        }
        let mut at = 0;
        while at < word.len() {
            let ends = (at + 2..=word.len().min(at + self.longest)).rev();
            let found = ends.into_iter().find_map(|end| Some((end, *self.numbers.get(&word[at..end])?)));
            match found {
                Some((end, number)) => {
                    visit(number);
                    at = end;
                }
                None => at += 1,
            }
        }
    }

    fn sum(&self, pieces: &Pieces, weights: &[u8]) -> Vector {
        let mut all = vec![0.0; self.size];
        for piece in &pieces.0 {
            let at = *piece as usize;
            let weight = weights[4 * at..4 * at + 4].try_into().map_or(0.0, f32::from_le_bytes);
            let row = &self.rows[at * self.size..(at + 1) * self.size];
            all.iter_mut().zip(row).for_each(|(own, number)| *own += f32::from(*number as i8) * weight);
        }
        Vector(all).into_unit()
    }
}

#[cfg(all(test, feature = "table"))]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_table_is_the_one_that_the_model_card_describes() {
        let hash: String = Sha256::digest(BYTES).iter().map(|byte| format!("{byte:02x}")).collect();
        let card = include_str!("../../../models/README.md");
        assert!(card.contains(&hash), "{hash}");
    }

    #[test]
    fn words_lead_to_code_that_does_not_have_them() {
        let table = table().expect("the table is part of this build");
        let near = |question: &str, name: &str, body: &str| {
            table.question(question).near(&table.code(name, &["src/x.py", name], [body].into_iter()))
        };
        for (question, right, wrong) in [
            ("remove old entries", "evict", "render"),
            ("the user cannot log in", "authenticate", "resize"),
            ("download a file", "fetch", "sort"),
            ("wait until all threads are done", "join", "parse"),
        ] {
            assert!(near(question, right, right) > near(question, wrong, wrong), "{question}");
        }
    }

    #[test]
    fn what_has_no_words_is_near_nothing() {
        let table = table().expect("the table is part of this build");
        let nothing = table.question("?!");
        assert_eq!(nothing.near(&table.code("parse", &[], std::iter::empty())), 0.0);
    }
}
