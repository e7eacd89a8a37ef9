//! The body blob: scopes, bindings, imports, references, expressions and notes of a file, column by column.

use codegraph_model::{
    Binding, BindingKind, Expr, ExprId, ExprOp, FileFacts, Import, ImportFlags, Note, RefId, RefKind, Reference, Scope,
    ScopeId, ScopeKind, Span, StrId, SymbolId, Tie,
};

use crate::outline::{rank, read_name};
use crate::wire::{In, Out};
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
        FunctionType Literal Lambda This Super Own Typed;
    Tie: Type Init Base Implements Return Yield SelfType Decorator;
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
        Key => (Expr, Str),
        Apply | Cons | Either => (Expr, Expr),
        Literal => (Plain, Str),
        Lambda | This | Super | Own => (Plain, Plain),
        Call | Index | Await | Try | Deref | AddressOf | Iterate | Item | Tuple | Array | Optional | Pointer
        | FunctionType | Typed => (Expr, Plain),
    }
}

/// Packs everything that is not in the outline.
pub(crate) fn write(facts: &FileFacts, ranks: &[u32]) -> Vec<u8> {
    let mut out = Out { bytes: Vec::with_capacity(1024 + facts.refs.len() * 8 + facts.exprs.len() * 3) };
    write_scopes(&mut out, &facts.scopes);
    write_bindings(&mut out, &facts.bindings, ranks);
    write_refs(&mut out, &facts.refs, ranks);
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
    facts.scopes = read_scopes(&mut input);
    facts.bindings = read_bindings(&mut input, names);
    facts.refs = read_refs(&mut input, names);
    facts.imports = read_imports(&mut input, names);
    facts.exprs = read_exprs(&mut input, names);
    facts.notes = read_notes(&mut input);
    input.finish("body")
}

fn write_scopes(out: &mut Out, scopes: &[Scope]) {
    out.number(scopes.len() as u32);
    for s in scopes {
        out.byte(s.kind.number());
    }
    for (index, s) in scopes.iter().enumerate() {
        out.optional_near(s.parent.0, index as u32);
    }
    let (mut owner, mut start) = (0, 0);
    for s in scopes {
        out.optional_near(s.owner.0, owner);
        owner = s.owner.0;
    }
    for s in scopes {
        out.span(s.span, start);
        start = s.span.start;
    }
}

fn read_scopes(input: &mut In<'_>) -> Vec<Scope> {
    let count = input.count();
    let blank = Scope { kind: ScopeKind::Module, parent: ScopeId::NONE, owner: SymbolId::NONE, span: Span::default() };
    let mut scopes = vec![blank; count];
    for s in &mut scopes {
        s.kind = ScopeKind::read(input);
    }
    for (index, s) in scopes.iter_mut().enumerate() {
        s.parent = ScopeId(input.optional_near(index as u32));
    }
    let (mut owner, mut start) = (0, 0);
    for s in &mut scopes {
        s.owner = SymbolId(input.optional_near(owner));
        owner = s.owner.0;
    }
    for s in &mut scopes {
        s.span = input.span(start);
        start = s.span.start;
    }
    scopes
}

fn write_bindings(out: &mut Out, bindings: &[Binding], ranks: &[u32]) {
    out.number(bindings.len() as u32);
    for b in bindings {
        out.byte(b.kind.number());
    }
    for b in bindings {
        out.optional(rank(ranks, b.name));
    }
    let (mut start, mut scope, mut expr) = (0, 0, 0);
    for b in bindings {
        out.span(b.span, start);
        start = b.span.start;
    }
    for b in bindings {
        out.optional_near(b.scope.0, scope);
        scope = b.scope.0;
    }
    for b in bindings {
        for value in [b.ty.0, b.init.0] {
            out.optional_near(value, expr);
            expr = if value == u32::MAX { expr } else { value };
        }
    }
}

fn read_bindings(input: &mut In<'_>, names: usize) -> Vec<Binding> {
    let count = input.count();
    let blank = Binding {
        kind: BindingKind::Local,
        name: StrId::NONE,
        span: Span::default(),
        scope: ScopeId::NONE,
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
        b.span = input.span(start);
        start = b.span.start;
    }
    for b in &mut bindings {
        b.scope = ScopeId(input.optional_near(scope));
        scope = b.scope.0;
    }
    for b in &mut bindings {
        for value in [&mut b.ty.0, &mut b.init.0] {
            *value = input.optional_near(expr);
            expr = if *value == u32::MAX { expr } else { *value };
        }
    }
    bindings
}

/// The usual length of each name, so that only surprising lengths cost something.
struct Lengths(Vec<u32>);

impl Lengths {
    fn new(names: usize) -> Lengths {
        Lengths(vec![0; names + 1])
    }

    fn slot(&mut self, rank: u32) -> &mut u32 {
        let last = self.0.len() - 1;
        &mut self.0[(rank as usize).min(last)]
    }
}

fn write_refs(out: &mut Out, refs: &[Reference], ranks: &[u32]) {
    out.number(refs.len() as u32);
    for r in refs {
        out.optional(rank(ranks, r.name));
    }
    let mut last = 0;
    for r in refs {
        out.near(r.span.start, last);
        last = r.span.end;
    }
    let mut lengths = Lengths::new(ranks.len());
    for r in refs {
        let usual = lengths.slot(rank(ranks, r.name));
        let length = r.span.end.wrapping_sub(r.span.start);
        out.near(length, *usual);
        *usual = length;
    }
    for r in refs {
        out.byte(r.kind as u8);
    }
    let (mut scope, mut receiver) = (0, 0);
    for r in refs {
        out.optional_near(r.scope.0, scope);
        scope = r.scope.0;
    }
    for r in refs {
        out.optional_near(r.receiver.0, receiver);
        receiver = if r.receiver.is_some() { r.receiver.0 } else { receiver };
    }
    for r in refs {
        out.byte(r.args);
    }
}

