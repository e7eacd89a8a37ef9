//! What the user may choose, and what the server says that it can do.

use serde::Deserialize;
use serde_json::{Value, json};

use super::commands::COMMANDS;
use crate::kinds::{TOKEN_MODIFIERS, TOKEN_TYPES};
use crate::position::Encoding;

/// The settings of a session.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Settings {
    /// Build an index for folders that have none.
    pub(crate) index: bool,
    /// Write inferred types behind names.
    pub(crate) inlay_hints: bool,
    /// Count references above definitions.
    pub(crate) code_lens: bool,
    /// Mark text that could not be read.
    pub(crate) diagnostics: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { index: true, inlay_hints: false, code_lens: false, diagnostics: false }
    }
}

impl Settings {
    /// What is not said, or not understood, is as usual.
    pub(crate) fn read(given: &Value) -> Settings {
        serde_json::from_value(given.clone()).unwrap_or_default()
    }
}

/// The capabilities of the server.
pub(crate) fn capabilities(encoding: Encoding, settings: &Settings) -> Value {
    let any_file = json!({"filters": [{"pattern": {"glob": "**/*"}}]});
    let mut all = json!({
        "positionEncoding": encoding.word(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "definitionProvider": true,
        "declarationProvider": true,
        "typeDefinitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": {"prepareProvider": true},
        "hoverProvider": true,
        "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
        "completionProvider": {"resolveProvider": true, "triggerCharacters": [".", ":", ">", "$", "@", "\\"]},
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": {"resolveProvider": true},
        "callHierarchyProvider": true,
        "typeHierarchyProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "semanticTokensProvider": {
            "legend": {"tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS},
            "full": true,
            "range": true,
        },
        "executeCommandProvider": {"commands": COMMANDS},
        "workspace": {
            "workspaceFolders": {"supported": true, "changeNotifications": true},
            "fileOperations": {"didCreate": any_file, "didRename": any_file, "didDelete": any_file},
        },
    });
    if settings.inlay_hints {
        all["inlayHintProvider"] = json!(true);
    }
    if settings.code_lens {
        all["codeLensProvider"] = json!({"resolveProvider": true});
    }
    all
}
