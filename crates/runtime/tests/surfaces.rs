//! Two surfaces in a dozen lines each, on the runtime alone: an editor's server that asks about a text that is not
//! saved, and a page that is served behind the guard. Neither knows how an answer reads as text.

use std::sync::Arc;

use codegraph_fixture::Sandbox;
use codegraph_index::{BuildOptions, InitOptions, Silent};
use codegraph_model::Overlay;
use codegraph_query::{Extent, FilePlace, Find, References, Selector};
use codegraph_runtime::{Caller, Failure, Guard, Projects, Request};
use serde_json::{Value, json};

const PROGRAM: &str = "\
//- /models.py
class User:
    def save(self):
        return 1
//- /main.py
from models import User


def main():
    user = User()
    user.save()
";

fn project() -> Sandbox {
    let sandbox = Sandbox::program(PROGRAM);
    codegraph_runtime::init(sandbox.root(), &InitOptions::default(), &BuildOptions::default(), &Silent)
        .expect("indexed");
    sandbox
}

fn place(file: &str, line: u32, column: u32) -> Selector {
    Selector::Place(FilePlace { file: file.to_owned(), line, column: Some(column) })
}

/// An editor's server: texts that are open, and a request about a place in one of them.
struct Editor {
    projects: Projects,
    open: Overlay,
}

impl Editor {
    fn changed(&mut self, path: &str, text: &str) {
        self.open.put(path, text.as_bytes());
    }

    fn definition(&self, file: &str, line: u32, column: u32) -> anyhow::Result<Value> {
        let request = Request { overlay: Arc::new(self.open.clone()), ..Request::default() };
        self.projects.get(None)?.ask_with(&request, |session| {
            Ok(serde_json::to_value(codegraph_query::definition(session, &place(file, line, column))?)?)
        })
    }
}

/// A page: a name in an address, and JSON.
fn page(projects: &Projects, guard: &Guard, host: &str, path: &str) -> (u16, Value) {
    if guard.admits(Caller { host: Some(host), ..Caller::default() }).is_err() {
        return (403, Value::Null);
    }
    let question = Find { name: path.trim_start_matches("/find/").to_owned(), ..Find::default() };
    let found = projects
        .get(None)
        .map_err(Into::into)
        .and_then(|served| served.ask(|session| Ok(serde_json::to_value(codegraph_query::find(session, &question)?)?)));
    match found {
        Ok(answer) => (200, answer),
        Err(error) => (500, json!({"error": Failure::of(&error).message})),
    }
}

#[test]
fn an_editor_asks_about_a_text_that_is_not_saved() {
    let sandbox = project();
    let mut editor = Editor { projects: Projects::new(sandbox.root(), &[]), open: Overlay::default() };
    editor.changed("main.py", "from models import User\n\n\ndef added(who: User):\n    who.save()\n");
    let answer = editor.definition("main.py", 5, 8).expect("answered");
    assert_eq!(answer["definitions"][0]["fqn"], "models.User.save");
    editor.changed("models.py", "class Other: ...\n\n\nclass User:\n    def save(self, deep): ...\n");
    let answer = editor.definition("main.py", 5, 8).expect("answered");
    assert_eq!(answer["definitions"][0]["range"]["start_line"], 5);
    assert_eq!(answer["definitions"][0]["signature"], "def save(self, deep)");
    editor.open = Overlay::default();
    let answer = editor.definition("main.py", 6, 9).expect("answered");
    assert_eq!(answer["definitions"][0]["range"]["start_line"], 2, "what was saved is untouched");
}

#[test]
fn a_page_finds_a_name_behind_the_guard() {
    let sandbox = project();
    let projects = Projects::new(sandbox.root(), &[]);
    let guard = Guard::new("127.0.0.1:4000".parse().expect("an address"), None).expect("this machine");
    let (status, answer) = page(&projects, &guard, "localhost:4000", "/find/User");
    assert_eq!((status, &answer["symbols"][0]["fqn"]), (200, &json!("models.User")));
    assert_eq!(page(&projects, &guard, "evil.example", "/find/User").0, 403);
}

/// All that a few questions say, without what changes with every index.
fn asked(projects: &Projects, request: &Request) -> Vec<Value> {
    let served = projects.get(None).expect("a project");
    let found = served.ask_with(request, |session| {
        let name = |text: &str| Selector::from(text);
        let references = References { selector: name("save"), candidates: true, ..References::default() };
        let uses = codegraph_query::FindUsages { name: name("User"), ..Default::default() };
        let calls = codegraph_query::Calls { symbol: name("save"), ..Default::default() };
        let lines = codegraph_query::Query { term: "deep".into(), ..Default::default() };
        Ok(vec![
            serde_json::to_value(codegraph_query::find(session, &Find { name: "later".into(), ..Find::default() })?)?,
            serde_json::to_value(codegraph_query::references(session, &references)?)?,
            serde_json::to_value(codegraph_query::find_usages(session, &uses)?)?,
            serde_json::to_value(codegraph_query::callers(session, &calls)?)?,
            serde_json::to_value(codegraph_query::query(session, &lines)?)?,
            serde_json::to_value(codegraph_query::hover(session, &place("main.py", 5, 9))?)?,
            serde_json::to_value(codegraph_query::signature(session, "models.py", None)?)?,
            serde_json::to_value(codegraph_query::get(session, &name("models.User"), &Extent::default())?)?,
            serde_json::to_value(codegraph_query::tree(session, &Default::default())?)?,
            serde_json::to_value(codegraph_query::cycles(session, &Default::default())?)?,
        ])
    });
    found.expect("answered")
}

#[test]
fn unsaved_texts_give_the_answers_that_saving_them_gives() {
    let sandbox = project();
    let edits = [
        ("models.py", "class User:\n    def save(self, deep=1):\n        return deep\n\n    def later(self): ...\n"),
        ("main.py", "from models import User\n\n\ndef main(one: User):\n    one.save(deep=2)\n    one.later()\n"),
        ("new.py", "from models import User\n\nUser().later()\n"),
    ];
    let projects = Projects::new(sandbox.root(), &[]);
    let mut overlay = Overlay::default();
    edits.iter().for_each(|(path, text)| overlay.put(*path, text.as_bytes()));
    let unsaved = asked(&projects, &Request { overlay: Arc::new(overlay), ..Request::default() });
    edits.iter().for_each(|(path, text)| sandbox.write(path, text));
    let saved = asked(&projects, &Request::default());
    for (unsaved, saved) in unsaved.iter().zip(&saved) {
        assert_eq!(unsaved, saved);
    }
    assert_eq!(saved[0]["total"], 1, "the edit shows at all");
}

#[test]
fn a_question_that_nobody_waits_for_ends() {
    let sandbox = project();
    let projects = Projects::new(sandbox.root(), &[]);
    let request = Request::default();
    request.cancel.cancel();
    let served = projects.get(None).expect("a project");
    let answer =
        served.ask_with(&request, |session| Ok(codegraph_query::get(session, &"User".into(), &Extent::default())?));
    let error = answer.map(drop).expect_err("called off");
    assert!(matches!(error.downcast_ref(), Some(codegraph_query::Error::Cancelled)), "{error}");
    let again = served.ask(|session| Ok(codegraph_query::get(session, &"User".into(), &Extent::default())?));
    assert!(again.is_ok(), "the next question is another one");
}
