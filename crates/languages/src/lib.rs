//! The languages: one folder each with a table and fixtures, and the registry that lists them.
//!
//! A new language is a folder, a dependency line for its grammar, and one word in the list below.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod doc_types;
pub mod flow;
pub mod linking;
pub mod table;
pub mod testing;

pub use table::Language;

macro_rules! languages {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Every language, in a fixed order.
        pub static ALL: &[&Language] = &[$(&$name::LANGUAGE,)*];
    };
}

languages! { c, cpp, csharp, go, java, javascript, kotlin, markdown, php, python, ruby, rust, tsx, typescript }

/// The language with this name.
pub fn by_name(name: &str) -> Option<&'static Language> {
    ALL.iter().copied().find(|language| language.name == name)
}

/// The position of a language in [`ALL`].
pub fn number_of(language: &Language) -> usize {
    ALL.iter().position(|other| other.name == language.name).expect("every language is registered")
}

/// The languages that claim a file name; more than one if the content has to decide.
pub fn for_path(path: &str) -> impl Iterator<Item = &'static Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = extension(path);
    ALL.iter().copied().filter(move |language| {
        language.filenames.contains(&name)
            || extension.is_some_and(|e| language.extensions.iter().any(|own| own.eq_ignore_ascii_case(e)))
    })
}

/// The language of a file, by its name, by its content where languages share an extension, or by how it begins where its
/// name says nothing.
pub fn detect(path: &str, content: &[u8]) -> Option<&'static Language> {
    decided(for_path(path), content).or_else(|| by_text(path, content))
}

/// The first whose test on the content says yes, else the last without a test.
fn decided(mut claims: impl Iterator<Item = &'static Language>, content: &[u8]) -> Option<&'static Language> {
    let first = claims.next()?;
    let Some(second) = claims.next() else { return Some(first) };
    let all = [first, second].into_iter().chain(claims);
    let mut last = first;
    for language in all {
        match language.content {
            Some(test) if test(content) => return Some(language),
            Some(_) => {}
            None => last = language,
        }
    }
    Some(last)
}

/// The language of a file whose name does not tell: by its interpreter, or by its first line.
pub fn by_text(path: &str, content: &[u8]) -> Option<&'static Language> {
    match extension(path) {
        None => by_interpreter(content),
        Some(_) => decided(fragments(path).filter(|language| (language.fragments.begins)(content)), content),
    }
}

/// A name that does not tell the language, where the first line may.
pub fn is_told_by_text(path: &str) -> bool {
    extension(path).is_none() || fragments(path).next().is_some()
}

fn fragments(path: &str) -> impl Iterator<Item = &'static Language> {
    let extension = extension(path).unwrap_or_default();
    ALL.iter().copied().filter(move |language| language.fragments.extensions.contains(&extension))
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit('/').next().unwrap_or(path).rsplit_once('.').map(|(_, extension)| extension)
}

/// `#!/usr/bin/env -S name -x` or `#!/bin/name3.12`.
fn by_interpreter(content: &[u8]) -> Option<&'static Language> {
    let line = content.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let first = words.next()?;
    let name = match first {
        "env" => words.find(|word| !word.starts_with('-') && !word.contains('='))?,
        name => name,
    };
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let knows = |language: &&&Language| language.interpreters.iter().any(|own| *own == name || *own == plain);
    ALL.iter().find(knows).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_line_names_the_language() {
        let named = |line: &str| detect("bin/tool", line.as_bytes()).map(|language| language.name);
        for language in ALL.iter().filter(|language| !language.interpreters.is_empty()) {
            let own = language.interpreters[0];
            assert_eq!(named(&format!("#!/usr/bin/{own}\n")), Some(language.name));
            assert_eq!(named(&format!("#!/usr/bin/env -S X=1 {own}3.12 -u\n")), Some(language.name));
            assert!(detect("tool.txt", format!("#!/usr/bin/{own}\n").as_bytes()).is_none());
        }
        assert_eq!(named("#!/usr/bin/env nothing-we-know\n"), None);
        assert_eq!(named("no line of that kind\n"), None);
    }

    #[test]
    fn a_first_line_tells_what_a_name_does_not() {
        let named = |text: &str| detect("list/kinds.def", text.as_bytes()).map(|language| language.name);
        assert_eq!(named("\n// All kinds.\nKIND(one)\n"), Some("c"));
        assert_eq!(named("#ifndef KIND\n#error\n#endif\nKIND(one, a::b)\nnamespace x {}\n"), Some("cpp"));
        assert_eq!(named("LIBRARY kinds\nEXPORTS\n  one\n"), None);
    }
}
