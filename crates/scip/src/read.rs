//! Reading a SCIP index, packed with gzip or not.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use prost::Message;

use crate::types::{Index, ToolInfo};
use crate::{Error, Result};

/// An index that another tool made.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    pub index: Index,
}

impl Truth {
    pub fn tool(&self) -> &str {
        self.info().map_or("", |info| &info.name)
    }

    pub fn version(&self) -> &str {
        self.info().map_or("", |info| &info.version)
    }

    fn info(&self) -> Option<&ToolInfo> {
        self.index.metadata.as_ref()?.tool_info.as_ref()
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
    Ok(Index::decode(bytes)?)
}

/// Writes an index as bytes.
pub fn encode(index: &Index) -> Vec<u8> {
    index.encode_to_vec()
}
