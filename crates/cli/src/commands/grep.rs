//! `codegraph grep`: text search over every file.

use std::io::{self, BufWriter, Write};

use clap::Args;
use codegraph_grep::{FoundLines, Grep as Question, GrepAnswer, Listing};
use codegraph_query::{DEFAULT_LIMIT, Reader, Window};
use codegraph_text::{Answer, Out};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Search the text of every file, as ripgrep does; each hit with its symbol, definitions first
#[derive(Args)]
#[command(aliases = ["rg", "text"])]
pub(crate) struct Grep {
    /// A regular expression
    #[arg(required_unless_present = "patterns")]
    pattern: Option<String>,
    /// Only in these files and folders
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// The same
    #[arg(long = "path", value_name = "PATH", hide = true)]
    more_paths: Vec<String>,
    /// A further regular expression; all other words are paths then
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true)]
    patterns: Vec<String>,
    /// The pattern is plain text
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Whole words only
    #[arg(short = 'w', long)]
    word_regexp: bool,
    /// Upper and lower case are the same
    #[arg(short = 'i', long)]
    ignore_case: bool,
    /// The same, unless the pattern has upper case
    #[arg(short = 'S', long)]
    smart_case: bool,
    /// Only files that match a glob; with a leading '!' all others
    #[arg(short = 'g', long = "glob", value_name = "GLOB", alias = "file-filter", alias = "file_filter")]
    globs: Vec<String>,
    /// Only files of a type as ripgrep calls it: py, ts, yaml
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// No files of a type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    types_not: Vec<String>,
    /// Show so many lines after each hit
    #[arg(short = 'A', long, value_name = "N", default_value_t = 0)]
    after_context: usize,
    /// Show so many lines before each hit
    #[arg(short = 'B', long, value_name = "N", default_value_t = 0)]
    before_context: usize,
    /// Show so many lines before and after each hit
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: usize,
    /// Only how many lines of each file match
    #[arg(short = 'c', long)]
    count: bool,
    /// Only the names of files
    #[arg(short = 'l', long, conflicts_with = "count")]
    files_with_matches: bool,
    /// Search hidden files too
    #[arg(long)]
    hidden: bool,
    /// Search ignored files too
    #[arg(long)]
    no_ignore: bool,
    /// All hits as 'rg -n' lists them, FILE:LINE:TEXT, and nothing else
    #[arg(long, conflicts_with_all = ["json", "max_tokens"])]
    plain: bool,
    /// Line numbers are always shown
    #[arg(short = 'n', long, hide = true)]
    line_number: bool,
    /// Show at most so many; 0 is all
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: usize,
    /// Leave out the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Show as many as have at most so many tokens
    #[arg(long, value_name = "N", alias = "max_tokens", alias = "tokens")]
    max_tokens: Option<usize>,
}

impl Run for Grep {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let reader = context.reader_as_it_is()?;
        let question = self.question();
        if self.plain {
            return self.list(&reader, &project, &question);
        }
        let found = codegraph_grep::search(&reader, &project, &question)?;
        let answer = self.fitted(&found, &reader)?;
        // Only what is shown has to be known as it is now: looking at all files would take longer than the search.
        let stale = !answer.remarks.stale_files.is_empty() && context.may_update(&project);
        let answer = if stale { self.fitted(&found, &context.reader()?)? } else { answer };
        print(context, "grep", &answer)
    }
}

impl Grep {
    fn question(&self) -> Question {
        let (mut patterns, mut paths) = (self.patterns.clone(), self.paths.clone());
        match (&self.pattern, patterns.is_empty()) {
            (Some(pattern), true) => patterns.push(pattern.clone()),
            (Some(path), false) => paths.insert(0, path.clone()),
            (None, _) => {}
        }
        paths.extend(self.more_paths.iter().cloned());
        Question {
            patterns,
            fixed: self.fixed_strings,
            word: self.word_regexp,
            ignore_case: self.ignore_case,
            smart_case: self.smart_case,
            paths,
            globs: self.globs.clone(),
            types: self.types.clone(),
            types_not: self.types_not.clone(),
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            before: self.before_context.max(self.context),
            after: self.after_context.max(self.context),
            counts: self.count || self.files_with_matches,
            files_only: self.files_with_matches,
        }
    }

    /// As many hits as fit the budget.
    fn fitted(&self, found: &FoundLines, reader: &Reader) -> anyhow::Result<GrepAnswer> {
        let limit = if self.limit == 0 { usize::MAX } else { self.limit };
        let mut window = Window { limit, offset: self.offset };
        loop {
            let answer = found.show(reader, window)?;
            let Some(most) = self.max_tokens else { return Ok(answer) };
            let mut text = Vec::new();
            answer.print(&mut Out::new(&mut text, false))?;
            let text = String::from_utf8_lossy(&text);
            let rows = answer.hits.len().max(answer.counts.as_ref().map_or(0, Vec::len));
            if rows <= 1 || codegraph_tokens::fits(&text, most) {
                return Ok(answer);
            }
            let share = rows * most * 9 / 10 / codegraph_tokens::count(&text).max(1);
            window.limit = share.clamp(1, rows - 1);
        }
    }

    fn list(
        &self,
        reader: &Reader,
        project: &codegraph_index::Project,
        question: &Question,
    ) -> anyhow::Result<Outcome> {
        let how = match (self.count, self.files_with_matches) {
            (true, _) => Listing::Counts,
            (_, true) => Listing::Files,
            _ => Listing::Lines,
        };
        let mut to = BufWriter::new(io::stdout().lock());
        let any = codegraph_grep::listing(reader, project, question, how, &mut to)??;
        to.flush()?;
        Ok(if any { Outcome::Answered } else { Outcome::NothingFound })
    }
}
