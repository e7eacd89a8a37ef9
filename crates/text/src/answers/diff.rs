//! The answer of `codegraph diff`: what differs between two states, whom it concerns, which tests get there.

use std::io;

use codegraph_model::Certainty;
use codegraph_query::{Concerned, DiffAnswer, Fate, Part, SymbolDiff, TestCase};

use crate::human::{clipped, count, more, printable, remarks, width};
use crate::related::{mark, place};
use crate::{Answer, Out, Style};

/// Characters of a commit's name.
const SHORT: usize = 10;
const MOST_NAMES: usize = 8;

impl Answer for DiffAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let to = self.to.as_deref().map_or("working tree".to_owned(), short);
        let files = count(self.total_files as u64, "file");
        out.line(&format!("{}..{to}: {files}, {}", short(&self.from), totals(self)))?;
        self.symbols.iter().try_for_each(|symbol| changed(out, symbol))?;
        if self.total_concerned > 0 {
            out.line(&format!("concerned: {}", count(self.total_concerned as u64, "symbol")))?;
            concerned(out, &self.concerned)?;
        }
        let proved = self.tests.iter().filter(|test| test.certainty != Certainty::Candidate).count();
        if self.all_tests > 0 {
            out.line(&format!("tests: {} of {}", self.total_tests, self.all_tests))?;
            self.tests.iter().try_for_each(|test| case(out, test))?;
        }
        if proved < self.tests.len() {
            out.faint("?: by a name or a convention; nothing proves it")?;
        }
        open(out, self)?;
        let longest = self.total.max(self.total_concerned).max(self.total_tests);
        let shown = self.symbols.len().max(self.concerned.len()).max(self.tests.len());
        more(out, shown, longest, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}

fn short(commit: &str) -> String {
    commit.chars().take(SHORT).collect()
}

fn totals(answer: &DiffAnswer) -> String {
    if answer.counts.is_empty() {
        return "no symbol differs".to_owned();
    }
    let parts: Vec<String> = answer.counts.iter().map(|(fate, count)| format!("{count} {}", word(*fate))).collect();
    parts.join(", ")
}

fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Added => "added",
        Fate::Removed => "removed",
        Fate::Moved => "moved",
        Fate::Changed => "changed",
    }
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Signature => "signature",
        Part::Body => "body",
        Part::Documentation => "documentation",
        Part::Meaning => "meaning of its names",
    }
}

fn changed(out: &mut Out, one: &SymbolDiff) -> io::Result<()> {
    let sign = match one.fate {
        Fate::Added => "+",
        Fate::Removed => "-",
        Fate::Moved => ">",
        Fate::Changed => "~",
    };
    let kind = out.styled(Style::Kind, one.symbol.kind.word(), 0);
    let name = out.styled(Style::Name, &printable(&one.symbol.fqn), 0);
    let at = out.styled(Style::Path, &place(&one.symbol), 0);
    let parts: Vec<&str> = one.parts.iter().map(|own| part(*own)).collect();
    let parts = if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) };
    out.line(&format!("{sign} {kind} {name}  {at}{parts}"))?;
    if let Some(was) = &one.was {
        out.faint(&format!("    was {}  {}", printable(&was.fqn), place(was)))?;
    }
    if let Some(old) = &one.old_signature {
        out.faint(&format!("    - {}", clipped(&printable(old), 120)))?;
        out.faint(&format!("    + {}", clipped(&printable(&one.signature), 120)))?;
    }
    Ok(())
}

fn concerned(out: &mut Out, list: &[Concerned]) -> io::Result<()> {
    let names = width(list.iter().map(|one| one.symbol.fqn.chars().count()), 60);
    for one in list {
        let indent = "  ".repeat(one.level as usize);
        let name = out.styled(Style::Name, &printable(&one.symbol.fqn), names);
        let at = out.styled(Style::Path, &place(&one.symbol), 0);
        let line = one.line_number.map_or(String::new(), |line| format!(" in line {line}"));
        let reason = format!("{} of {}{line}", one.step.word(), printable(&one.via));
        let reason = out.styled(Style::Faint, &reason, 0);
        out.line(&format!("{indent}{name}{}  {at}  {reason}", mark(one.certainty)))?;
    }
    Ok(())
}

fn case(out: &mut Out, test: &TestCase) -> io::Result<()> {
    out.line(&format!("  {}{}", printable(&test.name), mark(test.certainty)))
}

fn open(out: &mut Out, answer: &DiffAnswer) -> io::Result<()> {
    if answer.open_names.is_empty() {
        return Ok(());
    }
    let shown = answer.open_names.iter().take(MOST_NAMES);
    let shown: Vec<String> = shown.map(|open| format!("{} ({})", printable(&open.name), open.sites)).collect();
    let rest = answer.open_names.len().saturating_sub(MOST_NAMES);
    let rest = if rest > 0 { format!(" and {rest} more names") } else { String::new() };
    out.faint(&format!("names that could not be bound everywhere: {}{rest}", shown.join(", ")))
}
