//! A map within a number of tokens: the most used symbols first, then whole files by rank, then more symbols, then names.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alias::Aliases;
use super::atlas::{Atlas, SymbolAt};
use super::block::{Block, Writer, count_mark};
use super::layout::What;
use super::legend;
use super::rank::Ranks;
use crate::Result;

/// Symbols that come before any file is shown whole: so many at least, and one for so many tokens.
const FIRST: usize = 60;
const TOKENS_PER_FIRST: usize = 60;
/// The part of the budget that those may take.
const FIRST_SHARE: f64 = 0.85;
/// The part of the rest that whole files may take.
const WHOLE_SHARE: f64 = 0.75;
/// The part of the budget that symbols leave for names.
const SYMBOL_SHARE: f64 = 0.95;
/// What the symbols of others count.
const OTHERS: f64 = 0.05;
/// For the line that says what was left out, and for line ends.
const RESERVE: usize = 40;
/// Files that do not fit before the search for one that fits ends.
const PATIENCE: usize = 40;
/// Symbols that are considered at all.
const MOST_SYMBOLS: usize = 20_000;

/// How much of a file is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    /// Some lines, by their numbers.
    Shrunk(Vec<u32>),
    Name,
}

/// What a map within a budget shows.
pub(super) struct Fitted {
    pub(super) text: String,
    pub(super) tokens: usize,
    pub(super) forms: Vec<(u32, Form)>,
    pub(super) blocks: FxHashMap<u32, Block>,
    pub(super) left_out: usize,
}

/// Shows all files in `order` whole, which fits, and in the room that is left the most used symbols of test files.
pub(super) fn fill(writer: &Writer<'_>, order: &[u32], ranks: &Ranks, budget: usize) -> Result<Fitted> {
    let mut filling = Filling::new(writer, order);
    filling.add_whole(order, usize::MAX)?;
    filling.spent = codegraph_tokens::count(&filling.text());
    let symbols = filling.symbols(ranks);
    filling.add_symbols(&symbols, budget.saturating_sub(RESERVE))?;
    filling.finish(budget)
}

/// Chooses what is shown of the files in `order`, which do not fit as a whole.
pub(super) fn fit(writer: &Writer<'_>, order: &[u32], ranks: &Ranks, budget: usize) -> Result<Fitted> {
    let mut filling = Filling::new(writer, order);
    let (marks, aliases) = (codegraph_tokens::count(&legend::full()), alias_tokens(writer.aliases));
    filling.legend = (marks + aliases) * 4 <= budget;
    let fixed = RESERVE + if filling.legend { marks + aliases } else { aliases.min(budget / 4) };
    let room = budget.saturating_sub(fixed);
    let symbols = filling.symbols(ranks);
    let first = symbols.len().min(FIRST.max(budget / TOKENS_PER_FIRST));
    let used = filling.add_symbols(&symbols[..first], (room as f64 * FIRST_SHARE) as usize)?;
    let by_rank = ranks.order(order);
    let rest = room.saturating_sub(filling.spent);
    let file = |place: &u32| &writer.atlas.files[*place as usize];
    let (others, own): (Vec<u32>, Vec<u32>) = by_rank.iter().partition(|place| file(place).others);
    let (tests, code): (Vec<u32>, Vec<u32>) = own.iter().partition(|place| file(place).test);
    filling.add_whole(&code, filling.spent + (rest as f64 * WHOLE_SHARE) as usize)?;
    filling.add_symbols(&symbols[used..], (room as f64 * SYMBOL_SHARE) as usize)?;
    filling.add_whole(&tests, room)?;
    filling.add_whole(&others, room)?;
    filling.add_names(&by_rank, room);
    filling.finish(budget)
}

fn alias_tokens(aliases: &Aliases) -> usize {
    let all: String = (1..=aliases.folders().len()).map(|number| format!("@{number}/")).collect();
    codegraph_tokens::count(&aliases.legend(&all))
}

struct Filling<'a> {
    writer: &'a Writer<'a>,
    order: &'a [u32],
    blocks: FxHashMap<u32, Block>,
    forms: BTreeMap<u32, Form>,
    /// Lines that stand behind the summary of a test file.
    behind: BTreeMap<u32, Vec<u32>>,
    /// Lines of shrunk files, and behind summaries, in the order in which they were chosen.
    chosen: Vec<(u32, u32)>,
    spent: usize,
    legend: bool,
}

