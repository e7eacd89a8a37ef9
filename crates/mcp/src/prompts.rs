//! Workflows that people start by name. Each is a text that tells a model which tools to use, in which order.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use crate::{ToolSet, tools};

struct Workflow {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// Name and meaning; all are needed.
    arguments: &'static [(&'static str, &'static str)],
    /// `{name}` stands for an argument.
    text: &'static str,
}

const WORKFLOWS: &[Workflow] = &[
    Workflow {
        name: "understand_project",
        title: "Understand this project",
        about: "What it is for, how it is built, where to start reading",
        arguments: &[],
        text: "Explain this project to an engineer who is new to it. Use codegraph_summary and codegraph_docs first, \
               then codegraph_map with max_tokens 4000 for its shape, and codegraph_signatures for the two or three \
               folders that matter most. Say what it is for, which parts it has and how they use each other, where \
               execution starts, and which five files to read first and why. Name files and lines.",
    },
    Workflow {
        name: "explain_symbol",
        title: "Explain a symbol",
        about: "What it does, who uses it, what it relies on",
        arguments: &[("symbol", "A name, qualified name or FILE:LINE")],
        text: "Explain `{symbol}`. Read it with codegraph_get; if the name is ambiguous, choose by the task at hand \
               and say so. Look at codegraph_callers and codegraph_callees, and read those that decide how it \
               behaves. Say what it does, what callers expect of it, what it relies on, and what is easy to get wrong.",
    },
    Workflow {
        name: "plan_change",
        title: "Plan a change",
        about: "What has to change, what may break, which tests tell",
        arguments: &[("change", "What should change, in words"), ("symbol", "The symbol that changes")],
        text: "Plan this change: {change}. It concerns `{symbol}`. Start with codegraph_map and the symbol as mention, \
               read the symbol with codegraph_get, and list what depends on it with codegraph_impact. For each dependent \
               say whether it has to change, and how. Candidates that could not be bound have to be looked at, not \
               assumed. End with the files to edit in order, and the tests that will tell whether it worked.",
    },
    Workflow {
        name: "rename_symbol",
        title: "Rename a symbol everywhere",
        about: "Every place that has to change, none that does not",
        arguments: &[("symbol", "The symbol"), ("new_name", "Its new name")],
        text: "Rename `{symbol}` to `{new_name}`. Check with codegraph_find that `{new_name}` is free where it will \
               stand. List all uses with codegraph_find_usages: proved ones have to change, those marked ? have to be \
               looked at one by one. Use codegraph_query with the old name for comments, strings and documents. Make \
               the edits, then ask codegraph_find_usages again: nothing of the old name should be left.",
    },
];

pub(crate) fn list() -> Vec<Prompt> {
    let argument = |(name, about): &(&'static str, &'static str)| {
        PromptArgument::new(*name).with_description(*about).with_required(true)
    };
    let prompt = |workflow: &Workflow| {
        let arguments = workflow.arguments.iter().map(argument).collect::<Vec<_>>();
        let arguments = (!arguments.is_empty()).then_some(arguments);
        Prompt::new(workflow.name, Some(workflow.about), arguments).with_title(workflow.title)
    };
    WORKFLOWS.iter().map(prompt).collect()
}

pub(crate) fn get(name: &str, given: &JsonObject, set: ToolSet) -> Result<GetPromptResult, ErrorData> {
    let Some(workflow) = WORKFLOWS.iter().find(|workflow| workflow.name == name) else {
        let names: Vec<&str> = WORKFLOWS.iter().map(|workflow| workflow.name).collect();
        let text = format!("there is no prompt '{name}'; the prompts are {}", names.join(", "));
        return Err(ErrorData::invalid_params(text, None));
    };
    let mut text = tools::named(workflow.text, set);
    for (argument, _) in workflow.arguments {
        let Some(value) = given.get(*argument).and_then(|value| value.as_str()) else {
            let text = format!("the argument '{argument}' of '{name}' is missing: give a string");
            return Err(ErrorData::invalid_params(text, None));
        };
        text = text.replace(&format!("{{{argument}}}"), value);
    }
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    Ok(result.with_description(workflow.about))
}
