//! From the bytes of one file to its facts: parse, then one walk that feeds terms, symbols and references at once.
//!
//! Pure: no I/O, no clock but the parser's time limit, no other file. Names no language: everything that differs between
//! languages is in their tables. Never fails: text that does not parse gives fewer facts and a problem.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod adopt;
mod apart;
pub mod arena;
mod assign;
mod ast;
mod bind;
mod blocks;
mod bounds;
mod call;
mod checks;
mod clock;
mod compile;
mod context;
mod declarator;
mod define;
mod derive;
mod doc_names;
mod doc_types;
mod docs;
mod expanded;
mod express;
mod finish;
pub mod flow;
mod frame;
mod given;
mod hidden;
mod implied;
mod import;
mod kinds_of_text;
mod literal;
mod made_class;
mod nameless;
mod nested;
mod nodes;
mod opened;
mod outline;
mod overwritten;
mod params;
mod prototype;
mod quoted;
mod script;
mod walk;
mod words;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

use codegraph_languages::Language;
use codegraph_model::{FileFacts, Problem};
use tree_sitter::{ParseOptions, ParseState, Parser, Point, Range, Tree};

pub use ast::{AstNode, ast};
pub use compile::unknown_names;
pub use kinds_of_text::{conditionals, kinds_of_text};

use apart::{Apart, Holes};
use clock::Clock;
use compile::Table;
use expanded::Expanded;
use walk::Walk;

/// Changes whenever extraction would read some file differently, so that indexes know what to read again.
pub const VERSION: u32 = 19;

/// The longest that parsing one file may take of a processor's time: on a busy machine a file is read as on an idle one.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The facts of one file.
pub fn extract(source: &[u8], language: &'static Language) -> FileFacts {
    let table = Table::of(language);
    let _memory = FileMemory::open(source.len());
    let expanded = Expanded::of(table, source);
    let text = expanded.as_ref().map(|expanded| [source, expanded.text()].concat());
    let text = Text { whole: text.as_deref().unwrap_or(source), length: source.len(), expanded: expanded.as_ref() };
    let in_parts = facts(&text, table, Apart::of(table, source));
    let facts = in_parts.or_else(|| facts(&text, table, Apart::default())).expect("nothing is apart");
    FileFacts { uneven_lines: uneven_lines(source), ..facts }
}

/// See [`FileFacts::uneven_lines`].
fn uneven_lines(source: &[u8]) -> Vec<u32> {
    let odd_ends = memchr::memchr_iter(b'\r', source).any(|at| source.get(at + 1) != Some(&b'\n'));
    if source.is_ascii() && !odd_ends {
        return Vec::new();
    }
    let lines = source.split(|byte| *byte == b'\n').zip(1..);
    lines.filter(|(line, _)| odd_ends || !line.is_ascii()).map(|(_, number)| number).collect()
}

/// What a walk reads: the text of the file, and behind it what macros in it stand for.
pub(crate) struct Text<'s> {
    pub(crate) whole: &'s [u8],
    pub(crate) length: usize,
    pub(crate) expanded: Option<&'s Expanded>,
}

impl<'s> Text<'s> {
    fn own(&self) -> &'s [u8] {
        &self.whole[..self.length]
    }
}

/// The facts of a file of which some text is parsed apart; none if the parser has not come across all of that.
fn facts(text: &Text, table: &'static Table, apart: Apart) -> Option<FileFacts> {
    let source = text.own();
    let rewritten = table.language.rewrite.and_then(|rewrite| rewrite(source));
    let parsed = rewritten.as_deref().unwrap_or(source);
    let Some(tree) = parse_text(parsed, table, &apart.holes(0, source.len() as u32)) else {
        let problem = if arena::is_full() { Problem::Dense } else { Problem::TimedOut };
        forget_parser();
        return Some(Walk::new(table, text, apart).words_only(problem));
    };
    let mut walk = Walk::new(table, text, apart);
    if let Some(parsed) = rewritten.filter(|_| table.language.linking.headers) {
        walk.hidden = hidden::hidden(source, &parsed);
    }
    let facts = walk.run(&tree);
    discard(tree);
    facts
}

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// While it is there, the parser's memory comes from the arena. The parser is made and dropped in it.
struct FileMemory(Option<arena::Section>);

impl FileMemory {
    fn open(length: usize) -> FileMemory {
        PARSER.take();
        FileMemory(arena::Section::open(BASE_MEMORY + MEMORY_PER_BYTE * length))
    }
}

/// What the parser may take for a file, and more for each byte that it has read. Ordinary code takes up to 25 bytes for one;
/// a file in which every other byte is a statement takes ten times as much, is worth nothing, and is left early.
const BASE_MEMORY: usize = 64 << 20;
const MEMORY_PER_BYTE: usize = 28;

/// Whether the parser has taken more for this text, since `before`, than any ordinary code needs.
fn is_dense(state: &ParseState, before: usize) -> bool {
    if arena::taken().saturating_sub(before) > BASE_MEMORY + MEMORY_PER_BYTE * state.current_byte_offset() {
        arena::fill();
    }
    arena::is_full()
}

