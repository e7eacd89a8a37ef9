//! How people see symbols that use each other.

use std::io;

use codegraph_model::Certainty;
use codegraph_query::{SiteInfo, SymbolBrief, Unbound, Unseen};

use crate::human::{clipped, count, more, printable, within};
use crate::{Out, Style};

/// The symbol that an answer is about: kind, name and place. The path says which module it is in.
pub(crate) fn subject(out: &mut Out, symbol: &SymbolBrief) -> io::Result<()> {
    let kind = out.styled(Style::Kind, symbol.kind.word(), 0);
    let name = out.styled(Style::Name, &printable(&symbol.scoped), 0);
    out.line(&format!("{kind} {name}  {}", place(symbol)))
}

pub(crate) fn place(symbol: &SymbolBrief) -> String {
    format!("{}:{}", within(symbol.project.as_deref(), &symbol.file), symbol.line_number)
}

/// The last two parts of a qualified name: the file beside it says the rest. A joint inside of brackets parts nothing.
pub(crate) fn short(name: &str) -> &str {
    let is_joint = |c: char| matches!(c, '.' | ':' | '/' | '\\');
    let mut parts = name.rmatch_indices(is_joint).map(|(at, _)| at).filter(|at| !name[at + 1..].starts_with(is_joint));
    let end = parts.nth(1).map_or(name, |at| &name[at + 1..]);
    if end.contains('>') && !end.contains('<') { name } else { end }
}

/// A place of use as a list shows it.
pub(crate) struct Row<'a> {
    pub(crate) project: Option<&'a str>,
    pub(crate) file: &'a str,
    pub(crate) line: u32,
    /// The smallest symbol around it; nothing at the top of a file.
    pub(crate) user: &'a str,
    pub(crate) certainty: Certainty,
    pub(crate) text: &'a str,
}

