//! Prints what extraction says about a file: `cargo run --example show FILE`.

fn main() {
    let path = std::env::args().nth(1).expect("usage: show FILE");
    let source = std::fs::read(&path).expect("a readable file");
    let language = codegraph_languages::detect(&path, &source).expect("a supported language");
    let facts = codegraph_extract::extract(&source, language);
    print!("{}", codegraph_fixture::render(&facts, &source));
}
