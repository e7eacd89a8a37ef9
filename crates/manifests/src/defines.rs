//! The macros that the descriptions of builds define, and the standard of C++ that they ask for, for a build that asks for nothing.
//!
//! Only what is said without a condition counts, or under one that is met by how options are set; what other systems and
//! compilers get does not.

use std::collections::BTreeMap;

use crate::{Layout, Manifest, Parsed};

/// A macro, and whether its value is not zero; nothing where it stays undefined.
type Defines = Vec<(String, Option<bool>)>;

/// Words of conditions that a common system does not meet.
const ELSEWHERE: &[&str] = &[
    "WIN32", "MSVC", "APPLE", "MINGW", "CYGWIN", "ANDROID", "IOS", "MSYS", "EMSCRIPTEN", "CMAKE_CROSSCOMPILING",
    "BORLAND", "MSVC_IDE", "WINCE", "WATCOM", "AIX", "HAIKU", "BUILD_SHARED_LIBS",
];
/// Words that it meets.
const HERE: &[&str] = &["UNIX", "LINUX", "CMAKE_COMPILER_IS_GNUCXX", "CMAKE_COMPILER_IS_GNUCC"];

/// Commands of CMake that define macros.
const DEFINING: &[&str] = &[
    "target_compile_definitions", "add_definitions", "add_compile_definitions", "add_compile_options",
    "target_compile_options",
];

/// What CMake takes for no when nobody has set it.
const UNSET: &[&str] = &["CMAKE_CXX_STANDARD", "CMAKE_CXX_FLAGS"];
/// The standard of compilers that are asked for none.
const USUAL: u32 = 201703;

/// What `CMakeLists.txt` says.
pub(crate) fn cmake(text: &str) -> Layout {
    let mut cmake = CMake::default();
    let text = without_comments(text);
    let mut rest = text.as_str();
    cmake.options =
        text.match_indices("option(").filter_map(|(at, _)| words(&text[at + 7..]).first().copied()).collect();
    while let Some(open) = rest.find('(') {
        let name = rest[..open].trim_end();
        let name = name.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        let length = closing(&rest[open..]);
        cmake.command(&name.to_ascii_lowercase(), &rest[open + 1..open + length]);
        rest = &rest[(open + length + 1).min(rest.len())..];
    }
    let set = |name: &str| cmake.variables.get(name).map(String::as_str);
    let flags = || set("CMAKE_CXX_FLAGS").and_then(standard_in);
    let standard = set("CMAKE_CXX_STANDARD").and_then(standard).or(cmake.standard).or_else(flags);
    Layout::building(cmake.found, standard)
}

#[derive(Default)]
struct CMake<'t> {
    /// Names that the text declares as options, somewhere.
    options: Vec<&'t str>,
    /// What targets ask for.
    standard: Option<u32>,
    /// What variables and options are set to.
    variables: BTreeMap<String, String>,
    /// For each open condition: whether it is met so far, and whether a branch before was.
    open: Vec<(Option<bool>, Option<bool>)>,
    found: Defines,
}

