//! Which of several definitions a build has, where that depends on macros that other files or the build define.
//!
//! Extraction notes what each definition between `#ifdef` and `#endif` asks for. What a manifest of the build defines is
//! defined, and so is what a file defines that is included; of anything else the guess of extraction stands.

use std::sync::Arc;

use codegraph_languages::table::{STANDARDS, USUAL_STANDARD};
use codegraph_model::*;
use rustc_hash::FxHashMap;

use crate::lookup::Linker;
use crate::{FileId, Sym, TermId, Unit};

/// How far macros are followed whose definitions depend on others.
const DEEPEST: u8 = 3;
/// A macro that more files define says nothing.
const MOST_DEFINERS: usize = 16;
/// Answers that are kept, at most.
const KEPT: usize = 1 << 14;

/// Whether a macro is defined: by the file that asks, the one with the condition, its name there, and how far it is followed.
pub(crate) type Made = FxHashMap<(FileId, FileId, u32, u8), Option<bool>>;

/// How unlikely a definition is to be there: it is, it may be, it is not by custom, it is not.
const THERE: u8 = 0;
const MAY_BE: u8 = 1;
const UNUSUAL: u8 = 2;
const ABSENT: u8 = 3;

impl Linker<'_> {
    /// How unlikely a build has a definition, as a file sees it: the less, the likelier.
    pub(crate) fn unlikeliness(&mut self, from: &Arc<Unit>, sym: Sym) -> u8 {
        self.unlikely_by(from, sym, DEEPEST)
    }

    fn unlikely_by(&mut self, from: &Arc<Unit>, sym: Sym, depth: u8) -> u8 {
        let owner = self.unit(sym.file);
        let mut usual = if owner.symbol(sym.symbol).flags.has(Flags::INACTIVE) { UNUSUAL } else { THERE };
        if !owner.is_conditional(sym.symbol) {
            return usual;
        }
        let (mut known, mut open) = (false, false);
        for note in owner.notes(sym.symbol) {
            let wanted = match note.tie {
                Tie::When => true,
                Tie::Unless => false,
                Tie::Standards => {
                    let standards = owner.facts.exprs[note.expr.index()].a;
                    if standards & (1 << self.standard(from)) == 0 {
                        return ABSENT;
                    }
                    usual = THERE;
                    continue;
                }
                _ => continue,
            };
            match self.asked(from, &owner, note.expr, depth) {
                Some(made) if made != wanted => return ABSENT,
                Some(_) => known = true,
                None => open = true,
            }
        }
        match (known, open) {
            (true, false) => THERE,
            (true, true) => usual.min(MAY_BE),
            _ => usual,
        }
    }

    /// Whether the macro that a condition names is defined, or has a value that is not zero, if that is known.
    fn asked(&mut self, from: &Arc<Unit>, owner: &Arc<Unit>, expr: ExprId, depth: u8) -> Option<bool> {
        let mut asked = owner.facts.exprs[expr.index()];
        let by_value = asked.op == ExprOp::Typed;
        if by_value {
            asked = owner.facts.exprs[asked.a as usize];
        }
        let reference = owner.facts.refs[asked.a as usize];
        let name = owner.name(reference.name);
        if let Some(value) = self.built(from, name) {
            return Some(if by_value { value == Some(true) } else { value.is_some() });
        }
        if by_value || depth == 0 {
            return None;
        }
        let key = (from.file, owner.file, asked.a, depth);
        if let Some(known) = self.made.get(&key) {
            return *known;
        }
        let found = self.is_made(from, owner, (name, reference.span.start), depth).then_some(true);
        if self.made.len() >= KEPT {
            self.made.clear();
        }
        self.made.insert(key, found);
        found
    }

    /// Whether a file that is included surely defines the macro that a condition names.
    fn is_made(&mut self, from: &Arc<Unit>, owner: &Arc<Unit>, (name, at): (TermId, u32), depth: u8) -> bool {
        let files = self.program.defining(name);
        if files.len() > MOST_DEFINERS {
            return false;
        }
        for &file in files.iter() {
            let other = self.unit(file);
            let related = other.language.is_related(owner.language);
            let counts =
                file == from.file || file == owner.file || self.reaches(from, file) || self.reaches(owner, file);
            if !related || !counts {
                continue;
            }
            // In the file of the condition, what stands behind it comes too late.
            let comes_before = |id: &SymbolId| file != owner.file || other.symbol(*id).name_span.start < at;
            let macros: Vec<SymbolId> = other.named(name).filter(comes_before).collect();
            for symbol in macros {
                let entry = other.symbol(symbol);
                if entry.kind == SymbolKind::Macro
                    && !entry.flags.has(Flags::REPLACED)
                    && self.unlikely_by(from, Sym { file, symbol }, depth - 1) == THERE
                {
                    return true;
                }
            }
        }
        false
    }

    /// The standard of the language that the build of a file asks for.
    fn standard(&self, from: &Unit) -> usize {
        let workspace = self.program.workspace();
        if workspace.standards.is_empty() {
            return USUAL_STANDARD;
        }
        let path = self.program.path(from.file);
        let wanted = workspace.standard(path.rsplit_once('/').map_or("", |(folder, _)| folder));
        wanted.map_or(USUAL_STANDARD, |wanted| STANDARDS.iter().rposition(|own| *own <= wanted).unwrap_or(0))
    }

    /// What the build of a file defines a macro as: whether that is not zero, or nothing if it does not.
    fn built(&mut self, from: &Unit, name: TermId) -> Option<Option<bool>> {
        let workspace = self.program.workspace();
        if workspace.defines.is_empty() {
            return None;
        }
        let text = self.program.text(name);
        let path = self.program.path(from.file);
        workspace.defined(path.rsplit_once('/').map_or("", |(folder, _)| folder), &text)
    }
}
