//! What of the ranked symbols fits into a budget of tokens: heads first, then neighbours, then bodies, then what to read.

use std::rc::Rc;

use codegraph_model::Span;
use codegraph_store::{SymbolRow, plain_comment};
use codegraph_tokens::count;
use rustc_hash::FxHashMap;

use super::excerpt::{Body, Telling};
use super::near::{around, named};
use super::rank::{Ranked, Ranking};
use super::render;
use super::task::Task;
use super::{ContextAnswer, ContextSymbol, ReadNext, ReadRange};
use crate::get::whole;
use crate::graph::Graph;
use crate::reader::FileView;
use crate::relation::Describer;
use crate::source::Source;
use crate::{Result, prototype};

/// Symbols that are listed at most.
pub(super) const MOST_SYMBOLS: usize = 24;
/// Symbols with callers and callees.
pub(super) const CENTRAL: usize = 3;
/// Files to read next that are named at most, and places in one.
pub(super) const MOST_NEXT: usize = 24;
pub(super) const PLAIN_NEXT: usize = 4;
pub(super) const MOST_RANGES: usize = 2;
/// Words that are named for a symbol at most.
pub(super) const MOST_WORDS: usize = 8;
/// Lines of a body that are shown beside others, by its place in the list: what comes later gets its signature alone.
const BODY_LINES: [usize; 4] = [22, 14, 8, 5];
/// The budget for which these are meant; with more, more is shown.
pub(super) const PLAIN_BUDGET: usize = super::DEFAULT_TOKENS;
/// A type with more lines is shown by its head.
pub(super) const LONGEST_TYPE: u32 = 40;

/// Fills an answer with as much as its budget allows.
pub(super) struct Fitter<'g, 'r> {
    pub(super) graph: &'g Graph<'r>,
    pub(super) task: &'g Task,
    /// What each of its words is worth.
    pub(super) worth: &'g [f64],
    pub(super) describer: Describer<'g, 'r>,
    pub(super) sources: FxHashMap<u32, Option<Rc<Source>>>,
    pub(super) purse: Purse,
}

/// The tokens that an answer has used.
#[derive(Default)]
pub(super) struct Purse {
    pub(super) used: usize,
}

impl Fitter<'_, '_> {
    pub(super) fn fill(&mut self, ranking: &Ranking, answer: &mut ContextAnswer) -> Result<()> {
        let budget = answer.budget;
        let all = &ranking.symbols;
        // What ends an answer is kept free for it.
        self.purse.used = count(&render::header(answer)) + budget / 10;
        let shown = self.heads(all, answer)?;
        self.neighbours(all, answer)?;
        self.bodies(&all[..shown], answer)?;
        self.purse.used -= budget / 10;
        answer.left_out.symbols = all.len() - shown;
        self.next(ranking, shown, answer)?;
        shrink(answer);
        Ok(())
    }

    fn heads(&mut self, all: &[Ranked], answer: &mut ContextAnswer) -> Result<usize> {
        for one in all.iter().take(MOST_SYMBOLS) {
            let symbol = self.symbol(one)?;
            let text = render::head(answer.symbols.len() + 1, &symbol, answer.symbols.last(), true);
            if !self.purse.spend(&text, answer.budget, if answer.symbols.is_empty() { 1.0 } else { 0.4 }) {
                break;
            }
            answer.symbols.push(symbol);
        }
        Ok(answer.symbols.len())
    }

    fn neighbours(&mut self, all: &[Ranked], answer: &mut ContextAnswer) -> Result<()> {
        for (place, one) in all.iter().enumerate().take(CENTRAL.min(answer.symbols.len())) {
            let near = around(self.graph, one.row)?;
            let callers = named(&mut self.describer, &near.callers)?;
            let callees = named(&mut self.describer, &near.callees)?;
            let more_callers = near.callers.len() - callers.len() + near.unread;
            let more_callees = near.callees.len() - callees.len();
            let symbol = &mut answer.symbols[place];
            if self.purse.spend(
                &render::neighbours("callers", &symbol.file, &callers, more_callers),
                answer.budget,
                0.7,
            ) {
                (symbol.callers, symbol.more_callers) = (callers, more_callers);
            }
            if self.purse.spend(
                &render::neighbours("callees", &symbol.file, &callees, more_callees),
                answer.budget,
                0.7,
            ) {
                (symbol.callees, symbol.more_callees) = (callees, more_callees);
            }
        }
        Ok(())
    }

