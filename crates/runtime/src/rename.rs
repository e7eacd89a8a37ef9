//! A new name for something: planned, checked on the index as it would be afterwards, and made.

use std::sync::Arc;
use std::time::Duration;

use codegraph_query::{Rename, RenameAnswer};

use crate::{Refusal, Request, Served};

/// What a new name changes. What would change the meaning of any other name is refused.
pub fn rename(served: &Served, request: &Request, question: &Rename) -> anyhow::Result<RenameAnswer> {
    let answer = served.ask_with(request, |session| Ok(codegraph_query::rename(session, question)?))?;
    let planned = match answer {
        RenameAnswer::Found(found) if found.is_safe() => found,
        other => return Ok(other),
    };
    let mut overlay = (*request.overlay).clone();
    for changes in &planned.files {
        overlay.put(changes.file.as_str(), changes.text.as_slice());
    }
    let after = Request { overlay: Arc::new(overlay), ..request.clone() };
    let checked = served.ask_with(&after, |session| {
        let mut checked = planned.clone();
        checked.check(session)?;
        Ok(checked)
    })?;
    // Nobody asks about that state again.
    served.rest(Duration::ZERO);
    Ok(RenameAnswer::Found(checked))
}

/// Writes the files of a new name that can be given. The index follows with the next question.
pub fn apply_rename(served: &Served, answer: &mut RenameAnswer) -> anyhow::Result<()> {
    let RenameAnswer::Found(found) = answer else { return Ok(()) };
    if !found.is_safe() {
        return Ok(());
    }
    for changes in &found.files {
        let written = codegraph_files::replace_below(served.root(), &changes.file, &changes.text);
        let moved = written.and_then(|()| match &changes.new_file {
            Some(new_file) => codegraph_files::move_below(served.root(), &changes.file, new_file),
            None => Ok(()),
        });
        moved.map_err(|error| {
            Refusal::error(
                format!("'{}' could not be written: {error}", changes.file),
                "files before it in the patch have the new name: undo them with your version control, or go on by hand",
            )
        })?;
    }
    found.applied = true;
    served.touched();
    Ok(())
}
