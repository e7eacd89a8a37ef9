//! Lists of texts in settings that others write to as well: ours are put in front, and taken out one by one.

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;

use crate::error::{Edit, Problem};
use crate::json::{Spot, body, insert, parse, remove};
use crate::value::{Json, quoted};

/// Puts texts into a list, which is made if it is not there.
pub(crate) fn extend(text: &str, keys: &[&str], name: &str, wanted: &[String]) -> Result<Edit, Problem> {
    let value = Json::texts(wanted.iter().cloned());
    let spot = Spot { keys, name, value: &value };
    if body(text).trim().is_empty() {
        return insert(text, &spot);
    }
    let root = parse(text)?;
    let Some(list) = list(&root, keys, name) else { return insert(text, &spot) };
    let missing: Vec<&String> = wanted.iter().filter(|one| !texts(list).any(|there| there == one.as_str())).collect();
    if missing.is_empty() {
        return Ok(Edit::Same);
    }
    let at = text.len() - body(text).len() + list.start() + 1;
    let lead = lead(text, at, list);
    let mut inserted: String = missing.iter().map(|one| format!("{lead}{},", quoted(one))).collect();
    if list.elements.is_empty() {
        inserted.pop();
    }
    Ok(Edit::Added { text: format!("{}{inserted}{}", &text[..at], &text[at..]), inserted })
}

/// Takes texts out of a list; nothing if none of them is there.
pub(crate) fn withdraw(text: &str, keys: &[&str], name: &str, ours: &[String]) -> Result<Option<String>, Problem> {
    if body(text).trim().is_empty() {
        return Ok(None);
    }
    let value = Json::texts(ours.iter().cloned());
    let root = parse(text)?;
    let Some(there) = list(&root, keys, name) else { return Ok(None) };
    let all: Vec<&str> = texts(there).collect();
    if !all.iter().any(|one| ours.iter().any(|own| own == one)) {
        return Ok(None);
    }
    if all.iter().all(|one| ours.iter().any(|own| own == one)) {
        return remove(text, &Spot { keys, name, value: &value });
    }
    let shift = text.len() - body(text).len();
    let mut out = text.to_owned();
    // From the end, so that places before stay what they are.
    for (place, element) in there.elements.iter().enumerate().rev() {
        let Value::StringLit(one) = element else { continue };
        if ours.iter().any(|own| own == one.value.as_ref()) {
            out = without(&out, shift, there, place);
        }
    }
    Ok(Some(out))
}

/// A text without an element, the white space before it, and the comma that belongs to it.
fn without(text: &str, shift: usize, list: &Array<'_>, place: usize) -> String {
    let element = &list.elements[place];
    let (mut start, mut end) = (shift + element.start(), shift + element.end());
    let comma = text[end..].find(|c: char| !c.is_whitespace()).filter(|at| text[end + at..].starts_with(','));
    match comma {
        Some(at) => end += at + 1,
        // The last one: the comma before it goes.
        None => start = text[..start].trim_end().trim_end_matches(',').len(),
    }
    start -= text[..start].len() - text[..start].trim_end().len();
    format!("{}{}", &text[..start], &text[end..])
}

/// What stands before each element of a list.
fn lead(text: &str, at: usize, list: &Array<'_>) -> String {
    let Some(first) = list.elements.first() else { return " ".to_owned() };
    let between = &text[at..text.len() - body(text).len() + first.start()];
    let white = &between[..between.len() - between.trim_start().len()];
    if white.contains('\n') { white.to_owned() } else { String::new() }
}

fn list<'d, 't>(root: &'d Object<'t>, keys: &[&str], name: &str) -> Option<&'d Array<'t>> {
    let mut at = root;
    for key in keys {
        at = at.get_object(key)?;
    }
    at.get_array(name)
}

fn texts<'d>(list: &'d Array<'_>) -> impl Iterator<Item = &'d str> {
    list.elements.iter().filter_map(|element| match element {
        Value::StringLit(text) => Some(text.value.as_ref()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTS: &[&str] = &[
        "",
        "{}",
        "{\n  \"permissions\": {}\n}\n",
        "{\"permissions\":{\"allow\":[\"x\"]}}",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"x\", // mine\n      \"y\"\n    ]\n  }\n}\n",
        "{\"permissions\": {\"allow\": [\"x\", \"y\"], \"deny\": []}}",
    ];

    #[test]
    fn what_was_put_into_a_list_is_taken_out_byte_for_byte() {
        let ours = ["a".to_owned(), "b".to_owned()];
        for document in DOCUMENTS {
            let Ok(Edit::Added { text, .. }) = extend(document, &["permissions"], "allow", &ours) else {
                panic!("{document}")
            };
            assert_eq!(extend(&text, &["permissions"], "allow", &ours), Ok(Edit::Same), "{text}");
            let back = withdraw(&text, &["permissions"], "allow", &ours);
            assert_eq!(back, Ok(Some((*document).to_owned())), "{text}");
        }
    }

    #[test]
    fn what_others_wrote_between_stays() {
        let text = "{\"allow\": [\"a\", \"mine\", \"b\"]}";
        let ours = ["a".to_owned(), "b".to_owned()];
        let back = withdraw(text, &[], "allow", &ours);
        assert_eq!(back, Ok(Some("{\"allow\": [ \"mine\"]}".to_owned())));
        assert_eq!(withdraw("{\"allow\": [\"mine\"]}", &[], "allow", &ours), Ok(None));
    }
}
