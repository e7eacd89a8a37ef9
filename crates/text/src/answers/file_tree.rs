//! The answer of `codegraph file-tree`: a heading, then one path per line.

use std::io;

use codegraph_index::FileTree;

use crate::human::{count, printable};
use crate::{Answer, Out};

impl Answer for FileTree {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.line(&format!("# File Tree ({})", count(self.total as u64, "file")))?;
        out.line("")?;
        self.files.iter().try_for_each(|file| out.line(&printable(file)))
    }
}
