//! What a surface stands on: projects opened with a fresh index, one snapshot per question, work that several surfaces
//! offer, and failures with their remedy.
//!
//! Knows no command line, no protocol, no terminal, and not how an answer reads: that is `text`.

mod diff;
mod failure;
mod guard;
mod history;
mod hot_spots;
mod init;
mod map;
mod memory;
#[cfg(any(not(target_os = "linux"), test))]
mod notified;
mod open;
mod projects;
mod rename;
mod served;
mod unsaved;
mod update;
mod watch;
mod watching;

pub use diff::diff;
pub use failure::{Failure, Refusal};
pub use guard::{Caller, Denied, Guard, TOKEN};
pub use history::{HistoryAnswer, SymbolHistory, history};
pub use hot_spots::{HotSpot, HotSpotsAnswer, hot_spots};
pub use init::{InitAnswer, init};
pub use map::{keep_map_file, map};
pub use memory::{give_back_memory, give_back_with};
pub use open::open;
pub use projects::Projects;
pub use rename::{apply_rename, rename};
pub use served::{Request, Served, Session};
pub use unsaved::below;
pub use update::{SyncAnswer, UpdateAnswer};
pub use watching::{WatchOptions, Watched, watch};
