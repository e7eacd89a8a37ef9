//! What updates did, as every surface says it.

use codegraph_index::{GitChange, UpdateReport};
use serde::Serialize;

/// What an update did.
#[derive(Serialize)]
pub struct UpdateAnswer {
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(flatten)]
    pub report: UpdateReport,
}

/// What an update between two revisions did.
#[derive(Serialize)]
pub struct SyncAnswer {
    /// What git says has changed.
    pub changes: Vec<GitChange>,
    #[serde(flatten)]
    pub update: UpdateAnswer,
}
