//! Streamable HTTP: any path is the endpoint. Only this machine is listened to, unless a secret guards the door.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use codegraph_runtime::Advice;
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

/// The secret that clients have to send as a bearer token.
const TOKEN: &str = "CODEGRAPH_TOKEN";
/// A client that does not finish its request goes.
const PATIENCE: Duration = Duration::from_secs(10);
/// Calls are short: a longer request is none.
const MOST_BYTES: usize = 4 << 20;

type Request = hyper::Request<hyper::body::Incoming>;
type Response = hyper::Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

pub(crate) async fn serve(server: Server, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let token = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    if !address.ip().is_loopback() && token.is_none() {
        return Err(Advice::error(
            format!("{address} can be reached by other machines"),
            format!("give an address of this machine such as 127.0.0.1:{}, or set {TOKEN}", address.port()),
        ));
    }
    let listener = TcpListener::bind(address).await;
    let listener = listener.with_context(|| format!("{address} cannot be listened to: give another address"))?;
    let own = listener.local_addr()?;
    let factory = move || Ok(server.clone());
    let manager = Arc::new(LocalSessionManager::default());
    let sessions = Arc::new(Sessions::new(Arc::clone(&manager)));
    let service = StreamableHttpService::new(factory, manager, guarded(own));
    ready(own);
    loop {
        // Too many open files, for example: that passes.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (service, sessions, token) = (service.clone(), Arc::clone(&sessions), token.clone());
        tokio::spawn(async move {
            let answer = hyper::service::service_fn(move |request: Request| {
                let (service, sessions) = (service.clone(), Arc::clone(&sessions));
                let allowed = admits(token.as_deref(), request.headers());
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

/// Browsers must not be used to reach us: foreign names of this machine and foreign pages are refused.
fn guarded(own: SocketAddr) -> StreamableHttpServerConfig {
    let mut hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    if !own.ip().is_loopback() {
        hosts.push(own.ip().to_string());
    }
    let origins = hosts.iter().flat_map(|host| {
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        [format!("http://{host}:*"), format!("https://{host}:*")]
    });
    let config = StreamableHttpServerConfig::default();
    let config = config.with_allowed_origins(origins.collect::<Vec<_>>()).enforce_origin_validation();
    // Behind a token any name is fine: other machines call us by names that we do not know.
    if own.ip().is_loopback() { config.with_allowed_hosts(hosts) } else { config.disable_allowed_hosts() }
}

fn admits(token: Option<&str>, headers: &HeaderMap) -> bool {
    let Some(token) = token else { return true };
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let (scheme, given) = given.and_then(|value| value.split_once(' ')).unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer") && same(given.trim_start_matches(' '), token)
}

/// Compares without saying by the time it takes how much was right.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn refused(status: StatusCode, why: String) -> Response {
    let mut response = hyper::Response::new(Full::new(Bytes::from(why)).boxed());
    *response.status_mut() = status;
    response
}
