"""Exports real repositories in every format, reads each back with another program, and compares rows and sums with
`codegraph sql`: `exports.py DIR…`. The checks are those of the tests (crates/cli/tests/readers); `.ci/readers` installs what they need.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKS = ROOT / "crates/cli/tests/readers"
READERS = ROOT / "target/readers"
WHAT = ["sqlite", "csv", "json", "duckdb_csv", "duckdb_parquet", "pictures", "dot"]


def check(binary, project, what):
    python = READERS / "venv/bin/python"
    done = subprocess.run([python, CHECKS / "check.py", binary, project, what], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def lsif(binary, project):
    subprocess.run([binary, "export", "--format", "lsif", "--out", "index.lsif"], cwd=project, check=True, capture_output=True)
    command = ["node", "--max-old-space-size=6000", CHECKS / "lsif.js", project / "index.lsif", READERS / "node_modules"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.returncode, done.stderr.strip()
    files = subprocess.run([binary, "sql", "SELECT count(*) AS n FROM files", "--json"], cwd=project, check=True, capture_output=True)
    wanted = json.loads(files.stdout)["data"]["rows"][0]["n"]
    counts = json.loads(done.stdout)
    return int(counts["document"] != wanted), f"{counts['document']} documents of {wanted} files, {counts['range']} ranges"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--binary", default=str(ROOT / "target/debug/codegraph"))
    parser.add_argument("--what", nargs="+", default=[*WHAT, "lsif"])
    options = parser.parse_args()
    failed = 0
    for folder in map(Path, options.folders):
        project = ROOT / "target/exports" / folder.resolve().name
        shutil.rmtree(project, ignore_errors=True)
        shutil.copytree(folder, project, ignore=shutil.ignore_patterns(".git", ".codegraph"), symlinks=True)
        subprocess.run([options.binary, "init"], cwd=project, check=True, capture_output=True)
        for what in options.what:
            before = time.perf_counter()
            code, said = lsif(options.binary, project) if what == "lsif" else check(options.binary, project, what)
            failed += code != 0
            print(f"{project.name} {what}: {'right' if code == 0 else 'WRONG'} in {time.perf_counter() - before:.0f} s {said[:400]}", flush=True)
        shutil.rmtree(project)
    return 1 if failed else 0


sys.exit(main())
