//! What has to be known besides the rows of an answer: a closed list of what can be the matter. The words are those
//! that hold for everybody; questions in them are named apart, so that each surface writes them in its own way.

use codegraph_model::Advice;
use serde::{Serialize, Serializer};

/// Places that one note names.
const MOST_PLACES: usize = 8;

/// Something to know about an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A line has several names; the answer is about the first. The others with their columns.
    FirstOnLine {
        name: String,
        others: Vec<(String, u32)>,
    },
    /// A name means several symbols; the answer is about the one that nearly all uses mean, or that alone is no test,
    /// example or declaration.
    Also {
        name: String,
        /// Where the first of the others are.
        places: Vec<String>,
        total: usize,
        by_use: bool,
    },
    /// The answer is about all functions that share a name.
    Together {
        name: String,
        places: Vec<String>,
    },
    /// Keywords, comments and strings are no names.
    NoName {
        place: String,
    },
    /// A name means something that is not part of the project.
    Outside {
        name: String,
    },
    /// A module that has no file of its own.
    NoFile {
        module: String,
    },
    Unproved {
        name: String,
        then: Then,
    },
    /// Nothing has a name.
    Unnamed {
        name: String,
    },
    /// No symbol of the project has a name.
    NotInProject {
        name: String,
    },
    NoSymbol {
        name: String,
    },
    SeveralSymbols {
        name: String,
        count: usize,
    },
    /// A question without a word in it.
    Blank {
        what: &'static str,
    },
    NotIndexed {
        file: String,
    },
    NothingToExclude {
        file: String,
    },
    ParsedTooLong,
    InCommentOrString,
    /// Members are asked for of something unknown.
    UnknownReceiver,
    /// A search ended before it was complete.
    GaveUp {
        after: usize,
    },
    StoppedAfter {
        symbols: usize,
    },
    NoWord,
    NotIndexedWords {
        words: Vec<String>,
    },
    Keyword {
        word: String,
        languages: Vec<&'static str>,
    },
    InStringsOnly,
    /// Terms are single words, which a regular expression with white space never matches.
    WordsOnly {
        pattern: String,
    },
    /// Text that is no term is found by a search in the text itself.
    SearchText {
        pattern: String,
    },
    /// The function is handed on as a value.
    UsedAsValue {
        /// Where it is another one than the function that was asked about.
        name: Option<String>,
        total: usize,
        places: Vec<String>,
    },
    /// Digits that could begin an id, if they were more.
    ShortId {
        digits: usize,
    },
    /// The name stands in code, but nothing that is listed has it.
    OnlyLocal {
        name: String,
    },
    /// No file passes a filter.
    NoFilePasses {
        filter: String,
    },
    /// What was found is a file.
    IsFile {
        file: String,
    },
    /// What a search for unused code cannot see.
    Unseen,
    NothingFits {
        tokens: usize,
    },
    VagueTask,
    /// Unsaved texts were not looked at.
    SavedOnly,
    /// Said by who stands above this crate.
    Said(Advice),
}

/// Where to go on when nothing proves what a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// What has the name is listed in the answer.
    Listed,
    /// All lines with the name can be asked for.
    AskForLines,
    /// What has the name can be asked for.
    AskForDefinitions,
}

impl Note {
    /// As a sentence.
    pub fn advice(&self) -> Advice {
        match self {
            Note::Outside { name } => {
                Advice::new(format!("'{name}' lies outside the project; its uses are listed by "))
                    .ask("find_usages")
                    .words(" or ")
                    .ask("query")
            }
            Note::Unproved { name, then } => unproved(name, *then),
            Note::WordsOnly { pattern } => Advice::new("terms are single words, without spaces and points: ")
                .ask_about("grep", [pattern.clone()])
                .words(" searches whole lines"),
            Note::SearchText { pattern } => {
                Advice::default().ask_about("grep", [pattern.clone()]).words(" searches the text of every file")
            }
            Note::OnlyLocal { name } => {
                Advice::new(format!("'{name}' stands in code; locals and parameters are listed by "))
                    .ask_about("query", [name.clone()])
            }
            Note::NoFilePasses { filter } => {
                Advice::new(format!("no indexed file matches '{filter}'; ")).ask("tree").words(" lists the files")
            }
            Note::IsFile { file } => Advice::new("what is in it is listed by ").ask_about("signature", [file.clone()]),
            Note::Said(advice) => advice.clone(),
            other => Advice::new(other.words()),
        }
    }

