//! The whole index as SCIP, written document by document so that memory does not grow with the project.

use std::io::Write;
use std::path::Path;

use codegraph_live::on_deep_stack;
use codegraph_query::Reader;
use prost::Message;
use serde::Serialize;

use crate::Result;
use crate::document::Documents;
use crate::types::{Document, Index, Metadata, SymbolInformation, TextEncoding, ToolInfo};

/// What an export contains.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is known about symbols besides where they stand.
    pub symbols: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { symbols: true }
    }
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExportReport {
    pub documents: u64,
    pub symbols: u64,
    pub occurrences: u64,
    pub external_symbols: u64,
}

/// Writes the index of a project, ordered by path. The same index gives the same bytes.
pub fn export(
    reader: &mut Reader,
    version: &str,
    options: Options,
    out: &mut (dyn Write + Send),
) -> Result<ExportReport> {
    on_deep_stack(move || export_here(reader, version, options, out))
}

fn export_here(reader: &Reader, version: &str, options: Options, out: &mut dyn Write) -> Result<ExportReport> {
    let head = Index { metadata: Some(metadata(reader.root(), version)), ..Default::default() };
    out.write_all(&head.encode_to_vec())?;
    let mut report = ExportReport::default();
    let external_symbols = each_document(reader, options, &mut |document| {
        report.documents += 1;
        report.symbols += document.symbols.len() as u64;
        report.occurrences += document.occurrences.len() as u64;
        // Messages that stand one after the other are one message.
        let part = Index { documents: vec![document], ..Default::default() };
        Ok(out.write_all(&part.encode_to_vec())?)
    })?;
    report.external_symbols = external_symbols.len() as u64;
    let tail = Index { external_symbols, ..Default::default() };
    out.write_all(&tail.encode_to_vec())?;
    out.flush()?;
    Ok(report)
}

/// Gives every document in path order, and at the end what lies outside. Needs a deep stack.
pub(crate) fn each_document(
    reader: &Reader,
    options: Options,
    take: &mut dyn FnMut(Document) -> Result<()>,
) -> Result<Vec<SymbolInformation>> {
    let mut documents = Documents::new(reader, options);
    for record in reader.store().files()? {
        take(documents.make(&record)?)?;
    }
    let met = std::mem::take(&mut documents.met);
    Ok(met.iter().map(|(symbol, name)| external_information(symbol, name)).collect())
}

fn external_information(symbol: &str, name: &str) -> SymbolInformation {
    SymbolInformation { symbol: symbol.to_owned(), display_name: name.to_owned(), ..Default::default() }
}

fn metadata(root: &Path, version: &str) -> Metadata {
    let tool = ToolInfo { name: "codegraph".to_owned(), version: version.to_owned(), ..Default::default() };
    Metadata { tool_info: Some(tool), project_root: uri(root), text_document_encoding: TextEncoding::Utf8.into() }
}

/// A path as a `file:` address.
pub(crate) fn uri(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let path = path.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    path.bytes().fold(format!("file://{slash}"), |mut text, byte| {
        match plain(byte) {
            true => text.push(byte.into()),
            false => text.push_str(&format!("%{byte:02X}")),
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn roots_are_addresses() {
        assert_eq!(uri("/home/a b/ä".as_ref()), "file:///home/a%20b/%C3%A4");
    }
}
