//! No answer takes the square of what a file has: overloads, methods, heirs, users of one name.

use std::time::{Duration, Instant};

use crate::support::Project;

const MANY: usize = 4_000;

/// One class with many methods, overloads of one name and heirs; one function that many others use.
fn java() -> String {
    let mut text = String::from("class Big {\n");
    for i in 0..MANY {
        text += &format!("  int m{i}(int a) {{ return m{}(a) + run(a); }}\n", (i * 7) % MANY);
    }
    (0..300).for_each(|i| text += &format!("  int run(T{i} t) {{ return {i}; }}\n"));
    text += "}\n";
    (0..MANY / 2).for_each(|i| text += &format!("class C{i} extends Big {{ int m1(int a) {{ return {i}; }} }}\n"));
    text
}

fn typescript() -> String {
    let mut text = String::from("export function common(x: number) { return x; }\n");
    for i in 0..MANY {
        text += &format!("export function f{i}(x: number) {{ return f{}(x) + common(x); }}\n", (i * 13) % MANY);
    }
    text
}

#[test]
fn answers_about_files_with_many_symbols_come_soon() {
    let parts: Vec<String> = (0..5 * MANY).map(|i| format!("a{i}")).collect();
    let deep = format!("namespace {} {{ export const z = 1 }}\n", parts.join("."));
    let start = Instant::now();
    let project = Project::new(&[("Big.java", &java()), ("big.ts", &typescript()), ("deep.ts", &deep)]);
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?} to index", start.elapsed());
    let asked: [(&[&str], &str); 9] = [
        (&["refs", "Big.run"], "4000 sites by name only"),
        (&["callers", "Big.m1"], "m"),
        (&["callees", "Big.m5"], "Big.m35"),
        (&["refs", "Big.m1"], "Big.m1"),
        (&["impact", "common"], "4000"),
        (&["affected", "big.ts"], "big.ts"),
        (&["context", "how does common work"], "common"),
        (&["signature", "Big.java"], "class C1999"),
        (&["doctor", "--deep"], "healthy"),
    ];
    for (command, expected) in asked {
        let start = Instant::now();
        let out = project.run(command).out;
        assert!(out.contains(expected), "{command:?}: {out}");
        // A fraction of a second; the square of it would be many.
        assert!(start.elapsed() < Duration::from_secs(8), "{command:?} took {:?}", start.elapsed());
    }
}
