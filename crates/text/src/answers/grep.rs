//! The answer of `codegraph grep`: the lines that match, by file, each with what its place is.

use std::io;

use codegraph_grep::{FileCount, GrepAnswer, Hit};
use codegraph_model::LineType;

use crate::human::{count, more, origin, printable, remarks, width};
use crate::{Answer, Out, Style};

impl Answer for GrepAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        match &self.counts {
            Some(counts) => files(out, counts, self.files_only)?,
            None => hits(out, &self.hits)?,
        }
        if self.total == 0 {
            nothing(out, self)?;
        } else if self.next_offset.is_some() {
            let shown = self.counts.as_ref().map_or(self.hits.len(), Vec::len);
            let all = if self.counts.is_some() { self.files_matched } else { self.total };
            let files = count(self.files_matched as u64, "file");
            out.faint(&format!("{} in {files}", count(self.total as u64, "hit")))?;
            more(out, shown, all, self.next_offset)?;
        }
        for file in &self.binary {
            out.faint(&format!("note: {} is binary: the search ended in it", printable(file)))?;
        }
        remarks(out, &self.remarks)
    }
}

fn nothing(out: &mut Out, answer: &GrepAnswer) -> io::Result<()> {
    let patterns: Vec<String> = answer.patterns.iter().map(|pattern| format!("'{}'", printable(pattern))).collect();
    out.line(&format!("no hit for {}", patterns.join(" or ")))?;
    let searched = count(answer.files_searched as u64, "file");
    let (hidden, ignored) = (out.option("hidden", ""), out.option(out.word("no-ignore", "no_ignore"), ""));
    out.faint(&format!(
        "searched {searched}; not searched: hidden files ({hidden}), ignored ones ({ignored}), binary ones"
    ))
}

fn files(out: &mut Out, counts: &[FileCount], names: bool) -> io::Result<()> {
    for file in counts {
        let path = out.styled(Style::Path, &printable(&file.file), 0);
        match names {
            true => out.line(&path)?,
            false => out.line(&format!("{path}:{}", file.count))?,
        }
    }
    Ok(())
}

fn hits(out: &mut Out, hits: &[Hit]) -> io::Result<()> {
    let wide = width(hits.iter().map(|hit| hit.line_number.to_string().len()), 10);
    let mut file = "";
    for hit in hits {
        if hit.file != file {
            file = &hit.file;
            let path = out.styled(Style::Path, &printable(file), 0);
            out.line(&format!("{path}{}", origin(out, hit.origin)))?;
        }
        let first = hit.line_number - hit.before.len() as u32;
        around(out, first, &hit.before, wide)?;
        let text = printable(hit.text.trim());
        let tag = tag(hit).map(|tag| format!("  {}", out.styled(Style::Faint, &tag, 0)));
        out.line(&format!("  {:>wide$}  {text}{}", hit.line_number, tag.unwrap_or_default()))?;
        around(out, hit.line_number + 1, &hit.after, wide)?;
    }
    Ok(())
}

/// Lines around a hit.
fn around(out: &mut Out, first: u32, lines: &[String], wide: usize) -> io::Result<()> {
    for (line, text) in (first..).zip(lines) {
        out.line(&format!("  {line:>wide$}- {}", printable(&text.replace('\t', "    "))))?;
    }
    Ok(())
}

/// `[defines User]`, `[in save]`, `[comment in save]`.
fn tag(hit: &Hit) -> Option<String> {
    let name = hit.symbol.as_ref().map(|symbol| printable(&symbol.name));
    if let (true, Some(name)) = (hit.defines, &name) {
        return Some(format!("[defines {name}]"));
    }
    let kind = hit.line_type.filter(|kind| matches!(kind, LineType::Comment | LineType::String));
    match (kind, name) {
        (Some(kind), Some(name)) => Some(format!("[{} in {name}]", kind.word())),
        (Some(kind), None) => Some(format!("[{}]", kind.word())),
        (None, Some(name)) => Some(format!("[in {name}]")),
        (None, None) => None,
    }
}
