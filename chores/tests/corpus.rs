//! What fuzzers try, over the committed corpus: whatever was found once stays mended.

#[path = "../../fuzz/probes.rs"]
mod probes;

#[test]
fn every_probe_holds_on_its_corpus() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, probe) in probes::PROBES {
        let mut files: Vec<_> = std::fs::read_dir(corpus.join(name))
            .expect("every probe has a corpus")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        assert!(files.len() > 3, "{name} has no corpus");
        for file in files {
            eprintln!("{name}: {}", file.display());
            probe(&std::fs::read(&file).expect("a file"));
        }
    }
}
