//! A map in parts, for callers that keep parts of it: broken between files, the legend in the first.

use serde::Serialize;

use crate::source::hex;

/// How a map is split.
#[derive(Clone, Copy, Debug)]
pub(super) enum Split {
    /// Into so many parts of about the same size.
    Count(usize),
    /// Where a part would have more tokens.
    Tokens(usize),
}

/// A part of a map. The parts one after the other are the map.
#[derive(Clone, Debug, Serialize)]
pub struct MapChunk {
    /// From 1.
    pub number: usize,
    pub files: Vec<String>,
    pub tokens: usize,
    /// Stays the same while the text does, so that a cached part can be recognised.
    pub hash: String,
    pub content: String,
}

/// A block of the map with its file, ready to be put into a part.
pub(super) struct Piece {
    pub(super) file: Option<String>,
    pub(super) text: String,
}

pub(super) fn chunks(pieces: Vec<Piece>, split: Split) -> Vec<MapChunk> {
    let sizes: Vec<usize> = pieces.iter().map(|piece| codegraph_tokens::count(&piece.text)).collect();
    let ends = match split {
        Split::Count(count) => by_count(&pieces, &sizes, count),
        Split::Tokens(most) => by_tokens(&pieces, &sizes, most),
    };
    let mut chunks = Vec::with_capacity(ends.len());
    let mut pieces = pieces.into_iter();
    let mut start = 0;
    for (number, end) in ends.into_iter().enumerate() {
        let part: Vec<Piece> = pieces.by_ref().take(end - start).collect();
        start = end;
        let content: String = part.iter().map(|piece| piece.text.as_str()).collect();
        chunks.push(MapChunk {
            number: number + 1,
            files: part.into_iter().filter_map(|piece| piece.file).collect(),
            tokens: codegraph_tokens::count(&content),
            hash: hex(&blake3::hash(content.as_bytes()).as_bytes()[..8]),
            content,
        });
    }
    chunks
}

/// Ends of parts: a part begins with a file, apart from the first, which begins with the legend.
fn by_count(pieces: &[Piece], sizes: &[usize], count: usize) -> Vec<usize> {
    let files = pieces.iter().filter(|piece| piece.file.is_some()).count();
    let count = count.clamp(1, files.max(1));
    let total: usize = sizes.iter().sum();
    let (mut ends, mut sum, mut left) = (Vec::new(), 0, files);
    for (place, piece) in pieces.iter().enumerate() {
        let missing = count - ends.len();
        let full = sum * count >= total * (ends.len() + 1);
        let began = place > ends.last().map_or(usize::from(pieces[0].file.is_none()), |end| *end);
        if piece.file.is_some() && missing > 1 && began && (full || left < missing) {
            ends.push(place);
        }
        left -= usize::from(piece.file.is_some());
        sum += sizes[place];
    }
    ends.push(pieces.len());
    ends
}

fn by_tokens(pieces: &[Piece], sizes: &[usize], most: usize) -> Vec<usize> {
    let (mut ends, mut sum, mut files) = (Vec::new(), 0, 0);
    for (place, piece) in pieces.iter().enumerate() {
        if piece.file.is_some() && files > 0 && sum + sizes[place] > most {
            ends.push(place);
            (sum, files) = (0, 0);
        }
        sum += sizes[place];
        files += usize::from(piece.file.is_some());
    }
    ends.push(pieces.len());
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(files: usize) -> Vec<Piece> {
        let legend = Piece { file: None, text: "# legend\n\n".into() };
        let file = |n: usize| Piece { file: Some(format!("{n}.py")), text: format!("{n}.py:\nf a():1\nf b():2\n\n") };
        std::iter::once(legend).chain((0..files).map(file)).collect()
    }

    #[test]
    fn the_number_of_parts_is_what_was_asked_for() {
        for count in 1..=7 {
            let parts = chunks(pieces(7), Split::Count(count));
            assert_eq!(parts.len(), count);
            assert!(parts.iter().all(|part| !part.files.is_empty()), "{parts:?}");
            let whole: String = pieces(7).iter().map(|piece| piece.text.as_str()).collect();
            assert_eq!(parts.iter().map(|part| part.content.as_str()).collect::<String>(), whole);
        }
        assert_eq!(chunks(pieces(2), Split::Count(5)).len(), 2);
        assert_eq!(chunks(pieces(0), Split::Count(5)).len(), 1);
    }

    #[test]
    fn parts_stay_below_a_threshold_unless_one_file_exceeds_it() {
        let parts = chunks(pieces(6), Split::Tokens(60));
        assert!(parts.len() > 1 && parts.iter().all(|part| part.tokens <= 60), "{parts:?}");
        assert_eq!(chunks(pieces(3), Split::Tokens(1)).len(), 3);
    }
}
