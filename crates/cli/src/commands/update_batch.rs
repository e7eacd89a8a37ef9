//! `codegraph update-batch`: several edits in one transaction.

use std::io::Read;

use clap::Args;
use codegraph_index::{FileEdit, Project, Scope};
use codegraph_store::LineRange;
use serde::Deserialize;

use super::Run;
use super::update;
use crate::context::Context;
use crate::output::Outcome;
use codegraph_runtime::Refusal;

/// Update several files in one transaction
#[derive(Args)]
pub(crate) struct UpdateBatch {
    /// FILE or FILE:A-B each; or a JSON list of {"file", "from_line", "to_line"}; - reads JSON from standard input
    #[arg(required = true, value_name = "FILE[:A-B]")]
    edits: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Batch {
    List(Vec<Edit>),
    Object { files: Vec<Edit> },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Edit {
    Name(String),
    Object(EditObject),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditObject {
    file: String,
    from_line: Option<u32>,
    to_line: Option<u32>,
}

impl Run for UpdateBatch {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let edits = match self.edits.as_slice() {
            [dash] if dash == "-" => {
                let mut text = String::new();
                std::io::stdin().lock().read_to_string(&mut text)?;
                from_json(context, &project, &text)?
            }
            [json] if json.trim_start().starts_with(['[', '{']) => from_json(context, &project, json)?,
            list => list.iter().map(|text| update::file_edit(context, &project, text)).collect::<Result<_, _>>()?,
        };
        update::run(context, &project, "update-batch", Scope::Batch(edits))
    }
}

fn from_json(context: &Context, project: &Project, text: &str) -> anyhow::Result<Vec<FileEdit>> {
    let form = r#"give [{"file": "a.py"}, {"file": "b.py", "from_line": 10, "to_line": 20}]"#;
    let batch: Batch = serde_json::from_str(text)
        .map_err(|error| Refusal::error(format!("the list does not parse: {error}"), form))?;
    let (Batch::List(edits) | Batch::Object { files: edits }) = batch;
    edits.into_iter().map(|edit| file_edit(context, project, edit)).collect()
}

fn file_edit(context: &Context, project: &Project, edit: Edit) -> anyhow::Result<FileEdit> {
    let (file, first, last) = match edit {
        Edit::Name(file) => (file, None, None),
        Edit::Object(EditObject { file, from_line, to_line }) => (file, from_line, to_line),
    };
    let lines = match (first, last) {
        (None, None) => None,
        (Some(first), Some(last)) if first > 0 && first <= last => Some(LineRange { first, last }),
        _ => {
            let message = format!("the lines of '{file}' are no range");
            return Err(Refusal::error(message, "give from_line and to_line, from 1"));
        }
    };
    Ok(FileEdit { path: context.path(project, &file)?.into(), lines })
}
