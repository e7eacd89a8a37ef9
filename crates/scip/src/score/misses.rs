//! What is missed and what is wrong, in classes with counts and examples.

use std::collections::BTreeMap;

use serde::Serialize;

use super::references::{common, outcome};
use super::{Classes, Digest, FileLine, Pos, Said, Sources, Status, claims_at};

/// References of one shape that fared alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissClass {
    /// The row of the table.
    pub row: &'static str,
    /// `member` after a dot or the like, else `name`.
    pub shape: &'static str,
    pub outcome: &'static str,
    pub count: u64,
    pub examples: Vec<Example>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 0-based, in bytes.
    pub column: u32,
    /// The line from the name on.
    pub text: String,
    /// Where the compiler finds the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Where we find it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours: Option<String>,
}

type Groups = BTreeMap<(&'static str, &'static str, &'static str), Vec<Pos>>;

/// References of the compiler without the right target of ours, largest class first.
pub(crate) fn misses(candidate: &Digest, classes: &Classes, sources: &Sources, examples: usize) -> Vec<MissClass> {
    let mut groups = Groups::new();
    for (pos, said) in classes.iter().filter(|(_, said)| matches!(said.status, Status::InRepo | Status::Local)) {
        let claim = claims_at(candidate, *pos);
        if common(&claim.targets, &said.targets) == 0 {
            let key = (said.row, shape(sources, *pos), outcome(candidate, *pos, &claim));
            groups.entry(key).or_default().push(*pos);
        }
    }
    sorted(groups, |pos| example(candidate, classes, sources, pos), examples)
}

/// Our references that the compiler contradicts, largest class first.
pub(crate) fn wrong(candidate: &Digest, classes: &Classes, sources: &Sources, examples: usize) -> Vec<MissClass> {
    let mut groups = Groups::new();
    for pos in candidate.refs.keys() {
        let Some(said) = classes.get(pos).filter(|said| said.status != Status::Unknown) else { continue };
        let claim = claims_at(candidate, *pos);
        if claim.targets.is_empty() || common(&claim.targets, &said.targets) == claim.targets.len() {
            continue;
        }
        let (row, outcome) = match said.status {
            Status::External => ("external", "bound to the project"),
            Status::Local => ("local", "bound to something else"),
            _ if common(&claim.targets, &said.targets) > 0 => (said.row, "one of several targets"),
            _ => (said.row, "wrong target"),
        };
        groups.entry((row, shape(sources, *pos), outcome)).or_default().push(*pos);
    }
    sorted(groups, |pos| example(candidate, classes, sources, pos), examples)
}

fn sorted(groups: Groups, example: impl Fn(Pos) -> Example, examples: usize) -> Vec<MissClass> {
    let class = |((row, shape, outcome), mut all): ((_, _, _), Vec<Pos>)| {
        all.sort_unstable();
        // Spread over the files: neighbours are alike.
        let chosen = (0..examples.min(all.len())).map(|i| example(all[i * all.len() / examples.min(all.len())]));
        MissClass { row, shape, outcome, count: all.len() as u64, examples: chosen.collect() }
    };
    let mut classes: Vec<MissClass> = groups.into_iter().map(class).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.count));
    classes
}

fn shape(sources: &Sources, pos: Pos) -> &'static str {
    let before = sources.part(pos.path, pos.line, 0, pos.column);
    let before = before.trim_ascii_end();
    let member = [&b"."[..], b"->", b"::"].iter().any(|mark| before.ends_with(mark));
    if member { "member" } else { "name" }
}

const SHOWN: u32 = 48;

fn example(candidate: &Digest, classes: &Classes, sources: &Sources, pos: Pos) -> Example {
    let place = |(path, line): &FileLine| format!("{}:{}", sources.path(*path), line + 1);
    let text = sources.part(pos.path, pos.line, pos.column, pos.column + SHOWN);
    Example {
        file: sources.path(pos.path).to_string(),
        line: pos.line + 1,
        column: pos.column,
        text: String::from_utf8_lossy(&text).trim().to_owned(),
        expected: classes.get(&pos).and_then(|said: &Said| said.targets.first()).map(place),
        ours: claims_at(candidate, pos).targets.first().map(place),
    }
}
