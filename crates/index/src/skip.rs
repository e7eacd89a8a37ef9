//! Files that are left out, and why.

use codegraph_model::Reason;
use serde::Serialize;

/// A file or folder that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    pub path: String,
    pub reason: Reason,
}
