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

type Request = hyper::Request<hyper::body::Incoming>;
type Response = hyper::Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

pub(crate) async fn serve(server: Server, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let guard = Guard::at(address)?;
    let listener = TcpListener::bind(address).await;
    let failed = |error| Refusal::error(format!("{address} cannot be listened to: {error}"), "give another address");
    let listener = listener.map_err(failed)?;
    let own = listener.local_addr()?;
    let guard = Arc::new(guard.listening(own));
    let factory = move || Ok(server.clone());
    let manager = Arc::new(LocalSessionManager::default());
    let sessions = Arc::new(Sessions::new(Arc::clone(&manager)));
    let service = StreamableHttpService::new(factory, manager, guarded(&guard));
    ready(own);
    loop {
        // Too many open files, for example: that passes.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (service, sessions, guard) = (service.clone(), Arc::clone(&sessions), Arc::clone(&guard));
        tokio::spawn(async move {
            let answer = hyper::service::service_fn(move |request: Request| {
                let (service, sessions) = (service.clone(), Arc::clone(&sessions));
                let allowed = admits(&guard, request.headers());
                async move {
                    if !allowed {
                        let how = format!("send the value of {TOKEN} as a bearer token\n");
                        return Ok::<_, Infallible>(refused(StatusCode::UNAUTHORIZED, how));
                    }
                    Ok(answered(&service, &sessions, request).await)
                }
            });
            let mut connection = hyper::server::conn::http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
            // A connection that breaks concerns its client only.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

/// Answers a request that has come whole, in time.
async fn answered(service: &Service, sessions: &Sessions, request: Request) -> Response {
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

fn refused(status: StatusCode, why: String) -> Response {
    let mut response = hyper::Response::new(Full::new(Bytes::from(why)).boxed());
    *response.status_mut() = status;
    response
}
