//! `codegraph export`: the index in a format of other tools.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use codegraph_export::{Json, LAKE_TABLES, Lake, Level, Picture, Report, Scope};
use codegraph_files::Replacement;
use codegraph_query::{Reader, Selector};
use codegraph_runtime::Refusal;
use codegraph_scip::{ExportOptions, ExportReport, LsifReport};
use codegraph_text::human::{count, printable};
use codegraph_text::{Answer, Out};
use serde::Serialize;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print, say};
use crate::progress::Rows;

/// Write the index in a format of other tools
#[derive(Args)]
#[command(aliases = ["dump"])]
pub(crate) struct Export {
    /// The format
    #[arg(long, value_name = "FORMAT", default_value = "scip")]
    format: Format,
    /// The file to write, '-' for standard output; a folder for several tables as csv [default: index and the format's ending]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only these tables, for csv, json, ndjson and sqlite [default: all; json and ndjson: the graph]
    #[arg(long, value_name = "TABLE", value_delimiter = ',', num_args = 1..)]
    tables: Vec<String>,
    /// What a picture (dot, mermaid, graphml) is about: a file, a folder or a symbol; or what its nodes are, in one word:
    /// file, folder or symbol
    #[arg(long, value_name = "WHAT", allow_hyphen_values = true)]
    scope: Option<Selector>,
    /// What the nodes of a picture are
    #[arg(long, value_name = "LEVEL")]
    by: Option<LevelWord>,
    /// How many uses away from the scope; without one, how many levels of folders [default: 1; all]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// What the repository is called in the folders of parquet [default: where it was cloned from, else the project's name]
    #[arg(long, value_name = "NAME")]
    repository: Option<String>,
    /// Which commit it is in them [default: the one that is checked out]
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// Whose the repository is, in the table repositories of parquet
    #[arg(long, value_name = "TEAM")]
    team: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Definitions, references and documentation, as the SCIP protocol has them
    Scip,
    /// The same as LSIF has them
    Lsif,
    /// Files, symbols, references and calls with their edges, or tables, as one document
    Json,
    /// The same, one object a line
    Ndjson,
    /// Tables as comma-separated values
    Csv,
    /// Tables as a database for any client, with keys and indexes
    Sqlite,
    /// Tables for engines that ask many projects at once, in folders by repository and commit
    Parquet,
    /// Who uses whom, for Graphviz
    Dot,
    /// Who uses whom, for Markdown
    Mermaid,
    /// Who uses whom, for programs
    Graphml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelWord {
    Symbol,
    File,
    Folder,
}

impl LevelWord {
    fn level(self) -> Level {
        match self {
            LevelWord::Symbol => Level::Symbol,
            LevelWord::File => Level::File,
            LevelWord::Folder => Level::Folder,
        }
    }
}

/// Mermaid draws no more edges than this unless it is told to.
const MERMAID_EDGES: u64 = 500;

impl Format {
    fn usual_name(self) -> &'static str {
        match self {
            Format::Scip => "index.scip",
            Format::Lsif => "index.lsif",
            Format::Json => "index.json",
            Format::Ndjson => "index.ndjson",
            Format::Csv => "index-csv",
            Format::Sqlite => "index.sqlite",
            Format::Parquet => "index-parquet",
            Format::Dot => "index.dot",
            Format::Mermaid => "index.mmd",
            Format::Graphml => "index.graphml",
        }
    }

    fn has_tables(self) -> bool {
        matches!(self, Format::Json | Format::Ndjson | Format::Csv | Format::Sqlite | Format::Parquet)
    }

    fn picture(self) -> Option<Picture> {
        match self {
            Format::Dot => Some(Picture::Dot),
            Format::Mermaid => Some(Picture::Mermaid),
            Format::Graphml => Some(Picture::Graphml),
            _ => None,
        }
    }
}

