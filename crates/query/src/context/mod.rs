//! The one question that answers a task: which symbols it is about, what they look like, who calls them, what to read.
//!
//! Words of the task are looked for in names, comments and code; rare words count more. The answer is a text for a
//! model that never has more tokens than were asked for, and the same as data.

mod evidence;
mod excerpt;
mod fit;
mod indexed;
mod literal;
mod many;
mod meaning;
mod named;
mod near;
mod rank;
mod render;
mod task;
mod words;

use codegraph_model::{Symbol, SymbolKind};
use codegraph_store::SymbolRow;
use serde::Serialize;

pub(crate) use excerpt::Body;
pub use many::{ManyFile, ManySymbol, ManyTask};
pub(crate) use meaning::Compared;
pub use near::Neighbour;
pub use words::each_stem;

use crate::graph::Graph;
use crate::lookup::{self, Wanted};
use crate::relation::SymbolBrief;
use crate::{Error, Note, Reader, Remarks, Result, nearest};
use evidence::Evidence;
use excerpt::Telling;
use fit::Fitter;
use indexed::Indexed;
use named::Named;
use rank::{Focus, Ranked};
use task::Task;

/// How many tokens an answer has at most unless asked otherwise: what most questions need. A task that is to be worked on
/// is worth more.
pub const DEFAULT_TOKENS: usize = 700;

/// A task in words or names.
#[derive(Clone, Debug)]
pub struct ContextQuestion {
    pub task: String,
    /// Symbols that are wanted in any case: names, qualified names, `file:line`, ids.
    pub names: Vec<String>,
    /// The most tokens of the text.
    pub tokens: usize,
    /// Files that the asker works on: what is in or near them counts more.
    pub focus: Vec<String>,
}

impl Default for ContextQuestion {
    fn default() -> ContextQuestion {
        ContextQuestion { task: String::new(), names: Vec::new(), tokens: DEFAULT_TOKENS, focus: Vec::new() }
    }
}

/// What a task is about.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ContextAnswer {
    pub task: String,
    /// The words that were looked for.
    pub words: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_words: Vec<String>,
    /// The likeliest first.
    pub symbols: Vec<ContextSymbol>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_next: Vec<ReadNext>,
    pub left_out: LeftOut,
    /// The tokens of the text, and how many it may have.
    pub tokens: usize,
    pub budget: usize,
    /// The answer as text.
    #[serde(skip)]
    pub text: String,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A symbol that a task is about.
#[derive(Clone, Debug, Serialize)]
pub struct ContextSymbol {
    pub symbol_id: String,
    pub fqn: String,
    /// The qualified name without that of its module.
    #[serde(skip)]
    pub scoped: String,
    pub name: String,
    pub kind: SymbolKind,
    /// Which of many projects it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub file: String,
    pub line_number: u32,
    pub end_line: u32,
    pub score: f64,
    /// The words of the task that it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Neighbour>,
    #[serde(skip_serializing_if = "is_zero")]
    pub more_callers: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<Neighbour>,
    #[serde(skip_serializing_if = "is_zero")]
    pub more_callees: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub body_is_cut: bool,
}

impl ContextSymbol {
    /// A symbol of which nothing is shown yet.
    fn of(brief: SymbolBrief, score: f64, task: &Task, words: &[u16]) -> ContextSymbol {
        let words = words.iter().take(MOST_WORDS).map(|word| task.words[usize::from(*word)].word.clone());
        ContextSymbol {
            symbol_id: brief.symbol_id,
            fqn: brief.fqn,
            scoped: brief.scoped,
            name: brief.name,
            kind: brief.kind,
            project: brief.project,
            file: brief.file,
            line_number: brief.line_number,
            end_line: brief.end_line,
            score: (score * 100.0).round() / 100.0,
            words: words.collect(),
            signature: None,
            summary: String::new(),
            callers: Vec::new(),
            more_callers: 0,
            callees: Vec::new(),
            more_callees: 0,
            body: None,
            body_is_cut: false,
        }
    }
}

/// A file with lines that are worth reading.
#[derive(Clone, Debug, Serialize)]
pub struct ReadNext {
    /// Which of many projects it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub file: String,
    pub ranges: Vec<ReadRange>,
}

/// Lines with the name of what stands there.
#[derive(Clone, Debug, Serialize)]
pub struct ReadRange {
    pub start_line: u32,
    pub end_line: u32,
    pub name: String,
}

/// What an answer does not show.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LeftOut {
    /// Symbols with some of the words.
    pub symbols: usize,
    /// Bodies of symbols that are shown.
    pub bodies: usize,
    /// Files with some of the words that were not looked into.
    pub files: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Answers what a task is about.
