//! Indexes a folder that has none, in the background, and tells the client how far it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use codegraph_index::{BuildOptions, InitOptions, Phase, Progress};
use codegraph_runtime::{Failure, Served};
use crossbeam_channel::Sender;
use lsp_server::{Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::folders::{Folder, Scratch, State};
use crate::transport::Out;

/// Reports come no more often.
const PACE: Duration = Duration::from_millis(100);

/// Numbers the requests and tokens of the server.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A request of the server to the client. Nobody waits for what it says.
pub(crate) fn request(out: &Sender<Out>, method: &str, params: Value) {
    let id = RequestId::from(format!("codegraph-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let _ = out.send(Request { id, method: method.to_owned(), params }.into());
}

pub(crate) fn notify(out: &Sender<Out>, method: &str, params: Value) {
    let _ = out.send(Notification { method: method.to_owned(), params }.into());
}

/// Builds the index of a folder on a thread of its own; `ready` is called when it can be asked.
pub(crate) fn start(folder: &Arc<Folder>, out: &Sender<Out>, shown: bool, ready: impl FnOnce() + Send + 'static) {
    folder.set(State::Building(None));
    let (folder, out) = (Arc::clone(folder), out.clone());
    thread::spawn(move || {
        folder.set(State::Building(Scratch::new()));
        let progress = Told::begin(&out, shown, &folder.path().display().to_string());
        let built =
            codegraph_runtime::init(folder.path(), &InitOptions::default(), &BuildOptions::default(), &progress);
        let message = match &built {
            Ok(answer) => format!("{} files", answer.files_indexed),
            Err(error) => Failure::of(error).message,
        };
        match built {
            Ok(_) => folder.set(State::Ready(Arc::new(Served::new(folder.path())))),
            Err(_) => {
                folder.set(State::Without);
                notify(&out, "window/logMessage", json!({"type": 2, "message": format!("codegraph: {message}")}));
            }
        }
        progress.end(&message);
        ready();
    });
}

/// Tells the client what is being done.
struct Told {
    out: Sender<Out>,
    token: Option<String>,
    state: Mutex<Pace>,
}

struct Pace {
    last: Instant,
    phase: &'static str,
    total: u64,
}

impl Told {
    fn begin(out: &Sender<Out>, shown: bool, what: &str) -> Told {
        let token = shown.then(|| format!("codegraph-index-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        let state = Mutex::new(Pace { last: Instant::now(), phase: "", total: 0 });
        let told = Told { out: out.clone(), token, state };
        if let Some(token) = &told.token {
            request(out, "window/workDoneProgress/create", json!({"token": token}));
        }
        told.say(json!({"kind": "begin", "title": "codegraph: indexing", "message": what, "percentage": 0}));
        told
    }

    fn say(&self, value: Value) {
        if let Some(token) = &self.token {
            notify(&self.out, "$/progress", json!({"token": token, "value": value}));
        }
    }

    fn end(&self, message: &str) {
        self.say(json!({"kind": "end", "message": message}));
    }
}

impl Progress for Told {
    fn begin(&self, phase: Phase, total: u64) {
        let phase = match phase {
            Phase::Discover => "looking for files",
            Phase::Extract => "reading files",
            Phase::Link => "linking",
            Phase::Finish | Phase::Verify => "writing",
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.phase, state.total) = (phase, total);
        self.say(json!({"kind": "report", "message": phase}));
    }

    fn advance(&self, done: u64, _path: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.elapsed() < PACE {
            return;
        }
        state.last = Instant::now();
        let share = (done * 100).checked_div(state.total).unwrap_or(0).min(100);
        let message = format!("{}: {done} of {}", state.phase, state.total.max(done));
        self.say(json!({"kind": "report", "message": message, "percentage": share}));
    }
}
