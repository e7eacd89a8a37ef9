//! Last steps: nameless symbols are dissolved, unused expressions dropped, references put in order.

use codegraph_languages::table::{Condition, DefaultVisibility, Language, Unlikely};
use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::add_type_bounds;
use crate::hidden::Hidden;
use crate::opened::declare_opened;
use crate::overwritten::mark_overwritten;
use crate::prototype::{add_bases, escaping_keys};
use crate::walk::Walk;
use crate::words::Words;

impl Walk<'_> {
    pub(crate) fn finish(self) -> FileFacts {
        let Walk {
            language,
            source,
            mut words,
            mut facts,
            dissolved,
            exported,
            hidden,
            inherited,
            type_bounds,
            docs,
            undeclared,
            ..
        } = self;
        facts.generated = docs.say_generated(source);
        add_type_bounds(&mut facts, &type_bounds);
        add_bases(&mut facts, &inherited);
        if language.object_members {
            escaping_keys(&mut facts);
        }
        declare_globals(&mut facts, &words, language, &undeclared);
        refer_to_hidden(&mut facts, &mut words, source, &hidden);
        if language.linking.headers {
            declare_opened(&mut facts, &mut words, source);
        }
        if language.visibility == DefaultVisibility::Exported {
            mark_exported(&mut facts, exported);
        }
        if language.linking.namespaces {
            mark_everywhere(&mut facts, &mut words);
        }
        let (strings, line_starts, terms) = words.finish(language.reserved);
        facts.strings = strings;
        facts.line_starts = line_starts;
        facts.line_starts.truncate(facts.line_starts.partition_point(|start| *start <= facts.length));
        facts.terms = terms;
        dissolve(&mut facts, dissolved);
        if language.last_definition_runs {
            mark_overwritten(&mut facts, source);
        }
        first_is_declaration(&mut facts);
        sort_references(&mut facts);
        if language.linking.headers && language.linking.overloads {
            mark_const_names(&mut facts, source);
        }
        drop_unused(&mut facts);
        facts.notes.sort_unstable();
        facts.notes.dedup();
        mark_definitions(&mut facts);
        if language.linking.headers {
            mark_special(&mut facts, source);
            mark_const(&mut facts, source);
        }
        if let Some(unlikely) = language.unlikely {
            let conditional = unlikely(source);
            mark_unlikely(&mut facts, &conditional.unlikely);
            note_conditions(&mut facts, &conditional.conditions);
            note_standards(&mut facts, &conditional.by_standard);
        }
        facts
    }
}

/// Other files find those that import for them too by a name that no text has.
fn mark_everywhere(facts: &mut FileFacts, words: &mut Words<'_>) {
    let holds = |import: &Import| import.flags.has(ImportFlags::REEXPORT) && !import.flags.has(ImportFlags::INACTIVE);
    if facts.imports.iter().any(holds) {
        facts.symbols[0].qualifier = words.intern_made(EVERYWHERE.to_owned());
    }
}

/// A name that is assigned to and declared nowhere is a variable of the file; where only functions assign to it, nothing says that
/// one of them ran before it is read elsewhere.
fn declare_globals(facts: &mut FileFacts, words: &Words<'_>, language: &Language, assigned: &[(RefId, ExprId)]) {
    if assigned.is_empty() {
        return;
    }
    let mut declared: FxHashSet<(ScopeId, StrId)> = facts.bindings.iter().map(|b| (b.scope, b.name)).collect();
    declared.extend(facts.symbols.iter().map(|s| (s.scope, s.name)));
    let imported = facts.imports.iter().filter_map(|import| Some((import.scope, facts.bound_name(import)?.0)));
    declared.extend(imported);
    let function = |facts: &FileFacts, mut scope: ScopeId| {
        while facts.scopes[scope.index()].kind == ScopeKind::Block {
            scope = facts.scopes[scope.index()].parent;
        }
        scope
    };
    for inside in [false, true] {
        for &(reference, init) in assigned {
            let Reference { name, span, scope, .. } = facts.refs[reference.index()];
            let home = function(facts, scope);
            let mut around = scope;
            while around.is_some() && !declared.contains(&(around, name)) {
                around = facts.scopes[around.index()].parent;
            }
            let is_known = around.is_some() || language.linking.builtins.contains(&words.text(name));
            if !is_known && (home.0 != 0) == inside {
                let (kind, ty) = (BindingKind::Local, ExprId::NONE);
                facts.bindings.push(Binding { kind, name, span, scope: home, from: span.end, ty, init });
                declared.insert((home, name));
            }
        }
    }
}

