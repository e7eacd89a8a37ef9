//! What the design documents name, taken at its word: every table and column can be read, every tool takes the parameters
//! and answers with the fields. `contract.json` is the list; `docs/conformance.md` is made from it.

use codegraph_index::Project;
use codegraph_query::Reader;
use codegraph_store::SqlLimits;
use serde_json::{Map, Value};

use crate::sample::Sample;

fn contract(part: &str) -> Map<String, Value> {
    let all: Value = serde_json::from_str(include_str!("../contract.json")).expect("the contract is JSON");
    all[part].as_object().expect("a part is an object").clone()
}

#[test]
fn every_table_of_the_documents_can_be_read_by_its_columns() {
    let sample = Sample::new();
    let project = Project::open(sample.folder.path()).expect("it is a project");
    let reader = Reader::open(project.root(), &project.index_path()).expect("an index");
    for (document, tables) in contract("tables") {
        for (table, columns) in tables.as_object().expect("tables with columns") {
            let columns: Vec<&str> = columns.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            let statement = format!("SELECT \"{}\" FROM \"{table}\" LIMIT 5", columns.join("\", \""));
            let answer = codegraph_query::sql(&reader, &statement, SqlLimits::rows(5));
            let answer = answer.unwrap_or_else(|error| panic!("{document}: {table}: {error}"));
            let answer = serde_json::to_value(answer).expect("JSON");
            // A name in quotes that is no column would be a text: the value of every row.
            for row in answer["rows"].as_array().expect("rows").iter().filter_map(Value::as_object) {
                let texts = columns.iter().filter(|column| row[**column] == **column && **column != "id");
                assert_eq!(texts.count(), 0, "{document}: {table}: {row:?}");
            }
            assert!(!answer["rows"].as_array().expect("rows").is_empty(), "{document}: {table} is empty");
        }
    }
    let keys = codegraph_query::sql(&reader, "SELECT key FROM metadata", SqlLimits::rows(50)).expect("metadata");
    let keys = serde_json::to_string(&keys).expect("JSON");
    for key in ["schema_version", "created_at", "project_name", "project_root"] {
        assert!(keys.contains(key), "{keys}");
    }
}

#[test]
fn every_tool_takes_the_parameters_and_gives_the_fields_of_the_documents() {
    let sample = Sample::structured();
    let mut wrong = Vec::new();
    for (tool, said) in contract("tools") {
        let (text, data, failed) = sample.answer(&tool, said["call"].clone());
        assert!(!failed, "{tool} {}: {text}", said["call"]);
        let data = data.expect("it has data");
        let fields = said["fields"].as_array().expect("a list").iter().filter_map(Value::as_str);
        wrong.extend(fields.filter(|field| !has(&data, field)).map(|field| format!("{tool}: {field}")));
        // One by one too: a parameter that is taken only beside another would not be known by its name.
        for name in said["call"].as_object().expect("an object").keys() {
            let (text, _) = sample.call(&tool, serde_json::json!({name: said["call"][name]}));
            assert!(!text.contains("there is no parameter"), "{tool} {name}: {text}");
        }
    }
    assert!(wrong.is_empty(), "fields that are not there: {}", wrong.join(", "));
}

/// Whether data has a field: `a.b`, or `a[].b` of some element.
fn has(data: &Value, field: &str) -> bool {
    match field.split_once('.') {
        None => match field.strip_suffix("[]") {
            Some(list) => data[list].is_array(),
            None => data.get(field).is_some(),
        },
        Some((first, rest)) => match first.strip_suffix("[]") {
            Some(list) => data[list].as_array().is_some_and(|list| list.iter().any(|one| has(one, rest))),
            None => data.get(first).is_some_and(|inner| has(inner, rest)),
        },
    }
}
