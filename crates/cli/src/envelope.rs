//! The JSON envelope around every answer for machines.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

/// The version of the envelope and of the answers in it.
const SCHEMA_VERSION: &str = "1.0";

#[derive(Serialize)]
pub(crate) struct Envelope<'a, T> {
    schema_version: &'static str,
    execution_id: String,
    tool: &'static str,
    timestamp: String,
    /// The answer is a part of what there is, or some files could not be refreshed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    data: &'a T,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    pub(crate) fn new(tool: &'static str, partial: bool, data: &'a T) -> Envelope<'a, T> {
        let time = SystemTime::now();
        let now = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Envelope {
            schema_version: SCHEMA_VERSION,
            execution_id: format!("{:x}-{:x}", now.as_micros(), std::process::id()),
            tool,
            timestamp: timestamp(time),
            partial,
            data,
        }
    }
}

/// RFC 3339 in UTC, to the millisecond.
fn timestamp(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn timestamps_are_rfc_3339() {
        let at = |seconds, millis: u32| timestamp(UNIX_EPOCH + Duration::new(seconds, millis * 1_000_000));
        assert_eq!(at(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_400, 7), "2000-02-29T00:00:00.007Z");
        assert_eq!(at(1_704_067_199, 999), "2023-12-31T23:59:59.999Z");
    }
}
