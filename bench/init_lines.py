#!/usr/bin/env python3
"""Counts the keys of a spec that its author wrote because gtune init did not get them right.

bench/init_lines.py GTUNE SPEC...: writes each kernel's first spec with gtune init, and compares key by key.
`needed` counts the keys that the spec cannot do without: all but sizes and their names, parameters, folders
of headers, help, [work], baselines and `also`. The order of a product's factors does not matter.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

FREE = {("problem",), ("params",), ("kernel", "help"), ("kernel", "name"), ("kernel", "source"), ("kernel", "options"), ("work",),
        ("baselines",), ("check", "also")}


def include_folders(spec_file, spec):
    options = spec["kernel"].get("options", [])
    folders = [folder for word, folder in zip(options, options[1:]) if word == "-I"]
    return [word for folder in folders for word in ("-I", str(spec_file.parent / folder))]


def first_entry(spec):
    """The kernel of the spec; if it has steps, that of the first launch."""
    launches = [spec["kernel"], *spec.get("steps", [])]
    return next(launch["entry"] for launch in launches if "entry" in launch)


def first_spec(gtune, spec_file, spec):
    source = spec_file.parent / spec["kernel"]["source"]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "first.toml"
        entry = first_entry(spec).split("<")[0]
        words = [gtune, "init", str(source), "--entry", entry, "-o", str(out), *include_folders(spec_file, spec)]
        done = subprocess.run(words, capture_output=True, text=True)
        if not out.exists():
            return None, done.stderr.strip().splitlines()[-1]
        return tomllib.loads(out.read_text()), ""


def keys_of(spec):
    """Each key and its value, as in a line of the file; an argument's keys begin with its index."""
    found = {}

    def add(path, value):
        if any(path[:len(free)] == free for free in FREE):
            return
        inline = path[-1] in ("fill", "macros", "reference", "members")
        if isinstance(value, dict) and not inline:
            for key, each in value.items():
                add((*path, key), each)
        elif path[0] == "args" and len(path) == 1:
            for place, argument in enumerate(value):
                for key, each in argument.items():
                    add(("args", str(place), key), each)
        else:
            found[path] = str(value)

    for key, value in spec.items():
        add((key,), value)
    return found


def names_of_sizes(first, spec):
    """Maps gtune init's name of each size that is an argument by itself to the author's name."""
    pairs = zip(first.get("args", []), spec["args"])
    names = {before.get("value"): after.get("value") for before, after in pairs}
    return {a: b for a, b in names.items() if a in first["problem"] and b in spec["problem"]}


def plain(value, names):
    """An expression with the author's names and its factors sorted."""
    named = re.sub(r"\w+", lambda word: names.get(word[0], word[0]), value)
    return " * ".join(sorted(named.split(" * "))) if re.fullmatch(r"[\w *]+", named) else named


def main(words):
    print(f"{'spec':28} {'needed':>6}  written by the author")
    for name in words[1:]:
        file = pathlib.Path(name)
        spec = tomllib.loads(file.read_text())
        first, why_not = first_spec(words[0], file, spec)
        if first is None:
            print(f"{spec['kernel']['name']:28} {'-':>6}  {why_not}")
            continue
        names = names_of_sizes(first, spec)
        guessed = {path: plain(value, {} if path[-1] == "name" else names) for path, value in keys_of(first).items()}
        written = [path for path, value in keys_of(spec).items() if guessed.get(path) != plain(value, {})]
        print(f"{spec['kernel']['name']:28} {len(written):6}  " + ", ".join(".".join(path) for path in written))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
