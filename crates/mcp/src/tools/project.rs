//! Tools that make an index and keep it.

use std::path::Path;

use codegraph_index::{BuildOptions, FileEdit, InitOptions, Project, Scope, UpdateOptions};
use codegraph_runtime::{Refusal, SyncAnswer, UpdateAnswer};
use codegraph_store::LineRange;
use serde_json::Value;

use super::search::{FILE, LANGUAGES};
use crate::args::Param;
use crate::call::{Call, Reply};
use crate::tool::{Effect, Tool};

pub(crate) const STATUS: Tool = Tool {
    name: "status",
    about: "Size, languages and health of the index.",
    effect: Effect::Reads,
    paged: false,
    params: &[],
    run: |call| call.one(|session| codegraph_query::status(session)),
};

pub(crate) const INIT: Tool = Tool {
    name: "init",
    about: "Index a folder, or index it anew. Needed once.",
    effect: Effect::Writes,
    paged: false,
    params: &[
        Param::text("path").about("folder").also(&["project", "folder", "directory", "root"]),
        Param::text("name").about("of the project").rare(),
        LANGUAGES,
        Param::texts("exclude").about("as in .gitignore").rare(),
        Param::flag("vendored").about("what git does not track too").hidden(),
    ],
    run: |call| {
        let list = |name: &str| call.args.raw(name).map(|_| call.args.texts(name));
        let options = InitOptions {
            vendored: call.args.flag("vendored"),
            shared: false,
            name: call.args.text("name").map(str::to_owned),
            languages: list("languages"),
            include: None,
            exclude: list("exclude"),
        };
        let folder = call.projects.folder(call.args.text("path").map(Path::new))?;
        let answer = codegraph_runtime::init(&folder, &options, &BuildOptions::default(), call.progress)?;
        call.projects.get(Some(&folder))?.touched();
        call.reply(&answer)
    },
};

pub(crate) const UPDATE: Tool = Tool {
    name: "update",
    about: "Re-index a file, or all that changed. Rarely needed: answers are always fresh.",
    effect: Effect::Writes,
    paged: false,
    params: &[
        Param::text("file").about("all if absent").also(&["file_path", "filename"]),
        Param::number("from_line").about("first changed"),
        Param::number("to_line").about("last changed"),
    ],
    run: |call| {
        let project = project(call)?;
        let scope = match call.args.text("file") {
            None => Scope::All,
            Some(file) => {
                let lines = range(file, call.args.number("from_line"), call.args.number("to_line"))?;
                Scope::Batch(vec![FileEdit { path: call.file(&project, file)?, lines }])
            }
        };
        update(call, &project, call.args.text("file").map(str::to_owned), scope)
    },
};

pub(crate) const UPDATE_BATCH: Tool = Tool {
    name: "update_batch",
    about: "Re-index several files in one transaction.",
    effect: Effect::Writes,
    paged: false,
    params: &[Param::edits("files").needed().about("edited files")],
    run: |call| {
        let project = project(call)?;
        let list = call.args.raw("files").and_then(Value::as_array).cloned().unwrap_or_default();
        let edits = list.iter().map(|edit| file_edit(call, &project, edit)).collect::<anyhow::Result<_>>()?;
        update(call, &project, None, Scope::Batch(edits))
    },
};

pub(crate) const REMOVE: Tool = Tool {
    name: "remove",
    about: "Take a file or folder out of the index; the file itself stays.",
    effect: Effect::Removes,
    paged: false,
    params: &[FILE],
    run: |call| {
        let project = project(call)?;
        let file = call.args.owned("file");
        let path = call.file(&project, &file)?;
        let report = codegraph_index::remove(&project, &path, &UpdateOptions::default())?;
        call.reply(&UpdateAnswer { success: true, file: Some(file), report })
    },
};

pub(crate) const SYNC_GIT: Tool = Tool {
    name: "sync_git",
    about: "Re-index exactly what git says differs between two revisions.",
    effect: Effect::Writes,
    paged: false,
    params: &[
        Param::text("from").needed().about("revision").also(&["from_commit", "from_rev", "base"]),
        Param::text("to").about("revision, else HEAD").also(&["to_commit", "to_rev", "head"]),
    ],
    run: |call| {
        let project = project(call)?;
        let (from, to) = (call.args.owned("from"), call.args.text("to").unwrap_or("HEAD"));
        let report = codegraph_index::sync_git(&project, &from, to, &UpdateOptions::default(), call.progress)?;
        let update = UpdateAnswer { success: true, file: None, report: report.update };
        call.reply(&SyncAnswer { changes: report.changes, update })
    },
};

fn project(call: &Call) -> anyhow::Result<Project> {
    Ok(Project::open(call.served()?.root())?)
}

fn update(call: &Call, project: &Project, file: Option<String>, scope: Scope) -> anyhow::Result<Reply> {
    let report = codegraph_index::update(project, scope, &UpdateOptions::default(), call.progress)?;
    call.reply(&UpdateAnswer { success: true, file, report })
}

/// A name, or an object with a file and its lines.
fn file_edit(call: &Call, project: &Project, edit: &Value) -> anyhow::Result<FileEdit> {
    let file = edit.as_str().or_else(|| edit.get("file")?.as_str());
    let Some(file) = file.filter(|file| !Path::new(file).as_os_str().is_empty()) else {
        return Err(Refusal::error(format!("{edit} names no file"), r#"give {"file": "a.py"}"#));
    };
    let number = |name: &str| edit.get(name).and_then(Value::as_u64);
    Ok(FileEdit { path: call.file(project, file)?, lines: range(file, number("from_line"), number("to_line"))? })
}

/// The lines that an edit replaced, as they were numbered before it.
fn range(file: &str, first: Option<u64>, last: Option<u64>) -> anyhow::Result<Option<LineRange>> {
    let number = |line: u64| u32::try_from(line).ok();
    match (first, last.or(first)) {
        (None, None) => Ok(None),
        (Some(first), Some(last)) if first > 0 && first <= last => {
            let range = number(first).zip(number(last)).map(|(first, last)| LineRange { first, last });
            Ok(range)
        }
        _ => Err(Refusal::error(
            format!("the lines of '{file}' are no range"),
            "give from_line and to_line, from 1, or neither",
        )),
    }
}
