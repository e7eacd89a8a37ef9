//! How the tests of a language are told from other code, and what runners call them.

/// What a runner is told to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// `path::Class::name`, as pytest takes it.
    Nodes,
    /// The path of the file: its tests have no names that a reference could lead to.
    Files,
    /// `./folder -run ^(A|B)$`: names by package, as `go test` takes them.
    Packages,
    /// The path of modules without the crate, as `cargo test` takes it.
    Modules,
    /// The qualified name, as Gradle, Maven and `dotnet test` take it.
    Qualified,
    /// `Class::name`, as PHPUnit filters.
    Members,
}

/// How tests are recognised.
#[derive(Clone, Copy, Debug)]
pub struct Tests {
    /// The word for the runner.
    pub runner: &'static str,
    pub names: Runner,
    /// In files of tests, functions and methods whose names begin so are tests.
    pub prefixes: &'static [&'static str],
    /// Decorators, attributes or annotations that make a function a test.
    pub marks: &'static [&'static str],
    /// Marked tests stand beside what they test.
    pub anywhere: bool,
    /// Calls that declare tests without a name of their own.
    pub calls: &'static [&'static str],
    /// Decorators of functions whose result tests ask for by the name of a parameter.
    pub fixtures: &'static [&'static str],
    /// What decorators of fixtures and tests say in words: that everybody gets it, that it has another name, and by which
    /// decorator others ask for it.
    pub always: &'static str,
    pub renames: &'static str,
    pub asks: &'static str,
    /// Files, without extension, whose fixtures serve everything in their folder and below.
    pub shared: &'static [&'static str],
}

impl Tests {
    pub const NONE: Tests = Tests {
        runner: "",
        names: Runner::Files,
        prefixes: &[],
        marks: &[],
        anywhere: false,
        calls: &[],
        fixtures: &[],
        always: "",
        renames: "",
        asks: "",
        shared: &[],
    };
}
