//! The outline blob: names, lines and symbols of a file, column by column.

use codegraph_model::{
    FileFacts, Flags, Param, Problem, ScopeId, Span, StrId, Symbol, SymbolId, SymbolKind, TermId, Visibility,
};

use crate::wire::{In, Out};
use crate::{LineClass, LineIds, Result, Stored};

/// How a file uses a name: the bit for names that stand on a line.
pub(crate) const WORD: u8 = 1;

/// What the outline says besides the facts.
pub(crate) struct Extra<'a> {
    pub(crate) names: &'a [TermId],
    /// [`WORD`] or nothing, per name.
    pub(crate) uses: &'a [u8],
    /// The rank of each string of the facts.
    pub(crate) ranks: &'a [u32],
    pub(crate) lines: &'a LineIds,
    pub(crate) classes: &'a [LineClass],
}

/// Packs names, lines and symbols.
pub(crate) fn write(facts: &FileFacts, extra: &Extra<'_>) -> Vec<u8> {
    let mut out = Out { bytes: Vec::with_capacity(1024 + facts.symbols.len() * 24) };
    write_names(&mut out, extra);
    write_lines(&mut out, facts, extra);
    out.span(facts.header, 0);
    out.optional(rank(extra.ranks, facts.package));
    out.byte(u8::from(facts.generated));
    write_problems(&mut out, &facts.problems);
    write_symbols(&mut out, &facts.symbols, extra.ranks);
    out.bytes
}

pub(crate) fn rank(ranks: &[u32], id: StrId) -> u32 {
    if id.is_some() { ranks[id.index()] } else { u32::MAX }
}

fn write_names(out: &mut Out, extra: &Extra<'_>) {
    out.number(extra.names.len() as u32);
    let mut last = 0;
    for name in extra.names {
        out.number(name.0.wrapping_sub(last));
        last = name.0;
    }
    out.bytes.extend_from_slice(extra.uses);
}

fn write_lines(out: &mut Out, facts: &FileFacts, extra: &Extra<'_>) {
    out.number(facts.length);
    write_ascending(out, &facts.line_starts);
    write_ascending(out, &facts.uneven_lines);
    for run in extra.classes.chunk_by(|a, b| a == b) {
        out.number((run.len() as u32) << 2 | run[0] as u32);
    }
    out.number(extra.lines.runs.len() as u32);
    for (first, length) in &extra.lines.runs {
        out.number(*first);
        out.number(*length);
    }
}

fn write_ascending(out: &mut Out, numbers: &[u32]) {
    out.number(numbers.len() as u32);
    let mut last = 0;
    for number in numbers {
        out.number(number.wrapping_sub(last));
        last = *number;
    }
}

fn write_problems(out: &mut Out, problems: &[Problem]) {
    out.number(problems.len() as u32);
    for problem in problems {
        match problem {
            Problem::TimedOut => out.number(0),
            Problem::Dense => out.number(u32::MAX),
            Problem::Syntax(places) => out.number(places.saturating_add(1).min(u32::MAX - 1)),
        }
    }
}

fn write_symbols(out: &mut Out, symbols: &[Symbol], ranks: &[u32]) {
    out.number(symbols.len() as u32);
    for s in symbols {
        out.byte(s.kind as u8);
    }
    for s in symbols {
        out.byte(s.visibility as u8);
    }
    for s in symbols {
        out.optional(rank(ranks, s.name));
    }
    for s in symbols {
        out.optional(rank(ranks, s.qualifier));
    }
    for (index, s) in symbols.iter().enumerate() {
        out.optional_near(s.parent.0, index as u32);
    }
    for s in symbols {
        out.number(s.flags.0);
    }
    write_places(out, symbols);
    write_lists(out, symbols);
}

fn write_places(out: &mut Out, symbols: &[Symbol]) {
    let mut last = 0;
    for s in symbols {
        out.span(s.span, last);
        last = s.span.start;
    }
    for s in symbols {
        out.span(s.name_span, s.span.start);
    }
    for s in symbols {
        out.near(s.head_end, s.name_span.end);
    }
    let mut inner = 0;
    for s in symbols {
        out.optional_near(s.inner.0, inner);
        inner = if s.inner.is_some() { s.inner.0 } else { inner };
    }
    for s in symbols {
        out.optional_near(s.scope.0, scope_of_members(symbols, s.parent));
    }
    for s in symbols {
        out.span(s.doc, s.span.start);
    }
    for s in symbols {
        out.span(s.type_span, s.name_span.end);
    }
}

