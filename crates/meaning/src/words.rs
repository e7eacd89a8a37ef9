//! The words of texts and names, as the table was trained on them.

/// Longer ones are no words.
const LONGEST: usize = 24;

/// Visits the words of a text in lower case: `parseHTTPRequest` and `parse_http_request` give parse, http, request. A number
/// belongs to the word before it.
pub fn each_word(text: &str, mut visit: impl FnMut(&str)) {
    let mut lower = String::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| run.is_ascii()) {
        let bytes = run.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let end = word_end(bytes, at);
            if end > at && (2..=LONGEST).contains(&(end - at)) {
                lower.clear();
                lower.push_str(&run[at..end]);
                lower.make_ascii_lowercase();
                visit(&lower);
            }
            at = end.max(at + 1);
        }
    }
}

/// Where the word that begins here ends; here, if none begins.
fn word_end(bytes: &[u8], start: usize) -> usize {
    let run = |from: usize, is: fn(&u8) -> bool| from + bytes[from..].iter().take_while(|byte| is(byte)).count();
    let capitals = run(start, u8::is_ascii_uppercase);
    let small = bytes.get(capitals).is_some_and(u8::is_ascii_lowercase);
    match capitals - start {
        // The last capital begins the next word.
        2.. if small => capitals - 1,
        1.. if !small => run(capitals, u8::is_ascii_digit),
        _ if small => run(run(capitals, u8::is_ascii_lowercase), u8::is_ascii_digit),
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_are_split_alike() {
        let split = |text: &str| {
            let mut all = Vec::new();
            each_word(text, |word| all.push(word.to_owned()));
            all
        };
        for name in ["parseHTTPRequest", "parse_http_request", "ParseHttp-request"] {
            assert_eq!(split(name), ["parse", "http", "request"], "{name}");
        }
        assert_eq!(split("utf8Decode(x, 12) -> U8 größe"), ["utf8", "decode", "u8"]);
        assert_eq!(split("ABC1def"), ["abc1", "def"]);
    }
}
