#!/usr/bin/env python3
"""The table of bench/peers.sh: each kernel's winner compared with the source's own default.

peers_table.py has-source SPEC    exits with 0 if the spec's source has been fetched
peers_table.py line SPEC RESULT   prints a line of JSON from the output of `gtune tune --json`
peers_table.py table LINES        prints these lines as a table
"""
import json
import pathlib
import sys
import tomllib


def read_spec(file):
    return tomllib.loads(pathlib.Path(file).read_text())


def project_of(file):
    """The first line of a spec is '# PROJECT: FILES'."""
    return pathlib.Path(file).read_text().splitlines()[0].lstrip("# ").split(":")[0]


def upstream_paths(spec):
    """The spec's files and folders below upstream/: sources, headers, data files."""
    kernel = spec["kernel"]
    reference = spec["check"].get("reference", {})
    paths = [kernel["source"], *kernel.get("options", [])]
    paths += [reference.get("source", "")] if isinstance(reference, dict) else []
    for argument in spec["args"]:
        fill = argument.get("fill", {})
        paths += [fill.get("file", "")] if isinstance(fill, dict) else []
    return [path[path.index("upstream/"):] for path in paths if "upstream/" in path]


def reference_of(spec):
    reference = spec["check"]["reference"]
    if not isinstance(reference, dict):
        return reference
    if "entry" not in reference:
        return "the kernel itself" if "params" in reference else ", ".join(reference)
    source = reference.get("source", spec["kernel"]["source"])
    whose = "upstream's" if source.startswith("upstream/") else "our own"
    return f"{whose} {reference['entry']}"


def line(file, result_file):
    spec = read_spec(file)
    out = {"project": project_of(file), "kernel": spec["kernel"]["name"], "checked_by": reference_of(spec)}
    text = pathlib.Path(result_file).read_text()
    result = json.loads(text) if text.strip() else {}
    best = result.get("best") or {}
    baselines = {each["name"]: each for each in result.get("baselines", [])}
    default = baselines.get("default", {})
    out["problem"] = result.get("problem")
    out["tried"] = result.get("tried")
    out["elapsed_s"] = result.get("elapsed_s")
    out["default_ms"] = default.get("median_ms")
    out["default_status"] = default.get("status", "not measured")
    out["best_ms"] = best.get("median_ms")
    out["config"] = best.get("config")
    out["checked_on_awkward_sizes"] = result.get("checked_on_awkward_sizes")
    if out["default_ms"] and out["best_ms"]:
        out["gain"] = out["default_ms"] / out["best_ms"]
    return out


def time_text(ms):
    if ms is None:
        return "-"
    return f"{ms * 1000:.2f} us" if ms < 1 else f"{ms:.3f} ms"


def values_text(values):
    return ",".join(f"{name}={value}" for name, value in (values or {}).items()) or "-"


def table(lines):
    rows = [["project", "kernel", "size", "default", "winner", "gain", "checked by", "winner's parameters"]]
    for each in lines:
        default = time_text(each["default_ms"]) if each["default_ms"] else each["default_status"]
        gain = f"{each['gain']:.2f} x" if "gain" in each else "-"
        rows.append([each["project"], each["kernel"], values_text(each["problem"]), default,
                     time_text(each["best_ms"]), gain, each["checked_by"], values_text(each["config"])])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    gains = [each["gain"] for each in lines if "gain" in each]
    print(f"\n{len(gains)} of {len(lines)} kernels have a winner and a default that ran")
    return 0 if len(gains) == len(lines) else 1


def main(words):
    if words[0] == "has-source":
        folder = pathlib.Path(words[1]).parent
        return 0 if all((folder / path).exists() for path in upstream_paths(read_spec(words[1]))) else 1
    if words[0] == "line":
        print(json.dumps(line(words[1], words[2])))
        return 0
    return table([json.loads(each) for each in pathlib.Path(words[1]).read_text().splitlines()])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
