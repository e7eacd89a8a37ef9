//! See `probes.rs`.
#![no_main]

#[path = "../probes.rs"]
#[allow(dead_code, reason = "each target uses its own")]
mod probes;

libfuzzer_sys::fuzz_target!(|data: &[u8]| probes::mcp(data));
