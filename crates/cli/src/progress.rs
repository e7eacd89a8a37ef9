//! A progress bar on standard error, on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use codegraph_index::{Phase, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows long work on a terminal; silent elsewhere.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    pub(crate) fn new(quiet: bool) -> Bar {
        if quiet || !std::io::stderr().is_terminal() {
            return Bar(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        bar.enable_steady_tick(Duration::from_millis(100));
        Bar(Some(bar))
    }
}

impl Progress for Bar {
    fn begin(&self, phase: Phase, total: u64) {
        let Some(bar) = &self.0 else { return };
        let word = match phase {
            Phase::Discover => "looking for files",
            Phase::Extract => "reading",
            Phase::Link => "linking",
            Phase::Finish => "writing",
            Phase::Verify => "checking",
        };
        let form = match total {
            0 => "{spinner} {msg}",
            _ => "{spinner} {msg} [{bar:30}] {pos}/{len} {eta}",
        };
        bar.set_style(ProgressStyle::with_template(form).expect("a constant template").progress_chars("=> "));
        bar.set_length(total);
        bar.set_position(0);
        bar.set_message(word);
    }

    fn advance(&self, done: u64, _path: &str) {
        if let Some(bar) = &self.0 {
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Shows how many rows of what are written, on a terminal only.
pub(crate) struct Rows(Option<ProgressBar>);

impl Rows {
    pub(crate) fn new() -> Rows {
        let mut bar = Bar::new(false);
        Rows(bar.0.take())
    }
}

impl codegraph_export::Listener for Rows {
    fn written(&self, part: &str, rows: u64) {
        if let Some(bar) = &self.0 {
            bar.set_style(ProgressStyle::with_template("{spinner} writing {msg}").expect("a constant template"));
            bar.set_message(format!("{part}: {rows}"));
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
