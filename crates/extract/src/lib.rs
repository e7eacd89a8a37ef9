//! From the bytes of one file to its facts: parse, then one walk that feeds terms, symbols and references at once.
//!
//! Pure: no I/O, no clock but the parser's time limit, no other file. Names no language: everything that differs between
//! languages is in their tables. Never fails: text that does not parse gives fewer facts and a problem.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod adopt;
mod ast;
mod bind;
mod call;
mod compile;
mod declarator;
mod define;
mod docs;
mod express;
mod finish;
mod frame;
mod import;
mod literal;
mod nodes;
mod outline;
mod params;
mod quoted;
mod script;
mod walk;
mod words;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use codegraph_languages::Language;
use codegraph_model::{FileFacts, Problem};
use tree_sitter::{ParseOptions, Parser, Tree};

pub use ast::{AstNode, ast};
pub use compile::unknown_names;

use compile::Table;
use walk::Walk;

/// Changes whenever extraction would read some file differently, so that indexes know what to read again.
pub const VERSION: u32 = 1;

/// The longest that parsing one file may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The facts of one file.
pub fn extract(source: &[u8], language: &'static Language) -> FileFacts {
    let table = Table::of(language);
    let walk = Walk::new(table, source);
    match parse(source, table) {
        Some(tree) => walk.run(&tree),
        None => walk.words_only(Problem::TimedOut),
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// Parses with this thread's parser; `None` if it took too long.
fn parse(source: &[u8], table: &'static Table) -> Option<Tree> {
    let rewritten = table.language.rewrite.and_then(|rewrite| rewrite(source));
    parse_text(rewritten.as_deref().unwrap_or(source), table)
}

#[expect(clippy::disallowed_methods, reason = "the time limit needs a clock; no fact depends on it")]
fn parse_text(source: &[u8], table: &'static Table) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&table.grammar).expect("the grammar's version fits: a test opens every language");
        let start = Instant::now();
        let mut stop = |_: &tree_sitter::ParseState| match start.elapsed() > TIME_LIMIT {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut stop);
        let mut read = |offset: usize, _| source.get(offset..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

/// Parses one stretch of a file on its own; `None` if it took too long.
fn parse_range(source: &[u8], table: &'static Table, range: tree_sitter::Range) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| parser.set_included_ranges(&[range]).ok())?;
    let tree = parse_text(source, table);
    PARSER.with_borrow_mut(|parser| parser.set_included_ranges(&[]).ok())?;
    tree
}

/// Parses and throws the tree away: what extraction costs at the very least.
pub fn parse_only(source: &[u8], language: &'static Language) -> bool {
    parse_text(source, Table::of(language)).is_some()
}