impl<'a> Filling<'a> {
    fn new(writer: &'a Writer<'a>, order: &'a [u32]) -> Filling<'a> {
        Filling {
            writer,
            order,
            blocks: FxHashMap::default(),
            forms: BTreeMap::new(),
            behind: BTreeMap::new(),
            chosen: Vec::new(),
            spent: 0,
            legend: true,
        }
    }

    fn atlas(&self) -> &Atlas {
        self.writer.atlas
    }

    /// Lines of the map, those with the most used symbols first.
    fn symbols(&self, ranks: &Ranks) -> Vec<(u32, u32)> {
        let mut scored: Vec<(f64, u32, u32)> = Vec::new();
        for place in self.order {
            let file = &self.atlas().files[*place as usize];
            for (number, node) in file.layout.nodes.iter().enumerate() {
                if matches!(node.what, What::Tests { .. }) {
                    continue;
                }
                let at = SymbolAt { file: *place, symbol: node.symbol.0 };
                let score = ranks.symbol(self.atlas(), at) * if file.others { OTHERS } else { 1.0 };
                if score > 0.0 {
                    scored.push((score, *place, number as u32));
                }
            }
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        scored.truncate(MOST_SYMBOLS);
        scored.into_iter().map(|(_, place, number)| (place, number)).collect()
    }

    fn block(&mut self, place: u32) -> Result<&Block> {
        if !self.blocks.contains_key(&place) {
            let block = self.writer.block(place, true)?;
            self.blocks.insert(place, block);
        }
        Ok(&self.blocks[&place])
    }

    /// Adds lines one by one while they fit; gives how many were looked at.
    fn add_symbols(&mut self, symbols: &[(u32, u32)], room: usize) -> Result<usize> {
        let mut missed = 0;
        for (looked, (place, number)) in symbols.iter().enumerate() {
            if missed > PATIENCE {
                return Ok(looked);
            }
            let whole = self.forms.get(place) == Some(&Form::Whole);
            if whole && !self.atlas().files[*place as usize].test {
                continue;
            }
            let lines = self.missing(*place, *number)?;
            let mut cost: usize = lines.iter().map(|line| self.line_cost(*place, *line)).sum();
            if !self.forms.contains_key(place) {
                cost += 1 + codegraph_tokens::count(&format!("{}\n", self.blocks[place].header));
            }
            if self.spent + cost > room {
                missed += 1;
                continue;
            }
            self.spent += cost;
            let form = self.forms.entry(*place).or_insert(Form::Shrunk(Vec::new()));
            let shown = match form {
                Form::Shrunk(shown) => shown,
                Form::Whole | Form::Name => self.behind.entry(*place).or_default(),
            };
            shown.extend(&lines);
            shown.sort_unstable();
            self.chosen.extend(lines.into_iter().map(|line| (*place, line)));
        }
        Ok(symbols.len())
    }

    /// A line and those around it that are not shown yet, outermost first.
    fn missing(&mut self, place: u32, number: u32) -> Result<Vec<u32>> {
        let shown: FxHashSet<u32> = match self.forms.get(&place) {
            Some(Form::Shrunk(shown)) => shown.iter().copied().collect(),
            _ => self.behind.get(&place).into_iter().flatten().copied().collect(),
        };
        let block = self.block(place)?;
        if block.stale {
            return Ok(Vec::new());
        }
        let mut lines = vec![number];
        let mut depth = block.lines[number as usize].depth;
        for above in (0..number).rev() {
            if block.lines[above as usize].depth < depth {
                depth = block.lines[above as usize].depth;
                lines.push(above);
            }
        }
        lines.retain(|line| !shown.contains(line));
        lines.reverse();
        Ok(lines)
    }

    fn line_cost(&self, place: u32, number: u32) -> usize {
        codegraph_tokens::count(&self.shrunk_line(place, number))
    }

    fn shrunk_line(&self, place: u32, number: u32) -> String {
        let line = &self.blocks[&place].lines[number as usize];
        let uses = self.atlas().uses_of(SymbolAt { file: place, symbol: line.symbol });
        let count: u32 = uses.iter().map(|entry| entry.locations()).sum();
        format!("{}{}{}\n", line.indented(), line.at, count_mark(count as usize))
    }

    /// Shows the most central files whole, as far as they fit.
    fn add_whole(&mut self, by_rank: &[u32], room: usize) -> Result<()> {
        let mut missed = 0;
        for place in by_rank {
            if missed > PATIENCE {
                break;
            }
            // The whole block of a test file is its summary, which says less than the symbols that were chosen.
            if self.atlas().files[*place as usize].test && self.forms.contains_key(place) {
                continue;
            }
            let before = match self.forms.get(place) {
                Some(Form::Shrunk(shown)) => {
                    let lines: usize = shown.iter().map(|line| self.line_cost(*place, *line)).sum();
                    lines + 1 + codegraph_tokens::count(&format!("{}\n", self.blocks[place].header))
                }
                _ => 0,
            };
            let limit = room.saturating_sub(self.spent).saturating_add(before);
            let text = self.block(*place)?.text();
            if !codegraph_tokens::fits(&text, limit.saturating_sub(1)) {
                missed += 1;
                continue;
            }
            self.spent = self.spent + codegraph_tokens::count(&text) + 1 - before;
            self.forms.insert(*place, Form::Whole);
            self.chosen.retain(|(own, _)| own != place);
        }
        Ok(())
    }

    fn add_names(&mut self, by_rank: &[u32], room: usize) {
        for place in by_rank {
            if self.forms.contains_key(place) {
                continue;
            }
            let cost = codegraph_tokens::count(&self.name_line(*place));
            if self.spent + cost > room {
                break;
            }
            self.spent += cost;
            self.forms.insert(*place, Form::Name);
        }
    }

    fn name_line(&self, place: u32) -> String {
        format!("{}:{}\n", self.writer.paths[place as usize], count_mark(self.atlas().users(place)))
    }

    fn finish(mut self, budget: usize) -> Result<Fitted> {
        loop {
            let text = self.text();
            let tokens = codegraph_tokens::count(&text);
            if tokens <= budget || !self.drop_least() {
                let left_out = self.order.len() - self.forms.len();
                let forms = self.order.iter().filter_map(|place| Some((*place, self.forms.get(place)?.clone())));
                return Ok(Fitted { forms: forms.collect(), text, tokens, left_out, blocks: self.blocks });
            }
        }
    }

    /// Takes away what matters least. Lines add up, so this is for the few tokens that lie between them.
    fn drop_least(&mut self) -> bool {
        let named = self.order.iter().rev().find(|place| self.forms.get(place) == Some(&Form::Name)).copied();
        if let Some(place) = named {
            self.forms.remove(&place);
            return true;
        }
        if let Some((place, line)) = self.chosen.pop() {
            if let Some(shown) = self.behind.get_mut(&place) {
                shown.retain(|own| *own != line);
            }
            if let Some(Form::Shrunk(shown)) = self.forms.get_mut(&place) {
                shown.retain(|own| *own != line);
                if shown.is_empty() {
                    self.forms.remove(&place);
                }
            }
            return true;
        }
        let last = self.order.iter().rev().find(|place| self.forms.contains_key(place)).copied();
        match last {
            Some(place) => {
                self.forms.remove(&place);
                true
            }
            None => std::mem::take(&mut self.legend),
        }
    }

    fn text(&self) -> String {
        let mut body = String::new();
        let mut names = String::new();
        for place in self.order {
            match self.forms.get(place) {
                Some(Form::Whole) => {
                    body.push_str(&self.blocks[place].text());
                    let behind = self.behind.get(place).into_iter().flatten();
                    behind.for_each(|line| body.push_str(&self.shrunk_line(*place, *line)));
                    body.push('\n');
                }
                Some(Form::Shrunk(shown)) => {
                    body.push_str(&self.blocks[place].header);
                    body.push('\n');
                    shown.iter().for_each(|line| body.push_str(&self.shrunk_line(*place, *line)));
                    body.push('\n');
                }
                Some(Form::Name) => names.push_str(&self.name_line(*place)),
                None => {}
            }
        }
        if !names.is_empty() {
            body.push_str(&names);
            body.push('\n');
        }
        if self.is_complete() {
            body.pop();
            return format!("{}{body}", legend::whole(&body, self.writer.aliases));
        }
        body.push_str(&self.left_out());
        let legend = if self.legend { legend::of(&body, self.writer.aliases) } else { self.aliases(&body) };
        format!("{legend}{body}")
    }

    /// Aliases are explained even where there is no room for more.
    fn aliases(&self, body: &str) -> String {
        let legend = self.writer.aliases.legend(body);
        if legend.is_empty() { legend } else { format!("{legend}\n") }
    }

    fn is_complete(&self) -> bool {
        self.legend && self.order.iter().all(|place| self.forms.get(place) == Some(&Form::Whole))
    }

    /// The line that says what is not here.
    fn left_out(&self) -> String {
        let shrunk = self.forms.values().filter(|form| matches!(form, Form::Shrunk(_))).count();
        let names = self.forms.values().filter(|form| **form == Form::Name).count();
        let out = self.order.len() - self.forms.len();
        format!("# not here: {out} files; only in part: {shrunk}; only by name: {names}\n")
    }
}
