//! The parameters of tools: one table says what is taken, what the schema shows, and what is refused.

use codegraph_query::Selector;
use codegraph_runtime::Refusal;
use serde_json::{Map, Value, json};

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A whole number from so much on.
    Number(u64),
    Flag,
    Texts,
    /// A string, or several.
    TextOrTexts,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Files with the lines that changed in them.
    Edits,
}

/// One parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) needed: bool,
    /// Shown to models, in a few words.
    pub(crate) about: &'static str,
    /// Other words that mean the same: models mix up the tools that they know.
    pub(crate) also: &'static [&'static str],
    pub(crate) shown: Shown,
}

/// Who is told of a parameter. All are taken by all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Always,
    /// Not where the list has to be short.
    InFull,
    Never,
}

/// What a symbol is called elsewhere.
pub(crate) const SYMBOL_WORDS: &[&str] = &[
    "symbol", "name", "entity", "method", "function", "class", "term", "query", "place", "target", "target_name",
    "entity_id", "symbol_id", "symbol_name", "fqn", "id",
];
/// What a file is called elsewhere.
pub(crate) const FILE_WORDS: &[&str] = &["path", "file_path", "filename"];

impl Param {
    const fn new(name: &'static str, kind: Kind) -> Param {
        Param { name, kind, needed: false, about: "", also: &[], shown: Shown::Always }
    }

    pub(crate) const fn text(name: &'static str) -> Param {
        Param::new(name, Kind::Text)
    }

    pub(crate) const fn number(name: &'static str) -> Param {
        Param::new(name, Kind::Number(1))
    }

    pub(crate) const fn flag(name: &'static str) -> Param {
        Param::new(name, Kind::Flag)
    }

    pub(crate) const fn texts(name: &'static str) -> Param {
        Param::new(name, Kind::Texts)
    }

    pub(crate) const fn text_or_texts(name: &'static str) -> Param {
        Param::new(name, Kind::TextOrTexts)
    }

    pub(crate) const fn word(name: &'static str, words: &'static [&'static str]) -> Param {
        Param::new(name, Kind::Word(words))
    }

    pub(crate) const fn edits(name: &'static str) -> Param {
        Param::new(name, Kind::Edits)
    }

    pub(crate) const fn from(mut self, least: u64) -> Param {
        self.kind = Kind::Number(least);
        self
    }

    pub(crate) const fn needed(mut self) -> Param {
        self.needed = true;
        self
    }

    pub(crate) const fn about(mut self, about: &'static str) -> Param {
        self.about = about;
        self
    }

    pub(crate) const fn also(mut self, also: &'static [&'static str]) -> Param {
        self.also = also;
        self
    }

    pub(crate) const fn hidden(mut self) -> Param {
        self.shown = Shown::Never;
        self
    }

    pub(crate) const fn rare(mut self) -> Param {
        self.shown = Shown::InFull;
        self
    }