/// Macros that the parser did not get to see, and the names in their arguments.
fn refer_to_hidden<'s>(facts: &mut FileFacts, words: &mut Words<'s>, source: &'s [u8], hidden: &[Hidden]) {
    if hidden.is_empty() {
        return;
    }
    let mut starts: Vec<(u32, ScopeId)> =
        facts.scopes.iter().enumerate().map(|(i, scope)| (scope.span.start, ScopeId(i as u32))).collect();
    starts.sort_unstable();
    for word in hidden {
        let place = starts.partition_point(|(start, _)| *start <= word.span.start);
        let mut scope = if place == 0 { ScopeId(0) } else { starts[place - 1].1 };
        while scope.0 != 0 && !facts.scopes[scope.index()].span.contains(word.span.start) {
            scope = facts.scopes[scope.index()].parent;
        }
        let name = words.intern(&source[word.span.range()]);
        let kind = if word.is_macro { RefKind::Macro } else { RefKind::Read };
        let args = u8::from(word.stands_alone);
        facts.refs.push(Reference { name, span: word.span, kind, scope, receiver: ExprId::NONE, args });
    }
}

/// Of local names that are declared in several branches, those count that a common build has.
fn leave_out_locals(bindings: &mut [Binding], is_out: impl Fn(&Binding) -> bool) {
    let is_local = |b: &Binding| matches!(b.kind, BindingKind::Local | BindingKind::Param);
    let out: Vec<usize> = (0..bindings.len()).filter(|i| is_local(&bindings[*i]) && is_out(&bindings[*i])).collect();
    if out.is_empty() {
        return;
    }
    let likely = bindings.iter().filter(|b| is_local(b) && !is_out(b));
    let likely: rustc_hash::FxHashSet<(ScopeId, StrId)> = likely.map(|b| (b.scope, b.name)).collect();
    for i in out {
        if likely.contains(&(bindings[i].scope, bindings[i].name)) {
            bindings[i].kind = BindingKind::Again;
        }
    }
}

/// Methods that leave their value as it is: `int size() const`.
fn mark_const(facts: &mut FileFacts, source: &[u8]) {
    for symbol in facts.symbols.iter_mut().skip(1) {
        let is_method = symbol.kind.is_callable() && symbol.kind != SymbolKind::Macro;
        if is_method && symbol.head_end > symbol.name_span.end {
            let head = &source[symbol.name_span.end as usize..(symbol.span.end as usize).min(source.len())];
            if behind_parameters(head).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"const")) {
                symbol.flags.insert(Flags::READONLY);
            }
        }
    }
}

/// Local names whose values stay as they are: their types are marked as written apart.
fn mark_const_names(facts: &mut FileFacts, source: &[u8]) {
    for i in 0..facts.bindings.len() {
        let binding = facts.bindings[i];
        let is_local = matches!(binding.kind, BindingKind::Local | BindingKind::Param);
        if is_local && binding.ty.is_some() && is_const(&source[..binding.span.start as usize]) {
            facts.bindings[i].ty = ExprId(facts.exprs.len() as u32);
            facts.exprs.push(Expr { op: ExprOp::Typed, a: binding.ty.0, b: 0 });
        }
    }
}

/// Whether the declaration that a name ends starts with `const`, or says it behind its type.
fn is_const(before: &[u8]) -> bool {
    let mut angles = 0u32;
    let mut start = before.len().saturating_sub(200);
    for i in (start..before.len()).rev() {
        match before[i] {
            b'>' => angles += 1,
            b'<' => angles = angles.saturating_sub(1),
            b';' | b'{' | b'}' | b'(' | b',' if angles == 0 => {
                start = i + 1;
                break;
            }
            _ => {}
        }
    }
    let text = before[start..].trim_ascii();
    text.starts_with(b"const ") || text.windows(7).any(|w| w == b" const&" || w == b" const*" || w == b" const ")
}

/// What follows the parameters of a function.
fn behind_parameters(head: &[u8]) -> Option<&[u8]> {
    let mut depth = 0u32;
    for (i, byte) in head.iter().enumerate().take(2000) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(&head[i + 1..]),
            b')' => depth = depth.checked_sub(1)?,
            b';' | b'{' => return None,
            _ => {}
        }
    }
    None
}

/// Types and functions whose names have arguments behind them: `struct hash<T> {`.
fn mark_special(facts: &mut FileFacts, source: &[u8]) {
    for symbol in facts.symbols.iter_mut().skip(1) {
        let may_be = symbol.kind.is_type() || symbol.kind.is_callable() && symbol.kind != SymbolKind::Operator;
        let applied = || source[symbol.name_span.range().end..].trim_ascii_start().starts_with(b"<");
        if may_be && symbol.kind != SymbolKind::Macro && !symbol.name_span.is_empty() && applied() {
            symbol.flags.insert(Flags::SPECIAL);
        }
    }
}

