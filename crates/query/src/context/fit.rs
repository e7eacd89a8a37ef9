//! What of the ranked symbols fits into a budget of tokens: heads first, then neighbours, then bodies, then what to read.

use std::ops::Range;

use codegraph_tokens::count;

use super::excerpt::{Body, Telling};
use super::render;
use super::{ContextAnswer, ContextSymbol, Neighbour, ReadNext, ReadRange};

/// Symbols that are listed at most.
const MOST_SYMBOLS: usize = 24;
/// Symbols with callers and callees.
const CENTRAL: usize = 3;
/// Files to read next that are named at most, and places in one.
const MOST_NEXT: usize = 24;
const PLAIN_NEXT: usize = 4;
const MOST_RANGES: usize = 2;
/// Lines of a body that are shown beside others, by its place in the list: what comes later gets its signature alone.
const BODY_LINES: [usize; 4] = [22, 14, 8, 5];
/// The budget for which these are meant; with more, more is shown.
const PLAIN_BUDGET: usize = super::DEFAULT_TOKENS;
/// A type with more lines is shown by its head.
const LONGEST_TYPE: u32 = 40;
/// How much of the budget may be used when the heads are written, and when their neighbours are.
const HEADS: f64 = 0.4;
const NEIGHBOURS: f64 = 0.7;

/// What was found for a task, best first, in an index or in a store of many.
pub(super) trait Found {
    type Error;

    fn len(&self) -> usize;
    /// A symbol as it is listed, with nothing around it.
    fn symbol(&mut self, place: usize) -> Result<ContextSymbol, Self::Error>;
    fn near(&mut self, place: usize) -> Result<Near, Self::Error>;
    /// Its file and where it is in there.
    fn span(&mut self, place: usize) -> Result<(usize, Range<usize>), Self::Error>;
    /// Its text; nothing where there is none.
    fn body(&mut self, place: usize) -> Result<Option<Body<'static>>, Self::Error>;
    fn range(&mut self, place: usize) -> Result<(Option<String>, String, ReadRange), Self::Error>;
}

/// The first neighbours of a symbol, and how many more there are.
#[derive(Default)]
pub(super) struct Near {
    pub(super) callers: (Vec<Neighbour>, usize),
    pub(super) callees: (Vec<Neighbour>, usize),
}

/// Fills an answer with as much as its budget allows.
pub(super) struct Fitter<'t, F> {
    pub(super) found: F,
    pub(super) telling: Telling<'t>,
    purse: Purse,
}

/// The tokens that an answer has used.
#[derive(Default)]
struct Purse {
    used: usize,
}