impl Run for Export {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        self.check()?;
        let out = self.out.as_deref().unwrap_or(Path::new(self.format.usual_name()));
        let mut reader = context.reader()?;
        if self.format == Format::Sqlite {
            return self.database(context, &reader, out);
        }
        let is_one = self.tables.len() == 1 && (out == Path::new("-") || self.format == Format::Csv && !out.is_dir());
        if matches!(self.format, Format::Csv | Format::Parquet) && !is_one {
            return self.folder(context, &reader, out);
        }
        if out == Path::new("-") {
            let mut writer = BufWriter::new(io::stdout());
            self.content(&mut reader, &mut writer)?;
            writer.flush()?;
            return Ok(Outcome::Answered);
        }
        let report = write(out, |writer| self.content(&mut reader, writer))?;
        self.told(context, out, report)
    }
}

impl Export {
    /// An option that says nothing about the format is a mistake.
    fn check(&self) -> anyhow::Result<()> {
        let word = self.format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        if !self.tables.is_empty() && !self.format.has_tables() {
            let remedy = "--tables goes with --format csv, json, ndjson, parquet or sqlite";
            return Err(Refusal::error(format!("{word} has no tables"), remedy));
        }
        let shaped = self.scope.is_some() || self.by.is_some() || self.depth.is_some();
        if shaped && self.format.picture().is_none() {
            let remedy = "--scope, --by and --depth go with --format dot, mermaid or graphml";
            return Err(Refusal::error(format!("{word} is no picture"), remedy));
        }
        Ok(())
    }

    /// A word for a level is no name of a scope.
    fn scope(&self) -> Scope {
        let word = self.scope.as_ref().and_then(|scope| LevelWord::from_str(&scope.text(), false).ok());
        let level = self.by.or(word).map(LevelWord::level);
        let around = self.scope.clone().filter(|_| word.is_none());
        Scope { level, around, depth: self.depth }
    }

    fn content(&self, reader: &mut Reader, out: &mut (dyn Write + Send)) -> anyhow::Result<Written> {
        let rows = Rows::new();
        let version = env!("CARGO_PKG_VERSION");
        if let Some(picture) = self.format.picture() {
            let report = codegraph_export::picture(reader, picture, &self.scope(), &rows, out)?;
            return Ok(Written::Rows(report));
        }
        let form = if self.format == Format::Ndjson { Json::Lines } else { Json::Whole };
        Ok(match self.format {
            Format::Scip => Written::Scip(codegraph_scip::export(reader, version, ExportOptions::default(), out)?),
            Format::Lsif => Written::Lsif(codegraph_scip::lsif(reader, version, out)?),
            Format::Csv | Format::Parquet => {
                let shapes = codegraph_export::tables_named(&self.tables)?;
                Written::Rows(self.table(reader, &shapes[0], &rows, out)?)
            }
            _ if self.tables.is_empty() => Written::Rows(codegraph_export::nodes(reader, form, &rows, out)?),
            _ => {
                let wanted = codegraph_export::tables_named(&self.tables)?;
                Written::Rows(codegraph_export::tables(reader, form, &wanted, &rows, out)?)
            }
        })
    }

    /// A database is written by name; for a pipe it is made beside the index first.
    fn database(&self, context: &Context, reader: &Reader, out: &Path) -> anyhow::Result<Outcome> {
        let wanted = codegraph_export::tables_named(&self.tables)?;
        let piped = out == Path::new("-");
        let place = if piped { reader.store().path().with_file_name("index.db.export") } else { out.to_owned() };
        let mut new = Replacement::of(&place).with_context(|| failed(&place))?;
        let report = codegraph_export::database(reader, &wanted, new.part(), &Rows::new())?;
        if piped {
            io::copy(new.file(), &mut io::stdout())?;
            return Ok(Outcome::Answered);
        }
        new.finish().with_context(|| failed(&place))?;
        self.told(context, out, Written::Rows(report))
    }

