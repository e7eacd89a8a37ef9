//! What was perhaps meant: names and files close to one that is not there.

use crate::{Reader, Result};

const MOST: usize = 5;

/// The terms of the dictionary closest to a text that is none: other separators, typing errors, longer names.
pub(crate) fn terms(reader: &Reader, text: &str) -> Result<Vec<String>> {
    let wanted = Wanted::new(text);
    if wanted.letters.len() < 2 {
        return Ok(Vec::new());
    }
    let near = |term: &str| Some((wanted.distance(term).filter(|_| term != text)?, term.to_owned()));
    Ok(best(reader.store.search_texts(|_, term| near(term))?))
}

/// Indexed files whose path or name is close.
pub(crate) fn files(reader: &Reader, path: &str) -> Result<Vec<String>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let wanted = Wanted::new(name);
    let stamps = reader.store.stamps()?;
    let found = stamps.into_iter().filter_map(|stamp| {
        let own = stamp.path.rsplit('/').next().unwrap_or(&stamp.path);
        let distance = if own == name { Some(0) } else { wanted.distance(own) };
        distance.map(|distance| (distance, stamp.path))
    });
    Ok(best(found.collect()))
}

/// The closest of a closed list of words.
pub(crate) fn words<'a>(text: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = Wanted::new(text);
    best(all.filter_map(|word| wanted.distance(word).map(|d| (d, word.to_owned()))).collect())
}

fn best(mut found: Vec<(usize, String)>) -> Vec<String> {
    found.sort();
    found.dedup();
    found.into_iter().take(MOST).map(|(_, text)| text).collect()
}

/// A text prepared for comparing it with many others.
struct Wanted {
    letters: Vec<u8>,
    /// A bit for each letter.
    has: u64,
    most: usize,
}

impl Wanted {
    fn new(text: &str) -> Wanted {
        let (length, has) = letters(text);
        let most = match length {
            0..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        Wanted { letters: folded(text).collect(), has, most }
    }

    /// How far another text is, or nothing if it is too far. Case, `_` and `-` do not count.
    fn distance(&self, other: &str) -> Option<usize> {
        let own = self.letters.len();
        if other.len() + self.most < own {
            return None;
        }
        let begins = || own >= 4 && folded(other).take(own).eq(self.letters.iter().copied());
        let (length, has) = letters(other);
        if length > own + self.most {
            return begins().then_some(self.most + 1);
        }
        // Every letter that is missing is a step. Most texts are out by that.
        if (self.has & !has).count_ones() as usize > self.most {
            return None;
        }
        if length > own && begins() {
            return Some(self.most + 1);
        }
        bounded_distance(&self.letters, &folded(other).collect::<Vec<u8>>(), self.most)
    }
}

/// A text as it is compared.
fn folded(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(|byte| BITS[*byte as usize] != 0).map(|byte| byte.to_ascii_lowercase())
}

/// How many letters of a text are compared, and a bit for each; some letters share one.
fn letters(text: &str) -> (usize, u64) {
    text.bytes()
        .map(|byte| BITS[byte as usize])
        .fold((0, 0), |(length, has), bit| (length + usize::from(bit != 0), has | bit))
}

static BITS: [u64; 256] = {
    let mut bits = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        bits[byte] = match byte as u8 {
            b'_' | b'-' => 0,
            letter if letter.is_ascii_alphabetic() => 1 << (letter.to_ascii_lowercase() - b'a'),
            other => 1 << (26 + other % 38),
        };
        byte += 1;
    }
    bits
};

/// Edit distance with neighbouring swaps as one step, if it is at most `most`.
fn bounded_distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().min().is_none_or(|least| *least > most) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_separators_and_prefixes_are_near() {
        let near = |a: &str, b: &str| Wanted::new(a).distance(b);
        assert_eq!(near("playerHealth", "player_health"), Some(0));
        assert_eq!(near("recieve", "receive"), Some(1));
        assert_eq!(near("Play", "PlayerManager"), Some(2));
        assert_eq!(near("safe", "name"), None);
        assert_eq!(near("foo", "quux"), None);
        assert_eq!(near("validate", "invalid"), None);
    }
}
