//! The value of a condition of the preprocessor, as far as it is known.
//!
//! Numbers are computed, macros of the file are expanded, the rest are those of one common compiler: what nothing is known
//! about has no value, and neither has what depends on it.

use std::collections::HashMap;

/// What a file says about a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Undefined,
    /// Defined as this text.
    Text(String),
    /// Takes parameters.
    Function(Vec<String>, String),
}

/// A meaning, and whether the way to it is surely taken.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) meaning: Meaning,
    pub(super) sure: bool,
}

/// Numbers of the compiler that is taken for the common one.
const NUMBERS: &[(&str, i64)] = &[
    ("__GNUC__", 4),
    ("__GNUC_MINOR__", 2),
    ("__GNUC_PATCHLEVEL__", 1),
    ("__clang__", 1),
    ("__clang_major__", 19),
    ("__clang_minor__", 1),
    ("__clang_patchlevel__", 0),
    ("__linux__", 1),
    ("__linux", 1),
    ("linux", 1),
    ("__unix__", 1),
    ("__unix", 1),
    ("unix", 1),
    ("__ELF__", 1),
    ("__STDC__", 1),
    ("__x86_64__", 1),
    ("__x86_64", 1),
    ("__amd64__", 1),
    ("__LP64__", 1),
    ("_LP64", 1),
    ("__SSE__", 1),
    ("__SSE2__", 1),
    ("__SIZEOF_INT128__", 16),
    ("__SIZEOF_POINTER__", 8),
    ("__SIZEOF_LONG__", 8),
    ("__CHAR_BIT__", 8),
    ("__BYTE_ORDER__", 1234),
    ("__ORDER_LITTLE_ENDIAN__", 1234),
    ("__ORDER_BIG_ENDIAN__", 4321),
    ("__GLIBC__", 2),
    ("__GLIBC_MINOR__", 36),
    ("NDEBUG", 1),
];

/// The same where the language is C++, and the standard that has them, the oldest first.
const CPP_NUMBERS: &[(&str, u32, i64)] = &[
    ("__EXCEPTIONS", 201103, 1),
    ("__GXX_RTTI", 201103, 1),
    ("__cpp_exceptions", 201103, 199711),
    ("__cpp_rtti", 201103, 199711),
    ("__cpp_alias_templates", 201103, 200704),
    ("__cpp_attributes", 201103, 200809),
    ("__cpp_decltype", 201103, 200707),
    ("__cpp_delegating_constructors", 201103, 200604),
    ("__cpp_inheriting_constructors", 201103, 201511),
    ("__cpp_initializer_lists", 201103, 200806),
    ("__cpp_lambdas", 201103, 200907),
    ("__cpp_nsdmi", 201103, 200809),
    ("__cpp_range_based_for", 201103, 200907),
    ("__cpp_raw_strings", 201103, 200710),
    ("__cpp_ref_qualifiers", 201103, 200710),
    ("__cpp_rvalue_references", 201103, 200610),
    ("__cpp_static_assert", 201103, 200410),
    ("__cpp_unicode_characters", 201103, 200704),
    ("__cpp_user_defined_literals", 201103, 200809),
    ("__cpp_variadic_templates", 201103, 200704),
    ("__cpp_constexpr", 201103, 200704),
    ("__cpp_constexpr", 201402, 201304),
    ("__cpp_constexpr", 201703, 201603),
    ("__cpp_constexpr", 202002, 202002),
    ("__cpp_aggregate_nsdmi", 201402, 201304),
    ("__cpp_binary_literals", 201402, 201304),
    ("__cpp_decltype_auto", 201402, 201304),
    ("__cpp_generic_lambdas", 201402, 201304),
    ("__cpp_init_captures", 201402, 201304),
    ("__cpp_return_type_deduction", 201402, 201304),
    ("__cpp_variable_templates", 201402, 201304),
    ("__cpp_aligned_new", 201703, 201606),
    ("__cpp_capture_star_this", 201703, 201603),
    ("__cpp_deduction_guides", 201703, 201703),
    ("__cpp_fold_expressions", 201703, 201603),
    ("__cpp_guaranteed_copy_elision", 201703, 201606),
    ("__cpp_if_constexpr", 201703, 201606),
    ("__cpp_inline_variables", 201703, 201606),
    ("__cpp_namespace_attributes", 201703, 201411),
    ("__cpp_noexcept_function_type", 201703, 201510),
    ("__cpp_nontype_template_args", 201703, 201411),
    ("__cpp_structured_bindings", 201703, 201606),
    ("__cpp_char8_t", 202002, 202207),
    ("__cpp_concepts", 202002, 201907),
    ("__cpp_conditional_explicit", 202002, 201806),
    ("__cpp_consteval", 202002, 202211),
    ("__cpp_constinit", 202002, 201907),
    ("__cpp_designated_initializers", 202002, 201707),
    ("__cpp_impl_coroutine", 202002, 201902),
    ("__cpp_impl_three_way_comparison", 202002, 201907),
    ("__cpp_if_consteval", 202302, 202106),
    ("__cpp_explicit_this_parameter", 202302, 202110),
    ("__cpp_multidimensional_subscript", 202302, 202110),
];

