//! Words that are keywords in some places and names in others: grammars take `async` for the beginning of a function wherever
//! an expression may begin, also where it is the name of a parameter.

/// The word, and a name of its length that the parser reads in its place.
const WORD: &[u8] = b"async";
const NAME: &[u8] = b"asynk";

/// Where the word is a name: by what follows it.
pub(super) fn names(source: &[u8]) -> Vec<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let found = memchr::memmem::find_iter(source, WORD);
    let is_name = |at: &usize| {
        let rest = &source[at + WORD.len()..];
        let follows = rest.trim_ascii_start().first();
        !source[..*at].last().is_some_and(is_word)
            && !rest.first().is_some_and(is_word)
            && follows.is_some_and(|byte| b",):?;&|.!]}=+".contains(byte))
    };
    found.filter(is_name).collect()
}

/// Puts a name there.
pub(super) fn rename(text: &mut [u8], names: &[usize]) {
    names.iter().for_each(|at| text[*at..at + NAME.len()].copy_from_slice(NAME));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn async_is_a_name_where_nothing_begins_after_it() {
        let mut text = *b"async Task F(bool async) { G(async, async: 1); H(async () => a.async ? b : asynchronous); }";
        let found = names(&text);
        rename(&mut text, &found);
        let expected = "async Task F(bool asynk) { G(asynk, asynk: 1); H(async () => a.asynk ? b : asynchronous); }";
        assert_eq!(text.as_slice(), expected.as_bytes());
    }
}
