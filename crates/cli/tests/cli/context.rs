//! What a task is about: the right symbols near the top, inside the budget, the same every time.

use std::path::Path;

use serde_json::Value;

use crate::support::Project;

fn names(answer: &Value) -> Vec<String> {
    let all = answer["symbols"].as_array().unwrap_or_else(|| panic!("a list in {answer}"));
    all.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
}

fn shop() -> Project {
    Project::program(
        r#"
//- /shop/cart.py
from shop.price import total_price


class Cart:
    """What a customer wants to buy."""

    def add_item(self, item):
        self.items.append(item)

    def checkout(self):
        """Pays for everything and empties the cart."""
        return total_price(self.items)
//- /shop/price.py
def total_price(items):
    """The sum with the discount taken off."""
    return sum(items) - discount(items)


def discount(items):
    return 1 if len(items) > 3 else 0
//- /shop/test_cart.py
from shop.cart import Cart


def test_checkout():
    assert Cart().checkout() == 0
//- /web/session.ts
/** Keeps who is logged in. */
export class SessionStore {
  expireSession(id: string) { return id }
}
//- /web/login.ts
import { SessionStore } from './session'
export function logOut(s: SessionStore) { s.expireSession('1') }
//- /db/pool.go
package db

// Pool keeps connections open.
type Pool struct{ size int }

func (p *Pool) AcquireConnection() int { return p.size }
"#,
    )
}

#[test]
fn the_right_symbol_comes_first_in_every_language() {
    let project = shop();
    for (task, expected) in [
        ("where is the discount of an order computed?", "discount"),
        ("how does paying for the cart work at checkout", "checkout"),
        ("expiring sessions of users", "expireSession"),
        ("acquire a database connection from the pool", "AcquireConnection"),
        ("SessionStore", "SessionStore"),
        ("test of the checkout", "test_checkout"),
    ] {
        let found = names(&project.json(&["context", task, "--tokens", "4000"]));
        assert_eq!(found.first().map(String::as_str), Some(expected), "{task}: {found:?}");
    }
}

/// A line of it has every word, and each of its functions is on that line.
#[test]
fn a_packed_file_does_not_win() {
    let packed = (0..40).map(|n| format!("function f{n}(warning,table,number){{return number+table.warning({n})}}"));
    let project = Project::new(&[
        ("static/lib.js", &packed.collect::<String>()),
        (
            "domains/std.py",
            "def resolve_number(env, table):\n    if table not in env:\n        log('no number is assigned')\n    return env[table]\n",
        ),
    ]);
    let found = names(&project.json(&["context", "warning: no number is assigned for table", "--tokens", "4000"]));
    assert_eq!(found.first().map(String::as_str), Some("resolve_number"), "{found:?}");
}

#[test]
fn a_test_that_is_named_leads_to_what_it_tests() {
    // No word of a question is nearer to one of these names than to another.
    let writer = |name: &str| format!("def {name}(entry):\n    \"\"\"Writes an entry.\"\"\"\n    return [entry]\n");
    let project = Project::new(&[
        ("app/a.py", &writer("write_a")),
        ("app/b.py", &writer("write_b")),
        ("app/c.py", &writer("write_c")),
        (
            "tests/test_all.py",
            "from app.c import write_c\n\n\nclass TestRoundTrip:\n    def test_it(self):\n        write_c(1)\n",
        ),
    ]);
    let ask = |task: &str| {
        let found = names(&project.json(&["context", task, "--tokens", "4000"]));
        found.into_iter().find(|name| ["write_a", "write_b", "write_c"].contains(&name.as_str()))
    };
    assert_ne!(ask("why does it keep an entry").as_deref(), Some("write_c"));
    assert_eq!(ask("why does TestRoundTrip keep an entry").as_deref(), Some("write_c"));
}

#[test]
fn bodies_callers_and_callees_come_with_the_symbol() {
    let project = shop();
    let answer = project.json(&["context", "--names", "total_price"]);
    let first = &answer["symbols"][0];
    assert_eq!(first["name"], "total_price");
    assert!(first["body"].as_str().is_some_and(|body| body.contains("return sum(items)")), "{first}");
    assert_eq!(first["callers"][0]["fqn"], "shop.cart.Cart.checkout");
    assert_eq!(first["callees"][0]["fqn"], "shop.price.discount");
    let text = project.run(&["context", "--names", "total_price"]).out;
    assert!(text.starts_with("1. shop/price.py:1-3 function total_price\n"), "{text}");
}

#[test]
fn the_budget_holds_and_the_same_question_has_the_same_answer() {
    let project = shop();
    for tokens in ["0", "20", "60", "150", "400", "4000"] {
        let answer = project.json(&["context", "cart price discount session connection", "--tokens", tokens]);
        let (used, budget) = (answer["tokens"].as_u64(), answer["budget"].as_u64());
        assert!(used <= budget, "{used:?} of {budget:?}");
    }
    let ask = || project.run(&["context", "cart price discount session connection"]).out;
    assert_eq!(ask(), ask());
}

#[test]
fn nothing_found_says_what_was_searched_and_what_is_near() {
    let project = shop();
    let run = project.run(&["context", "chekout"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("searched 6 files") && run.out.contains("near: checkout"), "{}", run.out);
    assert_eq!(project.run(&["context", "the of and"]).code, 1);
    assert_eq!(project.run(&["context"]).code, 2);
    assert_eq!(project.run(&["context", "cart", "--focus", "nowhere.py"]).code, 2);
}

/// Questions about this repository's own source, and the symbol that answers each.
const OWN: &[(&str, &str)] = &[
    ("order in which base classes are searched for members", "lineage_of"),
    ("find the file that an import specifier names, trying extensions", "probe"),
    ("names close to one that was misspelled", "distance"),
    ("cut a long line around the match", "shown_line"),
    ("types that inherit from a type directly", "direct_heirs"),
    ("cycles between files", "cycles"),
    ("is a path a test file", "is_test"),
    ("header of a file without its licence", "without_licence"),
    ("who calls a function, level by level", "walk"),
    ("choose between overloads by the number of arguments", "better_overload"),
    ("what a star import gives for a name", "star_member"),
    ("symbols that nobody uses", "dead_code"),
    ("split file:line:column", "split"),
    ("shortest path between two symbols", "path"),
    ("read a file only if it is what was indexed", "read"),
];

fn copy_sources(project: &Project, crate_name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(crate_name).join("src");
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
            project.write(&format!("{crate_name}/src/{name}"), &std::fs::read_to_string(&path).expect("a file"));
        }
    }
}

#[test]
fn questions_about_our_own_source_are_answered() {
    let project = Project::bare(&[]);
    copy_sources(&project, "query");
    copy_sources(&project, "resolve");
    assert_eq!(project.run(&["init", "--name", "own"]).code, 0);
    let mut missed = Vec::new();
    for (task, expected) in OWN {
        let found = names(&project.json(&["context", task, "--tokens", "4000"]));
        if !found.iter().take(10).any(|name| name == expected) {
            missed.push(format!("{task}: {expected} is not in {found:?}"));
        }
    }
    assert!(missed.len() <= 4, "{} of {} missed: {missed:#?}", missed.len(), OWN.len());
}