/// Symbols in text that common builds leave out.
fn mark_unlikely(facts: &mut FileFacts, spans: &[Unlikely]) {
    let at = |offset: u32| {
        let place = spans.partition_point(|unlikely| unlikely.span.end <= offset);
        spans.get(place).filter(|unlikely| unlikely.span.contains(offset))
    };
    for symbol in facts.symbols.iter_mut().skip(1) {
        if let Some(unlikely) = at(symbol.name_span.start) {
            symbol.flags.insert(Flags::INACTIVE);
            // A macro that is surely not there leaves its name to others.
            if unlikely.sure && symbol.kind == SymbolKind::Macro {
                symbol.flags.insert(Flags::REPLACED);
            }
        }
    }
    leave_out_locals(&mut facts.bindings, |binding| at(binding.span.start).is_some());
    // Of several things that one name is made to mean, those count that a common build has.
    let named = |import: &Import| match import.path.last() {
        _ if import.source.is_some() => StrId::NONE,
        _ if import.alias.is_some() => import.alias,
        Some(last) => facts.refs[last.index()].name,
        None => StrId::NONE,
    };
    let likely = facts.imports.iter().filter(|import| at(import.span.start).is_none());
    let likely: Vec<StrId> = likely.map(named).filter(|name| name.is_some()).collect();
    let left_out: Vec<bool> = facts
        .imports
        .iter()
        .map(|import| at(import.span.start).is_some_and(|unlikely| unlikely.sure || likely.contains(&named(import))))
        .collect();
    for (import, _) in facts.imports.iter_mut().zip(left_out).filter(|(_, out)| *out) {
        import.flags.insert(ImportFlags::INACTIVE);
    }
}

/// What decides elsewhere whether a symbol is there.
fn note_conditions(facts: &mut FileFacts, conditions: &[Condition]) {
    if conditions.is_empty() {
        return;
    }
    let mut conditions: Vec<(&Condition, Option<ExprId>)> =
        conditions.iter().map(|condition| (condition, asked(facts, condition))).collect();
    conditions.sort_by_key(|(condition, _)| condition.span.start);
    let is_open =
        |symbol: &Symbol| matches!(facts.scopes[symbol.scope.index()].kind, ScopeKind::Module | ScopeKind::Namespace);
    let mut symbols: Vec<(u32, u32)> = (1..facts.symbols.len())
        .filter(|i| is_open(&facts.symbols[*i]))
        .map(|i| (facts.symbols[i].name_span.start, i as u32))
        .collect();
    symbols.sort_unstable();
    let mut open: Vec<(&Condition, Option<ExprId>)> = Vec::new();
    let mut next = conditions.into_iter().peekable();
    let count = facts.notes.len();
    for (at, symbol) in symbols {
        while let Some(condition) = next.next_if(|(condition, _)| condition.span.start <= at) {
            open.push(condition);
        }
        open.retain(|(condition, _)| condition.span.end > at);
        // One that nobody can decide leaves all to the guess.
        if open.iter().all(|(_, expr)| expr.is_some()) {
            facts.notes.extend(open.iter().filter_map(|(condition, expr)| {
                let tie = if condition.holds { Tie::When } else { Tie::Unless };
                Some(Note { symbol: SymbolId(symbol), tie, expr: (*expr)? })
            }));
        }
    }
    if facts.notes.len() > count {
        facts.notes.sort_unstable();
        facts.notes.dedup();
    }
}

/// Under which standards of the language a symbol is there.
fn note_standards(facts: &mut FileFacts, by_standard: &[Vec<Unlikely>]) {
    let all = (1u32 << by_standard.len()) - 1;
    let count = facts.notes.len();
    for (i, symbol) in facts.symbols.iter_mut().enumerate().skip(1).filter(|_| all > 0) {
        let at = symbol.name_span.start;
        let is_there = |spans: &Vec<Unlikely>| {
            let place = spans.partition_point(|unlikely| unlikely.span.end <= at);
            !spans.get(place).is_some_and(|unlikely| unlikely.span.contains(at))
        };
        let bits = by_standard.iter().enumerate().map(|(i, spans)| u32::from(is_there(spans)) << i).sum();
        if bits == 0 || bits == all {
            continue;
        }
        symbol.flags.0 &= !Flags::REPLACED.0;
        let expr = ExprId(facts.exprs.len() as u32);
        facts.exprs.push(Expr { op: ExprOp::Literal, a: bits, b: u32::MAX });
        facts.notes.push(Note { symbol: SymbolId(i as u32), tie: Tie::Standards, expr });
    }
    if facts.notes.len() > count {
        facts.notes.sort_unstable();
    }
}

