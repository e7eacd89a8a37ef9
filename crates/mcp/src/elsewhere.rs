//! Who answers: a project's index, or a store that knows many. The questions are the same for both, and so are the answers.

use std::sync::Arc;

use codegraph_query::{
    Calls, CallsAnswer, ContextAnswer, ContextQuestion, Deps, DepsAnswer, Find, FindAnswer, HierarchyAnswer,
    HierarchyQuestion, Impact, ImpactAnswer, Query, QueryAnswer, Reader, Refs, RefsAnswer, SqlAnswer,
};
use codegraph_store::SqlLimits;

/// A store of many projects. Several calls may come at once.
pub trait Elsewhere: Send + Sync {
    fn context(&self, question: &ContextQuestion) -> anyhow::Result<ContextAnswer>;
    fn find(&self, question: &Find) -> anyhow::Result<FindAnswer>;
    fn query(&self, question: &Query) -> anyhow::Result<QueryAnswer>;
    fn refs(&self, question: &Refs) -> anyhow::Result<RefsAnswer>;
    fn callers(&self, question: &Calls) -> anyhow::Result<CallsAnswer>;
    fn callees(&self, question: &Calls) -> anyhow::Result<CallsAnswer>;
    fn impact(&self, question: &Impact) -> anyhow::Result<ImpactAnswer>;
    fn hierarchy(&self, question: &HierarchyQuestion) -> anyhow::Result<HierarchyAnswer>;
    fn deps(&self, question: &Deps) -> anyhow::Result<DepsAnswer>;
    fn sql(&self, statement: &str, limits: SqlLimits) -> anyhow::Result<SqlAnswer>;
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
    context(ContextQuestion) -> ContextAnswer;
    find(Find) -> FindAnswer;
    query(Query) -> QueryAnswer;
    refs(Refs) -> RefsAnswer;
    callers(Calls) -> CallsAnswer;
    callees(Calls) -> CallsAnswer;
    impact(Impact) -> ImpactAnswer;
    hierarchy(HierarchyQuestion) -> HierarchyAnswer;
    deps(Deps) -> DepsAnswer;
}

impl Asked<'_> {
    pub(crate) fn sql(&self, statement: &str, limits: SqlLimits) -> anyhow::Result<SqlAnswer> {
        match self {
            Asked::Project(reader) => Ok(codegraph_query::sql(reader, statement, limits)?),
            Asked::Elsewhere(store) => store.sql(statement, limits),
        }
    }
}
