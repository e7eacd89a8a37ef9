//! The programs that can use the server: where their settings are and what has to stand in them. All of it is data.

use std::path::PathBuf;

use serde::Serialize;

use crate::places::Places;
use crate::value::Json;
use crate::{ARGUMENTS, Error, Result};

/// For whom the server is registered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// For everything that this user does.
    #[default]
    User,
    /// For everybody who works on the project: the files are in its folder.
    Project,
}

/// The folder that a path starts from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    Home,
    Application,
    Config,
    Project,
}

/// Where a file is: the first of these that exists, else the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileAt {
    pub(crate) base: Base,
    pub(crate) files: &'static [&'static str],
}

/// A field of what is written for the server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    /// The command alone.
    Command,
    /// What follows the command.
    Arguments,
    /// Both in one list.
    Line,
    Text(&'static str, &'static str),
    True(&'static str),
    /// A list of one text.
    Texts(&'static str, &'static str),
    /// A list of the tools that only read.
    Reading(&'static str),
}

/// A list, in a file of its own, of tools that are called without a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allow {
    pub(crate) user: Option<FileAt>,
    pub(crate) project: Option<FileAt>,
    pub(crate) keys: &'static [&'static str],
    pub(crate) name: &'static str,
    /// What stands before the name of a tool.
    pub(crate) prefix: &'static str,
    /// A list that is not there is not made: it would stand in for one that is kept elsewhere.
    pub(crate) only_extended: bool,
}

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    /// JSON, with or without comments: the keys down to the map of servers.
    Json { keys: &'static [&'static str], fields: &'static [Field] },
    /// TOML: the table of servers.
    Toml { table: &'static str },
}

/// A program that can use the server.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// The word for it.
    pub id: &'static str,
    pub name: &'static str,
    /// It is on this machine if one of these is there.
    pub(crate) signs: &'static [(Base, &'static str)],
    pub(crate) user: Option<FileAt>,
    pub(crate) project: Option<FileAt>,
    pub(crate) format: Format,
    pub(crate) allow: Option<Allow>,
    /// What it reads in every session of this user.
    pub(crate) notes: Option<FileAt>,
}

const PLAIN: Format = Format::Json { keys: &["mcpServers"], fields: &[Field::Command, Field::Arguments] };
/// Tools of a trusted server are called without a question; those of `--tools core` change nothing but the index.
const TRUSTED: Format =
    Format::Json { keys: &["mcpServers"], fields: &[Field::Command, Field::Arguments, Field::True("trust")] };
const TYPED: &[Field] = &[Field::Text("type", "stdio"), Field::Command, Field::Arguments];

const fn place(base: Base, files: &'static [&'static str]) -> Option<FileAt> {
    Some(FileAt { base, files })
}

