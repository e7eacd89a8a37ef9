#!/usr/bin/env python3
"""What a compiler says each name of a C or C++ project refers to, as a SCIP index.

    libclang.py --root SOURCES --build FOLDER_OF_COMPILE_COMMANDS --out truth.scip [--only PATTERN]

Needs libclang: `apt install python3-clang-19 libclang-common-19-dev`, or `pip install libclang`. `compile_commands.json` comes
from CMake (`-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, outside of the sources) or, for any other build, from `bear -- make`.
Only names that stand in a file under --root are said, at the place where they are written: arguments of macros
are, what bodies of macros become is not. What a template's name could mean is several references at one place.
"""

import argparse
import ctypes
import json
import os
import re
import shlex
import sys

import clang.cindex as clang

K = clang.CursorKind
DEFINITION, FORWARD = 1, 64
FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE}
TYPES = {
    K.STRUCT_DECL, K.UNION_DECL, K.CLASS_DECL, K.ENUM_DECL, K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL, K.CLASS_TEMPLATE,
    K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION, K.TYPE_ALIAS_TEMPLATE_DECL, K.CONCEPT_DECL,
}
ALWAYS_LOCAL = {
    K.PARM_DECL, K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_NON_TYPE_PARAMETER, K.TEMPLATE_TEMPLATE_PARAMETER, K.LABEL_STMT,
}
TERMS = {K.VAR_DECL, K.FIELD_DECL, K.ENUM_CONSTANT_DECL}
NAMESPACES = {K.NAMESPACE, K.NAMESPACE_ALIAS}
NAMED = FUNCTIONS | TYPES | ALWAYS_LOCAL | TERMS | NAMESPACES
REFERENCES = {
    K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.MEMBER_REF, K.TYPE_REF, K.TEMPLATE_REF, K.NAMESPACE_REF, K.LABEL_REF,
    K.VARIABLE_REF, K.OVERLOADED_DECL_REF, K.MACRO_INSTANTIATION,
}
# A header is read for so many of the files that include it: conditions and templates may differ.
READINGS = 3
WORD = re.compile(rb"\w")


