//! Rules about what a crate must not know: syntax trees, SQL, languages, and the crates above it.

use super::{Problem, Source, languages};

/// Each crate and the crates of this workspace that it may depend on. Nobody depends on an adapter.
const LAYERS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("files", &["model"]),
    ("languages", &["model"]),
    ("fixture", &["model"]),
    ("tokens", &[]),
    ("meaning", &[]),
    ("extract", &["model", "languages"]),
    ("manifests", &["languages"]),
    ("resolve", &["model", "languages"]),
    ("store", &["model", "files"]),
    ("live", &["model", "files", "languages", "manifests", "resolve", "store"]),
    ("index", &["model", "files", "languages", "manifests", "extract", "resolve", "store", "live"]),
    ("query", &["model", "files", "languages", "extract", "resolve", "store", "live", "tokens", "meaning"]),
    ("scip", &["model", "languages", "files", "store", "live", "index", "query"]),
    ("export", &["model", "files", "store", "query"]),
    ("org", &["model", "store", "index", "query"]),
    ("grep", &["model", "files", "index", "query"]),
    ("install", &["model"]),
    ("knowledge", &["model", "files", "store", "live", "index", "query"]),
    ("runtime", &["model", "files", "store", "index", "query", "knowledge"]),
    ("text", &["model", "index", "query", "grep", "scip", "knowledge", "install", "runtime"]),
    ("mcp", &["store", "index", "query", "grep", "knowledge", "runtime", "text", "tokens"]),
    ("lsp", &["model", "index", "query", "runtime"]),
    ("rpc", &["query", "runtime"]),
    // Carries the others on one listener.
    ("serve", &["query", "runtime", "mcp", "rpc"]),
    (
        "cli",
        &[
            "model", "files", "extract", "store", "index", "query", "grep", "scip", "export", "org", "knowledge",
            "install", "runtime", "text", "tokens", "meaning", "mcp", "lsp", "rpc", "serve",
        ],
    ),
];

/// Crates that take everything they need as arguments.
const PURE: &[&str] = &["model", "languages", "manifests", "extract", "resolve"];

const PURITY: &str = "#![warn(clippy::disallowed_methods, clippy::disallowed_types)]";

/// How the statements begin that only the store may contain.
const SQL: &[&str] = &["SELECT ", "INSERT ", "UPDATE ", "DELETE FROM", "CREATE ", "DROP ", "PRAGMA ", "WITH "];

/// What opens a file by its name. The installer writes the settings of other programs, which may be links.
const OPENING: &[&str] = &[
    "File::open", "File::create", "OpenOptions", "fs::read(", "fs::read_to_string(", "fs::write(", "fs::copy(",
    "Connection::open(", "Connection::open_with_flags(",
];

/// SQLite opens its files itself, after they were looked at.
const ALSO_OPENING: &str = "crates/store/src/schema.rs";

pub(super) fn one_place_opens_files(sources: &[Source], problems: &mut Vec<Problem>) {
    let elsewhere = |source: &&Source| {
        source.product_of().is_some_and(|name| !["files", "install", "fixture"].contains(&name))
            && source.path != ALSO_OPENING
    };
    for source in sources.iter().filter(elsewhere) {
        for (line, text) in source.product_lines() {
            if OPENING.iter().any(|word| code(text).contains(word)) {
                problems.push(Problem::at(source, line, "only `files` opens files: a repository may hold traps"));
            }
        }
    }
}

pub(super) fn syntax_trees_stay_inside(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources.iter().filter(|source| !source.path.ends_with("cli/src/allocator.rs")) {
        if source.product_of().is_some_and(|name| !["languages", "extract"].contains(&name)) {
            for (line, _) in source.lines().filter(|(_, text)| code(text).contains("tree_sitter")) {
                problems.push(Problem::at(source, line, "only `languages` and `extract` see tree-sitter"));
            }
        }
    }
}

pub(super) fn sql_stays_inside(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources.iter().filter(|source| source.product_of().is_some_and(|name| name != "store")) {
        for (line, text) in source.product_lines() {
            // The store of an organisation speaks SQL too, with another engine.
            let statement = literals(text).any(|literal| SQL.iter().any(|word| literal.starts_with(word)));
            if statement && source.product_of() != Some("org") || code(text).contains("rusqlite") {
                problems.push(Problem::at(source, line, "only `store` sees SQLite and writes SQL"));
            }
        }
    }
}