/// The macro that a condition names, as an expression.
fn asked(facts: &mut FileFacts, condition: &Condition) -> Option<ExprId> {
    let place = facts.refs.partition_point(|reference| reference.span.start < condition.name.start);
    facts.refs.get(place).filter(|reference| reference.span == condition.name && !condition.name.is_empty())?;
    let name = facts.exprs.len() as u32;
    facts.exprs.push(Expr { op: ExprOp::Ref, a: place as u32, b: 0 });
    if condition.by_value {
        facts.exprs.push(Expr { op: ExprOp::Typed, a: name, b: 0 });
    }
    Some(ExprId(facts.exprs.len() as u32 - 1))
}

/// Names that are exported apart from their definitions: listed, or re-exported without a module.
fn mark_exported(facts: &mut FileFacts, mut names: Vec<StrId>) {
    let own = |i: &&Import| i.flags.has(ImportFlags::REEXPORT) && i.source.is_none() && i.level == 0;
    let listed = facts.imports.iter().filter(own).filter(|i| i.path.len() == 1);
    names.extend(listed.map(|i| facts.refs[i.path[0].index()].name));
    if names.is_empty() {
        return;
    }
    names.sort_unstable();
    for symbol in facts.symbols.iter_mut().skip(1).filter(|s| s.parent.0 == 0) {
        if names.binary_search(&symbol.name).is_ok() {
            symbol.flags.insert(Flags::EXPORT);
            symbol.visibility = Visibility::Public;
        }
    }
}

/// Removes symbols without a name; what they held belongs to their parents.
fn dissolve(facts: &mut FileFacts, mut gone: Vec<SymbolId>) {
    let nameless = facts.symbols.iter().enumerate().skip(1).filter(|(_, s)| s.name.is_none());
    gone.extend(nameless.map(|(i, _)| SymbolId(i as u32)));
    if gone.is_empty() {
        return;
    }
    gone.sort_unstable();
    gone.dedup();
    let mut map: Vec<SymbolId> = Vec::with_capacity(facts.symbols.len());
    let mut kept = 0;
    let mut next = gone.iter().peekable();
    for (i, symbol) in facts.symbols.iter().enumerate() {
        if next.next_if(|id| id.index() == i).is_some() {
            map.push(map[symbol.parent.index()]);
        } else {
            map.push(SymbolId(kept));
            kept += 1;
        }
    }
    // A type without a name stays a type: the one whose members its scope declares.
    let mut shapes = vec![ScopeId::NONE; facts.symbols.len()];
    for id in &gone {
        shapes[id.index()] = facts.symbols[id.index()].inner;
    }
    let is_gone = |i: usize| gone.binary_search(&SymbolId(i as u32)).is_ok();
    let symbols = std::mem::take(&mut facts.symbols);
    facts.symbols = symbols.into_iter().enumerate().filter(|(i, _)| !is_gone(*i)).map(|(_, s)| s).collect();
    for symbol in &mut facts.symbols {
        if symbol.parent.is_some() {
            symbol.parent = map[symbol.parent.index()];
        }
    }
    for scope in &mut facts.scopes {
        scope.owner = map[scope.owner.index()];
    }
    facts.notes.retain(|n| !is_gone(n.symbol.index()));
    for note in &mut facts.notes {
        note.symbol = map[note.symbol.index()];
    }
    for expr in &mut facts.exprs {
        if expr.op == ExprOp::Own {
            let inner = shapes[expr.a as usize];
            *expr = match inner.get() {
                Some(scope) => Expr { op: ExprOp::Shape, a: scope.0, b: 0 },
                None => Expr { a: map[expr.a as usize].0, ..*expr },
            };
        }
    }
}

/// A loop ends after its body: what the body assigns to is declared by the loop's own name, which stands before it.
fn first_is_declaration(facts: &mut FileFacts) {
    let mut locals: FxHashMap<(ScopeId, StrId), usize> = FxHashMap::default();
    for i in 0..facts.bindings.len() {
        let binding = facts.bindings[i];
        match binding.kind {
            BindingKind::Local => {
                locals.insert((binding.scope, binding.name), i);
            }
            BindingKind::Again => {
                let Some(local) = locals.get_mut(&(binding.scope, binding.name)) else { continue };
                let other = facts.bindings[*local];
                if binding.span.start < other.span.start {
                    let here = |r: &&mut Reference| r.span == binding.span && r.name == binding.name;
                    if let Some(reference) = facts.refs.iter_mut().rev().find(here) {
                        reference.span = other.span;
                    }
                    facts.bindings[i].kind = BindingKind::Local;
                    facts.bindings[*local].kind = BindingKind::Again;
                    *local = i;
                }
            }
            _ => {}
        }
    }
}

