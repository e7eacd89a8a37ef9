"""Reads what `codegraph export` wrote with programs that know nothing of codegraph, and compares it with `codegraph sql`.

Called with the binary and a folder that has an index: `check.py BINARY PROJECT WHAT`.
"""

import csv
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

BINARY, PROJECT, WHAT = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
OUT = PROJECT / "exported"
OUT.mkdir(exist_ok=True)

# For each table, numbers that differ if a row or a column is lost: how many, and sums over some columns.
SUMS = {
    "files": "sum(size), sum(lines), sum(length(path)), min(hash), max(hash)",
    "lines": "sum(id), sum(line_number), sum(length(line_type))",
    "items": "sum(id), sum(length(term))",
    "occurrences": "sum(item_id), sum(line_id), sum(length(line_type))",
    "signatures": "sum(file_id), sum(length(header_comments))",
    "methods": "sum(line_number), sum(length(prototype)), count(class_id), sum(length(args)), sum(length(docstring))",
    "types": "sum(line_number), sum(end_line), sum(length(name)), sum(length(kind))",
    "classes": "sum(line), sum(end_line), sum(length(name)), sum(length(bases)), sum(length(docstring))",
    "functions": "sum(line), sum(length(name)), sum(length(args))",
    "symbols": "sum(byte_start), sum(byte_end), sum(end_col), min(symbol_id), max(symbol_id), sum(length(fqn)), "
    "sum(length(canonical_fqn)), count(visibility), sum(is_async), sum(length(signature)), sum(length(docs))",
    "references": "sum(byte_start), sum(byte_end), sum(start_col), count(target_id), sum(length(target)), "
    "sum(is_external), min(reference_id), max(reference_id), count(certainty), sum(length(how))",
    "calls": "sum(byte_start), sum(byte_end), count(callee_id), sum(length(caller)), sum(length(callee)), sum(is_conditional)",
    "usages": "sum(line), sum(length(usage_type)), sum(length(target_name)), sum(length(context)), count(target_class)",
    "entity_cross_ref": "sum(line), count(caller_class_id), count(callee_method_id), sum(length(ref_type))",
    "ast_nodes": "sum(byte_start), sum(byte_end), count(parent_id), sum(length(kind))",
    "dependencies": "sum(id)",
    "metadata": "sum(length(key)), sum(length(value))",
}
TABLES = list(SUMS)