    fn bodies(&mut self, shown: &[Ranked], answer: &mut ContextAnswer) -> Result<()> {
        let mut done: Vec<(SymbolRow, Span)> = Vec::new();
        for (place, one) in shown.iter().enumerate() {
            let view = self.describer.view(one.row)?;
            let symbol = view.symbol(one.row.symbol);
            let lines = view.place(symbol.span);
            let long = !symbol.kind.is_callable() && lines.end_line - lines.start_line > LONGEST_TYPE;
            let inside = done.iter().any(|(row, span)| row.file == one.row.file && span.contains(symbol.span.start));
            let Some(source) = self.source(&view).filter(|_| !long && !inside) else {
                answer.left_out.bodies += usize::from(!inside);
                continue;
            };
            let span = whole(&view, symbol, &source);
            let all = dedented(&source.text(span));
            let most = body_lines(place, shown.len(), answer.budget);
            if most == 0 {
                answer.left_out.bodies += 1;
                continue;
            }
            let body = Body::of(&view, symbol, span.start, &all);
            let text = Telling { task: self.task, worth: self.worth }.excerpt(&body, most);
            let text = text.as_ref().unwrap_or(&all);
            let left = answer.budget.saturating_sub(self.purse.used);
            match self.purse.cut(text, left, place) {
                Some(body) => {
                    done.push((one.row, symbol.span));
                    answer.symbols[place].body_is_cut = body.trim_end() != all.trim_end();
                    answer.symbols[place].body = Some(body);
                }
                None => answer.left_out.bodies += 1,
            }
        }
        Ok(())
    }

    /// What to read after this: the next symbols, and the next files by their paths.
    fn next(&mut self, ranking: &Ranking, shown: usize, answer: &mut ContextAnswer) -> Result<()> {
        let most = MOST_NEXT.min(PLAIN_NEXT * (answer.budget / PLAIN_BUDGET).max(1));
        for one in &ranking.symbols[shown..] {
            let brief = self.describer.brief(one.row)?;
            let known = answer.read_next.iter().position(|file| file.file == brief.file);
            let full = match known {
                Some(place) => answer.read_next[place].ranges.len() >= MOST_RANGES,
                None => answer.read_next.len() >= most,
            };
            if full {
                if answer.read_next.len() >= most {
                    break;
                }
                continue;
            }
            let range = ReadRange { start_line: brief.line_number, end_line: brief.end_line, name: brief.name };
            let text = format!("  {}: {}-{} {}\n", brief.file, range.start_line, range.end_line, range.name);
            if !self.purse.spend(&text, answer.budget, 1.0) {
                break;
            }
            match known {
                Some(place) => answer.read_next[place].ranges.push(range),
                None => answer.read_next.push(ReadNext { project: None, file: brief.file, ranges: vec![range] }),
            }
            answer.left_out.symbols -= 1;
        }
        for file in &mut answer.read_next {
            file.ranges.sort_by_key(|range| (range.start_line, range.end_line));
        }
        Ok(())
    }

    fn symbol(&mut self, one: &Ranked) -> Result<ContextSymbol> {
        let brief = self.describer.brief(one.row)?;
        let view = self.describer.view(one.row)?;
        let symbol = view.symbol(one.row.symbol);
        let source = self.source(&view);
        let words = one.words.iter().take(MOST_WORDS).map(|word| self.task.words[usize::from(*word)].word.clone());
        Ok(ContextSymbol {
            symbol_id: brief.symbol_id,
            fqn: brief.fqn,
            scoped: brief.scoped,
            name: brief.name,
            kind: brief.kind,
            project: brief.project,
            file: brief.file,
            line_number: view.place(symbol.span).start_line,
            end_line: brief.end_line,
            score: (one.score * 100.0).round() / 100.0,
            words: words.collect(),
            signature: source.as_ref().map(|source| prototype(&source.bytes, symbol)),
            summary: source.as_ref().map(|source| summary(source, symbol.doc)).unwrap_or_default(),
            callers: Vec::new(),
            more_callers: 0,
            callees: Vec::new(),
            more_callees: 0,
            body: None,
            body_is_cut: false,
        })
    }

