//! `/api/openapi.json`: the questions and their parameters, written from the one table that tools are listed from.

use codegraph_mcp::Question;
use serde_json::{Map, Value, json};

/// The document for what a server answers.
pub(crate) fn document(write: bool) -> String {
    let questions = Question::all().filter(|question| write || !question.writes());
    let paths: Map<String, Value> =
        questions.map(|question| (format!("/api/{}", question.name()), path(&question))).collect();
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "codegraph",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The questions of codegraph. An answer is what the command of that name prints as `data` with --json.",
        },
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    });
    document.to_string()
}

fn path(question: &Question) -> Value {
    let operation = |more: (&str, Value)| {
        let mut operation = json!({
            "operationId": question.name(),
            "summary": question.about(),
            "responses": {
                "200": {"description": "the answer", "content": {"application/json": {"schema": {"type": "object"}}}},
                "400": {"description": "why there is none: `error`, and `hint`, which says what to do"},
            },
        });
        operation[more.0] = more.1;
        operation
    };
    let params = question.params();
    let parameter = |(name, schema, needed): &(&str, Value, bool)| {
        let explode = schema["type"] == "array";
        json!({"name": name, "in": "query", "required": needed, "schema": schema, "explode": explode})
    };
    let properties: Map<String, Value> =
        params.iter().map(|(name, schema, _)| ((*name).to_owned(), schema.clone())).collect();
    let needed: Vec<&str> = params.iter().filter(|(.., needed)| *needed).map(|(name, ..)| *name).collect();
    let schema = json!({"type": "object", "properties": properties, "required": needed});
    let body = json!({"content": {"application/json": {"schema": schema}}});
    let mut post = operation(("requestBody", body));
    if question.writes() {
        return json!({"post": post});
    }
    post["operationId"] = format!("{}_post", question.name()).into();
    let get = operation(("parameters", params.iter().map(parameter).collect()));
    json!({"get": get, "post": post})
}