pub fn context(reader: &Reader, question: &ContextQuestion) -> Result<ContextAnswer> {
    asks_something(question)?;
    let task = Task::of(&question.task);
    let focus = Focus { paths: focus(reader, &question.focus)? };
    let mut evidence = evidence::collect(reader, &task)?;
    let named = Named::of(reader, &task)?;
    let mut ranking = rank::rank(reader, &task, &mut evidence, &named, &focus)?;
    let mut answer = ContextAnswer {
        task: question.task.clone(),
        budget: question.tokens,
        remarks: Remarks::of(reader),
        ..ContextAnswer::default()
    };
    words(&task, &evidence, &mut answer);
    answer.left_out.files = evidence.files.len().saturating_sub(ranking.files.len());
    put_names_first(reader, question, &mut ranking.symbols, &mut answer.remarks)?;
    let graph = Graph::new(reader);
    let found = Indexed::new(&graph, &task, &ranking.symbols);
    let mut fitter = Fitter::new(found, Telling { task: &task, worth: &evidence.worth });
    fitter.fill(&mut answer)?;
    for file in &fitter.found.describer.remarks.stale_files {
        answer.remarks.stale(file);
    }
    if ranking.symbols.is_empty() {
        explain(reader, question, &mut answer)?;
    } else if answer.symbols.is_empty() {
        answer.remarks.note(Note::NothingFits { tokens: question.tokens });
    }
    Ok(answer)
}

fn asks_something(question: &ContextQuestion) -> Result<()> {
    match question.task.trim().is_empty() && question.names.is_empty() {
        true => Err(Error::Invalid {
            what: "there is neither a task nor a name".into(),
            give: "give a task in words or some names",
        }),
        false => Ok(()),
    }
}

/// Symbols by the words of a question alone, best first.
pub(crate) fn by_words(reader: &Reader, question: &str) -> Result<Vec<(SymbolRow, f64)>> {
    let task = Task::of(question);
    let mut evidence = evidence::collect(reader, &task)?;
    let named = Named::of(reader, &task)?;
    let ranking = rank::by_words(reader, &task, &mut evidence, &named, &Focus { paths: Vec::new() })?;
    Ok(ranking.symbols.into_iter().map(|one| (one.row, one.score)).collect())
}

/// Whether a symbol is what people look for.
pub(crate) fn is_answer(symbol: &Symbol) -> bool {
    rank::prior(symbol) > 0.3
}

/// Words that are named in an answer at most.
const MOST_SHOWN_WORDS: usize = 24;

/// The most telling words, and those that stand nowhere.
fn words(task: &Task, evidence: &Evidence, answer: &mut ContextAnswer) {
    let mut places: Vec<usize> = (0..task.words.len()).collect();
    places.sort_by(|a, b| evidence.worth[*b].total_cmp(&evidence.worth[*a]).then(a.cmp(b)));
    places.truncate(MOST_SHOWN_WORDS);
    places.sort_unstable();
    answer.words = places.into_iter().map(|place| task.words[place].word.clone()).collect();
    let unknown = task.words.iter().zip(&evidence.worth).filter(|(word, worth)| **worth == 0.0 && word.said >= 1.0);
    answer.unknown_words = unknown.map(|(word, _)| word.word.clone()).take(MOST_SHOWN_WORDS / 2).collect();
}

fn focus(reader: &Reader, given: &[String]) -> Result<Vec<String>> {
    given.iter().map(|path| Ok(reader.file(path)?.path.clone())).collect()
}

/// More than any words give.
const NAMED: f64 = 1000.0;
/// Symbols that one name may stand for.
const MOST_OF_A_NAME: usize = 5;

/// What is asked for by name goes before what only has the words.
fn put_names_first(
    reader: &Reader,
    question: &ContextQuestion,
    all: &mut Vec<Ranked>,
    remarks: &mut Remarks,
) -> Result<()> {
    for name in &question.names {
        let mut found = lookup::by_selector(reader, &name.as_str().into(), false, &Wanted::anything())?;
        let best = found.first().map(|one| one.rank);
        found.retain(|one| Some(one.rank) == best && one.symbol.0 != 0);
        if found.is_empty() {
            remarks.note(Note::NoSymbol { name: name.trim().to_owned() });
            remarks.nearest.extend(crate::find::near(reader, name.trim())?);
        }
        for one in &found {
            let row = SymbolRow::new(one.file.id, one.symbol);
            let place = all.iter().position(|ranked| ranked.row == row);
            let old = place.map(|place| all.remove(place));
            let (score, words) = old.map_or((0.0, Vec::new()), |old| (old.score, old.words));
            all.push(Ranked { row, score: score + NAMED, words });
        }
        if found.len() > MOST_OF_A_NAME {
            remarks.note(Note::SeveralSymbols { name: name.trim().to_owned(), count: found.len() });
        }
    }
    rank::sort(all);
    Ok(())
}

/// Says what an empty answer covered, and what was perhaps meant.
fn explain(reader: &Reader, question: &ContextQuestion, answer: &mut ContextAnswer) -> Result<()> {
    answer.remarks.cover(reader, &[])?;
    let mut words: Vec<&String> = answer.words.iter().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    for word in words.into_iter().take(2) {
        answer.remarks.nearest.extend(nearest::terms(reader, word)?);
    }
    if answer.words.is_empty() && question.names.is_empty() {
        answer.remarks.note(Note::VagueTask);
    }
    Ok(())
}

/// Words that are named for a symbol at most, and characters of its summary.
const MOST_WORDS: usize = 8;
const MOST_SUMMARY: usize = 140;

fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
