//! How long work tells what it is doing. Terminals, servers and tests each bring their own listener.

/// A stage of a build or an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Walking the tree; the total is not known.
    Discover,
    /// Reading and extracting files.
    Extract,
    /// Finding out what references mean.
    Link,
    /// Writing dictionary, postings and indexes.
    Finish,
    /// Comparing the index with the tree.
    Verify,
}

/// A listener to long work. Calls may come from any thread.
pub trait Progress: Sync {
    /// A phase begins; `total` is its number of files, 0 if unknown.
    fn begin(&self, phase: Phase, total: u64) {
        let _ = (phase, total);
    }

    /// So many files of the phase are done; `path` is the last one.
    fn advance(&self, done: u64, path: &str) {
        let _ = (done, path);
    }

    /// Asked often; the work ends early and changes nothing once this is true.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
