"""Fills the store of an organisation and measures it: `org_scale.py --repositories 300 DIR…`.

Real folders with code are pushed as they are. Those that are Python packages are then copied under other names, with one more file
that uses some of the copies before, until there are as many repositories as are wanted. At 3, 30, 300, … repositories the questions
of people are asked of a running server (`codegraph mcp --org`), beside the same questions to one repository's own file. PostgreSQL is
started here, in a folder that is removed at the end: one server, or one with its large tables on others (`--servers 3`).
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TASKS = ["where is a request retried after a timeout", "parse the configuration file", "render a template with a context"]


class Server:
    """A PostgreSQL of our own, with the settings that a database of this size has."""

    def __init__(self, folder, memory):
        binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not binaries:
            sys.exit("PostgreSQL is missing: run .ci/postgres")
        self.binaries = binaries[-1].parent
        self.folder = folder
        folder.mkdir(parents=True)
        (folder / "password").write_text("secret\n")
        self.prefix = []
        if os.getuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.run("initdb", "--auth=scram-sha-256", "--username=admin", "--encoding=UTF8", "--locale=C", f"--pwfile={folder}/password", "-D", f"{folder}/data")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "shared_buffers": memory,
            "max_wal_size": "4GB", "checkpoint_timeout": "15min", "wal_compression": "on", "maintenance_work_mem": "256MB",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command = [*self.prefix, str(self.binaries / "postgres"), "-D", f"{folder}/data", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run([self.binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode:
            time.sleep(0.1)

    def run(self, program, *arguments):
        subprocess.run([*self.prefix, str(self.binaries / program), *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    @property
    def address(self):
        return f"postgresql://admin:secret@127.0.0.1:{self.port}/postgres?sslmode=disable"

    def seconds(self):
        """Processor time of this server: its own, that of connections that ended, and of those that are open."""
        pids = [self.process.pid, *map(int, Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split())]
        total = 0
        for pid in pids:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except FileNotFoundError:
                continue
            # What ended is counted by its parent.
            total += sum(map(int, fields[11:15] if pid == self.process.pid else fields[11:13]))
        return total / os.sysconf("SC_CLK_TCK")

    def sql(self, statement):
        command = [self.binaries / "psql", "-qAt", "-v", "ON_ERROR_STOP=1", self.address, "-c", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Questions:
    """A running server of ours that is asked over its standard input."""

    def __init__(self, command, cwd):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=cwd)
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "scale", "version": "1"}}
        self.call("initialize", about)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call(self, method, params):
        self.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        return json.loads(self.process.stdout.readline())

    def seconds(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def ask(self, tool, arguments):
        before = time.perf_counter()
        answer = self.call("tools/call", {"name": f"codegraph_{tool}", "arguments": arguments})
        took = (time.perf_counter() - before) * 1000
        return took, answer["result"]["content"][0]["text"]

    def stop(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


def children():
    """Processor time of programs that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*command, cwd):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[:3]}: {done.stderr}")
    return done.stdout


def copy_of(folder, package, name, others, target):
    """A copy of a Python package under another name, which uses packages that were copied before."""
    word = re.compile(rf"\b{package}\b")
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if path.is_dir() or path.is_symlink() or ".git" in relative.parts or path.suffix not in (".py", ".toml", ".cfg", ".md"):
            continue
        if path.stat().st_size > 400_000:
            continue
        place = target / word.sub(name, str(relative))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(word.sub(name, path.read_text(errors="replace")))
    needed = ", ".join(f'"{other}"' for other, _ in others)
    (target / "uses.toml").unlink(missing_ok=True)
    (target / "pyproject.toml").write_text(f'[project]\nname = "{name}"\nversion = "1.0"\ndependencies = [{needed}]\n')
    lines = []
    for other, symbols in others:
        for symbol in symbols:
            module, _, last = symbol.rpartition(".")
            lines += [f"from {module} import {last} as {other}_{last}", "", "", f"def use_{other}_{last}():", f"    return {other}_{last}()", "", ""]
    (target / f"{name}_uses.py").write_text("\n".join(lines) + "\n")


