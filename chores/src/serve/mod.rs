//! A running MCP server: `cargo xtask soak` treats it badly for a while, `cargo xtask serve` measures it.

pub(crate) mod client;
pub(crate) mod sample;
pub(crate) mod soak;
pub(crate) mod speed;
