//! The sessions of the HTTP server: so many at once and no more. Each keeps memory and a task until it is closed, and a
//! client that never closes one must not take the room of others.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::header::HeaderMap;
use rmcp::transport::streamable_http_server::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

/// Beyond so many, the one that was not used for the longest time is closed.
pub(crate) const MOST: usize = 64;
const ID: &str = "mcp-session-id";

pub(crate) struct Sessions {
    manager: Arc<LocalSessionManager>,
    /// The last one used is at the end.
    ids: Mutex<Vec<String>>,
}

impl Sessions {
    pub(crate) fn new(manager: Arc<LocalSessionManager>) -> Sessions {
        Sessions { manager, ids: Mutex::default() }
    }

    /// Notes that a request belongs to a session.
    pub(crate) fn used(&self, headers: &HeaderMap) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = id(headers).and_then(|id| ids.iter().position(|known| known == id)) {
            let id = ids.remove(place);
            ids.push(id);
        }
    }

    /// Notes the session that an answer opened, and makes room for it.
    pub(crate) async fn opened(&self, headers: &HeaderMap) {
        let Some(id) = id(headers) else { return };
        let gone = {
            let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
            if !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
            (ids.len() > MOST).then(|| ids.remove(0))
        };
        if let Some(gone) = gone {
            // It may have ended by itself.
            let _ = self.manager.close_session(&gone.into()).await;
        }
    }
}

fn id(headers: &HeaderMap) -> Option<&str> {
    headers.get(ID)?.to_str().ok()
}