impl<'t> CMake<'t> {
    fn command(&mut self, name: &str, text: &str) {
        match name {
            "if" => {
                let met = self.condition(text);
                self.open.push((met, met));
            }
            "elseif" | "else" => {
                let own = if name == "else" { Some(true) } else { self.condition(text) };
                if let Some((met, before)) = self.open.last_mut() {
                    *met = match *before {
                        Some(true) => Some(false),
                        Some(false) => own,
                        None => None,
                    };
                    *before = before.zip(own).map(|(before, own)| before || own);
                }
            }
            "endif" => drop(self.open.pop()),
            // What others do with their arguments is theirs.
            "function" | "macro" | "foreach" | "while" => self.open.push((None, None)),
            "endfunction" | "endmacro" | "endforeach" | "endwhile" => drop(self.open.pop()),
            _ if self.open.iter().any(|(met, _)| met.is_none()) => {}
            "option" | "set" if self.is_met() => {
                let words = words(text);
                let value = if name == "option" { words.get(2) } else { words.get(1) };
                let value = value.map_or_else(String::new, |value| self.expanded(value));
                if let Some(name) = words.first() {
                    self.variables.insert((*name).to_owned(), value);
                }
            }
            "set_property" | "set_target_properties" | "set_source_files_properties" => {
                let words = words(text);
                if let Some(at) = words.iter().position(|word| *word == "COMPILE_DEFINITIONS") {
                    words[at + 1..].iter().for_each(|word| self.define(word));
                }
                if let Some(at) = words.iter().position(|word| *word == "CXX_STANDARD").filter(|_| self.is_met()) {
                    self.standard = self.standard.or(words.get(at + 1).and_then(|own| standard(&self.expanded(own))));
                }
            }
            // More than compilers have by themselves.
            "target_compile_features" if self.is_met() => {
                let wanted = words(text).into_iter().filter_map(|word| standard(word.strip_prefix("cxx_std_")?));
                self.standard = self.standard.max(wanted.max().filter(|wanted| *wanted > USUAL));
            }
            _ if DEFINING.contains(&name) => {
                let skip = usize::from(name.starts_with("target"));
                let options = name.ends_with("options");
                if self.is_met() {
                    self.standard = self.standard.or(standard_in(text));
                }
                for word in words(text).into_iter().skip(skip) {
                    if !options || word.starts_with("-D") {
                        self.define(word);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_met(&self) -> bool {
        self.open.iter().all(|(met, _)| *met == Some(true))
    }

    /// A macro that is defined, or would be if a condition were met.
    fn define(&mut self, word: &str) {
        let Some((word, met)) = self.generated(word).filter(|_| !matches!(word, "PUBLIC" | "PRIVATE" | "INTERFACE"))
        else {
            return;
        };
        let found = defined(self.expanded(word.trim_matches('"')).trim_start_matches("-D"));
        let met = met && self.is_met();
        self.found.extend(found.map(|(name, value)| (name, value.filter(|_| met))));
    }

    /// `$<condition:text>`: the text, and whether the condition is met.
    fn generated<'w>(&self, word: &'w str) -> Option<(&'w str, bool)> {
        let Some(inner) = word.strip_prefix("$<").and_then(|word| word.strip_suffix('>')) else {
            return Some((word, true));
        };
        if let Some(inner) = inner.strip_prefix("BUILD_INTERFACE:") {
            return self.generated(inner);
        }
        let (condition, text) = inner.rsplit_once(">:")?;
        let condition = condition.strip_prefix("$<")?;
        let (not, condition) = match condition.strip_prefix("NOT:$<BOOL:") {
            Some(rest) => (true, rest.strip_suffix('>')?),
            None => (false, condition.strip_prefix("BOOL:")?),
        };
        Some((text, is_true(&self.expanded(condition)) != not))
    }

    /// A text with the variables in it that are known; others are empty, as CMake has it.
    fn expanded(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            out.push_str(&rest[..at]);
            let end = rest[at..].find('}').map_or(rest.len(), |end| at + end);
            out.push_str(self.variables.get(&rest[at + 2..end]).map_or("", String::as_str));
            rest = &rest[(end + 1).min(rest.len())..];
        }
        out.push_str(rest);
        out
    }

    /// Whether a name that nothing has set so far has no value, as nobody else sets it.
    fn is_unset(&self, name: &str) -> bool {
        UNSET.contains(&name) || self.options.contains(&name)
    }

    /// Whether a condition is met, if that is known.
    fn condition(&self, text: &str) -> Option<bool> {
        let words = words(text);
        if words.contains(&"OR") {
            let parts = words.split(|word| *word == "OR").map(|part| self.all(part));
            let parts: Vec<_> = parts.collect();
            return if parts.contains(&Some(true)) {
                Some(true)
            } else if parts.iter().all(|part| *part == Some(false)) {
                Some(false)
            } else {
                None
            };
        }
        self.all(&words)
    }

    fn all(&self, words: &[&str]) -> Option<bool> {
        let parts: Vec<_> = words.split(|word| *word == "AND").map(|part| self.one(part)).collect();
        match () {
            () if parts.contains(&Some(false)) => Some(false),
            () if parts.iter().all(|part| *part == Some(true)) => Some(true),
            () => None,
        }
    }

    fn one(&self, words: &[&str]) -> Option<bool> {
        match words {
            ["NOT", rest @ ..] => self.one(rest).map(|met| !met),
            ["DEFINED", name] => match self.variables.contains_key(*name) {
                true => Some(true),
                false => self.is_unset(name).then_some(false),
            },
            [word] => {
                let word = word.trim_matches('"');
                match self.variables.get(word) {
                    _ if ELSEWHERE.contains(&word) => Some(false),
                    _ if HERE.contains(&word) => Some(true),
                    Some(value) => Some(is_true(value)),
                    None if word.starts_with("${") => Some(is_true(&self.expanded(word))),
                    None if self.is_unset(word) => Some(false),
                    None => is_constant(word),
                }
            }
            _ => None,
        }
    }
}

fn is_true(value: &str) -> bool {
    let value = value.trim_matches('"').to_ascii_uppercase();
    !matches!(value.as_str(), "" | "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND")
        && !value.ends_with("-NOTFOUND")
}

fn is_constant(word: &str) -> Option<bool> {
    match word {
        "ON" | "TRUE" | "YES" | "1" => Some(true),
        "OFF" | "FALSE" | "NO" | "0" => Some(false),
        _ => None,
    }
}

pub(crate) fn makefile(text: &str) -> Parsed {
    Ok(Manifest { layout: Layout::building(of_makefile(text), standard_in(text)), ..Manifest::default() })
}

pub(crate) fn autoconf(text: &str) -> Parsed {
    Ok(Manifest { layout: Layout::building(of_autoconf(text), standard_in(text)), ..Manifest::default() })
}

pub(crate) fn meson(text: &str) -> Parsed {
    Ok(Manifest { layout: Layout::building(of_meson(text), standard_in(text)), ..Manifest::default() })
}

/// The standard of C++ that the first option of a text asks for.
fn standard_in(text: &str) -> Option<u32> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(line));
    lines
        .flat_map(|line| line.split("std=").skip(1))
        .find_map(|rest| standard(rest.strip_prefix("gnu++").or(rest.strip_prefix("c++"))?))
}

/// A standard of C++ by its year, the two words that a name begins with.
fn standard(year: &str) -> Option<u32> {
    Some(match year.get(..2)? {
        "98" | "03" => 199711,
        "11" | "0x" => 201103,
        "14" | "1y" => 201402,
        "17" | "1z" => 201703,
        "20" | "2a" => 202002,
        "23" | "2b" | "26" | "2c" => 202302,
        _ => return None,
    })
}

/// What a makefile gives to the compiler: the `-D` of assignments outside of conditionals.
fn of_makefile(text: &str) -> Defines {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut assigns = false;
    let mut continued = false;
    for line in text.lines() {
        let plain = line.split('#').next().unwrap_or(line);
        let first = plain.split_whitespace().next().unwrap_or_default();
        match first {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" | "if" => depth += 1,
            "endif" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !continued {
            let before = plain.split("-D").next().unwrap_or(plain);
            assigns = !line.starts_with('\t') && before.contains('=');
        }
        if assigns && depth == 0 {
            found.extend(options(plain));
        }
        continued = plain.trim_end().ends_with('\\');
    }
    found
}

/// What `configure.ac` defines: always, or if it finds what it looks for. What hangs on a wish is left open.
fn of_autoconf(text: &str) -> Defines {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut of_big_endian = false;
    for line in text.lines() {
        let plain = line.split("dnl").next().unwrap_or(line);
        let command = plain.trim_start_matches([' ', '\t', '[', '(']);
        if depth == 0 && plain.contains("FLAGS") && !command.starts_with('#') {
            found.extend(options(plain));
        }
        of_big_endian |= plain.contains("AC_C_BIGENDIAN(");
        let (opens, closes) = shell_blocks(command);
        depth = depth.saturating_sub(usize::from(closes && !opens));
        for (at, c) in plain.char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                'A' if plain[at..].starts_with("AC_DEFINE") => {
                    let name = autoconf_name(&plain[at..]).filter(|_| !std::mem::take(&mut of_big_endian));
                    found.extend(name.filter(|(name, _)| depth == 0 || name.starts_with(FOUND)));
                }
                _ => {}
            }
        }
        depth += usize::from(opens && !closes);
    }
    found
}

