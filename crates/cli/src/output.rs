//! Where answers go: JSON in an envelope, or short text with colour on a terminal.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::process::ExitCode;

use serde::Serialize;

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

/// An answer that can be printed.
pub(crate) trait Answer: Serialize {
    /// Whether there is anything in it.
    fn found(&self) -> bool {
        true
    }

    /// Whether there is more than it shows.
    fn partial(&self) -> bool {
        false
    }

    /// Prints it for people.
    fn print(&self, out: &mut Out) -> io::Result<()>;
}

/// Prints an answer in the form that was asked for.
pub(crate) fn print<A: Answer>(context: &Context, tool: &'static str, answer: &A) -> anyhow::Result<Outcome> {
    let mut out = Out::new(context.colour);
    if context.json {
        serde_json::to_writer(&mut out.writer, &Envelope::new(tool, answer.partial(), answer)).map_err(io_error)?;
        writeln!(out.writer)?;
    } else {
        answer.print(&mut out)?;
    }
    out.writer.flush()?;
    Ok(if answer.found() { Outcome::Answered } else { Outcome::NothingFound })
}

/// Serialising into a pipe that was closed is an input/output error, not one of the data.
fn io_error(error: serde_json::Error) -> anyhow::Error {
    match error.io_error_kind() {
        Some(kind) => io::Error::from(kind).into(),
        None => error.into(),
    }
}

/// Standard output for people.
pub(crate) struct Out {
    pub(crate) writer: BufWriter<StdoutLock<'static>>,
    colour: bool,
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Path,
    Kind,
    Name,
    Faint,
    Warning,
}

impl Out {
    fn new(colour: bool) -> Out {
        Out { writer: BufWriter::new(io::stdout().lock()), colour }
    }

    /// A text with the colour of its style, padded to a width.
    pub(crate) fn styled(&self, style: Style, text: &str, width: usize) -> String {
        let padding = " ".repeat(width.saturating_sub(text.chars().count()));
        if !self.colour {
            return format!("{text}{padding}");
        }
        let code = match style {
            Style::Path => "35",
            Style::Kind => "36",
            Style::Name => "1",
            Style::Faint => "2",
            Style::Warning => "33",
        };
        format!("\x1b[{code}m{text}\x1b[0m{padding}")
    }

    /// Writes a line, without white space at its end.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.writer, "{}", text.trim_end())
    }

    /// Writes a line of secondary importance.
    pub(crate) fn faint(&mut self, text: &str) -> io::Result<()> {
        let text = self.styled(Style::Faint, text, 0);
        self.line(&text)
    }

    pub(crate) fn warning(&mut self, text: &str) -> io::Result<()> {
        let text = self.styled(Style::Warning, text, 0);
        self.line(&text)
    }
}
