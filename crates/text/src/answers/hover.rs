//! The answer of `codegraph hover`: what something is.

use std::io;

use codegraph_query::HoverAnswer;

use crate::human::{printable, remarks, unselected};
use crate::{Answer, Out};

impl Answer for HoverAnswer {
    fn found(&self) -> bool {
        matches!(self, HoverAnswer::Found(hover) if !hover.contents.is_empty())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let hover = match self {
            HoverAnswer::Found(hover) => hover,
            HoverAnswer::Unselected(answer) => return unselected(out, answer),
        };
        for line in hover.contents.lines() {
            out.line(&printable(line))?;
        }
        remarks(out, &hover.remarks)
    }
}
