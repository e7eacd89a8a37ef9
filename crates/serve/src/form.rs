//! The arguments of a question as an address has them: `symbol=a%20b&kinds=call&kinds=read`.

use serde_json::{Map, Value};

/// Reads the part of an address behind the question mark. What is given several times is a list.
pub(crate) fn read(query: &str) -> Map<String, Value> {
    let mut found = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = Value::String(decoded(value));
        match found.entry(decoded(name)) {
            serde_json::map::Entry::Vacant(free) => {
                free.insert(value);
            }
            serde_json::map::Entry::Occupied(mut taken) => match taken.get_mut() {
                Value::Array(list) => list.push(value),
                one => *one = Value::Array(vec![one.take(), value]),
            },
        }
    }
    found
}

/// Undoes percent encoding; what is none stays as it is.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |byte: Option<&u8>| byte.and_then(|byte| (*byte as char).to_digit(16));
        match (bytes[at], hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', ..) => out.push(b' '),
            (byte, ..) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_read_as_browsers_write_them() {
        let read = |text: &str| Value::Object(read(text));
        assert_eq!(read("symbol=a%20b+c&depth=2"), json!({"symbol": "a b c", "depth": "2"}));
        assert_eq!(read("kinds=call&kinds=read&kinds=x"), json!({"kinds": ["call", "read", "x"]}));
        assert_eq!(read("a=%zz%2&%E2%82%AC=1&flag"), json!({"a": "%zz%2", "€": "1", "flag": ""}));
        assert_eq!(read(""), json!({}));
    }
}
