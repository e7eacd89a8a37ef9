//! How people and models see each answer, one file per question.

mod ast;
mod callers;
mod chunks;
mod collisions;
mod cycles;
mod dead_code;
mod definition;
mod deps;
mod doctor;
mod entity;
mod find;
mod find_ast;
mod find_dependencies;
mod find_usages;
mod get;
mod hierarchy;
mod hover;
mod impact;
mod import;
mod init;
mod label;
mod path;
mod query;
mod references;
mod refs;
mod signature;
mod signatures;
mod sql;
mod status;
mod sync_git;
mod tree;
mod update;
mod verify;

pub use init::{InitAnswer, init};
pub use sync_git::SyncAnswer;
pub use update::UpdateAnswer;
