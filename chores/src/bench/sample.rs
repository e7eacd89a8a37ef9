//! What is asked for and what is edited: names and files of the corpus, chosen the same way in every run.

use std::collections::BTreeMap;

use anyhow::Result;

use super::corpus::Corpus;

const SAMPLED_FILES: usize = 200;
const SHORTEST_WORD: usize = 3;

/// A change of one file: a symbol gets another name.
pub(super) struct Edit {
    pub(super) path: String,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
}

/// Names that the corpus defines, from rare to frequent ones.
pub(super) fn words(corpus: &Corpus, count: usize) -> Result<Vec<String>> {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for path in spread(&corpus.files, SAMPLED_FILES) {
        let source = corpus.read(path)?;
        let Some(language) = codegraph_languages::detect(path, &source) else { continue };
        let facts = codegraph_extract::extract(&source, language);
        for symbol in facts.symbols.iter().filter(|symbol| symbol.name.is_some()) {
            let on_lines = facts.terms.iter().filter(|term| term.term == symbol.name).count();
            *lines.entry(facts.name(symbol.name).to_owned()).or_default() += on_lines;
        }
    }
    let mut ranked: Vec<(usize, String)> = lines
        .into_iter()
        .filter(|(word, lines)| *lines > 0 && is_word(word))
        .map(|(word, lines)| (lines, word))
        .collect();
    ranked.sort();
    Ok(spread(&ranked, count).map(|(_, word)| word.clone()).collect())
}

/// One edit in each of a few files.
pub(super) fn edits(corpus: &Corpus, count: usize) -> Result<Vec<Edit>> {
    let mut edits = Vec::new();
    for path in spread(&corpus.files, SAMPLED_FILES) {
        edits.extend(edit(corpus, path)?);
    }
    let chosen: Vec<usize> = spread(&(0..edits.len()).collect::<Vec<_>>(), count).copied().collect();
    let mut place = 0..;
    edits.retain(|_| chosen.contains(&place.next().expect("it has no end")));
    Ok(edits)
}

/// Renames the file's first symbol wherever its text occurs.
fn edit(corpus: &Corpus, path: &str) -> Result<Option<Edit>> {
    let before = corpus.read(path)?;
    let Some(language) = codegraph_languages::detect(path, &before) else { return Ok(None) };
    let facts = codegraph_extract::extract(&before, language);
    let names = facts.symbols.iter().filter(|symbol| symbol.name.is_some() && symbol.parent.is_some());
    let name = names.map(|symbol| facts.name(symbol.name)).find(|name| is_word(name));
    let (Some(name), Ok(text)) = (name, std::str::from_utf8(&before)) else { return Ok(None) };
    let after = text.replace(name, &format!("{name}_changed")).into_bytes();
    Ok(Some(Edit { path: path.to_owned(), before, after }))
}

fn is_word(name: &str) -> bool {
    name.len() >= SHORTEST_WORD && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// At most `count` items at equal distances.
fn spread<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    let taken = count.min(items.len());
    (0..taken).map(move |index| &items[(2 * index + 1) * items.len() / (2 * taken)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_taken_at_equal_distances() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(spread(&items, 4).collect::<Vec<_>>(), [&12, &37, &62, &87]);
        assert_eq!(spread(&items[..3], 4).collect::<Vec<_>>(), [&0, &1, &2]);
        assert_eq!(spread(&items[..0], 4).count(), 0);
    }

    #[test]
    fn words_are_what_a_shell_can_ask_for() {
        assert!(is_word("read_line2"));
        assert!(!is_word("operator=="));
        assert!(!is_word("it"));
    }
}
