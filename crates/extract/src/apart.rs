//! Text that is parsed apart from what is around it, so that nothing is parsed twice.

use codegraph_model::Span;

use crate::compile::Table;

/// What the parser reads of a stretch that is read apart.
static BLANK: [u8; 1024] = [b' '; 1024];

/// The stretches of a file that are read apart, and how many have been.
#[derive(Default)]
pub(crate) struct Apart {
    /// By their starts; outer ones before inner ones.
    spans: Vec<Span>,
    read: usize,
}

impl Apart {
    pub(crate) fn of(table: &Table, source: &[u8]) -> Apart {
        Apart { spans: table.language.apart.map_or_else(Vec::new, |find| find(source)), read: 0 }
    }

    pub(crate) fn has(&self, span: Span) -> bool {
        self.spans.binary_search_by_key(&span.start, |one| one.start).is_ok_and(|place| self.spans[place] == span)
    }

    /// A stretch has been read as code: those inside of it are still to be read.
    pub(crate) fn took(&mut self, span: Span) {
        self.read += usize::from(self.has(span));
    }

    /// A stretch has been read, and those inside of it.
    pub(crate) fn took_whole(&mut self, span: Span) {
        self.read += self.from(span.start).iter().take_while(|one| one.start < span.end).count();
    }

    pub(crate) fn all_read(&self) -> bool {
        self.read == self.spans.len()
    }

    /// What is not to be parsed of a text between two offsets, which are not the start of a stretch themselves.
    pub(crate) fn holes(&self, start: u32, end: u32) -> Holes {
        let mut holes: Vec<Span> = Vec::new();
        for span in self.from(start).iter().take_while(|span| span.start < end) {
            if holes.last().is_none_or(|outer| span.start >= outer.end) {
                holes.push(*span);
            }
        }
        Holes(holes)
    }

    fn from(&self, start: u32) -> &[Span] {
        &self.spans[self.spans.partition_point(|span| span.start < start)..]
    }
}

/// Stretches that the parser takes for brackets with nothing in them.
#[derive(Default)]
pub(crate) struct Holes(Vec<Span>);

impl Holes {
    /// What to parse from an offset on: all up to the next change.
    pub(crate) fn read<'s>(&self, source: &'s [u8], offset: usize) -> &'s [u8] {
        let next = self.0.partition_point(|hole| hole.end as usize <= offset + 1);
        let Some(hole) = self.0.get(next) else { return source.get(offset..).unwrap_or_default() };
        let (start, end) = (hole.start as usize + 1, hole.end as usize - 1);
        if offset < start { &source[offset..start] } else { &BLANK[..BLANK.len().min(end - offset)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_blank_and_the_rest_is_as_it_is() {
        let source = b"f!(a, g!(b)); h!(c)";
        let apart = Apart { spans: vec![Span::new(2, 12), Span::new(8, 11), Span::new(16, 19)], read: 0 };
        let read = |holes: Holes, from: usize, end: usize| {
            let mut text = Vec::new();
            while from + text.len() < end {
                text.extend_from_slice(holes.read(&source[..end], from + text.len()));
            }
            String::from_utf8(text).expect("it is ASCII")
        };
        assert_eq!(read(apart.holes(0, 19), 0, 19), "f!(        ); h!( )");
        assert_eq!(read(apart.holes(3, 12), 2, 12), "(a, g!( ))");
        assert_eq!(read(Holes::default(), 0, 19).as_bytes(), source);
    }
}
