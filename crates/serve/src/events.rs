//! Tells pages that the index has changed, as server-sent events. The project is watched while somebody listens.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use codegraph_runtime::{WatchOptions, Watched, watch};
use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Pages that listen at most; the oldest goes.
const MOST_LISTENERS: usize = 32;
/// Messages that wait for a page at most: one that does not read misses some, and asks anew when it does.
const MOST_WAITING: usize = 8;
/// A page that is gone is noticed so soon.
const BEAT: Duration = Duration::from_secs(15);
/// Files that one message names at most.
const MOST_NAMED: usize = 20;

/// Whoever wants to be told.
pub(crate) struct Events {
    root: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    listeners: VecDeque<Sender<Bytes>>,
    watching: bool,
}

impl Events {
    pub(crate) fn of(root: PathBuf) -> Arc<Events> {
        Arc::new(Events { root, state: Mutex::default() })
    }

    /// A stream of messages, from now on.
    pub(crate) fn listen(self: &Arc<Events>) -> BoxBody<Bytes, Infallible> {
        let (sender, receiver) = channel(MOST_WAITING);
        // A browser shows the stream as open once something has come.
        let _ = sender.try_send(Bytes::from_static(b": listening\n\n"));
        let mut state = self.state();
        state.listeners.push_back(sender);
        if state.listeners.len() > MOST_LISTENERS {
            state.listeners.pop_front();
        }
        if !std::mem::replace(&mut state.watching, true) {
            let events = Arc::clone(self);
            std::thread::spawn(move || events.watch());
            let events = Arc::clone(self);
            tokio::spawn(async move { events.beat().await });
        }
        Stream(receiver).boxed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends to all, and forgets those that are gone. Says whether anybody is left.
    fn tell(&self, message: &Bytes) -> bool {
        let mut state = self.state();
        state.listeners.retain(|listener| !listener.is_closed());
        for listener in &state.listeners {
            let _ = listener.try_send(message.clone());
        }
        !state.listeners.is_empty()
    }

    fn watch(&self) {
        let outcome = watch(&self.root, &WatchOptions::default(), &mut |seen| {
            match seen {
                Watched::Updated(report) => {
                    let named = |files: &[String]| files.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>();
                    let data = json!({
                        "added": named(&report.added), "changed": named(&report.changed),
                        "removed": named(&report.removed), "duration_ms": report.duration_ms,
                    });
                    self.tell(&Bytes::from(format!("event: change\ndata: {data}\n\n")));
                }
                Watched::Failed(error) => {
                    let data = json!({"error": error.to_string()});
                    self.tell(&Bytes::from(format!("event: failure\ndata: {data}\n\n")));
                }
                Watched::Started { .. } | Watched::Polling(_) => {}
            }
            true
        });
        if outcome.is_err() {
            self.state().watching = false;
        }
    }

    async fn beat(&self) {
        loop {
            tokio::time::sleep(BEAT).await;
            self.tell(&Bytes::from_static(b": still here\n\n"));
        }
    }
}

/// Messages as the body of a response that does not end.
struct Stream(Receiver<Bytes>);

impl Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|message| message.map(|message| Ok(Frame::data(message))))
    }
}
