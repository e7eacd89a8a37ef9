//! The body blob: scopes, bindings, imports, references, expressions and notes of a file, column by column.

use codegraph_model::{
    Binding, BindingKind, Expr, ExprId, ExprOp, FileFacts, Import, ImportFlags, Note, RefId, RefKind, Reference, Scope,
    ScopeId, ScopeKind, Span, StrId, Symbol, SymbolId, Tie,
};

use crate::outline::{Ground, rank, read_name};
use crate::wire::{In, Out, add_zigzag};
use crate::{Result, Stored};

/// Gives an enum numbers; a variant that is missing here does not compile.
macro_rules! numbered {
    ($($kind:ident: $($variant:ident)*;)*) => {$(
        impl Numbered for $kind {
            const ALL: &'static [$kind] = &[$($kind::$variant),*];
            fn number(self) -> u8 {
                match self { $($kind::$variant => $kind::$variant as u8),* }
            }
        }
    )*};
}

trait Numbered: Sized + Copy + 'static {
    const ALL: &'static [Self];
    fn number(self) -> u8;

    fn read(input: &mut In<'_>) -> Self {
        let number = input.byte() as usize;
        *Self::ALL.get(number).unwrap_or_else(|| {
            input.fail();
            &Self::ALL[0]
        })
    }
}

numbered! {
    ScopeKind: Module Namespace Type Function Block;
    BindingKind: Local Param TypeParam Global Nonlocal Again Label;
    ExprOp: Ref Call Index Await Try Deref AddressOf Iterate Item Key Apply Cons Either Tuple Array Optional Pointer
        FunctionType Literal Lambda This Super Own Shape Typed Module Takes TypeOf Arguments
        Case Parameters Meet Root Named;
    Tie: Type Init Base Implements Return Yield SelfType Decorator Call Extends Instead Within When Unless Standards;
}

/// What the operand of an expression is.
#[derive(Clone, Copy, PartialEq)]
enum Operand {
    Ref,
    Expr,
    Str,
    Plain,
}

const fn operands(op: ExprOp) -> (Operand, Operand) {
    use ExprOp::*;
    use Operand::{Expr, Plain, Str};
    match op {
        Ref => (Operand::Ref, Plain),
        Key | Named => (Expr, Str),
        Apply | Cons | Either | Meet | Arguments | Case => (Expr, Expr),
        Literal => (Plain, Str),
        Lambda | This | Super | Own | Shape | Module | Root => (Plain, Plain),
        Call | Index | Await | Try | Deref | AddressOf | Iterate | Item | Tuple | Array | Optional | Pointer
        | FunctionType | Typed | Takes | TypeOf | Parameters => (Expr, Plain),
    }
}

/// Packs everything that is not in the outline.
pub(crate) fn write(facts: &FileFacts, ranks: &[u32]) -> Vec<u8> {
    let mut out = Out { bytes: Vec::with_capacity(1024 + facts.refs.len() * 8 + facts.exprs.len() * 3) };
    let named = facts.symbols.iter().map(|symbol| (rank(ranks, symbol.name), length(symbol.name_span)));
    let mut lengths = Lengths::new(named, ranks.len());
    write_scopes(&mut out, &facts.scopes, &facts.symbols);
    write_refs(&mut out, &facts.refs, ranks, &mut lengths);
    write_bindings(&mut out, &facts.bindings, ranks, &mut lengths);
    write_imports(&mut out, &facts.imports, ranks);
    write_exprs(&mut out, &facts.exprs, ranks);
    write_notes(&mut out, &facts.notes);
    out.bytes
}

/// Unpacks into facts whose outline is there.
pub(crate) fn read(bytes: &[u8], stored: &mut Stored) -> Result<()> {
    let mut input = In::new(bytes);
    let names = stored.names.len();
    let facts = &mut stored.facts;
    let mut lengths = Lengths::of(&facts.symbols, names);
    facts.scopes = read_scopes(&mut input, &facts.symbols);
    facts.refs = read_refs(&mut input, names, &mut lengths);
    facts.bindings = read_bindings(&mut input, names, &mut lengths);
    facts.imports = read_imports(&mut input, names);
    facts.exprs = read_exprs(&mut input, names);
    facts.notes = read_notes(&mut input);
    input.finish("body")
}

