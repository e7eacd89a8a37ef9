//! What only people know goes into sections of the summary. They are extended, and replaced only when asked.

use codegraph_index::Project;
use serde::Serialize;

use crate::markdown::{self, Heading, headings, line_end};
use crate::summary::{NAME, title, without_markers};
use crate::{Error, Result, folder};

/// The sections by the words for them, and their headings.
pub const SECTIONS: &[(&str, &str)] = &[
    ("purpose", "Purpose"),
    ("architecture", "Architecture"),
    ("concepts", "Key Concepts"),
    ("patterns", "Patterns"),
    ("custom", "Notes"),
];

/// Something to be kept.
#[derive(Clone, Debug, Default)]
pub struct Describe {
    /// A word of [`SECTIONS`].
    pub section: String,
    /// The heading of a custom section.
    pub title: Option<String>,
    pub content: String,
    /// Instead of what the section says so far.
    pub replace: bool,
}

/// What was kept.
#[derive(Clone, Debug, Serialize)]
pub struct DescribeAnswer {
    pub success: bool,
    pub section: String,
    pub heading: String,
    /// Not if the section says so already.
    pub changed: bool,
    pub path: String,
}

/// Adds to a section of the summary, or replaces it.
pub fn describe(project: &Project, question: &Describe) -> Result<DescribeAnswer> {
    let heading = heading(question)?;
    let content = content(question)?;
    let (_, changed) = folder::change(project, NAME, |old| {
        let start = title(project);
        page(project, old.unwrap_or(&start), &heading, &content, question.replace)
    })?;
    Ok(DescribeAnswer {
        success: true,
        section: question.section.trim().to_ascii_lowercase(),
        heading,
        changed,
        path: format!("{}/{NAME}", project.data_dir()),
    })
}

fn heading(question: &Describe) -> Result<String> {
    let word = question.section.trim().to_ascii_lowercase();
    let Some((word, heading)) = SECTIONS.iter().find(|(own, _)| *own == word) else {
        let allowed = SECTIONS.iter().map(|(word, _)| (*word).to_owned()).collect();
        return Err(Error::UnknownSection { word: question.section.clone(), allowed });
    };
    let given = question.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    match given {
        None => Ok((*heading).to_owned()),
        Some(title) if *word == "custom" && !title.contains(['\n', '\r', '#']) => Ok(title.to_owned()),
        Some(_) if *word == "custom" => Err(Error::invalid("a title is one line without '#'", "give another")),
        Some(_) => Err(Error::invalid("only a custom section has a title", "give the section 'custom'")),
    }
}

/// The text with its headings below that of the section, so that it stays in it.
fn content(question: &Describe) -> Result<String> {
    let text = question.content.trim_end().trim_start_matches(['\n', '\r']).replace("\r\n", "\n");
    if text.trim().is_empty() {
        return Err(Error::invalid("there is nothing to keep", "give some text"));
    }
    without_markers(&text)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let found = headings(&text.lines().collect::<Vec<_>>());
    let highest = found.iter().map(|heading| heading.level).min().unwrap_or(6);
    for Heading { line, level, text } in found.iter().filter(|_| highest < 3) {
        if lines[*line].trim_start().starts_with('#') {
            lines[*line] = format!("{} {text}", "#".repeat((level + 3 - highest).min(6)));
        }
    }
    Ok(lines.join("\n"))
}

/// The page with the text in its section.
fn page(project: &Project, old: &str, heading: &str, content: &str, replace: bool) -> Result<String> {
    let end = line_end(old);
    let content = content.replace('\n', end);
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    let generated = markdown::generated(&project.folder().join(NAME), &lines)?;
    let hidden = |line: usize| generated.as_ref().is_some_and(|part| part.contains(&line));
    let own: Vec<Heading> = headings(&lines).into_iter().filter(|one| !hidden(one.line)).collect();
    let word =
        SECTIONS.iter().find(|(word, own)| own == &heading && *word != "custom").map_or(heading, |(word, _)| word);
    let means = |text: &str| text.eq_ignore_ascii_case(heading) || text.eq_ignore_ascii_case(word);
    let place = own.iter().position(|one| one.level == 2 && means(&one.text));
    let Some(place) = place else {
        // A new section stands with the user's others, before what is generated.
        let at = generated.as_ref().map_or(lines.len(), |part| part.start);
        let text = format!("## {heading}{end}{end}{content}{end}");
        return Ok(inserted(&lines, at..at, &text, end));
    };
    let mut range = markdown::section(&own, place, lines.len());
    if let Some(part) = generated.filter(|part| range.contains(&part.start)) {
        range.end = part.start;
    }
    let body = lines[range.start + 1..range.end].concat();
    if !replace && is_said(body.trim(), &content, end) {
        return Ok(old.to_owned());
    }
    // What the user wrote stays byte for byte: the new text goes behind the last line of it.
    let last = range.clone().rev().find(|line| !lines[*line].trim().is_empty()).unwrap_or(range.start);
    let start = if replace { range.start } else { last };
    Ok(inserted(&lines, start + 1..range.end, &format!("{end}{content}{end}"), end))
}

/// Whether the text stands in the section already, as paragraphs of its own.
fn is_said(said: &str, content: &str, end: &str) -> bool {
    let gap = end.repeat(2);
    format!("{gap}{said}{gap}").contains(&format!("{gap}{content}{gap}"))
}

/// Puts a text in the place of some lines, with one empty line before what follows, and one before itself.
fn inserted(lines: &[&str], place: std::ops::Range<usize>, text: &str, end: &str) -> String {
    let mut before = lines[..place.start].concat();
    let after = lines[place.end..].concat();
    if !before.is_empty() && !before.ends_with('\n') {
        before.push_str(end);
    }
    let open = before.is_empty() || before.ends_with(&end.repeat(2)) || text.starts_with(end);
    let (lead, tail) = (if open { "" } else { end }, if after.is_empty() { "" } else { end });
    format!("{before}{lead}{text}{tail}{after}")
}
