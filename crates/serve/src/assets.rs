//! The files of the page, as `page/` gives them: part of the binary, packed when they are first asked for.

use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;

/// A file of the page.
pub(crate) struct Asset {
    /// Without the slash.
    name: &'static str,
    pub(crate) kind: &'static str,
    plain: &'static [u8],
    packed: OnceLock<(String, Bytes)>,
}

macro_rules! assets {
    ($count:literal: $($name:literal $kind:literal,)*) => {
        static ASSETS: [Asset; $count] = [$(Asset {
            name: $name,
            kind: $kind,
            plain: include_bytes!(concat!("../dist/", $name)),
            packed: OnceLock::new(),
        },)*];
    };
}

assets! { 5:
    "index.html" "text/html; charset=utf-8",
    "app.js" "text/javascript; charset=utf-8",
    "graph.js" "text/javascript; charset=utf-8",
    "app.css" "text/css; charset=utf-8",
    "icon.svg" "image/svg+xml",
}

impl Asset {
    /// The file at a path. Every path that is none is the page: its views are paths of their own.
    pub(crate) fn at(path: &str) -> Option<&'static Asset> {
        let name = path.strip_prefix('/')?;
        let found = ASSETS.iter().find(|asset| asset.name == name);
        found.or_else(|| (!name.contains('.') || name.contains('/')).then(|| &ASSETS[0]))
    }

    /// A mark that changes with the content, and the file packed.
    pub(crate) fn packed(&self) -> &(String, Bytes) {
        self.packed.get_or_init(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            let packed = encoder.write_all(self.plain).and_then(|()| encoder.finish());
            let packed = packed.expect("writing to memory cannot fail");
            (format!("\"{:016x}\"", mark(self.plain)), packed.into())
        })
    }
}

/// FNV-1a: tells versions of a file apart, and nothing else depends on it.
fn mark(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |mark, byte| (mark ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
