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

/// What one run of a command cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) cpu: Option<f64>,
    pub(super) wall: f64,
    pub(super) peak_bytes: Option<u64>,
}

impl Cost {
    /// The smaller CPU time with its wall time, and the larger memory.
    pub(super) fn best(self, other: Cost) -> Cost {
        let key = |cost: &Cost| cost.cpu.unwrap_or(cost.wall);
        let faster = if key(&other) < key(&self) { other } else { self };
        Cost { peak_bytes: self.peak_bytes.max(other.peak_bytes), ..faster }
    }

    /// How many cores were busy on average.
    pub(super) fn cores(self) -> Option<f64> {
        self.cpu.map(|cpu| cpu / self.wall)
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
    Ok(Cost { cpu, wall, peak_bytes })
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

    #[test]
    fn the_best_run_keeps_the_largest_memory() {
        let run = |cpu, wall, peak| Cost { cpu: Some(cpu), wall, peak_bytes: Some(peak) };
        let best = run(2.0, 1.5, 70).best(run(1.0, 3.0, 50));
        assert_eq!((best.cpu, best.wall, best.peak_bytes), (Some(1.0), 3.0, Some(70)));
    }
}
