//! The answer of `codegraph callers`: who calls a symbol. Shares arguments and output with `callees`.

use std::io;

use codegraph_query::{Call, CallList, CallsAnswer, Note, SymbolBrief};

use crate::human::{count, more, printable, remarks, unselected, width, within};
use crate::related::{mark, place as place_of, short, subject, unbound, verdict};
use crate::{Answer, Out, Style};

impl Answer for CallsAnswer {
    fn found(&self) -> bool {
        matches!(self, CallsAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, CallsAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            CallsAnswer::Found(found) => found,
            CallsAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let what = if found.of_callers { "caller" } else { "callee" };
        let calls = format!("{}, {}", count(found.total as u64, what), count(found.total_sites as u64, "call"));
        // Whoever got it as a value may call it, and nobody knows where that went.
        let is_handed_on = found.remarks.notes.iter().any(|note| matches!(note, Note::UsedAsValue { .. }));
        let verdict = match found.of_callers && !is_handed_on {
            true => verdict(&found.unbound, found.symbol.project.as_deref()),
            false => String::new(),
        };
        out.line(&format!("{calls}{verdict}"))?;
        if found.of_callers {
            callers(out, &found.calls)?;
        } else {
            let names = width(found.calls.iter().map(|call| call.name.chars().count()), 60);
            for call in &found.calls {
                out.line(&row(out, found, call, names))?;
            }
        }
        more(out, found.calls.len(), found.total, found.next_offset)?;
        dispatch(out, found)?;
        match found.of_callers || !found.unbound.candidates.is_empty() || found.unbound.total == 0 {
            true => unbound(out, &found.unbound, false)?,
            false => {
                let calls = count(found.unbound.total, "call");
                out.faint(&format!("{calls} in it could not be bound; {} shows them", out.option("candidates", "")))?;
            }
        }
        remarks(out, &found.remarks)
    }
}

/// What may be meant at run time, apart from what is proved.
fn dispatch(out: &mut Out, found: &CallList) -> io::Result<()> {
    if found.dispatch.is_empty() {
        return Ok(());
    }
    out.line("by dispatch, at run time:")?;
    for way in found.dispatch.chunk_by(|a, b| a.through == b.through) {
        out.line(&out.styled(Style::Faint, &format!("  through {}", printable(&way[0].through)), 0))?;
        for file in way.chunk_by(|a, b| a.file == b.file) {
            let path = out.styled(Style::Path, &printable(&file[0].file), 0);
            // The path of a caller says which module it is in; callees may be anywhere.
            let name =
                |symbol: &SymbolBrief| printable(if found.of_callers { short(&symbol.scoped) } else { &symbol.fqn });
            let names: Vec<String> =
                file.iter().map(|one| format!("{}:{}", name(&one.symbol), one.line_number)).collect();
            out.line(&format!("  {path}: {}", names.join(", ")))?;
        }
    }
    let left = found.total_dispatch - found.dispatch.len();
    if left > 0 { out.faint(&format!("{left} more")) } else { Ok(()) }
}

/// Callers that stand in one file and reach the symbol in the same way are one line.
fn callers(out: &mut Out, calls: &[Call]) -> io::Result<()> {
    let project = |call: &Call| call.symbol.as_ref().and_then(|symbol| symbol.project.clone());
    let same =
        |a: &Call, b: &Call| (a.depth, &a.via, &a.file) == (b.depth, &b.via, &b.file) && project(a) == project(b);
    for file in calls.chunk_by(same) {
        let path = out.styled(Style::Path, &within(project(&file[0]).as_deref(), &file[0].file), 0);
        let names: Vec<String> = file.iter().map(|call| caller(out, call)).collect();
        let via = file[0].via.as_ref().map_or_else(String::new, |via| format!("  via {}", printable(last(via))));
        let indent = "  ".repeat(file[0].depth as usize);
        out.line(&format!("{indent}{path}: {}{}", names.join(", "), out.styled(Style::Faint, &via, 0)))?;
    }
    Ok(())
}

/// A caller with the lines of its calls; the top of a file has no name.
fn caller(out: &Out, call: &Call) -> String {
    let name = match &call.symbol {
        Some(symbol) if symbol.kind.is_module() => "",
        Some(symbol) => short(&symbol.scoped),
        None => &call.name,
    };
    let colon = if name.is_empty() { "" } else { ":" };
    let own = if call.recursive { " (itself)" } else { "" };
    let name = out.styled(Style::Name, &printable(name), 0);
    format!("{name}{}{colon}{}{own}{}", mark(call.certainty).trim(), lines(call), way(call))
}

/// Where a function went as a value before it is called.
fn way(call: &Call) -> String {
    if call.way.is_empty() { String::new() } else { format!(" (as a value: {})", printable(&call.way.join(" → "))) }
}

fn lines(call: &Call) -> String {
    let lines: Vec<String> = call.lines.iter().take(8).map(u32::to_string).collect();
    let rest = if call.lines.len() > 8 { ",…" } else { "" };
    format!("{}{rest}", lines.join(","))
}

fn row(out: &Out, found: &CallList, call: &Call, names: usize) -> String {
    let name = out.styled(Style::Name, &printable(&call.name), names);
    let indent = "  ".repeat(call.depth as usize);
    let via = call.via.as_ref().map_or_else(String::new, |via| format!("  via {}", printable(last(via))));
    let project = call.symbol.as_ref().and_then(|symbol| symbol.project.as_deref());
    // What another project has is shown with its place there.
    let kind = match (&call.symbol, project) {
        (Some(symbol), Some(_)) if found.symbol.project.is_none() => format!("  ({})", place_of(symbol)),
        _ if call.external => "  (external)".to_owned(),
        _ => String::new(),
    };
    let own = if call.recursive { "  (itself)" } else { "" };
    // Most callees are called in the file that the heading names.
    let file = match call.file == found.symbol.file {
        true => "line ".to_owned(),
        false => within(found.symbol.project.as_deref(), &call.file) + ":",
    };
    let place = out.styled(Style::Path, &format!("{file}{}", lines(call)), 0);
    let faint = out.styled(Style::Faint, &format!("{via}{}", way(call)), 0);
    format!("{indent}{name}{}  {place}{kind}{own}{faint}", mark(call.certainty))
}

/// The last part of a qualified name: rows above have it with its file.
fn last(fqn: &str) -> &str {
    fqn.rsplit(['.', '/', ':']).find(|part| !part.is_empty()).unwrap_or(fqn)
}
