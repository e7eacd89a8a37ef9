//! Line ids: the identity of a line that survives edits elsewhere in the file.

use crate::Stored;

/// A range of lines that an edit replaced, 1-based and inclusive, in the numbering before the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    pub first: u32,
    pub last: u32,
}

/// The id of each line of a file. At first the id is the line number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIds {
    /// Runs of consecutive ids: (first id, length); empty when every id is the line number.
    pub(crate) runs: Vec<(u32, u32)>,
}

impl LineIds {
    /// The ids for a new text of a file: lines that are the same as before keep theirs, others get fresh ones.
    /// `edited` is what an editor said has changed; without it, lines are compared by their lengths from both ends.
    pub fn carry(old: &Stored, new_line_starts: &[u32], new_length: u32, edited: Option<LineRange>) -> LineIds {
        let old_count = old.facts.line_starts.len() as u32;
        let new_count = new_line_starts.len() as u32;
        let shorter = old_count.min(new_count);
        let (head, tail) = match edited {
            Some(range) => {
                let head = range.first.saturating_sub(1).min(shorter);
                (head, old_count.saturating_sub(range.last).min(shorter - head))
            }
            None => {
                let before = lengths(&old.facts.line_starts, old.facts.length);
                same_ends(before, lengths(new_line_starts, new_length), shorter)
            }
        };
        let mut ids = Runs::default();
        old.line_ids.copy(0, head, &mut ids);
        ids.push(old.line_ids.greatest(old_count) + 1, new_count - head - tail);
        old.line_ids.copy(old_count - tail, tail, &mut ids);
        ids.finish()
    }

    /// The id of a 1-based line.
    pub fn id(&self, line: u32) -> u32 {
        let mut left = line;
        for (first, length) in &self.runs {
            if left <= *length {
                return first + left - 1;
            }
            left -= length;
        }
        line
    }

    /// The line of an id, if it is there. `count` is the number of lines.
    pub fn line(&self, id: u32, count: u32) -> Option<u32> {
        if self.runs.is_empty() {
            return (1..=count).contains(&id).then_some(id);
        }
        let mut before = 0;
        for (first, length) in &self.runs {
            if (*first..first + length).contains(&id) {
                return Some(before + id - first + 1);
            }
            before += length;
        }
        None
    }

    /// How many ids two versions of a file have in common.
    pub(crate) fn common(&self, count: u32, other: &LineIds, other_count: u32) -> u32 {
        let ours = self.intervals(count);
        let theirs = other.intervals(other_count);
        let (mut shared, mut i, mut j) = (0, 0, 0);
        while let (Some(a), Some(b)) = (ours.get(i), theirs.get(j)) {
            shared += a.1.min(b.1).saturating_sub(a.0.max(b.0));
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        shared
    }

    fn intervals(&self, count: u32) -> Vec<(u32, u32)> {
        if self.runs.is_empty() {
            return vec![(1, count + 1)];
        }
        let mut intervals: Vec<_> = self.runs.iter().map(|(first, length)| (*first, first + length)).collect();
        intervals.sort_unstable();
        intervals
    }

    fn greatest(&self, count: u32) -> u32 {
        self.runs.iter().map(|(first, length)| first + length - 1).max().unwrap_or(count)
    }

    /// Copies the ids of `count` lines after the first `skip`.
    fn copy(&self, mut skip: u32, mut count: u32, into: &mut Runs) {
        if self.runs.is_empty() {
            return into.push(skip + 1, count);
        }
        for (first, length) in &self.runs {
            let skipped = skip.min(*length);
            let taken = count.min(length - skipped);
            into.push(first + skipped, taken);
            skip -= skipped;
            count -= taken;
        }
    }
}

#[derive(Default)]
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn push(&mut self, first: u32, length: u32) {
        if length == 0 {
            return;
        }
        match self.0.last_mut() {
            Some((last, so_far)) if *last + *so_far == first => *so_far += length,
            _ => self.0.push((first, length)),
        }
    }

    fn finish(self) -> LineIds {
        match self.0.as_slice() {
            [(1, _)] => LineIds::default(),
            _ => LineIds { runs: self.0 },
        }
    }
}

fn lengths(starts: &[u32], length: u32) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone + '_ {
    (0..starts.len()).map(move |i| starts.get(i + 1).copied().unwrap_or(length).wrapping_sub(starts[i]))
}

/// How many items are equal at the beginning and, of the rest, at the end.
fn same_ends(
    old: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone,
    new: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone,
    shorter: u32,
) -> (u32, u32) {
    let head = old.clone().zip(new.clone()).take_while(|(a, b)| a == b).count() as u32;
    let tail = old.rev().zip(new.rev()).take_while(|(a, b)| a == b).count() as u32;
    (head, tail.min(shorter - head))
}

#[cfg(test)]
mod tests {
    use codegraph_model::FileFacts;

    use super::*;

    fn stored(lines: u32, ids: LineIds) -> Stored {
        let facts =
            FileFacts { line_starts: (0..lines).map(|i| i * (i + 1)).collect(), length: 10_000, ..Default::default() };
        Stored { facts, line_ids: ids, ..Default::default() }
    }

    fn ids(ids: &LineIds, count: u32) -> Vec<u32> {
        (1..=count).map(|line| ids.id(line)).collect()
    }

    #[test]
    fn ids_around_an_edited_range_stay() {
        let old = stored(6, LineIds::default());
        let new_starts: Vec<u32> = (0..8).collect();
        let new = LineIds::carry(&old, &new_starts, 8, Some(LineRange { first: 3, last: 4 }));
        assert_eq!(ids(&new, 8), [1, 2, 7, 8, 9, 10, 5, 6]);
        assert_eq!(new.line(5, 8), Some(7));
        assert_eq!(new.line(3, 8), None);
        assert_eq!(new.common(8, &LineIds::default(), 6), 4);
    }

    #[test]
    fn unchanged_text_keeps_plain_numbers() {
        let old = stored(6, LineIds::default());
        let new = LineIds::carry(&old, &old.facts.line_starts, 10_000, None);
        assert_eq!(new, LineIds::default());
        assert_eq!(new.line(7, 6), None);
    }

    #[test]
    fn a_second_edit_builds_on_the_first() {
        let old = stored(6, LineIds { runs: vec![(1, 2), (7, 2), (5, 2)] });
        let mut starts = old.facts.line_starts.clone();
        starts.remove(3);
        let new = LineIds::carry(&old, &starts, 10_000, Some(LineRange { first: 4, last: 4 }));
        assert_eq!(ids(&new, 5), [1, 2, 7, 5, 6]);
    }

    #[test]
    fn a_range_beyond_the_file_is_harmless() {
        let old = stored(3, LineIds::default());
        let new = LineIds::carry(&old, &[0, 1], 5, Some(LineRange { first: 9, last: 2 }));
        assert_eq!(ids(&new, 2), [1, 2]);
    }
}
