//! Which branches of conditionals a common build does not take.
//!
//! Other systems and compilers than the usual ones are not there, what a file defines itself is, and of a condition that
//! nothing is known about it is guessed by custom: `HAVE_X` holds, `DEBUG_X` does not, a guard is passed.

use std::collections::HashMap;

use codegraph_model::Span;

use super::condition::{Known, Meaning, Names, words};
use crate::table::{Condition, Conditional, STANDARDS, USUAL_STANDARD, Unlikely};

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
    "__NVCC__", "__CUDA_ARCH__", "__NVCOMPILER", "__PGI", "__HIP__", "__EDG__", "__wasm__", "__wasi__", "__AVX__",
    "__AVX2__", "__AVX512F__", "__ARM_NEON", "__ARM_NEON__", "__riscv", "__s390x__", "__loongarch__",
    "__SANITIZE_ADDRESS__", "__SANITIZE_THREAD__", "__cpp_modules", "__cpp_lib_format", "_MSVC_LANG",
    "__STRICT_ANSI__", "__CHAR_UNSIGNED__", "__FAST_MATH__", "__KERNEL__", "__ICL", "__ibmxl__",
];

/// Beginnings of names that usually hold.
const USUAL: &[&str] = &["HAVE_", "USE_", "ENABLE_", "WITH_", "HAS_"];
/// Parts of names that do: behind the name of a library the others are what a user may ask for.
const USUAL_PARTS: &[&str] = &["_HAVE_", "_HAS_"];

/// Of a condition so many names are kept.
const MOST_ATOMS: usize = 6;

/// How many lines a default may be behind the question whether it is needed.
const NEAR: usize = 24;

/// The text of branches that a build of C is not likely to have.
pub(crate) fn unlikely_c(source: &[u8]) -> Conditional {
    conditional(source, None)
}

/// The same for C++, under each of its standards if the text asks for that.
pub(crate) fn unlikely_cpp(source: &[u8]) -> Conditional {
    let mut usual = conditional(source, Some(STANDARDS[USUAL_STANDARD]));
    let asks = [&b"__cplusplus"[..], b"__cpp_", b"__has_feature"];
    if asks.iter().any(|word| memchr::memmem::find(source, word).is_some()) {
        let all: Vec<_> = STANDARDS.iter().map(|standard| conditional(source, Some(*standard)).unlikely).collect();
        if all.iter().any(|own| *own != usual.unlikely) {
            usual.by_standard = all;
        }
    }
    usual
}

pub(super) fn unlikely(source: &[u8], cpp: bool) -> Vec<Unlikely> {
    conditional(source, cpp.then_some(STANDARDS[USUAL_STANDARD])).unlikely
}

