//! Settings in JSON, with or without comments. The server is put right behind the brace that opens the map of servers:
//! one insertion, whatever stands around it, and one that can be recognised and taken out again.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::error::{Edit, Problem};
use crate::value::{Json, quoted};

/// Where something stands in a document: the keys down to it, its own key, and what it is.
pub(crate) struct Spot<'a> {
    pub(crate) keys: &'a [&'a str],
    pub(crate) name: &'a str,
    pub(crate) value: &'a Json,
}

impl Spot<'_> {
    /// The keys from `level` on, as maps around the value.
    fn from(&self, level: usize) -> (String, Json) {
        let names: Vec<&str> = self.keys.iter().copied().chain([self.name]).collect();
        let around = names[level + 1..].iter().rev();
        let value = around.fold(self.value.clone(), |value, key| Json::Map(vec![((*key).to_owned(), value)]));
        (names[level].to_owned(), value)
    }

    /// A document with nothing else in it, without a line end.
    pub(crate) fn document(&self) -> String {
        Json::Map(vec![self.from(0)]).pretty("", "  ", "\n")
    }
}

/// Puts a value into a document.
pub(crate) fn insert(text: &str, spot: &Spot<'_>) -> Result<Edit, Problem> {
    if body(text).trim().is_empty() {
        let inserted = spot.document();
        return Ok(Edit::Added { text: format!("{text}{inserted}"), inserted });
    }
    let root = parse(text)?;
    let mut at = &root;
    for (level, key) in spot.keys.iter().enumerate() {
        match at.get(key) {
            Some(ObjectProp { value: Value::Object(inner), .. }) => at = inner,
            Some(other) => return Err(Problem::at(body(text), other.start(), format!("'{key}' is not an object"))),
            None => return Ok(added(text, at, &spot.from(level))),
        }
    }
    match at.get(spot.name) {
        None => Ok(added(text, at, &spot.from(spot.keys.len()))),
        Some(there) if is_equal(&there.value, spot.value) => Ok(Edit::Same),
        Some(_) => Ok(Edit::Differs),
    }
}

/// What the command of an entry is, if there is one that starts our server.
pub(crate) fn command(text: &str, keys: &[&str], name: &str) -> Result<Option<String>, Problem> {
    if body(text).trim().is_empty() {
        return Ok(None);
    }
    let root = parse(text)?;
    let mut at = &root;
    for key in keys {
        match at.get_object(key) {
            Some(inner) => at = inner,
            None => return Ok(None),
        }
    }
    let Some(entry) = at.get_object(name) else { return Ok(None) };
    let texts = |key: &str| -> Vec<String> {
        let list = entry.get_array(key).map(|list| list.elements.as_slice()).unwrap_or_default();
        list.iter().filter_map(|item| Some(item.as_string_lit()?.value.to_string())).collect()
    };
    let line = match entry.get_string("command") {
        Some(command) => [vec![command.value.to_string()], texts("args")].concat(),
        None => texts("command"),
    };
    Ok(line
        .split_first()
        .filter(|(_, rest)| rest.first().is_some_and(|word| word == "mcp"))
        .map(|(first, _)| first.clone()))
}

/// What an entry starts or asks, whoever wrote it; nothing if there is none.
pub(crate) fn says(text: &str, keys: &[&str], name: &str) -> Option<String> {
    let root = parse(text).ok()?;
    let mut at = &root;
    for key in keys {
        at = at.get_object(key)?;
    }
    let entry = at.get_object(name)?;
    let list = |key: &str| {
        let list = entry.get_array(key).map(|list| list.elements.as_slice()).unwrap_or_default();
        list.iter().filter_map(|item| Some(item.as_string_lit()?.value.to_string())).collect::<Vec<_>>()
    };
    let word = |key: &str| entry.get_string(key).map(|text| text.value.to_string());
    let line = word("command").into_iter().chain(list("command")).chain(list("args")).collect::<Vec<_>>().join(" ");
    Some(line).filter(|line| !line.is_empty()).or_else(|| word("url")).or_else(|| word("httpUrl"))
}

