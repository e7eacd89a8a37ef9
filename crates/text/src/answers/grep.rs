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

/// Each file once, its lines in order; what stands around several hits once. Files are in the order of their best hits.
fn hits(out: &mut Out, hits: &[Hit]) -> io::Result<()> {
    let wide = width(hits.iter().map(|hit| hit.line_number.to_string().len()), 10);
    let mut files: Vec<Vec<&Hit>> = Vec::new();
    for hit in hits {
        match files.iter_mut().find(|file| file[0].file == hit.file) {
            Some(file) => file.push(hit),
            None => files.push(vec![hit]),
        }
    }
    for file in &mut files {
        file.sort_by_key(|hit| hit.line_number);
        let path = out.styled(Style::Path, &printable(&file[0].file), 0);
        out.line(&format!("{path}{}", origin(out, file[0].origin)))?;
        lines(out, file, wide)?;
    }
    Ok(())
}

fn lines(out: &mut Out, hits: &[&Hit], wide: usize) -> io::Result<()> {
    let has_context = hits.iter().any(|hit| !hit.before.is_empty() || !hit.after.is_empty());
    let (mut shown, mut before) = (0, None);
    for (place, hit) in hits.iter().enumerate() {
        let first = hit.line_number - hit.before.len() as u32;
        if has_context && shown > 0 && first > shown + 1 {
            out.line("--")?;
        }
        around(out, first, &hit.before, wide, shown..hit.line_number)?;
        // Among others it stands as it is written.
        let text = printable(&match has_context {
            true => hit.text.replace('\t', "    ").trim_end().to_owned(),
            false => hit.text.trim().to_owned(),
        });
        let tag = tag(hit);
        let said = tag.as_ref().filter(|tag| Some(*tag) != before.as_ref());
        let said = said.map(|tag| format!("  {}", out.styled(Style::Faint, tag, 0))).unwrap_or_default();
        out.line(&format!("  {:>wide$}  {text}{said}", hit.line_number))?;
        before = tag;
        let next = hits.get(place + 1).map_or(u32::MAX, |next| next.line_number);
        around(out, hit.line_number + 1, &hit.after, wide, hit.line_number..next)?;
        shown = (hit.line_number + hit.after.len() as u32).min(next - 1);
    }
    Ok(())
}

/// Lines around a hit, as far as they are inside of a range whose start was shown.
fn around(out: &mut Out, first: u32, lines: &[String], wide: usize, open: std::ops::Range<u32>) -> io::Result<()> {
    for (line, text) in (first..).zip(lines).filter(|(line, _)| (open.start + 1..open.end).contains(line)) {
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
