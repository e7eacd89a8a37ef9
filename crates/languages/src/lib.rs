//! The languages: one folder each with a table and fixtures, and the registry that lists them.
//!
//! A new language is a folder, a dependency line for its grammar, and one word in the list below.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod linking;
pub mod table;

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
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    ALL.iter().copied().filter(move |language| {
        language.filenames.contains(&name)
            || extension.is_some_and(|e| language.extensions.iter().any(|own| own.eq_ignore_ascii_case(e)))
    })
}

/// The language of a file, by its name and, where languages share an extension, by its content.
pub fn detect(path: &str, content: &[u8]) -> Option<&'static Language> {
    let mut claims = for_path(path);
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
