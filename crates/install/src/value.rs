//! What is written for the server, as a small tree that can be printed on one line or on several.

/// A value of JSON, as far as it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Text(String),
    True,
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    pub(crate) fn texts(texts: impl IntoIterator<Item = impl Into<String>>) -> Json {
        Json::List(texts.into_iter().map(|text| Json::Text(text.into())).collect())
    }

    /// On one line.
    pub(crate) fn inline(&self) -> String {
        match self {
            Json::Text(text) => quoted(text),
            Json::True => "true".to_owned(),
            Json::List(items) => {
                format!("[{}]", items.iter().map(Json::inline).collect::<Vec<_>>().join(", "))
            }
            Json::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), value.inline()));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Maps on several lines, everything else on one.
    pub(crate) fn pretty(&self, indent: &str, unit: &str, end: &str) -> String {
        let Json::Map(entries) = self else { return self.inline() };
        let inner = format!("{indent}{unit}");
        let row =
            |(key, value): &(String, Json)| format!("{end}{inner}{}: {}", quoted(key), value.pretty(&inner, unit, end));
        format!("{{{}{end}{indent}}}", entries.iter().map(row).collect::<Vec<_>>().join(","))
    }
}

/// A text as JSON and TOML both write it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
