//! The protocol's side: lists tools, resources and prompts, and runs calls on blocking threads.

use std::sync::Arc;

use codegraph_query::Cancel;
use codegraph_runtime::{Failure, Projects};
use codegraph_text::human::clipped;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use crate::args::Args;
use crate::call::{Call, Reply};
use crate::progress::Told;
use crate::tool::Tool;
use crate::{Options, ToolSet, prompts, resources, tools};

/// Sent once to every client.
const INSTRUCTIONS: &str = "codegraph knows this project's code: definitions, references, calls, types, docs. Ask it \
before you search or read files: answers are exact, short and always fresh. Start with codegraph_context (a task in words); \
codegraph_find locates symbols, codegraph_get prints one, codegraph_callers and codegraph_impact say who depends on \
it. `symbol` takes a name, a qualified name or the end of one, FILE:LINE or an id; a list asks about several. `path` is the folder \
of another indexed project; by default it is the one the server was started in. Lists end with a cursor if there is \
more; max_tokens is never exceeded.";

/// The server. Clones share the open projects.
#[derive(Clone)]
pub struct Server {
    tools: ToolSet,
    projects: Arc<Projects>,
}

impl Server {
    pub fn new(options: &Options) -> Server {
        let home = options.folders.first().cloned().unwrap_or_else(|| ".".into());
        let home = home.canonicalize().unwrap_or(home);
        let roots = [options.folders.as_slice(), &options.roots].concat();
        let projects = Projects::new(&home, &roots);
        for folder in options.folders.iter().skip(1).rev() {
            // A folder that is no project is refused when it is asked about.
            let _ = projects.get(Some(&folder.canonicalize().unwrap_or_else(|_| folder.clone())));
        }
        Server { tools: options.tools, projects: Arc::new(projects) }
    }

    /// Opens the project before the first question comes.
    pub(crate) fn warm(&self) {
        let projects = Arc::clone(&self.projects);
        tokio::task::spawn_blocking(move || {
            // Whatever is wrong is said when somebody asks.
            let _ = projects.get(None).map(|served| served.session().map(drop));
        });
    }

    fn tool(&self, name: &str) -> Option<&'static Tool> {
        tools::of(self.tools).find(|tool| tool.full_name() == name)
    }

    /// Calls a tool in the way a client does, without a client.
    pub fn call(&self, name: &str, arguments: serde_json::Value) -> Option<CallToolResult> {
        let given = arguments.as_object().cloned().unwrap_or_default();
        Some(result(run(self.tool(name)?, given, &self.projects, &codegraph_index::Silent, Cancel::default())))
    }

    /// The tools as a client sees them.
    pub fn list(&self) -> ListToolsResult {
        ListToolsResult::with_all_items(tools::of(self.tools).map(Tool::listed).collect())
    }
}

fn run(
    tool: &'static Tool,
    given: serde_json::Map<String, serde_json::Value>,
    projects: &Projects,
    progress: &dyn codegraph_index::Progress,
    cancel: Cancel,
) -> anyhow::Result<Reply> {
    let args = Args::read(given, &tool.taken())?;
    (tool.run)(&Call { args, projects, progress, cancel })
}

/// An answer for the model, or an error with what to do about it.
fn result(outcome: anyhow::Result<Reply>) -> CallToolResult {
    match outcome {
        Ok(reply) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
            result.structured_content = reply.data;
            result
        }
        Err(error) => refusal(&Failure::of(&error)),
    }
}

/// Errors repeat what was given, which may be long.
const MOST_CHARACTERS: usize = 600;

fn refusal(failure: &Failure) -> CallToolResult {
    let message = clipped(&failure.message, MOST_CHARACTERS);
    let hint = failure.remedy.as_ref().map(|remedy| clipped(&tools::DIALECT.remedy(remedy), MOST_CHARACTERS));
    let hint = hint.unwrap_or_else(|| "check the arguments and the state of the project (codegraph_status)".into());
    let mut result = CallToolResult::error(vec![ContentBlock::text(format!("error: {message}\nhint: {hint}\n"))]);
    result.structured_content = Some(json!({"error": message, "hint": hint}));
    result
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let mut about = Implementation::new("codegraph", env!("CARGO_PKG_VERSION"));
        about.title = Some("codegraph".into());
        ServerConfig::new(can).with_server_info(about).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(self.list())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tool(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        };
        let projects = Arc::clone(&self.projects);
        let told = Told::new(&context);
        let given = request.arguments.unwrap_or_default();
        let cancel = Cancel::default();
        let waited = cancel.clone();
        let work = tokio::task::spawn_blocking(move || run(tool, given, &projects, &told, waited));
        tokio::select! {
            done = work => Ok(match done {
                Ok(outcome) => result(outcome),
                Err(panic) => refusal(&Failure {
                    message: format!("{} failed inside codegraph: {panic}", tool.full_name()),
                    remedy: Some("this is a bug, please report it; other calls still work".into()),
                    broken_pipe: false,
                }),
            }
            .into()),
            () = context.ct.cancelled() => {
                // The work sees it; nobody waits for what it says.
                cancel.cancel();
                Err(ErrorData::internal_error("the call was cancelled", None))
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let projects = Arc::clone(&self.projects);
        let work = tokio::task::spawn_blocking(move || resources::read(&projects, &request.uri));
        work.await.map_err(|panic| ErrorData::internal_error(panic.to_string(), None))?.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, &request.arguments.unwrap_or_default()).map(Into::into)
    }
}
