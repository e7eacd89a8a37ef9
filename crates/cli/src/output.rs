//! Where answers go: JSON in an envelope, or short text with colour on a terminal.

use std::error::Error;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use codegraph_model::Mends;
use codegraph_runtime::Failure;
use codegraph_text::{Answer, Dialect, Out, Screen, shown};

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
    if context.terminal {
        let mut screen = Screen::new(&mut writer);
        match context.json {
            true => envelope(&mut screen, tool, answer)?,
            false => answer.print(&mut Out::on_screen(&mut screen, context.colour))?,
        }
        screen.flush()?;
    } else {
        match context.json {
            true => envelope(&mut writer, tool, answer)?,
            false => answer.print(&mut Out::new(&mut writer, context.colour))?,
        }
    }
    writer.flush()?;
    Ok(if answer.found() { Outcome::Answered } else { Outcome::NothingFound })
}

fn envelope<A: Answer>(writer: &mut dyn Write, tool: &'static str, answer: &A) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *writer, &Envelope::new(tool, answer.partial(), answer)).map_err(io_error)?;
    Ok(writeln!(writer)?)
}

/// Says something besides the answer, for people.
pub(crate) fn say(text: &str) {
    match io::stderr().is_terminal() {
        true => eprintln!("{}", shown(text)),
        false => eprintln!("{text}"),
    }
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
    let failure = failure(error);
    if failure.broken_pipe {
        return ExitCode::SUCCESS;
    }
    say(&format!("error: {}", failure.message));
    if let Some(remedy) = &failure.remedy {
        say(&format!("hint: {}", Dialect::Shell.remedy(remedy)));
    }
    ExitCode::from(2)
}

/// What went wrong, also in the crates that only commands use.
fn failure(error: &anyhow::Error) -> Failure {
    let of_scip = |cause: &(dyn Error + 'static)| cause.downcast_ref::<codegraph_scip::Error>()?.remedy();
    let of_export = |cause: &(dyn Error + 'static)| cause.downcast_ref::<codegraph_export::Error>()?.remedy();
    let of_install = |cause: &(dyn Error + 'static)| cause.downcast_ref::<codegraph_install::Error>()?.remedy();
    let mut failure = Failure::of(error);
    failure.remedy = failure.remedy.or_else(|| {
        error.chain().find_map(|cause| of_scip(cause).or_else(|| of_export(cause)).or_else(|| of_install(cause)))
    });
    failure
}
