//! The answer of `codegraph describe`: what only people know, in a section of the summary.

use std::io;

use codegraph_knowledge::DescribeAnswer;

use crate::human::printable;
use crate::{Answer, Out};

impl Answer for DescribeAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let what = if self.changed { "kept in" } else { "said already in" };
        out.line(&format!("{what} '{}' of {}", printable(&self.heading), self.path))
    }
}
