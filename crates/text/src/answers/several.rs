//! Answers to one question about several things, one after the other.

use std::io;

use codegraph_query::Several;

use crate::{Answer, Out};

impl<A: Answer> Answer for Several<A> {
    fn found(&self) -> bool {
        self.0.iter().any(Answer::found)
    }

    fn partial(&self) -> bool {
        self.0.iter().any(Answer::partial)
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for (place, answer) in self.0.iter().enumerate() {
            if place > 0 {
                out.line("")?;
            }
            answer.print(out)?;
        }
        Ok(())
    }
}
