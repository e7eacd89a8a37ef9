#!/usr/bin/env python3
"""Gathers pairs of words and the code they speak of, from permissively licensed repositories.

    pairs.py --bin codegraph --git MIRRORS --work SCRATCH --out pairs.jsonl.gz

Two kinds: the first sentences of a symbol's documentation with its name, path and body (the documentation taken out), and the
message of a commit with a file that it changed, as it was before. `repositories.txt` lists what is read: owner/name, commit,
licence. Nothing of a repository is kept but lists of lower-case words, and those only until the table is trained."""

import argparse
import gzip
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys

from words import words

SOURCE = "*.py *.js *.jsx *.mjs *.ts *.tsx *.go *.rs *.java *.rb *.php *.c *.h *.cc *.cpp *.hpp *.cs *.kt".split()
ASIDE = re.compile(r"(^|/)(tests?|spec|specs|__tests__|testing|fixtures?|examples?|vendor|third_party|node_modules|generated|dist)(/|$)"
                   r"|(_test|\.test|\.spec|_spec|Tests?)\.\w+$|(^|/)test_\w+\.py$")
KINDS = "'Function','Method','Constructor','Class','Struct','Interface','Trait','Enum','Macro','Object','Module'"
MOST_DOCUMENTED, MOST_CHANGED = 10000, 2000
QUERY, BODY = 60, 110


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--bin", "--git", "--work", "--out"):
        ap.add_argument(name, required=True)
    ap.add_argument("--list", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "repositories.txt"))
    a = ap.parse_args()
    listed = [line.split() for line in open(a.list) if line.strip() and not line.startswith("#")]
    with gzip.open(a.out, "wt", compresslevel=3) as out:
        for repo, commit, _licence in listed:
            git = f"{a.git}/{repo.replace('/', '+')}/repo"
            chance = random.Random(repo)
            counts = []
            for kind, found in (("doc", documented(a.bin, git, commit, a.work, chance)), ("fix", itertools.islice(changed(git, commit), MOST_CHANGED))):
                n = 0
                for query, name, path, body in found:
                    out.write(json.dumps([kind, repo, query, name, path, body], separators=(",", ":")) + "\n")
                    n += 1
                counts.append(n)
            print(repo, *counts, file=sys.stderr, flush=True)


def some(found, most):
    """Each word once, the first ones."""
    return list(dict.fromkeys(found))[:most]


def documented(binary, git, commit, work, chance):
    """The first sentences of documentation, with what they document."""
    root = os.path.join(work, "tree")
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", git, root], check=True)
    subprocess.run(["git", "-C", root, "checkout", "-q", commit], check=True)
    subprocess.run([binary, "init", root], check=True, capture_output=True)
    sql = f"SELECT file_path, fqn, name, byte_start, byte_end, docs FROM symbols WHERE kind IN ({KINDS}) AND length(docs) > 20"
    out = subprocess.run([binary, "--project", root, "--json", "--no-update", "sql", "--limit", "400000", sql], capture_output=True).stdout
    rows = json.loads(out)["data"]["rows"]
    rows = [row for row in rows if not ASIDE.search(row["file_path"])]
    chance.shuffle(rows)
    rows = sorted(rows[:MOST_DOCUMENTED], key=lambda row: row["file_path"])
    text_of = None
    for row in rows:
        if text_of != row["file_path"]:
            text_of = row["file_path"]
            text = open(os.path.join(root, text_of), "rb").read()
        docs = row["docs"]
        if re.search(r"licen[sc]e|copyright|@generated", docs[:300], re.I):
            continue
        query = some(words(re.sub(r"<[^>]*>|\{@\w+|@\w+|:param|:return", " ", first(docs))), QUERY)
        said = {line.strip(" \t*/#\"'") for line in docs.splitlines()}
        body = text[row["byte_start"]:row["byte_end"]][:8000].decode("utf-8", "replace")
        body = "\n".join(line for line in body.splitlines() if line.strip(" \t*/#\"'") not in said)
        body = some(words(body), BODY)
        if len(query) >= 4 and len(body) >= 4:
            yield query, some(words(row["name"]), 12), some(words(row["file_path"]) + words(row["fqn"]), 30), body
    shutil.rmtree(root, ignore_errors=True)


def first(docs):
    """The first paragraph, cut after a few sentences."""
    paragraph = re.split(r"\n\s*\n|\n\s*(?:@|:param|Args:|Parameters|Returns|#)", docs.strip())[0]
    return paragraph[:400]


HUNK = re.compile(r"^@@ [^@]* @@ ?(.*)")
NOISE = re.compile(r"https?://\S+|\b[0-9a-f]{7,40}\b|^(Signed-off-by|Co-authored-by|Change-Id|Reviewed-by|Reviewed-on|PiperOrigin-RevId|"
                   r"Fixes|Closes|Refs|Cc|git-svn-id|Updates|TryBot|Auto-Submit|Run-TryBot|LUCI|Differential Revision|Test Plan|Reviewers)\b.*", re.M)


def changed(git, commit):
    """Messages of commits with the files they changed, as these were before."""
    args = ["git", "-C", git, "log", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv",
            "--format=%x00%s%n%b%x01", "-p", "-U10", commit, "--", *SOURCE]
    log = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    buffer = b""
    try:
        while True:
            block = log.stdout.read(1 << 20)
            buffer += block
            *entries, buffer = buffer.split(b"\0") if block else (buffer, b"")
            for entry in entries:
                if len(entry) < 400_000:
                    yield from of_commit(entry.decode("utf-8", "replace"))
            if not block:
                return
    finally:
        log.kill()


def of_commit(entry):
    message, _, patch = entry.partition("\x01")
    query = some(words(NOISE.sub(" ", message[:1500])), QUERY)
    if len(query) < 4 or re.match(r"(bump|release|merge|revert|update changelog|version)\b", message, re.I):
        return
    files = re.split(r"^diff --git ", patch, flags=re.M)[1:]
    found = []
    for one in files:
        head = re.search(r"^--- a/(.*)$", one, re.M)
        if not head or ASIDE.search(head[1]):
            continue
        names, body = [], []
        for line in one.splitlines():
            hunk = HUNK.match(line)
            if hunk:
                names += words(hunk[1])
            elif line[:1] in (" ", "-") and not line.startswith("---"):
                body += words(line)
        if len(body) >= 8:
            found.append((query, some(names, 12), some(words(head[1]), 30), some(body, BODY)))
    if len(found) <= 4:
        yield from found


main()
