#!/usr/bin/env python3
"""What `codegraph callees` answers, beside small Python and JavaScript programs whose call graph is written down.

    callgraphs.py FOLDER [--codegraph BINARY] [--misses]

FOLDER holds programs such as `micro-benchmark/snippets` of vitsalis/PyCG or `benchmarks/javascript` of SWARM-CG: wherever a
`callgraph.json` lies, its folder is a program, and the file says which function calls which: `{"main": ["main.f"], "main.f": []}`. Each
program is a project of its own.

An edge is a function or module and a function of the program that it calls. What a lambda calls is called by the function around it; a
class is called through its own `__init__` or `constructor`, if it has one; a variable that is called is no function. Exact and inferred
answers count, values that flow included; candidates do not. Where the functions of JavaScript are is read from `codegraph ast`.
"""

import argparse
import ast
import collections
import json
import os
import shutil
import subprocess
import tempfile

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SYMBOLS = "select symbol_id from symbols where language in ('python', 'javascript')"

VARIABLES = ("variable", "constant", "static", "field", "property")


class Program:
    """The functions of a program by qualified name, and the named function around each and around each line."""

    def __init__(self, folder):
        self.places, self.around, self.made, self.lines = collections.defaultdict(set), {}, {}, {}
        for path, _, names in os.walk(folder):
            for name in (name for name in sorted(names) if name.endswith(".py")):
                file = os.path.relpath(os.path.join(path, name), folder)
                parts = file[:-len(".py")].split(os.sep)
                parts = parts[:-1] if parts[-1] == "__init__" else parts
                with open(os.path.join(path, name), encoding="utf-8") as text:
                    self.enter(ast.parse(text.read()), file, ".".join(parts), (file, 0))

    def enter(self, node, file, name, place):
        self.places[name].add(place)
        self.around.setdefault(place, place)
        lambdas = 0
        waiting = collections.deque(ast.iter_child_nodes(node))
        while waiting:
            child = waiting.popleft()
            if not isinstance(child, FUNCTIONS + (ast.ClassDef,)):
                waiting.extendleft(reversed(list(ast.iter_child_nodes(child))))
                continue
            own = (file, child.lineno)
            lambdas += isinstance(child, ast.Lambda)
            word = f"<lambda{lambdas}>" if isinstance(child, ast.Lambda) else child.name
            if isinstance(child, ast.Lambda):
                self.around[own] = self.around[place]
            elif isinstance(child, FUNCTIONS):
                self.lines.update({(file, line): own for line in range(child.lineno, child.end_lineno + 1)})
            if isinstance(child, ast.ClassDef):
                made = [one for one in child.body if isinstance(one, FUNCTIONS) and one.name == "__init__"]
                self.made[own] = (file, made[-1].lineno) if made else None
            self.enter(child, file, f"{name}.{word}", own)

    def expected(self, graph):
        """The written edges that stay in the program, each with the places that its ends may have."""
        for caller, callees in graph.items():
            callers = frozenset(self.around[place] for place in self.places.get(caller, ()))
            for callee in callees:
                if callers and callee in self.places:
                    yield callers, frozenset(self.places[callee])


