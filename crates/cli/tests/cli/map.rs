//! The compact map: its format, what may change it, and what it does within a budget.

use expect_test::expect;
use serde_json::Value;

use crate::support::Project;

/// Lines at given numbers, blank lines between them.
fn at(lines: &[(usize, &str)]) -> String {
    let mut text = String::new();
    let mut line = 1;
    for (number, content) in lines {
        while line < *number {
            text.push('\n');
            line += 1;
        }
        text.push_str(content);
        text.push('\n');
        line += content.lines().count();
    }
    text
}

/// A small web application: models, services, a command line, tests.
fn shop() -> Vec<(&'static str, String)> {
    let models = at(&[
        (1, "import dataclasses\nimport typing"),
        (10, "class User:"),
        (15, "    def __init__(self, name, email):\n        self.name = name\n        self.email = email"),
        (20, "    def validate(self) -> bool:\n        return self._check_email()"),
        (30, "    def _check_email(self) -> bool:\n        return '@' in self.email"),
        (40, "class Session:"),
        (45, "    def __init__(self, user, token, ttl):"),
        (46, "        self.user = user\n        self.token = token\n        self.expires_at = ttl"),
        (55, "    def is_valid(self) -> bool:\n        return bool(self.token)"),
        (61, "    @property\n    def expired(self):\n        return self.expires_at"),
    ]);
    let auth = at(&[
        (1, "import hashlib\nimport datetime\nfrom app.models import Session, User"),
        (4, "from app.services.token_store import FileStore"),
        (5, "_CURRENT: User | None = None"),
        (8, "_LAST: Session | None = None"),
        (10, "def authenticate(username, password) -> Session | None:"),
        (11, "    user: User = User(username, password)\n    if user.validate():"),
        (13, "        return create_session(user)\n    return None"),
        (30, "def create_session(user) -> Session: return TokenStore().save('t', Session(user, 't', 60))"),
        (50, "class TokenStore:"),
        (55, "    def __init__(self):\n        self._store = FileStore"),
        (60, "    def save(self, token, session: Session): self._store[token] = session.is_valid and session"),
        (70, "    def get(self, token) -> Session | None:\n        return self._store.get(token)"),
    ]);
    let api = at(&[
        (1, "from flask import Response, wrap\nfrom app.models import Session, User"),
        (3, "from app.services.auth import authenticate, create_session"),
        (10, "async def handle_login(request) -> Response:"),
        (20, "    return authenticate(request.name, request.secret) or wrap(create_session, User)"),
        (25, "async def get_profile(request) -> Response:\n    session: Session = request.session"),
        (30, "    return wrap(session.is_valid())"),
    ]);
    let cli = at(&[
        (1, "from app.models import User\nfrom app.services.auth import authenticate, create_session"),
        (3, "DEFAULT = User"),
        (15, "authenticate('a', 'b') or print(create_session)"),
    ]);
    let tests = at(&[
        (1, "import pytest\nfrom app import models\nfrom app.services import api, auth"),
        (4, "@pytest.fixture\ndef mock_store():\n    return auth\n@pytest.fixture\ndef test_user():\n    return api"),
        (11, "class TestA:\n    def test_1(self): pass\n    def test_2(self): pass\n    def test_3(self): pass"),
        (16, "    def test_4(self): pass\nclass TestB:\n    def test_5(self): pass\n    def test_6(self): pass"),
        (20, "    def test_7(self): pass\nclass TestC:\n    def test_8(self): pass\n    def test_9(self): pass"),
        (25, "    def test_10(self): pass"),
    ]);
    let module = |name: &'static str| (name, "from app import models\nprint(models)\n".to_owned());
    vec![
        ("app/models.py", models),
        ("app/services/auth.py", auth),
        ("app/services/api.py", api),
        ("app/services/token_store.py", "from app import models\nclass FileStore:\n    kind = models\n".to_owned()),
        ("app/cli.py", cli),
        ("tests/test_auth.py", tests),
        ("jobs.py", "from app import models\nfrom app.services import api\nprint(api)\n".to_owned()),
        module("mail.py"),
        module("admin.py"),
    ]
}

fn shop_project() -> Project {
    let files = shop();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    Project::new(&files)
}

