//! `codegraph push`: bring a project into the store of an organisation.

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::Outcome;

/// Bring the project at its commit into the store of an organisation
///
/// In one transaction: who asks meanwhile sees the state before or the state after. Only files that say something else than
/// before are sent.
#[derive(Args)]
pub(crate) struct Push {
    /// A PostgreSQL address, or @FILE that holds it
    url: String,
    /// What the repository is called [default: where it was cloned from, else the project's name]
    #[arg(long, value_name = "NAME")]
    repository: Option<String>,
    /// Which commit this is [default: the one that is checked out]
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// Only members of this team may see it [default: everyone, or as it was]
    #[arg(long, value_name = "TEAM")]
    team: Option<String>,
    /// Where the forge shows a file: an address with {commit}, {path} and {line}
    #[arg(long, value_name = "TEMPLATE")]
    link: Option<String>,
    /// Leave the source text out: answers have places only
    #[arg(long)]
    no_text: bool,
    /// Keep so many states before this one
    #[arg(long, value_name = "N", default_value_t = 0)]
    keep: u32,
    /// Make a new store whose large tables lie on this server too: an address, or @FILE; once for each
    #[arg(long = "server", value_name = "URL")]
    servers: Vec<String>,
}

#[cfg(not(feature = "org"))]
impl Run for Push {
    fn run(&self, _: &Context) -> anyhow::Result<Outcome> {
        let Push { repository: _, commit: _, team: _, link: _, no_text: _, keep: _, servers: _, .. } = self;
        match crate::org::open_for_push(&self.url)? {}
    }
}

#[cfg(feature = "org")]
impl Run for Push {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        use codegraph_runtime::Refusal;
        let reader = context.reader()?;
        let project = context.project()?;
        let known = codegraph_index::Identity::of(&project);
        let published = codegraph_index::published_packages(&project, reader.store())?;
        let push = codegraph_org::Push {
            repository: self.repository.clone().unwrap_or(known.repository),
            commit: self.commit.clone().or(known.commit).unwrap_or_else(|| "none".to_owned()),
            team: self.team.clone(),
            link: self.link.clone(),
            text: !self.no_text,
            keep: self.keep,
            offers: codegraph_query::offers(&reader, &published)?,
            needs: codegraph_index::needed_packages(&project, reader.store())?,
        };
        if !self.servers.is_empty() {
            crate::org::make_on(&self.url, &self.servers)?;
        }
        let org = crate::org::open_for_push(&self.url)?;
        let report = codegraph_org::push(&org, &reader, &push).map_err(Refusal::of)?;
        crate::output::print(context, "push", &answer::Pushed(report))
    }
}

#[cfg(feature = "org")]
mod answer {
    use std::io;

    use codegraph_text::human::{count, printable};
    use codegraph_text::{Answer, Out};
    use serde::Serialize;

    #[derive(Serialize)]
    #[serde(transparent)]
    pub(super) struct Pushed(pub(super) codegraph_org::PushReport);

    impl Answer for Pushed {
        fn print(&self, out: &mut Out) -> io::Result<()> {
            let report = &self.0;
            out.line(&format!(
                "pushed {}@{}: {} of {}, {} gone; {}, {}, {}, {}, {}",
                printable(&report.repository),
                printable(&report.commit),
                report.sent,
                count(report.files, "file"),
                report.removed,
                count(report.symbols, "symbol"),
                count(report.references, "reference"),
                count(report.terms, "term"),
                count(report.texts, "text"),
                count(report.offers, "name"),
            ))
        }
    }
}
