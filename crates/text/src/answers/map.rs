//! The answer of `codegraph map`: the map itself, and nothing around it.

use std::io;

use codegraph_query::{MapAnswer, MapForm};

use crate::human::{count, remarks};
use crate::{Answer, Out};

impl Answer for MapAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.left_out > 0 || self.files.iter().any(|file| file.form != MapForm::Whole)
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        if self.total == 0 {
            out.line("nothing to map")?;
            return remarks(out, &self.remarks);
        }
        for chunk in &self.chunks {
            let (files, tokens) = (count(chunk.files.len() as u64, "file"), count(chunk.tokens as u64, "token"));
            out.line(&format!("# chunk {}/{}: {files}, {tokens}", chunk.number, self.chunks.len()))?;
            out.writer.write_all(chunk.content.as_bytes())?;
        }
        out.writer.write_all(self.text.as_bytes())?;
        remarks(out, &self.remarks)
    }
}
