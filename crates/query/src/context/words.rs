//! The words of a task: without the ones that say nothing, by their stems, and what in the task is a name in code.

/// Words that tell nothing about code.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "add",
    "after",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "before",
    "but",
    "by",
    "can",
    "change",
    "class",
    "code",
    "could",
    "do",
    "does",
    "done",
    "each",
    "file",
    "find",
    "fix",
    "for",
    "from",
    "function",
    "get",
    "gets",
    "given",
    "goes",
    "had",
    "handle",
    "handled",
    "handles",
    "happen",
    "happens",
    "has",
    "have",
    "how",
    "i",
    "if",
    "implement",
    "implemented",
    "implements",
    "in",
    "inside",
    "into",
    "is",
    "it",
    "its",
    "make",
    "makes",
    "me",
    "method",
    "my",
    "need",
    "new",
    "no",
    "not",
    "of",
    "on",
    "one",
    "or",
    "our",
    "out",
    "over",
    "part",
    "place",
    "please",
    "should",
    "show",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "to",
    "type",
    "up",
    "use",
    "used",
    "uses",
    "using",
    "via",
    "want",
    "was",
    "way",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "work",
    "works",
    "would",
    "you",
    "your",
];

/// The most words of a task that count: each is a bit.
pub(super) const MOST_WORDS: usize = 24;

/// What a task asks for.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Stems with the words that they come from, each once.
    pub(super) words: Vec<(String, String)>,
    /// What looks like a name in code.
    pub(super) names: Vec<String>,
    /// The task is about tests.
    pub(super) tests: bool,
}

impl Asked {
    pub(super) fn of(task: &str) -> Asked {
        let mut asked = Asked::default();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '/');
        for raw in task.split(|c: char| !is_part(c)) {
            let token = raw.trim_matches(['.', ':', '#', '/', '_']);
            let quoted = raw.trim_matches(['.', ':', '#', '/']);
            if looks_like_name(token) && !asked.names.iter().any(|known| known == quoted) {
                asked.names.push(quoted.to_owned());
            }
            each_part(token, |part| asked.add(&part.to_lowercase()));
        }
        asked
    }

    fn add(&mut self, word: &str) {
        self.tests |= matches!(word, "test" | "tests" | "testing" | "tested");
        let says_nothing = word.len() < 2 || EMPTY.contains(&word) || word.bytes().all(|b| b.is_ascii_digit());
        let stem = stem(word);
        let known = self.words.iter().any(|(own, _)| own == stem);
        if !says_nothing && !known && self.words.len() < MOST_WORDS {
            self.words.push((stem.to_owned(), word.to_owned()));
        }
    }

    /// The words that a text has, as bits, and how many words it has in all.
    pub(super) fn bits(&self, text: &str) -> (u32, u32) {
        let (mut bits, mut total) = (0, 0);
        each_part(text, |part| {
            total += 1;
            // A stem is the beginning of its word: most words need no closer look.
            if self.words.iter().any(|(own, _)| begins_with(part, own)) {
                let word = part.to_lowercase();
                let stem = stem(&word);
                if let Some(place) = self.words.iter().position(|(own, _)| own == stem) {
                    bits |= 1 << place;
                }
            }
        });
        (bits, total)
    }
}

/// Whether a word may begin with a stem in lower case; beyond ASCII it always may.
fn begins_with(word: &str, stem: &str) -> bool {
    match word.as_bytes().get(..stem.len()) {
        Some(head) if head.is_ascii() => head.eq_ignore_ascii_case(stem.as_bytes()),
        Some(_) => true,
        None => !word.is_ascii(),
    }
}

/// Whether a word can only be a name in code: with inner capitals, underscores or separators.
fn looks_like_name(token: &str) -> bool {
    let inner = token.get(1..).unwrap_or_default();
    let mixed = inner.chars().any(char::is_uppercase) && token.chars().any(char::is_lowercase);
    let joined = ["_", "::", ".", "#"].iter().any(|mark| inner.contains(mark));
    token.chars().any(char::is_alphabetic) && (mixed || joined)
}

/// Visits the words of a name: `parseHTTPRequest`, `parse_http_request` and `parse-http-request` have the same, apart
/// from case.
fn each_part(name: &str, mut visit: impl FnMut(&str)) {
    let mut visit = |part: &str| {
        if part.chars().any(char::is_alphabetic) {
            visit(part);
        }
    };
    let (mut start, mut before) = (0, None);
    let mut chars = name.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, c)| *c);
        if before.is_some_and(|before| begins_word(before, c, after)) {
            visit(&name[start..at]);
            start = at;
        }
        before = Some(c);
    }
    visit(&name[start..]);
}

fn begins_word(before: char, c: char, after: Option<char>) -> bool {
    match before {
        b if c.is_alphanumeric() != b.is_alphanumeric() => true,
        b if c.is_uppercase() => !b.is_uppercase() || after.is_some_and(char::is_lowercase),
        b => b.is_ascii_digit() != c.is_ascii_digit() && b.is_alphanumeric() && c.is_alphabetic(),
    }
}

/// A word without its ending, so that `resolving`, `resolves` and `resolver` are the same.
fn stem(word: &str) -> &str {
    const ENDINGS: &[&str] = &[
        "izations", "ization", "ations", "ation", "ements", "ement", "ities", "ings", "ing", "ions", "ion", "ers",
        "ors", "ies", "ity", "ive", "able", "er", "or", "ed", "es", "al", "s", "e", "y",
    ];
    let mut stem = word;
    for ending in ENDINGS {
        if let Some(head) = stem.strip_suffix(ending)
            && head.chars().count() >= 3
        {
            stem = head;
            break;
        }
    }
    // `setting` and `set` are the same.
    let bytes = stem.as_bytes();
    if bytes.len() > 3 && stem.len() < word.len() && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] {
        stem = &stem[..stem.len() - 1];
    }
    stem.strip_suffix('e').filter(|head| head.len() >= 3).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_their_words() {
        let split = |name: &str| {
            let mut words = Vec::new();
            each_part(name, |part| words.push(part.to_lowercase()));
            words
        };
        for name in ["parseHTTPRequest", "parse_http_request", "ParseHttp-request"] {
            assert_eq!(split(name), ["parse", "http", "request"], "{name}");
        }
        assert_eq!(split("utf8Decode"), ["utf8", "decode"]);
        assert_eq!(split("src/url_resolver.py"), ["src", "url", "resolver", "py"]);
    }

    #[test]
    fn words_of_one_family_have_one_stem() {
        for family in [["resolve", "resolver", "resolving"], ["cache", "cached", "caching"], ["set", "setting", "sets"]]
        {
            let stems: Vec<&str> = family.iter().map(|word| stem(word)).collect();
            assert!(stems.iter().all(|own| *own == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn a_task_is_words_and_names() {
        let asked = Asked::of("Where does QuerySet.filter handle the lookups of related_fields?");
        assert_eq!(asked.names, ["QuerySet.filter", "related_fields"]);
        let words: Vec<&str> = asked.words.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(words, ["query", "set", "filter", "lookups", "related", "fields"]);
        assert!(Asked::of("add a test for it").tests);
    }
}
