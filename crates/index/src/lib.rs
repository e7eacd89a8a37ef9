//! The write side: find the project, walk it, extract in parallel, commit; bring an index up to date and check it.
//!
//! [`build`] makes a new index, [`update`] changes one, [`check`] says in a few microseconds per file whether one is
//! needed. No terminal, no SQL, no syntax tree: progress goes to a [`Progress`], storage to `codegraph-store`, syntax
//! to `codegraph-extract`. No language is named here; tables and schemes say what differs.

mod apply;
mod build;
mod config;
mod data_folder;
mod declared;
mod deep;
mod dependency;
mod discover;
mod doctor;
mod error;
mod every_file;
mod extent;
mod file;
mod file_tree;
mod freshness;
mod generated;
mod git;
mod git_command;
mod history;
mod identity;
mod ignores;
mod import;
mod keep;
mod link;
mod lock;
mod modules;
mod overlay;
mod pipeline;
mod plan;
mod progress;
mod project;
mod read;
mod repository;
mod revision;
mod rules;
mod skip;
mod snapshot;
mod stamp;
mod switch;
mod tracked;
mod turn;
mod unread;
mod update;
mod verify;
mod worktree;

pub use build::{BuildOptions, BuildReport, Phases, build, open_current, start_or_build};
pub use codegraph_manifests::Need;
pub use codegraph_model::Reason;
pub use config::Config;
pub use data_folder::use_data_folder;
pub use declared::{
    Declared, DeclaredDependency, DeclaredEntry, NeededPackage, declared, needed_packages, published_packages,
};
pub use dependency::{put_dependency, remove_dependency};
pub use discover::{SourceFile, Tree, discover};
pub use doctor::{DoctorOptions, Finding, Health, doctor};
pub use error::{Error, Result};
pub use every_file::{EveryFile, every_file};
pub use file_tree::{FileTree, file_tree};
pub use freshness::{Changes, Freshness, check, refresh, same_settings};
pub use git::{GitChange, GitReport, GitStatus, sync_git};
pub use history::{Churn, Commit, History, HistoryOf, churn, has_no_history, history};
pub use identity::Identity;
pub use import::import_links;
pub use keep::keep_metadata;
pub use lock::FileLock;
pub use overlay::{Base, is_source, overlaid, overlaid_again};
pub use progress::{Phase, Progress, Silent};
pub use project::{InitOptions, Initialised, Project};
pub use revision::{Past, Revisions, at_commit, changed_paths};
pub use skip::Skipped;
pub use snapshot::{LoadReport, SnapshotHead, load, save};
pub use unread::unread;
pub use update::{FileEdit, Scope, UpdateOptions, UpdateReport, remove, update};
