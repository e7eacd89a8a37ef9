//! What to do next, as data: the words that hold for everybody, and apart from them the questions and commands of ours
//! that help. How those are written (a command line, a tool, a button) is for each surface to say.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

/// A question or command, by the name that all surfaces share, and what to ask it about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// As functions and tools are named: `update_docs`.
    pub name: &'static str,
    pub arguments: Vec<String>,
}

/// A part of an advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Words(Cow<'static, str>),
    Ask(Ask),
}

/// A sentence in which questions and commands are told from words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice(Vec<Piece>);

impl Advice {
    pub fn new(words: impl Into<Cow<'static, str>>) -> Advice {
        Advice::default().words(words)
    }

    /// To run a command.
    pub fn run(name: &'static str) -> Advice {
        Advice::new("run ").ask(name)
    }

    #[must_use]
    pub fn words(mut self, words: impl Into<Cow<'static, str>>) -> Advice {
        self.0.push(Piece::Words(words.into()));
        self
    }

    #[must_use]
    pub fn ask(self, name: &'static str) -> Advice {
        self.ask_about(name, [])
    }

    #[must_use]
    pub fn ask_about(mut self, name: &'static str, arguments: impl IntoIterator<Item = String>) -> Advice {
        self.0.push(Piece::Ask(Ask { name, arguments: arguments.into_iter().collect() }));
        self
    }

    /// What was said before, then this.
    #[must_use]
    pub fn then(mut self, other: Advice) -> Advice {
        self.0.extend(other.0);
        self
    }

    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The questions and commands in it.
    pub fn asks(&self) -> impl Iterator<Item = &Ask> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Ask(ask) => Some(ask),
            Piece::Words(_) => None,
        })
    }

    /// As text, with a way to write questions and commands.
    pub fn said(&self, ask: impl Fn(&Ask) -> String) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => words.clone().into_owned(),
            Piece::Ask(one) => ask(one),
        };
        self.0.iter().map(piece).collect()
    }
}

/// By the names that all surfaces share.
impl fmt::Display for Advice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.said(|ask| format!("'{}'", ask.words())))
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<&'static str> for Advice {
    fn from(words: &'static str) -> Advice {
        Advice::new(words)
    }
}

impl From<String> for Advice {
    fn from(words: String) -> Advice {
        Advice::new(words)
    }
}

impl Ask {
    /// The name and what is asked, with spaces between.
    pub fn words(&self) -> String {
        let arguments = self.arguments.iter().map(String::as_str);
        std::iter::once(self.name).chain(arguments).collect::<Vec<_>>().join(" ")
    }
}

/// What mends a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Something to do.
    Do(Advice),
    /// Words that would have been understood.
    OneOf(Vec<String>),
    /// Names that are close to what was written.
    Near(Vec<String>),
}

impl Remedy {
    /// To run a command.
    pub fn run(name: &'static str) -> Remedy {
        Remedy::Do(Advice::run(name))
    }

    /// As an advice.
    pub fn advice(&self) -> Advice {
        match self {
            Remedy::Do(advice) => advice.clone(),
            Remedy::OneOf(words) => Advice::new(format!("one of: {}", words.join(", "))),
            Remedy::Near(names) => Advice::new(format!("near: {}", names.join(", "))),
        }
    }
}

impl From<Advice> for Remedy {
    fn from(advice: Advice) -> Remedy {
        Remedy::Do(advice)
    }
}

impl From<&'static str> for Remedy {
    fn from(words: &'static str) -> Remedy {
        Remedy::Do(words.into())
    }
}

impl From<String> for Remedy {
    fn from(words: String) -> Remedy {
        Remedy::Do(words.into())
    }
}

/// An error that knows what mends it. Its message does not say it.
pub trait Mends: std::error::Error {
    fn remedy(&self) -> Option<Remedy>;

    /// What went wrong and what mends it, where both have to stand in one sentence.
    fn advice(&self) -> Advice {
        let said = Advice::new(self.to_string());
        match self.remedy() {
            Some(remedy) => said.words(": ").then(remedy.advice()),
            None => said,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_words() {
        let advice = Advice::new("delete it and ").then(Advice::run("init")).words(" there");
        assert_eq!(advice.to_string(), "delete it and run 'init' there");
        assert_eq!(advice.said(|ask| format!("<{}>", ask.name)), "delete it and run <init> there");
        assert_eq!(advice.asks().map(|ask| ask.name).collect::<Vec<_>>(), ["init"]);
    }

    #[test]
    fn a_list_of_words_is_an_advice_too() {
        let words = Remedy::OneOf(vec!["a".into(), "b".into()]);
        assert_eq!(words.advice().to_string(), "one of: a, b");
    }
}
