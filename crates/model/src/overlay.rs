//! Files as they are being written, before they are saved.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Texts by root-relative path. They stand in for what the files have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay(BTreeMap<String, Arc<[u8]>>);

impl Overlay {
    /// The text of a file from now on.
    pub fn put(&mut self, path: impl Into<String>, text: impl Into<Arc<[u8]>>) {
        self.0.insert(path.into(), text.into());
    }

    /// The file has again what was saved.
    pub fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    pub fn get(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.0.get(path)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In path order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
