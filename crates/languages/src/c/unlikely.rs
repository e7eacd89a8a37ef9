//! Which branches of conditionals a common build does not take.
//!
//! Other systems and compilers than the usual ones are not there, what a file defines itself is, and of a condition that
//! nothing is known about it is guessed by custom: `HAVE_X` holds, `DEBUG_X` does not, a guard is passed.

use std::collections::HashMap;

use codegraph_model::Span;

use crate::table::Unlikely;

/// Systems, compilers and switches that a common build does not have.
const ABSENT: &[&str] = &[
    "_WIN32", "WIN32", "_WIN64", "__WIN32__", "__CYGWIN__", "__MINGW32__", "__MINGW64__", "_MSC_VER", "__APPLE__",
    "__MACH__", "__ANDROID__", "__FreeBSD__", "__NetBSD__", "__OpenBSD__", "__DragonFly__", "__sun", "sun", "__sun__",
    "__SVR4", "_AIX", "__hpux", "__HPUX", "__VMS", "VMS", "__OS400__", "__AMIGA__", "AMIGA", "MSDOS", "__MSDOS__",
    "__DJGPP__", "__BORLANDC__", "__WATCOMC__", "__BEOS__", "__HAIKU__", "__QNX__", "__riscos__", "UNDER_CE",
    "_WIN32_WCE", "__SYMBIAN32__", "__sgi", "__osf__", "__TANDEM", "__minix", "__EMSCRIPTEN__", "__INTEL_COMPILER",
    "__clang_analyzer__", "__COVERITY__", "__DOXYGEN__", "DOXYGEN", "__CUDACC__", "__ICC", "__xlC__", "__IBMC__",
    "__SUNPRO_C", "__SUNPRO_CC", "__TURBOC__", "macintosh", "DEBUG", "_DEBUG", "SWIG", "__arm__", "__aarch64__",
    "__i386__", "__powerpc__", "__mips__", "_M_X64", "_M_IX86", "__BIG_ENDIAN__", "UNICODE", "_UNICODE", "VAX", "IBM",
];

/// What a common build has.
const PRESENT: &[&str] = &[
    "__linux__", "linux", "__linux", "__unix__", "__unix", "unix", "__GNUC__", "__STDC__", "__STDC_VERSION__",
    "__x86_64__", "__LP64__", "_LP64", "__ELF__", "NDEBUG",
];

/// Beginnings of names that usually hold.
const USUAL: &[&str] = &["HAVE_", "USE_", "ENABLE_", "WITH_", "HAS_"];

/// The text of branches that a build of C is not likely to have.
pub(crate) fn unlikely_c(source: &[u8]) -> Vec<Unlikely> {
    unlikely(source, false)
}

/// The same for C++.
pub(crate) fn unlikely_cpp(source: &[u8]) -> Vec<Unlikely> {
    unlikely(source, true)
}

fn unlikely(source: &[u8], cpp: bool) -> Vec<Unlikely> {
    let mut scan = Scan { defined: HashMap::new(), open: Vec::new(), found: Vec::new(), dead: None, cpp };
    let mut at = 0;
    while at < source.len() {
        let end = line_end(source, at);
        let line = source[at..end].trim_ascii();
        if let Some(directive) = line.strip_prefix(b"#") {
            scan.directive(&String::from_utf8_lossy(directive.trim_ascii_start()), at as u32);
        }
        at = end;
    }
    scan.mark(source.len() as u32, None);
    scan.found
}

/// Behind the end of a line, continued lines included.
fn line_end(source: &[u8], mut at: usize) -> usize {
    loop {
        let Some(next) = memchr::memchr(b'\n', &source[at..]).map(|i| at + i + 1) else { return source.len() };
        if !source[at..next - 1].trim_ascii_end().ends_with(b"\\") {
            return next;
        }
        at = next;
    }
}

/// A conditional that is still open: for each branch so far whether it holds, and whether it likely does.
struct Group {
    branches: Vec<(Option<bool>, bool)>,
    /// Whether the branch at hand is left out, and whether that is sure.
    dead: Option<bool>,
    is_guard: bool,
}