def run(*arguments):
    done = subprocess.run([BINARY, *map(str, arguments)], cwd=PROJECT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def sql(statement):
    """The rows that codegraph itself gives."""
    data = json.loads(run("sql", statement, "--json", "--limit", "10000000", "--timeout", "600"))["data"]
    assert not data["truncated"]
    return [tuple(row[column] for column in data["columns"]) for row in data["rows"]]


def expected(table):
    return sql(f'SELECT count(*), {SUMS[table]} FROM "{table}"')[0]


def same(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {str(found)[:1000]} is not {str(wanted)[:1000]}")


def export(form, name, *more):
    """Exports twice, and once into a pipe: the bytes are always the same."""
    first, second = OUT / name, OUT / f"again-{name}"
    run("export", "--format", form, "--out", first, *more)
    run("export", "--format", form, "--out", second, *more)
    same(f"{form} twice", second.read_bytes() == first.read_bytes(), True)
    command = [BINARY, "export", "--format", form, "--out", "-", *map(str, more)]
    piped = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True).stdout
    same(f"{form} through a pipe", piped == first.read_bytes(), True)
    second.unlink()
    return first


def check_sqlite():
    place = export("sqlite", "index.sqlite")
    db = sqlite3.connect(place)
    same("foreign keys", db.execute("PRAGMA foreign_key_check").fetchall(), [])
    same("integrity", db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'") if not row[0].startswith("sqlite_")}
    same("tables", names, set(TABLES))
    for table in TABLES:
        same(table, db.execute(f'SELECT count(*), {SUMS[table]} FROM "{table}"').fetchone(), expected(table))
        keys = db.execute(f"SELECT count(*) FROM pragma_foreign_key_list('{table}')").fetchone()[0]
        same(f"{table} has keys", keys > 0, table not in ("files", "items", "dependencies", "metadata"))
    plan = db.execute("EXPLAIN QUERY PLAN SELECT * FROM \"references\" WHERE target_id = 1").fetchall()
    same("an index is used", "USING INDEX" in str(plan), True)


def check_csv():
    run("export", "--format", "csv", "--out", OUT / "csv")
    for table in TABLES:
        with open(OUT / "csv" / f"{table}.csv", newline="") as file:
            rows = list(csv.reader(file))
        same(f"{table} as csv", len(rows) - 1, expected(table)[0])
        same(f"{table} is even", {len(row) for row in rows}, {len(rows[0])})
    export("csv", "symbols.csv", "--tables", "symbols")


def check_duckdb_csv():
    import duckdb

    run("export", "--format", "csv", "--out", OUT / "csv")
    for table in TABLES:
        place = OUT / "csv" / f"{table}.csv"
        columns = sql(f"SELECT name, type FROM pragma_table_info('{table}')")
        kinds = {name: {"INTEGER": "BIGINT", "REAL": "DOUBLE"}.get(kind, "VARCHAR") for name, kind in columns}
        source = f"read_csv('{place}', header=true, columns={kinds}, quote='\"', escape='\"', strict_mode=false)"
        if expected(table)[0]:
            same(f"{table} in DuckDB", duckdb_row(duckdb, source, table), numbers(expected(table)))


def check_duckdb_parquet():
    import duckdb

    lake = OUT / "lake"
    for commit in ("one", "two"):
        run("export", "--format", "parquet", "--out", lake, "--repository", "team/app", "--commit", commit)
    for table in TABLES:
        parts = sorted(path.relative_to(lake / table).as_posix() for path in (lake / table).rglob("*.parquet"))
        wanted = [f"repository=team%2Fapp/commit={commit}/part-0.parquet" for commit in ("one", "two")]
        same(f"folders of {table}", parts, wanted)
        first, second = ((lake / table / part).read_bytes() for part in parts)
        same(f"{table} twice", first == second, True)
        one = f"(FROM read_parquet('{lake}/{table}/**/*.parquet', hive_partitioning=true) WHERE commit = 'one')"
        same(f"{table} in DuckDB", duckdb_row(duckdb, one, table), numbers(expected(table)))
        columns = [(row[0], row[1]) for row in duckdb.sql(f"DESCRIBE SELECT * FROM read_parquet('{lake}/{table}/**/*.parquet')").fetchall()]
        kinds = {"INTEGER": "BIGINT", "REAL": "DOUBLE"}
        shape = [(name, kinds.get(kind, "VARCHAR")) for name, kind in sql(f"SELECT name, type FROM pragma_table_info('{table}')")]
        if table not in ("files", "dependencies", "metadata"):
            same(f"columns of {table}", [pair for pair in columns if pair[0] not in ("repository", "commit")], shape)
    # Questions about all repositories, as the documents have them.
    uses = duckdb.sql(
        f"""SELECT repository, target, count(*) AS uses FROM read_parquet('{lake}/references/**/*.parquet', hive_partitioning = true)
        WHERE target_id IS NOT NULL AND commit = 'two' GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT 5"""
    ).fetchall()
    wanted = sql('SELECT target, count(*) FROM "references" WHERE target_id IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5')
    same("most used symbols", [(target, count) for _, target, count in uses], wanted)
    same("the repository's name", {row[0] for row in uses}, {"team/app"})


def check_duckdb_lake():
    """The questions of the document are asked, and what a lake has besides the tables is right."""
    import duckdb

    lake, text = OUT / "whole-lake", (Path(__file__).resolve().parents[4] / "docs/lake.md").read_text()
    run("export", "--format", "parquet", "--out", lake, "--repository", "team/app", "--commit", "one", "--team", "red")
    views = {name: name for name in ("files", "symbols", "offers", "needs", "repositories")} | {"uses": "references"}
    db = duckdb.connect()
    for view, table in views.items():
        db.execute(f"CREATE VIEW {view} AS FROM read_parquet('{lake}/{table}/*/*/*.parquet', hive_partitioning = true)")
    same("repositories", db.execute("SELECT repository, commit, team FROM repositories").fetchall(), [("team/app", "one", "red")])
    keys = {key for (key,) in sql("SELECT symbol_key FROM symbols")}
    offered = db.execute("SELECT path, uses, symbol_key FROM offers").fetchall()
    same("offers are symbols", [row for row in offered if row[2] not in keys], [])
    same("who means what is offered", {uses for _, uses, _ in offered} <= {"all", "value", "module"}, True)
    blocks = re.findall(r"```sql\n-- (\S+)\n(.*?)```", text, re.DOTALL)
    same("questions", [name for name, _ in blocks], ["deprecated", "depended-upon", "untested", "versions", "bound"])
    answers = {name: db.execute(statement).fetchall() for name, statement in blocks}
    outside = sql('SELECT count(*) FROM "references" WHERE is_external = 1')[0][0]
    same("what leaves the repository", [row[:2] for row in answers["bound"]], [("team/app", outside)])
    marked = "lower(docs) LIKE '%deprecated%' AND kind_normalized IN ('fn', 'method')"
    calls = sql(f"SELECT count(*) FROM \"references\" WHERE kind_normalized = 'call' AND target_key IN (SELECT symbol_key FROM symbols WHERE {marked})")
    same("calls of what is deprecated", sum(row[3] for row in answers["deprecated"]), calls[0][0])


def duckdb_row(duckdb, source, table):
    return numbers(duckdb.sql(f"SELECT count(*), {SUMS[table]} FROM {source}").fetchall()[0])


def numbers(row):
    """Sums are wide integers in one engine and plain ones in the other."""
    return tuple(int(value) if isinstance(value, (int, float)) else value for value in row)


def check_json():
    graph = json.loads(export("json", "index.json").read_text())
    lines = [json.loads(line) for line in export("ndjson", "index.ndjson").read_text().splitlines()]
    same("nodes", [one for one in lines if one.pop("type", None) == "node"], graph["nodes"])
    numbers_of = [node["id"] for node in graph["nodes"]]
    same("numbers are unique", len(set(numbers_of)), len(numbers_of))
    kinds = {node["id"]: node["kind"] for node in graph["nodes"]}
    for table, kind in [("files", "File"), ("symbols", "Symbol"), ("references", "Reference"), ("calls", "Call")]:
        same(kind, sum(1 for node in graph["nodes"] if node["kind"] == kind), expected(table)[0])
    ends = {"DEFINES": ("File", "Symbol"), "REFERS": ("Symbol", "Reference"), "CALLS": ("Symbol", "Call")}
    for edge in graph["edges"]:
        same(edge["edge_type"], (kinds[edge["from"]], kinds[edge["to"]]), ends[edge["edge_type"]])
    same("edges", len(graph["edges"]), sum(expected(table)[0] for table in ("symbols", "references", "calls")))
    hashes = {node["data"]["path"]: node["data"]["hash"] for node in graph["nodes"] if node["kind"] == "File"}
    same("hashes", hashes, {path: f"sha256:{hash}" for path, hash in sql("SELECT path, hash FROM files")})
    whole = json.loads(export("json", "tables.json", "--tables", "files,symbols").read_text())["tables"]
    same("rows of symbols", sum(row["byte_end"] for row in whole["symbols"]), expected("symbols")[2])


USES = 'SELECT caller_id, target_id, kind_normalized FROM "references" WHERE target_id IS NOT NULL'


def check_pictures():
    import networkx

    graph = networkx.read_graphml(export("graphml", "index.graphml"))
    same("nodes", graph.number_of_nodes(), expected("symbols")[0])
    uses = sql(USES)
    same("edges", graph.number_of_edges(), len({(a, b) for a, b, _ in uses}))
    same("uses", sum(data["uses"] for *_, data in graph.edges(data=True)), len(uses))
    same("calls", sum(data["calls"] for *_, data in graph.edges(data=True)), sum(1 for *_, kind in uses if kind == "call"))
    files = {(a >> 24, b >> 24) for a, b, _ in uses if a >> 24 != b >> 24}
    by_file = networkx.read_graphml(export("graphml", "files.graphml", "--by", "file"))
    same("files", (by_file.number_of_nodes(), by_file.number_of_edges()), (expected("files")[0], len(files)))
    # What is near something is what a walk over the whole graph finds there.
    centre = max(by_file.nodes, key=by_file.degree)
    for depth in (0, 1, 2):
        name = by_file.nodes[centre]["file"]
        near = networkx.read_graphml(export("graphml", "near.graphml", "--by", "file", "--scope", name, "--depth", depth))
        wanted = networkx.ego_graph(by_file.to_undirected(), centre, radius=depth)
        same(f"{depth} steps from {name}", set(near.nodes), set(wanted.nodes))
        same("edges there", set(near.edges), set(by_file.subgraph(near.nodes).edges))


def check_dot():
    for name, more in [("files.dot", []), ("symbols.dot", ["--by", "symbol"]), ("folders.dot", ["--scope", "folder"])]:
        place = export("dot", name, *more)
        plain = subprocess.run(["dot", "-Tdot_json", place], capture_output=True, text=True)
        same(f"{name}: {plain.stderr}", plain.returncode, 0)
        drawn = json.loads(plain.stdout)
        nodes = [one for one in drawn.get("objects", []) if not one["name"].startswith("cluster")]
        if name == "files.dot":
            files = {(a >> 24, b >> 24) for a, b, _ in sql(USES) if a >> 24 != b >> 24}
            same(name, (len(nodes), len(drawn.get("edges", []))), (expected("files")[0], len(files)))
        if name == "symbols.dot":
            same(name, len(nodes), expected("symbols")[0])
    text = export("mermaid", "index.mmd").read_text().splitlines()
    same("the first line of Mermaid", text[0], "flowchart LR")
    same("nodes in Mermaid", sum(1 for line in text if line.strip().startswith("n") and '["' in line), expected("files")[0])


globals()[f"check_{WHAT}"]()
