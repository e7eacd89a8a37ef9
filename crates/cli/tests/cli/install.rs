//! `codegraph install`, in a home folder of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A home folder with a project in it.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new(files: &[(&str, &str)]) -> Home {
        let home = Home { folder: TempDir::with_prefix("codegraph-home-").expect("a temporary folder") };
        std::fs::create_dir_all(home.path("work")).expect("a folder");
        for (path, text) in files {
            let path = home.path(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        home
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_codegraph"))
            .args(["install", "--command", "codegraph"])
            .args(arguments)
            .current_dir(self.path("work"))
            .env("HOME", self.folder.path())
            .env_remove("XDG_CONFIG_HOME")
            .env("NO_COLOR", "1")
            .output()
            .expect("the binary runs");
        let text =
            |bytes| String::from_utf8(bytes).expect("UTF-8").replace(self.folder.path().to_str().expect("UTF-8"), "~");
        (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let (_, out, err) = self.run(&[arguments, &["--json"]].concat());
        let mut envelope: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        envelope["data"].take()
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).expect("a file")
    }

    /// All files below the home folder.
    fn files(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        collect(self.folder.path(), &mut found);
        found
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => collect(&path, found),
            false => drop(found.insert(path.clone(), std::fs::read_to_string(&path).expect("UTF-8"))),
        }
    }
}

const ZED: &str = "// Settings of somebody.\n{\n  \"theme\": \"One\", // dark\n  /* servers */\n  \"context_servers\": {\n    \"other\": { \"command\": \"x\" },\n  },\n}\n";
const CODEX: &str = "model = \"gpt\"   # mine\n\n[mcp_servers.other]\ncommand = \"x\"\n";

fn machine() -> Home {
    Home::new(&[
        (".claude.json", "{\"numStartups\":3,\"projects\":{\"/x\":{\"history\":[]}}}"),
        (".cursor/argv.json", "{}"),
        (".codex/config.toml", CODEX),
        (".config/Code/User/settings.json", "{}"),
        (".config/Code/User/mcp.json", "{\n\t\"servers\": {}\n}"),
        (".gemini/settings.json", "{\r\n  \"ui\": 1\r\n}\r\n"),
        (".codeium/windsurf/mcp_config.json", ""),
        (".config/opencode/opencode.jsonc", "{\n  // all\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"),
        (".config/zed/settings.json", ZED),
    ])
}