struct Scan {
    /// What the file itself defines or takes back.
    defined: HashMap<String, bool>,
    open: Vec<Group>,
    found: Vec<Unlikely>,
    /// Where the unlikely text at hand starts, and whether it is surely left out.
    dead: Option<(u32, bool)>,
    cpp: bool,
}

impl Scan {
    fn directive(&mut self, text: &str, at: u32) {
        let word = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (word, rest) = text.split_at(word);
        let rest = without_comments(rest);
        match word {
            "if" => self.begin(self.holds(&rest), likely(&rest), false),
            "ifdef" | "ifndef" => {
                let name = rest.split_whitespace().next().unwrap_or_default();
                let defined = self.is_defined(name);
                let (holds, likely) = match word {
                    "ifdef" => (defined, is_usual(name)),
                    _ => (defined.map(|d| !d), !is_usual(name)),
                };
                self.begin(holds, likely, word == "ifndef");
            }
            "elif" => self.branch(self.holds(&rest), likely(&rest)),
            "else" => self.branch(Some(true), true),
            "endif" => drop(self.open.pop()),
            "define" => self.define(&rest),
            "undef" if self.open.is_empty() => {
                self.defined.insert(rest.trim().to_owned(), false);
            }
            _ => return,
        }
        let dead = self.open.iter().filter_map(|group| group.dead).max();
        self.mark(at, dead);
    }

    fn mark(&mut self, at: u32, dead: Option<bool>) {
        if self.dead.map(|(_, sure)| sure) == dead {
            return;
        }
        if let Some((start, sure)) = self.dead {
            self.found.push(Unlikely { span: Span::new(start, at), sure });
        }
        self.dead = dead.map(|sure| (at, sure));
    }

    fn begin(&mut self, holds: Option<bool>, likely: bool, is_guard: bool) {
        let mut group = Group { branches: vec![(holds, likely)], dead: None, is_guard };
        group.decide();
        self.open.push(group);
    }

    fn branch(&mut self, holds: Option<bool>, likely: bool) {
        if let Some(group) = self.open.last_mut() {
            group.branches.push((holds, likely));
            group.is_guard = false;
            group.decide();
        }
    }

    /// What is defined on a way that is surely taken, or behind a guard, is defined from there on.
    fn define(&mut self, rest: &str) {
        let name = rest.trim_start();
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len())];
        let surely = |group: &Group| group.is_guard || group.branches.last().is_some_and(|(holds, _)| holds.is_some());
        if self.open.iter().all(|group| group.dead.is_none() && surely(group)) {
            self.defined.entry(name.to_owned()).or_insert(true);
        }
    }

    fn is_defined(&self, name: &str) -> Option<bool> {
        if let Some(known) = self.defined.get(name) {
            return Some(*known);
        }
        match name {
            "__cplusplus" => Some(self.cpp),
            _ if ABSENT.contains(&name) => Some(false),
            _ if PRESENT.contains(&name) => Some(true),
            _ => None,
        }
    }

    fn holds(&self, text: &str) -> Option<bool> {
        let words = words(text);
        Condition { scan: self, words: &words, at: 0 }.any()
    }
}

impl Group {
    fn decide(&mut self) {
        let Some(((holds, likely), before)) = self.branches.split_last() else { return };
        let sure = *holds == Some(false) || before.iter().any(|(holds, _)| *holds == Some(true));
        let taken = before.iter().any(|(holds, likely)| holds.is_none() && *likely);
        let dead = sure || taken || holds.is_none() && !likely;
        self.dead = dead.then_some(sure);
    }
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at..].find("*/").map_or("", |end| &rest[at + end + 2..]);
    }
    out.push_str(rest.split("//").next().unwrap_or(rest));
    out
}

fn is_usual(name: &str) -> bool {
    USUAL.iter().any(|prefix| name.starts_with(prefix) || name.contains(&format!("_{prefix}")))
}

/// Whether a condition that nothing is known about is more likely met than not.
fn likely(text: &str) -> bool {
    let text = text.trim();
    match text.strip_prefix('!') {
        Some(rest) => !is_usual(rest.trim_start_matches("defined").trim_matches(&[' ', '(', ')'][..])),
        None => !text.contains("defined") || USUAL.iter().any(|prefix| text.contains(prefix)),
    }
}