/// Features that a compiler has from C++14 on; those that it is asked for otherwise are older.
const FEATURES_14: &[&str] = &[
    "cxx_aggregate_nsdmi", "cxx_binary_literals", "cxx_contextual_conversions", "cxx_decltype_auto",
    "cxx_generic_lambdas", "cxx_init_captures", "cxx_relaxed_constexpr", "cxx_return_type_deduction",
    "cxx_variable_templates",
];

/// Questions about the compiler that are answered with yes.
const ASKED: &[&str] = &[
    "__has_attribute", "__has_builtin", "__has_cpp_attribute", "__has_c_attribute", "__has_feature", "__has_extension",
];

/// How far macros are expanded, and how long a condition may get by that.
const DEEPEST: u32 = 24;
const LONGEST: usize = 4096;

/// What is known where a condition stands.
pub(super) struct Names<'a> {
    pub(super) own: &'a HashMap<String, Known>,
    pub(super) absent: &'a [&'a str],
    /// The standard of C++, where it is that.
    pub(super) standard: Option<u32>,
    /// What the file only likely says counts too, and what nothing is known about goes by this custom.
    pub(super) guesses: Option<fn(&str) -> bool>,
}

impl Names<'_> {
    /// What the file says about a name.
    fn own(&self, name: &str) -> Option<&Meaning> {
        self.own.get(name).filter(|known| known.sure || self.guesses.is_some()).map(|known| &known.meaning)
    }

    pub(super) fn is_defined(&self, name: &str) -> Option<bool> {
        if let Some(meaning) = self.own(name) {
            return Some(!matches!(meaning, Meaning::Undefined));
        }
        if self.own.contains_key(name) {
            return None;
        }
        match name {
            "__cplusplus" => Some(self.standard.is_some()),
            "__STDC_VERSION__" => Some(self.standard.is_none()),
            _ if CPP_NUMBERS.iter().any(|(own, ..)| *own == name) => Some(self.number(name).is_some()),
            _ if self.absent.contains(&name) => Some(false),
            _ if self.number(name).is_some() || ASKED.contains(&name) || name == "__has_include" => Some(true),
            // Limits and types that a compiler has for its headers.
            _ if name.starts_with("__") && (name.ends_with("_TYPE__") || name.ends_with("_MAX__")) => Some(true),
            _ => self.guesses.map(|usual| usual(name)),
        }
    }

    fn number(&self, name: &str) -> Option<i64> {
        let of = |table: &[(&str, i64)]| table.iter().find(|(own, _)| *own == name).map(|(_, number)| *number);
        match (name, self.standard) {
            ("__STDC_VERSION__", None) => Some(201710),
            ("__cplusplus", Some(standard)) => Some(i64::from(standard)),
            (_, Some(standard)) => {
                let has = |(own, since, _): &&(&str, u32, i64)| *own == name && *since <= standard;
                of(NUMBERS).or_else(|| CPP_NUMBERS.iter().rfind(has).map(|(.., number)| *number))
            }
            (_, None) => of(NUMBERS),
        }
    }

    /// What the text of a condition comes to.
    pub(super) fn value(&self, text: &str) -> Option<i64> {
        let words = words(text).into_iter().map(str::to_owned).collect();
        self.value_of(words, 0)
    }

    fn value_of(&self, words: Vec<String>, depth: u32) -> Option<i64> {
        if depth > DEEPEST || words.len() > LONGEST {
            return None;
        }
        Reading { names: self, words, at: 0, depth }.ternary()
    }
}

/// The words and marks of a condition.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
        let length = match first {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '&' | '|' | '=' | '<' | '>' if rest[1..].starts_with(first) => 2,
            '=' | '<' | '>' | '!' if rest[1..].starts_with('=') => 2,
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

/// Reads an expression from the words that are left.
struct Reading<'a> {
    names: &'a Names<'a>,
    words: Vec<String>,
    at: usize,
    depth: u32,
}

