//! The same question about several things at once: one call, one answer for each in the order in which they were named.

use serde::{Serialize, Serializer};

/// Answers to one question about several things. That to a single one is shown as if it had been asked alone.
#[derive(Clone, Debug)]
pub struct Several<A>(pub Vec<A>);

impl<A> Several<A> {
    /// Asks about each.
    pub fn ask<T, E>(about: &[T], question: impl FnMut(&T) -> Result<A, E>) -> Result<Several<A>, E> {
        Ok(Several(about.iter().map(question).collect::<Result<_, E>>()?))
    }
}

impl<A: Serialize> Serialize for Several<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Answers<'a, A> {
            answers: &'a [A],
        }
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            answers => Answers { answers }.serialize(serializer),
        }
    }
}
