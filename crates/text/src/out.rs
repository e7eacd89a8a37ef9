//! Where an answer is written: short text, with colour on a terminal.

use std::io::{self, Write};

use codegraph_model::{Advice, Ask};
use serde::Serialize;

use crate::Dialect;
use crate::screen::{Screen, marked};

/// An answer that can be written for people and models.
pub trait Answer: Serialize {
    /// Whether there is anything in it.
    fn found(&self) -> bool {
        true
    }

    /// Whether there is more than it shows.
    fn partial(&self) -> bool {
        false
    }

    /// Writes it as text.
    fn print(&self, out: &mut Out) -> io::Result<()>;
}

/// What text is written to.
pub struct Out<'w> {
    pub writer: &'w mut dyn Write,
    colour: Option<Colour>,
    dialect: Dialect,
}

/// How colours are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    Plain,
    /// So that a screen knows them from those of a text.
    Marked,
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    Path,
    Kind,
    Name,
    Faint,
    Warning,
}

impl<'w> Out<'w> {
    pub fn new(writer: &'w mut dyn Write, colour: bool) -> Out<'w> {
        Out { writer, colour: colour.then_some(Colour::Plain), dialect: Dialect::Shell }
    }

    /// For a terminal.
    pub fn on_screen(screen: &'w mut Screen<'_>, colour: bool) -> Out<'w> {
        Out { writer: screen, colour: colour.then_some(Colour::Marked), dialect: Dialect::Shell }
    }

    /// Without colour, for who asks in this way.
    pub fn plain(writer: &'w mut dyn Write, dialect: Dialect) -> Out<'w> {
        Out { writer, colour: None, dialect }
    }

    /// How an option is written: `--limit 5` or `limit=5`; `value` is empty for one that takes none.
    pub fn option(&self, name: &str, value: &str) -> String {
        match self.dialect {
            Dialect::Shell => format!("--{} {value}", name.replace('_', "-")).trim_end().to_owned(),
            Dialect::Tool { .. } if value.is_empty() => format!("{name}=true"),
            // In tools a list goes on with a cursor.
            Dialect::Tool { .. } if name == "offset" => format!("cursor={value}"),
            Dialect::Tool { .. } => format!("{name}={value}"),
        }
    }

    /// An option has another name in a tool than on the command line.
    pub fn word(&self, shell: &'static str, tool: &'static str) -> &'static str {
        match self.dialect {
            Dialect::Shell => shell,
            Dialect::Tool { .. } => tool,
        }
    }

    /// How another question is named: `'codegraph find'` or `codegraph_find`.
    pub fn command(&self, name: &'static str) -> String {
        self.dialect.ask(&Ask { name, arguments: Vec::new() })
    }

    /// A sentence with questions and commands in it.
    pub fn advice(&self, advice: &Advice) -> String {
        self.dialect.advice(advice)
    }

    /// A text with the colour of its style, padded to a width.
    pub fn styled(&self, style: Style, text: &str, width: usize) -> String {
        let padding = " ".repeat(width.saturating_sub(text.chars().count()));
        let Some(colour) = self.colour else {
            return format!("{text}{padding}");
        };
        let code = match style {
            Style::Path => "35",
            Style::Kind => "36",
            Style::Name => "1",
            Style::Faint => "2",
            Style::Warning => "33",
        };
        match colour {
            Colour::Plain => format!("\x1b[{code}m{text}\x1b[0m{padding}"),
            Colour::Marked => format!("{}{text}{}{padding}", marked(code), marked("0")),
        }
    }

    /// Writes a line, without white space at its end.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.writer, "{}", text.trim_end())
    }

    /// Writes a line of secondary importance.
    pub fn faint(&mut self, text: &str) -> io::Result<()> {
        let text = self.styled(Style::Faint, text, 0);
        self.line(&text)
    }

    pub fn warning(&mut self, text: &str) -> io::Result<()> {
        let text = self.styled(Style::Warning, text, 0);
        self.line(&text)
    }
}
