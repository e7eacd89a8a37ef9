//! Commands of the workspace: questions that editors have no request for. The answer is the data of the question.

use codegraph_query::{Calls, ContextQuestion, Impact, Map, Selector};
use serde::Deserialize;
use serde_json::Value;

use crate::position::Position;
use crate::protocol::{Refused, read};
use crate::snapshot::{Asked, Snapshot, Texts};

/// The names of the commands.
pub(crate) const COMMANDS: &[&str] = &["codegraph.callers", "codegraph.impact", "codegraph.context", "codegraph.map"];

#[derive(Deserialize)]
struct Command {
    command: String,
    #[serde(default)]
    arguments: Vec<Argument>,
}

/// What a command is about: a place, a symbol by its name, or a task in words.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Argument {
    uri: Option<String>,
    position: Option<Position>,
    symbol: Option<String>,
    task: Option<String>,
    depth: Option<u32>,
    tokens: Option<usize>,
}

pub(crate) fn execute(snapshot: &Snapshot, params: Value) -> Result<Value, Refused> {
    let Command { command, arguments } = read(params)?;
    let argument = arguments.into_iter().next().unwrap_or_default();
    let ask = |asked: &Asked<'_>| answer(asked, &command, &argument);
    if !COMMANDS.contains(&command.as_str()) {
        return Err(Refused::Parameters(format!("'{command}' is not one of: {}", COMMANDS.join(", "))));
    }
    match &argument.uri {
        Some(uri) => Ok(snapshot.about(uri, Texts::All, ask)?.unwrap_or_default()),
        None => Ok(snapshot.everywhere(ask)?.into_iter().next().unwrap_or_default()),
    }
}

fn answer(asked: &Asked<'_>, command: &str, argument: &Argument) -> anyhow::Result<Value> {
    let session = asked.session;
    Ok(match command {
        "codegraph.callers" => {
            let question = Calls { symbol: selector(asked, argument)?, ..Calls::default() };
            let depth = argument.depth.unwrap_or(question.depth);
            serde_json::to_value(codegraph_query::callers(session, &Calls { depth, ..question })?)?
        }
        "codegraph.impact" => {
            let question = Impact { symbol: selector(asked, argument)?, ..Impact::default() };
            let depth = argument.depth.unwrap_or(question.depth);
            serde_json::to_value(codegraph_query::impact(session, &Impact { depth, ..question })?)?
        }
        "codegraph.context" => {
            let task = argument.task.clone().unwrap_or_default();
            let question = ContextQuestion { task, ..ContextQuestion::default() };
            let tokens = argument.tokens.unwrap_or(question.tokens);
            serde_json::to_value(codegraph_query::context(session, &ContextQuestion { tokens, ..question })?)?
        }
        _ => serde_json::to_value(codegraph_query::map(session, &Map { tokens: argument.tokens, ..Map::default() })?)?,
    })
}

/// What stands at the place is what is meant, not what is around it.
fn selector(asked: &Asked<'_>, argument: &Argument) -> anyhow::Result<Selector> {
    if let Some(symbol) = &argument.symbol {
        return Ok(Selector::from(symbol.as_str()));
    }
    let place = asked.selector(argument.position.unwrap_or_default())?;
    let meant = codegraph_query::item(asked.session, &place)?;
    Ok(meant.and_then(|one| one.symbol_id).map_or(place, Selector::Id))
}
