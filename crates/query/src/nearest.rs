//! What was perhaps meant: names and files close to one that is not there.

use crate::{Reader, Result};

const MOST: usize = 5;

/// The terms of the dictionary closest to a text that is none: other separators, typing errors, longer names.
pub(crate) fn terms(reader: &Reader, text: &str) -> Result<Vec<String>> {
    let wanted = Wanted::new(text);
    if wanted.letters.len() < 2 {
        return Ok(Vec::new());
    }
    let mut found: Vec<(usize, String)> = Vec::new();
    reader.store.terms_matching(|term| {
        if term != text
            && let Some(distance) = wanted.distance(term)
        {
            found.push((distance, term.to_owned()));
        }
        false
    })?;
    Ok(best(found))
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
    most: usize,
}

impl Wanted {
    fn new(text: &str) -> Wanted {
        let letters = folded(text);
        let most = match letters.len() {
            0..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        Wanted { letters, most }
    }

    /// How far another text is, or nothing if it is too far. Case, `_` and `-` do not count.
    fn distance(&self, other: &str) -> Option<usize> {
        let longer = other.len() > self.letters.len() + self.most;
        let prefix_counts = self.letters.len() >= 4;
        if other.len() + self.most < self.letters.len() || (longer && !prefix_counts && !other.contains(['_', '-'])) {
            return None;
        }
        let other = folded(other);
        if prefix_counts && other.starts_with(&self.letters) && other.len() > self.letters.len() {
            return Some(self.most + 1);
        }
        bounded_distance(&self.letters, &other, self.most)
    }
}

fn folded(text: &str) -> Vec<u8> {
    text.bytes().filter(|b| *b != b'_' && *b != b'-').map(|b| b.to_ascii_lowercase()).collect()
}

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
