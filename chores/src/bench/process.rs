//! Children of this process and what they cost: CPU seconds, wall seconds, peak memory.
//!
//! CPU and memory come from `/proc`, so they are known on Linux only; elsewhere they are `None`.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// How often a running child is asked for its memory. The high-water mark only grows, so little is missed.
const POLL: Duration = Duration::from_millis(2);

/// The kernel counts CPU time of user programs in these units, on all of today's machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// Fields of `/proc/self/stat` after the command name: time of children that were waited for, in user and kernel.
const CHILD_TICKS: [usize; 2] = [13, 14];

/// What a run of a command cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) cpu: Option<f64>,
    pub(super) wall: f64,
    /// How many cores were busy on average.
    pub(super) cores: Option<f64>,
    pub(super) peak_bytes: Option<u64>,
}

impl Cost {
    /// The least time, the most cores, the most memory. What else runs on the machine can only make times longer.
    pub(super) fn best(self, other: Cost) -> Cost {
        let most = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a.max(b));
        Cost {
            cpu: self.cpu.zip(other.cpu).map(|(a, b)| a.min(b)),
            wall: self.wall.min(other.wall),
            cores: most(self.cores, other.cores),
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
        }
    }
}

/// Runs a command to its end with `input` on its standard input, and throws away what it prints.
pub(super) fn run(command: &mut Command, input: &[u8]) -> Result<Cost> {
    let before = children_cpu();
    let start = Instant::now();
    // Nobody would read a pipe while the memory is watched.
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("{command:?} could not be started"))?;
    child.stdin.take().expect("it is piped").write_all(input)?;
    let peak_bytes = watch_memory(&mut child)?;
    let wall = start.elapsed().as_secs_f64();
    let status = child.wait()?;
    ensure!(status.success(), "{command:?} failed with {status}: run it yourself to see why");
    let cpu = children_cpu().zip(before).map(|(after, before)| after - before);
    Ok(Cost { cpu, wall, cores: cpu.map(|cpu| cpu / wall), peak_bytes })
}

/// Waits for the end of a child and returns the most memory that it had.
fn watch_memory(child: &mut Child) -> Result<Option<u64>> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait()?.is_none() {
        peak = peak.max(high_water(&status));
        std::thread::sleep(POLL);
    }
    Ok(peak)
}

fn high_water(status: &str) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// CPU seconds of all children that have ended.
fn children_cpu() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The command name may contain anything, so fields are counted from its closing bracket.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = CHILD_TICKS.map(|field| fields.get(field).and_then(|text| text.parse::<f64>().ok()));
    Some((ticks[0]? + ticks[1]?) / TICKS_PER_SECOND)
}

/// Wall milliseconds of one run of a command, its whole output read.
pub(super) fn latency(command: &mut Command) -> Result<f64> {
    let start = Instant::now();
    let out = command.stdin(Stdio::null()).output().with_context(|| format!("{command:?} could not be started"))?;
    let elapsed = start.elapsed().as_secs_f64() * 1000.0;
    ensure!(out.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&out.stderr).trim());
    Ok(elapsed)
}

/// Milliseconds of many runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Latencies {
    sorted: Vec<f64>,
}

impl Latencies {
    pub(super) fn of(mut samples: Vec<f64>) -> Latencies {
        samples.sort_by(f64::total_cmp);
        Latencies { sorted: samples }
    }

    pub(super) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    pub(super) fn p99(&self) -> f64 {
        self.quantile(0.99)
    }

    fn quantile(&self, share: f64) -> f64 {
        let last = self.sorted.len().saturating_sub(1);
        let index = (last as f64 * share).round() as usize;
        self.sorted.get(index).copied().unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_samples() {
        let latencies = Latencies::of((1..=101).rev().map(f64::from).collect());
        assert_eq!(latencies.median(), 51.0);
        assert_eq!(latencies.p99(), 100.0);
    }

    fn run(cpu: f64, wall: f64, peak: u64) -> Cost {
        Cost { cpu: Some(cpu), wall, cores: Some(cpu / wall), peak_bytes: Some(peak) }
    }

    #[test]
    fn the_best_has_the_least_time_and_the_most_memory() {
        let best = run(2.0, 1.0, 70).best(run(1.0, 3.0, 50));
        assert_eq!((best.cpu, best.wall, best.cores, best.peak_bytes), (Some(1.0), 1.0, Some(2.0), Some(70)));
    }
}
