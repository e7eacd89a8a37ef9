//! Short names for folders that the map names often: `@1/` for `some/long/path/`. Numbered once and kept.

use rustc_hash::FxHashMap;

use super::line;

/// There is one digit.
const MOST: usize = 9;
/// `@1/` is three characters.
const SHORT: usize = 3;
const FEWEST_USES: u64 = 3;
/// A shorter folder is hardly longer than its alias, and no more tokens.
const SHORTEST: usize = 5;

/// The aliases of a project: the folder of each number, with a slash at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Aliases {
    folders: Vec<String>,
}

impl Aliases {
    pub(super) fn new(folders: Vec<String>) -> Aliases {
        Aliases { folders: folders.into_iter().take(MOST).collect() }
    }

    pub(super) fn folders(&self) -> &[String] {
        &self.folders
    }

    /// A path as the map shows it: with the alias of its longest folder that has one.
    pub(super) fn shown(&self, path: &str) -> String {
        let shown = line::path(path);
        if matches!(shown, std::borrow::Cow::Owned(_)) {
            return shown.into_owned();
        }
        let fitting = self.folders.iter().enumerate().filter(|(_, folder)| is_below(path, folder));
        match fitting.max_by_key(|(_, folder)| folder.len()) {
            Some((number, folder)) => format!("@{}/{}", number + 1, &path[folder.len()..]),
            None => path.to_owned(),
        }
    }

    /// The part of the legend for those that a text uses.
    pub(super) fn legend(&self, text: &str) -> String {
        let used = self.folders.iter().enumerate().filter(|(number, _)| text.contains(&format!("@{}/", number + 1)));
        let shown: Vec<String> = used.map(|(number, folder)| format!("@{}/={folder}", number + 1)).collect();
        if shown.is_empty() { String::new() } else { format!("# {}\n", shown.join(" ")) }
    }

    /// Adds aliases where they save characters. `uses` says how often the files of each folder are named.
    pub(super) fn extend(&mut self, uses: &FxHashMap<String, u64>) {
        let mut folders: Vec<(&str, u64)> = uses.iter().map(|(folder, count)| (folder.as_str(), *count)).collect();
        folders.sort_unstable();
        while let Some(best) = self.best(&folders) {
            // A number whose folder is gone is given again only when there is no other.
            let gone = |old: &String| !folders.iter().any(|(folder, _)| is_below(&format!("{folder}/"), old));
            match self.folders.len() < MOST {
                true => self.folders.push(best),
                false => match self.folders.iter().position(gone) {
                    Some(free) => self.folders[free] = best,
                    None => return,
                },
            }
        }
    }

    /// The folder whose alias saves most characters, if any saves some.
    fn best(&self, folders: &[(&str, u64)]) -> Option<String> {
        let mut gains: FxHashMap<&str, (u64, u64)> = FxHashMap::default();
        for (folder, count) in folders.iter().filter(|(folder, _)| !folder.is_empty()) {
            let whole = format!("{folder}/");
            let known = self.folders.iter().filter(|alias| is_below(&whole, alias)).map(|alias| alias.len()).max();
            let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
            for end in ends.filter(|end| Some(end + 1) > known) {
                // What is left of the path after the alias, against what is left now.
                let saved = (end + 1).saturating_sub(known.unwrap_or(SHORT));
                let gain = gains.entry(&folder[..end]).or_default();
                gain.0 += count * saved as u64;
                gain.1 += count;
            }
        }
        let cost = |folder: &str| (folder.len() + "# @1/=/ ".len()) as u64;
        let worth = gains.into_iter().filter(|(folder, (saved, uses))| {
            folder.len() + 1 >= SHORTEST
                && *uses >= FEWEST_USES
                && *saved > cost(folder)
                && line::path(folder) == *folder
        });
        let best = worth.max_by_key(|(folder, (saved, _))| (saved - cost(folder), std::cmp::Reverse(*folder)));
        best.map(|(folder, _)| format!("{folder}/"))
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.starts_with(folder) && !folder.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(list: &[(&str, u64)]) -> FxHashMap<String, u64> {
        list.iter().map(|(folder, count)| ((*folder).to_owned(), *count)).collect()
    }

    #[test]
    fn an_alias_is_made_where_it_saves_characters() {
        let mut aliases = Aliases::default();
        aliases.extend(&uses(&[("app/services", 4), ("app", 2), ("t", 90)]));
        assert_eq!(aliases.folders(), ["app/services/"]);
        assert_eq!(aliases.shown("app/services/a.py"), "@1/a.py");
        assert_eq!(aliases.shown("app/a.py"), "app/a.py");
        assert_eq!(aliases.legend("i→ @1/a.py"), "# @1/=app/services/\n");
        assert_eq!(aliases.legend("nothing"), "");
    }

    #[test]
    fn numbers_are_kept_when_other_folders_come() {
        let mut aliases = Aliases::new(vec!["old/but/used/".into()]);
        aliases.extend(&uses(&[("old/but/used", 3), ("much/more/frequently/used", 400)]));
        assert_eq!(aliases.folders(), ["old/but/used/", "much/more/frequently/used/"]);
        let many: Vec<String> = (1..=9).map(|i| format!("gone/for/good/{i}/")).collect();
        let mut aliases = Aliases::new(many);
        aliases.extend(&uses(&[("gone/for/good/2", 9), ("a/new/folder/here", 40)]));
        assert_eq!(
            (aliases.folders()[0].as_str(), aliases.folders()[1].as_str()),
            ("a/new/folder/here/", "gone/for/good/2/")
        );
    }

    #[test]
    fn paths_that_need_quotes_have_no_alias() {
        let aliases = Aliases::new(vec!["app/services/".into()]);
        assert_eq!(aliases.shown("app/services/a b.py"), "\"app/services/a b.py\"");
    }
}
