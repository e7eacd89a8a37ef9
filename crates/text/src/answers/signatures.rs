//! The answer of `codegraph signatures`: the outlines of several files.

use std::io;

use codegraph_query::SignaturesAnswer;

use super::signature::outline;
use crate::human::{more, remarks};
use crate::{Answer, Out};

impl Answer for SignaturesAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for (number, signature) in self.signatures.iter().enumerate() {
            if number > 0 {
                out.line("")?;
            }
            outline(out, signature)?;
        }
        if self.total == 0 {
            out.line("no such file in the index")?;
        }
        more(out, self.signatures.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