class Scale:
    def __init__(self, options):
        self.options = options
        self.work = Path(options.work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        memory = f"{options.memory // max(options.servers, 1)}MB"
        self.others = [Server(self.work / f"part{number}", memory) for number in range(options.servers)]
        self.server = Server(self.work / "server", memory if not options.servers else "256MB")
        self.random = random.Random(7)
        self.pushed, self.seconds = 0, 0.0
        # Processor time of pushes: of the command, and of the servers.
        self.spent = [0.0, 0.0]
        self.references = 0
        self.packages = []
        self.originals = []

    def served(self):
        return sum(server.seconds() for server in [self.server, *self.others])

    def push(self, folder, name):
        servers = [word for other in self.others for word in ("--server", other.address)] if self.pushed == 0 else []
        before, used, served = time.perf_counter(), children(), self.served()
        out = run(self.options.binary, "push", self.server.address, "--repository", name, "--commit", "c1", "--json", "--no-update", *servers, cwd=folder)
        self.seconds += time.perf_counter() - before
        self.spent[0] += children() - used
        self.spent[1] += self.served() - served
        data = json.loads(out)["data"]
        self.pushed += 1
        self.references += data["references"]
        return data

    def real(self, folder):
        folder = Path(folder).resolve()
        run(self.options.binary, "init", cwd=folder)
        self.push(folder, folder.name)
        self.originals.append(folder)
        packages = [path.parent.name for path in [*folder.glob("*/__init__.py"), *folder.glob("src/*/__init__.py")]]
        package = next((name for name in packages if name not in ("tests", "test", "docs")), None)
        if package:
            self.packages.append((folder, package, self.offered(folder, package)))

    def offered(self, folder, package):
        """Names of functions and classes at the top of the package's modules."""
        sql = f"SELECT fqn FROM symbols WHERE kind IN ('Function', 'Class') AND visibility <> 'private' AND fqn LIKE '{package}.%' AND parent_id IS NOT NULL ORDER BY fqn LIMIT 3000"
        rows = json.loads(run(self.options.binary, "sql", sql, "--json", "--no-update", "--limit", "3000", cwd=folder))["data"]["rows"]
        names = [row["fqn"] for row in rows]
        return [name for name in names if name.count(".") >= 1 and "#" not in name and "<" not in name][:400]

    def variant(self, number):
        folder, package, symbols = self.packages[number % len(self.packages)]
        name = f"{package}_{number:05}"
        known = getattr(self, "known", [])
        chosen = self.random.sample(known, min(4, len(known)))
        others = []
        for other, of_package, offered in chosen:
            names = self.random.sample(offered, min(5, len(offered)))
            others.append((other, [re.sub(rf"^{of_package}\b", other, symbol) for symbol in names]))
        target = self.work / "copy"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        copy_of(folder, package, name, others, target)
        run(self.options.binary, "init", cwd=target)
        self.push(target, name)
        self.known = [*known, (name, package, symbols)]

    def measure(self):
        for server in [self.server, *self.others]:
            server.sql("ANALYZE")
        size = sum(int(server.sql("SELECT pg_database_size('postgres')")) for server in [self.server, *self.others])
        rate = self.references / max(self.seconds, 1e-9)
        print(f"{self.pushed} repositories, {self.references} references, {size / 1e9:.2f} GB; pushed in {self.seconds:.0f} s: {rate:.0f} references/s, {3600 * self.pushed / max(self.seconds, 1e-9):.0f} repositories/h; processor {self.spent[0]:.1f} s here, {self.spent[1]:.1f} s in servers: {self.references / max(sum(self.spent), 1e-9):.0f} references/s", flush=True)
        store = Questions([self.options.binary, "mcp", "--org", self.server.address], "/")
        self.ask(store)
        store.stop()

    def ask(self, asked):
        samples = self.samples()
        wanted = {
            "find": [{"name": name} for name, _ in samples],
            "refs": [{"symbol": fqn} for _, fqn in samples],
            "callers": [{"symbol": fqn} for _, fqn in samples],
            "context": [{"task": task} for task in TASKS],
        }
        self.report("org", asked, wanted, self.served)

    def report(self, label, asked, wanted, served):
        """Each question once to warm up, then once for the clock."""
        for tool, questions in wanted.items():
            for arguments in questions:
                asked.ask(tool, arguments)
            before = asked.seconds() + served()
            timed = [(asked.ask(tool, arguments)[0], *arguments.values()) for arguments in questions]
            times = sorted(took for took, _ in timed)
            spent = (asked.seconds() + served() - before) * 1000 / max(len(times), 1)
            p50, p99 = times[len(times) // 2], times[min(len(times) - 1, int(len(times) * 0.99))]
            print(f"  {label} {tool}: p50 {p50:.1f} ms, p99 {p99:.1f} ms; processor {spent:.1f} ms each ({len(times)}); slowest {max(timed)[1]}", flush=True)

    def samples(self):
        """The same number of symbols at each size: some that others use, some that nobody does."""
        sql = "SELECT s.name, s.fqn FROM codegraph.symbol s WHERE s.kind IN ('Function', 'Class', 'Method') AND abs(hashtext(s.key::text || s.repository)) % {} = 0 ORDER BY hashtext(s.fqn) LIMIT {}"
        few = self.server.sql(sql.format(max(1, self.pushed * 3), self.options.questions)).splitlines()
        used = "SELECT s.name, s.fqn FROM codegraph.offer o JOIN codegraph.symbol s ON s.repository = o.repository AND s.key = o.key WHERE o.path IN (SELECT outside FROM codegraph.reference WHERE outside LIKE '%\\_0%' ORDER BY hashtext(outside) LIMIT 400) AND s.kind IN ('Function', 'Class') ORDER BY hashtext(s.fqn) LIMIT {}"
        many = self.server.sql(used.format(self.options.questions)).splitlines() if getattr(self, "known", None) else []
        return [tuple(row.split("|")) for row in [*few, *many] if row.count("|") == 1]

    def alone(self):
        """The same questions to the own file of one repository."""
        folder = max(self.originals, key=lambda folder: (folder / ".codegraph/index.db").stat().st_size)
        sql = f"SELECT name, fqn FROM symbols WHERE kind IN ('Function', 'Class', 'Method') ORDER BY symbol_id LIMIT {self.options.questions}"
        rows = json.loads(run(self.options.binary, "sql", sql, "--json", "--limit", "1000", cwd=folder))["data"]["rows"]
        print(f"one repository alone: {folder.name}, {(folder / '.codegraph/index.db').stat().st_size / 1e6:.0f} MB")
        asked = Questions([self.options.binary, "mcp"], folder)
        wanted = {
            "find": [{"name": row["name"]} for row in rows],
            "find_usages": [{"symbol": row["fqn"]} for row in rows],
            "callers": [{"symbol": row["fqn"]} for row in rows],
            "context": [{"task": task} for task in TASKS],
        }
        self.report("file", asked, wanted, lambda: 0)
        asked.stop()

    def go(self):
        steps = [step for step in (3, 30, 300, 3000) if step < self.options.repositories] + [self.options.repositories]
        waiting = list(self.options.folders)
        for step in steps:
            while self.pushed < step:
                if waiting and (self.pushed < 3 or self.pushed % 2 == 0 or not self.packages):
                    self.real(waiting.pop(0))
                else:
                    self.variant(self.pushed)
            self.measure()
        self.alone()

    def stop(self):
        for server in [self.server, *self.others]:
            server.stop()
        shutil.rmtree(self.work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="DIR", help="real repositories; Python packages among them are copied")
    parser.add_argument("--repositories", type=int, default=300)
    parser.add_argument("--servers", type=int, default=0, help="servers for the large tables, beside the one that is asked")
    parser.add_argument("--questions", type=int, default=60, help="symbols that are asked about at each size")
    parser.add_argument("--memory", type=int, default=4096, help="MB of shared buffers of all servers together")
    parser.add_argument("--binary", default=str(ROOT / "target/debug/codegraph"), help="a build with the feature org")
    parser.add_argument("--work", default=str(ROOT / "target/org-scale"))
    options = parser.parse_args()
    scale = Scale(options)
    try:
        scale.go()
    finally:
        scale.stop()


main()
