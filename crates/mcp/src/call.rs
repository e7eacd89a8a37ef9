//! One call of a tool: its arguments, the project it is about, and its answer as text and data within a budget.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codegraph_index::{Progress, Project};
use codegraph_query::{Cancel, Reader, Window};
use codegraph_runtime::{Projects, Request, Served, Session};
use codegraph_text::{Answer, Out};
use serde_json::{Value, json};

use crate::args::Args;
use crate::budget::Budget;
use crate::cursor::Cursor;
use crate::tools::DIALECT;

/// No list has more rows, whatever the limit: the rest is a cursor away.
const MOST_ROWS: usize = 1000;
/// Data that is longer is left out: some clients show it to the model, beside the text that says the same.
const MOST_DATA_BYTES: usize = 128 * 1024;

/// What a tool is called with.
pub(crate) struct Call<'c> {
    pub(crate) args: Args,
    pub(crate) projects: &'c Projects,
    pub(crate) progress: &'c dyn Progress,
    pub(crate) cancel: Cancel,
}

/// What a tool answers.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// What the command prints with `--json`; absent if it does not fit the budget.
    pub(crate) data: Option<Value>,
}

impl Reply {
    fn of<A: Answer>(answer: &A) -> anyhow::Result<Reply> {
        let mut text = Vec::new();
        answer.print(&mut Out::plain(&mut text, DIALECT))?;
        Ok(Reply { text: String::from_utf8_lossy(&text).into_owned(), data: Some(data(answer)?) })
    }
}

/// What the command prints with `--json`, unless it is too long.
fn data<A: Answer>(answer: &A) -> anyhow::Result<Value> {
    // Counted first: a tree of values costs several times as much.
    let mut length = Length(0);
    serde_json::to_writer(&mut length, answer)?;
    if length.0 > MOST_DATA_BYTES {
        let hint = "ask for less, or for the text alone";
        return Ok(json!({"left_out": format!("{} bytes of data; {hint}", length.0)}));
    }
    Ok(serde_json::to_value(answer)?)
}

/// Counts what is written.
struct Length(usize);