impl<'a> Row<'a> {
    pub(crate) fn of(site: &'a SiteInfo) -> Row<'a> {
        Row {
            project: site.user.project.as_deref(),
            file: &site.file,
            line: site.line_number,
            user: if site.user.kind.is_module() { "" } else { &site.user.name },
            certainty: site.certainty,
            text: site.text.as_deref().unwrap_or_default(),
        }
    }
}

/// Lines of source beyond so many characters are cut.
const LONGEST_TEXT: usize = 120;

/// Places of use under their files: line, the symbol around it where that is another one than before, the line's text.
pub(crate) fn rows(out: &mut Out, rows: &[Row<'_>]) -> io::Result<()> {
    for file in rows.chunk_by(|a, b| a.file == b.file && a.project == b.project) {
        let path = out.styled(Style::Path, &within(file[0].project, file[0].file), 0);
        out.line(&path)?;
        let mut before = "";
        // Two names on one line are one place to look at.
        for row in file.chunk_by(|a, b| a.line == b.line && a.certainty == b.certainty).map(|same| &same[0]) {
            let user = match row.user == before || row.user.is_empty() {
                true => String::new(),
                false => out.styled(Style::Faint, &format!("{}: ", printable(row.user)), 0),
            };
            before = row.user;
            let text = clipped(&printable(row.text), LONGEST_TEXT);
            out.line(&format!("  {}{}  {user}{text}", row.line, mark(row.certainty).trim_start()))?;
        }
    }
    Ok(())
}

/// Places of use as lines alone: `file: 12, 40, 77`. A folder that all files share is named once.
pub(crate) fn lines(out: &mut Out, rows: &[Row<'_>]) -> io::Result<()> {
    let files: Vec<&[Row<'_>]> = rows.chunk_by(|a, b| a.file == b.file && a.project == b.project).collect();
    let paths: Vec<String> = files.iter().map(|file| within(file[0].project, file[0].file)).collect();
    let folder = shared_folder(&paths);
    if !folder.is_empty() {
        out.faint(&format!("in {folder}"))?;
    }
    for (file, path) in files.iter().zip(&paths) {
        let same_line = file.chunk_by(|a, b| a.line == b.line && a.certainty == b.certainty);
        let numbers: Vec<String> = same_line
            .map(|same| {
                let times = if same.len() > 1 { format!("×{}", same.len()) } else { String::new() };
                format!("{}{}{times}", same[0].line, mark(same[0].certainty).trim_start())
            })
            .collect();
        let path = out.styled(Style::Path, &path[folder.len()..], 0);
        out.line(&format!("{path}: {}", numbers.join(", ")))?;
    }
    Ok(())
}

/// Files that share a folder are listed below it if there are so many, and its path has so many bytes.
const LEAST_SHARING: usize = 3;
const LEAST_SHARED: usize = 12;

/// The folder that all paths begin with, with its slash; nothing where naming it once spares little.
fn shared_folder(paths: &[String]) -> &str {
    let Some(first) = paths.first().filter(|_| paths.len() >= LEAST_SHARING) else { return "" };
    let common = paths.iter().skip(1).fold(first.as_str(), |common, path| {
        let same = common.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        common.get(..same).unwrap_or_default()
    });
    let folder = common.rfind('/').map_or("", |at| &common[..=at]);
    if folder.len() < LEAST_SHARED { "" } else { folder }
}

/// Places of use, under their files.
pub(crate) fn sites(out: &mut Out, sites: &[SiteInfo], compact: bool) -> io::Result<()> {
    let all: Vec<Row<'_>> = sites.iter().map(Row::of).collect();
    if compact { lines(out, &all) } else { rows(out, &all) }
}

/// Nothing for what is certain.
pub(crate) fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "",
        Certainty::Inferred => " ~",
        Certainty::Candidate => " ?",
    }
}

/// Receivers that are named at most.
const MOST_RECEIVERS: usize = 8;

/// Whether a list is all there is: said where nothing else can mean the symbol, so that nobody goes on searching.
pub(crate) fn verdict(unbound: &Unbound, project: Option<&str>) -> String {
    // Of a symbol of a linked project, only what is bound is known here.
    if project.is_some() {
        return String::new();
    }
    let others = |what: &str| match unbound.elsewhere {
        0 => String::new(),
        1 => format!("; 1 other{what} is something else"),
        n => format!("; {n} others{what} are something else"),
    };
    match (unbound.total, &unbound.unseen) {
        (0, None) => format!("; that is all{}", others(" of this name")),
        (0, Some(by)) => format!("; {}{}", unseen(by), others(" of this name")),
        _ => String::new(),
    }
}

/// Who else may use a symbol.
fn unseen(unseen: &Unseen) -> String {
    let named = |names: &[String]| clipped(&printable(&names.join(", ")), LONGEST_TEXT);
    match unseen {
        Unseen::Language => "not seen: calls that the language makes without naming it".to_owned(),
        Unseen::Bases(names) => format!("not seen: calls by {}, outside of the project", named(names)),
        Unseen::Interface => "not seen: calls through an interface of another package".to_owned(),
        Unseen::Decorators(names) => format!("not seen: what {} does with it", named(names)),
        Unseen::Unread(files) => format!("not sure: the parser did not understand much of {}", named(files)),
    }
}

/// The sites that may mean the symbol: what they are asked of, or the sites themselves.
pub(crate) fn unbound(out: &mut Out, unbound: &Unbound, compact: bool) -> io::Result<()> {
    let lists = out.option("candidates", "");
    unbound_listed_by(out, unbound, compact, &lists)
}

/// The same where another question lists them.
pub(crate) fn unbound_listed_by(out: &mut Out, unbound: &Unbound, compact: bool, lists: &str) -> io::Result<()> {
    if unbound.total == 0 {
        return Ok(());
    }
    if !unbound.candidates.is_empty() {
        let others = if unbound.elsewhere == 0 {
            String::new()
        } else {
            format!("; {} known to be something else", count(unbound.elsewhere, "other"))
        };
        out.line(&format!("{} by name only may mean it, no other can{others}:", count(unbound.total, "site")))?;
        sites(out, &unbound.candidates, compact)?;
        return more(out, unbound.candidates.len(), unbound.total as usize, unbound.next_offset);
    }
    let named = |receiver: &str| if receiver.is_empty() { "-".to_owned() } else { printable(receiver) };
    let mut asked: Vec<String> = unbound
        .receivers
        .iter()
        .take(MOST_RECEIVERS)
        .map(|one| format!("{} {}", clipped(&named(&one.receiver), 40), one.sites))
        .collect();
    if unbound.receivers.len() > MOST_RECEIVERS {
        asked.push(format!("{} more", unbound.receivers.len() - MOST_RECEIVERS));
    }
    let asked = if asked.is_empty() { String::new() } else { format!(" ({})", asked.join(", ")) };
    let others = if unbound.elsewhere == 0 {
        String::new()
    } else {
        format!("; {} known to be something else", count(unbound.elsewhere, "other"))
    };
    out.faint(&format!("{} by name only may mean it{asked}, see {lists}{others}", count(unbound.total, "site")))?;
    for one in unbound.receivers.iter().filter(|one| !one.places.is_empty()) {
        let files = one.places.chunk_by(|a, b| a.file == b.file).map(|file| {
            let lines: Vec<String> = file.iter().map(|place| place.line_number.to_string()).collect();
            format!("{}: {}", printable(&file[0].file), lines.join(", "))
        });
        let places = files.collect::<Vec<_>>().join("; ");
        out.faint(&format!("  {}  {places}", clipped(&named(&one.receiver), 40)))?;
    }
    Ok(())
}
