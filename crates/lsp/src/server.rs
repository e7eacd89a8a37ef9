//! The session with one client: what it opens and changes, what it asks, and when it goes. One thread takes messages in
//! their order; requests are answered by a few others, each from the state that it came in.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use codegraph_query::Cancel;
use codegraph_runtime::give_back_memory;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::documents::{Change, Document, Documents};
use crate::folders::{Folder, Folders, State};
use crate::indexing::{self, notify};
use crate::position::Encoding;
use crate::protocol::{Refused, TextDocument, read};
use crate::requests::{self, Handler, Settings, capabilities};
use crate::snapshot::Snapshot;
use crate::transport::Out;
use crate::uri;

/// Threads that answer requests.
const WORKERS: usize = 2;
/// How often it is looked whether the index can be let go of, and after which silence.
const TICK: Duration = Duration::from_millis(500);
const IDLE: Duration = Duration::from_secs(1);
/// A thread that had nothing to do for so long gives back its memory. By then the index was let go of.
const ASLEEP: Duration = Duration::from_secs(2);

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The client said that it goes.
    Properly,
    /// It just went.
    Abruptly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

type Job = Box<dyn FnOnce() + Send>;
type Pending = Arc<Mutex<HashMap<RequestId, Cancel>>>;

struct Server {
    out: Sender<Out>,
    jobs: Sender<Job>,
    pending: Pending,
    documents: Arc<Documents>,
    folders: Arc<Folders>,
    encoding: Encoding,
    settings: Settings,
    phase: Phase,
    /// What the client can do.
    client: Value,
}

/// Serves a client until it goes.
pub(crate) fn run(messages: &Receiver<Message>, out: Sender<Out>) -> Ended {
    let mut server = Server {
        out,
        jobs: workers(),
        pending: Pending::default(),
        documents: Arc::default(),
        folders: Arc::default(),
        encoding: Encoding::default(),
        settings: Settings::default(),
        phase: Phase::New,
        client: Value::Null,
    };
    loop {
        match messages.recv_timeout(TICK) {
            Ok(Message::Request(request)) => server.request(request),
            Ok(Message::Notification(notification)) if notification.method == "exit" => {
                return if server.phase == Phase::ShutDown { Ended::Properly } else { Ended::Abruptly };
            }
            Ok(Message::Notification(notification)) => server.notification(notification),
            Ok(Message::Response(_)) => {}
            Err(RecvTimeoutError::Timeout) => server.folders.rest(IDLE),
            Err(RecvTimeoutError::Disconnected) => {
                server.pending().values().for_each(Cancel::cancel);
                return Ended::Abruptly;
            }
        }
    }
}

fn workers() -> Sender<Job> {
    let (jobs, waiting) = unbounded::<Job>();
    for _ in 0..WORKERS {
        let waiting = waiting.clone();
        thread::spawn(move || work(&waiting));
    }
    jobs
}

