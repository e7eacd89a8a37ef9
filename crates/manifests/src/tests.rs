//! Each format with a small text.

use super::*;

fn layout(path: &str, text: &str) -> Layout {
    read(path, text.as_bytes()).layout
}

/// What a manifest asks for, a line each, and what it starts.
fn needs(path: &str, text: &str) -> Vec<String> {
    let found = read(path, text.as_bytes());
    assert_eq!(found.problem, None, "{path}");
    let version = |one: &Dependency| one.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
    let needs = found.dependencies.iter().map(|one| format!("{}{} {:?}", one.name, version(one), one.need));
    let starts = found.entries.iter().map(|one| match &one.command {
        Some(command) => format!("{command}: {}", one.target),
        None => format!("start {}", one.target),
    });
    needs.chain(starts).collect()
}

#[test]
fn names_come_from_each_kind_of_manifest() {
    let name = |path: &str, text: &str| layout(path, text).name;
    assert_eq!(name("a/Cargo.toml", "[package]\nname = \"my-crate\"\n"), "my_crate");
    assert_eq!(name("Cargo.toml", "[package]\nname = \"my-crate\"\n[lib]\nname = \"other\"\n"), "other");
    assert_eq!(name("Cargo.toml", "[workspace]\nmembers = []\n"), "");
    assert_eq!(name("go.mod", "// c\nmodule example.com/m // x\n\ngo 1.22\n"), "example.com/m");
    assert_eq!(name("package.json", "\u{feff}{\"name\": \"@scope/pkg\"}"), "@scope/pkg");
    assert_eq!(name("composer.json", "{\"name\": \"vendor/pkg\"}"), "vendor/pkg");
    assert_eq!(name("pyproject.toml", "[project]\nname = \"dist\"\n"), "dist");
    assert_eq!(name("pyproject.toml", "[tool.poetry]\nname = \"dist\"\n"), "dist");
}

#[test]
fn manifests_that_list_packages_say_what_is_needed_and_started() {
    let cargo = "[dependencies]\nserde = \"1\"\nown = { path = \"x\" }\n[dev-dependencies]\nb = { version = \"2\" }\n\
                 [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n[[bin]]\nname = \"t\"\npath = \"t.rs\"\n";
    assert_eq!(needs("Cargo.toml", cargo), ["serde 1 Runtime", "b 2 Development", "libc 0.2 Runtime", "t: t.rs"]);
    let package = r#"{"dependencies": {"a": "^1", "w": "workspace:*"}, "devDependencies": {"b": "2"}, "main": "m.js",
        "bin": {"c": "c.js"}}"#;
    assert_eq!(needs("package.json", package), ["a ^1 Runtime", "b 2 Development", "start m.js", "c: c.js"]);
    let composer = r#"{"require": {"php": ">=8", "ext-json": "*", "psr/log": "^3"}, "bin": ["run"]}"#;
    assert_eq!(needs("composer.json", composer), ["psr/log ^3 Runtime", "start run"]);
    let pyproject = "[project]\ndependencies = [\"a[x] >=1,<2; os_name == 'nt'\", \"b\"]\n\
                     [project.scripts]\nrun = \"a:main\"\n\
                     [dependency-groups]\ndev = [\"c==3\", {include-group = \"x\"}]\n\
                     [tool.poetry.dependencies]\npython = \"^3\"\nd = \"^4\"\n";
    let named = ["a >=1,<2 Runtime", "b Runtime", "c ==3 Development", "d ^4 Runtime", "run: a:main"];
    assert_eq!(needs("pyproject.toml", pyproject), named);
    let requirements = "# all\n-r base.txt\na==1.0  # why\nb>=2 ; python_version < '4'\ngit+https://x.y/z\n";
    assert_eq!(needs("requirements-dev.txt", requirements), ["a ==1.0 Runtime", "b >=2 Runtime"]);
    let pipfile = "[packages]\na = \"*\"\nown = {path = \".\"}\n[dev-packages]\nb = {version = \">=2\"}\n";
    assert_eq!(needs("Pipfile", pipfile), ["a * Runtime", "b >=2 Development"]);
    let go = "module m\n\nrequire one.io/a v1.0.0\nrequire (\n\ttwo.io/b v2.0.0\n\tthree.io/c v3 // indirect\n)\n";
    assert_eq!(needs("go.mod", go), ["one.io/a v1.0.0 Runtime", "two.io/b v2.0.0 Runtime"]);
}

