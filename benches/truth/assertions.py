#!/usr/bin/env python3
"""What `codegraph definition` answers, beside programs that say in comments where each name is defined.

    assertions.py TESTS... [--codegraph BINARY] [--misses]

TESTS are files or folders, such as `languages/*/test` of github/stack-graphs. In them a comment `^ defined: 3, 7` under a line says that
the name above the caret is defined on lines 3 and 7 of the test, and `^ defined:` that it is defined nowhere. `--- path: a/b.py ---` in a
comment begins another file of the same program. Each test is a project of its own.

Found: one of the places answered is one of those asserted. Wrong: a place answered that is none of them. Recall is found of the
assertions that have lines, precision is right of the places answered. Candidates are no answer.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

LANGUAGES = {".java": "Java", ".ts": "TypeScript", ".tsx": "TypeScript", ".js": "JavaScript", ".jsx": "JavaScript", ".py": "Python"}
FILE = re.compile(r"---\s*path:\s*(\S+)\s*---")
SETTING = re.compile(r"---\s*global:\s*\S+=\S+\s*---")
ASSERTION = re.compile(r"\^\s*(\w+):\s*((?:\d+\s*,\s*)*\d+)?")


def read(text, name):
    """The files of a test, each with the lines at their numbers in the whole test, and what is asserted."""
    lines = text.splitlines()
    marks = [(at, found[1]) for at, line in enumerate(lines) if (found := FILE.search(line))]
    files, asserted, source = {}, [], 0
    for (start, path), end in zip(marks or [(-1, name)], [at for at, _ in marks[1:]] + [len(lines)]):
        own = lines[start + 1:end]
        files[path] = "\n" * (start + 1) + "".join(("" if SETTING.search(line) else line) + "\n" for line in own)
        for at, line in enumerate(own, start + 1):
            found = ASSERTION.search(line)
            if not found:
                source = at
            elif found[1] == "defined":
                column = len(lines[source].encode()[:len(line[:found.start()].encode())])
                asserted.append((path, source + 1, column, {int(n) for n in re.findall(r"\d+", found[2] or "")}))
    return files, asserted


def answers(codegraph, project, files, place):
    call = [codegraph, "--project", project, "--no-update", "--json", "definition", place]
    out = subprocess.run(call, capture_output=True, text=True)
    if out.returncode == 2:
        sys.exit(f"{place}: {out.stderr}")
    found = json.loads(out.stdout)["data"]["definitions"] if out.stdout.strip() else []
    return {line(one, files) for one in found if one["certainty"] != "candidate"}


def line(one, files):
    """Where a definition stands; that of a whole file is its first line that is not empty."""
    if one["range"]["byte_end"] > 0:
        return one["range"]["start_line"]
    return next((at for at, text in enumerate(files[one["file"]].splitlines(), 1) if text.strip()), 1)


def tests(paths):
    for path in paths:
        for folder, folders, names in os.walk(path):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names))
        if os.path.isfile(path):
            yield path


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("tests", nargs="+")
    ask.add_argument("--codegraph", default="codegraph")
    ask.add_argument("--misses", action="store_true", help="print what is missed and what is wrong")
    given = ask.parse_args()
    counts = collections.defaultdict(collections.Counter)
    for path in tests(given.tests):
        language = LANGUAGES.get(os.path.splitext(path)[1])
        if language is None:
            continue
        with open(path, encoding="utf-8") as test:
            files, asserted = read(test.read(), os.path.basename(path))
        with tempfile.TemporaryDirectory() as project:
            for name, text in files.items():
                place = os.path.join(project, name)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "w", encoding="utf-8") as file:
                    file.write(text)
            subprocess.run([given.codegraph, "--project", project, "init"], check=True, capture_output=True)
            count = counts[language]
            for name, line, column, lines in asserted:
                found = answers(given.codegraph, project, files, f"{name}:{line}:{column}")
                count["asserted"] += bool(lines)
                count["found"] += bool(found & lines)
                count["right"] += len(found & lines)
                count["wrong"] += len(found - lines)
                if given.misses and (found - lines or lines and not found & lines):
                    kind = "wrong" if found - lines else "missed"
                    print(f"{kind} {path}:{line}:{column} asserted {sorted(lines)} answered {sorted(found)}")
    print("| language | asserted | precision | recall |\n| --- | --: | --: | --: |")
    for language, count in sorted(counts.items()):
        precision = count["right"] / max(1, count["right"] + count["wrong"])
        recall = count["found"] / max(1, count["asserted"])
        print(f"| {language} | {count['asserted']} | {100 * precision:.1f} | {100 * recall:.1f} |")


if __name__ == "__main__":
    main()
