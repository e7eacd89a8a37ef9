//! `/api/NAME`: any question by its name. Arguments come in the address, or as a JSON object in a POST.

use std::sync::Arc;
use std::time::Duration;

use codegraph_mcp::{HttpReply, Incoming, Question, Server};
use codegraph_query::Cancel;
use codegraph_runtime::Failure;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Bytes;
use hyper::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::{form, openapi, reply};

/// Arguments are short.
const MOST_BYTES: usize = 1 << 20;
/// Whoever does not finish a request goes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers a request below `/api/`.
pub(crate) async fn answer(server: &Server, write: bool, name: &str, request: Incoming) -> HttpReply {
    match name {
        "" | "openapi.json" => return reply::json(StatusCode::OK, openapi::document(write)),
        "about" => return about(server, write),
        _ => {}
    }
    let Some(question) = Question::named(name) else {
        let hint = "/api/openapi.json lists the questions".to_owned();
        return reply::failed(StatusCode::NOT_FOUND, "there is no such question", Some(hint));
    };
    if question.writes() && !write {
        let hint = Some("start the server with --write".to_owned());
        return reply::failed(StatusCode::FORBIDDEN, "this server changes nothing", hint);
    }
    if request.method() != Method::POST && (question.writes() || request.method() != Method::GET) {
        let hint = Some(if question.writes() { "POST it" } else { "GET or POST it" }.to_owned());
        return reply::failed(StatusCode::METHOD_NOT_ALLOWED, "not with this method", hint);
    }
    match arguments(request).await {
        Ok(given) => asked(server, question, given).await,
        Err(unread) => unread.reply(),
    }
}

/// What the page has to know before it asks anything.
fn about(server: &Server, write: bool) -> HttpReply {
    let root = server.projects().get(None).map(|served| served.root().to_owned()).unwrap_or_default();
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
    // A question that git answers is not asked where there is none.
    let history = root.ancestors().any(|folder| folder.join(".git").exists());
    let about = json!({"name": name, "version": env!("CARGO_PKG_VERSION"), "write": write, "history": history});
    reply::json(StatusCode::OK, about.to_string())
}

/// Why a request could not be read.
struct Unread(StatusCode, &'static str);

impl Unread {
    fn reply(&self) -> HttpReply {
        reply::failed(self.0, self.1, None)
    }
}

async fn arguments(request: Incoming) -> Result<Map<String, Value>, Unread> {
    let mut given = form::read(request.uri().query().unwrap_or_default());
    if request.method() == Method::POST {
        let body = body(request).await?;
        if !body.is_empty() {
            match serde_json::from_slice(&body) {
                Ok(Value::Object(more)) => given.extend(more),
                _ => return Err(Unread(StatusCode::BAD_REQUEST, "the body is no JSON object")),
            }
        }
    }
    Ok(given)
}

/// The body of a request that comes whole, in time.
async fn body(request: Incoming) -> Result<Bytes, Unread> {
    match tokio::time::timeout(PATIENCE, Limited::new(request.into_body(), MOST_BYTES).collect()).await {
        Err(_) => Err(Unread(StatusCode::REQUEST_TIMEOUT, "the request did not come in time")),
        Ok(Err(_)) => Err(Unread(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long")),
        Ok(Ok(body)) => Ok(body.to_bytes()),
    }
}

/// Calls a question off when nobody waits for it any more.
struct Waiting(Cancel);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

async fn asked(server: &Server, question: Question, given: Map<String, Value>) -> HttpReply {
    let waiting = Waiting(Cancel::default());
    let (server, cancel) = (server.clone(), waiting.0.clone());
    let work = tokio::task::spawn_blocking(move || server.ask(question, given, cancel));
    match work.await {
        Ok(Ok(data)) => reply::json(StatusCode::OK, data),
        Ok(Err(error)) => refused(&error),
        Err(_) => {
            let hint = Some("this is a bug, please report it; other questions still work".to_owned());
            reply::failed(StatusCode::INTERNAL_SERVER_ERROR, "the question failed inside codegraph", hint)
        }
    }
}

fn refused(error: &anyhow::Error) -> HttpReply {
    let failure = Failure::of(error);
    let hint = failure.remedy.as_ref().map(|remedy| remedy.advice().to_string());
    reply::failed(StatusCode::BAD_REQUEST, &failure.message, hint)
}

/// Answers JSON-RPC.
pub(crate) async fn rpc(server: &Server, request: Incoming) -> HttpReply {
    if request.method() != Method::POST {
        return reply::failed(StatusCode::METHOD_NOT_ALLOWED, "not with this method", Some("POST it".to_owned()));
    }
    let message = match body(request).await {
        Ok(message) => message,
        Err(unread) => return unread.reply(),
    };
    let projects = Arc::clone(server.projects());
    let work = tokio::task::spawn_blocking(move || codegraph_rpc::answer(&projects, &message));
    match work.await {
        Ok(Some(answer)) => reply::json(StatusCode::OK, answer.to_string()),
        Ok(None) => reply::json(StatusCode::NO_CONTENT, String::new()),
        Err(_) => reply::failed(StatusCode::INTERNAL_SERVER_ERROR, "the call failed inside codegraph", None),
    }
}
