//! All texts of the dictionary at once, for answers about the whole project: any number of threads may look them up.

use crate::{Error, Result, Store, TermId};

/// The text of every number of the dictionary.
#[derive(Debug, Default)]
pub struct Vocabulary {
    texts: String,
    /// Start and end by number; a number without a text has an end before its start.
    places: Vec<(u32, u32)>,
}

const NOTHING: (u32, u32) = (u32::MAX, 0);

impl Store {
    /// Reads the dictionary.
    pub fn vocabulary(&self) -> Result<Vocabulary> {
        let mut all = Vocabulary::default();
        self.each_text(|id, text| {
            all.places.resize(id.0 as usize, NOTHING);
            let start = all.texts.len() as u32;
            all.texts.push_str(text);
            all.places.push((start, all.texts.len() as u32));
        })?;
        Ok(all)
    }
}

impl Vocabulary {
    /// The text of a number.
    pub fn text(&self, term: TermId) -> Result<&str> {
        let (start, end) = self.places.get(term.0 as usize).copied().unwrap_or(NOTHING);
        self.texts.get(start as usize..end as usize).ok_or_else(|| Error::packed("names: a text is missing"))
    }
}
