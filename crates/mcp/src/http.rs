//! Streamable HTTP: any path is the endpoint. Only this machine is listened to, unless a secret guards the door.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use codegraph_runtime::{Guard, Refusal, TOKEN};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HeaderMap};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::Server;
use crate::sessions::Sessions;

/// A client that does not finish its request goes.
const PATIENCE: Duration = Duration::from_secs(10);
/// Calls are short: a longer request is none.
const MOST_BYTES: usize = 4 << 20;

/// A request as it comes in.
pub type Incoming = hyper::Request<hyper::body::Incoming>;
/// What is sent back.
pub type HttpReply = hyper::Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

/// The protocol at one address, for whatever listens there.
pub struct Endpoint {
    service: Service,
    sessions: Sessions,
}

impl Endpoint {
    pub fn new(server: Server, guard: &Guard) -> Endpoint {
        let manager = Arc::new(LocalSessionManager::default());
        let sessions = Sessions::new(Arc::clone(&manager));
        Endpoint { service: StreamableHttpService::new(move || Ok(server.clone()), manager, guarded(guard)), sessions }
    }

    /// Answers a request that the guard has let in.
    pub async fn answer(&self, request: Incoming) -> HttpReply {
        answered(&self.service, &self.sessions, request).await
    }
}

pub(crate) async fn serve(server: Server, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let guard = Guard::at(address)?;
    let (listener, own) = bind(address).await?;
    let guard = Arc::new(guard.listening(own));
    let endpoint = Arc::new(Endpoint::new(server, &guard));
    ready(own);
    listen(listener, move |request| {
        let (endpoint, allowed) = (Arc::clone(&endpoint), admits(&guard, request.headers()));
        async move {
            if !allowed {
                let how = format!("send the value of {TOKEN} as a bearer token\n");
                return refused(StatusCode::UNAUTHORIZED, how);
            }
            endpoint.answer(request).await
        }
    })
    .await
}

/// Takes an address, or says what to do instead.
pub async fn bind(address: SocketAddr) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await;
    let failed = |error| Refusal::error(format!("{address} cannot be listened to: {error}"), "give another address");
    let listener = listener.map_err(failed)?;
    let own = listener.local_addr()?;
    Ok((listener, own))
}

/// Answers whoever comes, for ever.
pub async fn listen<F>(listener: TcpListener, answer: impl Fn(Incoming) -> F + Clone + Send + 'static) -> !
where
    F: Future<Output = HttpReply> + Send + 'static,
{
    loop {
        // Too many open files, for example: that passes.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let answer = answer.clone();
        tokio::spawn(async move {
            let answer = hyper::service::service_fn(move |request: Incoming| {
                let reply = answer(request);
                async move { Ok::<_, Infallible>(reply.await) }
            });
            let mut connection = hyper::server::conn::http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
            // A connection that breaks concerns its client only.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

/// Answers a request that has come whole, in time.
async fn answered(service: &Service, sessions: &Sessions, request: Incoming) -> HttpReply {
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(PATIENCE, Limited::new(body, MOST_BYTES).collect()).await {
        Err(_) => {
            return refused(StatusCode::REQUEST_TIMEOUT, format!("the request did not come within {PATIENCE:?}\n"));
        }
        Ok(Err(_)) => {
            return refused(StatusCode::PAYLOAD_TOO_LARGE, format!("a request has at most {MOST_BYTES} bytes\n"));
        }
        Ok(Ok(body)) => Full::new(body.to_bytes()),
    };
    sessions.used(&head.headers);
    let response = service.handle(hyper::Request::from_parts(head, body)).await;
    sessions.opened(response.headers()).await;
    response
}

/// Foreign names of this machine and foreign pages are refused by the transport, which says so in its own way.
fn guarded(guard: &Guard) -> StreamableHttpServerConfig {
    let config = StreamableHttpServerConfig::default();
    let config = config.with_allowed_origins(guard.origins()).enforce_origin_validation();
    match guard.hosts() {
        Some(hosts) => config.with_allowed_hosts(hosts),
        None => config.disable_allowed_hosts(),
    }
}

fn admits(guard: &Guard, headers: &HeaderMap) -> bool {
    guard.knows(headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()))
}

fn refused(status: StatusCode, why: String) -> HttpReply {
    let mut response = hyper::Response::new(Full::new(Bytes::from(why)).boxed());
    *response.status_mut() = status;
    response
}
