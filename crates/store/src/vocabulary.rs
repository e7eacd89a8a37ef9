//! All texts of the dictionary at once, for answers about the whole project: any number of threads may look them up.

use crate::{Error, Result, Store};
use codegraph_model::TermId;

/// The text of every number of the dictionary.
#[derive(Debug, Default)]
pub struct Vocabulary {
    texts: String,
    /// Start and end by number; a number without a text has an end that is nowhere.
    places: Vec<(u32, u32)>,
}

const NOWHERE: u32 = u32::MAX;

impl Store {
    /// Reads the dictionary.
    pub fn vocabulary(&self) -> Result<Vocabulary> {
        let mut all = Vocabulary::default();
        self.each_text(|id, text| {
            let start = all.texts.len() as u32;
            all.places.resize(id.0 as usize, (start, NOWHERE));
            all.texts.push_str(text);
            all.places.push((start, all.texts.len() as u32));
        })?;
        Ok(all)
    }
}

impl Vocabulary {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.places.iter().filter(|(_, end)| *end != NOWHERE).count()
    }

    /// The numbers of all texts.
    pub fn ids(&self) -> Vec<TermId> {
        let numbers = self.places.iter().enumerate().filter(|(_, (_, end))| *end != NOWHERE);
        numbers.map(|(number, _)| TermId(number as u32)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a number.
    pub fn text(&self, term: TermId) -> Result<&str> {
        let (start, end) = self.places.get(term.0 as usize).copied().unwrap_or((0, NOWHERE));
        self.texts.get(start as usize..end as usize).ok_or_else(|| Error::packed("names: a text is missing"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_number() {
        let mut all = Vocabulary::default();
        for text in [None, Some("parseUrl"), Some("la"), None, Some("rge"), Some("")] {
            let start = all.texts.len() as u32;
            all.texts.push_str(text.unwrap_or_default());
            all.places.push((start, text.map_or(NOWHERE, |_| all.texts.len() as u32)));
        }
        assert_eq!(all.ids(), [TermId(1), TermId(2), TermId(4), TermId(5)]);
        assert_eq!(all.text(TermId(4)).expect("it is there"), "rge");
        assert!(all.text(TermId(3)).is_err() && all.text(TermId(80)).is_err());
        assert_eq!(all.len(), 4);
    }
}
