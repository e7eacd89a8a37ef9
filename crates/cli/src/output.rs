//! Where answers go: JSON in an envelope, or short text with colour on a terminal.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use codegraph_surface::{Answer, Failure, Out};

use crate::context::Context;
use crate::envelope::Envelope;

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Answered,
    NothingFound,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Answered => ExitCode::SUCCESS,
            Outcome::NothingFound => ExitCode::from(1),
        }
    }
}

/// Prints an answer in the form that was asked for.
pub(crate) fn print<A: Answer>(context: &Context, tool: &'static str, answer: &A) -> anyhow::Result<Outcome> {
    let mut writer = BufWriter::new(io::stdout().lock());
    if context.json {
        serde_json::to_writer(&mut writer, &Envelope::new(tool, answer.partial(), answer)).map_err(io_error)?;
        writeln!(writer)?;
    } else {
        answer.print(&mut Out::new(&mut writer, context.colour))?;
    }
    writer.flush()?;
    Ok(if answer.found() { Outcome::Answered } else { Outcome::NothingFound })
}

/// Serialising into a pipe that was closed is an input/output error, not one of the data.
fn io_error(error: serde_json::Error) -> anyhow::Error {
    match error.io_error_kind() {
        Some(kind) => io::Error::from(kind).into(),
        None => error.into(),
    }
}

/// Prints an error. A reader that went away is no error.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let failure = Failure::of(error);
    if failure.broken_pipe {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {}", failure.message);
    if let Some(hint) = &failure.hint {
        eprintln!("hint: {hint}");
    }
    ExitCode::from(2)
}
