//! `docs/mcp.md`: what the server offers, as the server itself lists it, and what its answers look like.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use crate::serve::client::Client;
use crate::serve::sample;

const HEAD: &str = "\
# The MCP server

`codegraph mcp` serves agents over the Model Context Protocol: on standard input and output, or with `--http ADDR` as
streamable HTTP at any path of that address. `--tools core` offers the tools marked *core*, the plain server all.
`codegraph mcp PATH…` names the projects; the first one, by default that of the current folder, is asked about where a
call names none.

```json
{\"mcpServers\": {\"codegraph\": {\"command\": \"codegraph\", \"args\": [\"mcp\", \"--tools\", \"core\"]}}}
```

- Every answer is one text for the model, and nothing else: the big clients show their model `structuredContent` *instead
  of* the text, and the data is several times as long (`docs/questions.md`). For programs, `--structured` adds the data that
  the command of the same name prints with `--json`, and lists that there is some. Its shapes are below.
- A parameter has one name in all tools. Other common names are understood too: `name`, `entity`, `method`, `function`,
  `class`, `entity_id` for a `symbol`; `path` for a `file`; `from_commit` and `to_commit`; `root_dir` for a `project`. With
  `entity_type` (class, method, function) an `entity_id` is the `id` of a row of that table.
- `project` is any folder of an indexed project, and so is `path` where a tool means nothing else by it. All tools take it;
  it is listed where a server was started for several projects. `--tools core` lists the parameters that agents use most and
  takes the others too.
- A `symbol` is a name, a qualified name or the end of one, `FILE:LINE`, or an id of which 8 digits are enough. A name that
  means several symbols is answered with the choices.
- Lists have a `limit`, a total, and end with a `cursor` if there is more. An answer has at most some 32 kB of text;
  `max_tokens` (at least 100) is a hard budget for what is sent, counted with a real tokenizer. What does not fit is a cursor
  away. With `--structured` text and data count together, and at most 64 kB are sent: lists have fewer rows then, and of what
  has no rows the data is a part of the text.
- Before an answer the server makes sure that nothing has changed, and updates the index if something has. What could not
  be refreshed is named in the answer.
- An error is a result with `isError` that says what to do. Long calls tell their progress and can be cancelled.
- Over HTTP only this machine is listened to; foreign `Host` and `Origin` headers are refused. Any other address needs the
  environment variable `CODEGRAPH_TOKEN`, whose value clients send as a bearer token.

";

pub(super) fn document(binary: &Path) -> Result<String> {
    let folder = sample::project(binary)?;
    let mut client = Client::start(binary, folder.path())?;
    let mut structured = Client::start_with(binary, folder.path(), &["--structured"])?;
    let core = Client::start_with(binary, folder.path(), &["--tools", "core"])?.request("tools/list", &json!({}))?;
    let core: Vec<&str> = core["tools"].as_array().into_iter().flatten().map(|tool| word(tool, "name")).collect();
    let listed = client.request("tools/list", &json!({}))?;
    let tools = listed["tools"].as_array().context("no tools")?;
    let mut text = HEAD.to_owned();
    writeln!(text, "{} tools in {} bytes of `tools/list`.\n", tools.len(), listed.to_string().len())?;
    writeln!(text, "| tool | core | use |\n|---|---|---|")?;
    for tool in tools {
        let (name, about) = (word(tool, "name"), word(tool, "description"));
        let mark = if core.contains(&name) { "core" } else { "" };
        writeln!(text, "| [`{name}`](#{name}) | {mark} | {about} |")?;
    }
    let calls = sample::calls()?;
    for tool in tools {
        let name = word(tool, "name");
        let arguments = calls.get(name).with_context(|| format!("{name} is not called in calls.json"))?;
        let answer = structured.call(name.trim_start_matches("codegraph_"), arguments)?;
        ensure!(!answer.wrong, "{name}: {}", answer.text);
        section(&mut text, tool, arguments, &answer.data)?;
    }
    extras(&mut text, &mut client)?;
    Ok(text)
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn section(text: &mut String, tool: &Value, arguments: &Value, data: &Value) -> Result<()> {
    writeln!(text, "\n### {}\n\n{}\n", word(tool, "name"), word(tool, "description"))?;
    let schema = &tool["inputSchema"];
    let needed: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    writeln!(text, "| parameter | takes | |\n|---|---|---|")?;
    for (name, one) in schema["properties"].as_object().into_iter().flatten() {
        let takes = match one["enum"].as_array() {
            Some(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            None if one["type"] == "array" => format!("list of {}s", word(&one["items"], "type")),
            None => word(one, "type").to_owned(),
        };
        let mark = if needed.contains(&name.as_str()) { "needed" } else { "" };
        let about =
            [mark, word(one, "description")].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>();
        writeln!(text, "| `{name}` | {takes} | {} |", about.join("; "))?;
    }
    let hints = tool["annotations"].as_object().into_iter().flatten();
    let hints: Vec<String> = hints.map(|(name, value)| format!("{name}: {value}")).collect();
    writeln!(text, "\nHints: {}. Example: `{arguments}`. Its data:\n", hints.join(", "))?;
    writeln!(text, "```\n{}\n```", shape(data, 0))?;
    Ok(())
}

/// The names and types of data, without its values.
fn shape(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "boolean".into(),
        Value::Number(number) if number.is_f64() => "number".into(),
        Value::Number(_) => "integer".into(),
        Value::String(_) => "string".into(),
        Value::Array(list) => match merged(list) {
            Some(one) => format!("[{}]", shape(&one, depth)),
            None => "[]".into(),
        },
        Value::Object(fields) => {
            let lines = fields.iter().map(|(name, value)| format!("{indent}{name}: {}", shape(value, depth + 1)));
            format!("{{\n{}\n{}}}", lines.collect::<Vec<_>>().join("\n"), "  ".repeat(depth))
        }
    }
}

/// One element that has the fields of all.
fn merged(list: &[Value]) -> Option<Value> {
    let mut all = Map::new();
    for fields in list.iter().filter_map(Value::as_object) {
        for (name, value) in fields {
            let empty =
                all.get(name).is_none_or(|old: &Value| old.is_null() || old.as_array().is_some_and(Vec::is_empty));
            if empty {
                all.insert(name.clone(), value.clone());
            }
        }
    }
    if all.is_empty() { list.first().cloned() } else { Some(Value::Object(all)) }
}

fn extras(text: &mut String, client: &mut Client) -> Result<()> {
    writeln!(text, "\n## Resources\n\n| address | is |\n|---|---|")?;
    let resources = client.request("resources/list", &json!({}))?;
    for one in resources["resources"].as_array().into_iter().flatten() {
        writeln!(text, "| `{}` | {} |", word(one, "uri"), word(one, "description"))?;
    }
    let templates = client.request("resources/templates/list", &json!({}))?;
    for one in templates["resourceTemplates"].as_array().into_iter().flatten() {
        writeln!(text, "| `{}` | {} |", word(one, "uriTemplate"), word(one, "description"))?;
    }
    writeln!(text, "\n## Prompts\n\n| name | arguments | is |\n|---|---|---|")?;
    let prompts = client.request("prompts/list", &json!({}))?;
    for one in prompts["prompts"].as_array().into_iter().flatten() {
        let arguments = one["arguments"].as_array().into_iter().flatten();
        let arguments: Vec<String> = arguments.map(|argument| format!("`{}`", word(argument, "name"))).collect();
        writeln!(text, "| `{}` | {} | {} |", word(one, "name"), arguments.join(", "), word(one, "description"))?;
    }
    Ok(())
}
