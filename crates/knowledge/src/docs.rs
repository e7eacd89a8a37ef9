//! The notes of the project for agents, gathered on one page with their sources; whole, or a section of it.

use codegraph_index::Project;
use codegraph_model::Advice;
use codegraph_query::{Reader, Remarks, Window};
use codegraph_store::Store;
use serde::Serialize;

use crate::markdown::{headings, section};
use crate::sources::{DocSource, NoteFile, find};
use crate::{Error, Result, folder};

const NAME: &str = "docs.md";

/// The first line of the page: by it we know that it is ours.
const OURS: &str =
    "<!-- codegraph:docs gathered from the files named below; 'codegraph update-docs' reads them again -->";

/// How many lines an answer has unless asked otherwise.
const DEFAULT_LINES: usize = 2000;

const MOST_SECTIONS: usize = 200;

/// A question for the notes.
#[derive(Clone, Debug)]
pub struct Docs {
    /// A source or its folder, a heading, or `SOURCE#HEADING`; everything if absent.
    pub section: Option<String>,
    /// Read the sources again first, if they have changed.
    pub refresh: bool,
    /// In lines.
    pub window: Window,
}

impl Default for Docs {
    fn default() -> Docs {
        Docs { section: None, refresh: true, window: Window { limit: DEFAULT_LINES, offset: 0 } }
    }
}

/// A part of the notes that can be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocSection {
    /// What to ask for: `SOURCE#HEADING`, or the source alone for all of it.
    pub section: String,
    pub level: usize,
    pub lines: usize,
}

