//! Words: the parts of names, their stems, and which of them say nothing.

/// Words that tell nothing about code.
const EMPTY: &[&str] = &[
    "a", "about", "add", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "before", "but",
    "by", "can", "change", "class", "code", "could", "do", "does", "done", "each", "file", "find", "fix", "for",
    "from", "function", "get", "gets", "given", "goes", "had", "handle", "handled", "handles", "happen", "happens",
    "has", "have", "how", "i", "if", "implement", "implemented", "implements", "in", "inside", "into", "is", "it",
    "its", "make", "makes", "me", "method", "my", "need", "new", "no", "not", "of", "on", "one", "or", "our", "out",
    "over", "part", "place", "please", "should", "show", "so", "some", "such", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "to", "type", "up", "use", "used", "uses", "using", "via", "want", "was",
    "way", "we", "were", "what", "when", "where", "whether", "which", "while", "who", "whose", "why", "will", "with",
    "work", "works", "would", "you", "your",
];

/// Whether a word in lower case tells nothing about code.
pub(super) fn says_nothing(word: &str) -> bool {
    word.len() < 2 || EMPTY.binary_search(&word).is_ok() || word.bytes().all(|b| b.is_ascii_digit())
}

/// Visits the words of a name: `parseHTTPRequest`, `parse_http_request` and `parse-http-request` have the same, apart
/// from case.
pub(super) fn each_part(name: &str, mut visit: impl FnMut(&str)) {
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

/// Visits the stem of each word of a name that says something about code; how many words it has in all.
pub fn each_stem(name: &str, mut visit: impl FnMut(&str)) -> u32 {
    let mut total = 0;
    each_part(name, |part| {
        total += 1;
        let word = part.to_lowercase();
        if !says_nothing(&word) {
            visit(stem(&word));
        }
    });
    total
}

/// A word without its ending, so that `resolving`, `resolves` and `resolver` are the same.
pub(super) fn stem(word: &str) -> &str {
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
    fn words_that_say_nothing_are_sorted() {
        assert!(EMPTY.is_sorted());
        assert!(says_nothing("the") && says_nothing("12") && !says_nothing("parser"));
    }
}
