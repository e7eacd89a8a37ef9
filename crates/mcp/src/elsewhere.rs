//! Who answers: a project's index, or a store that knows many. The questions are the same for both, and so are the answers.

use std::sync::Arc;

use codegraph_query::{Calls, CallsAnswer, Find, FindAnswer, Impact, ImpactAnswer, Query, QueryAnswer, Reader};

/// A store of many projects. Several calls may come at once.
pub trait Elsewhere: Send + Sync {
    fn find(&self, question: &Find) -> anyhow::Result<FindAnswer>;
    fn query(&self, question: &Query) -> anyhow::Result<QueryAnswer>;
    fn callers(&self, question: &Calls) -> anyhow::Result<CallsAnswer>;
    fn callees(&self, question: &Calls) -> anyhow::Result<CallsAnswer>;
    fn impact(&self, question: &Impact) -> anyhow::Result<ImpactAnswer>;
}

/// What a server was given to answer from besides projects.
#[derive(Clone, Default)]
pub struct Store(pub Option<Arc<dyn Elsewhere>>);

impl std::fmt::Debug for Store {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(if self.0.is_some() { "a store" } else { "none" })
    }
}

/// Who answers one call.
pub(crate) enum Asked<'a> {
    Project(&'a Reader),
    Elsewhere(&'a dyn Elsewhere),
}

macro_rules! questions {
    ($($name:ident($question:ty) -> $answer:ty;)*) => {
        impl Asked<'_> {
            $(pub(crate) fn $name(&self, question: &$question) -> anyhow::Result<$answer> {
                match self {
                    Asked::Project(reader) => Ok(codegraph_query::$name(reader, question)?),
                    Asked::Elsewhere(store) => store.$name(question),
                }
            })*
        }
    };
}

questions! {
    find(Find) -> FindAnswer;
    query(Query) -> QueryAnswer;
    callers(Calls) -> CallsAnswer;
    callees(Calls) -> CallsAnswer;
    impact(Impact) -> ImpactAnswer;
}