/// Gives back what the parser has taken for a tree that it did not finish.
fn forget_parser() {
    if arena::is_open() {
        PARSER.take();
        arena::empty();
    }
}

impl Drop for FileMemory {
    fn drop(&mut self) {
        if self.0.is_some() {
            PARSER.take();
        }
    }
}

/// Drops a tree, unless its memory is taken back anyway.
fn discard(tree: Tree) {
    if arena::is_open() {
        std::mem::forget(tree);
    }
}

fn with_parser<T>(work: impl FnOnce(&mut Parser) -> T) -> T {
    PARSER.with_borrow_mut(|parser| work(parser.get_or_insert_with(Parser::new)))
}

/// Parses with this thread's parser; `None` if it took too long.
fn parse(source: &[u8], table: &'static Table, holes: &Holes) -> Option<Tree> {
    let rewritten = table.language.rewrite.and_then(|rewrite| rewrite(source));
    parse_text(rewritten.as_deref().unwrap_or(source), table, holes)
}

fn parse_text(source: &[u8], table: &'static Table, holes: &Holes) -> Option<Tree> {
    parse_with(table, |offset| holes.read(source, offset), |_| false)
}

/// Parses what `read` gives for each offset, until `give_up` says that the rest is of no use.
fn parse_with<'s>(
    table: &'static Table,
    read: impl Fn(usize) -> &'s [u8],
    give_up: impl Fn(&ParseState) -> bool,
) -> Option<Tree> {
    with_parser(|parser| {
        parser.set_language(&table.grammar).expect("the grammar's version fits: a test opens every language");
        let clock = Clock::start();
        let before = arena::taken();
        let mut stop = |state: &ParseState| match give_up(state) || is_dense(state, before) || clock.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut stop);
        let tree = parser.parse_with_options(&mut |offset, _| read(offset), None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

/// Parses one stretch of a file as a statement; `None` if it took too long or is none.
///
/// The parser reads an end of the statement right after a stretch that is no block. Without one it would look for
/// mistakes, which takes longer than the rest.
fn parse_statement(source: &[u8], table: &'static Table, range: Range, holes: &Holes) -> Option<Tree> {
    let end = range.end_byte;
    let put_in: &[u8] = if source[..end].ends_with(b"}") { b"" } else { b";" };
    let end_point = Point::new(range.end_point.row, range.end_point.column + put_in.len());
    let range = Range { end_byte: end + put_in.len(), end_point, ..range };
    with_parser(|parser| parser.set_included_ranges(&[range]).ok())?;
    let read = |offset: usize| match offset {
        _ if offset < end => holes.read(&source[..end], offset),
        _ => put_in.get(offset - end..).unwrap_or_default(),
    };
    let tree = parse_with(table, read, ParseState::has_error);
    with_parser(|parser| parser.set_included_ranges(&[]).ok())?;
    tree.filter(|tree| tree.root_node().child_count() == 1 && !tree.root_node().has_error())
}

/// Parses and throws the tree away: what extraction costs at the very least.
pub fn parse_only(source: &[u8], language: &'static Language) -> bool {
    parse_text(source, Table::of(language), &Holes::default()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Macros in macros, arguments that are no code, brackets that only look like arguments, and text that is no program.
    const TEXTS: [&str; 4] = [
        "fn f() { a!(b, c!(d.e(), vec![g; 2])); println!(\"{}\", h(i!{ j; k })); }\n",
        "fn f() -> bool { assert!(matches!(x, A { y } if m!(z))); pairs! { a => b!(c), d => e } n!(o = %p) }\n",
        "macro_rules! m { ($a:expr) => { f!($a) } }\n#[doc = g!(1)]\nfn h() { return!(i) }\nj!{ fn k() { l!(m) } }\n",
        "fn f() { a!(b; c!(d) } }\n",
    ];

    #[test]
    fn lines_are_uneven_where_bytes_are_no_columns() {
        assert_eq!(uneven_lines(b"a\r\nb\n"), []);
        assert_eq!(uneven_lines("a\n\u{e4} b\nc\n\u{1f600}".as_bytes()), [2, 4]);
        assert_eq!(uneven_lines(b"a\rb\nc\n"), [1, 2, 3], "lines are counted otherwise by who ends one there");
    }

    #[test]
    fn text_that_is_read_apart_gives_the_same_facts() {
        let language = codegraph_languages::ALL.iter().find(|language| language.apart.is_some()).expect("there is one");
        let table = Table::of(language);
        let own = [include_str!("walk.rs"), include_str!("finish.rs"), include_str!("lib.rs")];
        let plain = |text: &'static str| Text { whole: text.as_bytes(), length: text.len(), expanded: None };
        for text in TEXTS.iter().chain(&own) {
            let whole = facts(&plain(text), table, Apart::default()).expect("nothing is apart");
            assert_eq!(extract(text.as_bytes(), language), whole, "{text}");
        }
        let in_parts = |text: &&'static str| facts(&plain(text), table, Apart::of(table, text.as_bytes())).is_some();
        assert!(TEXTS[..2].iter().chain(&own).all(in_parts), "a file was read again in one piece");
    }
}