fn work(jobs: &Receiver<Job>) {
    loop {
        let job = jobs.recv_timeout(ASLEEP).or_else(|error| {
            if error == RecvTimeoutError::Timeout {
                give_back_memory();
            }
            jobs.recv()
        });
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

impl Server {
    fn pending(&self) -> std::sync::MutexGuard<'_, HashMap<RequestId, Cancel>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        let _ = self.out.send(Response::new_err(id, code as i32, message.to_owned()).into());
    }

    fn answer(&self, id: RequestId, result: &Value) {
        let _ = self.out.send(Out::Answer(id, result.to_string()));
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => self.initialize(id, &params),
            (Phase::New, _) => self.refuse(id, ErrorCode::ServerNotInitialized, "initialize comes first"),
            (Phase::ShutDown, _) => self.refuse(id, ErrorCode::InvalidRequest, "the session was shut down"),
            (Phase::Running, "initialize") => self.refuse(id, ErrorCode::InvalidRequest, "initialized already"),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.answer(id, &Value::Null);
            }
            (Phase::Running, method) => match requests::handler(method) {
                Some(handler) => self.dispatch(id, params, handler),
                None => self.refuse(id, ErrorCode::MethodNotFound, &format!("'{method}' is not known")),
            },
        }
    }

    fn snapshot(&self, cancel: Cancel) -> Snapshot {
        Snapshot {
            documents: Arc::clone(&self.documents),
            folders: Arc::clone(&self.folders),
            encoding: self.encoding,
            cancel,
            moves_files: self.moves_files(),
        }
    }

    fn moves_files(&self) -> bool {
        let edits = &self.client["workspace"]["workspaceEdit"];
        let operations = edits["resourceOperations"].as_array();
        edits["documentChanges"] == true && operations.is_some_and(|all| all.iter().any(|one| one == "rename"))
    }

    fn dispatch(&self, id: RequestId, params: Value, handler: Handler) {
        let cancel = Cancel::default();
        self.pending().insert(id.clone(), cancel.clone());
        let (snapshot, out, pending) = (self.snapshot(cancel), self.out.clone(), Arc::clone(&self.pending));
        let job = move || {
            let answer = answered(&snapshot, params, handler);
            pending.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            let _ = out.send(match answer {
                Ok(text) => Out::Answer(id, text),
                Err(error) => Response { id, response_result: Err(error) }.into(),
            });
        };
        let _ = self.jobs.send(Box::new(job));
    }

    fn initialize(&mut self, id: RequestId, params: &Value) {
        self.client = params["capabilities"].clone();
        let offered = self.client["general"]["positionEncodings"].as_array();
        let offered: Vec<&str> = offered.into_iter().flatten().filter_map(Value::as_str).collect();
        self.encoding = Encoding::agreed(&offered);
        self.settings = Settings::read(&params["initializationOptions"]);
        for folder in given_folders(params) {
            self.folders.add(&folder);
        }
        self.phase = Phase::Running;
        let capabilities = capabilities(self.encoding, &self.settings);
        let server = json!({"name": "codegraph", "version": env!("CARGO_PKG_VERSION")});
        self.answer(id, &json!({"capabilities": capabilities, "serverInfo": server}));
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if self.phase != Phase::Running {
            return;
        }
        // One that does not read is one that is not for us.
        let _ = match method.as_str() {
            "initialized" => {
                self.initialized();
                Ok(())
            }
            "textDocument/didOpen" => self.opened(params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(params),
            "textDocument/didSave"
            | "workspace/didChangeWatchedFiles"
            | "workspace/didCreateFiles"
            | "workspace/didRenameFiles"
            | "workspace/didDeleteFiles" => {
                self.follow();
                Ok(())
            }
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(params),
            "workspace/didChangeConfiguration" => {
                self.settings = Settings::read(&params["settings"]["codegraph"]);
                Ok(())
            }
            "$/cancelRequest" => self.cancelled(params),
            _ => Ok(()),
        };
    }

    fn initialized(&self) {
        if self.client["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] == true {
            let options = json!({"watchers": [{"globPattern": "**/*"}]});
            let registration =
                json!({"id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": options});
            indexing::request(&self.out, "client/registerCapability", json!({"registrations": [registration]}));
        }
        self.folders.all().iter().for_each(|folder| self.index(folder));
        // The first question should not have to look at the whole tree.
        self.follow();
    }

    /// Builds an index where there is none, unless that is not wanted.
    fn index(&self, folder: &Arc<Folder>) {
        if !matches!(folder.state(), State::Without) || !self.settings.index || is_too_wide(folder.path()) {
            return;
        }
        let shown = self.client["window"]["workDoneProgress"] == true;
        let (out, client) = (self.out.clone(), self.client.clone());
        indexing::start(folder, &self.out, shown, move || refresh(&out, &client));
    }

    /// Brings the indexes up to date while nobody waits.
    fn follow(&self) {
        for served in self.folders.all().iter().filter_map(|folder| folder.served()) {
            served.touched();
            let _ = self.jobs.send(Box::new(move || drop(served.ask(|_| Ok(())))));
        }
    }

    fn opened(&mut self, params: Value) -> Result<(), Refused> {
        #[derive(Deserialize)]
        struct Opened {
            uri: String,
            #[serde(default)]
            version: i64,
            text: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            text_document: Opened,
        }
        let Opened { uri, version, text } = read::<Params>(params)?.text_document;
        if let Some(path) = uri::to_path(&uri) {
            self.folders.open_file(&path);
        }
        Arc::make_mut(&mut self.documents).put(&uri, Document::new(version, &text));
        self.diagnose(&uri);
        Ok(())
    }

    fn changed(&mut self, params: Value) -> Result<(), Refused> {
        #[derive(Deserialize)]
        struct Versioned {
            uri: String,
            #[serde(default)]
            version: i64,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            text_document: Versioned,
            content_changes: Vec<Change>,
        }
        let Params { text_document: Versioned { uri, version }, content_changes } = read(params)?;
        let Some(old) = self.documents.get(&uri) else { return Ok(()) };
        let new = old.changed(version, &content_changes, self.encoding);
        Arc::make_mut(&mut self.documents).put(&uri, new);
        self.diagnose(&uri);
        Ok(())
    }

    fn closed(&mut self, params: Value) -> Result<(), Refused> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            text_document: TextDocument,
        }
        let uri = read::<Params>(params)?.text_document.uri;
        Arc::make_mut(&mut self.documents).remove(&uri);
        if self.settings.diagnostics {
            notify(&self.out, "textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        }
        Ok(())
    }

    /// Says what of a text could not be read, where that is wanted.
    fn diagnose(&self, uri: &str) {
        if !self.settings.diagnostics {
            return;
        }
        let (snapshot, out, uri) = (self.snapshot(Cancel::default()), self.out.clone(), uri.to_owned());
        let job = move || {
            if let Ok(Some(found)) = requests::diagnostics(&snapshot, &uri) {
                notify(&out, "textDocument/publishDiagnostics", found);
            }
        };
        let _ = self.jobs.send(Box::new(job));
    }

    fn folders_changed(&self, params: Value) -> Result<(), Refused> {
        #[derive(Deserialize)]
        struct Event {
            #[serde(default)]
            added: Vec<TextDocument>,
            #[serde(default)]
            removed: Vec<TextDocument>,
        }
        #[derive(Deserialize)]
        struct Params {
            event: Event,
        }
        let Event { added, removed } = read::<Params>(params)?.event;
        removed.iter().filter_map(|folder| uri::to_path(&folder.uri)).for_each(|path| self.folders.remove(&path));
        for path in added.iter().filter_map(|folder| uri::to_path(&folder.uri)) {
            self.index(&self.folders.add(&path));
        }
        Ok(())
    }

    fn cancelled(&self, params: Value) -> Result<(), Refused> {
        #[derive(Deserialize)]
        struct Params {
            id: RequestId,
        }
        let id = read::<Params>(params)?.id;
        if let Some(cancel) = self.pending().get(&id) {
            cancel.cancel();
        }
        Ok(())
    }
}