#[test]
fn every_program_on_the_machine_gets_its_own_format() {
    let home = machine();
    let (code, out, _) = home.run(&[]);
    assert_eq!(code, 0);
    expect_test::expect![[r#"
        Claude Code                   added to  ~/.claude.json
        Claude Code, read-only tools  written to new file  ~/.claude/settings.json
        Claude Code, instructions     written to new file  ~/.claude/CLAUDE.md
        Cursor                        written to new file  ~/.cursor/mcp.json
        Codex CLI                     added to  ~/.codex/config.toml
        Codex CLI, instructions       written to new file  ~/.codex/AGENTS.md
        VS Code (Copilot)             added to  ~/.config/Code/User/mcp.json
        Gemini CLI                    added to  ~/.gemini/settings.json
        Gemini CLI, instructions      written to new file  ~/.gemini/GEMINI.md
        Windsurf                      added to  ~/.codeium/windsurf/mcp_config.json
        Windsurf, instructions        written to new file  ~/.codeium/windsurf/memories/global_rules.md
        opencode                      added to  ~/.config/opencode/opencode.jsonc
        opencode, instructions        written to new file  ~/.config/opencode/AGENTS.md
        Zed                           added to  ~/.config/zed/settings.json
    "#]]
    .assert_eq(&out);
    expect_test::expect![[r#"
        // Settings of somebody.
        {
          "theme": "One", // dark
          /* servers */
          "context_servers": {
            "codegraph": {
              "source": "custom",
              "command": "codegraph",
              "args": ["mcp", "--tools", "core"]
            },
            "other": { "command": "x" },
          },
        }
    "#]]
    .assert_eq(&home.text(".config/zed/settings.json"));
    expect_test::expect![[r#"
        model = "gpt"   # mine

        [mcp_servers.other]
        command = "x"

        [mcp_servers.codegraph]
        command = "codegraph"
        args = ["mcp", "--tools", "core"]
    "#]]
    .assert_eq(&home.text(".codex/config.toml"));
    expect_test::expect![[r#"
        {
          "mcp": {
            "codegraph": {
              "type": "local",
              "command": ["codegraph", "mcp", "--tools", "core"],
              "enabled": true
            }
          },
          // all
          "$schema": "https://opencode.ai/config.json"
        }
    "#]]
    .assert_eq(&home.text(".config/opencode/opencode.jsonc"));
    let claude: Value = serde_json::from_str(&home.text(".claude.json")).expect("plain JSON");
    assert_eq!(claude["mcpServers"]["codegraph"]["type"], "stdio");
    assert_eq!(claude["mcpServers"]["codegraph"]["args"][2], "core");
    assert_eq!(claude["numStartups"], 3);
    let code: Value = serde_json::from_str(&home.text(".config/Code/User/mcp.json")).expect("plain JSON");
    assert_eq!(code["servers"]["codegraph"]["command"], "codegraph");
}

#[test]
fn nothing_is_written_twice_and_everything_is_taken_back() {
    let home = machine();
    let before = home.files();
    home.run(&["--instructions"]);
    let once = home.files();
    let again = home.json(&["--instructions"]);
    assert!(
        again["changes"].as_array().expect("a list").iter().all(|change| change["action"] == "unchanged"),
        "{again}"
    );
    assert_eq!(home.files(), once);
    let (code, out, err) = home.run(&["--instructions", "--uninstall"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(home.files(), before);
    assert_eq!(home.run(&["--instructions", "--uninstall"]).1, "nothing to take back\n");
}

#[test]
fn a_project_gets_files_of_its_own() {
    let home = machine();
    std::fs::write(home.path("work/CLAUDE.md"), "# Ours\n").expect("a file");
    let before = home.files();
    let answer = home.json(&["--scope", "project", "--client", "claude,cursor,codex,vscode,zed", "--instructions"]);
    let made: Vec<&str> =
        answer["changes"].as_array().expect("a list").iter().filter_map(|change| change["action"].as_str()).collect();
    assert_eq!(made, ["create", "create", "create", "create", "create", "create", "extend"]);
    expect_test::expect![[r#"
        {
          "mcpServers": {
            "codegraph": {
              "type": "stdio",
              "command": "codegraph",
              "args": ["mcp", "--tools", "core"],
              "alwaysLoad": true
            }
          }
        }
    "#]]
    .assert_eq(&home.text("work/.mcp.json"));
    assert!(home.text("work/CLAUDE.md").starts_with("# Ours\n\n<!-- codegraph:instructions -->\n"));
    assert!(!home.path("work/AGENTS.md").exists());
    home.run(&["--scope", "project", "--uninstall", "--instructions"]);
    assert_eq!(home.files(), before);
    assert!(!home.path("work/.vscode").exists());
}

#[test]
fn print_shows_what_would_be_written_and_writes_nothing() {
    let home = Home::new(&[(".cursor/mcp.json", "{}")]);
    let before = home.files();
    let (code, out, _) = home.run(&["--print", "--client", "cursor,codex"]);
    assert_eq!(code, 0);
    expect_test::expect![[r#"
        Cursor                   would be added to  ~/.cursor/mcp.json
             "mcpServers": {"codegraph": {"command": "codegraph", "args": ["mcp", "--tools", "core"]}}
        Codex CLI                would be written to new file  ~/.codex/config.toml
            [mcp_servers.codegraph]
            command = "codegraph"
            args = ["mcp", "--tools", "core"]
        Codex CLI, instructions  would be written to new file  ~/.codex/AGENTS.md
            <!-- codegraph:instructions -->
            ## Finding code
            Where a project has a `.codegraph` folder, ask codegraph instead of searching with grep or reading whole files. Answers are
            fresh, and they say when they are complete ("that is all"): no second search is needed then. As tools (`codegraph_refs`, …)
            or in a shell:
            - `codegraph refs X --compact` every use of X; `codegraph callers X --depth 2`, `codegraph impact X` what depends on it
            - `codegraph get X` the source of X, of long bodies with `--about "WORDS"` the lines that matter, with `FILE:LINE` those around it
            - `codegraph context "TASK"` what a task or a question in words is about; `codegraph grep PATTERN` text in any file
            X is a name, `Type.method`, `FILE:LINE` or `FILE:NAME`; several at once are one call.
            <!-- /codegraph:instructions -->
    "#]]
    .assert_eq(&out);
    assert_eq!(home.files(), before);
}

#[test]
fn a_file_that_does_not_parse_stops_everything() {
    let home = machine();
    for (path, text, line) in [
        (".config/zed/settings.json", "{\n  \"a\": 1,\n  broken\n}\n", "settings.json:3"),
        (".codex/config.toml", "a = 1\n\nb = \n", "config.toml:3"),
        (".gemini/settings.json", "{\n \"mcpServers\": []\n}", "settings.json:2"),
    ] {
        let old = home.text(path);
        std::fs::write(home.path(path), text).expect("written");
        let before = home.files();
        let (code, _, err) = home.run(&[]);
        assert_eq!(code, 2);
        assert!(err.contains(line) && err.contains("hint: correct the file"), "{err}");
        assert_eq!(home.files(), before);
        std::fs::write(home.path(path), old).expect("written");
    }
}

#[test]
fn an_entry_that_was_changed_is_left_unless_forced() {
    let entry =
        "{\n  \"mcpServers\": {\n    \"codegraph\": { \"command\": \"/old/codegraph\", \"args\": [\"mcp\"] }\n  }\n}\n";
    let home = Home::new(&[(".cursor/mcp.json", entry)]);
    let (code, out, _) = home.run(&[]);
    assert!(code == 0 && out.contains("left as it is") && out.contains("--force"), "{out}");
    assert_eq!(home.text(".cursor/mcp.json"), entry);
    assert!(home.run(&["--force"]).1.contains("replaced in"));
    assert!(home.text(".cursor/mcp.json").contains("\"command\": \"codegraph\""));
    home.run(&["--uninstall"]);
    assert!(!home.text(".cursor/mcp.json").contains("codegraph"));
    let foreign = "{\"mcpServers\": {\"codegraph\": {\"url\": \"https://x\"}}}";
    std::fs::write(home.path(".cursor/mcp.json"), foreign).expect("written");
    assert_eq!(home.run(&["--uninstall"]).1, "nothing to take back\n");
    assert_eq!(home.text(".cursor/mcp.json"), foreign);
}

#[test]
fn another_tool_of_the_same_name_is_named_and_left() {
    let entry =
        "{\"mcpServers\": {\"codegraph\": {\"command\": \"npx\", \"args\": [\"-y\", \"other-codegraph\", \"serve\"]}}}";
    let home =
        Home::new(&[(".claude.json", entry), (".codex/config.toml", "[mcp_servers.codegraph]\nurl = \"http://x\"\n")]);
    let before = home.files();
    let (code, out, _) = home.run(&[]);
    assert_eq!(code, 0);
    let said = "Claude Code has another tool under the name codegraph (npx -y other-codegraph serve in ~/.claude.json)";
    assert!(out.contains(said) && out.contains("it was left as it is, and --force replaces it"), "{out}");
    assert!(out.contains("(http://x in ~/.codex/config.toml)"), "{out}");
    assert_eq!(home.files(), before, "nothing is allowed or told for a tool that is not ours");
    assert!(home.run(&["--force"]).1.contains("replaced in"));
    assert!(home.text(".claude.json").contains("\"args\": [\"mcp\""));
}

#[test]
fn tools_that_only_read_are_allowed_beside_what_others_allowed() {
    let settings = "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  }\n}\n";
    let allowlist = "{\n  // mine\n  \"mcpAllowlist\": [\"other:*\"]\n}\n";
    let home = Home::new(&[
        (".claude.json", "{}"),
        (".claude/settings.json", settings),
        (".cursor/permissions.json", allowlist),
        (".kiro/settings/mcp.json", "{}"),
    ]);
    let before = home.files();
    home.run(&[]);
    let claude: Value = serde_json::from_str(&home.text(".claude/settings.json")).expect("JSON");
    let allowed: Vec<&str> =
        claude["permissions"]["allow"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let kiro: Value = serde_json::from_str(&home.text(".kiro/settings/mcp.json")).expect("JSON");
    let approved = &kiro["mcpServers"]["codegraph"]["autoApprove"];
    // Exactly the tools that the server itself calls reading ones.
    let mut reading: Vec<String> = listed().into_iter().filter(|(_, reads)| *reads).map(|(name, _)| name).collect();
    assert_eq!(approved, &serde_json::json!(reading));
    reading = reading.iter().map(|name| format!("mcp__codegraph__{name}")).collect();
    reading.push("Bash(ls)".to_owned());
    assert_eq!(allowed, reading);
    assert!(home.text(".cursor/permissions.json").contains("\"codegraph:codegraph_find\","));
    let registered: Value = serde_json::from_str(&home.text(".claude.json")).expect("JSON");
    assert_eq!(registered["mcpServers"]["codegraph"]["alwaysLoad"], true);
    home.run(&["--uninstall"]);
    let mut after = home.files();
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(after, before);
    // Where there is no such list, one would stand in for what the program itself keeps.
    let home = Home::new(&[(".cursor/argv.json", "{}")]);
    home.run(&[]);
    assert!(!home.path(".cursor/permissions.json").exists());
}

/// The tools of the server that is registered, and whether each only reads.
fn listed() -> Vec<(String, bool)> {
    let server = codegraph_mcp::Server::new(&codegraph_mcp::Options {
        tools: codegraph_mcp::ToolSet::Core,
        ..codegraph_mcp::Options::default()
    });
    let reads = |tool: &Value| tool["annotations"]["readOnlyHint"] == true;
    let list = serde_json::to_value(server.list()).expect("JSON");
    let tools = list["tools"].as_array().expect("a list").iter();
    tools.map(|tool| (tool["name"].as_str().expect("a name").to_owned(), reads(tool))).collect()
}

#[test]
fn agents_are_told_by_default_and_how_to_ask_without_tools() {
    let home = Home::new(&[(".codex/AGENTS.md", "# Mine\n")]);
    home.run(&[]);
    let notes = home.text(".codex/AGENTS.md");
    assert!(notes.starts_with("# Mine\n") && notes.contains("`codegraph callers X --depth 2`"), "{notes}");
    assert!(!home.path("work/AGENTS.md").exists());
    home.run(&["--uninstall"]);
    assert_eq!(home.text(".codex/AGENTS.md"), "# Mine\n");
    home.run(&["--no-instructions"]);
    assert_eq!(home.text(".codex/AGENTS.md"), "# Mine\n");
}

#[test]
fn keys_that_somebody_added_to_the_entry_are_theirs() {
    let home = Home::new(&[(".cursor/argv.json", "{}")]);
    home.run(&[]);
    let text = home.text(".cursor/mcp.json").replace("\"core\"]", "\"core\"],\n      \"env\": {\"A\": \"b\"}");
    std::fs::write(home.path(".cursor/mcp.json"), &text).expect("written");
    assert!(home.run(&[]).1.contains("already in"));
    assert_eq!(home.text(".cursor/mcp.json"), text);
}

#[test]
fn what_is_asked_for_must_exist() {
    let home = Home::new(&[]);
    let (code, out, _) = home.run(&[]);
    assert!(code == 1 && out.starts_with("no program was found; --client names one of claude, cursor, codex"), "{out}");
    let (code, _, err) = home.run(&["--client", "emacs"]);
    assert!(code == 2 && err.contains("unknown client 'emacs'") && err.contains("hint: one of: claude"), "{err}");
    let (code, _, err) = home.run(&["--client", "windsurf", "--scope", "project"]);
    assert!(code == 2 && err.contains("Windsurf") && err.contains("--scope user"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_rights_stay_what_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new(&[("dotfiles/cursor.json", "{}"), (".cursor/argv.json", "{}")]);
    std::os::unix::fs::symlink(home.path("dotfiles/cursor.json"), home.path(".cursor/mcp.json")).expect("a link");
    let real = home.path("dotfiles/cursor.json");
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o600)).expect("set");
    home.run(&[]);
    assert!(home.path(".cursor/mcp.json").is_symlink());
    assert!(home.text("dotfiles/cursor.json").contains("codegraph"));
    assert_eq!(real.metadata().expect("there").permissions().mode() & 0o777, 0o600);
}

/// The files that `docs/install.md` shows are those that are written.
#[test]
fn the_document_shows_what_is_written() {
    let document = include_str!("../../../../docs/install.md");
    let home = Home::new(&[]);
    let known = home.json(&["--print"])["known"].take();
    for client in known.as_array().expect("a list").iter().filter_map(Value::as_str) {
        let answer = home.json(&["--print", "--client", client]);
        for change in answer["changes"].as_array().expect("a list") {
            let text = change["text"].as_str().expect("a text");
            assert!(document.contains(text), "docs/install.md does not show what {client} gets:\n{text}");
        }
        assert!(document.contains(&format!("`{client}`")), "docs/install.md does not name {client}");
    }
    let answer = home.json(&["--print", "--client", "zed", "--instructions"]);
    let notes = answer["changes"][1]["text"].as_str().expect("a text");
    assert!(document.contains(notes), "docs/install.md does not show {notes}");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_project() {
    for (link, target) in
        [(".cursor", "elsewhere"), (".mcp.json", "elsewhere/x.json"), ("AGENTS.md", "elsewhere/notes.md")]
    {
        let home =
            Home::new(&[("elsewhere/x.json", "{}"), ("elsewhere/notes.md", "mine\n"), (".cursor/argv.json", "{}")]);
        std::os::unix::fs::symlink(home.path(target), home.path("work").join(link)).expect("a link");
        let before = home.files();
        let (code, _, err) = home.run(&["--scope", "project", "--instructions", "--client", "claude,cursor"]);
        assert!(code == 2 && err.contains("leads out of the project"), "{link}: {err}");
        assert_eq!(home.files(), before, "{link}");
    }
}

#[test]
fn nothing_is_written_if_one_cannot_be() {
    let home = Home::new(&[(".claude.json", "{}"), (".codex", "a file where a folder should be")]);
    let before = home.files();
    let (code, _, err) = home.run(&["--client", "claude,cursor,codex"]);
    assert_eq!(code, 2, "{err}");
    assert_eq!(home.files(), before);
}
