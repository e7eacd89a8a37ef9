//! Compiles `nodes.c` against the headers of the parser that is linked.

use std::path::PathBuf;

fn main() {
    let include = std::env::var_os("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter says where its headers are");
    let include = PathBuf::from(include);
    let internal = include.join("../src");
    println!("cargo:rerun-if-changed=src/nodes.c");
    cc::Build::new()
        .std("c11")
        .define("NDEBUG", None)
        .include(internal)
        .include(include)
        .file("src/nodes.c")
        .compile("codegraph_nodes");
}
