//! Another name for a symbol or a local name: every place that has to change, and why it must not be done, if so.
//!
//! Done only where every use is proven. Strings and comments are never touched. What is planned here is checked by
//! [`Renaming::check`] on the index as it would be afterwards: the same links, with one name changed. So a name that would
//! be captured, hidden or read differently is found by the linker itself, in every language.

mod blocks;
mod collide;
mod family;
mod graph;
mod open;
mod patch;
mod shorthand;
mod stretch;

use std::collections::BTreeMap;

use codegraph_model::{FileId, Span};

use serde::Serialize;

use crate::at::{Meaning, Pointing, point};
use crate::definition::{of_local, of_symbol};
use crate::graph::Graph;
use crate::relation::SiteInfo;
use crate::select::Unselected;
use crate::symbol::Place;
use crate::{Definition, Error, Reader, Remarks, Result, Selector, vocabulary};

use family::Family;
use graph::Shape;
use patch::Ours;

/// A question for what a new name changes.
#[derive(Clone, Debug, Default)]
pub struct Rename {
    pub symbol: Selector,
    pub new_name: String,
    /// Leave the uses alone that nothing proves, instead of refusing.
    pub leave_unproven: bool,
    /// Refuse what needs a file to be called otherwise.
    pub keep_files: bool,
}

/// What a new name changes, or why no single symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum RenameAnswer {
    Found(Box<Renaming>),
    Unselected(Unselected),
}

/// What a new name changes.
#[derive(Clone, Debug, Serialize)]
pub struct Renaming {
    pub symbol: Definition,
    pub old_name: String,
    pub new_name: String,
    /// By path and position.
    pub files: Vec<FileChanges>,
    /// Places that change.
    pub total: usize,
    /// Why it is not done; empty if it can be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Objection>,
    /// Uses that nothing proves, left as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<SiteInfo>,
    pub total_unproven: usize,
    /// All changes as a patch.
    pub patch: String,
    /// Whether the files were written.
    pub applied: bool,
    #[serde(flatten)]
    pub remarks: Remarks,
    /// How the files are linked before.
    #[serde(skip)]
    before: BTreeMap<FileId, Shape>,
}

/// The changes of one file.
#[derive(Clone, Debug, Serialize)]
pub struct FileChanges {
    pub file: String,
    /// What it is called afterwards, where files are found by the names of their types.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_file: Option<String>,
    pub changes: Vec<TextChange>,
    /// The text afterwards.
    #[serde(skip)]
    pub text: Vec<u8>,
}

/// A stretch of a text that gets another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextChange {
    pub range: Place,
    pub text: String,
}

/// Why a name is not changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Objection {
    pub why: Why,
    /// In words.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_number: Option<u32>,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It is no name of the language.
    NotAName,
    /// What is meant cannot be renamed at all.
    NotRenamable,
    /// The name is taken where it is declared.
    Collides,
    /// Uses that nothing proves.
    Unproven,
    /// It may stand for something outside the project that has the same name.
    MayOverride,
    /// Its file has its name, and is found by it.
    NamesFile,
    /// Some name would mean something else afterwards.
    ChangesMeaning,
}

impl Objection {
    fn new(why: Why, message: impl Into<String>) -> Objection {
        Objection { why, message: message.into(), file: None, line_number: None }
    }

    fn at(self, file: &str, line: u32) -> Objection {
        Objection { file: Some(file.to_owned()), line_number: Some(line), ..self }
    }
}

/// Where the name stands that would be renamed, and what it is; none if it cannot be.
pub fn prepare_rename(reader: &Reader, selector: &Selector) -> Result<Option<(Place, String)>> {
    let graph = Graph::new(reader);
    let Pointing::Here(pointed) = point(&graph, selector)? else { return Ok(None) };
    let Some(one) = pointed.first() else { return Ok(None) };
    let Some(family) = Family::alone(&graph, &one.meaning)? else { return Ok(None) };
    let view = reader.view_of(one.file)?;
    let source = reader.source(&view.record)?;
    let own = family
        .in_span(&source.text(one.span))
        .map(|(start, end)| Span::new(one.span.start + start as u32, one.span.start + end as u32));
    Ok(own.map(|span| (view.place(span), family.name.clone())))
}

