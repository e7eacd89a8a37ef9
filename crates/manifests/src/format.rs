//! The formats: which files are manifests, who publishes what they name, and which function reads each.

use crate::{Manifest, Parsed, cargo, cmake, composer, defines, gems, go_module, jvm, node, nuget, pypi};

/// A kind of manifest.
#[derive(Debug)]
pub struct Format {
    file: File,
    /// Where the packages that it names are published, by the word that package addresses have for it; empty for nowhere in
    /// particular.
    pub registry: &'static str,
    pub decides: Decides,
    parse: fn(&str) -> Parsed,
}

/// Which files have a format.
#[derive(Clone, Copy, Debug)]
enum File {
    /// Those of this name.
    Named(&'static str),
    /// Those whose name ends so.
    Ending(&'static str),
    /// Those whose name begins and ends so.
    Like(&'static str, &'static str),
}

/// What a manifest decides besides what a project needs. An index watches those that decide something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// Nothing: it is read when somebody asks.
    Nothing,
    /// The package of the files below it.
    Package,
    /// The same, and what importers of the package reach.
    Entries,
    /// Where the names of modules lead from the files below it.
    Paths,
    /// The same, for configurations that extend it.
    InheritedPaths,
    /// What the files of its build import: those of its folder and below.
    Build,
    /// The same for all builds below it.
    Builds,
    /// Which macros a build defines.
    Macros,
}

/// The first that fits counts.
const FORMATS: &[Format] = &[
    Format::new(File::Named("Cargo.toml"), "cargo", Decides::Package, cargo::manifest),
    Format::new(File::Named("go.mod"), "golang", Decides::Package, go_module::manifest),
    Format::new(File::Named("package.json"), "npm", Decides::Entries, node::package),
    // Configurations extend each other: `tsconfig.base.json`.
    Format::new(File::Named("tsconfig.json"), "npm", Decides::Paths, node::compiler),
    Format::new(File::Named("jsconfig.json"), "npm", Decides::Paths, node::compiler),
    Format::new(File::Like("tsconfig", ".json"), "npm", Decides::InheritedPaths, node::compiler),
    Format::new(File::Named("composer.json"), "composer", Decides::Package, composer::manifest),
    Format::new(File::Named("pyproject.toml"), "pypi", Decides::Package, pypi::project),
    Format::new(File::Like("requirements", ".txt"), "pypi", Decides::Nothing, pypi::requirements),
    Format::new(File::Named("Pipfile"), "pypi", Decides::Nothing, pypi::pipfile),
    Format::new(File::Named("pom.xml"), "maven", Decides::Nothing, jvm::maven),
    Format::new(File::Named("build.gradle"), "maven", Decides::Nothing, jvm::gradle),
    Format::new(File::Named("build.gradle.kts"), "maven", Decides::Nothing, jvm::gradle),
    Format::new(File::Ending(".versions.toml"), "maven", Decides::Nothing, jvm::catalogue),
    Format::new(File::Ending(".csproj"), "nuget", Decides::Build, nuget::project),
    Format::new(File::Ending(".fsproj"), "nuget", Decides::Nothing, nuget::project),
    Format::new(File::Ending(".vbproj"), "nuget", Decides::Nothing, nuget::project),
    Format::new(File::Named("Directory.Build.props"), "nuget", Decides::Builds, nuget::project),
    Format::new(File::Named("Directory.Build.targets"), "nuget", Decides::Builds, nuget::project),
    Format::new(File::Named("Directory.Packages.props"), "nuget", Decides::Nothing, nuget::project),
    Format::new(File::Named("Gemfile"), "gem", Decides::Nothing, gems::gems),
    Format::new(File::Ending(".gemspec"), "gem", Decides::Nothing, gems::gems),
    Format::new(File::Named("CMakeLists.txt"), "", Decides::Macros, cmake::lists),
    Format::new(File::Named("Makefile"), "", Decides::Macros, defines::makefile),
    Format::new(File::Named("makefile"), "", Decides::Macros, defines::makefile),
    Format::new(File::Named("GNUmakefile"), "", Decides::Macros, defines::makefile),
    Format::new(File::Named("Makefile.am"), "", Decides::Macros, defines::makefile),
    Format::new(File::Named("configure.ac"), "", Decides::Macros, defines::autoconf),
    Format::new(File::Named("configure.in"), "", Decides::Macros, defines::autoconf),
    Format::new(File::Named("meson.build"), "", Decides::Macros, defines::meson),
];

impl Format {
    const fn new(file: File, registry: &'static str, decides: Decides, parse: fn(&str) -> Parsed) -> Format {
        Format { file, registry, decides, parse }
    }

    /// What a text of this format says.
    pub fn read(&self, text: &[u8]) -> Manifest {
        let text = String::from_utf8_lossy(text);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        (self.parse)(text).unwrap_or_else(|problem| Manifest { problem: Some(problem), ..Manifest::default() })
    }
}

impl File {
    fn has(self, name: &str) -> bool {
        match self {
            File::Named(own) => name == own,
            File::Ending(end) => name.ends_with(end),
            File::Like(start, end) => name.starts_with(start) && name.ends_with(end),
        }
    }
}

/// The format of a file; none if it is no manifest.
pub fn format(path: &str) -> Option<&'static Format> {
    let name = path.rsplit('/').next().unwrap_or(path);
    FORMATS.iter().find(|format| format.file.has(name))
}

/// Whether names or links depend on a file because it is a manifest.
pub fn is_decisive(path: &str) -> bool {
    format(path).is_some_and(|format| format.decides != Decides::Nothing)
}

/// What a file says; nothing if it is no manifest.
pub fn read(path: &str, text: &[u8]) -> Manifest {
    format(path).map_or_else(Manifest::default, |format| format.read(text))
}

/// The manifest of the package that a compiler's configuration stands in.
pub fn manifest_beside(path: &str) -> Option<String> {
    let folder = path.strip_suffix("tsconfig.json")?;
    (folder.is_empty() || folder.ends_with('/')).then(|| format!("{folder}package.json"))
}
