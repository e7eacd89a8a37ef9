//! Calls on standard input and output: one message in a line, or after a `Content-Length` header; answered as it came.

use std::io::{BufRead, Read, Write};

use codegraph_runtime::Projects;

use crate::answer;

/// Longer messages are not read.
const LONGEST: u64 = 64 << 20;

/// Answers until the input ends.
pub fn serve_stdio(projects: &Projects) -> std::io::Result<()> {
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    serve(projects, input, output)
}

fn serve(projects: &Projects, mut input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = line.trim_ascii();
        if let Some(header) = header(text) {
            length = header;
            continue;
        }
        match (length.take(), text.is_empty()) {
            (Some(length), true) => {
                let mut body = Vec::new();
                input.by_ref().take(length).read_to_end(&mut body)?;
                if let Some(said) = answer(projects, &body) {
                    let said = said.to_string();
                    write!(output, "Content-Length: {}\r\n\r\n{said}", said.len())?;
                }
            }
            (_, true) => {}
            (_, false) => {
                if let Some(said) = answer(projects, text) {
                    writeln!(output, "{said}")?;
                }
            }
        }
        output.flush()?;
    }
}

/// The length that a header says, if a line is one.
fn header(line: &[u8]) -> Option<Option<u64>> {
    let line = std::str::from_utf8(line).ok()?;
    let (name, value) = line.split_once(':')?;
    if line.starts_with(['{', '[']) {
        return None;
    }
    let is_length = name.eq_ignore_ascii_case("content-length");
    Some(value.trim().parse().ok().filter(|length| is_length && *length <= LONGEST))
}
