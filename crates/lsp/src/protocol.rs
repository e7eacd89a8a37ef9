//! Requests and answers in the protocol's words: parameters that several requests share, and errors.

use std::sync::Arc;

use codegraph_runtime::Failure;
use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::position::{Position, Range};

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The parameters are not those of the request.
    Parameters(String),
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Refused {
    fn from(error: anyhow::Error) -> Refused {
        Refused::Failed(error)
    }
}

impl From<codegraph_index::Error> for Refused {
    fn from(error: codegraph_index::Error) -> Refused {
        Refused::Failed(error.into())
    }
}

impl Refused {
    /// A request that cannot be done, in words for the user.
    pub(crate) fn because(message: impl Into<String>) -> Refused {
        Refused::Failed(anyhow::anyhow!(message.into()))
    }

    pub(crate) fn response(&self) -> ResponseError {
        let (code, message) = match self {
            Refused::Parameters(message) => (ErrorCode::InvalidParams, message.clone()),
            Refused::Failed(error) if is_cancelled(error) => (ErrorCode::RequestCanceled, "cancelled".to_owned()),
            Refused::Failed(error) => (ErrorCode::RequestFailed, Failure::of(error).message),
        };
        ResponseError { code: code as i32, message, data: None }
    }
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(codegraph_query::Error::Cancelled))
}

/// Text with marks, in the protocol's word for it.
pub(crate) fn marked(text: &str) -> Value {
    json!({"kind": "markdown", "value": text})
}

/// The parameters of a request.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refused> {
    serde_json::from_value(params).map_err(|error| Refused::Parameters(error.to_string()))
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TextDocument {
    pub(crate) uri: String,
}

/// A text.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InDocument {
    pub(crate) text_document: TextDocument,
}

/// A place in a text.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AtPosition {
    pub(crate) text_document: TextDocument,
    pub(crate) position: Position,
}

/// A stretch of a file, as answers name it.
#[derive(Debug, Serialize)]
pub(crate) struct Location {
    #[serde(serialize_with = "as_text")]
    pub(crate) uri: Arc<str>,
    pub(crate) range: Range,
}

fn as_text<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}

/// A part of a text.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InRange {
    pub(crate) text_document: TextDocument,
    pub(crate) range: Range,
}

/// Something that an earlier answer had in it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OfItem {
    pub(crate) item: Value,
}
