//! Where an answer is written: short text, with colour on a terminal.

use std::io::{self, Write};

use serde::Serialize;

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
    colour: bool,
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
        Out { writer, colour }
    }

    /// A text with the colour of its style, padded to a width.
    pub fn styled(&self, style: Style, text: &str, width: usize) -> String {
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