#[test]
fn a_small_application_reads_like_the_example() {
    let project = shop_project();
    let shown = project.run(&["map", "app/models.py", "app/services/auth.py", "app/services/api.py", "tests"]);
    expect![[r#"
        # c=class m=method f=function af=async func am=async method v=var p=property i=import i→=local
        # :N=line(s) ->T=returns ?=optional ←N=refs →=calls +N=more ″=ditto Nc/Nm=test summary
        # @1/=app/services/

        app/models.py: ←8
        i dataclasses,typing
        c User:10 ←app/cli.py:3,@1/api.py:20,@1/auth.py:5,+2
          v name
          v email
          m __init__(name,email):15
          m validate()->bool:20 →_check_email ←@1/auth.py:12
          m _check_email()->bool:30
        c Session:40 ←@1/api.py:26,@1/auth.py:8,+5
          v user
          v token
          v expires_at
          m __init__(user,token,ttl):45
          m is_valid()->bool:55 ←@1/api.py:30,@1/auth.py:60
          p expired:62

        @1/auth.py: ←3
        i hashlib,datetime
        i→ app/models.py,@1/token_store.py
        f authenticate(username,password)->?Session:10 →User.validate,create_session ←app/cli.py:15,@1/api.py:20
        f create_session(user)->Session:30 →TokenStore.save ←″
        c TokenStore:50 ←@1/auth.py:30
          v _store
          m __init__():55
          m save(token,session):60
          m get(token)->?Session:70

        @1/api.py: ←2
        i flask
        i→ app/models.py,@1/auth.py
        af handle_login(request)->Response:10 →authenticate
        af get_profile(request)->Response:25 →Session.is_valid

        tests/test_auth.py:
        i→ app/models.py,@1/api.py,@1/auth.py
        # 3c/12m fixtures:mock_store,test_user
    "#]]
    .assert_eq(&shown.out);
}

/// The blocks of a map by their first lines.
fn blocks(map: &str) -> Vec<(String, String)> {
    let parts = map.split("\n\n").skip(1);
    parts.map(|part| (part.lines().next().unwrap_or_default().to_owned(), part.trim_end().to_owned())).collect()
}

#[test]
fn two_runs_and_two_indexes_give_the_same_bytes() {
    let (first, second) = (shop_project(), shop_project());
    let map = first.run(&["map"]).out;
    assert_eq!(map, first.run(&["map"]).out);
    assert_eq!(map, second.run(&["map"]).out);
    assert_eq!(first.run(&["map", "--tokens", "300"]).out, second.run(&["map", "--tokens", "300"]).out);
}

#[test]
fn an_edit_inside_a_body_changes_not_one_byte() {
    let project = shop_project();
    let (before, hashes) = (project.run(&["map"]).out, project.json(&["map"])["files"].clone());
    let models = shop()[0].1.replace("return '@' in self.email", "return '#' not in self.email");
    project.write("app/models.py", &models);
    assert_eq!(project.run(&["map"]).out, before);
    assert_eq!(project.json(&["map"])["files"], hashes);
}

#[test]
fn an_added_method_changes_one_block() {
    let project = shop_project();
    let before = blocks(&project.run(&["map"]).out);
    let hashes = project.json(&["map"])["files"].clone();
    project.write("app/models.py", &format!("{}\n    def renew(self, ttl=60):\n        return ttl\n", shop()[0].1));
    let after = blocks(&project.run(&["map"]).out);
    let changed: Vec<&str> = before.iter().zip(&after).filter(|(a, b)| a != b).map(|(a, _)| a.0.as_str()).collect();
    assert_eq!((before.len(), changed), (after.len(), vec!["app/models.py: ←8"]));
    assert!(after[0].1.ends_with("  p expired:62\n  m renew(ttl?):65"), "{}", after[0].1);
    let new = project.json(&["map"])["files"].clone();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let differ = list(&hashes).into_iter().zip(list(&new)).filter(|(a, b)| a["structure_hash"] != b["structure_hash"]);
    assert_eq!(differ.count(), 1);
}

#[test]
fn positions_do_not_count_for_the_structure_hash() {
    let project = shop_project();
    let hash = |project: &Project| project.json(&["map", "app/services/auth.py"])["files"][0]["structure_hash"].clone();
    let before = hash(&project);
    project.write("app/services/auth.py", &format!("\n\n\n{}", shop()[1].1));
    assert_eq!(hash(&project), before);
    project.write("app/services/auth.py", &shop()[1].1.replace("username", "login"));
    assert_ne!(hash(&project), before);
}

#[test]
fn order_and_aliases_survive_files_that_come_and_go() {
    let project = shop_project();
    let names = |map: &str| blocks(map).into_iter().map(|(name, _)| name.split(':').next().unwrap_or("").to_owned());
    let before: Vec<String> = names(&project.run(&["map"]).out).collect();
    // A file that all others use, and a folder that is named more often than the one with an alias.
    project.write("aaa/very/long/folder/of/modules/base.py", "class Base: pass\n");
    for n in 0..6 {
        let text = "from aaa.very.long.folder.of.modules.base import Base\nclass Own(Base): pass\n";
        project.write(&format!("aaa/very/long/folder/of/modules/m{n}.py"), text);
    }
    let map = project.run(&["map"]).out;
    let after: Vec<String> = names(&map).collect();
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.len(), before.len() + 7);
    assert!(map.contains("# @1/=app/services/ @2/=aaa/very/long/folder/of/modules/\n"), "{map}");
    std::fs::remove_file(project.path().join("jobs.py")).expect("it is there");
    let map = project.run(&["map"]).out;
    let kept: Vec<String> = before.into_iter().filter(|name| name != "jobs.py").collect();
    let last: Vec<String> = names(&map).collect();
    assert_eq!(last[..kept.len()], kept);
    assert!(map.contains("# @1/=app/services/ @2/=aaa"), "{map}");
}

/// A project with so many symbols that most budgets are too small.
fn large() -> Project {
    let mut files: Vec<(String, String)> = Vec::new();
    for f in 0..30 {
        let mut text = String::from("from core.hub import Hub, central\n");
        for c in 0..6 {
            text += &format!("class Part{f}_{c}(Hub):\n    def run_{f}_{c}(self, first, second=None) -> int:\n");
            text += "        return central(first)\n";
        }
        files.push((format!("parts/part_{f}.py"), text));
    }
    files.push(("core/hub.py".into(), "class Hub:\n    x = 1\ndef central(a):\n    return a\n".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Project::new(&files)
}

#[test]
fn a_budget_is_never_exceeded_and_what_is_central_stays() {
    let project = large();
    for budget in [50, 60, 80, 100, 150, 200, 400, 777, 1000, 2000, 4000, 8000] {
        let answer = project.json(&["map", "--tokens", &budget.to_string()]);
        let tokens = answer["tokens"].as_u64().expect("a number");
        assert!(tokens <= budget, "{tokens} of {budget}: {answer}");
        let text = answer["text"].as_str().expect("a text");
        assert!(budget < 100 || text.contains("central(a)"), "{budget}: {text}");
        let left_out = answer["left_out"].as_u64().expect("a number") > 0;
        assert!(!left_out || text.contains("# not here:"), "{text}");
    }
    let whole = project.run(&["map", "--tokens", "100000"]).out;
    assert_eq!(whole, project.run(&["map"]).out);
}

#[test]
fn focus_and_mention_draw_the_map_to_them() {
    let project = large();
    let text = |arguments: &[&str]| project.run(&[&["map", "--tokens", "260"], arguments].concat()).out;
    assert!(!text(&[]).contains("run_17_3"));
    assert!(text(&["--mention", "run_17_3"]).contains("run_17_3("));
    assert!(text(&["--mention", "Part17_3.run_17_3"]).contains("run_17_3("));
    assert!(
        text(&["--focus", "parts/part_17.py"]).contains("part_17.py"),
        "{}",
        text(&["--focus", "parts/part_17.py"])
    );
    let unknown = project.run(&["map", "--tokens", "260", "--mention", "nosuchthing"]);
    assert_eq!(unknown.code, 0);
    assert!(unknown.out.contains("nothing is called 'nosuchthing'"), "{}", unknown.out);
}

#[test]
fn files_can_be_chosen_excluded_and_split() {
    let project = shop_project();
    let names = |arguments: &[&str]| -> Vec<String> {
        let answer = project.json(&[&["map"], arguments].concat());
        let files = answer["files"].as_array().expect("a list").clone();
        files.iter().map(|file| file["file"].as_str().expect("a path").to_owned()).collect()
    };
    assert_eq!(names(&["app/services"]).len(), 3);
    assert_eq!(names(&["--exclude", "app", "--no-tests"]), ["admin.py", "jobs.py", "mail.py"]);
    assert!(!names(&["--exclude", "app/models.py"]).contains(&"app/models.py".to_owned()));
    let whole = project.run(&["map"]).out;
    for arguments in [&["--chunks", "3"][..], &["--chunk-tokens", "250"], &["--chunks", "1"]] {
        let chunks = project.json(&[&["map"], arguments].concat())["chunks"].as_array().expect("a list").clone();
        let text: String = chunks.iter().map(|chunk| chunk["content"].as_str().expect("a text")).collect();
        assert_eq!(text, whole, "{arguments:?}");
        assert!(chunks.iter().all(|chunk| !chunk["files"].as_array().expect("a list").is_empty()));
        if arguments[0] == "--chunks" {
            assert_eq!(chunks.len().to_string(), arguments[1]);
        } else {
            assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk["tokens"].as_u64() <= Some(250)), "{chunks:?}");
        }
    }
}

#[test]
fn a_map_goes_to_a_file_where_asked() {
    let project = shop_project();
    let map = project.run(&["map"]).out;
    let run = project.run(&["map", "--out", "m.txt"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(project.path().join("m.txt")).expect("it was written"), map);
    project.run(&["map", "--chunks", "2", "--out", "c.txt"]);
    let part = |n: u32| std::fs::read_to_string(project.path().join(format!("c.{n}.txt"))).expect("it was written");
    assert_eq!(part(1) + &part(2), map);
    assert_eq!(project.run(&["map", "--out", "no/such/folder/m.txt"]).code, 2);
}

#[test]
fn the_map_file_is_kept_current_when_asked() {
    let project = shop_project();
    let path = project.path().join(".codegraph/symbol_map.txt");
    let text = || std::fs::read_to_string(&path).expect("it was written");
    project.run(&["find", "User"]);
    assert!(!path.exists());
    project.write(".codegraph/config.json", r#"{"name": "demo", "auto_map": true}"#);
    project.run(&["find", "User"]);
    assert_eq!(text(), project.run(&["map"]).out);
    project.write("app/late.py", "def newcomer(): pass\n");
    project.run(&["update"]);
    assert!(text().contains("f newcomer():1"), "{}", text());
    std::fs::write(&path, "notes of somebody\n").expect("writable");
    project.write("app/late.py", "def other(): pass\n");
    let run = project.run(&["find", "other"]);
    assert!(run.err.contains("is not a map: it was left alone"), "{}", run.err);
    assert_eq!(text(), "notes of somebody\n");
}

#[test]
fn an_older_map_file_follows_after_a_query_too() {
    let project = shop_project();
    project.write(".codegraph/config.json", r#"{"auto_map": true}"#);
    project.run(&["status"]);
    project.write("app/late.py", "def newcomer(): pass\n");
    project.run(&["query", "newcomer"]);
    let text = std::fs::read_to_string(project.path().join(".codegraph/symbol_map.txt")).expect("it was written");
    assert!(text.contains("newcomer"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let project = Project::new(&[("a.py", "def f(): pass\n"), ("notes.md", "# Only words\n")]);
    for (arguments, message) in [
        (&["--tokens", "0"][..], "a map in 0 tokens could show nothing"),
        (&["--tokens", "-5"], "unexpected argument '-5' found"),
        (&["--tokens", "many"], "invalid value 'many'"),
        (&["--chunks", "0"], "a map has at least one part"),
        (&["--chunk-tokens", "0"], "a part has at least one token"),
        (&["--chunks", "2", "--chunk-tokens", "9"], "cannot be used with"),
        (&["--focus", "nosuch.py"], "'nosuch.py' is not in the index"),
        (&["nosuch/"], "is not in the index"),
        (&["../elsewhere"], "is outside the project"),
        (&["[x"], "the glob '[x' does not compile"),
    ] {
        let run = project.run(&[&["map"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
    }
    let words = project.run(&["map", "notes.md"]);
    assert_eq!(words.code, 1);
    assert!(words.out.starts_with("nothing to map\n"), "{}", words.out);
    assert_eq!(Project::new(&[]).run(&["map"]).code, 1);
}

#[test]
fn the_file_tree_is_a_flat_list() {
    let project =
        Project::new(&[("b/c.py", "x = 1\n"), ("a.txt", "text\n"), (".gitignore", "out/\n"), ("out/x.py", "")]);
    expect![[r#"
        # File Tree (3 files)

        .gitignore
        a.txt
        b/c.py
    "#]]
    .assert_eq(&project.run(&["file-tree"]).out);
    assert_eq!(project.json(&["file-tree", "b"])["files"], serde_json::json!(["b/c.py"]));
    assert_eq!(project.run(&["file-tree", "nosuch"]).code, 2);
}

#[test]
fn odd_names_keep_one_symbol_on_one_line() {
    let many: Vec<String> = (0..500).map(|n| format!("p{n}")).collect();
    let js = format!(
        "export class Odd {{\n  'a method with \"quotes\"'() {{}}\n  static ['computed' + 1]() {{}}\n  #private() {{}}\n\
         async *über(λ) {{}}\n}}\nexport function many({}) {{}}\nexport const anonymous = function () {{}};\n\
         export default class {{ go({{ a, b: [c] }} = {{}}, ...rest) {{}} }}\n",
        many.join(", ")
    );
    let project = Project::new(&[("odd file, here.js", &js)]);
    let map = project.run(&["map"]).out;
    let body: Vec<&str> = map.lines().skip_while(|line| line.starts_with('#') || line.is_empty()).collect();
    assert_eq!(body[0], "\"odd file, here.js\":");
    assert!(body.iter().skip(1).all(|line| line.trim_start().starts_with(['c', 'm', 'f', 'v', 'p', 'a'])), "{map}");
    assert!(map.contains(r#"m "a method with \"quotes\""()"#), "{map}");
    assert!(map.contains("über(λ)") && map.contains(",p11,+488):7"), "{map}");
}