/// All programs that are known, in the order in which they are shown.
pub const CLIENTS: &[Client] = &[
    Client {
        id: "claude",
        name: "Claude Code",
        signs: &[(Base::Home, ".claude.json"), (Base::Home, ".claude")],
        user: place(Base::Home, &[".claude.json"]),
        project: place(Base::Project, &[".mcp.json"]),
        format: Format::Json {
            keys: &["mcpServers"],
            fields: &[
                Field::Text("type", "stdio"),
                Field::Command,
                Field::Arguments,
                // Tools that are looked for first are seldom called.
                Field::True("alwaysLoad"),
            ],
        },
        allow: Some(Allow {
            user: place(Base::Home, &[".claude/settings.json"]),
            project: place(Base::Project, &[".claude/settings.json"]),
            keys: &["permissions"],
            name: "allow",
            prefix: "mcp__codegraph__",
            only_extended: false,
        }),
        notes: place(Base::Home, &[".claude/CLAUDE.md"]),
    },
    Client {
        id: "cursor",
        name: "Cursor",
        signs: &[(Base::Home, ".cursor")],
        user: place(Base::Home, &[".cursor/mcp.json"]),
        project: place(Base::Project, &[".cursor/mcp.json"]),
        format: PLAIN,
        allow: Some(Allow {
            user: place(Base::Home, &[".cursor/permissions.json"]),
            project: place(Base::Project, &[".cursor/permissions.json"]),
            keys: &[],
            name: "mcpAllowlist",
            prefix: "codegraph:",
            only_extended: true,
        }),
        notes: None,
    },
    Client {
        id: "codex",
        name: "Codex CLI",
        signs: &[(Base::Home, ".codex")],
        user: place(Base::Home, &[".codex/config.toml"]),
        project: place(Base::Project, &[".codex/config.toml"]),
        format: Format::Toml { table: "mcp_servers" },
        allow: None,
        notes: place(Base::Home, &[".codex/AGENTS.md"]),
    },
    Client {
        id: "vscode",
        name: "VS Code (Copilot)",
        signs: &[(Base::Application, "Code/User"), (Base::Home, ".vscode")],
        user: place(Base::Application, &["Code/User/mcp.json"]),
        project: place(Base::Project, &[".vscode/mcp.json"]),
        format: Format::Json { keys: &["servers"], fields: TYPED },
        allow: None,
        notes: None,
    },
    Client {
        id: "vscode-insiders",
        name: "VS Code Insiders",
        signs: &[(Base::Application, "Code - Insiders/User")],
        user: place(Base::Application, &["Code - Insiders/User/mcp.json"]),
        project: None,
        format: Format::Json { keys: &["servers"], fields: TYPED },
        allow: None,
        notes: None,
    },
    Client {
        id: "copilot",
        name: "GitHub Copilot CLI",
        signs: &[(Base::Home, ".copilot")],
        user: place(Base::Home, &[".copilot/mcp-config.json"]),
        project: None,
        format: Format::Json {
            keys: &["mcpServers"],
            fields: &[Field::Text("type", "local"), Field::Command, Field::Arguments, Field::Texts("tools", "*")],
        },
        allow: None,
        notes: place(Base::Home, &[".copilot/copilot-instructions.md"]),
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        signs: &[(Base::Home, ".gemini")],
        user: place(Base::Home, &[".gemini/settings.json"]),
        project: place(Base::Project, &[".gemini/settings.json"]),
        format: TRUSTED,
        allow: None,
        notes: place(Base::Home, &[".gemini/GEMINI.md"]),
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        signs: &[(Base::Home, ".codeium/windsurf")],
        user: place(Base::Home, &[".codeium/windsurf/mcp_config.json"]),
        project: None,
        format: PLAIN,
        allow: None,
        notes: place(Base::Home, &[".codeium/windsurf/memories/global_rules.md"]),
    },
    Client {
        id: "opencode",
        name: "opencode",
        signs: &[(Base::Config, "opencode"), (Base::Home, ".opencode")],
        user: place(Base::Config, &["opencode/opencode.json", "opencode/opencode.jsonc"]),
        project: place(Base::Project, &["opencode.json", "opencode.jsonc"]),
        format: Format::Json {
            keys: &["mcp"],
            fields: &[Field::Text("type", "local"), Field::Line, Field::True("enabled")],
        },
        allow: None,
        notes: place(Base::Config, &["opencode/AGENTS.md"]),
    },
    Client {
        id: "zed",
        name: "Zed",
        signs: &[(Base::Config, "zed")],
        user: place(Base::Config, &["zed/settings.json"]),
        project: place(Base::Project, &[".zed/settings.json"]),
        format: Format::Json {
            keys: &["context_servers"],
            fields: &[Field::Text("source", "custom"), Field::Command, Field::Arguments],
        },
        allow: None,
        notes: None,
    },
    Client {
        id: "claude-desktop",
        name: "Claude Desktop",
        signs: &[(Base::Application, "Claude")],
        user: place(Base::Application, &["Claude/claude_desktop_config.json"]),
        project: None,
        format: PLAIN,
        allow: None,
        notes: None,
    },
    Client {
        id: "crush",
        name: "Crush",
        signs: &[(Base::Config, "crush")],
        user: place(Base::Config, &["crush/crush.json"]),
        project: place(Base::Project, &["crush.json", ".crush.json"]),
        format: Format::Json { keys: &["mcp"], fields: TYPED },
        allow: None,
        notes: None,
    },
    Client {
        id: "qwen",
        name: "Qwen Code",
        signs: &[(Base::Home, ".qwen")],
        user: place(Base::Home, &[".qwen/settings.json"]),
        project: place(Base::Project, &[".qwen/settings.json"]),
        format: TRUSTED,
        allow: None,
        notes: place(Base::Home, &[".qwen/QWEN.md"]),
    },
    Client {
        id: "kiro",
        name: "Kiro",
        signs: &[(Base::Home, ".kiro")],
        user: place(Base::Home, &[".kiro/settings/mcp.json"]),
        project: place(Base::Project, &[".kiro/settings/mcp.json"]),
        format: Format::Json {
            keys: &["mcpServers"],
            fields: &[Field::Command, Field::Arguments, Field::Reading("autoApprove")],
        },
        allow: None,
        notes: None,
    },
];

impl Client {
    /// The client with this word.
    pub(crate) fn named(word: &str) -> Result<&'static Client> {
        let known = CLIENTS.iter().find(|client| client.id.eq_ignore_ascii_case(word));
        known.ok_or_else(|| {
            let allowed = CLIENTS.iter().map(|client| client.id.to_owned()).collect();
            Error::UnknownClient { word: word.to_owned(), allowed }
        })
    }

    /// Whether it has been used on this machine.
    pub(crate) fn is_here(&self, places: &Places) -> bool {
        self.signs.iter().any(|(base, path)| base.folder(places).join(path).exists())
    }

    /// The file that holds its settings.
    pub(crate) fn file(&self, scope: Scope, places: &Places) -> Option<PathBuf> {
        let place = match scope {
            Scope::User => self.user?,
            Scope::Project => self.project?,
        };
        place.file(places)
    }
}

impl FileAt {
    /// The first that exists, else the first.
    pub(crate) fn file(&self, places: &Places) -> Option<PathBuf> {
        let paths = || self.files.iter().map(|file| self.base.folder(places).join(file));
        paths().find(|path| path.exists()).or_else(|| paths().next())
    }
}

impl Base {
    fn folder(self, places: &Places) -> &PathBuf {
        match self {
            Base::Home => &places.home,
            Base::Application => &places.application,
            Base::Config => &places.config,
            Base::Project => &places.project,
        }
    }
}

/// What is written for the server.
pub(crate) fn entry(fields: &[Field], command: &str) -> Json {
    let all = || std::iter::once(command).chain(ARGUMENTS.iter().copied());
    let field = |field: &Field| match field {
        Field::Command => ("command".to_owned(), Json::text(command)),
        Field::Arguments => ("args".to_owned(), Json::texts(ARGUMENTS.iter().copied())),
        Field::Line => ("command".to_owned(), Json::texts(all())),
        Field::Text(key, value) => ((*key).to_owned(), Json::text(value)),
        Field::True(key) => ((*key).to_owned(), Json::True),
        Field::Texts(key, value) => ((*key).to_owned(), Json::texts([*value])),
        Field::Reading(key) => ((*key).to_owned(), Json::texts(crate::READING.iter().copied())),
    };
    Json::Map(fields.iter().map(field).collect())
}
