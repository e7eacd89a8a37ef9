//! What editors have not saved yet. The last overlay is kept with its connection: an editor asks many questions about one
//! state of its texts. While it is kept nobody else can write, so whoever serves lets it go when it is quiet.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codegraph_index::{Base, Project, is_source, overlaid, overlaid_again};
use codegraph_model::Overlay;
use codegraph_query::{Cancel, Reader};
use sha2::{Digest, Sha256};

use crate::served::identity;

/// The overlay of the last question that had one.
#[derive(Default)]
pub(crate) struct Unsaved {
    kept: Option<KeptOverlay>,
    /// Texts that were hashed, so that none is hashed for every question.
    hashes: BTreeMap<String, (Arc<[u8]>, [u8; 32])>,
}

struct KeptOverlay {
    overlay: Arc<Overlay>,
    reader: Reader,
    base: Base,
    file: Option<(u64, u64)>,
    used: Instant,
}

impl Unsaved {
    /// Those texts that are not what was indexed; files that are never indexed do not count.
    pub(crate) fn differing(&mut self, reader: &Reader, overlay: &Overlay) -> codegraph_query::Result<Overlay> {
        let mut differing = Overlay::default();
        self.hashes.retain(|path, _| overlay.get(path).is_some());
        for path in overlay.paths() {
            let text = overlay.get(path).expect("one of its paths");
            let known = reader.record_of_open(path)?;
            let same = match &known {
                Some(record) => record.size == text.len() as u64 && record.hash == self.hash(path, text),
                None => !is_source(path),
            };
            if !same {
                differing.put(path, Arc::clone(text));
            }
        }
        Ok(differing)
    }

    fn hash(&mut self, path: &str, text: &Arc<[u8]>) -> [u8; 32] {
        if let Some((known, hash)) = self.hashes.get(path)
            && Arc::ptr_eq(known, text)
        {
            return *hash;
        }
        let hash = Sha256::digest(text).into();
        self.hashes.insert(path.to_owned(), (Arc::clone(text), hash));
        hash
    }

    /// A reader that sees an overlay: the one that is kept, or a new one.
    pub(crate) fn reader(&mut self, project: &Project, overlay: Overlay) -> codegraph_index::Result<&mut Reader> {
        let file = identity(&project.index_path());
        let fits = |kept: &KeptOverlay| kept.file == file && *kept.overlay == overlay;
        if !self.kept.as_ref().is_some_and(fits) {
            // Nobody wrote since: only what differs has to be read. Otherwise the old one goes first: only one can be open.
            let (store, base) = match self.kept.take().filter(|kept| kept.file == file) {
                Some(KeptOverlay { overlay: old, reader, base, .. }) => {
                    (overlaid_again(project, reader.into_store(), &base, &old, &overlay)?, base)
                }
                None => overlaid(project, &overlay)?,
            };
            let overlay = Arc::new(overlay);
            let reader = Reader::new(project.root(), store).with_overlay(Arc::clone(&overlay));
            self.kept = Some(KeptOverlay { overlay, reader, base, file, used: Instant::now() });
        }
        let kept = self.kept.as_mut().expect("just made");
        kept.used = Instant::now();
        Ok(&mut kept.reader)
    }

    /// The reader that a question was given.
    pub(crate) fn current(&self) -> &Reader {
        &self.kept.as_ref().expect("made before it is asked").reader
    }

    pub(crate) fn current_mut(&mut self) -> &mut Reader {
        &mut self.kept.as_mut().expect("made before it is asked").reader
    }

    /// A question is answered.
    pub(crate) fn answered(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.reader.set_linked(Vec::new(), Vec::new());
            kept.reader.set_cancel(Cancel::default());
            kept.reader.rest();
            kept.used = Instant::now();
        }
    }

    /// Lets others write.
    pub(crate) fn let_go(&mut self) {
        self.kept = None;
    }

    /// The same, if nobody has asked for so long.
    pub(crate) fn rest(&mut self, idle: Duration) {
        if self.kept.as_ref().is_some_and(|kept| kept.used.elapsed() >= idle) {
            self.kept = None;
        }
    }
}

/// A path below a root as an overlay names it.
pub fn below(root: &Path, path: &Path) -> Option<String> {
    let inner = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = inner.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/")).filter(|path| !path.is_empty())
}
