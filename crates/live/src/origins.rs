//! Which files of a project are nobody's own work, by where they lie, what they are called, and what `.gitattributes` says
//! (`linguist-vendored`, `linguist-generated`). Those who walk leave out what git does not track of them; those who answer
//! mark the rest and put it last.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use codegraph_model::Origin;
use globset::{GlobBuilder, GlobMatcher};
use rustc_hash::FxHashMap;

use crate::parent;

/// The file that says what git and others know about paths below it.
pub const ATTRIBUTES: &str = ".gitattributes";

/// More rules than anybody writes.
const MOST_RULES: usize = 2000;

/// Folders of other people's code.
const VENDORED: &[&str] =
    &["node_modules", "bower_components", "vendor", "vendors", "third_party", "third-party", "thirdparty", "3rdparty"];

/// Says where files come from. What `.gitattributes` say is read when a folder is first asked about.
#[derive(Debug)]
pub struct Origins {
    root: PathBuf,
    folders: Mutex<FxHashMap<String, Chain>>,
}

/// What is said in a folder and in those around it, the outermost first, each with where paths below it begin. Most have
/// nothing.
type Chain = Arc<[(usize, Arc<Attributes>)]>;

/// What one `.gitattributes` says, the last rule last.
#[derive(Debug, Default)]
struct Attributes(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    glob: GlobMatcher,
    origin: Origin,
    /// None takes back what was said before.
    is: Option<bool>,
}

/// What is said about a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Said {
    vendored: Option<bool>,
    generated: Option<bool>,
}

impl Origins {
    pub fn new(root: &Path) -> Origins {
        Origins { root: root.to_owned(), folders: Mutex::default() }
    }

    /// Where a file comes from, if not from the people of the project. `generated`: its text says so.
    pub fn of(&self, path: &str, generated: bool) -> Option<Origin> {
        let said = self.said(path);
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let in_folder = || folders.split('/').any(|folder| VENDORED.contains(&folder));
        match () {
            () if said.generated.unwrap_or_else(|| generated || is_made(name)) => Some(Origin::Generated),
            () if said.vendored.unwrap_or_else(in_folder) => Some(Origin::Vendored),
            () if said.generated.is_none() && name.contains(".min.") => Some(Origin::Minified),
            () => None,
        }
    }

    fn said(&self, path: &str) -> Said {
        let mut said = Said::default();
        for (start, attributes) in self.chain(parent(path)).iter() {
            attributes.tell(&path[*start..], &mut said);
        }
        said
    }

    fn chain(&self, folder: &str) -> Chain {
        let known = || self.folders.lock().expect("no thread panics with it");
        if let Some(chain) = known().get(folder) {
            return Arc::clone(chain);
        }
        let around: Chain = if folder.is_empty() { Arc::default() } else { self.chain(parent(folder)) };
        let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let chain = match self.read(folder) {
            Some(own) => around.iter().cloned().chain([(start, Arc::new(own))]).collect(),
            None => around,
        };
        known().insert(folder.to_owned(), Arc::clone(&chain));
        chain
    }

    /// What is said in a folder, if that is something.
    fn read(&self, folder: &str) -> Option<Attributes> {
        let file = if folder.is_empty() { ATTRIBUTES.to_owned() } else { format!("{folder}/{ATTRIBUTES}") };
        // Most folders have no such file.
        self.root.join(&file).symlink_metadata().ok()?;
        let text = codegraph_files::read_below(&self.root, &file, codegraph_files::SMALL).ok()?;
        Some(Attributes::parse(&text)).filter(|attributes| !attributes.0.is_empty())
    }
}

/// Whether a program gives its files such names.
fn is_made(name: &str) -> bool {
    [".generated.", ".g.", ".designer."].iter().any(|part| name.to_ascii_lowercase().contains(part))
}

