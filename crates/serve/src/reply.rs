//! What is sent back, always with the headers that keep a browser from taking text for anything else.

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

use codegraph_mcp::HttpReply;

/// Nothing from elsewhere, nothing inline: what a repository says cannot become a program.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sent with everything.
const ALWAYS: &[(&str, &str)] = &[
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

pub(crate) fn json(status: StatusCode, text: String) -> HttpReply {
    sent(status, "application/json", Bytes::from(text))
}

/// Why there is no answer, and what helps.
pub(crate) fn failed(status: StatusCode, error: &str, hint: Option<String>) -> HttpReply {
    json(status, json!({"error": error, "hint": hint}).to_string())
}

pub(crate) fn sent(status: StatusCode, kind: &'static str, body: Bytes) -> HttpReply {
    guarded(kind, Response::builder().status(status), Full::new(body).boxed())
}

/// A file of the page, packed; nothing if the browser has it already.
pub(crate) fn file(kind: &'static str, mark: &str, packed: Option<Bytes>) -> HttpReply {
    let status = if packed.is_some() { StatusCode::OK } else { StatusCode::NOT_MODIFIED };
    let head = Response::builder().status(status).header(ETAG, mark).header(CONTENT_ENCODING, "gzip");
    let mut reply = guarded(kind, head, Full::new(packed.unwrap_or_default()).boxed());
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    reply
}

/// Something that goes on.
pub(crate) fn stream(
    kind: &'static str,
    body: http_body_util::combinators::BoxBody<Bytes, std::convert::Infallible>,
) -> HttpReply {
    guarded(kind, Response::builder(), body)
}

fn guarded(
    kind: &'static str,
    head: hyper::http::response::Builder,
    body: http_body_util::combinators::BoxBody<Bytes, std::convert::Infallible>,
) -> HttpReply {
    let head = head.header(CONTENT_TYPE, kind).header(CACHE_CONTROL, "no-store");
    let head = ALWAYS.iter().fold(head, |head, (name, value)| head.header(*name, *value));
    head.body(body).expect("headers that are written down here are headers")
}
