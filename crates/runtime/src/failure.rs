//! Errors as surfaces see them: what went wrong, and as data what mends it. How that is written is the surface's affair.

use codegraph_model::{Mends, Remedy};

/// An error split into its message and its remedy.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub remedy: Option<Remedy>,
    /// The reader of the answer went away: no error.
    pub broken_pipe: bool,
}

impl Failure {
    pub fn of(error: &anyhow::Error) -> Failure {
        let io = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
        let broken_pipe = io.into_iter().any(|io| io.kind() == std::io::ErrorKind::BrokenPipe);
        // Sources are part of the message already where a library has one.
        Failure { message: error.to_string(), remedy: error.chain().find_map(remedy), broken_pipe }
    }
}

/// The remedy of an error that has one.
fn remedy(error: &(dyn std::error::Error + 'static)) -> Option<Remedy> {
    fn of<E: Mends + 'static>(error: &(dyn std::error::Error + 'static)) -> Option<Remedy> {
        error.downcast_ref::<E>()?.remedy()
    }
    of::<Refusal>(error)
        .or_else(|| of::<codegraph_query::Error>(error))
        .or_else(|| of::<codegraph_index::Error>(error))
        .or_else(|| of::<codegraph_store::Error>(error))
        .or_else(|| of::<codegraph_knowledge::Error>(error))
        .or_else(|| of::<codegraph_files::Error>(error))
}

/// An error of a surface itself, with its remedy; or one of a library that only some surfaces use.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    message: String,
    remedy: Option<Remedy>,
}

impl Refusal {
    pub fn error(message: impl Into<String>, remedy: impl Into<Remedy>) -> anyhow::Error {
        anyhow::Error::new(Refusal { message: message.into(), remedy: Some(remedy.into()) })
    }

    /// From an error that knows its remedy.
    pub fn of(error: impl Mends) -> anyhow::Error {
        anyhow::Error::new(Refusal { message: error.to_string(), remedy: error.remedy() })
    }
}

impl Mends for Refusal {
    fn remedy(&self) -> Option<Remedy> {
        self.remedy.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_comes_from_the_library_that_knows_it() {
        let error = codegraph_query::Error::from(codegraph_store::Error::NotFound("x".into()));
        let failure = Failure::of(&anyhow::Error::new(error).context("no answer"));
        assert_eq!((failure.message.as_str(), failure.remedy), ("no answer", Some(Remedy::run("init"))));
        let own = Failure::of(&Refusal::error("no such thing", "give another"));
        assert_eq!(own.remedy, Some("give another".into()));
        assert_eq!(Failure::of(&anyhow::anyhow!("odd")).remedy, None);
    }
}
