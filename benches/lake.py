"""Writes a lake from folders with code, and asks DuckDB and Spark the questions of docs/lake.md: `lake.py DIR…`.

Both have to give the same rows. Each folder is a repository; folders that have no index get one. What is needed comes from
PyPI into target/lake; Spark needs a JRE (Debian's default-jre-headless).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WANTED = ["duckdb==2.0.0", "pyspark==4.3.0"]
# Tables that the questions ask, by the names that they have there.
VIEWS = {name: name for name in ("files", "symbols", "offers", "needs", "repositories")} | {"uses": "references"}


def questions():
    text = (ROOT / "docs/lake.md").read_text()
    blocks = re.findall(r"```sql\n-- (\S+)\n(.*?)```", text, re.DOTALL)
    return [(name, statement.strip()) for name, statement in blocks]


def plain(rows):
    """Rows as both engines give them: sums are wide integers in one, plain ones in the other."""
    return [[int(value) if hasattr(value, "__int__") and not isinstance(value, str) else value for value in row] for row in rows]


def duckdb_answers(lake):
    import duckdb

    db = duckdb.connect()
    for view, table in VIEWS.items():
        db.execute(f"CREATE VIEW {view} AS FROM read_parquet('{lake}/{table}/*/*/*.parquet', hive_partitioning = true, hive_types_autocast = false)")
    for name, statement in questions():
        yield name, plain(db.execute(statement).fetchall())


def spark_answers(lake, master):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("codegraph").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "8").config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for view, table in VIEWS.items():
        spark.read.parquet(f"{lake}/{table}").createOrReplaceTempView(view)
    for name, statement in questions():
        yield name, plain(spark.sql(statement).collect())
    spark.stop()


def write(binary, lake, folders):
    for number, folder in enumerate(folders):
        folder = Path(folder).resolve()
        subprocess.run([binary, "init"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        team = f"team-{number % 3}"
        command = [binary, "export", "--format", "parquet", "--out", str(lake), "--repository", folder.name, "--team", team]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="DIR")
    parser.add_argument("--binary", default=str(ROOT / "target/debug/codegraph"))
    parser.add_argument("--lake", type=Path, default=ROOT / "target/lake/tables", help="where the lake is written, or is already")
    parser.add_argument("--master", default="local-cluster[2,1,1024]", help="the cluster of Spark")
    parser.add_argument("--inside", choices=["duckdb", "spark"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        answers = duckdb_answers(options.lake) if options.inside == "duckdb" else spark_answers(options.lake, options.master)
        for name, rows in answers:
            print(json.dumps([name, rows, time.process_time()]), flush=True)
        return 0
    place = ROOT / "target/lake/venv"
    python = place / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *WANTED], check=True)
    if options.folders:
        write(options.binary, options.lake, options.folders)
    answers = {}
    for engine in ("duckdb", "spark"):
        command = [python, __file__, "--inside", engine, "--lake", options.lake, "--master", options.master]
        environment = os.environ | {"PYSPARK_PYTHON": str(python)}
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment)
        if done.returncode != 0:
            return done.returncode
        answers[engine] = [json.loads(line)[:2] for line in done.stdout.splitlines() if line.startswith("[")]
    failed = 0
    for (name, ours), (_, theirs) in zip(answers["duckdb"], answers["spark"], strict=True):
        equal = ours == theirs
        failed += not equal
        print(f"{name}: {len(ours)} rows, {'equal' if equal else 'DIFFERENT'}")
        for one, other in [(one, other) for one, other in zip(ours, theirs) if one != other][:3]:
            print(f"  DuckDB {one}\n  Spark  {other}")
    return 1 if failed else 0


sys.exit(main())
