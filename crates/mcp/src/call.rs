//! One call of a tool: its arguments, the project it is about, and its answer as text and data within a budget.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codegraph_index::{Progress, Project};
use codegraph_query::{Cancel, Reader, Window};
use codegraph_runtime::{Projects, Request, Served, Session};
use codegraph_text::{Answer, Out};
use serde_json::json;

use crate::args::Args;
use crate::budget::Budget;
use crate::cursor::Cursor;
use crate::elsewhere::{Asked, Elsewhere};
use crate::{ToolSet, tools};

/// No list has more rows, whatever the limit: the rest is a cursor away.
const MOST_ROWS: usize = 1000;
/// What a tool is called with.
pub(crate) struct Call<'c> {
    pub(crate) args: Args,
    pub(crate) projects: &'c Projects,
    pub(crate) store: Option<&'c dyn Elsewhere>,
    pub(crate) progress: &'c dyn Progress,
    pub(crate) cancel: Cancel,
    /// Which tools answers may name.
    pub(crate) tools: ToolSet,
    /// Whether data is sent along with text.
    pub(crate) structured: bool,
    /// Whether only data is wanted, all of it.
    pub(crate) whole: bool,
}

/// What a tool answers.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// What the command prints with `--json`, as JSON. Absent unless the server was started for it: the big clients show
    /// it to the model instead of the text, and it is several times as long.
    pub(crate) data: Option<String>,
}

impl Call<'_> {
    /// The project that the call is about.
    pub(crate) fn served(&self) -> anyhow::Result<Arc<Served>> {
        Ok(self.projects.get(self.args.text("project").map(Path::new))?)
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
        if self.whole { Budget::Whole } else { Budget::of(self.args.number("max_tokens")) }
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

    /// The same, of the store of many projects if the server has one.
    pub(crate) fn list_asked<A: Answer>(
        &self,
        limit: usize,
        question: impl Fn(&Asked<'_>, Window) -> anyhow::Result<A>,
    ) -> anyhow::Result<Reply> {
        match self.store {
            Some(store) => self.rows(limit, |window| question(&Asked::Elsewhere(store), window)),
            None => self.list_across(limit, |reader, window| question(&Asked::Project(reader), window)),
        }
    }

    fn rows<A: Answer, E: Into<anyhow::Error>>(
        &self,
        limit: usize,
        question: impl Fn(Window) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        let (mut window, cursor) = self.window(limit)?;
        loop {
            let reply = self.said(&question(window).map_err(Into::into)?)?;
            if window.limit == 1 || cursor.lines > 0 || self.budget().fits(&reply.text, reply.data.as_deref()) {
                return Ok(self.fitted(reply, cursor));
            }
            // A row is at least a line.
            let rows = window.limit.min(reply.text.lines().count());
            let share = self.budget().share(&reply.text, reply.data.as_deref(), rows);
            window.limit = share.clamp(1, window.limit - 1);
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

    /// The same, of the store of many projects if the server has one.
    pub(crate) fn one_asked<A: Answer>(
        &self,
        question: impl Fn(&Asked<'_>) -> anyhow::Result<A>,
    ) -> anyhow::Result<Reply> {
        match self.store {
            Some(store) => self.reply(&question(&Asked::Elsewhere(store))?),
            None => self.one(|session| question(&Asked::Project(session))),
        }
    }

    /// Answers with data alone: what a page shows has no text.
    pub(crate) fn data<A: serde::Serialize, E: Into<anyhow::Error>>(
        &self,
        question: impl Fn(&Session) -> Result<A, E>,
    ) -> anyhow::Result<Reply> {
        let answer = self.served()?.ask_with(&self.request(), |session| question(session).map_err(Into::into))?;
        Ok(Reply { text: String::new(), data: Some(serde_json::to_string(&answer)?) })
    }

    /// Answers with what was found out or done already.
    pub(crate) fn reply<A: Answer>(&self, answer: &A) -> anyhow::Result<Reply> {
        let (_, cursor) = self.window(1)?;
        Ok(self.fitted(self.said(answer)?, cursor))
    }

    /// The whole answer.
    fn said<A: Answer>(&self, answer: &A) -> anyhow::Result<Reply> {
        let mut text = Vec::new();
        if !self.whole {
            answer.print(&mut Out::plain(&mut text, tools::dialect(self.tools)))?;
        }
        // In the order in which it is sent, so that the same bytes are counted.
        let data = self.structured.then(|| serde_json::to_value(answer)).transpose()?.map(|data| data.to_string());
        Ok(Reply { text: String::from_utf8_lossy(&text).into_owned(), data })
    }

    /// An answer within the budget: whole, or a part of its text and a cursor to the rest. Data cannot be cut, so then it
    /// is that part of the text.
    fn fitted(&self, reply: Reply, cursor: Cursor) -> Reply {
        let budget = self.budget();
        if cursor.lines == 0 && budget.fits(&reply.text, reply.data.as_deref()) {
            return reply;
        }
        let all: Vec<&str> = reply.text.lines().collect();
        let start = cursor.lines.min(all.len());
        let part = |shown: &str, count: usize| self.part(shown, (start, start + count, all.len()), cursor.rows);
        let fits = |shown: &str, count: usize| {
            let reply = part(shown, count);
            budget.fits(&reply.text, reply.data.as_deref())
        };
        let (shown, count) = Budget::head(&all[start..], fits);
        part(&shown.join("\n"), count)
    }

    /// Some lines of a text, with the way to the rest.
    fn part(&self, shown: &str, (start, end, all): (usize, usize, usize), rows: usize) -> Reply {
        let mut text = format!("{shown}\n");
        let mut data = json!({"text": shown, "part": format!("lines {}-{end} of {all}", start + 1)});
        if end < all {
            let next = Cursor { rows, lines: end };
            text.push_str(&format!("[lines {}-{end} of {all}; go on with cursor={next}]\n", start + 1));
            data["next_cursor"] = next.to_string().into();
        }
        Reply { text, data: self.structured.then(|| data.to_string()) }
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