/// Unpacks what answers about uses need: everything but expressions and notes.
pub(crate) fn read_uses(bytes: &[u8], stored: &mut Stored) -> Result<()> {
    let mut input = In::new(bytes);
    let names = stored.names.len();
    let facts = &mut stored.facts;
    let mut lengths = Lengths::of(&facts.symbols, names);
    facts.scopes = read_scopes(&mut input, &facts.symbols);
    facts.refs = read_refs(&mut input, names, &mut lengths);
    facts.bindings = read_bindings(&mut input, names, &mut lengths);
    facts.imports = read_imports(&mut input, names);
    input.check("body")
}

/// Unpacks the scopes, without where they are, and the references up to one.
pub(crate) fn read_references(bytes: &[u8], ground: &Ground, last: RefId) -> Result<(Vec<Scope>, Vec<Reference>)> {
    let mut input = In::new(bytes);
    let openers = |count| openers(ground.symbols.iter().map(|(.., inner)| *inner), count);
    let (scopes, _) = read_owners(&mut input, openers);
    input.skip(2 * scopes.len());
    let named = ground.symbols.iter().map(|(name, length, _)| (name.0, *length));
    let refs = read_first_refs(&mut input, last.index() + 1, ground.names, &mut Lengths::new(named, ground.names));
    input.check("body")?;
    Ok((scopes, refs))
}

fn write_scopes(out: &mut Out, scopes: &[Scope], symbols: &[Symbol]) {
    out.number(scopes.len() as u32);
    for s in scopes {
        out.byte(s.kind.number());
    }
    for (index, s) in scopes.iter().enumerate() {
        out.optional_near(s.parent.0, index as u32);
    }
    let openers = openers(symbols.iter().map(|symbol| symbol.inner), scopes.len());
    for (index, s) in scopes.iter().enumerate() {
        out.optional_near(s.owner.0, usual_owner(scopes, index, &openers));
    }
    let mut last = Span::default();
    for (s, opener) in scopes.iter().zip(&openers) {
        let usual = usual_span(symbols, *opener, last);
        out.near(s.span.start, usual.start);
        out.near(length(s.span), length(usual));
        last = s.span;
    }
}

fn read_scopes(input: &mut In<'_>, symbols: &[Symbol]) -> Vec<Scope> {
    let openers = |count| openers(symbols.iter().map(|symbol| symbol.inner), count);
    let (mut scopes, openers) = read_owners(input, openers);
    let mut last = Span::default();
    for (s, opener) in scopes.iter_mut().zip(openers) {
        let usual = usual_span(symbols, opener, last);
        s.span.start = input.near(usual.start);
        s.span.end = s.span.start.wrapping_add(input.near(length(usual)));
        last = s.span;
    }
    scopes
}

/// The scopes without where they are, and the symbols that open them.
fn read_owners(input: &mut In<'_>, openers: impl Fn(usize) -> Vec<SymbolId>) -> (Vec<Scope>, Vec<SymbolId>) {
    let count = input.count();
    let blank = Scope { kind: ScopeKind::Module, parent: ScopeId::NONE, owner: SymbolId::NONE, span: Span::default() };
    let mut scopes = vec![blank; count];
    for s in &mut scopes {
        s.kind = ScopeKind::read(input);
    }
    for (index, s) in scopes.iter_mut().enumerate() {
        s.parent = ScopeId(input.optional_near(index as u32));
    }
    let openers = openers(count);
    for index in 0..count {
        scopes[index].owner = SymbolId(input.optional_near(usual_owner(&scopes, index, &openers)));
    }
    (scopes, openers)
}

/// The symbol that opens each scope, from the scopes that symbols open.
fn openers(inner: impl Iterator<Item = ScopeId>, scopes: usize) -> Vec<SymbolId> {
    let mut openers = vec![SymbolId::NONE; scopes];
    for (index, inner) in inner.enumerate() {
        if let Some(opener) = openers.get_mut(inner.index()) {
            *opener = SymbolId(index as u32);
        }
    }
    openers
}

