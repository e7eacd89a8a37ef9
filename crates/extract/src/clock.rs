//! When a file has been parsed for too long.

use std::time::{Duration, Instant};

use crate::TIME_LIMIT;

/// What parsing has taken since it began. Time on a processor counts, not time spent waiting for one.
pub(crate) struct Clock {
    began: Instant,
    spent: Duration,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the limit needs a clock; no fact depends on it")]
    pub(crate) fn start() -> Clock {
        Clock { began: Instant::now(), spent: spent() }
    }

    pub(crate) fn is_over(&self) -> bool {
        // No thread runs longer than the clock on the wall, which is cheaper to read.
        self.began.elapsed() > TIME_LIMIT && spent().saturating_sub(self.spent) > TIME_LIMIT
    }
}

/// What this thread has had of a processor.
#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Where that is not known, the clock on the wall decides.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the limit needs a clock; no fact depends on it")]
fn spent() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default()
}