/// A protocol has a word for its form of text that is also a language's.
const ALSO_NAMING: &str = "crates/lsp/src/protocol.rs";

/// Names of one letter mean too many other things to be looked for.
pub(super) fn languages_stay_inside(sources: &[Source], problems: &mut Vec<Problem>) {
    let names = languages::names(sources);
    let outside =
        |source: &&Source| source.product_of().is_some_and(|name| name != "languages") && source.path != ALSO_NAMING;
    for source in sources.iter().filter(outside) {
        for (line, text) in source.product_lines() {
            if literals(code(text)).any(|literal| literal.len() > 1 && names.contains(&literal)) {
                problems.push(Problem::at(source, line, "no language's name outside `languages`: its table says it"));
            }
        }
    }
}

/// Which files are manifests, and what is in them, is known in one place; languages say which one is theirs.
pub(super) fn manifests_stay_inside(sources: &[Source], problems: &mut Vec<Problem>) {
    let formats = sources.iter().find(|source| source.path == "crates/manifests/src/format.rs");
    let named = formats.into_iter().flat_map(Source::product_lines).filter_map(|(_, text)| {
        let (_, rest) = text.split_once("File::Named(\"").or_else(|| text.split_once("File::Ending(\""))?;
        rest.split_once('"').map(|(name, _)| name)
    });
    let names: Vec<&str> = named.collect();
    let outside =
        |source: &&Source| source.product_of().is_some_and(|name| !["manifests", "languages"].contains(&name));
    for source in sources.iter().filter(outside) {
        for (line, text) in source.product_lines() {
            if literals(code(text)).any(|literal| names.contains(&literal)) {
                problems.push(Problem::at(
                    source,
                    line,
                    "only `manifests` knows manifests; a language's table names its own",
                ));
            }
        }
    }
}

/// What mends something is data: only who writes for people spells a command.
pub(super) fn commands_are_data(sources: &[Source], problems: &mut Vec<Problem>) {
    let spells = ["text", "mcp", "cli"];
    for source in sources.iter().filter(|source| source.product_of().is_some_and(|name| !spells.contains(&name))) {
        for (line, text) in source.product_lines() {
            // A page of ours tells its readers how it was made.
            let spelled = |literal: &str| literal.contains("'codegraph ") && !literal.starts_with("<!--");
            if literals(code(text)).any(spelled) {
                problems.push(Problem::at(source, line, "a command is named as data: see `Advice` of `model`"));
            }
        }
    }
}

/// The words of a vocabulary are said once: where it is declared.
pub(super) fn certainty_is_typed(sources: &[Source], problems: &mut Vec<Problem>) {
    let words = ["exact", "inferred", "candidate"];
    for source in sources.iter().filter(|source| source.product_of().is_some_and(|name| name != "model")) {
        for (line, text) in source.product_lines() {
            if literals(code(text)).any(|literal| words.contains(&literal)) {
                problems.push(Problem::at(source, line, "a certainty or a mode is a variant of its enum, not a word"));
            }
        }
    }
}

pub(super) fn dependencies_point_down(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources {
        let Some(name) = source.path.strip_prefix("crates/").and_then(|rest| rest.strip_suffix("/Cargo.toml")) else {
            continue;
        };
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            problems.push(Problem::at(source, 1, "a new crate has a line in the layers of `xtask tidy`"));
            continue;
        };
        for (line, dependency) in dependencies(source) {
            if !allowed.contains(&dependency) {
                problems.push(Problem::at(source, line, "this crate must not know that one: see ARCHITECTURE.md"));
            }
        }
    }
}

/// The crates of this workspace under `[dependencies]`, without the prefix of their names.
fn dependencies(manifest: &Source) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    manifest.lines().filter_map(move |(line, text)| {
        if text.starts_with('[') {
            inside = text == "[dependencies]";
        }
        let name = text.strip_prefix("codegraph-").filter(|_| inside)?;
        Some((line, name.split(['.', ' ', '=']).next().unwrap_or(name)))
    })
}

