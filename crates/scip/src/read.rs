//! Reading a SCIP index, packed with gzip or not.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use protobuf::Message;
use scip::types::Index;

use crate::{Error, Result};

/// An index that another tool made.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    pub index: Index,
}

impl Truth {
    pub fn tool(&self) -> &str {
        &self.index.metadata.tool_info.name
    }

    pub fn version(&self) -> &str {
        &self.index.metadata.tool_info.version
    }
}

/// Reads an index from a file.
pub fn read(path: &Path) -> Result<Truth> {
    let bytes = codegraph_files::read_named(path)
        .map_err(|e| Error::Unreadable { path: path.to_owned(), reason: e.to_string() })?;
    let not_scip = |reason: String| Error::NotScip { path: path.to_owned(), reason };
    let bytes = match bytes.starts_with(&[0x1f, 0x8b]) {
        true => {
            let mut plain = Vec::new();
            MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).map_err(|e| not_scip(e.to_string()))?;
            plain
        }
        false => bytes,
    };
    let index = parse(&bytes).map_err(|error| not_scip(error.to_string()))?;
    if index.metadata.is_none() && index.documents.is_empty() {
        return Err(not_scip("it has neither metadata nor documents".to_owned()));
    }
    Ok(Truth { index })
}

/// Reads an index from bytes.
pub fn parse(bytes: &[u8]) -> Result<Index> {
    Ok(Index::parse_from_bytes(bytes)?)
}

/// Writes an index as bytes.
pub fn encode(index: &Index) -> Result<Vec<u8>> {
    Ok(index.write_to_bytes()?)
}
