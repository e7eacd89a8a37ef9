//! Paths of an index lead nowhere but into its project: one that does not was not written by us.

use std::path::{Component, Path};

use crate::{Error, Input, Result, Watched};

/// Refuses a path of a file that is absolute or goes up.
pub(crate) fn file_inside(path: String) -> Result<String> {
    match !path.is_empty() && is_inside(&path) {
        true => Ok(path),
        false => Err(outside(&path)),
    }
}

/// The same for something else that the index depends on. Only the rules that say what is ignored may lie above the
/// project: they are looked at, never read because the index names them.
pub(crate) fn input_inside(input: &Input) -> Result<()> {
    match input.watched == Watched::Rules || is_inside(&input.path) {
        true => Ok(()),
        false => Err(outside(&input.path)),
    }
}

/// Nothing at all is the project itself.
pub(crate) fn is_inside(path: &str) -> bool {
    // All that is suspicious has one of these.
    let plain = !path.starts_with('/') && !path.contains("..") && !path.contains(['\\', ':']);
    plain || Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn outside(path: &str) -> Error {
    Error::Corrupt(format!("it names '{}', which is outside of the project", path.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn paths_that_leave_the_project_are_seen() {
        for inside in ["", "a.py", "a/b.py", "..a/b..c", "a:b", "...", "a/.hidden"] {
            assert!(is_inside(inside), "{inside}");
        }
        for outside in ["/etc/passwd", "..", "../a", "a/../../b", "a/..", "/"] {
            assert!(!is_inside(outside), "{outside}");
        }
        assert_eq!(is_inside("a\\..\\..\\b"), !cfg!(windows));
        assert_eq!(is_inside("C:\\b"), !cfg!(windows));
    }
}
