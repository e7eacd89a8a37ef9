#!/usr/bin/env python3
"""Compares `codegraph grep` with ripgrep on a tree: the same hits, byte for byte, and how long both take.

    benches/grep.py CODEGRAPH RG TREE [ROUNDS]

TREE is an indexed project. Each pattern is searched with `--plain`, which lists what `rg -n` lists; every line has to be the
same. Times are the medians of ROUNDS (default 9) runs, the two programs in turn; the first run of each is not counted.
"cpu" is user and system time, which other work on the machine disturbs less.
"""
import os
import statistics
import subprocess
import sys
import time

PATTERNS = [
    ["the"], ["-w", "get"], ["-i", "error"], ["-F", "foo("], ["TODO|FIXME"], [r"\bdef \w+_test\b"],
    ["-w", "-i", "id"], [r"^\s*import"], [r"[A-Z]{5,}"], ["-F", "."], ["-c", "class"], ["-l", "return"],
    ["-C2", "raise"], ["-A3", "-w", "main"], ["-g", "*.md", "a"], ["-t", "yaml", "name"], ["-S", "http"],
    ["--hidden", "name"], ["no such text at all"], [r"\p{Greek}"], ["-e", "abc", "-e", "xyz"],
]


def run(command, tree):
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    _, child.returncode, used = os.wait4(child.pid, 0)
    return time.perf_counter() - start, output, used.ru_utime + used.ru_stime


def listed(output):
    return sorted(output.split(b"\n"))


def main():
    ours, theirs, tree = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 9
    print("| pattern | same hits | rg | codegraph | ratio | cpu | with symbols | ratio | cpu |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    ratios = []
    for pattern in PATTERNS:
        # .git and .codegraph are no part of the project.
        apart = ["-g", "!.git", "-g", "!.codegraph"] if "--hidden" in pattern else []
        rg = [theirs, "-n", *apart, *pattern, "./"]
        plain = [ours, "grep", "--plain", *pattern]
        shown = [ours, "grep", *pattern]
        same = listed(run(rg, tree)[1].replace(b"\n./", b"\n").removeprefix(b"./")) == listed(run(plain, tree)[1])
        runs = [[run(command, tree) for command in (rg, plain, shown)] for _ in range(rounds)]
        base, full, marked = (statistics.median(one[0] for one in column) * 1000 for column in zip(*runs))
        cpu = [statistics.median(one[2] for one in column) for column in zip(*runs)]
        ratios.append((full / base, marked / base, cpu[1] / cpu[0], cpu[2] / cpu[0]))
        words = " ".join(pattern).replace("|", "\\|")
        print(f"| `{words}` | {'yes' if same else 'NO'} | {base:.0f} ms | {full:.0f} ms | {full / base:.2f} "
              f"| {cpu[1] / cpu[0]:.2f} | {marked:.0f} ms | {marked / base:.2f} | {cpu[2] / cpu[0]:.2f} |", flush=True)
    names = ("time", "time with symbols", "cpu", "cpu with symbols")
    medians = (f"{name} {statistics.median(column):.2f}" for name, column in zip(names, zip(*ratios)))
    print("\nmedian ratios: " + ", ".join(medians))


main()
