//! Chores that know the product: `cargo xtask bench` measures, `codegen` writes documents. `xtask` is the door to them.

mod accuracy;
mod affected;
// The very file that the product uses, so that raw parsing is measured with the same allocator.
#[path = "../../crates/cli/src/allocator.rs"]
mod allocator;
mod bench;
mod codegen;
mod economy;
mod editors;
mod floors;
mod fuzz;
mod labels;
mod law;
mod pairs;
mod prove;
mod questions;
mod rename;
mod serve;
mod tokens;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// Chores of the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Measure speed, size and memory on real source trees, as ratios to raw parsing and to ripgrep
    Bench(bench::Options),
    /// Measure links against those of compilers
    Accuracy(accuracy::Options),
    /// Compare the tests that `codegraph diff` names with those whose results commits change
    Affected(affected::Options),
    /// Fail if links, sizes or counted instructions are worse than their written bounds
    Floors(floors::Options),
    /// Try mutations of the fuzzing corpus for a while
    Fuzz(fuzz::Options),
    /// Check the labels of the small programs by running or compiling them
    Labels(labels::Options),
    /// Hold the law on thousands of projects that were never tried
    Law(law::Options),
    /// Kill processes that write an index at any moment, and see whether it is whole
    Kills(prove::Kills),
    /// Follow the history of real repositories, and compare the index with a new one after each commit
    Replay(prove::Replay),
    /// Count what answers cost in tokens, beside searching and reading
    Questions(questions::Options),
    /// Measure whether answers about common names end a search, and what they cost beside one
    Economy(economy::Options),
    /// Give random names of a real project new ones, and see whether it still compiles
    Rename(rename::Options),
    /// Gather pairs of words and code from repositories, to train word vectors on
    Pairs(pairs::Options),
    /// Write such pairs as numbers
    Encode(pairs::EncodeOptions),
    /// Write the vocabulary that tokens are counted with, and compare counts with those of its makers
    Tokens(tokens::Options),
    /// Write the generated documents
    Codegen(codegen::Options),
    /// Call a running MCP server while files change: answers stay right, memory and handles stay the same
    Soak(serve::soak::Options),
    /// Measure how long a running MCP server takes to answer
    Serve(serve::speed::Options),
    /// Measure language servers: first answer, every request, memory
    Editors(editors::Options),
    /// Parse the files named on standard input and do nothing else
    #[command(hide = true)]
    Parse(bench::raw::Options),
    /// Index a folder and print the CPU seconds of linking
    #[command(hide = true)]
    Link(bench::linking::Options),
}

fn main() -> anyhow::Result<ExitCode> {
    allocator::set_up();
    match Chore::parse() {
        Chore::Bench(options) => bench::run(&options),
        Chore::Accuracy(options) => accuracy::run(&options),
        Chore::Affected(options) => affected::run(&options),
        Chore::Floors(options) => floors::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Labels(options) => labels::run(&options),
        Chore::Law(options) => law::run(&options),
        Chore::Kills(options) => prove::kills(&options),
        Chore::Replay(options) => prove::replay(&options),
        Chore::Questions(options) => questions::run(&options),
        Chore::Economy(options) => economy::run(&options),
        Chore::Rename(options) => rename::run(&options),
        Chore::Pairs(options) => pairs::run(&options),
        Chore::Encode(options) => pairs::encode(&options),
        Chore::Tokens(options) => tokens::run(&options),
        Chore::Codegen(options) => codegen::run(&options),
        Chore::Soak(options) => serve::soak::run(&options),
        Chore::Serve(options) => serve::speed::run(&options),
        Chore::Editors(options) => editors::run(&options),
        Chore::Parse(options) => bench::raw::run(&options),
        Chore::Link(options) => bench::linking::run(&options),
    }
}
