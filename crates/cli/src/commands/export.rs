//! `codegraph export`: the index in a format of other tools.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use codegraph_files::Replacement;
use codegraph_scip::{ExportOptions, ExportReport};
use codegraph_text::human::{count, printable};
use codegraph_text::{Answer, Out};
use serde::Serialize;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Write the index in a format of other tools
#[derive(Args)]
#[command(aliases = ["dump"])]
pub(crate) struct Export {
    /// The format
    #[arg(long, value_name = "FORMAT", default_value = "scip")]
    format: Format,
    /// The file to write, '-' for standard output [default: index.scip]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Definitions, references and documentation, as the SCIP protocol has them
    Scip,
}

impl Run for Export {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let Format::Scip = self.format;
        let out = self.out.as_deref().unwrap_or(Path::new("index.scip"));
        let mut reader = context.reader()?;
        if out == Path::new("-") {
            let mut writer = BufWriter::new(io::stdout());
            codegraph_scip::export(&mut reader, env!("CARGO_PKG_VERSION"), ExportOptions::default(), &mut writer)?;
            return Ok(Outcome::Answered);
        }
        let report = write(out, |writer| {
            Ok(codegraph_scip::export(&mut reader, env!("CARGO_PKG_VERSION"), ExportOptions::default(), writer)?)
        })?;
        print(context, "export", &ExportAnswer { format: "scip", file: out.display().to_string(), report })
    }
}

/// Writes a file that is there as a whole or not at all.
fn write<T>(path: &Path, content: impl FnOnce(&mut BufWriter<&mut File>) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let failed = || format!("'{}' could not be written: check that its folder is there", path.display());
    let mut new = Replacement::of(path).with_context(failed)?;
    let mut writer = BufWriter::new(new.file());
    let value = content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    new.finish().with_context(failed)?;
    Ok(value)
}

/// What was written where.
#[derive(Serialize)]
struct ExportAnswer {
    format: &'static str,
    file: String,
    #[serde(flatten)]
    report: ExportReport,
}

impl Answer for ExportAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let report = &self.report;
        out.line(&format!(
            "wrote {}: {}, {}, {}, {} from outside",
            printable(&self.file),
            count(report.documents, "document"),
            count(report.symbols, "symbol"),
            count(report.occurrences, "occurrence"),
            count(report.external_symbols, "symbol"),
        ))
    }
}