/// Where the members of a symbol are usually declared.
fn scope_of_members(symbols: &[Symbol], parent: SymbolId) -> u32 {
    match symbols.get(parent.index()) {
        Some(parent) if parent.inner.is_some() => parent.inner.0,
        _ => 0,
    }
}

fn write_lists(out: &mut Out, symbols: &[Symbol]) {
    for s in symbols {
        out.number(s.params.len() as u32);
    }
    for s in symbols {
        let mut last = s.name_span.end;
        for param in &s.params {
            out.span(param.name, last);
            last = param.name.end;
        }
    }
    let params = || symbols.iter().flat_map(|s| &s.params);
    params().for_each(|param| out.span(param.type_span, param.name.end));
    params().for_each(|param| out.span(param.default, param.name.end));
    params().for_each(|param| out.number(param.flags.0));
    for s in symbols {
        write_spans(out, &s.bases, s.span.start);
    }
    for s in symbols {
        write_spans(out, &s.decorators, s.span.start);
    }
}

fn write_spans(out: &mut Out, spans: &[Span], base: u32) {
    out.number(spans.len() as u32);
    for span in spans {
        out.span(*span, base);
    }
}

/// Unpacks names, lines and symbols.
pub(crate) fn read(bytes: &[u8]) -> Result<Stored> {
    let mut input = In::new(bytes);
    let mut stored = Stored::default();
    read_names(&mut input, &mut stored);
    read_lines(&mut input, &mut stored);
    stored.facts.header = input.span(0);
    stored.facts.package = StrId(input.optional());
    stored.facts.generated = input.byte() != 0;
    stored.facts.problems = read_problems(&mut input);
    stored.facts.symbols = read_symbols(&mut input, stored.names.len());
    input.finish("outline")?;
    Ok(stored)
}

/// What the places of uses need of an outline: the lines, and of each symbol its name, how long that is, and its scope.
#[derive(Default)]
pub(crate) struct Ground {
    pub(crate) names: usize,
    pub(crate) lines: FileFacts,
    pub(crate) symbols: Vec<(StrId, u32, ScopeId)>,
}

/// Unpacks that, and passes over the rest.
pub(crate) fn read_ground(bytes: &[u8]) -> Result<Ground> {
    let mut input = In::new(bytes);
    let mut ground = Ground { names: input.count(), ..Ground::default() };
    input.skip(ground.names);
    input.take(ground.names);
    let (mut classes, lines) = (0, read_starts(&mut input, &mut ground.lines));
    if lines == 0 {
        input.fail();
    }
    while classes < lines && !input.is_empty() {
        classes += (input.number() >> 2) as usize;
    }
    let runs = input.count();
    input.skip(2 * runs);
    input.span(0);
    input.optional();
    input.byte();
    let problems = input.count();
    input.skip(problems);
    let count = input.count();
    input.take(count);
    input.take(count);
    ground.symbols = (0..count).map(|_| (read_name(&mut input, ground.names), 0, ScopeId::NONE)).collect();
    // Qualifiers, parents and flags; then where they are.
    input.skip(3 * count);
    for _ in 0..count {
        input.span(0);
    }
    for (_, length, _) in &mut ground.symbols {
        let name = input.span(0);
        *length = name.end.wrapping_sub(name.start);
    }
    input.skip(count);
    let mut inner = 0;
    for (.., scope) in &mut ground.symbols {
        *scope = ScopeId(input.optional_near(inner));
        inner = if scope.is_some() { scope.0 } else { inner };
    }
    input.check("outline")?;
    Ok(ground)
}

fn read_names(input: &mut In<'_>, stored: &mut Stored) {
    let count = input.count();
    stored.names.reserve(count);
    let mut last = 0u32;
    for _ in 0..count {
        last = last.wrapping_add(input.number());
        stored.names.push(TermId(last));
    }
    stored.uses = (0..count).map(|_| input.byte()).collect();
}

fn read_lines(input: &mut In<'_>, stored: &mut Stored) {
    let count = read_starts(input, &mut stored.facts);
    stored.classes.reserve(count);
    while stored.classes.len() < count && !input.is_empty() {
        let run = input.number();
        let class = LineClass::ALL[(run & 3) as usize];
        let length = (run >> 2) as usize;
        let length = length.min(count - stored.classes.len());
        stored.classes.extend(std::iter::repeat_n(class, length));
    }
    let runs = input.count();
    stored.line_ids.runs = (0..runs).map(|_| (input.number(), input.number())).collect();
}

