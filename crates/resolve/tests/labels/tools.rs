//! The compilers and interpreters that decide labels, and how each is made to say what it knows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use codegraph_fixture::Label;
use regex::Regex;

use super::{Sighting, bytecode, without};

/// How often a program is compiled again without the lines that the compiler refused.
const ATTEMPTS: usize = 6;

pub(crate) struct Tool {
    pub(crate) language: &'static str,
    extension: &'static str,
    needs: &'static [&'static str],
    /// What was seen, or what the compiler complains about.
    see: fn(&Path, &[String]) -> Result<String, Output>,
}

pub(crate) const ALL: &[Tool] = &[
    Tool { language: "csharp", extension: ".cs", needs: &["mcs", "mono"], see: assembly },
    Tool { language: "kotlin", extension: ".kt", needs: &["kotlinc", "javap"], see: classes },
    Tool { language: "php", extension: ".php", needs: &["php"], see: php },
    Tool { language: "ruby", extension: ".rb", needs: &["ruby"], see: ruby },
];

impl Tool {
    pub(crate) fn missing(&self) -> Option<&'static str> {
        let there = |name: &str| {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
        };
        self.needs.iter().copied().find(|name| !there(name))
    }
}

/// What a program does as far as its tool says. Lines that a compiler refuses are left out, where nothing is defined there.
pub(crate) fn sightings(
    tool: &Tool,
    order: &[String],
    files: &BTreeMap<String, String>,
    labels: &[Label],
) -> Vec<Sighting> {
    let own: Vec<String> = order.iter().filter(|path| path.ends_with(tool.extension)).cloned().collect();
    let mut files = files.clone();
    for _ in 0..ATTEMPTS {
        let folder = temporary();
        for (path, text) in &files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("folders can be made");
            std::fs::write(path, text).expect("files can be written");
        }
        match (tool.see)(folder.path(), &own) {
            Ok(text) => return text.lines().filter_map(sighting).collect(),
            Err(output) => {
                let mut refused = refused(&output, folder.path());
                refused.retain(|place| {
                    !labels.iter().any(|l| l.word == "def" && (&l.path, l.line) == (&place.0, place.1))
                });
                let left = without(&files, &refused);
                if left == files {
                    log(&output);
                    break;
                }
                files = left;
            }
        }
    }
    Vec::new()
}

/// The lines that a compiler complains about: `path(line,column): error` or `path:line:column: error`.
fn refused(output: &Output, folder: &Path) -> Vec<(String, u32)> {
    let pattern = Regex::new(r"(?m)^(.+?)[(:](\d+)[,:]\d+.*\berror\b").expect("the pattern is written here");
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let place = |found: regex::Captures| {
        let path = Path::new(&found[1]);
        let path = path.strip_prefix(folder).unwrap_or(path);
        Some((path.to_str()?.to_owned(), found[2].parse().ok()?))
    };
    pattern.captures_iter(&text).filter_map(place).collect()
}

fn sighting(line: &str) -> Option<Sighting> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [path, line, names, owner, place] = parts[..] else { return None };
    let place = place.rsplit_once(':').and_then(|(path, line)| Some((path.to_owned(), line.parse().ok()?)));
    let names = names.split(' ').map(str::to_owned).collect();
    Some(Sighting { path: path.to_owned(), line: line.parse().ok()?, names, owner: owner.to_owned(), place })
}

fn script(folder: &Path, interpreter: &str, name: &str, text: &str, files: &[String]) -> Result<String, Output> {
    let aside = temporary();
    let path = aside.path().join(name);
    std::fs::write(&path, text).expect("files can be written");
    let output =
        Command::new(interpreter).arg(path).arg(folder).args(files).current_dir(folder).output().expect("it is there");
    log(&output);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a program or a compiler complained about, for who writes programs.
fn log(output: &Output) {
    if std::env::var_os("CODEGRAPH_LABELS_LOG").is_some() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn ruby(folder: &Path, files: &[String]) -> Result<String, Output> {
    script(folder, "ruby", "trace.rb", include_str!("trace.rb"), files)
}

fn php(folder: &Path, files: &[String]) -> Result<String, Output> {
    script(folder, "php", "trace.php", include_str!("trace.php"), files)
}

fn assembly(folder: &Path, files: &[String]) -> Result<String, Output> {
    let aside = temporary();
    let (reader, source) = (aside.path().join("trace.exe"), aside.path().join("Trace.cs"));
    std::fs::write(&source, include_str!("Trace.cs")).expect("files can be written");
    let compiler = || Command::new("mcs");
    let built =
        compiler().arg("-nologo").arg(format!("-out:{}", reader.display())).arg(&source).output().expect("it is there");
    assert!(built.status.success(), "Trace.cs: {}", String::from_utf8_lossy(&built.stderr));
    let library = aside.path().join("program.dll");
    let mut compile = compiler();
    compile.args(["-nologo", "-debug", "-target:library", "-langversion:latest", "-warn:0"]);
    let output = compile
        .arg(format!("-out:{}", library.display()))
        .args(files)
        .current_dir(folder)
        .output()
        .expect("it is there");
    if !output.status.success() {
        return Err(output);
    }
    let read =
        Command::new("mono").arg("--debug").arg(&reader).arg(&library).arg(folder).output().expect("it is there");
    assert!(read.status.success(), "reading: {}", String::from_utf8_lossy(&read.stderr));
    Ok(String::from_utf8_lossy(&read.stdout).into_owned())
}

fn classes(folder: &Path, files: &[String]) -> Result<String, Output> {
    let aside = temporary();
    // Java beside it is read by the compiler, not compiled.
    let output = Command::new("kotlinc")
        .arg(".")
        .args(["-nowarn", "-d"])
        .arg(aside.path())
        .current_dir(folder)
        .output()
        .expect("it is there");
    if !output.status.success() {
        return Err(output);
    }
    let mut paths = Vec::new();
    classes_below(aside.path(), &mut paths);
    let listing = Command::new("javap").args(["-c", "-l", "-p", "-s"]).args(paths).output().expect("it is there");
    Ok(bytecode::sightings(&String::from_utf8_lossy(&listing.stdout), files))
}

fn classes_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is ours").flatten() {
        let path = entry.path();
        if path.is_dir() {
            classes_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "class") {
            found.push(path);
        }
    }
}

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}
