//! Where the settings of programs are on this machine.

use std::path::PathBuf;

use crate::{Error, Result};

/// The folders that settings are found from.
#[derive(Clone, Debug)]
pub struct Places {
    pub home: PathBuf,
    /// Where programs with a window keep their settings.
    pub application: PathBuf,
    /// `~/.config`, or what stands in for it.
    pub config: PathBuf,
    /// The folder of the project.
    pub project: PathBuf,
}

impl Places {
    /// As the environment says.
    pub fn of(project: PathBuf) -> Result<Places> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = variable("HOME").or_else(|| variable("USERPROFILE")).ok_or(Error::NoHome)?;
        let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let application = match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => variable("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming")),
            _ => config.clone(),
        };
        Ok(Places { home, application, config, project })
    }
}
