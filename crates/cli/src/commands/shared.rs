//! Options that several commands take.

use clap::{Args, ValueEnum};
use codegraph_query::{COMPACT_LIMIT, DEFAULT_LIMIT, EntityQuestion, Mode, Selector, Window};

/// Which part of a list is shown.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct WindowArgs {
    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: usize,
    /// Leave out the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
}

impl WindowArgs {
    pub(crate) fn window(self) -> Window {
        Window { limit: self.limit, offset: self.offset }
    }

    /// A list of lines alone is short: it shows more of them, unless another limit was given.
    pub(crate) fn window_of(self, compact: bool) -> Window {
        if compact { self.or_as_many_as(COMPACT_LIMIT) } else { self.window() }
    }

    /// More than usual, unless another limit was given.
    pub(crate) fn or_as_many_as(self, usual: usize) -> Window {
        let limit = if self.limit == DEFAULT_LIMIT { usual } else { self.limit };
        Window { limit, offset: self.offset }
    }
}

/// What a question is about: one symbol or several.
#[derive(Args)]
pub(crate) struct SymbolArgs {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
    /// More of them: each gets its answer
    #[arg(value_name = "SYMBOL")]
    more: Vec<Selector>,
}

impl SymbolArgs {
    pub(crate) fn all(&self) -> Vec<Selector> {
        [&self.symbol].into_iter().chain(&self.more).cloned().collect()
    }
}

/// The same for places.
#[derive(Args)]
pub(crate) struct PlaceArgs {
    /// FILE:LINE:COLUMN (lines from 1, columns from 0 in bytes), FILE:LINE, a name, a qualified name or an id
    #[arg(allow_hyphen_values = true)]
    place: Selector,
    /// More of them: each gets its answer
    #[arg(value_name = "PLACE")]
    more: Vec<Selector>,
}

impl PlaceArgs {
    pub(crate) fn all(&self) -> Vec<Selector> {
        [&self.place].into_iter().chain(&self.more).cloned().collect()
    }
}

/// Whether linked projects are asked too.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct LinkedArgs {
    /// Ask the linked projects too
    #[arg(long, alias = "include_dependencies")]
    pub(crate) include_dependencies: bool,
}

/// How a name is compared.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct MatchArgs {
    /// How the term is compared
    #[arg(long, value_enum, value_name = "MODE", default_value_t = ModeWord::Exact)]
    mode: ModeWord,
    /// Same as --mode contains
    #[arg(long, conflicts_with = "mode")]
    contains: bool,
    /// Same as --mode starts-with
    #[arg(long, conflicts_with_all = ["mode", "contains"], alias = "starts_with")]
    starts_with: bool,
    /// Same as --mode regex
    #[arg(long, conflicts_with_all = ["mode", "contains", "starts_with"])]
    regex: bool,
    /// Upper and lower case differ
    #[arg(long, alias = "case_sensitive")]
    pub(crate) case_sensitive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ModeWord {
    /// The whole term
    Exact,
    /// A part of it
    Contains,
    /// Its beginning
    #[value(alias = "starts_with")]
    StartsWith,
    /// A regular expression, found anywhere in it
    Regex,
    /// What means the same, in other words (`query` only)
    Semantic,
}

impl MatchArgs {
    pub(crate) fn mode(self) -> Mode {
        match self.mode {
            _ if self.contains => Mode::Contains,
            _ if self.starts_with => Mode::StartsWith,
            _ if self.regex => Mode::Regex,
            ModeWord::Exact => Mode::Exact,
            ModeWord::Contains => Mode::Contains,
            ModeWord::StartsWith => Mode::StartsWith,
            ModeWord::Regex => Mode::Regex,
            ModeWord::Semantic => Mode::Semantic,
        }
    }
}

/// What entity questions are asked for.
#[derive(Args)]
pub(super) struct EntityArgs {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
    /// Show what lies outside the project too
    #[arg(long)]
    external: bool,
    /// Show the sites that name the entity but could not be bound
    #[arg(long)]
    candidates: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl EntityArgs {
    pub(super) fn question(&self) -> EntityQuestion {
        EntityQuestion {
            symbol: self.symbol.clone(),
            external: self.external,
            candidates: self.candidates,
            window: self.window.window(),
        }
    }
}
