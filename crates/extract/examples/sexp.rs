//! tree with fields
#![allow(clippy::unwrap_used)]
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let source = std::fs::read(&path).unwrap();
    let language = codegraph_languages::detect(&path, &source).unwrap();
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&(language.grammar)()).unwrap();
    let tree = parser.parse(&source, None).unwrap();
    let mut c = tree.walk();
    let mut depth = 0;
    loop {
        let n = c.node();
        if n.is_named() || n.is_error() {
            let f = c.field_name().map(|f| format!("{f}: ")).unwrap_or_default();
            let t = String::from_utf8_lossy(&source[n.byte_range()]).replace('\n', "⏎");
            let t: String = t.chars().take(60).collect();
            println!(
                "{:w$}{f}{}{} L{} `{t}`",
                "",
                n.kind(),
                if n.is_missing() { " MISSING" } else { "" },
                n.start_position().row + 1,
                w = depth * 2
            );
        }
        if c.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if c.goto_next_sibling() {
                break;
            }
            if !c.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}