/// Takes a value out of a document. `None` if it is not there; an empty text where nothing else was in it.
pub(crate) fn remove(text: &str, spot: &Spot<'_>) -> Result<Option<String>, Problem> {
    if let Some(rest) = text.strip_suffix(&spot.document()).filter(|rest| body(rest).trim().is_empty()) {
        return Ok(Some(rest.to_owned()));
    }
    let root = parse(text)?;
    let mut chain: Vec<(&Object<'_>, &ObjectProp<'_>)> = Vec::new();
    let mut at = &root;
    for key in spot.keys.iter().chain([&spot.name]) {
        let Some(prop) = at.get(key) else { return Ok(None) };
        chain.push((at, prop));
        if let Value::Object(inner) = &prop.value {
            at = inner;
        }
    }
    // The outermost insertion that gives exactly this text is the one that was made.
    let exact = (0..chain.len()).find_map(|level| {
        let alone = chain[level + 1..].iter().all(|(object, _)| object.properties.len() == 1);
        if alone { taken_back(text, chain[level], spot) } else { None }
    });
    let (object, prop) = chain[chain.len() - 1];
    Ok(Some(exact.unwrap_or_else(|| cut_out(text, object, prop))))
}

/// The text from which inserting gives this one, if the property was inserted into its object.
fn taken_back(text: &str, (object, prop): (&Object<'_>, &ObjectProp<'_>), spot: &Spot<'_>) -> Option<String> {
    let shift = text.len() - body(text).len();
    let (start, end) = (shift + object.start() + 1, shift + prop.end());
    let ends = [Some(end + 1).filter(|_| text[end..].starts_with([',', ' '])), Some(end)];
    ends.into_iter().flatten().find_map(|end| {
        let before = format!("{}{}", &text[..start], &text[end..]);
        match insert(&before, spot) {
            Ok(Edit::Added { text: again, .. }) if again == text => Some(before),
            _ => None,
        }
    })
}

/// Removes a property with the comma that belongs to it and the white space before it.
fn cut_out(text: &str, object: &Object<'_>, prop: &ObjectProp<'_>) -> String {
    let shift = text.len() - body(text).len();
    let place = object.properties.iter().position(|one| one.start() == prop.start()).unwrap_or(0);
    let (mut start, mut end) = (shift + prop.start(), shift + prop.end());
    let next = object.properties.get(place + 1);
    match (next, place) {
        // Up to the comma; what stands behind it may be a comment on the line.
        (Some(next), _) => end += text[end..shift + next.start()].find(',').map_or(0, |comma| comma + 1),
        (None, 0) => {}
        (None, _) => {
            let trailing = text[end..shift + object.end()].trim_start().starts_with(',');
            let last = shift + object.properties[place - 1].end();
            match (trailing, text[last..start].find(',')) {
                (true, _) => end += text[end..].find(',').map_or(0, |comma| comma + 1),
                (false, Some(comma)) => {
                    let kept = text[last + comma + 1..start].trim_end();
                    return format!("{}{kept}{}", &text[..last + comma], &text[end..]);
                }
                (false, None) => {}
            }
        }
    }
    start -= text[..start].len() - text[..start].trim_end().len();
    format!("{}{}", &text[..start], &text[end..])
}

fn added(text: &str, object: &Object<'_>, (key, value): &(String, Json)) -> Edit {
    let shift = text.len() - body(text).len();
    let at = shift + object.start() + 1;
    let name = quoted(key);
    let inserted = match object.properties.first() {
        None => format!(" {name}: {} ", value.inline()),
        Some(first) if text[at..shift + first.start()].contains('\n') => {
            let indent = indent(text, shift + first.start());
            let outer = self::indent(text, at - 1);
            let unit = indent.strip_prefix(outer).filter(|unit| !unit.is_empty()).unwrap_or("  ");
            let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            format!("{end}{indent}{name}: {},", value.pretty(indent, unit, end))
        }
        Some(_) => format!(" {name}: {},", value.inline()),
    };
    Edit::Added { text: format!("{}{inserted}{}", &text[..at], &text[at..]), inserted }
}

/// The white space that the line of a byte begins with.
fn indent(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// The text without the mark that some editors put before it.
pub(crate) fn body(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

pub(crate) fn parse(text: &str) -> Result<Object<'_>, Problem> {
    let text = body(text);
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(result) => match result.value {
            Some(Value::Object(object)) => Ok(object),
            Some(other) => Err(Problem::at(text, other.start(), "not an object")),
            None => Err(Problem::at(text, 0, "nothing but comments")),
        },
        Err(error) => Err(Problem::at(text, error.range().start, error.kind().to_string().to_lowercase())),
    }
}

