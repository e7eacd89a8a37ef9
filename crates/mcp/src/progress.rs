//! Long work told to the client: at most ten times a second, and only if it asked for that.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use codegraph_index::{Phase, Progress};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

const PACE: Duration = Duration::from_millis(100);

/// Hears long work on blocking threads and hands it to a task that tells the client.
pub(crate) struct Told {
    to: Option<(ProgressToken, UnboundedSender<ProgressNotificationParam>)>,
    cancelled: CancellationToken,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What earlier phases did: the protocol wants numbers that grow.
    before: u64,
    total: u64,
    done: u64,
    word: &'static str,
    told: Option<Instant>,
}

impl Told {
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Told {
        let to = context.meta.get_progress_token().map(|token| {
            let (sender, receiver) = unbounded_channel();
            tokio::spawn(forward(context.peer.clone(), receiver));
            (token, sender)
        });
        Told { to, cancelled: context.ct.clone(), state: Mutex::default() }
    }

    fn tell(&self, state: &mut State) {
        let Some((token, sender)) = &self.to else { return };
        if state.told.is_some_and(|at| at.elapsed() < PACE) {
            return;
        }
        state.told = Some(Instant::now());
        let mut message = ProgressNotificationParam::new(token.clone(), (state.before + state.done) as f64);
        message.total = (state.total > 0).then_some((state.before + state.total) as f64);
        message.message = Some(match state.total {
            0 => state.word.to_owned(),
            total => format!("{} {}/{total}", state.word, state.done),
        });
        // Nobody listens any more: then nobody misses it.
        let _ = sender.send(message);
    }
}

async fn forward(peer: Peer<RoleServer>, mut messages: UnboundedReceiver<ProgressNotificationParam>) {
    while let Some(message) = messages.recv().await {
        if peer.notify_progress(message).await.is_err() {
            return;
        }
    }
}

impl Progress for Told {
    fn begin(&self, phase: Phase, total: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.before += state.done.max(state.total) + 1;
        (state.total, state.done, state.told) = (total, 0, None);
        state.word = match phase {
            Phase::Discover => "looking for files",
            Phase::Extract => "reading",
            Phase::Link => "linking",
            Phase::Finish => "writing",
            Phase::Verify => "checking",
        };
        self.tell(&mut state);
    }

    fn advance(&self, done: u64, _path: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads report in any order.
        state.done = state.done.max(done);
        self.tell(&mut state);
    }

    fn cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }
}