    fn words(&self) -> String {
        match self {
            Note::FirstOnLine { name, others } => {
                let others: Vec<String> =
                    others.iter().map(|(name, column)| format!("{name} (column {column})")).collect();
                format!("this is '{name}', the first name on the line; also there: {}", others.join(", "))
            }
            Note::Together { name, places } => {
                let shown = &places[..places.len().min(MOST_PLACES)];
                let more = if shown.len() < places.len() { ", …" } else { "" };
                format!("all {} of '{name}' together: {}{more}", places.len(), shown.join(", "))
            }
            Note::Also { name, places, total, by_use } => {
                let more = if *total > places.len() { ", …" } else { "" };
                let others = if *total == 1 { "1 other".to_owned() } else { format!("{total} others") };
                let why = if *by_use {
                    format!("nearly all uses of '{name}' mean this one")
                } else {
                    format!("'{name}' is this one in the product")
                };
                format!("{why}; {others}: {}{more}", places.join(", "))
            }
            Note::NoName { place } => {
                let counts = "lines count from 1, columns from 0 in bytes; keywords, comments and strings are no names";
                format!("no name stands at {place}: {counts}")
            }
            Note::NoFile { module } => format!("'{module}' is a module without a file of its own"),
            Note::Unnamed { name } => format!("nothing is called '{name}'"),
            Note::NotInProject { name } => format!("nothing in the project is called '{name}'"),
            Note::NoSymbol { name } => format!("no symbol '{name}'"),
            Note::SeveralSymbols { name, count } => format!("'{name}' names {count} symbols"),
            Note::Blank { what } => format!("a blank {what} matches nothing"),
            Note::NotIndexed { file } => format!("'{file}' is not in the index"),
            Note::NothingToExclude { file } => format!("'{file}' is not in the index: nothing to exclude"),
            Note::ParsedTooLong => "parsing took too long".into(),
            Note::InCommentOrString => "the place is inside a comment or a string".into(),
            Note::UnknownReceiver => "nothing proves what stands before the name, so its members are not known".into(),
            Note::GaveUp { after } => format!("gave up after {after} symbols"),
            Note::StoppedAfter { symbols } => format!("stopped after {symbols} symbols"),
            Note::NoWord => "the term has no word in it: only lines with indexed words can be found".into(),
            Note::NotIndexedWords { words } => {
                format!("not indexed, compared with the text only: {}", words.join(", "))
            }
            Note::Keyword { word, languages } => {
                format!("'{word}' is a keyword of {}: uses as a keyword are not indexed", languages.join(", "))
            }
            Note::InStringsOnly => "found in strings only".into(),
            Note::UsedAsValue { name, total, places } => {
                let more = total - places.len().min(*total);
                let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
                let what = name.as_deref().unwrap_or("it");
                format!("{what} is used as a value: {}{rest}", places.join(", "))
            }
            Note::ShortId { digits } => format!("an id is found by 8 of its digits or more, these are {digits}"),
            Note::Unseen => "reflection, configuration and code outside the project are not seen".into(),
            Note::NothingFits { tokens } => format!("nothing fits into {tokens} tokens"),
            Note::SavedOnly => "tables show what was saved, not what is being written".into(),
            Note::VagueTask => "no word of the task says what is looked for".into(),
            Note::Outside { .. }
            | Note::Unproved { .. }
            | Note::WordsOnly { .. }
            | Note::SearchText { .. }
            | Note::OnlyLocal { .. }
            | Note::IsFile { .. }
            | Note::NoFilePasses { .. }
            | Note::Said(_) => self.advice().to_string(),
        }
    }
}

fn unproved(name: &str, then: Then) -> Advice {
    let said = Advice::new(format!("nothing proves what '{name}' means here; "));
    match then {
        Then::Listed => said.words("these have its name"),
        Then::AskForLines => said.ask_about("query", [name.to_owned()]).words(" lists all lines"),
        Then::AskForDefinitions => said.ask("definition").words(" lists what has this name"),
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.advice().serialize(serializer)
    }
}
