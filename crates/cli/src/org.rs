//! The store of an organisation, where this build has it. A build without it says so, with the way to one that has.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use codegraph_query::{
    Calls, CallsAnswer, ContextAnswer, ContextQuestion, Deps, DepsAnswer, Find, FindAnswer, HierarchyAnswer,
    HierarchyQuestion, Impact, ImpactAnswer, Query, QueryAnswer, Reader, Refs, RefsAnswer, SqlAnswer,
};
use codegraph_runtime::Refusal;
use codegraph_store::SqlLimits;

#[cfg(feature = "org")]
pub(crate) use codegraph_org::Org;

#[cfg(not(feature = "org"))]
pub(crate) use without::Org;

/// The address that was given: itself, or `@FILE` that holds it, so that it stands in no list of processes.
fn address(given: &str) -> anyhow::Result<String> {
    match given.strip_prefix('@') {
        None => Ok(given.to_owned()),
        Some(file) => {
            let bytes = codegraph_files::read_named(Path::new(file))
                .with_context(|| format!("'{file}' could not be read: check that it is there"))?;
            Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
        }
    }
}

/// Opens a store for questions.
pub(crate) fn open(given: &str) -> anyhow::Result<Org> {
    Org::open(&address(given)?).map_err(Refusal::of)
}

/// Makes a store whose large tables lie on other servers.
#[cfg(feature = "org")]
pub(crate) fn make_on(given: &str, servers: &[String]) -> anyhow::Result<()> {
    let servers = servers.iter().map(|server| address(server)).collect::<anyhow::Result<Vec<_>>>()?;
    Org::make_on(&address(given)?, &servers).map_err(Refusal::of)
}

/// Opens a store for a push.
pub(crate) fn open_for_push(given: &str) -> anyhow::Result<Org> {
    Org::open_for_push(&address(given)?).map_err(Refusal::of)
}

/// Who answers: a project's index, or the store of an organisation. A question is the same for both, and so is the answer.
pub(crate) enum Facts {
    Project(Box<Reader>),
    Org(Box<Org>),
}

macro_rules! questions {
    ($($name:ident($question:ty) -> $answer:ty;)*) => {
        impl Facts {
            $(pub(crate) fn $name(&self, question: &$question) -> anyhow::Result<$answer> {
                match self {
                    Facts::Project(reader) => Ok(codegraph_query::$name(reader, question)?),
                    Facts::Org(org) => org.$name(question).map_err(Refusal::of),
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

impl Facts {
    pub(crate) fn sql(&self, statement: &str, limits: SqlLimits) -> anyhow::Result<SqlAnswer> {
        match self {
            Facts::Project(reader) => Ok(codegraph_query::sql(reader, statement, limits)?),
            Facts::Org(org) => org.sql(statement, limits).map_err(Refusal::of),
        }
    }
}

/// Connections to a store, for calls that come at once. One that failed is not used again.
pub(crate) struct Pool {
    address: String,
    idle: Mutex<Vec<Org>>,
}

impl Pool {
    /// Connects once, so that a wrong address is told at the start.
    pub(crate) fn new(given: &str) -> anyhow::Result<Pool> {
        let address = address(given)?;
        let first = Org::open(&address).map_err(Refusal::of)?;
        Ok(Pool { address, idle: Mutex::new(vec![first]) })
    }

    fn ask<A, E: codegraph_model::Mends>(&self, question: impl FnOnce(&Org) -> Result<A, E>) -> anyhow::Result<A> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let org = match waiting {
            Some(org) => org,
            None => Org::open(&self.address).map_err(Refusal::of)?,
        };
        let answer = question(&org).map_err(Refusal::of)?;
        idle().push(org);
        Ok(answer)
    }
}

macro_rules! pooled {
    ($($name:ident($question:ty) -> $answer:ty;)*) => {
        impl codegraph_mcp::Elsewhere for Pool {
            fn sql(&self, statement: &str, limits: SqlLimits) -> anyhow::Result<SqlAnswer> {
                self.ask(|org| org.sql(statement, limits))
            }
            $(fn $name(&self, question: &$question) -> anyhow::Result<$answer> {
                self.ask(|org| org.$name(question))
            })*
        }
    };
}

pooled! {
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

#[cfg(not(feature = "org"))]
mod without {
    use codegraph_model::{Mends, Remedy};
    use codegraph_query::*;
    use codegraph_store::SqlLimits;

    #[derive(Debug, thiserror::Error)]
    #[error("this build does not know the store of an organisation")]
    pub(crate) struct Missing;

    impl Mends for Missing {
        fn remedy(&self) -> Option<Remedy> {
            Some("build with the feature org: cargo install --path crates/cli --features org".into())
        }
    }

    /// Nobody has one.
    pub(crate) enum Org {}

    macro_rules! never {
        ($($name:ident($question:ty) -> $answer:ty;)*) => {
            impl Org {
                pub(crate) fn open(_: &str) -> Result<Org, Missing> {
                    Err(Missing)
                }
                pub(crate) fn open_for_push(_: &str) -> Result<Org, Missing> {
                    Err(Missing)
                }
                pub(crate) fn sql(&self, _: &str, _: SqlLimits) -> Result<SqlAnswer, Missing> {
                    match *self {}
                }
                $(pub(crate) fn $name(&self, _: &$question) -> Result<$answer, Missing> {
                    match *self {}
                })*
            }
        };
    }

    never! {
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
}