fn conditional(source: &[u8], standard: Option<u32>) -> Conditional {
    let found = Conditional::default();
    let mut scan = Scan { defined: HashMap::new(), open: Vec::new(), found, dead: None, standard };
    let mut at = 0;
    while at < source.len() {
        let end = line_end(source, at);
        let line = source[at..end].trim_ascii();
        if let Some(directive) = line.strip_prefix(b"#") {
            let text = directive.trim_ascii_start();
            let start = text.as_ptr() as usize - source.as_ptr() as usize;
            scan.directive(&String::from_utf8_lossy(text), (at as u32, start as u32), &source[end..]);
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
    /// What each branch so far asks for itself; none where it is more than names.
    asks: Vec<Option<Vec<Atom>>>,
    /// Where the branch at hand starts.
    start: u32,
    /// A default is given, or a file guarded: what is in it is there either way.
    is_default: bool,
}

/// A macro that a condition names.
#[derive(Clone, Copy, Debug)]
struct Atom {
    name: Span,
    holds: bool,
    by_value: bool,
}

struct Scan {
    /// What the file itself defines or takes back.
    defined: HashMap<String, Known>,
    open: Vec<Group>,
    found: Conditional,
    /// Where the unlikely text at hand starts, and whether it is surely left out.
    dead: Option<(u32, bool)>,
    standard: Option<u32>,
}

impl Scan {
    /// A line of the preprocessor: where it starts, and where its text behind the sign does.
    fn directive(&mut self, text: &str, (at, start): (u32, u32), after: &[u8]) {
        let word = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (word, written) = text.split_at(word);
        let rest = without_comments(written);
        let asks = match word {
            "if" | "elif" => self.atoms(written, start + word.len() as u32),
            "ifdef" | "ifndef" => named(written, start + word.len() as u32, word == "ifdef"),
            _ => Some(Vec::new()),
        };
        let name = rest.split_whitespace().next().unwrap_or_default();
        match word {
            "if" => {
                let default = negated(&rest).is_some_and(|name| gives_default(name, after));
                let likely = default || asked(&rest).is_some_and(|name| is_used(name, after)) || self.likely(&rest);
                self.begin(self.holds(&rest), likely, default, default);
            }
            "ifdef" => {
                let likely = is_used(name, after) || self.likely_defined(name);
                self.begin(self.is_defined(name, false), likely, false, false);
            }
            "ifndef" => {
                let default = gives_default(name, after);
                let holds = self.is_defined(name, false).map(|defined| !defined);
                self.begin(holds, default || !self.likely_defined(name), true, default);
            }
            "elif" => {
                self.end_branch(at);
                self.branch(self.holds(&rest), self.likely(&rest));
            }
            "else" => {
                self.end_branch(at);
                self.branch(Some(true), true);
            }
            "endif" => {
                self.end_branch(at);
                self.open.pop();
            }
            "define" => self.define(&rest),
            "undef" => self.learn(name.to_owned(), Meaning::Undefined),
            _ => return,
        }
        if let Some(group) = self.open.last_mut().filter(|_| word.starts_with("if") || word.starts_with("el")) {
            group.asks.push(asks);
            group.start = at;
        }
        let dead = self.open.iter().filter_map(|group| group.dead).max();
        self.mark(at, dead);
    }

    /// Notes what the branch that ends depends on, as far as the file does not decide it.
    fn end_branch(&mut self, at: u32) {
        let Some(group) = self.open.last() else { return };
        let Some(((holds, _), before)) = group.branches.split_last() else { return };
        if group.is_default || group.dead == Some(true) {
            return;
        }
        let span = Span::new(group.start, at);
        let mut all = Some(Vec::new());
        if holds.is_none() {
            all = group.asks.last().cloned().flatten();
        }
        for ((holds, _), asks) in before.iter().zip(&group.asks) {
            let negated = match (holds, asks.as_deref()) {
                (Some(_), _) => continue,
                (None, Some([one])) => Some(Atom { holds: !one.holds, ..*one }),
                _ => None,
            };
            all = all.zip(negated).map(|(mut all, one)| {
                all.push(one);
                all
            });
        }
        match all {
            Some(all) => self.found.conditions.extend(all.into_iter().take(MOST_ATOMS).map(|atom| Condition {
                span,
                name: atom.name,
                holds: atom.holds,
                by_value: atom.by_value,
            })),
            // What nobody can decide stays a guess.
            None if group.dead.is_some() => {
                let name = Span::new(0, 0);
                self.found.conditions.push(Condition { span, name, holds: false, by_value: false });
            }
            None => {}
        }
    }

    /// The macros of a condition that asks for several at once; nothing if it asks for more than names.
    fn atoms(&self, text: &str, start: u32) -> Option<Vec<Atom>> {
        if text.contains("||") || text.contains('?') {
            return None;
        }
        let text = text.split("//").next().unwrap_or(text);
        let mut all = Vec::new();
        let mut at = start;
        for term in text.split("&&") {
            let own = at;
            at += term.len() as u32 + 2;
            let plain = without_comments(term);
            match self.holds(&plain) {
                Some(true) => continue,
                Some(false) => return None,
                None => {}
            }
            let mut words = words(&plain);
            words.retain(|word| !matches!(*word, "(" | ")"));
            let (holds, words) = match &words[..] {
                ["!", rest @ ..] => (false, rest),
                rest => (true, rest),
            };
            let (name, by_value) = match words {
                ["defined", name] => (*name, false),
                [name] => (*name, true),
                _ => return None,
            };
            if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                return None;
            }
            let place = own + term.find(name)? as u32;
            all.push(Atom { name: Span::new(place, place + name.len() as u32), holds, by_value });
        }
        Some(all)
    }

    fn mark(&mut self, at: u32, dead: Option<bool>) {
        if self.dead.map(|(_, sure)| sure) == dead {
            return;
        }
        if let Some((start, sure)) = self.dead {
            self.found.unlikely.push(Unlikely { span: Span::new(start, at), sure });
        }
        self.dead = dead.map(|sure| (at, sure));
    }

    fn begin(&mut self, holds: Option<bool>, likely: bool, is_guard: bool, is_default: bool) {
        let branches = vec![(holds, likely)];
        let mut group = Group { branches, dead: None, is_guard, asks: Vec::new(), start: 0, is_default };
        group.decide();
        self.open.push(group);
    }

    fn branch(&mut self, holds: Option<bool>, likely: bool) {
        if let Some(group) = self.open.last_mut() {
            group.branches.push((holds, likely));
            group.is_guard = false;
            group.is_default = false;
            group.decide();
        }
    }

    fn define(&mut self, rest: &str) {
        let text = rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (name, text) = text.split_at(end);
        let meaning = match text.strip_prefix('(').and_then(|text| text.split_once(')')) {
            Some((params, body)) => {
                let params = params.split(',').map(|param| param.trim().to_owned()).collect();
                Meaning::Function(params, body.trim().to_owned())
            }
            None => Meaning::Text(text.trim().to_owned()),
        };
        self.learn(name.to_owned(), meaning);
    }

    /// What stands on a way that is surely taken, or behind a guard, is so from there on; on a likely way, likely.
    fn learn(&mut self, name: String, meaning: Meaning) {
        let dead = self.open.iter().filter_map(|group| group.dead).max();
        if dead == Some(false) {
            // It may be so all the same: what was known is no longer sure.
            if let Some(known) = self.defined.get_mut(&name) {
                known.sure = false;
            }
        }
        if dead.is_some() {
            return;
        }
        let surely = |group: &Group| group.is_guard || group.branches.last().is_some_and(|(holds, _)| holds.is_some());
        let sure = self.open.iter().all(surely);
        match self.defined.get(&name) {
            Some(known) if known.sure && !sure => {}
            _ => drop(self.defined.insert(name, Known { meaning, sure })),
        }
    }

    fn names(&self, guesses: bool) -> Names<'_> {
        let guesses = guesses.then_some(is_usual as fn(&str) -> bool);
        Names { own: &self.defined, absent: ABSENT, standard: self.standard, guesses }
    }

    fn is_defined(&self, name: &str, guesses: bool) -> Option<bool> {
        self.names(guesses).is_defined(name)
    }

    fn holds(&self, text: &str) -> Option<bool> {
        self.names(false).value(text).map(|value| value != 0)
    }

    fn likely_defined(&self, name: &str) -> bool {
        self.is_defined(name, true).unwrap_or_else(|| is_usual(name))
    }

    /// Whether a condition that is not sure is more likely met than not.
    fn likely(&self, text: &str) -> bool {
        match self.names(true).value(text) {
            Some(value) => value != 0,
            None => likely(text),
        }
    }
}

