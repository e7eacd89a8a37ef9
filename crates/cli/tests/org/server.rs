//! A PostgreSQL of the tests' own: in a temporary folder, on a free port, gone with the test.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A running server.
pub(crate) struct Server {
    child: Child,
    folder: TempDir,
    port: u16,
    binaries: PathBuf,
}

/// The newest PostgreSQL of the machine.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    found.retain(|folder| folder.join("postgres").exists());
    found.sort();
    found.pop()
}

/// The server does not run as root: then as the user that its package made.
fn command(program: &Path) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0"));
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

/// Starts the server of a folder, whatever a killed one left there.
fn spawn(binaries: &Path, folder: &Path, port: u16) -> Child {
    let data = folder.join("data");
    let _ = std::fs::remove_file(data.join("postmaster.pid"));
    command(&binaries.join("postgres"))
        .arg("-D")
        .arg(&data)
        .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "unix_socket_directories="])
        .args(["-p", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts")
}

impl Server {
    /// Starts one; says so and gives nothing where there is none to start, unless `CODEGRAPH_POSTGRES=required`.
    pub(crate) fn start() -> Option<Server> {
        let Some(binaries) = binaries() else {
            let required = std::env::var("CODEGRAPH_POSTGRES").is_ok_and(|value| value == "required");
            assert!(!required, "PostgreSQL is missing: run .ci/postgres");
            let notice = "SKIPPED: PostgreSQL is not installed, run .ci/postgres to test with it\n";
            std::io::stderr().write_all(notice.as_bytes()).expect("standard error is there");
            return None;
        };
        let folder = TempDir::with_prefix("codegraph-postgres-").expect("a folder");
        let data = folder.path().join("data");
        let _ = Command::new("chown").arg("postgres").arg(folder.path()).status();
        let password = folder.path().join("password");
        std::fs::write(&password, "geheim\n").expect("a file");
        let made = command(&binaries.join("initdb"))
            .args(["--auth=trust", "--username=admin", "--no-sync", "--encoding=UTF8", "--locale=C"])
            .arg("--pwfile")
            .arg(&password)
            .arg("--pgdata")
            .arg(&data)
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        // Servers ask each other as the administrator, and only by its password.
        let rules = "host all admin 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
        std::fs::write(data.join("pg_hba.conf"), rules).expect("a file");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let child = spawn(&binaries, folder.path(), port);
        let mut server = Server { child, folder, port, binaries };
        server.wait();
        Some(server)
    }

    /// Waits until the server answers. One that gave up is started again: processes of a killed one may hold its memory yet.
    fn wait(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                self.child = spawn(&self.binaries, self.folder.path(), self.port);
            }
            let ready = Command::new(self.binaries.join("pg_isready"))
                .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
                .status();
            if ready.is_ok_and(|status| status.success()) {
                return;
            }
            assert!(Instant::now() < deadline, "the server does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The address for a user. The password must never be seen.
    pub(crate) fn url(&self, user: &str) -> String {
        format!("postgresql://{user}:geheim@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    /// Runs statements as the administrator.
    pub(crate) fn sql(&self, statements: &str) -> String {
        let run = Command::new(self.binaries.join("psql"))
            .args(["-qAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "admin", "-p", &self.port.to_string()])
            .args(["-c", statements, "postgres"])
            .env("PGPASSWORD", "geheim")
            .output()
            .expect("psql runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).trim().to_owned()
    }

    /// Stops the server as a power cut would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Starts it again.
    pub(crate) fn restart(&mut self) {
        self.child = spawn(&self.binaries, self.folder.path(), self.port);
        self.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