/// Answers what a new name changes. What it answers is to be checked before it is done.
pub fn rename(reader: &Reader, question: &Rename) -> Result<RenameAnswer> {
    let graph = Graph::new(reader);
    let pointed = match point(&graph, &question.symbol)? {
        Pointing::Here(pointed) => pointed,
        Pointing::Unselected(other) => return Ok(RenameAnswer::Unselected(other)),
    };
    let outside = || Error::Invalid {
        what: format!("nothing of the project that has a name stands at '{}'", question.symbol),
        give: "give a name, FILE:LINE:COLUMN of one, or an id",
    };
    let one = pointed.first().ok_or_else(outside)?;
    let mut remarks = Remarks::of(reader);
    let symbol = match &one.meaning {
        Meaning::Symbol(row) => of_symbol(reader, *row, one, &mut remarks)?,
        Meaning::Local(file, binding) => of_local(&graph, *file, *binding, one, &mut remarks)?,
        _ => return Err(outside()),
    };
    let new_name = question.new_name.trim().to_owned();
    let mut answer = Renaming {
        old_name: symbol.name.clone(),
        symbol,
        new_name,
        files: Vec::new(),
        total: 0,
        refused: Vec::new(),
        unproven: Vec::new(),
        total_unproven: 0,
        patch: String::new(),
        applied: false,
        remarks,
        before: BTreeMap::new(),
    };
    match Family::of(&graph, &one.meaning)? {
        Some(family) => plan(&graph, question, &family, &mut answer)?,
        None => answer.refused.push(Objection::new(Why::NotRenamable, "it has no name of its own in the text")),
    }
    Ok(RenameAnswer::Found(Box::new(answer)))
}

fn plan(graph: &Graph<'_>, question: &Rename, family: &Family, answer: &mut Renaming) -> Result<()> {
    answer.old_name.clone_from(&family.name);
    if let Some(objection) = collide::no_name(&family.name, &answer.new_name) {
        answer.refused.push(objection);
        return Ok(());
    }
    let sites = family.sites(graph)?;
    let mut moves = collide::moves(graph, family, &answer.new_name)?;
    answer.refused.extend(collide::unmovable(graph, &moves, question.keep_files)?);
    let is_field = family.symbols.first().map(|row| open::is_field(graph, *row)).transpose()?.unwrap_or(false);
    for (file, spans) in &sites {
        let view = graph.reader.view_of(*file)?;
        let source = graph.reader.source(&view.record)?;
        let stored = graph.reader.store().facts(*file)?;
        let linked = graph.file(*file)?;
        let short_literals = shorthand::is_known(graph, *file)?;
        let short_words = shorthand::words(&source.bytes, vocabulary::language(&view.record.language)?);
        let double = |span: Span| {
            // Written out: the value stands behind its key.
            let before = source.text(Span::new(span.start.saturating_sub(16), span.start));
            let apart = before.trim_end().ends_with(':');
            let known = patch::double(&stored.facts, &linked.links, *file, family, span);
            let short = || {
                short_words.contains(&span.start)
                    || short_literals && shorthand::literal(&stored.facts, &source.bytes, span).is_some()
            };
            let ours = if is_field { Ours::Key } else { Ours::Value };
            known.or_else(|| short().then_some(ours)).filter(|_| !apart)
        };
        let changes = patch::changes(&view, &source, spans, family, &answer.new_name, double);
        if !changes.is_empty() {
            answer.total += changes.len();
            let text = patch::applied(&source.bytes, &changes);
            let (path, new_file) = (view.record.path.clone(), moves.remove(file));
            answer.patch.push_str(&patch::diff(&path, new_file.as_deref(), &source.bytes, &text));
            answer.files.push(FileChanges { file: path, new_file, changes, text });
        }
    }
    answer.files.sort_by(|a, b| a.file.cmp(&b.file));
    answer.refused.extend(collide::collisions(graph, family, &answer.new_name)?);
    answer.refused.extend(collide::may_override(graph, family)?.filter(|_| !question.leave_unproven));
    answer.refused.extend(collide::is_shared(graph, family)?.filter(|_| !question.leave_unproven));
    answer.refused.extend(collide::is_fixed(graph, family)?);
    answer.refused.extend(collide::is_lone_key(graph, family, &sites)?.filter(|_| !question.leave_unproven));
    answer.unproven = open::unproven(graph, family, &sites)?;
    answer.total_unproven = answer.unproven.len();
    if answer.total_unproven > 0 && !question.leave_unproven {
        let message = format!("nothing proves what {} of its uses mean", answer.total_unproven);
        answer.refused.push(Objection::new(Why::Unproven, message));
    }
    answer.before = graph::shapes(graph, &sites, &answer.new_name)?;
    Ok(())
}

impl Renaming {
    /// Whether it can be done.
    pub fn is_safe(&self) -> bool {
        self.refused.is_empty() && !self.files.is_empty()
    }

    /// Compares with the index as it would be afterwards: the same names have to mean the same things.
    pub fn check(&mut self, after: &Reader) -> Result<()> {
        let graph = Graph::new(after);
        for (file, before) in &self.before {
            let now = Shape::of(&graph, *file)?;
            if let Some(at) = before.difference(&now) {
                let view = after.view_of(*file)?;
                let line = at.map_or(1, |at| view.facts().line_of(at).max(1));
                let message = "a name would mean something else than before";
                self.refused.push(Objection::new(Why::ChangesMeaning, message).at(&view.record.path, line));
            }
        }
        Ok(())
    }
}