/// The answer of a handler; a panic in it is an error of that request.
fn answered(snapshot: &Snapshot, params: Value, handler: Handler) -> Result<String, lsp_server::ResponseError> {
    if snapshot.cancel.is_cancelled() {
        return Err(Refused::Failed(codegraph_query::Error::Cancelled.into()).response());
    }
    let run = catch_unwind(AssertUnwindSafe(|| handler(snapshot, params)));
    let failed = |_| Err(Refused::because("the request could not be answered: this is a fault of codegraph"));
    run.unwrap_or_else(failed).map_err(|refused| refused.response())
}

/// Asks the client to show again what it drew without an index.
fn refresh(out: &Sender<Out>, client: &Value) {
    if client["workspace"]["semanticTokens"]["refreshSupport"] == true {
        indexing::request(out, "workspace/semanticTokens/refresh", Value::Null);
    }
}

/// The folders that the client has open.
fn given_folders(params: &Value) -> Vec<PathBuf> {
    let folders = params["workspaceFolders"].as_array();
    let uris = folders.into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
    let given: Vec<PathBuf> = uris.filter_map(uri::to_path).collect();
    if !given.is_empty() {
        return given;
    }
    let by_uri = params["rootUri"].as_str().and_then(uri::to_path);
    let by_path = || params["rootPath"].as_str().map(PathBuf::from);
    by_uri.or_else(by_path).into_iter().collect()
}

/// Nobody means to index all that a user has.
fn is_too_wide(folder: &Path) -> bool {
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder))
}