    /// The text of a file, read once; none if it has changed.
    fn source(&mut self, view: &FileView<'_>) -> Option<Rc<Source>> {
        let (reader, remarks) = (self.graph.reader, &mut self.describer.remarks);
        let read = || {
            let source = reader.source(&view.record).ok();
            if source.is_none() {
                remarks.stale(&view.record.path);
            }
            source.map(Rc::new)
        };
        self.sources.entry(view.record.id.0).or_insert_with(read).clone()
    }
}

impl Purse {
    /// Spends tokens if there are enough; `share` is how much of the budget may be used by then.
    pub(super) fn spend(&mut self, text: &str, budget: usize, share: f64) -> bool {
        let most = (budget as f64 * share) as usize;
        let cost = count(text);
        if self.used + cost > most {
            return false;
        }
        self.used += cost;
        true
    }

    /// A body that fits, or as many of its lines as do; only the best symbols are shown in part.
    pub(super) fn cut(&mut self, text: &str, left: usize, place: usize) -> Option<String> {
        // More bytes than this cannot fit: no need to count them.
        let whole = text.len() / 12 < left;
        let cost = if whole { count(&render::fenced(text)) } else { usize::MAX };
        if cost <= left {
            self.used += cost;
            return Some(text.trim_end().to_owned());
        }
        if place >= CENTRAL || left < 120 {
            return None;
        }
        let mut body = String::new();
        let mut spent = count(&render::fenced(CUT));
        for line in text.lines() {
            let cost = count(line) + 1;
            if spent + cost > left * 2 / 3 {
                break;
            }
            spent += cost;
            body.push_str(line);
            body.push('\n');
        }
        self.used += spent;
        (!body.is_empty()).then(|| body + CUT)
    }
}

/// The budget holds whatever was estimated before: what comes last goes first.
pub(super) fn shrink(answer: &mut ContextAnswer) {
    loop {
        answer.text = render::text(answer);
        answer.tokens = count(&answer.text);
        if answer.tokens <= answer.budget {
            return;
        }
        if answer.read_next.pop().is_some() {
            continue;
        }
        if let Some(symbol) = answer.symbols.iter_mut().rev().find(|symbol| symbol.body.is_some()) {
            symbol.body = None;
            answer.left_out.bodies += 1;
        } else if answer.symbols.pop().is_some() {
            answer.left_out.symbols += 1;
        } else {
            (answer.text, answer.tokens) = (String::new(), 0);
            return;
        }
    }
}

/// What stands at the end of a body that was cut.
const CUT: &str = "… cut";

/// How many lines of a body are shown: of the only symbol all, of a later one fewer.
pub(super) fn body_lines(place: usize, shown: usize, budget: usize) -> usize {
    if shown == 1 {
        return usize::MAX;
    }
    let times = budget / PLAIN_BUDGET;
    BODY_LINES.get(place / times.max(1)).map_or(0, |lines| lines * times.max(1))
}

/// The first sentence or line of a documentation.
fn summary(source: &Source, doc: Span) -> String {
    let text = plain_comment(&source.text(doc));
    let is_tag = |line: &str| line.starts_with('<') && line.ends_with('>') && !line.contains(' ');
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !is_tag(line)).unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    crate::context::clipped(&line[..end], 140)
}

/// Lines without the indentation that all of them have.
pub(super) fn dedented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines = text.lines().map(|line| line.get(common..).unwrap_or("").trim_end());
    lines.collect::<Vec<_>>().join("\n")
}
