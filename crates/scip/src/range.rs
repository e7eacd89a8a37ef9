//! Ranges of SCIP: zero-based lines and columns, three or four numbers.

use codegraph_model::{FileFacts, Span};

use crate::types::{Occurrence, TypedEnclosingRange, TypedRange};

/// A zero-based line and column.
pub(crate) type Point = (u32, u32);

/// A half-open range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Range {
    pub(crate) start: Point,
    pub(crate) end: Point,
}

impl Range {
    /// The range of a span, in bytes from the start of the line.
    pub(crate) fn of(facts: &FileFacts, span: Span) -> Range {
        let point = |offset: u32| {
            let (line, column) = facts.position(offset);
            (line - 1, column)
        };
        Range { start: point(span.start), end: point(span.end.max(span.start)) }
    }

    pub(crate) fn numbers(self) -> Vec<i32> {
        let (start, end) = (self.start, self.end);
        let all = [start.0, start.1, end.0, end.1].map(|number| number as i32);
        if start.0 == end.0 { vec![all[0], all[1], all[3]] } else { all.to_vec() }
    }

    fn from_numbers(numbers: &[i32]) -> Option<Range> {
        let number = |at: usize| u32::try_from(numbers[at]).ok();
        match numbers.len() {
            3 => Some(Range { start: (number(0)?, number(1)?), end: (number(0)?, number(2)?) }),
            4 => Some(Range { start: (number(0)?, number(1)?), end: (number(2)?, number(3)?) }),
            _ => None,
        }
    }

    /// Where an occurrence stands, in whichever form it says so.
    pub(crate) fn of_occurrence(occurrence: &Occurrence) -> Option<Range> {
        match &occurrence.typed_range {
            Some(TypedRange::Single(r)) => Range::from_numbers(&[r.line, r.start_character, r.end_character]),
            Some(TypedRange::Multi(r)) => {
                Range::from_numbers(&[r.start_line, r.start_character, r.end_line, r.end_character])
            }
            _ => Range::from_numbers(&occurrence.range),
        }
    }

    /// The definition around an occurrence.
    pub(crate) fn around(occurrence: &Occurrence) -> Option<Range> {
        match &occurrence.typed_enclosing_range {
            Some(TypedEnclosingRange::Single(r)) => Range::from_numbers(&[r.line, r.start_character, r.end_character]),
            Some(TypedEnclosingRange::Multi(r)) => {
                Range::from_numbers(&[r.start_line, r.start_character, r.end_line, r.end_character])
            }
            _ => Range::from_numbers(&occurrence.enclosing_range),
        }
    }
}
