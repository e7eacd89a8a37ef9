//! Where a request goes: the page, a question, JSON-RPC, MCP, or the stream of changes.

use std::sync::Arc;

use codegraph_mcp::{Endpoint, HttpReply, Incoming, Server};
use hyper::header::IF_NONE_MATCH;
use hyper::{Method, StatusCode};

use crate::assets::Asset;
use crate::door::{Closed, Door};
use crate::events::Events;
use crate::{api, reply};

/// All that is served at one address.
pub(crate) struct Routes {
    pub(crate) door: Door,
    pub(crate) server: Server,
    pub(crate) endpoint: Endpoint,
    pub(crate) events: Arc<Events>,
    pub(crate) write: bool,
}

impl Routes {
    pub(crate) async fn answer(&self, request: Incoming) -> HttpReply {
        let path = request.uri().path().to_owned();
        let name = path.strip_prefix("/api").filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let headers = request.headers();
        if path == "/mcp" {
            return match self.door.lets_ask(headers) {
                Ok(()) => self.endpoint.answer(request).await,
                Err(closed) => refused(&closed),
            };
        }
        if let Some(name) = name {
            return match self.door.lets_own_page_ask(headers) {
                Ok(()) if name == "/events" => reply::stream("text/event-stream", self.events.listen()),
                Ok(()) => api::answer(&self.server, self.write, name.trim_start_matches('/'), request).await,
                Err(closed) => refused(&closed),
            };
        }
        if path == "/rpc" {
            return match self.door.lets_own_page_ask(headers) {
                Ok(()) => api::rpc(&self.server, request).await,
                Err(closed) => refused(&closed),
            };
        }
        match self.door.lets_look(headers) {
            Ok(()) => page(&path, &request),
            Err(closed) => refused(&closed),
        }
    }
}

fn page(path: &str, request: &Incoming) -> HttpReply {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return reply::failed(StatusCode::METHOD_NOT_ALLOWED, "not with this method", Some("GET it".to_owned()));
    }
    let Some(asset) = Asset::at(path) else {
        return reply::failed(StatusCode::NOT_FOUND, "there is no such file", None);
    };
    let (mark, packed) = asset.packed();
    let known = request.headers().get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == mark.as_bytes());
    reply::file(asset.kind, mark, (!known).then(|| packed.clone()))
}

fn refused(closed: &Closed) -> HttpReply {
    reply::failed(closed.status, &closed.why, None)
}
