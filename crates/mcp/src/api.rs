//! The questions without the protocol: by name, with arguments, answered with the data that commands print with `--json`.
//! Whatever carries them lists them and says who may ask.

use codegraph_index::Silent;
use codegraph_query::Cancel;
use serde_json::{Map, Value};

use crate::args::Args;
use crate::call::Call;
use crate::tool::{Effect, Tool};
use crate::{Server, tools};

/// A question that can be asked by name.
#[derive(Clone, Copy)]
pub struct Question(&'static Tool);

impl Question {
    /// All of them: the tools, and what is no tool.
    pub fn all() -> impl Iterator<Item = Question> {
        tools::asked().map(Question)
    }

    pub fn named(name: &str) -> Option<Question> {
        Question::all().find(|question| question.0.name == name)
    }

    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// What it gives and when to use it.
    pub fn about(&self) -> &'static str {
        self.0.about
    }

    /// Whether asking changes something besides the freshness of the index.
    pub fn writes(&self) -> bool {
        self.0.effect != Effect::Reads
    }

    /// Name, JSON schema and whether it is needed, of each parameter.
    pub fn params(&self) -> Vec<(&'static str, Value, bool)> {
        self.0.taken().iter().map(|param| (param.name, param.schema(), param.needed)).collect()
    }
}

impl Server {
    /// Answers with data, as JSON. No budget counts: whoever asks says how many rows are wanted.
    pub fn ask(&self, question: Question, given: Map<String, Value>, cancel: Cancel) -> anyhow::Result<String> {
        let args = Args::read(given, &question.0.taken())?;
        let (tools, structured) = (crate::ToolSet::All, true);
        let projects = self.projects();
        let call = Call { args, projects, store: None, progress: &Silent, cancel, tools, structured, whole: true };
        Ok((question.0.run)(&call)?.data.unwrap_or_default())
    }
}
