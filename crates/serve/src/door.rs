//! Who is let in: the guard's rules, and no question that another page makes a browser ask.

use codegraph_runtime::{Caller, Denied, Guard, TOKEN};
use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};

/// The door of the page.
pub(crate) struct Door {
    guard: Guard,
}

/// Why somebody is not let in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    pub(crate) status: StatusCode,
    pub(crate) why: String,
}

impl Door {
    pub(crate) fn new(guard: Guard) -> Door {
        Door { guard }
    }

    /// Whether somebody may have the page itself, which holds nothing of the project and has to be there before a token
    /// can be given.
    pub(crate) fn lets_look(&self, headers: &HeaderMap) -> Result<(), Closed> {
        self.guard.lets_near(caller(headers)).map_err(closed)
    }

    /// Whether somebody may ask.
    pub(crate) fn lets_ask(&self, headers: &HeaderMap) -> Result<(), Closed> {
        self.guard.admits(caller(headers)).map_err(closed)
    }

    /// The same for what only our own page and programs ask: a browser says on whose behalf it comes.
    pub(crate) fn lets_own_page_ask(&self, headers: &HeaderMap) -> Result<(), Closed> {
        self.lets_ask(headers)?;
        match text(headers, "sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) => Err(closed(Denied::Origin)),
        }
    }
}

fn caller(headers: &HeaderMap) -> Caller<'_> {
    Caller {
        authorization: text(headers, AUTHORIZATION.as_str()),
        host: text(headers, HOST.as_str()),
        origin: text(headers, ORIGIN.as_str()),
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    // What is not readable is foreign, not absent.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

fn closed(denied: Denied) -> Closed {
    let (status, why) = match denied {
        Denied::Token => (StatusCode::UNAUTHORIZED, format!("send the value of {TOKEN} as a bearer token")),
        Denied::Host => (StatusCode::FORBIDDEN, "this machine is not called like that".to_owned()),
        Denied::Origin => (StatusCode::FORBIDDEN, "another page may not ask".to_owned()),
    };
    Closed { status, why }
}
