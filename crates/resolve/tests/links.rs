//! Small programs in which comments say what each name must mean, from their files to the links.
//!
//! A program starts with `== what it shows`, a file with `//- /path`. Carets in a comment below a line label the name
//! above them: `def X` names a definition; `ref X` must link to it, `ref ?` must stay open, `ref external a.b` must lead
//! outside the project, `ref module path` must mean a file. `ref exact X` and `ref inferred X` say how sure the link is, too.

mod memory;
mod program;

use program::{Checked, check};

fn run(programs: &str) {
    let mut failures = Vec::new();
    let mut expectations = 0;
    for part in programs.split("\n== ").skip(1) {
        let (title, text) = part.split_once('\n').expect("a program has files");
        let Checked { labels, wrong } = check(text);
        expectations += labels;
        failures.extend(wrong.into_iter().map(|line| format!("{title}: {line}")));
    }
    assert!(expectations > 0, "no label was read");
    assert!(failures.is_empty(), "{} wrong:\n{}", failures.len(), failures.join("\n"));
}

macro_rules! languages {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            run(concat!("\n", include_str!(concat!("programs/", stringify!($name), ".txt"))));
        }
    )*};
}

languages!(python, rust, go, java, typescript, javascript, c, cpp, csharp, kotlin, php, ruby);
