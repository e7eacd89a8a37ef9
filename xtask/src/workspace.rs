//! The workspace itself: where it is, and which files it has.

use std::io;
use std::path::Path;
use std::process::Command;

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// Every file that is or would be committed, from the root, with `/`.
pub(crate) fn files() -> io::Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = git.output()?;
    if !listed.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&listed.stderr).into_owned()));
    }
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut files: Vec<String> = listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    files.retain(|path| root().join(path).is_file());
    files.sort_unstable();
    files.dedup();
    Ok(files)
}