/// Reads where the lines begin; how many there are.
fn read_starts(input: &mut In<'_>, facts: &mut FileFacts) -> usize {
    facts.length = input.number();
    facts.line_starts = read_ascending(input);
    facts.uneven_lines = read_ascending(input);
    facts.line_starts.len()
}

fn read_ascending(input: &mut In<'_>) -> Vec<u32> {
    let count = input.count();
    let mut numbers = Vec::with_capacity(count);
    let mut last = 0u32;
    for _ in 0..count {
        last = last.wrapping_add(input.number());
        numbers.push(last);
    }
    numbers
}

fn read_problems(input: &mut In<'_>) -> Vec<Problem> {
    let count = input.count();
    let one = |input: &mut In<'_>| match input.number() {
        0 => Problem::TimedOut,
        u32::MAX => Problem::Dense,
        places => Problem::Syntax(places - 1),
    };
    (0..count).map(|_| one(input)).collect()
}

fn read_symbols(input: &mut In<'_>, names: usize) -> Vec<Symbol> {
    let count = input.count();
    let mut symbols = vec![Symbol::default(); count];
    for s in &mut symbols {
        let number = input.byte();
        s.kind = SymbolKind::from_number(number).unwrap_or_else(|| {
            input.fail();
            SymbolKind::Module
        });
    }
    for s in &mut symbols {
        s.visibility = Visibility::from_number(input.byte()).unwrap_or(Visibility::Unknown);
    }
    for s in &mut symbols {
        s.name = read_name(input, names);
    }
    for s in &mut symbols {
        s.qualifier = read_name(input, names);
    }
    for (index, s) in symbols.iter_mut().enumerate() {
        s.parent = SymbolId(input.optional_near(index as u32));
        // A parent comes before its children, so that walking up always ends.
        if s.parent.is_some() && s.parent.index() >= index.max(1) {
            input.fail();
            s.parent = SymbolId::NONE;
        }
    }
    for s in &mut symbols {
        s.flags = Flags(input.number());
    }
    read_places(input, &mut symbols);
    read_lists(input, &mut symbols);
    symbols
}

/// A name that is surely in the table.
pub(crate) fn read_name(input: &mut In<'_>, names: usize) -> StrId {
    let id = StrId(input.optional());
    if id.is_some() && id.index() >= names {
        input.fail();
        return StrId::NONE;
    }
    id
}

fn read_places(input: &mut In<'_>, symbols: &mut [Symbol]) {
    let mut last = 0;
    for s in &mut *symbols {
        s.span = input.span(last);
        last = s.span.start;
    }
    for s in &mut *symbols {
        s.name_span = input.span(s.span.start);
    }
    for s in &mut *symbols {
        s.head_end = input.near(s.name_span.end);
    }
    let mut inner = 0;
    for s in &mut *symbols {
        s.inner = ScopeId(input.optional_near(inner));
        inner = if s.inner.is_some() { s.inner.0 } else { inner };
    }
    for index in 0..symbols.len() {
        symbols[index].scope = ScopeId(input.optional_near(scope_of_members(symbols, symbols[index].parent)));
    }
    for s in &mut *symbols {
        s.doc = input.span(s.span.start);
    }
    for s in &mut *symbols {
        s.type_span = input.span(s.name_span.end);
    }
}

fn read_lists(input: &mut In<'_>, symbols: &mut [Symbol]) {
    for s in &mut *symbols {
        s.params = vec![Param::default(); input.count()];
    }
    for s in &mut *symbols {
        let mut last = s.name_span.end;
        for param in &mut s.params {
            param.name = input.span(last);
            last = param.name.end;
        }
    }
    for param in symbols.iter_mut().flat_map(|s| &mut s.params) {
        param.type_span = input.span(param.name.end);
    }
    for param in symbols.iter_mut().flat_map(|s| &mut s.params) {
        param.default = input.span(param.name.end);
    }
    for param in symbols.iter_mut().flat_map(|s| &mut s.params) {
        param.flags = Flags(input.number());
    }
    for s in &mut *symbols {
        s.bases = read_spans(input, s.span.start);
    }
    for s in &mut *symbols {
        s.decorators = read_spans(input, s.span.start);
    }
}

fn read_spans(input: &mut In<'_>, base: u32) -> Vec<Span> {
    (0..input.count()).map(|_| input.span(base)).collect()
}