#[test]
fn build_scripts_and_documents_say_what_is_needed() {
    let pom = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><dependencies><dependency><groupId>g</groupId>\
               <artifactId>a</artifactId><version>1</version><scope>test</scope></dependency></dependencies></project>";
    assert_eq!(needs("pom.xml", pom), ["g:a 1 Development"]);
    let gradle = "plugins { id 'java' }\ndependencies {\n  implementation 'g:a:1'\n  api(project(':own'))\n  \
                  testImplementation(\"g:t:2\")\n}\n";
    assert_eq!(needs("build.gradle.kts", gradle), ["g:a 1 Runtime", "g:t 2 Development"]);
    let csproj = "<Project><ItemGroup><PackageReference Include=\"P\" Version=\"1\" /><PackageReference Include=\"Q\">\
                  <Version>2</Version><PrivateAssets>all</PrivateAssets></PackageReference>\
                  <ProjectReference Include=\"..\\lib\\My.Lib.csproj\" /></ItemGroup></Project>";
    assert_eq!(needs("App.csproj", csproj), ["P 1 Runtime", "Q 2 Build", "My.Lib Runtime"]);
    let gems = "source 'x'\ngem 'rack', '~> 3.0'\ngem \"own\", path: \"../own\"\ngroup :test do\n  gem 'rspec'\nend\n";
    assert_eq!(needs("Gemfile", gems), ["rack ~> 3.0 Runtime", "rspec Development"]);
    let spec = "Gem::Specification.new do |s|\n  s.add_dependency 'a', '>= 1'\nend\n";
    assert_eq!(needs("x.gemspec", spec), ["a >= 1 Runtime"]);
    let cmake = "# find_package(No)\nfind_package(ZLIB 1.2 REQUIRED)\nFetchContent_Declare(\n  googletest\n  URL x)\n\
                 pkg_check_modules(GTK REQUIRED gtk4)\n";
    assert_eq!(needs("CMakeLists.txt", cmake), ["ZLIB 1.2 Runtime", "googletest Runtime", "gtk4 Runtime"]);
}

#[test]
fn a_build_says_what_all_its_files_import() {
    let text = "<Project xmlns=\"x\">\n <ItemGroup>\n  <Using Include=\"A.B\" />\n  <Using Include='A.C' Static = 'True'/>\n  \
                <Using Alias=\"X\" Include=\"A.D\"></Using>\n  <Using Remove=\"System\" />\n  <!-- <Using Include=\"No\"/> -->\n \
                <UsingTask/></ItemGroup></Project>";
    let wanted = [("A.B", "", false), ("A.C", "", true), ("A.D", "X", false)];
    let wanted = wanted.map(|(path, alias, members)| (path.to_owned(), alias.to_owned(), members));
    assert_eq!(layout("src/App.csproj", text).usings, wanted);
    assert_eq!(layout("Directory.Build.props", text).usings, wanted);
}

#[test]
fn a_configuration_may_have_comments_and_commas_at_ends() {
    let text = "{ // all\n \"compilerOptions\": {\"baseUrl\": \".\", /* x */ \"paths\": {\"@/*\": [\"./src/*\", \"//a\",],},}, }";
    let paths = layout("app/tsconfig.base.json", text).paths.expect("it has paths");
    assert_eq!(paths.base.as_deref(), Some("."));
    assert_eq!(paths.mappings, [("@/*".to_owned(), vec!["./src/*".to_owned(), "//a".to_owned()])]);
}

#[test]
fn a_broken_manifest_says_why_and_nothing_else() {
    let deep = "[".repeat(100_000);
    for (path, text) in [
        ("package.json", "{ nonsense"),
        ("composer.json", "{\"name\": }"),
        ("Cargo.toml", "[package\nname = \"x\""),
        ("pyproject.toml", "= 1"),
        ("pom.xml", "<project><dependency>"),
        ("App.csproj", "<Project>\n <Using Include=\"A\" />"),
        ("tsconfig.json", "{ \"compilerOptions\": "),
        ("tsconfig.json", &deep),
        ("package.json", &deep),
    ] {
        let found = read(path, text.as_bytes());
        assert!(found.problem.is_some(), "{path}");
        assert_eq!(Manifest { problem: None, ..found }, Manifest::default(), "{path}");
    }
}

#[test]
fn what_is_no_manifest_has_no_format() {
    assert!(format("packages.json").is_none() && format("requirements.md").is_none());
    assert_eq!(
        format("a/Cargo.toml").map(|format| (format.registry, format.decides)),
        Some(("cargo", Decides::Package))
    );
    assert!(is_decisive("tsconfig.base.json") && !is_decisive("pom.xml") && !is_decisive("main.rs"));
}

#[test]
fn a_note_gives_the_layout_back() {
    let text = "[package]\nname = \"x\"\n[lib]\npath = \"lib/x.rs\"\n[[bin]]\nname = \"t\"\npath = \"tool/t.rs\"\n";
    let layout = layout("Cargo.toml", text);
    assert_eq!(layout.roots.len(), 2);
    assert_eq!(Layout::from_note(&layout.to_note()), layout);
}

#[test]
fn every_kind_of_lock_file_says_versions() {
    let of = |name: &str, text: &str| {
        let lock = lock(name).expect("a lock file");
        let found = lock.read(text.as_bytes()).expect("it parses");
        format!("{} {}", lock.registry, found.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(" "))
    };
    let toml =
        "version = 4\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n[[package]]\nname = \"b\"\nversion = \"2\"\n";
    assert_eq!(of("x/Cargo.lock", toml), "cargo a=1.2.3 b=2");
    assert_eq!(of("uv.lock", toml), "pypi a=1.2.3 b=2");
    let npm = r#"{"packages": {"": {}, "node_modules/@s/a": {"version": "1"},
        "node_modules/b/node_modules/a": {"version": "9"}}}"#;
    assert_eq!(of("package-lock.json", npm), "npm @s/a=1");
    assert_eq!(of("composer.lock", r#"{"packages": [{"name": "p/l", "version": "3"}]}"#), "composer p/l=3");
    let gems = "GEM\n  specs:\n    rack (3.0)\n      other (>= 1)\n    rake (13.1)\n";
    assert_eq!(of("Gemfile.lock", gems), "gem rack=3.0 rake=13.1");
    assert!(lock("yarn.lock").is_none());
    assert!(lock("Cargo.lock").expect("a lock file").read(b"nonsense [").is_err());
}