/// The symbol that opens a scope, else the owner of the scope around it.
fn usual_owner(scopes: &[Scope], index: usize, openers: &[SymbolId]) -> u32 {
    let around = scopes[..index].get(scopes[index].parent.index()).map_or(SymbolId::NONE, |scope| scope.owner);
    openers[index].get().or(around.get()).map_or(0, |owner| owner.0)
}

/// The span of the symbol that opens a scope; a block is somewhere after the one before.
fn usual_span(symbols: &[Symbol], opener: SymbolId, last: Span) -> Span {
    match symbols.get(opener.index()) {
        Some(symbol) => symbol.span,
        None => Span { start: last.start, end: last.start },
    }
}

/// The usual length of each name, so that only surprising lengths cost something.
struct Lengths(Vec<u32>);

impl Lengths {
    /// The names of symbols are known from the outline: the rank and the length of each.
    fn new(symbols: impl Iterator<Item = (u32, u32)>, names: usize) -> Lengths {
        let mut lengths = Lengths(vec![0; names + 1]);
        symbols.for_each(|(rank, length)| *lengths.slot(rank) = length);
        lengths
    }

    fn of(symbols: &[Symbol], names: usize) -> Lengths {
        Lengths::new(symbols.iter().map(|symbol| (symbol.name.0, length(symbol.name_span))), names)
    }

    fn slot(&mut self, rank: u32) -> &mut u32 {
        let last = self.0.len() - 1;
        &mut self.0[(rank as usize).min(last)]
    }

    fn write(&mut self, out: &mut Out, rank: u32, span: Span) {
        let usual = self.slot(rank);
        out.near(length(span), *usual);
        *usual = length(span);
    }

    fn read(&mut self, input: &mut In<'_>, rank: u32) -> u32 {
        let usual = self.slot(rank);
        *usual = input.near(*usual);
        *usual
    }
}

const fn length(span: Span) -> u32 {
    span.end.wrapping_sub(span.start)
}

fn write_bindings(out: &mut Out, bindings: &[Binding], ranks: &[u32], lengths: &mut Lengths) {
    out.number(bindings.len() as u32);
    for b in bindings {
        out.byte(b.kind.number());
    }
    for b in bindings {
        out.optional(rank(ranks, b.name));
    }
    let (mut start, mut scope, mut expr) = (0, 0, 0);
    for b in bindings {
        out.near(b.span.start, start);
        start = b.span.start;
    }
    for b in bindings {
        lengths.write(out, rank(ranks, b.name), b.span);
    }
    for b in bindings {
        out.offset_near(b.from, b.span.end);
    }
    for b in bindings {
        out.optional_near(b.scope.0, scope);
        scope = b.scope.0;
    }
    for part in [|b: &Binding| b.ty, |b: &Binding| b.init] {
        for b in bindings {
            out.optional_near(part(b).0, expr);
            expr = if part(b).is_some() { part(b).0 } else { expr };
        }
        expr = 0;
    }
}

fn read_bindings(input: &mut In<'_>, names: usize, lengths: &mut Lengths) -> Vec<Binding> {
    let count = input.count();
    let blank = Binding {
        kind: BindingKind::Local,
        name: StrId::NONE,
        span: Span::default(),
        scope: ScopeId::NONE,
        from: 0,
        ty: ExprId::NONE,
        init: ExprId::NONE,
    };
    let mut bindings = vec![blank; count];
    for b in &mut bindings {
        b.kind = BindingKind::read(input);
    }
    for b in &mut bindings {
        b.name = read_name(input, names);
    }
    let (mut start, mut scope, mut expr) = (0, 0, 0);
    for b in &mut bindings {
        b.span.start = input.near(start);
        start = b.span.start;
    }
    for b in &mut bindings {
        b.span.end = b.span.start.wrapping_add(lengths.read(input, b.name.0));
    }
    for b in &mut bindings {
        b.from = input.offset_near(b.span.end);
    }
    for b in &mut bindings {
        b.scope = ScopeId(input.optional_near(scope));
        scope = b.scope.0;
    }
    for part in [|b: &mut Binding, e| b.ty = e, |b: &mut Binding, e| b.init = e] {
        for b in &mut bindings {
            let value = ExprId(input.optional_near(expr));
            part(b, value);
            expr = if value.is_some() { value.0 } else { expr };
        }
        expr = 0;
    }
    bindings
}