impl<'t, F: Found> Fitter<'t, F> {
    pub(super) fn new(found: F, telling: Telling<'t>) -> Fitter<'t, F> {
        Fitter { found, telling, purse: Purse::default() }
    }

    pub(super) fn fill(&mut self, answer: &mut ContextAnswer) -> Result<(), F::Error> {
        let budget = answer.budget;
        // What ends an answer is kept free for it.
        self.purse.used = count(&render::header(answer)) + budget / 10;
        self.heads(answer)?;
        self.neighbours(answer)?;
        self.bodies(answer)?;
        self.purse.used -= budget / 10;
        answer.left_out.symbols = self.found.len() - answer.symbols.len();
        self.next(answer)?;
        shrink(answer);
        Ok(())
    }

    fn heads(&mut self, answer: &mut ContextAnswer) -> Result<(), F::Error> {
        for place in 0..self.found.len().min(MOST_SYMBOLS) {
            let symbol = self.found.symbol(place)?;
            let text = render::head(place + 1, &symbol, answer.symbols.last(), true);
            if !self.purse.spend(&text, answer.budget, if place == 0 { 1.0 } else { HEADS }) {
                break;
            }
            answer.symbols.push(symbol);
        }
        Ok(())
    }

    fn neighbours(&mut self, answer: &mut ContextAnswer) -> Result<(), F::Error> {
        for (place, symbol) in answer.symbols.iter_mut().enumerate().take(CENTRAL) {
            let Near { callers, callees } = self.found.near(place)?;
            let text = render::neighbours("callers", &symbol.file, &callers.0, callers.1);
            if self.purse.spend(&text, answer.budget, NEIGHBOURS) {
                (symbol.callers, symbol.more_callers) = callers;
            }
            let text = render::neighbours("callees", &symbol.file, &callees.0, callees.1);
            if self.purse.spend(&text, answer.budget, NEIGHBOURS) {
                (symbol.callees, symbol.more_callees) = callees;
            }
        }
        Ok(())
    }

    fn bodies(&mut self, answer: &mut ContextAnswer) -> Result<(), F::Error> {
        let mut done: Vec<(usize, Range<usize>)> = Vec::new();
        let mut lines: Vec<(usize, Range<u32>)> = Vec::new();
        let shown = answer.symbols.len();
        for (place, symbol) in answer.symbols.iter_mut().enumerate() {
            let (file, span) = self.found.span(place)?;
            if done.iter().any(|(other, around)| *other == file && around.contains(&span.start)) {
                continue;
            }
            let long = !symbol.kind.is_callable() && symbol.end_line - symbol.line_number > LONGEST_TYPE;
            let most = body_lines(place, shown, answer.budget);
            let body = if long || most == 0 { None } else { self.found.body(place)? };
            let Some(body) = body else {
                answer.left_out.bodies += 1;
                continue;
            };
            let shown: Vec<Range<u32>> =
                lines.iter().filter(|(other, _)| *other == file).map(|(_, lines)| lines.clone()).collect();
            let text = self.telling.excerpt(&body, most, &shown);
            let left = answer.budget.saturating_sub(self.purse.used);
            match self.purse.cut(text.as_deref().unwrap_or(&body.text), left, place) {
                Some(cut) => {
                    done.push((file, span));
                    symbol.body_is_cut = cut.trim_end() != body.text.trim_end();
                    if !symbol.body_is_cut {
                        lines.push((file, symbol.line_number..symbol.end_line + 1));
                    }
                    symbol.body = Some(cut);
                }
                None => answer.left_out.bodies += 1,
            }
        }
        Ok(())
    }

    /// What to read after this: the next symbols, and the next files by their paths.
    fn next(&mut self, answer: &mut ContextAnswer) -> Result<(), F::Error> {
        let most = MOST_NEXT.min(PLAIN_NEXT * (answer.budget / PLAIN_BUDGET).max(1));
        for place in answer.symbols.len()..self.found.len() {
            let (project, file, range) = self.found.range(place)?;
            let known = answer.read_next.iter().position(|next| next.file == file && next.project == project);
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
            let place = render::in_project(&project, &file);
            let text = format!("  {place}: {}-{} {}\n", range.start_line, range.end_line, range.name);
            if !self.purse.spend(&text, answer.budget, 1.0) {
                break;
            }
            match known {
                Some(place) => answer.read_next[place].ranges.push(range),
                None => answer.read_next.push(ReadNext { project, file, ranges: vec![range] }),
            }
            answer.left_out.symbols -= 1;
        }
        for file in &mut answer.read_next {
            file.ranges.sort_by_key(|range| (range.start_line, range.end_line));
        }
        Ok(())
    }
}

impl Purse {
    /// Spends tokens if there are enough; `share` is how much of the budget may be used by then.
    fn spend(&mut self, text: &str, budget: usize, share: f64) -> bool {
        let most = (budget as f64 * share) as usize;
        let cost = count(text);
        if self.used + cost > most {
            return false;
        }
        self.used += cost;
        true
    }

    /// A body that fits, or as many of its lines as do; only the best symbols are shown in part.
    fn cut(&mut self, text: &str, left: usize, place: usize) -> Option<String> {
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
fn shrink(answer: &mut ContextAnswer) {
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
fn body_lines(place: usize, shown: usize, budget: usize) -> usize {
    if shown == 1 {
        return usize::MAX;
    }
    let times = budget / PLAIN_BUDGET;
    BODY_LINES.get(place / times.max(1)).map_or(0, |lines| lines * times.max(1))
}

/// Lines without the indentation that all of them have.
pub(super) fn dedented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines = text.lines().map(|line| line.get(common..).unwrap_or("").trim_end());
    lines.collect::<Vec<_>>().join("\n")
}
