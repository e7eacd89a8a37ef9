//! Comments as people read them: without the marks of a language.

/// A comment or doc string without its marks.
pub fn plain_comment(text: &str) -> String {
    let marks = ["/**", "/*!", "/*", "///", "//!", "//", "<!--", "\"\"\"", "'''", "##", "#", "--", "=begin"];
    let mut lines: Vec<&str> = Vec::new();
    // The first line may name an interpreter.
    let skipped = usize::from(text.starts_with("#!"));
    for line in text.lines().skip(skipped) {
        let line = line.trim();
        let line =
            line.trim_end_matches("*/").trim_end_matches("-->").trim_end_matches("\"\"\"").trim_end_matches("'''");
        let line = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
        let line = line.strip_prefix("* ").or_else(|| (line == "*").then_some("")).unwrap_or(line);
        lines.push(line.trim());
    }
    let text = lines.join("\n");
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain_comment;

    #[test]
    fn comment_marks_are_left_out() {
        assert_eq!(plain_comment("/**\n * Runs.\n *\n * Twice.\n */"), "Runs.\n\nTwice.");
        assert_eq!(plain_comment("// One\n// two"), "One\ntwo");
        assert_eq!(plain_comment("#!/bin/sh\n# Runs."), "Runs.");
        assert_eq!(plain_comment("\"\"\"Doc string.\"\"\""), "Doc string.");
        assert_eq!(plain_comment("/// A *bold* word"), "A *bold* word");
    }
}
