//! Runs the real binary on temporary projects: every command, for people and for machines, and what it refuses.

mod completion;
mod context;
mod dense;
mod diff;
mod hostile_git;
mod http;
mod install;
mod knowledge;
mod links;
mod map;
mod map_languages;
mod mutations;
mod offline;
mod places;
mod proof;
mod questions;
mod refusals;
mod relations;
mod scip;
mod shape;
mod support;
mod terminal;
mod traps;
mod watch;
mod worktree;
mod writes;