    /// As JSON schema, short.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Number(_) => json!({"type": "integer"}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            // A single string is taken too, but not every client understands a choice of types.
            Kind::TextOrTexts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Word(words) => json!({"type": "string", "enum": words}),
            Kind::Edits => json!({"type": "array", "items": {"type": "object", "properties": {
                "file": {"type": "string"}, "from_line": {"type": "integer"}, "to_line": {"type": "integer"}},
                "required": ["file"]}}),
        };
        if !self.about.is_empty() {
            schema["description"] = self.about.into();
        }
        schema
    }

    /// What it takes, in words.
    pub(crate) fn form(&self) -> String {
        match self.kind {
            Kind::Text => "a string".into(),
            Kind::Number(least) => format!("a whole number from {least}"),
            Kind::Flag => "true or false".into(),
            Kind::Texts => "a list of strings".into(),
            Kind::TextOrTexts => "a string or a list of strings".into(),
            Kind::Word(words) => format!("one of: {}", words.join(", ")),
            Kind::Edits => r#"a list like [{"file": "a.py", "from_line": 10, "to_line": 20}]"#.into(),
        }
    }

    /// The value in its one form, or nothing if it is none. Models write numbers and lists as text now and then.
    fn read(&self, value: Value) -> Option<Value> {
        match (self.kind, value) {
            (Kind::Text, value @ Value::String(_)) => Some(value),
            (Kind::Text, Value::Number(number)) => Some(number.to_string().into()),
            (Kind::Number(least), value) => {
                let number = value.as_str().map_or_else(|| value.as_u64(), |text| text.trim().parse().ok());
                let whole =
                    number.or_else(|| value.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64));
                whole.filter(|number| *number >= least).map(Value::from)
            }
            (Kind::Flag, value @ Value::Bool(_)) => Some(value),
            (Kind::Flag, Value::String(word)) => word.parse::<bool>().ok().map(Value::from),
            (Kind::TextOrTexts, Value::Number(number)) => Some(json!([number.to_string()])),
            (Kind::Texts | Kind::TextOrTexts, Value::String(text)) => match serde_json::from_str(&text) {
                Ok(Value::Array(list)) => self.read(Value::Array(list)),
                _ => Some(json!([text])),
            },
            (Kind::TextOrTexts, Value::Array(list)) if list.is_empty() => None,
            (Kind::Texts | Kind::TextOrTexts, Value::Array(list)) => {
                list.iter().all(Value::is_string).then_some(Value::Array(list))
            }
            (Kind::Word(words), Value::String(word)) => {
                let word = word.replace('-', "_");
                words.contains(&word.as_str()).then_some(Value::String(word))
            }
            (Kind::Edits, value @ Value::Array(_)) => Some(value),
            (Kind::Edits, Value::String(text)) => {
                serde_json::from_str(&text).ok().filter(Value::is_array).or(Some(json!([text])))
            }
            _ => None,
        }
    }
}

/// The arguments of a call, each in its one form.
#[derive(Debug, Default)]
pub(crate) struct Args(Map<String, Value>);

