//! Conditional text (`#if`, `#else`, `#endif`): grammars read it only around whole declarations and statements.
//!
//! Where a branch is less than that (a head without its body, half an expression), the branch of a usual build is read as
//! if it stood there alone: the directives and the other branches are blank for the parser, and words only for the walk.

use std::ops::Range;

use codegraph_model::Span;

use super::contextual;

/// Deeper nesting is left as it is.
const DEEPEST: usize = 64;

/// How many lines before a directive are looked at.
const FARTHEST: usize = 200;

/// One `#if … #endif`.
struct Group {
    /// The lines of its directives.
    directives: Vec<Range<usize>>,
    at_boundary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    If,
    Else,
    End,
}

/// The text as the parser should read it.
pub(crate) fn rewrite(source: &[u8]) -> Option<Vec<u8>> {
    let (blanks, names) = (blanks(source), contextual::names(source));
    if blanks.is_empty() && names.is_empty() {
        return None;
    }
    let mut text = source.to_vec();
    contextual::rename(&mut text, &names);
    for stretch in blanks {
        text[stretch].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    Some(text)
}

/// What a usual build leaves out, in the order of the text.
pub(crate) fn inactive(source: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open: Vec<Group> = Vec::new();
    for (directive, line) in directives(source) {
        match directive {
            Directive::If => open.push(Group { directives: vec![line], at_boundary: true }),
            Directive::Else => {
                if let Some(group) = open.last_mut() {
                    group.directives.push(line);
                }
            }
            Directive::End => {
                let Some(mut group) = open.pop() else { continue };
                group.directives.push(line);
                let active = group.active(source);
                let left = group.branches().enumerate().filter(|(i, _)| Some(*i) != active);
                found.extend(left.map(|(_, branch)| Span::new(branch.start as u32, branch.end as u32)));
            }
        }
    }
    found.sort_by_key(|span| (span.start, u32::MAX - span.end));
    // What stands inside something that is left out says nothing more.
    let mut end = 0;
    found.retain(|span| {
        let outer = span.start >= end;
        end = end.max(span.end);
        outer
    });
    found
}

/// Symbols of a usual build, and the beginnings and ends of those that name a recent framework.
const DEFINED: &[&str] = &["DEBUG", "TRACE", "NET", "NETCOREAPP"];

/// Whether the condition of a directive holds in a usual build.
fn holds(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(without_comment(line));
    let text = text.trim_start().trim_start_matches('#').trim_start();
    if text.starts_with("else") {
        return true;
    }
    let Some(condition) = text.strip_prefix("if").or_else(|| text.strip_prefix("elif")) else { return false };
    either(&mut condition.trim().as_bytes())
}

fn either(rest: &mut &[u8]) -> bool {
    let mut value = both(rest);
    while take(rest, b"||") {
        value |= both(rest);
    }
    value
}

fn both(rest: &mut &[u8]) -> bool {
    let mut value = one(rest);
    while take(rest, b"&&") {
        value &= one(rest);
    }
    value
}

/// A symbol, a condition in brackets, or what is not one; comparisons are of truth values.
fn one(rest: &mut &[u8]) -> bool {
    let value = if take(rest, b"!") && !rest.starts_with(b"=") {
        !one(rest)
    } else if take(rest, b"(") {
        let inner = either(rest);
        take(rest, b")");
        inner
    } else {
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let (word, after) = rest.split_at(length);
        *rest = after.trim_ascii_start();
        let word = String::from_utf8_lossy(word);
        let recent = word.starts_with("NET") && word.ends_with("_OR_GREATER") && !word.starts_with("NETFRAMEWORK");
        word == "true" || DEFINED.contains(&&*word) || recent && !word.starts_with("NET4")
    };
    match () {
        () if take(rest, b"==") => value == one(rest),
        () if take(rest, b"!=") => value != one(rest),
        () => value,
    }
}

fn take(rest: &mut &[u8], word: &[u8]) -> bool {
    let Some(after) = rest.strip_prefix(word) else { return false };
    *rest = after.trim_ascii_start();
    true
}

/// What the parser should not see.
fn blanks(source: &[u8]) -> Vec<Range<usize>> {
    let mut blanks = Vec::new();
    let mut open: Vec<Group> = Vec::new();
    for (directive, line) in directives(source) {
        match directive {
            Directive::If if open.len() >= DEEPEST => return Vec::new(),
            Directive::If => {
                let at_boundary = is_boundary(&source[..line.start]);
                open.push(Group { directives: vec![line], at_boundary });
            }
            Directive::Else => {
                if let Some(group) = open.last_mut() {
                    group.directives.push(line);
                }
            }
            Directive::End => {
                let Some(mut group) = open.pop() else { continue };
                group.directives.push(line);
                if !group.is_whole(source) {
                    group.blank(source, &mut blanks);
                }
            }
        }
    }
    blanks
}

impl Group {
    fn branches(&self) -> impl Iterator<Item = Range<usize>> {
        self.directives.windows(2).map(|pair| pair[0].end..pair[1].start)
    }

    /// The branch that a usual build has.
    fn active(&self, source: &[u8]) -> Option<usize> {
        let branches = self.directives.len() - 1;
        self.directives[..branches].iter().position(|line| holds(&source[line.clone()]))
    }

    /// Whether all branches are complete, and stand where something complete is expected.
    fn is_whole(&self, source: &[u8]) -> bool {
        let end = self.directives.last().map_or(source.len(), |line| line.end);
        let whole = |branch: Range<usize>| !continues(&source[branch.clone()]) && is_complete(&source[branch]);
        self.at_boundary && !continues(&source[end..]) && self.branches().all(whole)
    }

    /// Directives go, and all branches but the one that a usual build has, or else the first that is not empty.
    fn blank(self, source: &[u8], blanks: &mut Vec<Range<usize>>) {
        let says = |branch: Range<usize>| !source[branch].trim_ascii().is_empty();
        let active = self.active(source).filter(|i| self.branches().nth(*i).is_some_and(says));
        let first = active.or_else(|| self.branches().position(says));
        blanks.extend(self.branches().enumerate().filter(|(i, _)| Some(*i) != first).map(|(_, branch)| branch));
        blanks.extend(self.directives);
    }
}

/// The conditional directives of a text with their lines.
fn directives(source: &[u8]) -> impl Iterator<Item = (Directive, Range<usize>)> {
    let mut start = 0;
    let lines = source.split(|b| *b == b'\n').map(move |line| {
        let from = start;
        start += line.len() + 1;
        (line, from..from + line.len())
    });
    lines.filter_map(|(line, span)| {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        let length = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let directive = match &rest[..length] {
            b"if" | b"ifdef" | b"ifndef" => Directive::If,
            b"else" | b"elif" => Directive::Else,
            b"endif" => Directive::End,
            _ => return None,
        };
        Some((directive, span))
    })
}

fn line_end(text: &[u8], from: usize) -> usize {
    text[from..].iter().position(|b| *b == b'\n').map_or(text.len(), |i| from + i)
}

/// Whether a declaration or statement may begin after this text: comments and directives do not count.
fn is_boundary(before: &[u8]) -> bool {
    let lines = before.rsplit(|b| *b == b'\n').map(|line| without_comment(line).trim_ascii());
    let last =
        lines.take(FARTHEST).filter(|line| !line.is_empty() && line[0] != b'#').find_map(|line| line.last().copied());
    last.is_none_or(|b| matches!(b, b';' | b'{' | b'}' | b'/' | b':'))
}

/// Whether a text goes on with something that began before it.
fn continues(text: &[u8]) -> bool {
    let lines = text.split(|b| *b == b'\n').take(FARTHEST).map(|line| without_comment(line).trim_ascii());
    let Some(line) = lines.into_iter().find(|line| !line.is_empty() && line[0] != b'#') else { return false };
    let word = line.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    match &line[..word] {
        b"" => !matches!(line[0], b'[' | b'{' | b'}' | b'(' | b'_' | b'@' | b'~' | b'/' | b'"' | b'+' | b'-' | b';'),
        word => matches!(word, b"else" | b"case" | b"default" | b"catch" | b"finally"),
    }
}

fn without_comment(line: &[u8]) -> &[u8] {
    let end = line.windows(2).position(|pair| pair == b"//").unwrap_or(line.len());
    &line[..end]
}

/// Whether a branch is made of complete declarations or statements: nothing left open, and a proper end.
fn is_complete(branch: &[u8]) -> bool {
    let mut depth = 0i32;
    let mut last = b';';
    let mut at = 0;
    while at < branch.len() {
        let byte = branch[at];
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'"' | b'\'' => at += quoted(&branch[at..]),
            b'/' if branch[at + 1..].first() == Some(&b'*') => {
                let end = branch[at..].windows(2).position(|pair| pair == b"*/");
                at = end.map_or(branch.len(), |i| at + i + 2);
                continue;
            }
            b'/' | b'#' if byte == b'#' || branch[at + 1..].first() == Some(&b'/') => {
                at = line_end(branch, at);
                continue;
            }
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        last = if byte.is_ascii_whitespace() { last } else { byte };
        at += 1;
    }
    depth == 0 && matches!(last, b';' | b'}')
}

/// How far after the opening quote a string or character ends, at most to the end of the line.
fn quoted(text: &[u8]) -> usize {
    let quote = text[0];
    let mut at = 1;
    while at < text.len() && text[at] != quote && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::blanks;

    fn blanked(text: &str) -> Vec<&str> {
        let mut stretches = blanks(text.as_bytes());
        stretches.sort_by_key(|stretch| stretch.start);
        stretches.into_iter().map(|stretch| text[stretch].trim()).collect()
    }

    #[test]
    fn whole_branches_stay() {
        let text = "class A {\n#if X\nint a;\n#else\nint b() { return ')'; }\n#endif\n}\n";
        assert!(blanked(text).is_empty());
    }

    #[test]
    fn of_partial_branches_that_of_a_usual_build_stays() {
        let text = "class A {\n#if X\nint a(int x)\n#else\nint a()\n#endif\n{ }\n}\n";
        assert_eq!(blanked(text), ["#if X", "int a(int x)", "#else", "#endif"]);
        let text = "class A {\n#if DEBUG\nint a(int x)\n#else\nint a()\n#endif\n{ }\n}\n";
        assert_eq!(blanked(text), ["#if DEBUG", "#else", "int a()", "#endif"]);
    }

    #[test]
    fn what_goes_on_is_partial() {
        let text = "if (a) { }\n#if X\nelse if (b) { }\n#endif\nelse { }\n";
        assert_eq!(blanked(text), ["#if X", "#endif"]);
    }

    #[test]
    fn a_group_in_the_middle_of_something_is_partial() {
        let text = "void a()\n#if X\n{ }\n#else\n;\n#endif\n";
        assert_eq!(blanked(text), ["#if X", "{ }", "#else", "#endif"]);
    }
}
