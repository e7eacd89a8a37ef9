//! What every client is told once, when it connects: what is indexed here, and when to ask us.

use codegraph_index::Project;
use codegraph_runtime::Projects;
use codegraph_store::Access;

/// More languages than these are not named.
const MOST_LANGUAGES: usize = 6;

const BEGINNING: &str = "codegraph knows this project's code: definitions, references, calls, types, docs. Ask it before \
you search with grep or read whole files, whenever a name, a caller, a usage or a definition is wanted: answers are exact, \
short and always fresh. Use grep for what is no code: files of other languages, and text that is no word.";

const REST: &str = "Start with codegraph_context (a task in words); codegraph_find locates symbols, codegraph_get prints one, \
codegraph_refs, codegraph_callers and codegraph_impact say who depends on it, and whether that is all: then search no \
further. `symbol` takes a name, a qualified name or the end of one, \
FILE:LINE or an id; a list asks about several. Every tool takes `project`, the folder of another indexed project; by default it is the one the server was started in. \
Lists end with a cursor if there is more; max_tokens is never exceeded.";

/// The text for the project that the server was started in.
pub(crate) fn text(projects: &Projects) -> String {
    match languages(projects) {
        Some(languages) => format!("{BEGINNING} Indexed here: {languages}. {REST}"),
        None => format!("{BEGINNING} This folder has no index yet: call codegraph_init first. {REST}"),
    }
}

/// The languages of the index as it is, the largest first; nothing if there is none.
fn languages(projects: &Projects) -> Option<String> {
    let project = Project::find(projects.home()).ok()?;
    let mut all = project.store(Access::Read).ok()?.statistics().ok()?.languages;
    all.sort_by_key(|(language, _, bytes)| (std::cmp::Reverse(*bytes), language.clone()));
    let named: Vec<&str> = all.iter().take(MOST_LANGUAGES).map(|(language, ..)| language.as_str()).collect();
    let more = all.len().saturating_sub(named.len());
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("{}{rest}", named.join(", ")))
}

/// What is said about a store of many projects.
pub(crate) fn of_store() -> String {
    "codegraph knows the code of many repositories. Each row of an answer begins with its repository and commit. Start with \
     codegraph_context (a task in words); codegraph_find locates definitions, codegraph_refs, codegraph_callers and \
     codegraph_impact say who uses them anywhere, codegraph_deps which repositories use which."
        .to_owned()
}
