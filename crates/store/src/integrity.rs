//! SQLite's own check of an index, and ours.

use crate::{Result, Store, row_sum};

const MOST_COMPLAINTS: u32 = 20;

impl Store {
    /// What is wrong with the file: pages, rows, indexes, what no answer would show. Empty if nothing.
    pub fn integrity(&self) -> Result<Vec<String>> {
        let sql = format!("PRAGMA integrity_check({MOST_COMPLAINTS})");
        let mut query = self.db.prepare(&sql)?;
        let lines = query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        let mut found = if lines == ["ok"] { Vec::new() } else { lines };
        found.extend(row_sum::complaints(&self.db)?);
        if !self.glances_fit()? {
            found.push("the paths that are looked at for changes are not those of the files".to_owned());
        }
        Ok(found)
    }
}
