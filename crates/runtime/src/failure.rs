//! Errors as people see them: what went wrong, and what to do about it.

/// An error split into its message and its remedy.
pub struct Failure {
    pub message: String,
    pub hint: Option<String>,
    /// The reader of the answer went away: no error.
    pub broken_pipe: bool,
}

/// How the remedies in error messages of the libraries begin.
const REMEDIES: &[&str] = &[
    "run ",
    "delete ",
    "move ",
    "install ",
    "wait ",
    "give ",
    "correct ",
    "rename ",
    "check ",
    "the languages are ",
    "patterns are ",
    "if this repeats",
    "'codegraph ",
];

const TABLES: &str = "the tables are files, lines, items, occurrences, signatures, methods, types, classes, \
    functions, symbols, \"references\", calls, usages, entity_cross_ref, ast_nodes, dependencies, metadata";

impl Failure {
    pub fn of(error: &anyhow::Error) -> Failure {
        let io = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
        let broken_pipe = io.into_iter().any(|io| io.kind() == std::io::ErrorKind::BrokenPipe);
        let asked = error.chain().find_map(|cause| cause.downcast_ref::<codegraph_query::Error>());
        if let Some(hint) = asked.and_then(codegraph_query::Error::hint) {
            return Failure { message: format!("{error:#}"), hint: Some(hint), broken_pipe };
        }
        let text = match error.downcast_ref::<Advice>() {
            Some(advice) => {
                return Failure { message: advice.message.clone(), hint: Some(advice.hint.clone()), broken_pipe };
            }
            // Sources are part of the message already where a library has one.
            None => error.to_string(),
        };
        let (message, hint) = split(&text);
        let statement = error.chain().find_map(|cause| cause.downcast_ref::<codegraph_store::Error>());
        let hint = match statement {
            Some(codegraph_store::Error::Statement(_)) => Some(TABLES.to_owned()),
            _ => hint,
        };
        Failure { message, hint, broken_pipe }
    }
}

/// An error of a surface itself, with its remedy.
#[derive(Debug)]
pub struct Advice {
    message: String,
    hint: String,
}

impl Advice {
    pub fn error(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Advice { message: message.into(), hint: hint.into() })
    }
}

impl std::fmt::Display for Advice {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Advice {}

/// Library messages read "what: remedy" or "what; remedy".
fn split(text: &str) -> (String, Option<String>) {
    let places = text.match_indices(": ").chain(text.match_indices("; "));
    let remedy = places.filter(|(at, _)| REMEDIES.iter().any(|word| text[at + 2..].starts_with(word)));
    match remedy.map(|(at, _)| at).min() {
        Some(at) => (text[..at].to_owned(), Some(text[at + 2..].to_owned())),
        None => (text.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn remedies_become_hints() {
        assert_eq!(
            split("no index at /x: run 'codegraph init'"),
            ("no index at /x".into(), Some("run 'codegraph init'".into()))
        );
        assert_eq!(split("SQL: near \"x\": syntax error"), ("SQL: near \"x\": syntax error".into(), None));
    }
}
