//! `.codegraph/config.json`: which files of the project are indexed, and how.

use std::path::Path;
use std::sync::Arc;

use codegraph_languages::{ALL, Language};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::{Deserialize, Serialize};

use crate::generated::Generated;
use crate::{Error, Result};

/// The name of the configuration file.
pub(crate) const CONFIG: &str = "config.json";

const DEFAULT_MAX_FILE_SIZE: u64 = 32 << 20;

/// Offsets are 32 bits wide.
const LARGEST_FILE: u64 = u32::MAX as u64 - 1;

/// The settings of a project. Everything has a default; unknown keys are refused so that a typo is not a silent no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The project's name; the folder's name if it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The folder of the project that holds the index, if it is not the one with these settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<String>,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only files that match one of these patterns (as in `.gitignore`); all if empty.
    pub include: Vec<String>,
    /// No files that match one of these patterns (as in `.gitignore`).
    pub exclude: Vec<String>,
    /// Bring the index up to date before answering.
    pub auto_update: bool,
    /// Keep `symbol_map.txt` up to date with the index.
    pub auto_map: bool,
    /// Read what others or programs wrote too, although git does not track it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vendored: bool,
    /// Larger files are left out. Bytes.
    pub max_file_size: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            name: None,
            data_dir: None,
            languages: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            auto_update: true,
            auto_map: false,
            vendored: false,
            max_file_size: DEFAULT_MAX_FILE_SIZE,
        }
    }
}

impl Config {
    /// Reads the configuration of the project at `root` from its folder of ours; the defaults if there is none.
    pub(crate) fn load(root: &Path, folder: &str) -> Result<Config> {
        let path = root.join(folder).join(CONFIG);
        let Some(text) = codegraph_files::read(&path, codegraph_files::SMALL)? else {
            return Ok(Config::default());
        };
        let config = Config::parse(&path, &text)?;
        Filter::new(root, &config)?;
        Ok(config)
    }

    fn parse(path: &Path, text: &[u8]) -> Result<Config> {
        serde_json::from_slice(text).map_err(|error| Error::Config {
            path: path.to_owned(),
            line: error.line(),
            column: error.column(),
            message: without_place(&error.to_string()),
        })
    }

    /// Whether a file could be one of these: other keys are another tool's. What is no JSON at all is reported, whoever
    /// wrote it.
    pub(crate) fn is_ours(path: &Path) -> bool {
        let Ok(Some(text)) = codegraph_files::read(path, codegraph_files::SMALL) else { return false };
        let is_map = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&text).is_ok();
        !is_map || Config::parse(path, &text).is_ok()
    }

    /// Writes the configuration, whole or not at all.
    pub(crate) fn save(&self, root: &Path, folder: &str) -> Result<()> {
        let path = root.join(folder).join(CONFIG);
        let mut text = serde_json::to_string_pretty(self).expect("a configuration is always valid JSON");
        text.push('\n');
        Ok(codegraph_files::replace(&path, text.as_bytes())?)
    }

    /// The size above which a file is left out.
    pub(crate) fn size_limit(&self) -> u64 {
        self.max_file_size.min(LARGEST_FILE)
    }

    /// Checks language names and patterns.
    pub(crate) fn validate(&self, root: &Path) -> Result<()> {
        Filter::new(root, self).map(drop)
    }
}

/// The message without "at line 1 column 2", which is said in front of it.
fn without_place(message: &str) -> String {
    message.rfind(" at line ").map_or(message, |place| &message[..place]).to_owned()
}

/// What a configuration says about paths and languages, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    /// By position in the registry.
    languages: Vec<bool>,
    include: Option<Gitignore>,
    exclude: Gitignore,
    vendored: bool,
    generated: Arc<Generated>,
}

impl Filter {
    pub(crate) fn new(root: &Path, config: &Config) -> Result<Filter> {
        Ok(Filter {
            languages: chosen_languages(&config.languages)?,
            include: match config.include.is_empty() {
                true => None,
                false => Some(patterns(root, &config.include)?),
            },
            exclude: patterns(root, &config.exclude)?,
            vendored: config.vendored,
            generated: Arc::new(Generated::of(root)),
        })
    }

    /// Whether a file whose text says that a program wrote it is left out.
    pub(crate) fn leaves_out_generated(&self, path: &str) -> bool {
        !self.vendored && self.generated.leaves_out(path)
    }

    pub(crate) fn vendored(&self) -> bool {
        self.vendored
    }

    pub(crate) fn language(&self, language: &Language) -> bool {
        self.languages[codegraph_languages::number_of(language)]
    }

    /// Whether a file or folder is kept out. The folders above it have been asked before.
    pub(crate) fn excludes(&self, path: &Path, is_dir: bool) -> bool {
        self.exclude.matched(path, is_dir).is_ignore()
    }

    /// The same for a path whose folders nobody has asked about.
    pub(crate) fn excludes_below(&self, path: &Path) -> bool {
        self.exclude.matched_path_or_any_parents(path, false).is_ignore()
    }

    pub(crate) fn includes_file(&self, path: &Path) -> bool {
        match &self.include {
            Some(include) => include.matched_path_or_any_parents(path, false).is_ignore(),
            None => true,
        }
    }
}

fn chosen_languages(words: &[String]) -> Result<Vec<bool>> {
    if words.is_empty() {
        return Ok(vec![true; ALL.len()]);
    }
    let mut chosen = vec![false; ALL.len()];
    for word in words {
        let known = ALL.iter().position(|language| language.name.eq_ignore_ascii_case(word));
        let Some(number) = known else {
            return Err(unknown_language(word));
        };
        chosen[number] = true;
    }
    Ok(chosen)
}

fn unknown_language(word: &str) -> Error {
    let mut names: Vec<&str> = ALL.iter().map(|language| language.name).collect();
    names.sort_unstable();
    Error::UnknownLanguage { word: word.to_owned(), allowed: names.iter().map(|name| (*name).to_owned()).collect() }
}

fn patterns(root: &Path, globs: &[String]) -> Result<Gitignore> {
    let mut builder = GitignoreBuilder::new(root);
    for glob in globs {
        let bad = |error: ignore::Error| Error::Pattern { glob: glob.clone(), message: error.to_string() };
        builder.add_line(None, glob).map_err(bad)?;
    }
    builder.build().map_err(|error| Error::Pattern { glob: globs.join(" "), message: error.to_string() })
}
