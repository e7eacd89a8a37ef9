//! Whether a path matches a pattern, as git reads patterns: `*` and `?` stay within a folder, `**` between slashes does
//! not, brackets are sets with ranges, escapes and named classes, braces are just braces.

/// Beyond so many wildcards, or so many comparisons, a pattern matches nothing: it was made to take time.
const MOST_DEPTH: u32 = 64;
const MOST_STEPS: u32 = 100_000;

/// Whether the whole text matches the whole pattern.
pub(crate) fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let mut steps = MOST_STEPS;
    walk(pattern, 0, text, &mut steps, MOST_DEPTH) == Outcome::Match
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Match,
    /// Not from here; a star before may try a later place.
    Not,
    /// A star may not go on within this folder, but `**` may go beyond it.
    NotInFolder,
    /// From nowhere: the text is too short, or the pattern is none.
    Never,
}

/// Matches the pattern from a place on.
fn walk(pattern: &[u8], from: usize, text: &[u8], steps: &mut u32, depth: u32) -> Outcome {
    let (mut at, mut text) = (from, text);
    while let Some(&byte) = pattern.get(at) {
        if *steps == 0 {
            return Outcome::Never;
        }
        *steps -= 1;
        if byte == b'*' {
            return star(pattern, at, text, steps, depth);
        }
        let Some((&first, rest)) = text.split_first() else { return Outcome::Never };
        match byte {
            b'?' if first == b'/' => return Outcome::Not,
            b'?' => at += 1,
            b'[' => match set(&pattern[at + 1..], first) {
                Some((true, length)) if first != b'/' => at += 1 + length,
                Some(_) => return Outcome::Not,
                None => return Outcome::Never,
            },
            b'\\' if pattern.get(at + 1) == Some(&first) => at += 2,
            byte if byte != b'\\' && byte == first => at += 1,
            _ => return Outcome::Not,
        }
        text = rest;
    }
    if text.is_empty() { Outcome::Match } else { Outcome::Not }
}

/// Matches from a star on: any number of characters, then the rest.
fn star(pattern: &[u8], at: usize, text: &[u8], steps: &mut u32, depth: u32) -> Outcome {
    if depth == 0 {
        return Outcome::Never;
    }
    let after = at + pattern[at..].iter().take_while(|byte| **byte == b'*').count();
    let rest = &pattern[after..];
    let opens = at == 0 || pattern[at - 1] == b'/';
    let closes = rest.is_empty() || rest[0] == b'/' || rest.starts_with(b"\\/");
    let any_folder = after - at > 1 && opens && closes;
    if any_folder && rest.first() == Some(&b'/') {
        // It may stand for no folder at all.
        if walk(pattern, after + 1, text, steps, depth - 1) == Outcome::Match {
            return Outcome::Match;
        }
    }
    if rest.is_empty() {
        return if any_folder || !text.contains(&b'/') { Outcome::Match } else { Outcome::NotInFolder };
    }
    for start in 0..=text.len() {
        if start == text.len() {
            break;
        }
        let found = walk(pattern, after, &text[start..], steps, depth - 1);
        if found != Outcome::Not && (!any_folder || found != Outcome::NotInFolder) {
            return found;
        }
        if !any_folder && text[start] == b'/' {
            return Outcome::NotInFolder;
        }
    }
    Outcome::Never
}

/// Whether a byte is in the set that begins after `[`, and how long that is with its `]`. Nothing if it never ends.
fn set(pattern: &[u8], byte: u8) -> Option<(bool, usize)> {
    let negated = matches!(pattern.first(), Some(b'!' | b'^'));
    let mut at = usize::from(negated);
    let (mut found, mut before) = (false, 0u8);
    // A bracket that closes at once stands for itself.
    let start = at;
    loop {
        let mut current = *pattern.get(at)?;
        if current == b']' && at > start {
            return Some((found != negated, at + 1));
        }
        let next = pattern.get(at + 1).copied();
        if current == b'\\' {
            at += 1;
            current = *pattern.get(at)?;
            found |= current == byte;
        } else if current == b'-' && before != 0 && next.is_some_and(|next| next != b']') {
            at += 1;
            let mut end = *pattern.get(at)?;
            if end == b'\\' {
                at += 1;
                end = *pattern.get(at)?;
            }
            found |= (before..=end).contains(&byte);
            current = 0;
        } else if current == b'[' && next == Some(b':') {
            let length = pattern[at + 2..].iter().position(|byte| *byte == b']')?;
            match pattern[at + 2..at + 2 + length].strip_suffix(b":") {
                Some(name) => {
                    found |= class(name, byte)?;
                    at += 2 + length;
                    current = 0;
                }
                None => found |= byte == b'[',
            }
        } else {
            found |= current == byte;
        }
        before = current;
        at += 1;
    }
}

fn class(name: &[u8], byte: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => byte == b' ' || byte == b'\t',
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_as_git_says() {
        let yes = [
            ("a*c", "abc"),
            ("a?c", "abc"),
            ("a[b-d]c", "acc"),
            ("[]a]", "]"),
            ("[!a]", "b"),
            ("[^a]", "b"),
            ("[[:digit:]]x", "7x"),
            ("{a,b}", "{a,b}"),
            ("\\*", "*"),
            ("a\\[b", "a[b"),
            ("**/b", "b"),
            ("**/b", "x/y/b"),
            ("a/**", "a/x/y"),
            ("a/**/b", "a/b"),
            ("a/**/b", "a/x/y/b"),
            ("a**b", "axxb"),
            ("[a-]", "-"),
            ("[\\]]", "]"),
            ("[[:x]", ":"),
            ("*/x", "a/x"),
            ("[--0]", "."),
        ];
        let no = [
            ("a*c", "a/c"),
            ("a?c", "a/c"),
            ("{a,b}", "a"),
            ("[a", "a"),
            ("[a", "[a"),
            ("a\\", "a\\"),
            ("[[:nope:]]", "n"),
            ("a[/]b", "a/b"),
            ("a[+-9]b", "a/b"),
            ("a/**", "a"),
            ("a**b", "a/b"),
            ("*", "a/b"),
            ("a/*/b", "a/x/y/b"),
        ];
        for (pattern, text) in yes {
            assert!(matches(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
        for (pattern, text) in no {
            assert!(!matches(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_made_to_take_time_takes_none() {
        let (stars, folders) = ("*a".repeat(60_000), "**/a/".repeat(60_000));
        let text = "a/".repeat(2000);
        assert!(!matches(stars.as_bytes(), text.as_bytes()) && !matches(folders.as_bytes(), text.as_bytes()));
    }
}