impl Attributes {
    fn parse(text: &[u8]) -> Attributes {
        let text = String::from_utf8_lossy(text);
        let mut rules = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let Some(pattern) = words.next() else { continue };
            let told: Vec<(Origin, Option<bool>)> = words.filter_map(told).collect();
            if told.is_empty() {
                continue;
            }
            let Some(glob) = glob(pattern) else { continue };
            rules.extend(told.into_iter().map(|(origin, is)| Rule { glob: glob.clone(), origin, is }));
            if rules.len() > MOST_RULES {
                break;
            }
        }
        Attributes(rules)
    }

    fn tell(&self, path: &str, said: &mut Said) {
        for rule in self.0.iter().filter(|rule| rule.glob.is_match(path)) {
            match rule.origin {
                Origin::Vendored => said.vendored = rule.is,
                _ => said.generated = rule.is,
            }
        }
    }
}

/// What a word says: `linguist-generated`, `-linguist-vendored`, `linguist-generated=false`.
fn told(word: &str) -> Option<(Origin, Option<bool>)> {
    let (word, is) = match word.split_at_checked(1)? {
        ("-", rest) => (rest, Some(false)),
        ("!", rest) => (rest, None),
        _ => match word.split_once('=') {
            Some((word, value)) => (word, Some(value != "false")),
            None => (word, Some(true)),
        },
    };
    match word {
        "linguist-generated" => Some((Origin::Generated, is)),
        "linguist-vendored" => Some((Origin::Vendored, is)),
        _ => None,
    }
}

/// A pattern as git reads it in such a file: without a `/` it is about names in any folder.
fn glob(pattern: &str) -> Option<GlobMatcher> {
    let pattern = pattern.trim_matches('"');
    let whole = match pattern.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if pattern.contains('/') => pattern.to_owned(),
        None => format!("**/{pattern}"),
    };
    Some(GlobBuilder::new(&whole).literal_separator(true).build().ok()?.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, path: &str) -> Said {
        let mut said = Said::default();
        Attributes::parse(text.as_bytes()).tell(path, &mut said);
        said
    }

    #[test]
    fn patterns_are_read_as_git_reads_them() {
        let text =
            "*.pb.go linguist-generated\n/gen/** linguist-generated=true -diff\nlib/*.js linguist-vendored # no\n";
        assert_eq!(said(text, "a/b/x.pb.go").generated, Some(true));
        assert_eq!(said(text, "gen/deep/x.rs").generated, Some(true));
        assert_eq!(said(text, "src/gen/x.rs").generated, None);
        assert_eq!(said(text, "lib/x.js").vendored, Some(true));
        assert_eq!(said(text, "lib/deep/x.js").vendored, None);
        assert_eq!(said("# a comment\n*.go text eol=lf\n", "x.go"), Said::default());
    }

    #[test]
    fn the_last_rule_counts() {
        let text = "*.js linguist-generated\nown.js -linguist-generated\nlast.js linguist-generated=false\n";
        assert_eq!(said(text, "x.js").generated, Some(true));
        assert_eq!(said(text, "own.js").generated, Some(false));
        assert_eq!(said(text, "last.js").generated, Some(false));
        assert_eq!(said("*.js linguist-generated\nx.js !linguist-generated\n", "x.js").generated, None);
    }

    #[test]
    fn folders_and_names_tell_without_a_file() {
        let origins = Origins::new(Path::new("/nowhere"));
        assert_eq!(origins.of("vendor/a.go", false), Some(Origin::Vendored));
        assert_eq!(origins.of("web/third_party/a.js", false), Some(Origin::Vendored));
        assert_eq!(origins.of("web/jquery.min.js", false), Some(Origin::Minified));
        assert_eq!(origins.of("api/a.go", true), Some(Origin::Generated));
        assert_eq!(origins.of("api/Form.Designer.cs", false), Some(Origin::Generated));
        assert_eq!(origins.of("src/vendor.rs", false), None);
    }
}
