//! How the reader of an answer asks the next question: with a command line, or with the tools of a server.

use codegraph_model::{Advice, Ask, Remedy};

/// A way to write questions and commands.
#[derive(Clone, Copy, Debug)]
pub enum Dialect {
    /// With a command line.
    Shell,
    /// With tools, of which there is one for most commands: `has` says whether.
    Tool { has: fn(&str) -> bool },
}

impl Dialect {
    /// `'codegraph update a.py'` or `codegraph_update a.py`.
    pub fn ask(self, ask: &Ask) -> String {
        match self {
            Dialect::Tool { has } if has(ask.name) => format!("codegraph_{}", ask.words()),
            Dialect::Tool { .. } => format!("{} in a shell", Dialect::Shell.ask(ask)),
            Dialect::Shell => {
                let arguments = ask.arguments.iter().map(|word| quoted(word));
                let words = [ask.name.replace('_', "-")].into_iter().chain(arguments);
                format!("'codegraph {}'", words.collect::<Vec<_>>().join(" "))
            }
        }
    }

    pub fn advice(self, advice: &Advice) -> String {
        advice.said(|ask| self.ask(ask))
    }

    pub fn remedy(self, remedy: &Remedy) -> String {
        self.advice(&remedy.advice())
    }
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let odd = |c: char| c.is_whitespace() || "*?()[]{}|&;<>$\"'\\`".contains(c);
    match word.contains(odd) {
        true => format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$")),
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_written_for_those_who_use_them() {
        let tool = Dialect::Tool { has: |name| name != "doctor" };
        let update = Advice::new("run ").ask_about("update", ["a.py".to_owned()]);
        assert_eq!(Dialect::Shell.advice(&update), "run 'codegraph update a.py'");
        assert_eq!(tool.advice(&update), "run codegraph_update a.py");
        assert_eq!(Dialect::Shell.advice(&Advice::run("update_docs")), "run 'codegraph update-docs'");
        assert_eq!(tool.advice(&Advice::run("doctor")), "run 'codegraph doctor' in a shell");
        assert_eq!(tool.remedy(&"check the path".into()), "check the path");
    }
}
