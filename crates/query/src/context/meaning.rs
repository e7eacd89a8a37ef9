//! What the title of a task means, beside the words that it has: the best symbols are weighed again by how near their names,
//! places and bodies are to it.

use codegraph_meaning::{Table, Vector, table};
use codegraph_model::SymbolId;
use codegraph_store::NameSource;

use super::rank::{Ranked, sort};
use super::task::Task;
use crate::reader::FileView;
use crate::{Reader, Result};

/// Symbols that are weighed again.
const MOST: usize = 300;
/// How much nearness counts.
const NEARNESS: f64 = 4.0;
/// A longer title is a text, and says no more than its beginning.
const LONGEST: usize = 600;

pub(super) fn weigh(reader: &Reader, task: &Task, symbols: &mut [Ranked]) -> Result<()> {
    let Some(table) = table() else { return Ok(()) };
    let title = task.title.char_indices().nth(LONGEST).map_or(task.title.as_str(), |(end, _)| &task.title[..end]);
    let asked = table.question(title);
    let mut most = symbols.len().min(MOST);
    // What is behind the last one must stay behind it.
    while most > 0 && most < symbols.len() && symbols[most].score == symbols[most - 1].score {
        most -= 1;
    }
    for one in &mut symbols[..most] {
        let view = reader.view_of(one.row.file)?;
        let near = asked.near(&of_symbol(table, &view, one.row.symbol)).max(0.0);
        one.score *= 1.0 + NEARNESS * f64::from(near);
    }
    sort(&mut symbols[..most]);
    Ok(())
}

/// The direction of a symbol: its name, its path and owner, and the names that its body uses.
fn of_symbol(table: &Table, view: &FileView<'_>, id: SymbolId) -> Vector {
    let name = |id: SymbolId| if view.symbol(id).name.is_some() { view.name(id) } else { "" };
    let symbol = view.symbol(id);
    let owner = symbol.parent.get().filter(|parent| parent.0 != 0).map_or("", name);
    let facts = view.facts();
    let from = facts.refs.partition_point(|reference| reference.span.start < symbol.span.start);
    let body = facts.refs[from..].iter().take_while(|reference| reference.span.start < symbol.span.end);
    table.code(name(id), &[&view.record.path, owner, name(id)], body.map(|reference| view.text(reference.name)))
}