/// The macro that stands alone behind a word.
fn named(text: &str, start: u32, holds: bool) -> Option<Vec<Atom>> {
    let name = text.trim_start();
    let place = start + (text.len() - name.len()) as u32;
    let length = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    let name = Span::new(place, place + length as u32);
    (length > 0).then(|| vec![Atom { name, holds, by_value: false }])
}

/// The name of `!defined(NAME)`.
fn negated(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix('!')?.trim_start().strip_prefix("defined")?;
    let name = name.trim_matches(&[' ', '(', ')'][..]);
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(name)
}

/// The name of `defined(NAME)`.
fn asked(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix("defined")?.trim_matches(&[' ', '(', ')'][..]);
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(name)
}

/// Whether the next line gives another name to what was asked for: by custom it is there then.
fn is_used(name: &str, after: &[u8]) -> bool {
    let line = after.split(|b| *b == b'\n').next().unwrap_or_default();
    let Some(define) =
        line.trim_ascii().strip_prefix(b"#").and_then(|line| line.trim_ascii_start().strip_prefix(b"define"))
    else {
        return false;
    };
    let text = String::from_utf8_lossy(define);
    // What a compiler is recognised by starts like this.
    !name.starts_with('_') && words(&text).into_iter().skip(1).any(|word| word == name)
}

