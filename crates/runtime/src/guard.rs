//! Who may talk to a listener of ours: only this machine, unless a secret guards the door; and no page of somebody else
//! through the browser of a user. Knows no protocol: a listener hands over what the headers say.

use std::net::SocketAddr;

use crate::Refusal;

/// The variable with the secret that clients have to send as a bearer token.
pub const TOKEN: &str = "CODEGRAPH_TOKEN";

/// The door of one listener.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Where it listens.
    own: SocketAddr,
    token: Option<String>,
}

/// What a request says about where it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caller<'h> {
    pub authorization: Option<&'h str>,
    pub host: Option<&'h str>,
    pub origin: Option<&'h str>,
}

/// Why a request is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    Token,
    Host,
    Origin,
}

impl Guard {
    /// For a listener at an address, with the secret of the environment.
    pub fn at(address: SocketAddr) -> anyhow::Result<Guard> {
        Guard::new(address, std::env::var(TOKEN).ok().filter(|token| !token.is_empty()))
    }

    /// Refuses an address that other machines reach where there is no secret.
    pub fn new(address: SocketAddr, token: Option<String>) -> anyhow::Result<Guard> {
        if !address.ip().is_loopback() && token.is_none() {
            return Err(Refusal::error(
                format!("{address} can be reached by other machines"),
                format!("give an address of this machine such as 127.0.0.1:{}, or set {TOKEN}", address.port()),
            ));
        }
        Ok(Guard { own: address, token })
    }

    /// The same door, where the system chose the port.
    #[must_use]
    pub fn listening(self, own: SocketAddr) -> Guard {
        Guard { own, ..self }
    }

    /// The names of this machine that a request may be for; behind a secret any, because other machines call us by
    /// names that we do not know.
    pub fn hosts(&self) -> Option<Vec<String>> {
        self.own.ip().is_loopback().then(|| self.names())
    }

    /// The pages that may ask, as `http://host:*`.
    pub fn origins(&self) -> Vec<String> {
        let bracketed = |host: String| if host.contains(':') { format!("[{host}]") } else { host };
        let names = self.names().into_iter().map(bracketed);
        names.flat_map(|host| [format!("http://{host}:*"), format!("https://{host}:*")]).collect()
    }

    fn names(&self) -> Vec<String> {
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
        if !self.own.ip().is_loopback() {
            names.push(self.own.ip().to_string());
        }
        names
    }

    /// Whether a request may be answered.
    pub fn admits(&self, caller: Caller<'_>) -> Result<(), Denied> {
        if !self.knows(caller.authorization) {
            return Err(Denied::Token);
        }
        self.lets_near(caller)
    }

    /// Whether a request comes by a name of this machine and from no foreign page. Enough for what is no secret.
    pub fn lets_near(&self, caller: Caller<'_>) -> Result<(), Denied> {
        let foreign = |name: &str, names: &[String]| !names.iter().any(|own| own.eq_ignore_ascii_case(name));
        if self.hosts().is_some_and(|names| caller.host.is_none_or(|host| foreign(without_port(host), &names))) {
            return Err(Denied::Host);
        }
        let page = caller.origin.map(|origin| origin.split_once("://").map_or(origin, |(_, host)| host));
        match page.is_some_and(|page| foreign(without_port(page), &self.names())) {
            true => Err(Denied::Origin),
            false => Ok(()),
        }
    }

    /// Whether a header has the secret, if there is one.
    pub fn knows(&self, authorization: Option<&str>) -> bool {
        let Some(token) = &self.token else { return true };
        let (scheme, given) = authorization.and_then(|value| value.split_once(' ')).unwrap_or_default();
        scheme.eq_ignore_ascii_case("bearer") && same(given.trim_start_matches(' '), token)
    }
}

/// `[::1]:80` and `localhost:80` without the port.
fn without_port(host: &str) -> &str {
    if let Some((inner, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return inner;
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// Compares without saying by the time it takes how much was right.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, token: Option<&str>) -> anyhow::Result<Guard> {
        Guard::new(address.parse().expect("an address"), token.map(str::to_owned))
    }

    #[test]
    fn other_machines_need_a_secret() {
        assert!(guard("0.0.0.0:80", None).is_err());
        let open = guard("0.0.0.0:80", Some("s3cret")).expect("guarded");
        let caller = Caller { host: Some("build.example:80"), ..Caller::default() };
        assert_eq!(open.admits(caller), Err(Denied::Token));
        assert_eq!(open.admits(Caller { authorization: Some("Bearer s3cret"), ..caller }), Ok(()));
        assert_eq!(open.admits(Caller { authorization: Some("Bearer s3crex"), ..caller }), Err(Denied::Token));
    }

    #[test]
    fn foreign_names_and_pages_are_refused() {
        let own = guard("127.0.0.1:8080", None).expect("this machine");
        let ask = |host: &'static str, origin: Option<&'static str>| {
            own.admits(Caller { host: Some(host), origin, ..Caller::default() })
        };
        assert_eq!(ask("localhost:8080", None), Ok(()));
        assert_eq!(ask("[::1]:8080", Some("http://localhost:3000")), Ok(()));
        assert_eq!(ask("evil.example", None), Err(Denied::Host));
        assert_eq!(ask("127.0.0.1:8080", Some("https://evil.example")), Err(Denied::Origin));
        assert_eq!(own.admits(Caller::default()), Err(Denied::Host));
    }
}
