//! Tokens are counted as the makers of the vocabulary count them.

use std::path::Path;

fn theirs(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

/// All texts of the workspace that are not too long.
fn own_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the workspace");
    let files = ignore::WalkBuilder::new(root).build().flatten();
    let read = |entry: ignore::DirEntry| std::fs::read_to_string(entry.path()).ok();
    files.filter_map(read).filter(|text| text.len() < 30_000).collect()
}

#[test]
fn texts_of_this_project_have_as_many_tokens() {
    let texts = own_texts();
    assert!(texts.len() > 300);
    for text in texts {
        assert_eq!(codegraph_tokens::count(&text), theirs(&text), "{}", &text[..text.len().min(200)]);
    }
}

#[test]
fn odd_texts_have_as_many_tokens() {
    let parts = [
        "a", "B", "é", "É", "ǅ", "ʰ", "中", "文", "\u{301}", "\u{200d}", "7", "٣", "Ⅷ", "½", " ", "  ", "\t", "\n",
        "\r\n", "\u{a0}", "\u{2028}", "\u{85}", "'s", "'S", "'ſ", "'ll", "'", "/", "//", "→", "…", "!", "_", "(",
        "\u{0}", "\u{1f}", "🦀", "don't", "HTTPServer", "XMLHttp", "ß", "ａ", "\u{e000}",
    ];
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let length = next(12) + 1;
        let text: String = (0..length).map(|_| parts[next(parts.len())]).collect();
        assert_eq!(codegraph_tokens::count(&text), theirs(&text), "{text:?}");
    }
    for _ in 0..20_000 {
        let text: String = (0..next(8) + 1).filter_map(|_| char::from_u32(next(0x3_0000) as u32)).collect();
        assert_eq!(codegraph_tokens::count(&text), theirs(&text), "{text:?}");
    }
}
