//! SQLite's own check of an index.

use crate::{Result, Store};

const MOST_COMPLAINTS: u32 = 20;

impl Store {
    /// What SQLite finds wrong with the file: pages, rows, indexes. Empty if nothing.
    pub fn integrity(&self) -> Result<Vec<String>> {
        let sql = format!("PRAGMA integrity_check({MOST_COMPLAINTS})");
        let mut query = self.db.prepare(&sql)?;
        let lines = query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        Ok(if lines == ["ok"] { Vec::new() } else { lines })
    }
}