fn read_refs(input: &mut In<'_>, names: usize) -> Vec<Reference> {
    let count = input.count();
    let blank = Reference {
        name: StrId::NONE,
        span: Span::default(),
        kind: RefKind::Read,
        scope: ScopeId::NONE,
        receiver: ExprId::NONE,
        args: 0,
    };
    let mut refs = vec![blank; count];
    for r in &mut refs {
        r.name = read_name(input, names);
    }
    for r in &mut refs {
        r.span.start = input.number();
    }
    let mut lengths = Lengths::new(names);
    let mut last = 0u32;
    for r in &mut refs {
        let usual = lengths.slot(r.name.0);
        let length = input.near(*usual);
        *usual = length;
        r.span.start = crate::wire::add_zigzag(last, r.span.start);
        r.span.end = r.span.start.wrapping_add(length);
        last = r.span.end;
    }
    for r in &mut refs {
        r.kind = RefKind::from_number(input.byte()).unwrap_or_else(|| {
            input.fail();
            RefKind::Read
        });
    }
    let (mut scope, mut receiver) = (0, 0);
    for r in &mut refs {
        r.scope = ScopeId(input.optional_near(scope));
        scope = r.scope.0;
    }
    for r in &mut refs {
        r.receiver = ExprId(input.optional_near(receiver));
        receiver = if r.receiver.is_some() { r.receiver.0 } else { receiver };
    }
    for r in &mut refs {
        r.args = input.byte();
    }
    refs
}

fn write_imports(out: &mut Out, imports: &[Import], ranks: &[u32]) {
    out.number(imports.len() as u32);
    let (mut start, mut scope, mut part) = (0, 0, 0);
    for import in imports {
        out.span(import.span, start);
        out.optional_near(import.scope.0, scope);
        out.number(import.path.len() as u32);
        for reference in &import.path {
            out.near(reference.0, part);
            part = reference.0;
        }
        out.optional(rank(ranks, import.source));
        out.span(import.source_span, import.span.start);
        out.optional(rank(ranks, import.alias));
        out.span(import.alias_span, import.span.start);
        out.byte(import.level);
        out.number(import.flags.0.into());
        (start, scope) = (import.span.start, import.scope.0);
    }
}

fn read_imports(input: &mut In<'_>, names: usize) -> Vec<Import> {
    let count = input.count();
    let mut imports = Vec::with_capacity(count);
    let (mut start, mut scope, mut part) = (0, 0, 0);
    for _ in 0..count {
        let span = input.span(start);
        let import_scope = ScopeId(input.optional_near(scope));
        let parts = input.count();
        let mut path = Vec::with_capacity(parts);
        for _ in 0..parts {
            part = input.near(part);
            path.push(RefId(part));
        }
        imports.push(Import {
            span,
            scope: import_scope,
            path,
            source: read_name(input, names),
            source_span: input.span(span.start),
            alias: read_name(input, names),
            alias_span: input.span(span.start),
            level: input.byte(),
            flags: ImportFlags(input.number() as u16),
        });
        (start, scope) = (span.start, import_scope.0);
    }
    imports
}

fn write_exprs(out: &mut Out, exprs: &[Expr], ranks: &[u32]) {
    out.number(exprs.len() as u32);
    for e in exprs {
        out.byte(e.op.number());
    }
    let mut reference = 0;
    for (index, e) in exprs.iter().enumerate() {
        let (a, b) = operands(e.op);
        for (operand, value) in [(a, e.a), (b, e.b)] {
            match operand {
                Operand::Ref => {
                    out.optional_near(value, reference);
                    reference = value;
                }
                Operand::Expr => out.optional_near(value, index as u32),
                Operand::Str => out.optional(rank(ranks, StrId(value))),
                Operand::Plain => out.optional(value),
            }
        }
    }
}

fn read_exprs(input: &mut In<'_>, names: usize) -> Vec<Expr> {
    let count = input.count();
    let mut exprs: Vec<Expr> = (0..count).map(|_| Expr { op: ExprOp::read(input), a: 0, b: 0 }).collect();
    let mut reference = 0;
    for (index, e) in exprs.iter_mut().enumerate() {
        let (a, b) = operands(e.op);
        for (operand, value) in [(a, &mut e.a), (b, &mut e.b)] {
            *value = match operand {
                Operand::Ref => {
                    reference = input.optional_near(reference);
                    reference
                }
                Operand::Expr => input.optional_near(index as u32),
                Operand::Str => read_name(input, names).0,
                Operand::Plain => input.optional(),
            };
        }
    }
    exprs
}

fn write_notes(out: &mut Out, notes: &[Note]) {
    out.number(notes.len() as u32);
    let (mut symbol, mut expr) = (0, 0);
    for note in notes {
        out.near(note.symbol.0, symbol);
        out.byte(note.tie.number());
        out.near(note.expr.0, expr);
        (symbol, expr) = (note.symbol.0, note.expr.0);
    }
}

fn read_notes(input: &mut In<'_>) -> Vec<Note> {
    let count = input.count();
    let mut notes = Vec::with_capacity(count);
    let (mut symbol, mut expr) = (0, 0);
    for _ in 0..count {
        symbol = input.near(symbol);
        let tie = Tie::read(input);
        expr = input.near(expr);
        notes.push(Note { symbol: SymbolId(symbol), tie, expr: ExprId(expr) });
    }
    notes
}
