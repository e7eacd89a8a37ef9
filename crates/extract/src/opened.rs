//! Namespaces that macros open and close: `#define LIB_BEGIN namespace lib {` declares `lib`, and wherever the macro stands
//! alone between declarations, what follows is in it.

use codegraph_model::*;

use crate::words::Words;

/// Declares what the texts of macros open, and marks those that close something.
pub(crate) fn declare_opened<'s>(facts: &mut FileFacts, words: &mut Words<'s>, source: &'s [u8]) {
    for i in 1..facts.symbols.len() {
        let symbol = &facts.symbols[i];
        if symbol.kind != SymbolKind::Macro || !symbol.params.is_empty() {
            continue;
        }
        let text = Span::new(symbol.name_span.end, symbol.span.end);
        match first_word(&source[text.range()]) {
            b"namespace" | b"inline" => open(facts, words, source, text),
            b"}" => {
                let word = words.intern(b"}");
                let expr = ExprId(facts.exprs.len() as u32);
                facts.exprs.push(Expr { op: ExprOp::Literal, a: Literal::Basic as u32, b: word.0 });
                facts.notes.push(Note { symbol: SymbolId(i as u32), tie: Tie::SelfType, expr });
            }
            _ => {}
        }
    }
}

/// One namespace in the other, as the text of a macro opens them. Inline ones are as good as what is around them.
fn open<'s>(facts: &mut FileFacts, words: &mut Words<'s>, source: &'s [u8], text: Span) {
    let (mut parent, mut scope) = (SymbolId(0), ScopeId(0));
    let mut at = text.start;
    let (mut inline, mut start) = (false, None);
    while let Some(word) = next(source, at, text.end) {
        at = word.end;
        match (&source[word.range()], start) {
            (b"inline", None) => inline = true,
            (b"namespace", None) => start = Some(word.start),
            (b"{", _) => (inline, start) = (false, None),
            (b":", _) => {}
            (name, Some(from)) if !inline && is_name(name) => {
                let (symbol, inner) = (SymbolId(facts.symbols.len() as u32), ScopeId(facts.scopes.len() as u32));
                let span = Span::new(from, text.end);
                facts.scopes.push(Scope { kind: ScopeKind::Namespace, parent: scope, owner: symbol, span });
                let name = words.intern(name);
                facts.symbols.push(Symbol {
                    kind: SymbolKind::Namespace,
                    name,
                    parent,
                    span,
                    name_span: word,
                    head_end: word.end,
                    scope,
                    inner,
                    ..Symbol::default()
                });
                (parent, scope) = (symbol, inner);
            }
            (_, Some(_)) => {}
            _ => return,
        }
    }
}

fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
}

fn first_word(text: &[u8]) -> &[u8] {
    match next(text, 0, text.len() as u32) {
        Some(word) => &text[word.range()],
        None => b"",
    }
}

/// The next word or mark; lines that go on are one.
pub(crate) fn next(source: &[u8], mut at: u32, end: u32) -> Option<Span> {
    let is_word = |at: u32| source[at as usize].is_ascii_alphanumeric() || source[at as usize] == b'_';
    while at < end && (source[at as usize].is_ascii_whitespace() || source[at as usize] == b'\\') {
        at += 1;
    }
    if at >= end {
        return None;
    }
    let mut stop = at + 1;
    while is_word(at) && stop < end && is_word(stop) {
        stop += 1;
    }
    Some(Span::new(at, stop))
}