/// The notes, or a part of them.
#[derive(Clone, Debug, Serialize)]
pub struct DocsAnswer {
    pub content: String,
    pub lines: usize,
    pub total_lines: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub sources: Vec<DocSource>,
    /// All parts; of a section that was asked for, those that fit.
    pub sections: Vec<DocSection>,
    pub path: String,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// What reading the sources again gave.
#[derive(Clone, Debug, Serialize)]
pub struct UpdateDocsAnswer {
    pub success: bool,
    pub sources: Vec<DocSource>,
    pub sections: usize,
    pub changed: bool,
    pub path: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Advice>,
}

/// Reads all sources again and keeps them in `.codegraph/docs.md`. The sources themselves are never changed.
pub fn update_docs(project: &Project, store: &Store) -> Result<UpdateDocsAnswer> {
    let (found, notes) = find(project, store)?;
    let changed = match found.is_empty() && folder::read(project, NAME)?.is_none() {
        true => false,
        false => folder::change(project, NAME, |old| ours(project, old).map(|()| page(project.name(), &found)))?.1,
    };
    Ok(UpdateDocsAnswer {
        success: true,
        sections: found.iter().map(|one| parts(one).len()).sum(),
        sources: found.into_iter().map(|one| one.source).collect(),
        changed,
        path: format!("{}/{NAME}", project.data_dir()),
        notes,
    })
}

/// Answers with the notes, or with the sections that were asked for.
pub fn docs(project: &Project, reader: &Reader, question: &Docs) -> Result<DocsAnswer> {
    let mut remarks = Remarks::of(reader);
    let (found, notes) = find(project, reader.store())?;
    notes.into_iter().for_each(|note| remarks.say(note));
    if question.refresh {
        match update_docs(project, reader.store()) {
            Err(error) if !error.is_read_only() => return Err(error),
            _ => {}
        }
    } else if folder::read(project, NAME)?.is_some_and(|kept| kept != page(project.name(), &found)) {
        let older = Advice::new(format!("{}/{NAME} is older than its sources: ", project.data_dir()));
        remarks.say(older.then(Advice::run("update_docs")));
    }
    let all: Vec<(DocSection, String)> = found.iter().flat_map(parts).collect();
    let asked = question.section.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let (content, fitting) = match asked {
        None => (page(project.name(), &found), all.iter().map(|(section, _)| section.clone()).collect()),
        Some(asked) => chosen(&all, asked),
    };
    if found.is_empty() {
        remarks.say("the project has no CLAUDE.md and no AGENTS.md".into());
    } else if fitting.is_empty() {
        remarks.nearest = all.iter().map(|(section, _)| section.section.clone()).take(20).collect();
    }
    let path = format!("{}/{NAME}", project.data_dir());
    Ok(DocsAnswer { path, ..answer(found, content, fitting, question, remarks) })
}

fn answer(
    found: Vec<NoteFile>,
    content: String,
    mut sections: Vec<DocSection>,
    question: &Docs,
    remarks: Remarks,
) -> DocsAnswer {
    let lines: Vec<&str> = if found.is_empty() { Vec::new() } else { content.split_inclusive('\n').collect() };
    let start = question.window.offset.min(lines.len());
    let end = start.saturating_add(question.window.limit).min(lines.len());
    sections.truncate(MOST_SECTIONS);
    DocsAnswer {
        content: lines[start..end].concat(),
        lines: end - start,
        total_lines: lines.len(),
        next_offset: (end < lines.len()).then_some(end),
        sources: found.into_iter().map(|one| one.source).collect(),
        sections,
        path: String::new(),
        remarks,
    }
}

/// The page with all notes.
fn page(name: &str, found: &[NoteFile]) -> String {
    let mut out = format!("{OURS}\n");
    for (i, one) in found.iter().enumerate() {
        let source = &one.source;
        let kind = match source.folder == "." {
            true => format!("Project: {name}"),
            false => format!("Library: {}", source.folder),
        };
        let also = match source.also.as_slice() {
            [] => String::new(),
            also => format!(" (also {})", also.join(", ")),
        };
        let rule = if i > 0 { "\n---\n" } else { "" };
        out.push_str(&format!("{rule}\n## {kind}\n> Source: {}{also}\n\n{}\n", source.path, one.text.trim_end()));
    }
    out
}

/// A page that somebody else wrote is not overwritten.
fn ours(project: &Project, old: Option<&str>) -> Result<()> {
    match old.is_none_or(|text| text.starts_with("<!-- codegraph:docs") || text.trim().is_empty()) {
        true => Ok(()),
        false => Err(Error::Foreign { path: project.folder().join(NAME) }),
    }
}

/// The whole of a source and its sections, each with its text.
fn parts(found: &NoteFile) -> Vec<(DocSection, String)> {
    let lines: Vec<&str> = found.text.split_inclusive('\n').collect();
    let all = headings(&lines);
    let path = &found.source.path;
    let whole = DocSection { section: path.clone(), level: 0, lines: lines.len() };
    let part = |place: usize| {
        let range = section(&all, place, lines.len());
        let heading = &all[place];
        let name = format!("{path}#{}", heading.text);
        (DocSection { section: name, level: heading.level, lines: range.len() }, lines[range].concat())
    };
    let sections = (0..all.len()).map(part);
    std::iter::once((whole, found.text.clone())).chain(sections).collect()
}

/// The sections that a text means: by source and heading, by source or its folder, by heading; else by a part of one.
fn chosen(all: &[(DocSection, String)], asked: &str) -> (String, Vec<DocSection>) {
    let lower = asked.to_lowercase();
    let folder = |source: &str| source.rsplit_once('/').map_or(".", |(folder, _)| folder).to_lowercase();
    let heading = |section: &str| section.split_once('#').map(|(_, heading)| heading.to_lowercase());
    type Test<'a> = Box<dyn Fn(&DocSection) -> bool + 'a>;
    let tests: [Test<'_>; 4] = [
        Box::new(|one| one.section.to_lowercase() == lower),
        Box::new(|one| one.level == 0 && folder(&one.section) == lower.trim_end_matches('/')),
        Box::new(|one| heading(&one.section).is_some_and(|text| text == lower)),
        Box::new(|one| heading(&one.section).is_some_and(|text| text.contains(&lower))),
    ];
    for test in &tests {
        let fitting: Vec<&(DocSection, String)> = all.iter().filter(|(section, _)| test(section)).collect();
        if !fitting.is_empty() {
            let text: Vec<String> = fitting
                .iter()
                .map(|(one, text)| format!("> Source: {}\n\n{}\n", one.section, text.trim_end()))
                .collect();
            return (text.join("\n"), fitting.into_iter().map(|(section, _)| section.clone()).collect());
        }
    }
    (String::new(), Vec::new())
}