/// Kind, whether there is a receiver, and the number of arguments up to [`MANY`] in one byte: they go together.
const RECEIVER: u8 = 1 << 4;
const MANY: u8 = 7;

fn write_refs(out: &mut Out, refs: &[Reference], ranks: &[u32], lengths: &mut Lengths) {
    out.number(refs.len() as u32);
    for r in refs {
        out.optional(rank(ranks, r.name));
    }
    let mut last = 0;
    for r in refs {
        out.near(r.span.start, last);
        last = r.span.end;
    }
    for r in refs {
        lengths.write(out, rank(ranks, r.name), r.span);
    }
    for r in refs {
        let receiver = if r.receiver.is_some() { RECEIVER } else { 0 };
        out.byte(r.kind as u8 | receiver | r.args.min(MANY) << 5);
    }
    for r in refs.iter().filter(|r| r.args >= MANY) {
        out.byte(r.args - MANY);
    }
    let (mut scope, mut receiver) = (0, 0);
    for r in refs {
        out.optional_near(r.scope.0, scope);
        scope = r.scope.0;
    }
    for r in refs.iter().filter(|r| r.receiver.is_some()) {
        out.near(r.receiver.0, receiver);
        receiver = r.receiver.0;
    }
}

fn read_refs(input: &mut In<'_>, names: usize, lengths: &mut Lengths) -> Vec<Reference> {
    read_first_refs(input, usize::MAX, names, lengths)
}

/// Reads so many references, column by column, and passes over the rest of each column.
fn read_first_refs(input: &mut In<'_>, most: usize, names: usize, lengths: &mut Lengths) -> Vec<Reference> {
    let count = input.count();
    let blank = Reference {
        name: StrId::NONE,
        span: Span::default(),
        kind: RefKind::Read,
        scope: ScopeId::NONE,
        receiver: ExprId::NONE,
        args: 0,
    };
    let mut refs = vec![blank; count.min(most)];
    let rest = count - refs.len();
    for r in &mut refs {
        r.name = read_name(input, names);
    }
    input.skip(rest);
    for r in &mut refs {
        r.span.start = input.number();
    }
    input.skip(rest);
    let mut last = 0u32;
    for r in &mut refs {
        r.span.start = add_zigzag(last, r.span.start);
        r.span.end = r.span.start.wrapping_add(lengths.read(input, r.name.0));
        last = r.span.end;
    }
    input.skip(rest);
    let heads = input.take(count);
    for (r, head) in refs.iter_mut().zip(heads) {
        r.args = head >> 5;
        r.kind = RefKind::from_number(head & 15).unwrap_or_else(|| {
            input.fail();
            RefKind::Read
        });
    }
    for r in refs.iter_mut().filter(|r| r.args == MANY) {
        r.args = MANY.wrapping_add(input.byte());
    }
    input.take(heads.iter().skip(refs.len()).filter(|head| **head >> 5 == MANY).count());
    let (mut scope, mut receiver) = (0, 0);
    for r in &mut refs {
        r.scope = ScopeId(input.optional_near(scope));
        scope = r.scope.0;
    }
    input.skip(rest);
    for (r, _) in refs.iter_mut().zip(heads).filter(|(_, head)| **head & RECEIVER != 0) {
        receiver = input.near(receiver);
        r.receiver = ExprId(receiver);
    }
    input.skip(heads.iter().skip(refs.len()).filter(|head| **head & RECEIVER != 0).count());
    refs
}

fn write_imports(out: &mut Out, imports: &[Import], ranks: &[u32]) {
    out.number(imports.len() as u32);
    let (mut start, mut scope, mut part) = (0, 0, 0);
    for import in imports {
        out.span(import.span, start);
        start = import.span.start;
    }
    for import in imports {
        out.optional_near(import.scope.0, scope);
        scope = import.scope.0;
    }
    for import in imports {
        out.number(import.path.len() as u32);
    }
    for reference in imports.iter().flat_map(|import| &import.path) {
        out.near(reference.0, part);
        part = reference.0;
    }
    for import in imports {
        out.optional(rank(ranks, import.source));
        out.span(import.source_span, import.span.start);
    }
    for import in imports {
        out.optional(rank(ranks, import.alias));
        out.span(import.alias_span, import.span.start);
    }
    for import in imports {
        out.byte(import.level);
        out.number(import.flags.0.into());
    }
}

