//! Checks a SCIP index with the rules of the reference linter: `lint FILE`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let file = std::env::args().nth(1).expect("usage: lint FILE");
    let truth = codegraph_scip::read(file.as_ref()).expect("a SCIP index");
    let faults = codegraph_scip::lint(&truth.index);
    faults.iter().take(50).for_each(|fault| println!("{fault}"));
    println!("{} documents, {} faults", truth.index.documents.len(), faults.len());
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