/// References by position, without those that turned out to be none; indexes to them follow.
fn sort_references(facts: &mut FileFacts) {
    let key = |r: &Reference| (r.span.start, r.span.end, r.kind);
    let is_kept = |r: &Reference| r.name.is_some();
    if facts.refs.is_sorted_by_key(key) && facts.refs.iter().all(is_kept) {
        return;
    }
    let mut order: Vec<u32> = (0..facts.refs.len() as u32).filter(|i| is_kept(&facts.refs[*i as usize])).collect();
    order.sort_by_key(|i| key(&facts.refs[*i as usize]));
    let mut place = vec![u32::MAX; facts.refs.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old as usize] = new as u32;
    }
    facts.refs = order.iter().map(|i| facts.refs[*i as usize]).collect();
    for expr in &mut facts.exprs {
        if expr.op == ExprOp::Ref {
            expr.a = place[expr.a as usize];
        }
    }
    for import in &mut facts.imports {
        for part in &mut import.path {
            *part = RefId(place[part.index()]);
        }
    }
}

/// Keeps the expressions that a receiver, a binding or a note leads to.
fn drop_unused(facts: &mut FileFacts) {
    let mut used = vec![false; facts.exprs.len()];
    let roots = facts.refs.iter().map(|r| r.receiver);
    let roots = roots.chain(facts.bindings.iter().flat_map(|b| [b.ty, b.init]));
    let roots = roots.chain(facts.notes.iter().map(|n| n.expr));
    for root in roots.filter(|e| e.is_some()) {
        used[root.index()] = true;
    }
    // Parts come before wholes, so one pass from the end reaches everything.
    for i in (0..facts.exprs.len()).rev() {
        if used[i] {
            for part in parts(&facts.exprs[i]).into_iter().flatten() {
                used[part as usize] = true;
            }
        }
    }
    let mut map = vec![u32::MAX; facts.exprs.len()];
    let mut kept = 0;
    for (i, used) in used.iter().enumerate() {
        if *used {
            map[i] = kept;
            kept += 1;
        }
    }
    let at = |id: ExprId| if id.is_some() { ExprId(map[id.index()]) } else { id };
    let mut index = 0;
    facts.exprs.retain(|_| {
        index += 1;
        used[index - 1]
    });
    for expr in &mut facts.exprs {
        let [a, b] = parts(expr);
        if let Some(a) = a {
            expr.a = map[a as usize];
        }
        if let Some(b) = b {
            expr.b = map[b as usize];
        }
    }
    facts.refs.iter_mut().for_each(|r| r.receiver = at(r.receiver));
    for binding in &mut facts.bindings {
        binding.ty = at(binding.ty);
        binding.init = at(binding.init);
    }
    facts.notes.iter_mut().for_each(|n| n.expr = at(n.expr));
}

/// The expressions that an expression is made of.
fn parts(expr: &Expr) -> [Option<u32>; 2] {
    let some = |id: u32| (id != u32::MAX).then_some(id);
    match expr.op {
        ExprOp::Ref
        | ExprOp::Literal
        | ExprOp::This
        | ExprOp::Super
        | ExprOp::Own
        | ExprOp::Shape
        | ExprOp::Module
        | ExprOp::Root => [None, None],
        ExprOp::Apply | ExprOp::Cons | ExprOp::Either | ExprOp::Meet | ExprOp::Arguments | ExprOp::Case => {
            [some(expr.a), some(expr.b)]
        }
        ExprOp::Lambda => [None, some(expr.b)],
        _ => [some(expr.a), None],
    }
}

/// Marks the lines where a term names a symbol that is defined there.
fn mark_definitions(facts: &mut FileFacts) {
    let mut names: Vec<(StrId, u32)> = Vec::with_capacity(facts.symbols.len());
    for symbol in &facts.symbols[1..] {
        names.push((symbol.name, facts.line_of(symbol.name_span.start)));
    }
    for (name, line) in names {
        match facts.terms.binary_search_by_key(&(name, line), |t| (t.term, t.line)) {
            Ok(i) => facts.terms[i].mask.0 |= TermMask::DEF.0,
            Err(i) => {
                let mask = TermMask(TermMask::DEF.0);
                facts.terms.insert(i, TermLine { term: name, line, mask });
            }
        }
    }
}