impl Args {
    /// Takes the arguments that a tool knows. `null` is the same as nothing. What a parameter is called here goes before
    /// what it is called elsewhere: `path` is the project where `file` is given, and the file where it is not.
    pub(crate) fn read(given: Map<String, Value>, params: &[&Param]) -> anyhow::Result<Args> {
        let given = given.into_iter().filter(|(_, value)| !value.is_null());
        let (own, other): (Vec<_>, Vec<_>) = given
            .map(|(name, value)| (name.replace('-', "_"), value))
            .partition(|(name, _)| params.iter().any(|param| param.name == name));
        let mut args = Map::new();
        for (name, value) in own.into_iter().chain(other) {
            let param = meant(&name, params, &args)?;
            let shown = value.to_string();
            let value = param.read(value).ok_or_else(|| {
                let shown: String = shown.chars().take(80).collect();
                Refusal::error(format!("'{name}' cannot be {shown}"), format!("give {}", param.form()))
            })?;
            let is_empty = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
            if param.needed && (is_empty(&value) || value.as_array().is_some_and(|list| list.iter().all(is_empty))) {
                return Err(Refusal::error(format!("'{name}' is empty"), format!("give {}", param.form())));
            }
            args.insert(param.name.to_owned(), value);
        }
        match params.iter().find(|param| param.needed && !args.contains_key(param.name)) {
            Some(missing) => Err(Refusal::error(
                format!("the parameter '{}' is missing", missing.name),
                format!("give {}", missing.form()),
            )),
            None => Ok(Args(args)),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The text, or an empty one.
    pub(crate) fn owned(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_owned()
    }

    /// What a parameter selects.
    pub(crate) fn selector(&self, name: &str) -> Selector {
        self.text(name).unwrap_or_default().into()
    }

    /// What a parameter selects that takes several.
    pub(crate) fn selectors(&self, name: &str) -> Vec<Selector> {
        self.texts(name).iter().map(|text| text.as_str().into()).collect()
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.0.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    pub(crate) fn raw(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

/// The parameter that a word stands for.
fn meant<'p>(name: &str, params: &[&'p Param], given: &Map<String, Value>) -> anyhow::Result<&'p Param> {
    if let Some(own) = params.iter().find(|param| param.name == name) {
        return Ok(own);
    }
    let like = || params.iter().filter(|param| param.also.contains(&name));
    let free = |param: &&&Param| !given.contains_key(param.name);
    if let Some(param) = like().filter(free).max_by_key(|param| param.needed) {
        return Ok(param);
    }
    if let Some(taken) = like().next() {
        return Err(Refusal::error(
            format!("'{name}' is another word for '{}', which is given too", taken.name),
            "give one of them",
        ));
    }
    let known: Vec<&str> = params.iter().filter(|param| param.shown != Shown::Never).map(|param| param.name).collect();
    Err(Refusal::error(format!("there is no parameter '{name}'"), format!("the parameters are {}", known.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &[&Param] = &[
        &Param::text("term").needed().also(SYMBOL_WORDS),
        &Param::number("limit"),
        &Param::texts("kinds"),
        &Param::word("mode", &["exact", "starts_with"]),
        &Param::flag("all"),
    ];

    fn read(given: Value) -> anyhow::Result<Args> {
        Args::read(given.as_object().cloned().unwrap_or_default(), PARAMS)
    }

    #[test]
    fn what_models_write_is_understood() {
        let args = read(json!({"term": "a", "limit": "5", "kinds": "class", "mode": "starts-with", "all": "true"}));
        let args = args.expect("all are fine");
        assert_eq!(args.number("limit"), Some(5));
        assert_eq!(args.texts("kinds"), ["class"]);
        assert_eq!(args.text("mode"), Some("starts_with"));
        assert!(args.flag("all"));
    }

    #[test]
    fn other_words_for_a_parameter_are_understood_once() {
        assert_eq!(read(json!({"symbol": "a"})).expect("another word").text("term"), Some("a"));
        assert_eq!(read(json!({"entity-id": 7})).expect("another word").text("term"), Some("7"));
        let twice = read(json!({"name": "a", "term": "b"})).expect_err("which of them?").to_string();
        assert_eq!(twice, "'name' is another word for 'term', which is given too");
        let params = [&Param::text("project").also(FILE_WORDS), &Param::text("file").needed().also(FILE_WORDS)];
        let both = |given: Value| {
            let args = Args::read(given.as_object().cloned().unwrap_or_default(), &params).expect("all are fine");
            (args.text("project").map(str::to_owned), args.owned("file"))
        };
        assert_eq!(both(json!({"path": "a.py"})), (None, "a.py".to_owned()));
        assert_eq!(both(json!({"path": "other", "file": "a.py"})), (Some("other".to_owned()), "a.py".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_remedy() {
        let refused = |given| {
            let failure = codegraph_runtime::Failure::of(&read(given).expect_err("it is wrong"));
            format!(
                "{} | {}",
                failure.message,
                failure.remedy.map(|remedy| remedy.advice().to_string()).unwrap_or_default()
            )
        };
        assert_eq!(refused(json!({})), "the parameter 'term' is missing | give a string");
        assert_eq!(refused(json!({"term": ["x"]})), "'term' cannot be [\"x\"] | give a string");
        assert_eq!(refused(json!({"term": "x", "limit": -1})), "'limit' cannot be -1 | give a whole number from 1");
        assert_eq!(refused(json!({"term": " "})), "'term' is empty | give a string");
        let unknown = "there is no parameter 'trem' | the parameters are term, limit, kinds, mode, all";
        assert_eq!(refused(json!({"trem": "x"})), unknown);
        let words = "'mode' cannot be \"fuzzy\" | give one of: exact, starts_with";
        assert_eq!(refused(json!({"term": "x", "mode": "fuzzy"})), words);
    }
}
