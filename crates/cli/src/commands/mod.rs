//! The commands, one file each. A new one is a file, its `mod` and a line in the list below.

// Declared one by one, because the formatter does not look into macros.
mod ast;
mod callees;
mod callers;
mod chunks;
mod collisions;
mod completions;
mod completions_script;
mod context;
mod cycles;
mod dead_code;
mod definition;
mod deps;
mod describe;
mod diff;
mod docs;
mod doctor;
mod export;
mod file_tree;
mod find;
mod find_ast;
mod find_dependencies;
mod find_usages;
mod get;
mod get_entity_dependencies;
mod get_entity_dependents;
mod grep;
mod hierarchy;
mod hover;
mod impact;
mod import;
mod init;
mod install;
mod label;
mod link;
mod links;
mod lsp;
mod man;
mod map;
mod mcp;
mod path;
mod push;
mod query;
mod references;
mod refs;
mod remove;
mod rename;
mod rpc;
mod scan;
mod serve;
mod shared;
mod signature;
mod signatures;
mod snapshot;
mod sql;
mod status;
mod summary;
mod sync_git;
mod tree;
mod unlink;
mod update;
mod update_batch;
mod update_docs;
mod verify;
mod watch;

use clap::Subcommand;

use crate::context::Context;
use crate::output::Outcome;

/// A command with its arguments.
pub(crate) trait Run {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome>;
}

macro_rules! commands {
    ($($module:ident $name:ident,)*) => {
        #[derive(Subcommand)]
        pub(crate) enum Command {
            $($name($module::$name),)*
        }

        impl Command {
            pub(crate) fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
                match self {
                    $(Command::$name(command) => command.run(context),)*
                }
            }
        }
    };
}

pub(crate) use shared::LinkedArgs;

commands! {
    init Init,
    update Update,
    update_batch UpdateBatch,
    sync_git SyncGit,
    watch Watch,
    remove Remove,
    status Status,
    context Context,
    query Query,
    grep Grep,
    find Find,
    get Get,
    definition Definition,
    references References,
    hover Hover,
    completions Completions,
    refs Refs,
    callers Callers,
    callees Callees,
    impact Impact,
    diff Diff,
    rename Rename,
    path Path,
    hierarchy Hierarchy,
    find_usages FindUsages,
    find_dependencies FindDependencies,
    get_entity_dependencies GetEntityDependencies,
    get_entity_dependents GetEntityDependents,
    deps Deps,
    cycles Cycles,
    dead_code DeadCode,
    signature Signature,
    signatures Signatures,
    tree Tree,
    summary Summary,
    describe Describe,
    docs Docs,
    update_docs UpdateDocs,
    link Link,
    unlink Unlink,
    links Links,
    scan Scan,
    file_tree FileTree,
    map Map,
    ast Ast,
    find_ast FindAst,
    chunks Chunks,
    label Label,
    collisions Collisions,
    sql Sql,
    export Export,
    snapshot Snapshot,
    push Push,
    import Import,
    verify Verify,
    mcp Mcp,
    lsp Lsp,
    rpc Rpc,
    serve Serve,
    install Install,
    doctor Doctor,
    completions_script CompletionsScript,
    man Man,
}
