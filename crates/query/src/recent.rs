//! The last few things that were read, each with the file that it is of.

use std::cell::RefCell;

use codegraph_model::FileId;

use crate::Result;

/// So many are kept: what is asked of one file after another goes from file to file in turn.
const MOST: usize = 8;

pub(crate) struct Recent<T>(RefCell<Vec<(FileId, T)>>);

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(RefCell::new(Vec::new()))
    }
}

impl<T: Clone> Recent<T> {
    pub(crate) fn get(&self, file: FileId, read: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut kept = self.0.borrow_mut();
        if let Some(place) = kept.iter().position(|(own, _)| *own == file) {
            kept[..=place].rotate_right(1);
            return Ok(kept[0].1.clone());
        }
        let new = read()?;
        kept.truncate(MOST - 1);
        kept.insert(0, (file, new.clone()));
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_last_is_kept() {
        let recent = Recent::default();
        let get = |file: u32, new: u32| recent.get(FileId(file), || Ok(new)).expect("nothing fails");
        for other in 1..MOST as u32 {
            assert_eq!((get(0, other), get(other, other)), (1, other));
        }
        assert!((1..=MOST as u32).all(|other| get(other, other) == other));
        assert_eq!(get(0, 7), 7);
    }
}
