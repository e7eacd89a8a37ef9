//! Settings in TOML: a table of its own at the end of the file.

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike};

use crate::error::{Edit, Problem};
use crate::value::quoted;
use crate::{ARGUMENTS, NAME};

/// The lines that register the server.
pub(crate) fn block(table: &str, command: &str) -> String {
    let arguments: Vec<String> = ARGUMENTS.iter().map(|argument| quoted(argument)).collect();
    format!("[{table}.{NAME}]\ncommand = {}\nargs = [{}]\n", quoted(command), arguments.join(", "))
}

pub(crate) fn insert(text: &str, table: &str, command: &str) -> Result<Edit, Problem> {
    let document = parse(text)?;
    if let Some(servers) = document.get(table) {
        let Some(servers) = servers.as_table_like() else {
            return Err(Problem::at(text, text.find(table).unwrap_or(0), format!("'{table}' is no table")));
        };
        if let Some(there) = servers.get(NAME) {
            return Ok(if is_ours(there, command) { Edit::Same } else { Edit::Differs });
        }
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = block(table, command).replace('\n', end);
    // The last line ends as the last line did, so that what was there can be told from the result.
    let inserted = match () {
        () if text.is_empty() => block.trim_end().to_owned(),
        () if text.ends_with('\n') => format!("{end}{block}"),
        () => format!("{end}{end}{}", block.trim_end()),
    };
    let appended = format!("{text}{inserted}");
    match parse(&appended) {
        Ok(_) => Ok(Edit::Added { text: appended, inserted }),
        // A table that is written on one line cannot be extended from below.
        Err(_) => Ok(inside(document, table, command)),
    }
}

fn inside(mut document: DocumentMut, table: &str, command: &str) -> Edit {
    let mut entry = InlineTable::new();
    entry.insert("command", command.into());
    entry.insert("args", ARGUMENTS.iter().copied().collect::<toml_edit::Array>().into());
    let inserted = format!("{NAME} = {entry}");
    if let Some(servers) = document.get_mut(table).and_then(Item::as_table_like_mut) {
        servers.insert(NAME, toml_edit::value(entry));
    }
    Edit::Added { text: document.to_string(), inserted }
}

/// What the command of an entry is, if there is one that starts our server.
pub(crate) fn command(text: &str, table: &str) -> Result<Option<String>, Problem> {
    let document = parse(text)?;
    let entry = document.get(table).and_then(|servers| servers.get(NAME));
    let starts = |entry: &&Item| entry.get("args").and_then(|args| args.get(0)?.as_str()) == Some("mcp");
    Ok(entry.filter(starts).and_then(|entry| Some(entry.get("command")?.as_str()?.to_owned())))
}

/// What an entry starts or asks, whoever wrote it; nothing if there is none.
pub(crate) fn says(text: &str, table: &str) -> Option<String> {
    let document = parse(text).ok()?;
    let entry = document.get(table)?.get(NAME)?;
    let word = |key: &str| entry.get(key).and_then(Item::as_str).map(str::to_owned);
    let list = entry.get("args").and_then(Item::as_array).into_iter().flatten();
    let arguments = list.filter_map(|item| item.as_str().map(str::to_owned));
    word("command")
        .map(|command| std::iter::once(command).chain(arguments).collect::<Vec<_>>().join(" "))
        .or(word("url"))
}

/// Takes the entry out; `None` if it is not there.
pub(crate) fn remove(text: &str, table: &str, command: &str) -> Result<Option<String>, Problem> {
    let mut document = parse(text)?;
    let has = |document: &DocumentMut| document.get(table).and_then(|servers| servers.get(NAME)).is_some();
    if !has(&document) {
        return Ok(None);
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = block(table, command).replace('\n', end);
    for lead in [end.repeat(2), end.to_owned(), String::new()] {
        for block in [block.as_str(), block.trim_end()] {
            let whole = format!("{lead}{block}");
            let without = text.replacen(&whole, "", 1);
            let exact =
                matches!(insert(&without, table, command), Ok(Edit::Added { text: again, .. }) if again == text);
            if exact {
                return Ok(Some(without));
            }
        }
    }
    if let Some(servers) = document.get_mut(table).and_then(Item::as_table_like_mut) {
        servers.remove(NAME);
    }
    let empty = document.get(table).and_then(Item::as_table).is_some_and(is_hollow);
    if empty {
        document.remove(table);
    }
    Ok(Some(document.to_string()))
}

/// A table without a line of its own says nothing once it is empty.
fn is_hollow(servers: &Table) -> bool {
    TableLike::is_empty(servers) && servers.is_implicit()
}

fn is_ours(there: &Item, command: &str) -> bool {
    let arguments = there.get("args").and_then(Item::as_array);
    let same = arguments.is_some_and(|list| {
        list.len() == ARGUMENTS.len() && list.iter().zip(ARGUMENTS).all(|(a, b)| a.as_str() == Some(b))
    });
    same && there.get("command").and_then(Item::as_str) == Some(command)
}

fn parse(text: &str) -> Result<DocumentMut, Problem> {
    text.parse::<DocumentMut>()
        .map_err(|error| Problem::at(text, error.span().map_or(0, |span| span.start), error.message().trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTS: &[&str] = &[
        "",
        "\n",
        "# mine\nmodel = \"x\"   # keep\n",
        "model = \"x\"",
        "[mcp_servers.other]\ncommand = \"y\"\nargs = []\n\n[tools]\n",
        "a = 1\r\n[b]\r\nc = 2\r\n",
        "mcp_servers.other.command = \"y\"\n",
    ];

    #[test]
    fn what_was_appended_is_taken_out_byte_for_byte() {
        for document in DOCUMENTS {
            let Ok(Edit::Added { text, .. }) = insert(document, "mcp_servers", "me") else { panic!("{document}") };
            assert_eq!(insert(&text, "mcp_servers", "me"), Ok(Edit::Same), "{text}");
            assert_eq!(command(&text, "mcp_servers"), Ok(Some("me".to_owned())));
            assert_eq!(remove(&text, "mcp_servers", "me"), Ok(Some((*document).to_owned())), "{text}");
        }
    }

    #[test]
    fn an_entry_between_others_is_cut_out_and_the_rest_stays() {
        let Ok(Edit::Added { text, .. }) = insert("a = 1 # x\n", "mcp_servers", "me") else { panic!("added") };
        let more = format!("{text}\n# theirs\n[z]\nb = 2\n");
        assert_eq!(remove(&more, "mcp_servers", "me"), Ok(Some("a = 1 # x\n\n# theirs\n[z]\nb = 2\n".to_owned())));
    }

    #[test]
    fn a_table_on_one_line_is_extended_inside() {
        let text = "mcp_servers = { other = { command = \"y\" } }\n";
        let Ok(Edit::Added { text, .. }) = insert(text, "mcp_servers", "me") else { panic!("added") };
        assert_eq!(command(&text, "mcp_servers"), Ok(Some("me".to_owned())), "{text}");
    }

    #[test]
    fn what_does_not_parse_is_named_with_its_line() {
        assert_eq!(insert("a = 1\nb = \n", "mcp_servers", "me").expect_err("it does not parse").line, 2);
        assert_eq!(insert("a = 1\nmcp_servers = 3\n", "mcp_servers", "me").expect_err("no table").line, 2);
    }
}
