//! Plain SQL over the store, read-only and bounded.

use codegraph_query::{Remarks, SqlAnswer};
use codegraph_store::SqlLimits;
use postgres::error::SqlState;
use serde_json::{Map, Value};

use crate::{Error, Org, Result};

impl Org {
    /// Runs one statement that cannot change anything, whatever the rights of who asks.
    pub fn sql(&self, statement: &str, limits: SqlLimits) -> Result<SqlAnswer> {
        let statement = statement.trim().trim_end_matches(';');
        let mut client = self.client.borrow_mut();
        let seconds = limits.time.as_secs();
        let failed = |error: postgres::Error| match error.as_db_error() {
            Some(said) if *said.code() == SqlState::QUERY_CANCELED => Error::TooLong(seconds),
            Some(said) => Error::Statement(said.message().to_owned()),
            None => Error::from(error),
        };
        let mut work = client.build_transaction().read_only(true).start()?;
        work.batch_execute(&format!("SET LOCAL statement_timeout = {}", limits.time.as_millis().max(1)))?;
        let columns: Vec<String> =
            work.prepare(statement).map_err(failed)?.columns().iter().map(|column| column.name().to_owned()).collect();
        if columns.is_empty() {
            return Err(Error::Statement("it gives no rows".to_owned()));
        }
        // The server writes each row as JSON: every type has a form there.
        let most = limits.rows.saturating_add(1);
        let wrapped = format!("SELECT row_to_json(answer)::text FROM ({statement}\n) AS answer LIMIT {most}");
        let mut rows: Vec<Map<String, Value>> = Vec::new();
        let (mut truncated, mut bytes) = (false, 0);
        for row in work.query(&wrapped, &[]).map_err(failed)? {
            let text: String = row.get(0);
            bytes += text.len();
            if rows.len() >= limits.rows || bytes > limits.bytes {
                truncated = true;
                break;
            }
            match serde_json::from_str(&text) {
                Ok(Value::Object(row)) => rows.push(row),
                _ => return Err(Error::Statement("a row has no form in JSON".to_owned())),
            }
        }
        work.rollback()?;
        Ok(SqlAnswer { columns, rows, truncated, remarks: Remarks::default() })
    }
}
