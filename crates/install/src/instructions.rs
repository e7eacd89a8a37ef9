//! A short block for the notes that agents read, between two markers at the end of the file.

const BEGIN: &str = "<!-- codegraph:instructions -->";
const END: &str = "<!-- /codegraph:instructions -->";

/// What agents are told. Short: it is read in every session.
const TEXT: &str = "## Finding code

Where a project has a `.codegraph` folder, ask codegraph instead of searching with grep or reading whole files. Answers are
fresh, and they say when they are complete (\"that is all\"): no second search is needed then. As tools (`codegraph_refs`, …)
or in a shell:

- `codegraph refs X --compact` every use of X; `codegraph callers X --depth 2`, `codegraph impact X` what depends on it
- `codegraph get X` the source of X, of long bodies with `--about \"WORDS\"` the lines that matter, with `FILE:LINE` those around it
- `codegraph context \"TASK\"` what a task or a question in words is about; `codegraph grep PATTERN` text in any file

X is a name, `Type.method`, `FILE:LINE` or `FILE:NAME`; several at once are one call.
";

/// The names of the files, in the order in which one is made if there is none.
pub(crate) const FILES: &[&str] = &["AGENTS.md", "CLAUDE.md"];

pub(crate) fn block() -> String {
    format!("{BEGIN}\n{TEXT}{END}\n")
}

/// The text with the block; `None` if it is there as it should be.
pub(crate) fn insert(text: &str) -> Option<String> {
    if text.lines().any(|line| line.trim() == BEGIN) {
        return None;
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = block().replace('\n', end);
    let gap = match () {
        () if text.is_empty() => "",
        () if text.ends_with('\n') => end,
        () => &end.repeat(2),
    };
    // The last line ends as the last line did, so that what was there can be told from the result.
    let block = if text.ends_with('\n') { &block } else { block.trim_end() };
    Some(format!("{text}{gap}{block}"))
}

/// The text without the block; `None` if it is not there.
pub(crate) fn remove(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let begin = lines.iter().position(|line| line.trim() == BEGIN)?;
    let end = begin + lines[begin..].iter().position(|line| line.trim() == END)?;
    let before = lines[..begin].concat();
    let after = lines[end + 1..].concat();
    if after.is_empty() {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let whole = [line_end.repeat(2), line_end.to_owned(), String::new()];
        let exact = whole.iter().filter_map(|gap| before.strip_suffix(gap.as_str()));
        if let Some(found) = exact.into_iter().find(|found| insert(found).as_deref() == Some(text)) {
            return Some(found.to_owned());
        }
    }
    Some(format!("{before}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_taken_out_byte_for_byte() {
        for text in ["", "\n", "# A\n", "# A", "# A\r\n\r\nb\r\n", "x\n\n\n"] {
            let after = insert(text).expect("not there yet");
            assert_eq!(insert(&after), None);
            assert_eq!(remove(&after).as_deref(), Some(text), "{after:?}");
        }
    }

    #[test]
    fn what_was_written_around_the_block_stays() {
        let after = insert("# A\n").expect("not there yet");
        assert_eq!(remove(&format!("{after}\nmore\n")).as_deref(), Some("# A\n\n\nmore\n"));
        assert_eq!(remove("# A\n"), None);
    }
}