fn is_equal(there: &Value<'_>, wanted: &Json) -> bool {
    match (there, wanted) {
        (Value::StringLit(text), Json::Text(wanted)) => text.value == wanted.as_str(),
        (Value::BooleanLit(value), Json::True) => value.value,
        (Value::Array(list), Json::List(wanted)) => {
            list.elements.len() == wanted.len() && list.elements.iter().zip(wanted).all(|(a, b)| is_equal(a, b))
        }
        // Keys that somebody added are theirs.
        (Value::Object(object), Json::Map(wanted)) => {
            wanted.iter().all(|(key, value)| object.get(key).is_some_and(|there| is_equal(&there.value, value)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(value: &Json) -> Spot<'_> {
        Spot { keys: &["servers"], name: "me", value }
    }

    fn value() -> Json {
        Json::Map(vec![("command".into(), Json::text("x")), ("args".into(), Json::texts(["mcp"]))])
    }

    fn inserted(text: &str) -> String {
        match insert(text, &spot(&value())) {
            Ok(Edit::Added { text, .. }) => text,
            other => panic!("{other:?}"),
        }
    }

    const DOCUMENTS: &[&str] = &[
        "",
        " \n",
        "{}",
        "{ }",
        "{\n}\n",
        "{ /* nothing */ }",
        "{\"a\":1}",
        "{\"servers\":{}}",
        "{\n  \"servers\": {}\n}\n",
        "{\n  \"servers\": {\n  }\n}\n",
        "{\n  // ours\n  \"a\": [1, 2,], // tail\n}\n",
        "{\n\t\"servers\": {\n\t\t\"other\": {\"command\": \"y\"} // keep\n\t\t/* and this */\n\t},\n\t\"z\": null\n}",
        "{\r\n    \"servers\": {\r\n        \"other\": {},\r\n    },\r\n}\r\n",
        "\u{feff}{\n  \"a\": true\n}\n",
        "{ // first\n  \"a\": 1 }",
        "{\n  \"servers\": { \"b\": {} },\n  \"c\": \"}\"\n}\n",
    ];

    #[test]
    fn what_was_inserted_is_taken_out_byte_for_byte() {
        for document in DOCUMENTS {
            let after = inserted(document);
            assert_eq!(insert(&after, &spot(&value())), Ok(Edit::Same), "{after}");
            assert_eq!(command(&after, &["servers"], "me"), Ok(Some("x".to_owned())), "{after}");
            assert_eq!(remove(&after, &spot(&value())), Ok(Some((*document).to_owned())), "{after}");
        }
    }

    #[test]
    fn an_insertion_looks_like_its_neighbours() {
        assert_eq!(
            inserted("{\n\t\"a\": 1\n}"),
            "{\n\t\"servers\": {\n\t\t\"me\": {\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t},\n\t\"a\": 1\n}"
        );
        assert_eq!(
            inserted("{\"servers\": {}}"),
            "{\"servers\": { \"me\": {\"command\": \"x\", \"args\": [\"mcp\"]} }}"
        );
    }

    #[test]
    fn an_entry_that_was_moved_or_changed_is_cut_out() {
        let removed = |text: &str| remove(text, &spot(&value())).expect("it parses").expect("it is there");
        assert_eq!(removed("{\"servers\": {\"a\": 1, \"me\": {\"env\": {}}}}"), "{\"servers\": {\"a\": 1}}");
        assert_eq!(
            removed("{\n  \"servers\": {\n    \"a\": 1, // one\n    \"me\": {},\n  }\n}"),
            "{\n  \"servers\": {\n    \"a\": 1, // one\n  }\n}"
        );
        assert_eq!(removed("{\"servers\": {\"me\": {}, \"a\": 1}}"), "{\"servers\": { \"a\": 1}}");
        assert_eq!(removed("{\"servers\": {\"me\": {}}}"), "{\"servers\": {}}");
    }

    #[test]
    fn what_does_not_parse_is_named_with_its_line() {
        let line = |text: &str| insert(text, &spot(&value())).expect_err("it does not parse").line;
        assert_eq!(line("{\n  \"a\": 1\n  \"b\": 2\n}"), 2);
        assert_eq!(line("{\n  \"servers\": []\n}"), 2);
        assert_eq!(line("[1]"), 1);
        assert_eq!(line("{\n\n  oops\n}"), 3);
    }
}