fn read_imports(input: &mut In<'_>, names: usize) -> Vec<Import> {
    let count = input.count();
    let mut imports = vec![Import::default(); count];
    let (mut start, mut scope, mut part) = (0, 0, 0);
    for import in &mut imports {
        import.span = input.span(start);
        start = import.span.start;
    }
    for import in &mut imports {
        import.scope = ScopeId(input.optional_near(scope));
        scope = import.scope.0;
    }
    for import in &mut imports {
        import.path = vec![RefId::NONE; input.count()];
    }
    for reference in imports.iter_mut().flat_map(|import| &mut import.path) {
        part = input.near(part);
        *reference = RefId(part);
    }
    for import in &mut imports {
        import.source = read_name(input, names);
        import.source_span = input.span(import.span.start);
    }
    for import in &mut imports {
        import.alias = read_name(input, names);
        import.alias_span = input.span(import.span.start);
    }
    for import in &mut imports {
        import.level = input.byte();
        import.flags = ImportFlags(input.number() as u16);
    }
    imports
}

fn write_exprs(out: &mut Out, exprs: &[Expr], ranks: &[u32]) {
    out.number(exprs.len() as u32);
    for e in exprs {
        out.byte(e.op.number());
    }
    let mut reference = 0;
    let mut operand = |index: usize, kind: Operand, value: u32| match kind {
        Operand::Ref => {
            out.optional_near(value, reference);
            reference = value;
        }
        Operand::Expr => out.optional_near(value, index as u32),
        Operand::Str => out.optional(rank(ranks, StrId(value))),
        Operand::Plain => out.optional(value),
    };
    exprs.iter().enumerate().for_each(|(index, e)| operand(index, operands(e.op).0, e.a));
    exprs.iter().enumerate().for_each(|(index, e)| operand(index, operands(e.op).1, e.b));
}

fn read_exprs(input: &mut In<'_>, names: usize) -> Vec<Expr> {
    let count = input.count();
    let mut exprs: Vec<Expr> = (0..count).map(|_| Expr { op: ExprOp::read(input), a: 0, b: 0 }).collect();
    let mut reference = 0;
    let mut operand = |index: usize, kind: Operand| match kind {
        Operand::Ref => {
            reference = input.optional_near(reference);
            reference
        }
        Operand::Expr => input.optional_near(index as u32),
        Operand::Str => read_name(input, names).0,
        Operand::Plain => input.optional(),
    };
    exprs.iter_mut().enumerate().for_each(|(index, e)| e.a = operand(index, operands(e.op).0));
    exprs.iter_mut().enumerate().for_each(|(index, e)| e.b = operand(index, operands(e.op).1));
    exprs
}

fn write_notes(out: &mut Out, notes: &[Note]) {
    out.number(notes.len() as u32);
    let (mut symbol, mut expr) = (0, 0);
    for note in notes {
        out.near(note.symbol.0, symbol);
        symbol = note.symbol.0;
    }
    for note in notes {
        out.byte(note.tie.number());
    }
    for note in notes {
        out.near(note.expr.0, expr);
        expr = note.expr.0;
    }
}

fn read_notes(input: &mut In<'_>) -> Vec<Note> {
    let count = input.count();
    let mut notes = vec![Note { symbol: SymbolId::NONE, tie: Tie::Type, expr: ExprId::NONE }; count];
    let (mut symbol, mut expr) = (0, 0);
    for note in &mut notes {
        symbol = input.near(symbol);
        note.symbol = SymbolId(symbol);
    }
    for note in &mut notes {
        note.tie = Tie::read(input);
    }
    for note in &mut notes {
        expr = input.near(expr);
        note.expr = ExprId(expr);
    }
    notes
}