/// Whether a line of shell opens a block, and whether it closes one.
fn shell_blocks(line: &str) -> (bool, bool) {
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let opens = match first {
        // Descriptions begin with such words too.
        "if" | "while" => ["test", "then", "$"].iter().any(|sign| line.contains(sign)),
        "case" | "for" => line.contains(" in"),
        _ => false,
    };
    let ends = |word: &str| matches!(word, "fi" | "esac" | "done");
    (opens, ends(first) || opens && words.next_back().is_some_and(ends))
}

/// How the names begin of what a build looks for.
const FOUND: &str = "HAVE_";

/// The name in `AC_DEFINE(NAME` and `AC_DEFINE_UNQUOTED([NAME]`.
fn autoconf_name(text: &str) -> Option<(String, Option<bool>)> {
    let rest = text.strip_prefix("AC_DEFINE")?;
    let rest = rest.strip_prefix("_UNQUOTED").unwrap_or(rest).strip_prefix('(')?;
    let rest = rest.trim_start().trim_start_matches('[');
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    defined(&rest[..end])
}

/// What `meson.build` gives to all compilers of the project.
fn of_meson(text: &str) -> Defines {
    let mut found = Vec::new();
    let mut depth = 0usize;
    for line in text.lines() {
        let plain = line.split('#').next().unwrap_or(line);
        match plain.split_whitespace().next().unwrap_or_default() {
            "if" | "foreach" => depth += 1,
            "endif" | "endforeach" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let quoted = plain.split(['\'', '"']).skip(1).step_by(2);
            found.extend(quoted.filter_map(|word| defined(word.strip_prefix("-D")?)));
        }
    }
    found
}

