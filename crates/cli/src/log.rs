//! What a command does, told on standard error to who asks for it: `-v`, or `CODEGRAPH_LOG_LEVEL`.

use std::sync::OnceLock;
use std::time::Instant;

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    #[default]
    Off,
    Info,
    Debug,
}

impl Level {
    /// The word of the environment, or how often `-v` was given; the higher counts.
    pub(crate) fn of(flags: u8, word: Option<&str>) -> Result<Level, String> {
        let given = match flags {
            0 => Level::Off,
            1 => Level::Info,
            _ => Level::Debug,
        };
        let named = match word.map(str::to_ascii_lowercase).as_deref() {
            None | Some("" | "off" | "error" | "warn" | "warning") => Level::Off,
            Some("info") => Level::Info,
            Some("debug" | "trace") => Level::Debug,
            Some(other) => return Err(format!("CODEGRAPH_LOG_LEVEL is '{other}': one of off, info, debug")),
        };
        Ok(given.max(named))
    }
}

static STATE: OnceLock<(Level, Instant)> = OnceLock::new();

/// Says how much is told from now on.
pub(crate) fn start(level: Level) {
    let _ = STATE.set((level, Instant::now()));
}

/// Tells something, with the time since the start.
pub(crate) fn tell(level: Level, text: impl FnOnce() -> String) {
    if let Some((most, start)) = STATE.get()
        && level <= *most
    {
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        crate::output::say(&format!("[{milliseconds:8.1} ms] {}", text()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_higher_of_flag_and_environment_counts() {
        assert_eq!(Level::of(0, None), Ok(Level::Off));
        assert_eq!(Level::of(1, Some("DEBUG")), Ok(Level::Debug));
        assert_eq!(Level::of(2, Some("info")), Ok(Level::Debug));
        assert!(Level::of(0, Some("loud")).is_err());
    }
}
