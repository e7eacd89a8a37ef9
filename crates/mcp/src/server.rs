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
use crate::{Options, Store, ToolSet, instructions, prompts, resources, tools};

/// The server. Clones share the open projects.
#[derive(Clone)]
pub struct Server {
    tools: ToolSet,
    structured: bool,
    /// Whether a call may want to say which project it is about.
    several: bool,
    projects: Arc<Projects>,
    store: Store,
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
        let several = options.folders.len() > 1 || !options.roots.is_empty();
        let tools = if options.store.0.is_some() { ToolSet::Store } else { options.tools };
        let (structured, store) = (options.structured, options.store.clone());
        Server { tools, structured, several, projects: Arc::new(projects), store }
    }

    /// The open projects, which whatever else is served beside the protocol shares.
    pub fn projects(&self) -> &Arc<Projects> {
        &self.projects
    }

    /// Opens the project before the first question comes.
    pub fn warm(&self) {
        if self.store.0.is_some() {
            return;
        }
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
        let outcome = self.run(self.tool(name)?, given, &codegraph_index::Silent, Cancel::default());
        Some(self.result(outcome))
    }

    /// The tools as a client sees them.
    pub fn list(&self) -> ListToolsResult {
        let listed = |tool: &Tool| tool.listed(&tool.shown(self.tools, self.several), self.structured);
        ListToolsResult::with_all_items(tools::of(self.tools).map(listed).collect())
    }

    /// What a client is told when it connects.
    pub fn instructions(&self) -> String {
        match self.store.0 {
            Some(_) => instructions::of_store(),
            None => instructions::text(&self.projects),
        }
    }

    fn run(
        &self,
        tool: &'static Tool,
        given: serde_json::Map<String, serde_json::Value>,
        progress: &dyn codegraph_index::Progress,
        cancel: Cancel,
    ) -> anyhow::Result<Reply> {
        let args = Args::read(given, &tool.taken())?;
        let (tools, structured) = (self.tools, self.structured);
        let store = self.store.0.as_deref();
        let projects = &self.projects;
        (tool.run)(&Call { args, projects, store, progress, cancel, tools, structured, whole: false })
    }

    /// An answer for the model, or an error with what to do about it.
    fn result(&self, outcome: anyhow::Result<Reply>) -> CallToolResult {
        match outcome {
            Ok(reply) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
                result.structured_content = reply.data.and_then(|data| serde_json::from_str(&data).ok());
                result
            }
            Err(error) => self.refusal(&Failure::of(&error)),
        }
    }

    fn refusal(&self, failure: &Failure) -> CallToolResult {
        let message = clipped(&failure.message, MOST_CHARACTERS);
        let remedy = failure.remedy.as_ref().map(|remedy| tools::dialect(self.tools).remedy(remedy));
        let hint = remedy.map(|remedy| clipped(&remedy, MOST_CHARACTERS));
        let hint = hint.unwrap_or_else(|| {
            tools::named("check the arguments and the state of the project (codegraph_status)", self.tools)
        });
        let mut result = CallToolResult::error(vec![ContentBlock::text(format!("error: {message}\nhint: {hint}\n"))]);
        result.structured_content = self.structured.then(|| json!({"error": message, "hint": hint}));
        result
    }
}

/// Errors repeat what was given, which may be long.
const MOST_CHARACTERS: usize = 600;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let mut about = Implementation::new("codegraph", env!("CARGO_PKG_VERSION"));
        about.title = Some("codegraph".into());
        ServerConfig::new(can).with_server_info(about).with_instructions(self.instructions())
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
        let server = self.clone();
        let told = Told::new(&context);
        let given = request.arguments.unwrap_or_default();
        let cancel = Cancel::default();
        let waited = cancel.clone();
        let work = tokio::task::spawn_blocking(move || server.run(tool, given, &told, waited));
        tokio::select! {
            done = work => Ok(match done {
                Ok(outcome) => self.result(outcome),
                Err(panic) => self.refusal(&Failure {
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
        let dialect = tools::dialect(self.tools);
        let work = tokio::task::spawn_blocking(move || resources::read(&projects, &request.uri, dialect));
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
        prompts::get(&request.name, &request.arguments.unwrap_or_default(), self.tools).map(Into::into)
    }
}
