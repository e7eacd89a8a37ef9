//! The store of an organisation, through the binary and a real PostgreSQL that the tests start themselves.
//!
//! Without the feature `org` there is one test: that the binary says what it is missing.

#[cfg(feature = "org")]
mod server;

#[cfg(feature = "org")]
mod store;

#[cfg(feature = "org")]
mod values;

#[cfg(not(feature = "org"))]
#[test]
fn a_build_without_the_store_says_how_to_get_one() {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(["find", "x", "--org", "postgresql://me:geheim@127.0.0.1/db"])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2));
    assert!(said.contains("--features org") && !said.contains("geheim"), "{said}");
}
