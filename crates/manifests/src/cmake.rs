//! `CMakeLists.txt`: a program, of which the plain calls are taken.

use crate::{Dependency, Manifest, Need, Parsed, defines};

pub(crate) fn lists(text: &str) -> Parsed {
    let code: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or(line)).collect();
    let code = code.join("\n");
    let calls = code.match_indices('(').filter_map(|(at, _)| {
        let before = code[..at].trim_end();
        let command = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or(before);
        let arguments = code[at + 1..].split(')').next().unwrap_or_default();
        package(&command.to_ascii_lowercase(), &arguments.split_whitespace().collect::<Vec<_>>())
    });
    let layout = defines::cmake(text);
    Ok(Manifest { layout, dependencies: calls.collect(), ..Manifest::default() })
}

/// Words of `pkg_check_modules` that name no package.
const OPTIONS: &[&str] = &["REQUIRED", "QUIET", "IMPORTED_TARGET", "GLOBAL"];

fn package(command: &str, words: &[&str]) -> Option<Dependency> {
    let (name, version) = match (command, words) {
        ("find_package" | "find_dependency", [name, rest @ ..]) => {
            (name, rest.first().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())))
        }
        ("fetchcontent_declare" | "externalproject_add", [name, ..]) => (name, None),
        ("pkg_check_modules" | "pkg_search_module", [_, rest @ ..]) => {
            (rest.iter().find(|word| !OPTIONS.contains(word))?, None)
        }
        _ => return None,
    };
    (!name.contains("${")).then(|| Dependency::new(*name, version.copied(), Need::Runtime))
}
