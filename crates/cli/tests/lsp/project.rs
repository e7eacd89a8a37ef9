//! Small projects to ask about.

use std::path::{Path, PathBuf};
use std::process::Command;

use codegraph_fixture::Sandbox;

use crate::client::BINARY;

/// A project in a folder of its own.
pub(crate) struct Project(Sandbox);

impl Project {
    /// With these files, not indexed yet.
    pub(crate) fn bare(files: &[(&str, &str)]) -> Project {
        Project(Sandbox::new(files))
    }

    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let project = Project::bare(files);
        project.run(&["init", "."]);
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.root().canonicalize().expect("it is there")
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        self.0.write(file, text);
    }

    /// What the command line says, as text.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        run_in(self.0.root(), arguments)
    }
}

pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(BINARY).args(arguments).current_dir(folder).output().expect("it runs");
    assert!(output.status.code() != Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

pub(crate) const MODELS: &str = "\
class Base:
    def save(self, deep=False):
        \"\"\"Keeps it.\"\"\"
        return 1


class User(Base):
    def save(self, deep=False):
        return 2

    def rename(self, name):
        self.name = name
        return self.save(deep=True)
";

pub(crate) const MAIN: &str = "\
from models import User


def main(count):
    user = User()
    total = count + 1
    user.save(total)
    user.rename('😀'); user.save()
    return total
";

/// Two files of a language in which everything can be asked.
pub(crate) fn sample() -> Project {
    Project::new(&[("models.py", MODELS), ("main.py", MAIN)])
}