pub(super) fn pure_crates_say_so(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources {
        let is_pure = PURE.iter().any(|name| source.path == format!("crates/{name}/src/lib.rs"));
        if is_pure && !source.lines().any(|(_, line)| line == PURITY) {
            problems.push(Problem::at(source, 1, "a pure crate turns on `disallowed_methods` and `disallowed_types`"));
        }
    }
}

/// A line without its comment. A `//` inside a string is taken for one: such strings are no concern of ours.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

/// The string literals of a line, the one that it ends inside of too.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::tests::rules;

    #[test]
    fn a_syntax_tree_outside_its_crates_is_named() {
        let text = "//! Asks tree_sitter nothing.\nuse tree_sitter::Tree;\n";
        let said = [(2, "only `languages` and `extract` see tree-sitter")];
        assert_eq!(rules("crates/query/src/ast.rs", text), said);
        assert_eq!(rules("crates/extract/src/ast.rs", text), []);
    }

    #[test]
    fn a_statement_outside_the_store_is_named() {
        let text = "//! Asks.\nconst Q: &str = \"SELECT 1\";\n";
        let said = [(2, "only `store` sees SQLite and writes SQL")];
        assert_eq!(rules("crates/query/src/find.rs", text), said);
        assert_eq!(rules("crates/store/src/find.rs", text), []);
    }

    #[test]
    fn a_file_that_is_opened_elsewhere_is_named() {
        let text = "//! Reads.\nfn f() { drop(std::fs::read(\"a\")); }\n";
        let said = [(2, "only `files` opens files: a repository may hold traps")];
        assert_eq!(rules("crates/index/src/read.rs", text), said);
        assert_eq!(rules("crates/files/src/own.rs", text), []);
    }

    #[test]
    fn a_language_outside_its_folder_is_named() {
        let registry = Source { path: "crates/languages/src/lib.rs".into(), text: "\nlanguages! { gopher }\n".into() };
        let text = "//! Reads.\nfn f(l: &str) -> bool { l == \"gopher\" }\n";
        let own = Source { path: "crates/index/src/read.rs".into(), text: text.into() };
        let mut problems = Vec::new();
        super::languages_stay_inside(&[registry, own], &mut problems);
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_manifest_outside_its_crate_is_named() {
        let formats = "//! Formats.\nconst F: &[F] = &[\n    new(File::Named(\"Stone.toml\"), stone),\n];\n";
        let formats = Source { path: "crates/manifests/src/format.rs".into(), text: formats.into() };
        let text = "//! Reads.\nfn f(p: &str) -> bool { p == \"Stone.toml\" }\n#[cfg(test)]\nconst T: &str = \"Stone.toml\";\n";
        let own = Source { path: "crates/index/src/read.rs".into(), text: text.into() };
        let mut problems = Vec::new();
        super::manifests_stay_inside(&[formats, own], &mut problems);
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_command_line_below_the_surfaces_is_named() {
        let text = "//! Says.\nconst HINT: &str = \"run 'codegraph init'\";\n";
        let said = [(2, "a command is named as data: see `Advice` of `model`")];
        assert_eq!(rules("crates/query/src/error.rs", text), said);
        assert_eq!(rules("crates/text/src/human.rs", text), []);
    }

    #[test]
    fn a_certainty_as_a_word_is_named() {
        let text = "//! Marks.\nfn f(c: &str) -> bool { c == \"exact\" }\n";
        let said = [(2, "a certainty or a mode is a variant of its enum, not a word")];
        assert_eq!(rules("crates/text/src/related.rs", text), said);
    }

    #[test]
    fn a_dependency_that_points_up_is_named() {
        let text = "[dependencies]\ncodegraph-model.workspace = true\ncodegraph-query.workspace = true\n\
                    [dev-dependencies]\ncodegraph-index.workspace = true\n";
        let said = [(3, "this crate must not know that one: see ARCHITECTURE.md")];
        assert_eq!(rules("crates/store/Cargo.toml", text), said);
    }

    #[test]
    fn a_pure_crate_that_may_read_files_is_named() {
        let said = rules("crates/extract/src/lib.rs", "//! Extracts.\n");
        assert_eq!(said, [(1, "a pure crate turns on `disallowed_methods` and `disallowed_types`")]);
    }
}
