#!/usr/bin/env python3
"""Chooses the pieces of the table and writes the pairs as numbers.

    encode.py --out DATA pairs.jsonl.gz…

A word becomes a piece if many repositories use it; what is left of the table goes to parts of the words that have no piece."""

import argparse
import collections
import gzip
import json
import os

import numpy as np

from words import Pieces

WHOLE, PARTS = 26000, 6000
REPOSITORIES, TIMES = 2, 20
LENGTHS = (60, 12, 30, 110)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", required=True)
    ap.add_argument("pairs", nargs="+")
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    table = pieces(a.pairs)
    open(os.path.join(a.out, "pieces.txt"), "w").write("\n".join(table) + "\n")
    cut = Pieces(table)
    repositories, columns, of, kinds = [], [[], [], [], []], [], []
    for kind, repo, *fields in each(a.pairs):
        if not repositories or repositories[-1] != repo:
            repositories.append(repo)
        of.append(len(repositories) - 1)
        kinds.append(kind == "fix")
        for column, field, most in zip(columns, fields, LENGTHS):
            row = np.zeros(most, np.uint16)
            found = list(dict.fromkeys(number + 1 for word in field for number in cut.of(word)))[:most]
            row[: len(found)] = found
            column.append(row)
    names = ("query", "name", "path", "body")
    arrays = {name: np.stack(column) for name, column in zip(names, columns)}
    np.savez_compressed(os.path.join(a.out, "pairs.npz"), repo=np.array(of, np.uint8), fix=np.array(kinds), **arrays)
    open(os.path.join(a.out, "repositories.json"), "w").write(json.dumps(repositories))
    print(len(of), "pairs", len(table), "pieces")


def each(paths):
    for path in paths:
        with gzip.open(path, "rt") as lines:
            for line in lines:
                yield json.loads(line)


def pieces(paths):
    """0 stands for nothing in the arrays; piece n is number n + 1."""
    times, among, seen = collections.Counter(), collections.defaultdict(set), {}
    for _kind, repo, *fields in each(paths):
        number = seen.setdefault(repo, len(seen))
        for field in fields:
            for word in field:
                times[word] += 1
                if len(among[word]) < REPOSITORIES:
                    among[word].add(number)
    common = [word for word, n in times.most_common() if n >= TIMES and len(among[word]) >= REPOSITORIES][:WHOLE]
    known = set(common)
    parts = collections.Counter()
    for word, n in times.items():
        if word not in known:
            weight = min(n, 50)
            for size in range(2, 9):
                for at in range(len(word) - size + 1):
                    parts[word[at:at + size]] += weight * (size - 1)
    common += [part for part, _ in parts.most_common(3 * PARTS) if part not in known][:PARTS]
    return common


main()
