#!/usr/bin/env python3
"""Lists functions of more than 60 lines in src/ and kernels/; fails if there is one. A function
is a block in braces whose head has parameters; it is as long as the lines from its name to its
closing brace.
Usage: scripts/check_functions.py [FOLDER...]"""

import re
import subprocess
import sys

LIMIT = 60

NOT_FUNCTIONS = {"if", "for", "while", "switch", "catch", "return", "sizeof", "alignas", "decltype"}


def without_text(source):
    """The source with comments and literals blanked; its length and lines stay the same."""
    pattern = re.compile(
        r'R"([^ ()\\\t\n]{0,16})\((?:.*?)\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'", re.S)
    blank = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), source)
    lines = blank.split("\n")
    for i, line in enumerate(lines):  # directives: braces in macros need not balance
        if line.lstrip().startswith("#"):
            j = i
            while lines[j].rstrip().endswith("\\"):
                lines[j], j = " " * len(lines[j]), j + 1
            lines[j] = " " * len(lines[j])
    return "\n".join(lines)


def head_name(head):
    """(name, offset) of the function whose head this is; None for other blocks."""
    head = re.sub(r"\b(?:template|requires)\s*<[^{};]*?>\s", " ", head)
    for match in re.finditer(r"([A-Za-z_~][\w:~]*)\s*\(", head):
        name = match.group(1)
        if name.split("::")[-1] in NOT_FUNCTIONS or name.startswith("__"):
            if name in NOT_FUNCTIONS:
                return None
            continue
        return name, match.start()
    return None


def functions(source):
    """(name, first line, last line) of each function; a lambda is part of the function around it."""
    text = without_text(source)
    stack = []
    begin = 0
    inside = 0  # functions that are open
    for at, char in enumerate(text):
        if char == "{":
            head = text[begin:at]
            named = None if inside else head_name(head)
            # A member's initialiser, m_x{1}, is part of the constructor's head.
            initialiser = named and re.search(r"\)[\w\s]*:[^:]", head) and re.search(r"[\w>]$", head)
            if initialiser:
                stack.append("initialiser")
                continue
            if named and re.search(r"=\s*$", head):
                named = None
            stack.append((named[0], begin + named[1]) if named else None)
            inside += named is not None
            begin = at + 1
        elif char == "}":
            if not stack:
                return  # unbalanced braces, in branches of #if
            opened = stack.pop()
            if opened == "initialiser":
                continue
            if opened:
                inside -= 1
                name, start = opened
                yield name, text.count("\n", 0, start) + 1, text.count("\n", 0, at) + 1
            begin = at + 1
        elif char == ";":
            begin = at + 1


def self_test():
    long_body = "\n".join("  f(1);" for _ in range(LIMIT))
    cases = {
        "void a() {\n" + long_body + "\n}\n": ["a"],
        "namespace n {\nclass C {\n int b(int x) const {\n" + long_body + "\n }\n};\n}\n": ["b"],
        "A::A(int x) : m_x(x), m_y{1} {\n" + long_body + "\n}\n": ["A::A"],
        'void q() { const char* s = "{"; }\nint z() { return 0; }\n': [],
        "struct S {\n" + "\n".join("  int x%d;" % i for i in range(99)) + "\n};\n": [],
    }
    for source, expected in cases.items():
        found = [n for n, first, last in functions(source) if last - first + 1 > LIMIT]
        if found != expected:
            sys.exit("check_functions.py: self-test: expected %s, found %s" % (expected, found))


def main():
    self_test()
    arguments = sys.argv[1:]
    folders = arguments or ["src", "kernels"]
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others",
                             "--exclude-standard", "--"] + folders,
                            check=True, capture_output=True, text=True).stdout.split()
    files = [f for f in listed if re.search(r"\.(cpp|hpp|cu|cuh|inc)$", f)]
    wrong = 0
    for file in files:
        with open(file, encoding="utf-8") as source:
            text = source.read()
        for name, first, last in functions(text):
            lines = last - first + 1
            if lines > LIMIT:
                print("%s:%d: %s has %d lines, the limit is %d" % (file, first, name, lines, LIMIT))
                wrong += 1
    if len(files) < 1:
        sys.exit("check_functions.py: no files")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
