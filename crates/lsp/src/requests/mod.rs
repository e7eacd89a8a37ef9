//! The requests that the server answers: one table, one function each.

mod commands;
mod completion;
mod document;
mod hierarchy;
mod hover;
mod lens;
mod navigation;
mod rename;
mod settings;
mod symbols;
mod tokens;

pub(crate) use document::diagnostics;
pub(crate) use settings::{Settings, capabilities};

use serde::Serialize;
use serde_json::Value;

use crate::protocol::Refused;
use crate::snapshot::Snapshot;

/// Answers a request from the state that it came in, in JSON.
pub(crate) type Handler = fn(&Snapshot, Value) -> Result<String, Refused>;

/// The table of requests: the name of each, and the function whose answer is written down.
macro_rules! requests {
    ($($name:literal => $function:path,)*) => {
        const REQUESTS: &[(&str, Handler)] =
            &[$(($name, |snapshot, params| written(&$function(snapshot, params)?))),*];
    };
}

requests! {
    "textDocument/definition" => navigation::definition,
    "textDocument/declaration" => navigation::declaration,
    "textDocument/typeDefinition" => navigation::type_definition,
    "textDocument/implementation" => navigation::implementation,
    "textDocument/references" => navigation::references,
    "textDocument/documentHighlight" => navigation::highlights,
    "textDocument/prepareRename" => rename::prepare,
    "textDocument/rename" => rename::rename,
    "textDocument/hover" => hover::hover,
    "textDocument/signatureHelp" => hover::signature_help,
    "textDocument/completion" => completion::completion,
    "completionItem/resolve" => completion::resolve,
    "textDocument/documentSymbol" => symbols::document,
    "workspace/symbol" => symbols::workspace,
    "workspaceSymbol/resolve" => symbols::resolve,
    "textDocument/prepareCallHierarchy" => hierarchy::prepare_calls,
    "callHierarchy/incomingCalls" => hierarchy::incoming,
    "callHierarchy/outgoingCalls" => hierarchy::outgoing,
    "textDocument/prepareTypeHierarchy" => hierarchy::prepare_types,
    "typeHierarchy/supertypes" => hierarchy::supertypes,
    "typeHierarchy/subtypes" => hierarchy::subtypes,
    "textDocument/foldingRange" => document::folding,
    "textDocument/selectionRange" => document::selection,
    "textDocument/inlayHint" => document::hints,
    "textDocument/semanticTokens/full" => tokens::full,
    "textDocument/semanticTokens/range" => tokens::range,
    "textDocument/codeLens" => lens::lenses,
    "codeLens/resolve" => lens::resolve,
    "workspace/executeCommand" => commands::execute,
}

fn written(answer: &impl Serialize) -> Result<String, Refused> {
    serde_json::to_string(answer).map_err(|error| Refused::Failed(error.into()))
}

pub(crate) fn handler(method: &str) -> Option<Handler> {
    REQUESTS.iter().find(|(name, _)| *name == method).map(|(_, handler)| *handler)
}
