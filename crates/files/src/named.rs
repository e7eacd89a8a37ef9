//! Files that the user named on the command line: whatever they are, they are meant.

use std::path::Path;

/// The content of a file that the user named; a pipe is read to its end.
pub fn read_named(path: &Path) -> std::io::Result<Vec<u8>> {
    std::fs::read(path)
}