class Script(Program):
    """The same of a program in JavaScript."""

    FUNCTIONS = {"function_declaration", "generator_function_declaration", "function_expression", "generator_function", "arrow_function",
                 "method_definition"}
    CLASSES = {"class_declaration", "class"}
    NAMED = {"identifier", "property_identifier", "private_property_identifier", "computed_property_name"}
    # What gives its first child's name to its last.
    GIVING = {"variable_declarator", "assignment_expression", "pair", "field_definition"}

    def __init__(self, folder, run):
        self.places, self.around, self.made, self.lines = collections.defaultdict(set), {}, {}, {}
        for path, _, names in os.walk(folder):
            for name in (name for name in sorted(names) if name.endswith((".js", ".mjs"))):
                self.file = os.path.relpath(os.path.join(path, name), folder)
                self.nodes = {node["id"]: node for node in run("ast", self.file)["nodes"]}
                self.children = collections.defaultdict(list)
                for node in self.nodes.values():
                    self.children[node["parent_id"]].append(node)
                with open(os.path.join(path, name), "rb") as text:
                    self.text = text.read()
                parts = self.file.rsplit(".", 1)[0].split(os.sep)
                self.enter(self.children[None][0], [".".join(parts)] + [".".join(parts[:-1])] * (parts[-1] == "index"), (self.file, 0))

    def said(self, node):
        return self.text[node["byte_start"]:node["byte_end"]].decode()

    def word(self, node):
        """The name of a function or class, or the name of what it is given to; and whether that is what it is."""
        named = [one for one in self.children[node["id"]] if one["kind"] in self.NAMED]
        if node["kind"] != "arrow_function" and named:
            return self.said(named[0]), True
        direct = True
        while node["parent_id"] is not None:
            above = self.nodes[node["parent_id"]]
            if above["kind"] in self.GIVING and self.children[above["id"]][-1] is node:
                return self.said(self.children[above["id"]][0]), direct
            if above["kind"] not in ("arguments", "call_expression", "parenthesized_expression"):
                return None, False
            node, direct = above, False
        return None, False

    def owner(self, node):
        """The name of what an object that a function stands in is given to."""
        while node["parent_id"] is not None and self.nodes[node["parent_id"]]["kind"] in ("object", "pair"):
            node = self.nodes[node["parent_id"]]
        return self.word(node)[0] if node["kind"] == "object" else None

    def enter(self, node, names, place):
        for name in names:
            self.places[name].add(place)
        self.around.setdefault(place, place)
        arrows = 0
        waiting = collections.deque(self.children[node["id"]])
        while waiting:
            child = waiting.popleft()
            if child["kind"] not in self.FUNCTIONS | self.CLASSES:
                waiting.extendleft(reversed(self.children[child["id"]]))
                continue
            (word, direct), owner = self.word(child), self.owner(child)
            words = [] if word is None else [word]
            if owner is not None and word is not None:
                words.append(f"{owner}.{word}")
            if child["kind"] == "arrow_function":
                arrows += 1
                words.append(f"<arrow{arrows}>")
            first, last = child["start_line"], child["end_line"]
            own = (self.file, first)
            if child["kind"] in self.CLASSES:
                bodies = [one for one in self.children[child["id"]] if one["kind"] == "class_body"]
                members = [one for body in bodies for one in self.children[body["id"]] if one["kind"] == "method_definition"]
                made = [one["start_line"] for one in members if self.word(one)[0] == "constructor"]
                self.made[own] = (self.file, made[0]) if made else None
            elif first == last and not direct:
                self.around[own] = self.around[place]
            else:
                # Who hands a function of several lines to another calls that one on the first of them.
                begin = first + (last > first and "declaration" not in child["kind"] and child["kind"] != "method_definition")
                self.lines.update({(self.file, line): own for line in range(begin, last + 1)})
            inner = [f"{name}{word}" if word.startswith("[") else f"{name}.{word}" for name in names for word in words]
            inner += [f"{name}.{word}" for name in names for word in words if word.startswith("[")]
            self.enter(child, inner, own)


def asker(codegraph, folder):
    def run(*args):
        call = [codegraph, "--project", folder, "--no-update", "--json", *args]
        out = subprocess.run(call, capture_output=True, text=True)
        return json.loads(out.stdout)["data"] if out.stdout.strip() else None

    return run


def ask(run, program):
    """The edges that codegraph answers."""
    for symbol in run("sql", SYMBOLS)["rows"]:
        answer = run("callees", symbol["symbol_id"], "--limit", "1000")
        for call in answer["calls"] if answer else ():
            if not call["external"] and call["certainty"] != "candidate":
                one = call["symbol"]
                if one["kind"] in VARIABLES:
                    continue
                callee = (one["file"], one["line_number"] if one["name"] else 0)
                callee = program.made.get(callee, callee)
                for line in call["lines"] if callee in program.around and callee[1] > 0 else ():
                    yield program.lines.get((call["file"], line), (call["file"], 0)), callee


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--codegraph", default="codegraph")
    parser.add_argument("--misses", action="store_true", help="print what is missed and what is wrong")
    given = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    for path, folders, names in os.walk(given.folder):
        folders.sort()
        if "callgraph.json" not in names:
            continue
        with open(os.path.join(path, "callgraph.json"), encoding="utf-8") as graph, tempfile.TemporaryDirectory() as copy:
            shutil.copytree(path, copy, dirs_exist_ok=True)
            subprocess.run([given.codegraph, "--project", copy, "init"], check=True, capture_output=True)
            run = asker(given.codegraph, copy)
            program = Program(copy) if any(name.endswith(".py") for name in names) else Script(copy, run)
            expected = set(program.expected(json.load(graph)))
            answered = set(ask(run, program))
        fits = {edge: {(a, b) for a, b in answered if a in edge[0] and b in edge[1]} for edge in expected}
        right = set().union(*fits.values()) if fits else set()
        kind = os.path.relpath(path, given.folder).split(os.sep)[0]
        for count in (counts[kind], counts["all"]):
            count.update(expected=len(expected), found=sum(map(bool, fits.values())))
            count.update(right=len(right), wrong=len(answered - right))
        if given.misses:
            for callers, callees in sorted((sorted(a), sorted(b)) for (a, b), hits in fits.items() if not hits):
                print(f"missed {path}: {callers} -> {callees}")
            for caller, callee in sorted(answered - right):
                print(f"wrong {path}: {caller} -> {callee}")
    print("| programs | edges | precision | recall |\n| --- | --: | --: | --: |")
    for kind, count in counts.items():
        precision = 100 * count["right"] / max(1, count["right"] + count["wrong"])
        recall = 100 * count["found"] / max(1, count["expected"])
        print(f"| {kind} | {count['expected']} | {precision:.1f} | {recall:.1f} |")


if __name__ == "__main__":
    main()