/// Whether what follows defines a name that is not there: it is asked for to give it a default, or to guard a file.
fn gives_default(name: &str, after: &[u8]) -> bool {
    let lines = after.split(|b| *b == b'\n').take(NEAR);
    let mut depth = 0;
    for line in lines {
        let Some(directive) = line.trim_ascii().strip_prefix(b"#") else { continue };
        let directive = directive.trim_ascii_start();
        match directive {
            _ if directive.starts_with(b"if") => depth += 1,
            _ if directive.starts_with(b"endif") && depth == 0 => return false,
            _ if directive.starts_with(b"el") && depth == 0 => return false,
            _ if directive.starts_with(b"endif") => depth -= 1,
            _ => {}
        }
        if let Some(rest) = directive.strip_prefix(b"define") {
            let rest = rest.trim_ascii_start();
            let own = rest.strip_prefix(name.as_bytes());
            if own.is_some_and(|end| end.first().is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_')) {
                return true;
            }
        }
    }
    false
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
    USUAL.iter().any(|prefix| name.starts_with(prefix)) || USUAL_PARTS.iter().any(|part| name.contains(part))
}

/// The same where nothing at all is known about it.
fn likely(text: &str) -> bool {
    let text = text.trim();
    match text.strip_prefix('!') {
        Some(rest) => !is_usual(rest.trim_start_matches("defined").trim_matches(&[' ', '(', ')'][..])),
        // One of several values is not the likely one.
        None if text.contains("==") => false,
        None => !text.contains("defined") || words(text).into_iter().any(is_usual),
    }
}

#[cfg(test)]
mod tests {
    use super::unlikely_c;

    /// The marked lines that are left.
    fn likely(text: &str) -> String {
        let dead = unlikely_c(text.as_bytes()).unlikely;
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
        assert_eq!(
            likely("#if defined(__APPLE__) || defined(_AIX)\na\n#elif defined(__linux__)\nb\n#else\nc\n#endif\n"),
            "b"
        );
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
    fn numbers_are_compared() {
        assert_eq!(
            likely("#define V 3\n#if V >= 4 || V * 2 == 7\na\n#elif (V & 1) && V < 0x10UL\nb\n#else\nc\n#endif\n"),
            "b"
        );
        assert_eq!(likely("#define AT(a, b) (a * 100 + b)\n#if AT(2, 1) > 200\na\n#else\nb\n#endif\n"), "a");
        assert_eq!(likely("#if __STDC_VERSION__ >= 199901L\na\n#else\nb\n#endif\n"), "a");
        assert_eq!(likely("#define X X\n#if X > 1\na\n#endif\n"), "a");
    }

    #[test]
    fn a_default_is_there_and_counts() {
        let text = "#ifndef LIB_USE_X\n#if SOMETHING\n#define LIB_USE_X 1\n#else\n#define LIB_USE_X 0\n#endif\n#endif\n\
                    #if LIB_USE_X\na\n#else\nb\n#endif\n";
        assert_eq!(likely(text), "a");
        assert_eq!(likely("#ifdef LIB_USE_X\na\n#else\nb\n#endif\n"), "b");
        let text = "#undef A\n#ifdef SOME\n#define A\n#endif\n#ifdef A\na\n#endif\n";
        assert!(unlikely_c(text.as_bytes()).unlikely.iter().all(|unlikely| !unlikely.sure));
    }

    #[test]
    fn broken_conditions_end() {
        assert_eq!(likely("#if ((((\na\n#elif )(\nb\n"), "a");
    }
}
