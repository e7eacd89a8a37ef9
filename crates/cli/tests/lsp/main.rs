//! Runs `codegraph lsp` as editors do: over its pipes, with a client of our own and with real editors.

mod client;
mod editors;
mod project;
mod rename;
mod requests;
mod robust;
mod same;
