//! `codegraph watch`: keep the index up to date while files change.

use std::io;
use std::time::Duration;

use clap::Args;
use codegraph_runtime::{Failure, UpdateAnswer, WatchOptions, Watched, keep_map_file, watch};
use codegraph_text::human::printable;
use codegraph_text::{Answer, Out};
use serde::Serialize;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print, say};

/// Keep the index up to date while files change, until it is stopped
///
/// Every update is a few lines, or with --json an envelope on a line of its own. Commands and servers do not need it: they
/// look for themselves before they answer, and find nothing left to do.
#[derive(Args)]
pub(crate) struct Watch {
    /// Wait until nothing has happened for so many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    debounce: u64,
    /// Look at all files every so many seconds, instead of waiting for events of the system
    #[arg(long, value_name = "SECONDS")]
    poll: Option<f64>,
}

impl Run for Watch {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let usual = WatchOptions::default();
        let every = self.poll.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.01)).ok());
        let options = WatchOptions {
            silence: Duration::from_millis(self.debounce),
            every: every.unwrap_or(usual.every),
            poll: self.poll.is_some(),
        };
        let mut failed = None;
        watch(project.root(), &options, &mut |event| match told(context, &options, event) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        })?;
        failed.map_or(Ok(Outcome::Answered), Err)
    }
}

fn told(context: &Context, options: &WatchOptions, event: Watched) -> anyhow::Result<()> {
    let every = options.every.as_secs_f64();
    match event {
        Watched::Started { root, polling } => {
            let root = root.display().to_string();
            print(context, "watch", &Start { watching: root, polling, every })?;
        }
        Watched::Polling(why) => say(&format!("warning: {why}: all files are looked at every {every} s")),
        Watched::Updated(report) => {
            print(context, "watch", &UpdateAnswer { success: true, file: None, report: report.clone() })?;
            if let Ok(project) = context.project()
                && let Err(error) = keep_map_file(&project)
            {
                say(&format!("warning: {}", Failure::of(&error).message));
            }
        }
        Watched::Failed(error) => say(&format!("warning: {error}")),
    }
    Ok(())
}

/// Says what is watched and how.
#[derive(Serialize)]
struct Start {
    watching: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    polling: Option<&'static str>,
    #[serde(skip)]
    every: f64,
}

impl Answer for Start {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        let root = printable(&self.watching);
        match self.polling {
            None => out.line(&format!("watching {root}; Ctrl-C stops")),
            Some(why) => out.line(&format!("looking at {root} every {} s ({why}); Ctrl-C stops", self.every)),
        }
    }
}