/// Operators of two sides, the loosest first.
const OPERATORS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reading<'_> {
    fn takes(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|own| own == word);
        self.at += usize::from(found);
        found
    }

    fn ternary(&mut self) -> Option<i64> {
        let asked = self.binary(0);
        if !self.takes("?") {
            return asked;
        }
        let yes = self.ternary();
        self.takes(":");
        let no = self.ternary();
        if asked? != 0 { yes } else { no }
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(own) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        while let Some(operator) =
            own.iter().find(|operator| self.words.get(self.at).is_some_and(|word| word == *operator))
        {
            self.at += 1;
            let right = self.binary(level + 1);
            left = combined(operator, left, right);
        }
        left
    }

    fn unary(&mut self) -> Option<i64> {
        if self.at > LONGEST || self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let value = if self.takes("!") {
            self.unary().map(|value| i64::from(value == 0))
        } else if self.takes("-") {
            self.unary().map(i64::wrapping_neg)
        } else if self.takes("+") {
            self.unary()
        } else if self.takes("~") {
            self.unary().map(|value| !value)
        } else if self.takes("(") {
            let value = self.ternary();
            self.takes(")");
            value
        } else {
            self.one()
        };
        self.depth -= 1;
        value
    }

    fn one(&mut self) -> Option<i64> {
        let word = self.words.get(self.at)?.clone();
        self.at += 1;
        if word == "defined" {
            let parenthesis = self.takes("(");
            let name = self.words.get(self.at).cloned().unwrap_or_default();
            self.at += 1;
            if parenthesis {
                self.takes(")");
            }
            return self.names.is_defined(&name).map(i64::from);
        }
        match word.as_bytes().first()? {
            b'0'..=b'9' => number(&word),
            b if b.is_ascii_alphabetic() || *b == b'_' => self.named(&word),
            _ => None,
        }
    }

    fn named(&mut self, word: &str) -> Option<i64> {
        let arguments = self.arguments();
        match (self.names.own(word), arguments) {
            (Some(Meaning::Undefined), None) => return Some(0),
            (Some(Meaning::Text(text)), None) => return self.expanded(text, &[], &[]),
            (Some(Meaning::Function(params, text)), Some(arguments)) => return self.expanded(text, params, &arguments),
            (Some(_), _) => return None,
            (None, Some(arguments)) => return asked(word, &arguments, self.names.standard),
            (None, None) => {}
        }
        if self.names.own.contains_key(word) {
            return None;
        }
        match word {
            "true" => Some(1),
            "false" => Some(0),
            // That a name is not usual says nothing about its value.
            _ => {
                let sure = Names { guesses: None, ..*self.names };
                self.names.number(word).or((sure.is_defined(word) == Some(false)).then_some(0))
            }
        }
    }

    /// The arguments in the parentheses that follow, each as its words.
    fn arguments(&mut self) -> Option<Vec<Vec<String>>> {
        if !self.takes("(") {
            return None;
        }
        let mut all = vec![Vec::new()];
        let mut depth = 1;
        while let Some(word) = self.words.get(self.at) {
            self.at += 1;
            match word.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                "," if depth == 1 => {
                    all.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            all.last_mut().expect("there is one").push(word.clone());
        }
        Some(all)
    }

    fn expanded(&self, text: &str, params: &[String], arguments: &[Vec<String>]) -> Option<i64> {
        let mut out = Vec::new();
        for word in words(text) {
            match params.iter().position(|param| param == word) {
                Some(place) => out.extend(arguments.get(place).cloned().unwrap_or_default()),
                None => out.push(word.to_owned()),
            }
        }
        if out.is_empty() {
            return None;
        }
        self.names.value_of(out, self.depth + 1)
    }
}

/// What a common compiler says when it is asked.
fn asked(word: &str, arguments: &[Vec<String>], standard: Option<u32>) -> Option<i64> {
    let first = arguments.first().and_then(|words| words.first()).map(String::as_str);
    match word {
        // A header of the standard library has a plain name.
        "__has_include" => (first == Some("<") && arguments[0].len() == 3).then_some(1),
        _ if !ASKED.contains(&word) => None,
        _ if arguments.iter().flatten().any(|word| word.contains("sanitizer") || word == "modules") => Some(0),
        "__has_cpp_attribute" | "__has_c_attribute" => Some(201907),
        "__has_feature" if first.is_some_and(|first| FEATURES_14.contains(&first)) => {
            Some(i64::from(standard.is_some_and(|standard| standard >= 201402)))
        }
        _ => Some(1),
    }
}

fn combined(operator: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match (operator, left, right) {
        ("||", Some(value), _) | ("||", _, Some(value)) if value != 0 => return Some(1),
        ("&&", Some(0), _) | ("&&", _, Some(0)) => return Some(0),
        _ => {}
    }
    let (a, b) = (left?, right?);
    Some(match operator {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        _ => return None,
    })
}

fn number(word: &str) -> Option<i64> {
    let digits: String = word.chars().filter(|c| *c != '\'').collect();
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(&digits[1..], 8).ok(),
        None => digits.parse().ok(),
    }
}