/// The macros of `-DNAME` and `-DNAME=value` in a line.
fn options(line: &str) -> Defines {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '='));
    let starts: Vec<usize> = words
        .filter(|word| word.starts_with("-D"))
        .map(|word| word.as_ptr() as usize - line.as_ptr() as usize + 2)
        .collect();
    starts
        .into_iter()
        .filter_map(|at| {
            let end = line[at..].find(char::is_whitespace).map_or(line.len(), |end| at + end);
            defined(&line[at..end])
        })
        .collect()
}

/// `NAME` or `NAME=value`.
fn defined(text: &str) -> Option<(String, Option<bool>)> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let whole = !name.is_empty() && name.chars().all(is_name) && !name.starts_with(|c: char| c.is_ascii_digit());
    whole.then(|| (name.to_owned(), Some(value.trim_matches(['"', '\'', '\\']) != "0")))
}

/// Words, and texts in quotes.
fn words(text: &str) -> Vec<&str> {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        !quoted && (c.is_whitespace() || matches!(c, ';' | '(' | ')'))
    };
    text.split(ends).filter(|word| !word.is_empty()).collect()
}

/// Where the parenthesis that a text begins with is closed.
fn closing(text: &str) -> usize {
    let (mut depth, mut quoted) = (0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth == 1 => return at,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let quotes = |at: usize| line[..at].matches('"').count() % 2 == 1;
        let end = line.match_indices('#').map(|(at, _)| at).find(|at| !quotes(*at)).unwrap_or(line.len());
        out.push_str(&line[..end]);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: Defines) -> String {
        let words = found.into_iter().map(|(name, value)| match value {
            Some(true) => name,
            Some(false) => format!("{name}=0"),
            None => format!("!{name}"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn cmake_follows_options() {
        let text = "option(WITH_A \"with a (or not)\" ON) # comment (\noption(WITH_B \"b\" OFF)\nset(C_DEFAULT ON)\noption(WITH_C c ${C_DEFAULT})\n\
            if(WITH_A)\n target_compile_definitions(lib PUBLIC HAS_A PRIVATE LEVEL=0)\nelse()\n add_definitions(-DNO_A)\nendif()\n\
            if(WITH_B AND UNIX)\n add_definitions(-DHAS_B)\nendif()\nif(WIN32)\nadd_definitions(-DWINDOWS)\nelseif(WITH_C)\n\
            set_property(TARGET x APPEND PROPERTY COMPILE_DEFINITIONS \"HAS_C\")\nendif()\n\
            if(FOUND_SOMETHING)\nadd_definitions(-DFOUND)\nendif()\n\
            target_compile_definitions(lib PUBLIC $<$<NOT:$<BOOL:${SHARED}>>:IS_STATIC> $<$<BOOL:${SHARED}>:IS_SHARED>)\n";
        assert_eq!(names(cmake(text).defines), "HAS_A !HAS_B HAS_C !IS_SHARED IS_STATIC LEVEL=0 !NO_A !WINDOWS");
    }

    #[test]
    fn builds_ask_for_a_standard() {
        let of = |text: &str| cmake(text).standard;
        let text = "if(USE_NEW)\n set(CMAKE_CXX_STANDARD 20)\nelseif(NOT CMAKE_CXX_STANDARD)\n set(CMAKE_CXX_STANDARD 11)\nendif()\n\
            option(USE_NEW \"x\" OFF)\n";
        assert_eq!(of(text), Some(201103));
        assert_eq!(of("if(NOT DEFINED CMAKE_CXX_STANDARD)\nset(CMAKE_CXX_STANDARD 14)\nendif()\n"), Some(201402));
        assert_eq!(of("target_compile_features(a PUBLIC cxx_std_11)\n"), None);
        assert_eq!(of("target_compile_features(a PUBLIC cxx_std_20)\n"), Some(202002));
        assert_eq!(of("set_target_properties(a PROPERTIES CXX_STANDARD 14)\n"), Some(201402));
        assert_eq!(
            of("if(MSVC)\nset(CMAKE_CXX_STANDARD 20)\nendif()\nadd_compile_options(-Wall -std=gnu++1y)\n"),
            Some(201402)
        );
        assert_eq!(standard_in("CXXFLAGS = -O2 -std=c++11\n"), Some(201103));
        assert_eq!(standard_in("project('a', default_options : ['cpp_std=c++20'])\n"), Some(202002));
        assert_eq!(standard_in("CFLAGS = -std=c99\n"), None);
    }

    #[test]
    fn makefiles_say_it_in_assignments() {
        let text = "CFLAGS= -O2 -DFIRST=1 \\\n  -DSECOND\nifeq ($(V),1)\nCFLAGS += -DTHIRD\nendif\nlinux:\n\t$(MAKE) F=-DFOURTH\n";
        assert_eq!(names(of_makefile(text)), "FIRST SECOND");
        assert_eq!(names(of_meson("add_project_arguments('-DM=1', language : 'c')\nif x\na += ['-DN']\nendif\n")), "M");
        assert_eq!(
            names(of_autoconf("AC_DEFINE([A_B],1,[x])\nAC_DEFINE_UNQUOTED(C, $x)\nCPPFLAGS=\"$CPPFLAGS -DE=2\"\n")),
            "A_B C E"
        );
        let text = "AC_ARG_ENABLE(x, [case $v in no) AC_DEFINE(WITHOUT_X, 1, [no x]) ;; esac])\n\
            if test $found = yes; then\n  AC_DEFINE(HAVE_Y, 1)\n  AC_DEFINE(USE_Y)\n  CFLAGS=\"$CFLAGS -DZ\"\nfi\n\
            AC_CHECK_LIB(q, f, [AC_DEFINE([HAVE_Q], 1)])\nAC_DEFINE(LAST)\n";
        assert_eq!(names(of_autoconf(text)), "HAVE_Y HAVE_Q LAST");
    }

    #[test]
    fn broken_text_ends() {
        for text in [
            "if(", "((((", ")", "set(", "option(", "$<", "target_compile_definitions(x $<a",
            "if(NOT)\nadd_definitions(-D)",
        ] {
            cmake(text);
            of_makefile(text);
            of_autoconf(text);
            of_meson(text);
        }
    }
}