class Emitter:
    def __init__(self, root, package):
        self.root = os.path.realpath(root) + os.sep
        self.package = package
        self.lib = clang.conf.lib
        self.lib.clang_getFileLocation.restype = None
        self.paths, self.texts, self.read = {}, {}, {}
        self.documents, self.locals = {}, {}

    def path(self, file):
        """A file's path from the root; None outside."""
        if file is None:
            return None
        name = file.name
        if name not in self.paths:
            real = os.path.realpath(name)
            self.paths[name] = real[len(self.root):] if real.startswith(self.root) else None
        return self.paths[name]

    def place(self, location):
        """Where something is written: path, line, column, offset."""
        file, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        self.lib.clang_getFileLocation(
            location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
        if not file.value:
            return None, 0, 0, 0
        return self.path(clang.File(clang.c_object_p.from_buffer_copy(file))), line.value - 1, column.value - 1, offset.value

    def text(self, path):
        if path not in self.texts:
            with open(self.root + path, "rb") as handle:
                self.texts[path] = handle.read()
        return self.texts[path]

    def written(self, path, offset, name):
        """Whether the name itself stands there."""
        text, name = self.text(path), name.encode()
        end = offset + len(name)
        return text[offset:end] == name and not (WORD.match(name[-1:]) and WORD.match(text[end:end + 1]))

    def symbol(self, cursor):
        """The name of what a declaration declares, and whether it is known outside of its function."""
        origin = self.lib.clang_getSpecializedCursorTemplate(cursor)
        if origin is not None and origin.kind in NAMED:
            cursor = origin
        kind = cursor.kind
        if kind is K.MACRO_DEFINITION:
            path, line, _, _ = self.place(cursor.location)
            return self.named(path, f"{path or ''}:{line if path else ''}:{cursor.spelling}", "!")
        if kind not in NAMED:
            return None
        parent = cursor.semantic_parent
        inside = parent is None or parent.kind in FUNCTIONS or parent.kind is K.LAMBDA_EXPR
        variable = kind is K.VAR_DECL and inside and cursor.storage_class is not clang.StorageClass.EXTERN
        if kind in ALWAYS_LOCAL or variable:
            first = cursor.canonical if kind is not K.LABEL_STMT else cursor
            path, _, _, offset = self.place(first.location)
            return f"local {self.locals.setdefault((path, offset, cursor.spelling), len(self.locals))}" if path else None
        usr = cursor.get_usr()
        if not usr:
            return None
        path = self.place(cursor.canonical.location)[0]
        if not usr.startswith("c:@"):
            usr += f"@{path}"
        suffix = "()." if kind in FUNCTIONS else "#" if kind in TYPES else "/" if kind in NAMESPACES else "."
        return self.named(path, usr, suffix)

    def named(self, path, descriptor, suffix):
        return f"libclang c {self.package if path else 'external'} . `{descriptor.replace('`', '``')}`{suffix}"

    def say(self, place, name, symbol, roles, extent=None):
        path, line, column, _ = place
        enclosing = None
        if extent is not None:
            start, end = self.place(extent.start), self.place(extent.end)
            if start[0] == path == end[0] and start < end:
                enclosing = (start[1], start[2], end[1], end[2])
        said = self.documents.setdefault(path, {})
        key = (line, column, column + len(name.encode()), symbol)
        old_roles, old_enclosing = said.get(key, (0, None))
        said[key] = (old_roles | roles if not (roles | old_roles) & DEFINITION else DEFINITION, enclosing or old_enclosing)

    def visit(self, cursor):
        kind = cursor.kind
        if kind in NAMED or kind is K.MACRO_DEFINITION:
            self.declared(cursor, kind)
        elif kind in REFERENCES:
            self.referred(cursor, kind)

    def declared(self, cursor, kind):
        place, name = self.place(cursor.location), cursor.spelling
        if place[0] is None or not name:
            return
        if kind in FUNCTIONS:
            name = name.split("<")[0] if kind in (K.CONSTRUCTOR, K.DESTRUCTOR) else name
        if not self.written(place[0], place[3], name):
            return
        symbol = self.symbol(cursor)
        if symbol is None:
            return
        only_declares = not cursor.is_definition() and (kind in FUNCTIONS or kind in TYPES)
        if kind is K.VAR_DECL:
            only_declares = cursor.storage_class is clang.StorageClass.EXTERN or (
                not cursor.is_definition() and cursor.semantic_parent.kind in TYPES)
        whole = cursor.extent if kind in FUNCTIONS or kind in TYPES else None
        self.say(place, name, symbol, FORWARD if only_declares else DEFINITION, whole)

    def referred(self, cursor, kind):
        place = self.place(cursor.location)
        if place[0] is None:
            return
        if kind is K.OVERLOADED_DECL_REF:
            count = self.lib.clang_getNumOverloadedDecls(cursor)
            targets = [self.lib.clang_getOverloadedDecl(cursor, i) for i in range(count)]
        else:
            targets = [cursor.referenced]
        for target in targets:
            name = cursor.spelling if kind is K.MACRO_INSTANTIATION else target.spelling if target is not None else ""
            if target is not None and target.kind in (K.CONSTRUCTOR, K.DESTRUCTOR):
                name = name.split("<")[0]
            if not name or not self.written(place[0], place[3], name):
                continue
            symbol = self.named(None, f":{name}", "!") if target is None else self.symbol(target)
            if symbol is not None:
                self.say(place, name, symbol, 0)

    def unit(self, unit):
        for top in unit.cursor.get_children():
            path, _, _, offset = self.place(top.location)
            if path is None:
                continue
            if top.kind in (K.MACRO_DEFINITION, K.MACRO_INSTANTIATION, K.INCLUSION_DIRECTIVE):
                if top.kind is not K.INCLUSION_DIRECTIVE:
                    self.visit(top)
                continue
            # A namespace is opened again and again: the beginning tells which of them it is.
            key = (path, offset, top.get_usr())
            self.read[key] = self.read.get(key, 0) + 1
            if self.read[key] > READINGS:
                continue
            stack = [top]
            while stack:
                cursor = stack.pop()
                self.visit(cursor)
                stack.extend(cursor.get_children())


def commands(folder):
    """Directory, file and arguments of what was compiled, each file once."""
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as handle:
        entries = json.load(handle)
    seen = set()
    for entry in entries:
        words = entry.get("arguments") or shlex.split(entry["command"])
        file = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
        if file in seen or not file.endswith((".c", ".cc", ".cpp", ".cxx", ".C", ".c++")):
            continue
        seen.add(file)
        kept, skip = [], False
        for word in words[1:]:
            is_file = os.path.realpath(os.path.join(entry["directory"], word)) == file
            if skip or is_file or word in ("-c", "-MD", "-MMD", "-MP", "-Werror"):
                skip = False
            elif word in ("-o", "-MF", "-MT", "-MQ"):
                skip = True
            elif not word.startswith(("-fmodules-ts", "-fmodule-mapper", "-fdeps-format")):
                kept.append(word)
        yield entry["directory"], file, kept


# ------------------------------------------------------------- the wire format

def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def chunk(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def span(line, column, end_line, end_column):
    ints = (line, column, end_column) if line == end_line else (line, column, end_line, end_column)
    return b"".join(map(varint, ints))


def document(path, said):
    out = bytearray(chunk(1, path.encode()))
    for (line, column, end, symbol), (roles, enclosing) in sorted(said.items()):
        body = chunk(1, span(line, column, line, end)) + chunk(2, symbol.encode())
        if roles:
            body += varint(3 << 3) + varint(roles)
        if enclosing:
            body += chunk(7, span(*enclosing))
        out += chunk(2, body)
    out += chunk(4, b"C") + varint(6 << 3) + varint(1)
    return bytes(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True)
    parser.add_argument("--build", required=True, help="folder with compile_commands.json")
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", default="", help="files whose path has this, a regular expression")
    parser.add_argument("--library", help="libclang.so, where it is not found")
    args = parser.parse_args()
    if args.library:
        clang.Config.set_library_file(args.library)
    index = clang.Index.create()
    args.out, args.build = os.path.abspath(args.out), os.path.abspath(args.build)
    emitter = Emitter(args.root, os.path.basename(os.path.realpath(args.root)))
    options = clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    for directory, file, words in commands(args.build):
        if not re.search(args.only, file):
            continue
        os.chdir(directory)
        try:
            unit = index.parse(file, args=words, options=options)
        except clang.TranslationUnitLoadError as error:
            print(f"{file}: {error}", file=sys.stderr)
            continue
        faults = [d for d in unit.diagnostics if d.severity >= clang.Diagnostic.Error]
        print(f"{file}: {len(faults)} errors" + (f", first: {faults[0]}" if faults else ""), file=sys.stderr)
        emitter.unit(unit)
    tool = chunk(1, b"libclang") + chunk(2, b"19")
    out = chunk(1, chunk(2, tool) + chunk(3, f"file://{emitter.root[:-1]}".encode()) + varint(4 << 3) + varint(1))
    for path in sorted(emitter.documents):
        out += chunk(2, document(path, emitter.documents[path]))
    with open(args.out, "wb") as handle:
        handle.write(out)


if __name__ == "__main__":
    main()