/// The words and marks of a condition.
fn words(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '&' | '|' | '=' | '<' | '>' | '!' if rest[1..].starts_with(['&', '|', '=', '<', '>']) => 2,
            c => c.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        if !word.trim().is_empty() && word != "\\" {
            all.push(word);
        }
        rest = after;
    }
    all
}

/// Reads a condition as far as it is a matter of yes and no.
struct Condition<'a> {
    scan: &'a Scan,
    words: &'a [&'a str],
    at: usize,
}

impl Condition<'_> {
    fn next(&mut self) -> &str {
        let word = self.words.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        word
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn any(&mut self) -> Option<bool> {
        let mut holds = self.all();
        while self.takes("||") {
            holds = match (holds, self.all()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        }
        holds
    }

    fn all(&mut self) -> Option<bool> {
        let mut holds = self.compared();
        while self.takes("&&") {
            holds = match (holds, self.compared()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        holds
    }

    /// Numbers are not compared: what depends on them is not known.
    fn compared(&mut self) -> Option<bool> {
        let mut holds = self.one();
        while self.words.get(self.at).is_some_and(|word| !matches!(*word, "&&" | "||" | ")")) {
            self.at += 1;
            self.one();
            holds = None;
        }
        holds
    }

    fn one(&mut self) -> Option<bool> {
        if self.at > 4096 {
            return None;
        }
        if self.takes("!") {
            return self.one().map(|holds| !holds);
        }
        if self.takes("(") {
            let holds = self.any();
            self.takes(")");
            return holds;
        }
        if self.takes("defined") {
            let parenthesis = self.takes("(");
            let scan = self.scan;
            let defined = scan.is_defined(self.next());
            if parenthesis {
                self.takes(")");
            }
            return defined;
        }
        let scan = self.scan;
        let word = self.next().to_owned();
        if self.takes("(") {
            self.any();
            self.takes(")");
            return None;
        }
        match word.as_bytes().first() {
            Some(b'0') if word.trim_end_matches(&['u', 'U', 'l', 'L'][..]) == "0" => Some(false),
            Some(b'1'..=b'9') => Some(true),
            Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {
                scan.is_defined(&word).filter(|defined| !defined)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unlikely_c;

    /// The marked lines that are left.
    fn likely(text: &str) -> String {
        let dead = unlikely_c(text.as_bytes());
        let mut at = 0;
        let mut out = Vec::new();
        for line in text.lines() {
            if !line.starts_with('#') && !dead.iter().any(|dead| dead.span.contains(at)) {
                out.push(line);
            }
            at += line.len() as u32 + 1;
        }
        out.join(" ")
    }

    #[test]
    fn other_systems_are_not_likely() {
        assert_eq!(likely("#ifdef _WIN32\na\n#else\nb\n#endif\nc\n"), "b c");
        assert_eq!(likely("#if defined(__APPLE__) || defined(_AIX)\na\n#elif defined(__linux__)\nb\n#else\nc\n#endif\n"), "b");
        assert_eq!(likely("#if defined(_MSC_VER) && \\\n  _MSC_VER > 1000\na\n#endif\n"), "");
        assert_eq!(likely("#if 0\na\n#else\nb\n#endif\n"), "b");
    }

    #[test]
    fn what_nothing_is_known_about_goes_by_custom() {
        assert_eq!(likely("#ifdef HAVE_X\na\n#else\nb\n#endif\n"), "a");
        assert_eq!(likely("#ifdef SOME_TRACE\na\n#else\nb\n#endif\n"), "b");
        assert_eq!(likely("#ifndef A_H\n#define A_H\na\n#ifdef A_H\nb\n#endif\n#endif\n"), "a b");
        assert_eq!(likely("#ifndef HAVE_Y\na\n#endif\n"), "");
    }

    #[test]
    fn broken_conditions_end() {
        assert_eq!(likely("#if ((((\na\n#elif )(\nb\n"), "a");
    }
}
