//! Connections: from an address that is never shown, encrypted where the address or the server wants it.

use std::cell::{OnceCell, RefCell};
use std::str::FromStr;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::{Client, Config, NoTls};

use crate::servers::Servers;
use crate::{Error, Result, schema};

/// A statement of a question may take so long, unless it is said otherwise.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// What every session of ours wants: tables of one repository are joined part by part, where the parts lie.
const SETTINGS: &str = "SET search_path = codegraph, public; SET enable_partitionwise_join = on;
    SET enable_partitionwise_aggregate = on; SET jit = off;";

/// The store of an organisation, open. One thread uses it at a time.
pub struct Org {
    pub(crate) client: RefCell<Client>,
    /// Whether large tables lie on other servers.
    spread: OnceCell<bool>,
}

impl Org {
    /// Opens a store for questions.
    pub fn open(address: &str) -> Result<Org> {
        let mut client = connect(&Address::read(address)?)?;
        schema::check(&mut client)?;
        client.batch_execute(&format!(
            "SET statement_timeout = {}; SET default_transaction_read_only = on; {SETTINGS}",
            USUAL_TIME.as_millis()
        ))?;
        Ok(Org { client: RefCell::new(client), spread: OnceCell::new() })
    }

    /// Opens a store for a push, and makes it if it is not there.
    pub fn open_for_push(address: &str) -> Result<Org> {
        let mut client = connect(&Address::read(address)?)?;
        schema::make(&mut client, &mut Servers::default())?;
        client.batch_execute(SETTINGS)?;
        Ok(Org { client: RefCell::new(client), spread: OnceCell::new() })
    }

    /// Whether large tables lie on other servers.
    pub(crate) fn is_spread(&self) -> Result<bool> {
        if let Some(known) = self.spread.get() {
            return Ok(*known);
        }
        let sql = "SELECT EXISTS (
            SELECT FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
            WHERE i.inhparent = 'codegraph.reference'::regclass AND c.relkind = 'f')";
        let spread = self.client.borrow_mut().query_one(sql, &[])?.get(0);
        Ok(*self.spread.get_or_init(|| spread))
    }

    /// Makes a store whose large tables lie on other servers.
    pub fn make_on(address: &str, servers: &[String]) -> Result<()> {
        let mut client = connect(&Address::read(address)?)?;
        match schema::check(&mut client) {
            Ok(()) => Err(Error::Exists),
            Err(Error::NoStore) => schema::make(&mut client, &mut Servers::at(servers)?),
            Err(error) => Err(error),
        }
    }
}

/// Where a server is, and as whom it is asked.
pub(crate) struct Address(Config);

impl Address {
    pub(crate) fn read(address: &str) -> Result<Address> {
        let mut config = Config::from_str(address.trim()).map_err(|_| Error::Address)?;
        config.application_name("codegraph");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        Ok(Address(config))
    }

    /// Host, port and database, as the server that is asked reaches it.
    pub(crate) fn place(&self) -> Vec<(&'static str, String)> {
        let config = &self.0;
        let mut place = Vec::new();
        match config.get_hosts().first() {
            Some(Host::Tcp(name)) => place.push(("host", name.clone())),
            #[cfg(unix)]
            Some(Host::Unix(folder)) => place.push(("host", folder.display().to_string())),
            None => {}
        }
        place.extend(config.get_ports().first().map(|port| ("port", port.to_string())));
        place.extend(config.get_dbname().or(config.get_user()).map(|name| ("dbname", name.to_owned())));
        let mode = match config.get_ssl_mode() {
            SslMode::Disable => "disable",
            SslMode::Require => "require",
            _ => "prefer",
        };
        place.push(("sslmode", mode.to_owned()));
        place
    }

    /// User and password.
    pub(crate) fn who(&self) -> (String, Option<String>) {
        let password = self.0.get_password().map(|password| String::from_utf8_lossy(password).into_owned());
        (self.0.get_user().unwrap_or("postgres").to_owned(), password)
    }
}

pub(crate) fn connect(address: &Address) -> Result<Client> {
    let config = &address.0;
    let failed = |error: postgres::Error| match error.as_db_error() {
        Some(said) => Error::Connect(said.message().to_owned()),
        None => Error::Connect(reason(&error)),
    };
    match config.get_ssl_mode() {
        SslMode::Disable => config.connect(NoTls).map_err(failed),
        #[cfg(feature = "tls")]
        _ => config.connect(tls()?).map_err(failed),
        #[cfg(not(feature = "tls"))]
        SslMode::Prefer => config.connect(NoTls).map_err(failed),
        #[cfg(not(feature = "tls"))]
        _ => Err(Error::NoTls),
    }
}

/// The innermost cause: the outer ones only say that something failed.
fn reason(error: &postgres::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Trusts whom the system trusts.
#[cfg(feature = "tls")]
fn tls() -> Result<tokio_postgres_rustls::MakeRustlsConnect> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Connect(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(tokio_postgres_rustls::MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use codegraph_model::Mends;

    use super::*;

    #[test]
    fn an_address_is_never_part_of_a_message() {
        for address in
            ["postgresql://me:geheim@", "nonsense geheim", "postgresql://me:geheim@127.0.0.1:1/db?sslmode=disable"]
        {
            let Err(error) = Org::open(address) else { panic!("nobody listens there") };
            let said = format!("{error} {error:?} {:?}", error.remedy());
            assert!(!said.contains("geheim"), "{said}");
        }
    }
}
