"""When gtune's and Kernel Tuner's best configurations came near the best of all.

    python3 compare.py --exhaustive DB --json FILE --gtune SEED START END DB ... KERNEL_TUNER.json...

DB are gtune's databases, START and END seconds since 1970. What a configuration is worth is told by one
measurement for both tuners: that of the exhaustive run. A tuner's own times only say which configuration it
would have returned. A tuner has come within P % when its best so far is, and stays, within P % of the
exhaustive best.
"""

import argparse
import json
import os
import sqlite3
import statistics
import sys
from pathlib import Path

from sgemm_space import TUNE_PARAMS

PERCENTS = (10, 5, 2, 1)
SEARCH = """
SELECT (julianday(m.created) - 2440587.5) * 86400, config.params, m.median_ms, m.status,
       coalesce(m.compile_ms, 0), coalesce(m.gpu_ms, 0)
FROM measurement AS m JOIN config ON config.id = m.config_id
WHERE m.phase IN (SELECT value FROM json_each(?))
ORDER BY m.created, m.id"""


def key(config):
    return tuple(sorted(config.items()))


def points_of(database, start, phases=("search", "final")):
    """Of a database with one run: a point per measurement, as sgemm_kernel_tuner.py writes them."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    names = ("t", "config", "ms", "status", "compile_ms", "gpu_ms")
    points = [dict(zip(names, row)) for row in connection.execute(SEARCH, [json.dumps(phases)])]
    connection.close()
    for point in points:
        point["t"] -= start
        # Other parameters exist only in kernels that are not valid at this size.
        point["config"] = {name: value for name, value in json.loads(point["config"]).items()
                           if name in TUNE_PARAMS}
        if point["status"] != "ok":
            point["ms"] = None
    return points


def gtune_series(seed, start, end, database):
    return {"tuner": "gtune", "seed": int(seed), "checked": True,
            "elapsed_s": float(end) - float(start),
            "points": points_of(database, float(start))}


def worth_of_all(database):
    """Configuration to milliseconds, by the search of the exhaustive run."""
    points = points_of(database, 0, phases=["search"])
    return {key(p["config"]): p["ms"] for p in points if p["ms"] is not None}


def incumbents(points):
    """The points that were the best so far. A configuration measured again counts by its last time,
    so another may become the best because this one got worse."""
    known = {}
    best = None
    found = []
    for point in points:
        if point["ms"] is None:
            continue
        known[key(point["config"])] = point["ms"]
        leader = min(known, key=known.get)
        if leader != best:
            best = leader
            found.append({"t": point["t"], "config": dict(leader), "own_ms": known[leader]})
    return found


def seconds_until(found, limit_ms):
    """None: not reached."""
    reached = None
    for each in found:
        if each["ms"] is None or each["ms"] > limit_ms:
            reached = None
        elif reached is None:
            reached = each["t"]
    return reached


def summary(series, worth, best_ms):
    points = series["points"]
    found = incumbents(points)
    for each in found:
        each["ms"] = worth.get(key(each["config"]))
    distinct = len({key(p["config"]) for p in points})
    elapsed = series["elapsed_s"]
    return {
        **{name: value for name, value in series.items() if name != "points"},
        "configurations": distinct,
        "failed": sum(p["status"] != "ok" for p in points),
        "configurations_per_s": distinct / elapsed,
        "compile_s": sum(p["compile_ms"] for p in points) / 1000,
        "gpu_share": sum(p["gpu_ms"] for p in points) / 1000 / elapsed,
        "found": found[-1] if found else None,
        "seconds_until": {str(p): seconds_until(found, best_ms * (1 + p / 100)) for p in PERCENTS},
        "incumbents": found,
    }


def versions_of(each):
    packages = ", ".join(f"{name} {number}" for name, number in each["versions"].items())
    return f"Kernel Tuner: {packages}; backend {each['lang']}"


def name_of(each):
    if each["tuner"] == "gtune":
        return "gtune"
    return each["strategy"] + ("" if each["checked"] else ", unchecked")


def text(value, form):
    return "-" if value is None else form.format(value)


def line(name, cells):
    return f"{name:<28}" + "".join(f"{cell:>13}" for cell in cells)


def cells_of(run, best_ms):
    found = run["found"] and run["found"]["ms"]
    return [str(run["seed"]), f"{run['elapsed_s']:.1f}", str(run["configurations"]), str(run["failed"]),
            *(text(run["seconds_until"][str(p)], "{:.1f}") for p in PERCENTS),
            text(found and 100 * (found / best_ms - 1), "{:.2f} %")]


def median_line(name, runs):
    """Of the seconds; a run that did not come so near counts as longer than any."""
    cells = []
    for percent in PERCENTS:
        seconds = [run["seconds_until"][str(percent)] for run in runs]
        middle = statistics.median(float("inf") if s is None else s for s in seconds)
        cells.append("-" if middle == float("inf") else f"{middle:.1f}")
    return line(f"{name}, median", ["", "", "", "", *cells, ""])


def table(result):
    lines = [line("s until within P % of the best", ["seed", "wall time, s", "configs", "failed",
                                                     *(f"{p} %" for p in PERCENTS), "found, above"])]
    groups = {}
    for run in [*result["gtune"], *result["kernel_tuner"]]:
        groups.setdefault(name_of(run), []).append(run)
    for name, runs in groups.items():
        lines += [line(name, cells_of(run, result["best_ms"])) for run in runs]
    return "\n".join([*lines, *(median_line(name, runs) for name, runs in groups.items())])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exhaustive", type=Path, required=True)
    parser.add_argument("--gtune", nargs=4, action="append", required=True,
                        metavar=("SEED", "START", "END", "DB"))
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("series", type=Path, nargs="+", help="by sgemm_kernel_tuner.py")
    options = parser.parse_args()

    worth = worth_of_all(options.exhaustive)
    if not worth:
        sys.exit(f"{options.exhaustive}: no measurement; the exhaustive run must come first")
    best = min(worth, key=worth.get)
    ours = [summary(gtune_series(*run), worth, worth[best]) for run in options.gtune]
    theirs = [summary(json.loads(file.read_text()), worth, worth[best]) for file in options.series]
    result = {"exhaustive_configurations": len(worth), "best_ms": worth[best],
              "best_config": dict(best), "gtune": ours, "kernel_tuner": theirs}
    print(versions_of(theirs[0]))
    print(f"best of {len(worth)} configurations, measured exhaustively by gtune: "
          f"{worth[best]:.4f} ms")
    print(",".join(f"{name}={value}" for name, value in best))
    print(table(result))
    partial = options.json.with_suffix(".partial")
    partial.write_text(json.dumps(result, indent=1) + "\n")
    os.replace(partial, options.json)


if __name__ == "__main__":
    main()
