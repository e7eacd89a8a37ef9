//! Other servers that hold parts of the large tables: plain tables there, foreign tables of `postgres_fdw` here. Part by
//! part in turn, so that what belongs to one repository lies on one server and is joined there.

use postgres::Transaction;

use crate::connect::{Address, connect};
use crate::schema::{LARGE, PARTS, VERSION, trigrams};
use crate::{Error, Result};

/// The servers that hold parts; none if all lie on the server that is asked.
#[derive(Default)]
pub(crate) struct Servers {
    addresses: Vec<Address>,
}

impl Servers {
    pub(crate) fn at(addresses: &[String]) -> Result<Servers> {
        Ok(Servers { addresses: addresses.iter().map(|address| Address::read(address)).collect::<Result<_>>()? })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The name of the server that holds a part.
    pub(crate) fn of(&self, part: usize) -> Option<String> {
        (!self.is_empty()).then(|| named(part % self.addresses.len()))
    }

    /// Makes the parts on their servers, and lets the server that is asked know these.
    pub(crate) fn make(&mut self, work: &mut Transaction<'_>) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        work.batch_execute("CREATE EXTENSION IF NOT EXISTS postgres_fdw WITH SCHEMA public;")?;
        for (number, address) in self.addresses.iter().enumerate() {
            let parts = (number..PARTS).step_by(self.addresses.len());
            make_parts(address, parts)?;
            let name = named(number);
            let options = options(&address.place());
            let user = options_of_user(address);
            work.batch_execute(&format!(
                "CREATE SERVER {name} FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({options});
                 CREATE USER MAPPING FOR PUBLIC SERVER {name} OPTIONS ({user});"
            ))?;
        }
        Ok(())
    }
}

fn named(number: usize) -> String {
    format!("codegraph_{number}")
}

/// Many rows at a time, all servers at once, and nobody waits for ever for a row that two pushes write.
fn options(place: &[(&'static str, String)]) -> String {
    const OF_ALL: &[(&str, &str)] = &[
        ("fetch_size", "5000"),
        ("batch_size", "1000"),
        ("async_capable", "true"),
        // What is asked of three tables at once is looked up in the order in which it is written.
        ("options", "-c lock_timeout=60s -c join_collapse_limit=1"),
    ];
    let of_all = OF_ALL.iter().map(|(name, value)| (*name, (*value).to_owned()));
    list(place.iter().cloned().chain(of_all))
}

/// Who asks reads through this user, whose rows are those that the table here lets through.
fn options_of_user(address: &Address) -> String {
    let (user, password) = address.who();
    let has_password = password.is_some();
    let mut options: Vec<(&str, String)> = vec![("user", user)];
    options.extend(password.map(|password| ("password", password)));
    if !has_password {
        options.push(("password_required", "false".to_owned()));
    }
    list(options.into_iter())
}

fn list<'a>(options: impl Iterator<Item = (&'a str, String)>) -> String {
    let quoted = options.map(|(name, value)| format!("{name} '{}'", value.replace('\'', "''")));
    quoted.collect::<Vec<_>>().join(", ")
}

/// The parts of a server, as plain tables. Those that are there from an earlier try stay, if they are empty.
fn make_parts(address: &Address, parts: impl Iterator<Item = usize> + Clone) -> Result<()> {
    let mut client = connect(address)?;
    let mut work = client.transaction()?;
    work.batch_execute(
        "CREATE SCHEMA IF NOT EXISTS codegraph; SET LOCAL search_path = codegraph, public;
         CREATE TABLE IF NOT EXISTS parts(version integer NOT NULL);",
    )?;
    let made: i64 = work.query_one("SELECT count(*) FROM parts", &[])?.get(0);
    if made == 0 {
        for table in LARGE {
            for part in parts.clone() {
                work.batch_execute(&table.alone(part))?;
            }
        }
        trigrams(&mut work, parts)?;
        work.execute("INSERT INTO parts VALUES ($1)", &[&VERSION])?;
        return Ok(work.commit()?);
    }
    for part in parts {
        let there: bool =
            work.query_one("SELECT to_regclass($1) IS NOT NULL", &[&format!("codegraph.file_{part}")])?.get(0);
        let used = there && work.query_opt(&format!("SELECT FROM file_{part} LIMIT 1"), &[])?.is_some();
        if !there || used {
            return Err(Error::OtherParts);
        }
    }
    Ok(())
}