impl std::io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Call<'_> {
    /// The project that the call is about.
    pub(crate) fn served(&self) -> anyhow::Result<Arc<Served>> {
        let named = self.args.text("project").or(self.args.text("path"));
        Ok(self.projects.get(named.map(Path::new))?)
    }

    /// The project of a tool whose `path` is another one.
    pub(crate) fn own_project(&self) -> anyhow::Result<Project> {
        let served = self.projects.get(self.args.text("project").map(Path::new))?;
        Ok(Project::open(served.root())?)
    }

    /// The project of a tool whose `path` is something inside it: that in which it is, and its place there.
    pub(crate) fn served_inside(&self) -> anyhow::Result<(Arc<Served>, String)> {
        let given = self.args.owned("path");
        if let Some(project) = self.args.text("project") {
            return Ok((self.projects.get(Some(Path::new(project)))?, given));
        }
        if !Path::new(&given).is_absolute() {
            return Ok((self.projects.get(None)?, given));
        }
        let served = self.projects.get(Some(&existing(Path::new(&given))))?;
        let inside = Project::open(served.root())?.relative(Path::new(&given), served.root())?;
        Ok((served, inside))
    }

    /// The part of a list that is wanted.
    fn window(&self, limit: usize) -> anyhow::Result<(Window, Cursor)> {
        let given = self.args.number("limit").map_or(limit, |limit| usize::try_from(limit).unwrap_or(MOST_ROWS));
        let cursor = match (self.args.text("cursor"), self.args.number("offset")) {
            (Some(cursor), _) => Cursor::parse(cursor)?,
            (None, Some(offset)) => Cursor { rows: usize::try_from(offset).unwrap_or(usize::MAX), lines: 0 },
            (None, None) => Cursor::default(),
        };
        Ok((Window { limit: given.clamp(1, MOST_ROWS), offset: cursor.rows }, cursor))
    }

    pub(crate) fn budget(&self) -> Budget {
        Budget::of(self.args.number("max_tokens"))
    }

    /// Answers with a list. If it is over the budget it is asked for again with fewer rows.
    pub(crate) fn list<A: Answer, E: Into<anyhow::Error>>(
        &self,
        limit: usize,
        question: impl Fn(&Session, Window) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        self.list_in(&*self.served()?, limit, question)
    }

    /// The same, of a certain project.
    pub(crate) fn list_in<A: Answer, E: Into<anyhow::Error>>(
        &self,
        served: &Served,
        limit: usize,
        question: impl Fn(&Session, Window) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        served.ask_with(&self.request(), |session| self.rows(limit, |window| question(session, window)))
    }

    pub(crate) fn request(&self) -> Request {
        Request { cancel: self.cancel.clone(), ..Request::default() }
    }

    /// The same, and of the linked projects too if the call wants them.
    pub(crate) fn list_across<A: Answer, E: Into<anyhow::Error>>(
        &self,
        limit: usize,
        question: impl Fn(&Reader, Window) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        let served = self.served()?;
        let request = Request { linked: self.args.flag("include_dependencies"), ..self.request() };
        served.ask_with(&request, |session| self.rows(limit, |window| question(session, window)))
    }

    fn rows<A: Answer, E: Into<anyhow::Error>>(
        &self,
        limit: usize,
        question: impl Fn(Window) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        let (mut window, cursor) = self.window(limit)?;
        loop {
            let reply = Reply::of(&question(window).map_err(Into::into)?)?;
            if window.limit == 1 || cursor.lines > 0 || self.budget().fits(&reply.text) {
                return Ok(self.fitted(reply, cursor));
            }
            // A row is at least a line.
            let rows = window.limit.min(reply.text.lines().count());
            window.limit = self.budget().share(&reply.text, rows).clamp(1, window.limit - 1);
        }
    }

    /// Answers with something that has no rows.
    pub(crate) fn one<A: Answer, E: Into<anyhow::Error>>(
        &self,
        question: impl Fn(&Session) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        let answer = self.served()?.ask_with(&self.request(), |session| question(session).map_err(Into::into))?;
        self.reply(&answer)
    }

    /// Answers with what was found out or done already.
    pub(crate) fn reply<A: Answer>(&self, answer: &A) -> anyhow::Result<Reply> {
        let (_, cursor) = self.window(1)?;
        Ok(self.fitted(Reply::of(answer)?, cursor))
    }

    /// An answer within the budget: whole, or a part of its text and a cursor to the rest.
    fn fitted(&self, reply: Reply, cursor: Cursor) -> Reply {
        let budget = self.budget();
        if cursor.lines == 0 && budget.fits(&reply.text) {
            let data = reply.data.filter(|data| budget.fits_both(&reply.text, data));
            return Reply { text: reply.text, data };
        }
        let all: Vec<&str> = reply.text.lines().collect();
        let rest = &all[cursor.lines.min(all.len())..];
        let (shown, count) = budget.head(rest);
        let end = all.len() - rest.len() + count;
        let mut text = shown.join("\n");
        text.push('\n');
        if end == all.len() {
            return Reply { text, data: None };
        }
        let next = Cursor { rows: cursor.rows, lines: end };
        let part = format!("lines {}-{end} of {}", end + 1 - count, all.len());
        text.push_str(&format!("[{part}; go on with cursor={next}]\n"));
        let data = Some(json!({"part": part, "next_cursor": next.to_string()}));
        Reply { data: data.filter(|data| budget.fits_both(&text, data)), text }
    }

    /// A file that the call names, root-relative; outside of the project there is none.
    pub(crate) fn file(&self, project: &Project, given: &str) -> anyhow::Result<PathBuf> {
        Ok(project.relative(Path::new(given), project.root())?.into())
    }
}

/// The part of a path that is there.
fn existing(path: &Path) -> PathBuf {
    path.ancestors().find(|part| part.exists()).unwrap_or(path).to_owned()
}
