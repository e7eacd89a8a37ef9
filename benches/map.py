#!/usr/bin/env python3
"""How many of the 50 most referenced symbols of a repository a map within a token budget contains.

    benches/map.py --codegraph target/release/codegraph --aider VENV/bin/aider REPO[=TRUTH.scip.gz] ...

Compares `codegraph map --tokens N` with `aider --show-repo-map --map-tokens N` on the same copy of each repository.
What is most referenced is said by TRUTH, a SCIP index that a compiler made, else by codegraph's own references. A map
contains a symbol if it shows the symbol's name in the section of a file that defines it: codegraph as the name of a
symbol line, aider anywhere in the lines of code that it shows. Repositories need their `.git` folder, which aider reads.
"""

import argparse
import collections
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

BUDGETS = (1_000, 4_000, 16_000)
MOST = 50
DEFINITION, FORWARD = 0x1, 0x40
SYMBOL = re.compile(r'\s*(?:c|m|f|af|am|v|p) ("(?:[^"\\]|\\.)*"|(?:(?!->|\s|\(|:\d).)+)')


def fields(data):
    """Numbers and contents of the fields of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            length = varint()
            yield key >> 3, data[at : at + length]
            at += length
        else:
            at += 8 if key & 7 == 1 else 4


def packed(data):
    """The numbers of a packed repeated field."""
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def occurrences(index):
    """(path, line, column, end column, symbol, roles) of every occurrence on one line."""
    for number, document in fields(index):
        if number != 2:
            continue
        path, found = "", []
        for part, content in fields(document):
            if part == 1:
                path = content.decode()
            elif part == 2:
                place, symbol, roles = [], "", 0
                for inner, value in fields(content):
                    if inner == 1:
                        place = list(packed(value))
                    elif inner == 2:
                        symbol = value.decode()
                    elif inner == 3:
                        roles = value
                found.append((place, symbol, roles))
        for place, symbol, roles in found:
            if len(place) == 3:
                yield path, *place, symbol, roles


def most_referenced(index, root):
    """The symbols with most references: (name, files that define it, references)."""
    names, files, counts = {}, collections.defaultdict(set), collections.Counter()
    texts = {}
    for path, line, start, end, symbol, roles in occurrences(index):
        # Locals, parameters, type parameters and modules are no symbols that a map lists.
        if symbol.startswith("local ") or symbol.endswith((")", "]", "/", ":")):
            continue
        if roles & (DEFINITION | FORWARD):
            if path not in texts:
                file = root / path
                texts[path] = file.read_text(errors="replace").splitlines() if file.is_file() else []
            text = texts[path][line][start:end] if line < len(texts[path]) else ""
            if re.fullmatch(r"[\w$#@]+", text):
                names[symbol] = text
                files[symbol].add(path)
        else:
            counts[symbol] += 1
    known = [(count, symbol) for symbol, count in counts.items() if symbol in names]
    known.sort(key=lambda entry: (-entry[0], entry[1]))
    return [(names[symbol], files[symbol], count) for count, symbol in known[:MOST]]


def run(command, folder):
    environment = dict(os.environ, COLUMNS="4000", OPENAI_API_KEY="none", HOME=str(folder.parent), NO_COLOR="1")
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stdout


def codegraph_map(binary, folder, budget):
    """Names of symbol lines by file."""
    text = run([binary, "map", "--tokens", str(budget)], folder)
    aliases = dict(re.findall(r"(@\d/)=(\S+)", text))
    shown, path = collections.defaultdict(set), None
    for line in text.splitlines():
        header = re.match(r'("[^"]+"|[^\s#"][^:]*):( ←\d+)?$', line)
        symbol = SYMBOL.match(line)
        if header and not symbol:
            path = header[1].strip('"')
            path = aliases.get(path[:3], path[:3]) + path[3:]
        elif symbol and path:
            shown[path].add(re.split(r"::|\.", symbol[1].strip('"'))[-1])
    return lambda name, file: name in shown[file]


def aider_map(binary, folder, budget):
    """Lines of code by file."""
    text = run(
        [binary, "--show-repo-map", "--map-tokens", str(budget), "--map-multiplier-no-files", "1", "--model", "gpt-4o"]
        + "--no-check-update --no-gitignore --yes-always --no-analytics --no-show-model-warnings".split()
        + "--no-show-release-notes --no-auto-commits --no-pretty".split(),
        folder,
    )
    text = text[text.find("Here are summaries") :]
    shown, path = collections.defaultdict(list), None
    for line in text.splitlines():
        if line.startswith("│"):
            shown[path].append(line)
        elif line.endswith(":") and not line.startswith("⋮"):
            path = line[:-1]
    return lambda name, file: any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line) for line in shown[file])


def measure(repository, truth, arguments):
    with tempfile.TemporaryDirectory(prefix="codegraph-map-") as temporary:
        folder = pathlib.Path(temporary) / repository.name
        ignored = shutil.ignore_patterns(".codegraph", ".aider*")
        shutil.copytree(repository, folder, symlinks=True, ignore=ignored)
        run([arguments.codegraph, "init"], folder)
        if truth is None:
            run([arguments.codegraph, "export", "--out", "../own.scip"], folder)
            index = (pathlib.Path(temporary) / "own.scip").read_bytes()
        else:
            index = gzip.decompress(truth.read_bytes()) if truth.suffix == ".gz" else truth.read_bytes()
        wanted = most_referenced(index, folder)
        by = "codegraph" if truth is None else "compiler"
        for budget in BUDGETS:
            counts = []
            for make, binary in ((codegraph_map, arguments.codegraph), (aider_map, arguments.aider)):
                if binary is None:
                    counts.append("")
                    continue
                has = make(binary, folder, budget)
                hits = [any(has(name, file) for file in files) for name, files, _ in wanted]
                counts.append(sum(hits))
                if arguments.misses:
                    missed = [f"{name} ({count})" for (name, _, count), hit in zip(wanted, hits) if not hit]
                    print(f"  {make.__name__} {budget}: without {', '.join(missed)}")
            ours, theirs = counts
            print(f"| {repository.name} | {by} | {budget:,} | {ours} | {theirs} |".replace(",", " "), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codegraph", required=True, type=os.path.abspath)
    parser.add_argument("--aider", type=os.path.abspath, help="left out: only codegraph is measured")
    parser.add_argument("--misses", action="store_true", help="name the symbols that a map does not contain")
    parser.add_argument("repositories", nargs="+", metavar="REPO[=TRUTH]")
    arguments = parser.parse_args()
    print("| repository | most referenced by | tokens | codegraph | aider |\n|---|---|--:|--:|--:|")
    for given in arguments.repositories:
        repository, _, truth = given.partition("=")
        measure(pathlib.Path(repository).resolve(), pathlib.Path(truth) if truth else None, arguments)


if __name__ == "__main__":
    main()