    /// One file for each table.
    fn folder(&self, context: &Context, reader: &Reader, out: &Path) -> anyhow::Result<Outcome> {
        let wanted = codegraph_export::tables_named(&self.tables)?;
        if out == Path::new("-") {
            let remedy = "name one with --tables, or a folder with --out";
            return Err(Refusal::error("a pipe takes one table", remedy));
        }
        let mut all = Report::default();
        let rows = Rows::new();
        let part = self.part(context)?;
        for shape in &wanted {
            let place = match self.format {
                Format::Csv => out.join(format!("{}.csv", shape.name)),
                _ => out.join(shape.name).join(&part),
            };
            let folder = place.parent().unwrap_or(out);
            std::fs::create_dir_all(folder).with_context(|| failed(folder))?;
            all.written.extend(write(&place, |writer| self.table(reader, shape, &rows, writer))?.written);
        }
        if self.format == Format::Parquet && self.tables.is_empty() {
            let project = context.project()?;
            let needs = codegraph_index::needed_packages(&project, reader.store())?;
            let needs = needs.into_iter().map(|need| (need.ecosystem, need.package, need.version)).collect();
            let published = codegraph_index::published_packages(&project, reader.store())?;
            let lake = Lake { team: self.team.clone(), needs, published };
            for name in LAKE_TABLES {
                let place = out.join(name).join(&part);
                let folder = place.parent().unwrap_or(out);
                std::fs::create_dir_all(folder).with_context(|| failed(folder))?;
                all.written.extend(write(&place, |writer| Ok(lake.table(name, reader, &rows, writer)?))?.written);
            }
        }
        self.told(context, out, Written::Rows(all))
    }

    fn table(
        &self,
        reader: &Reader,
        shape: &codegraph_store::TableShape,
        rows: &Rows,
        out: &mut dyn Write,
    ) -> anyhow::Result<Report> {
        Ok(match self.format {
            Format::Csv => codegraph_export::csv(reader, shape, rows, out)?,
            _ => codegraph_export::parquet(reader, shape, rows, out)?,
        })
    }

    /// Where engines look for the values of the columns `repository` and `commit`.
    fn part(&self, context: &Context) -> anyhow::Result<PathBuf> {
        let known = codegraph_index::Identity::of(&context.project()?);
        let repository = self.repository.clone().unwrap_or(known.repository);
        let commit = self.commit.clone().or(known.commit).unwrap_or_else(|| "none".to_owned());
        let folder = |name: &str, value: &str| format!("{name}={}", encoded(value));
        Ok([folder("repository", &repository), folder("commit", &commit), "part-0.parquet".to_owned()].iter().collect())
    }

    fn told(&self, context: &Context, out: &Path, report: Written) -> anyhow::Result<Outcome> {
        if let (Format::Mermaid, Written::Rows(report)) = (self.format, &report)
            && report.written.iter().any(|part| part.name == "edges" && part.rows > MERMAID_EDGES)
        {
            say(&format!(
                "note: Mermaid draws {MERMAID_EDGES} edges unless maxEdges is set: --scope and --depth show less"
            ));
        }
        let format = self.format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        print(context, "export", &ExportAnswer { format, file: out.display().to_string(), report })
    }
}

fn failed(path: &Path) -> String {
    format!("'{}' could not be written: check that its folder is there", path.display())
}

/// A value as the name of a folder.
fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    value.bytes().fold(String::new(), |mut text, byte| {
        match plain(byte) {
            true => text.push(byte.into()),
            false => text.push_str(&format!("%{byte:02X}")),
        }
        text
    })
}

/// Writes a file that is there as a whole or not at all.
fn write<T>(path: &Path, content: impl FnOnce(&mut BufWriter<&mut File>) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let mut new = Replacement::of(path).with_context(|| failed(path))?;
    let mut writer = BufWriter::new(new.file());
    let value = content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    new.finish().with_context(|| failed(path))?;
    Ok(value)
}

/// What was written where.
#[derive(Serialize)]
struct ExportAnswer {
    format: String,
    file: String,
    #[serde(flatten)]
    report: Written,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Written {
    Scip(ExportReport),
    Lsif(LsifReport),
    Rows(Report),
}

impl Answer for ExportAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let parts = match &self.report {
            Written::Scip(report) => vec![
                count(report.documents, "document"),
                count(report.symbols, "symbol"),
                count(report.occurrences, "occurrence"),
                format!("{} from outside", count(report.external_symbols, "symbol")),
            ],
            Written::Lsif(report) => vec![
                count(report.documents, "document"),
                count(report.ranges, "range"),
                format!("{} vertices", report.vertices),
                count(report.edges, "edge"),
            ],
            Written::Rows(report) => report.written.iter().map(|part| format!("{} {}", part.rows, part.name)).collect(),
        };
        out.line(&format!("wrote {}: {}", printable(&self.file), parts.join(", ")))
    }
}
