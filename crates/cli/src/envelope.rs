//! The JSON envelope around every answer for machines.

use std::time::{SystemTime, UNIX_EPOCH};

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
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Envelope {
            schema_version: SCHEMA_VERSION,
            execution_id: format!("{:x}-{:x}", now.as_micros(), std::process::id()),
            tool,
            timestamp: timestamp(now.as_secs(), now.subsec_millis()),
            partial,
            data,
        }
    }
}

/// Seconds since the epoch as RFC 3339 in UTC.
fn timestamp(seconds: u64, millis: u32) -> String {
    let (year, month, day) = civil(seconds / 86400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The date of a day since the epoch, in the Gregorian calendar counted from March.
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn timestamps_are_rfc_3339() {
        assert_eq!(timestamp(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(951_782_400, 7), "2000-02-29T00:00:00.007Z");
        assert_eq!(timestamp(1_704_067_199, 999), "2023-12-31T23:59:59.999Z");
    }
}
