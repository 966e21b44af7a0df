#!/usr/bin/env python3
"""The table of bench/header_random.sh.

Usage: bench/header_random_table.py FOLDER MxNxK,... INSTANCES...
Reads header_INSTANCES_GPU_ROUND.csv and, if it is there, tuned.csv in FOLDER. The median of the rounds counts.
"""
import csv
import math
import statistics
import sys
from pathlib import Path


def rows(path):
    with path.open() as file:
        return {f"{row['M']}x{row['N']}x{row['K']}": row for row in csv.DictReader(file)}


def program_rows(instances):
    """A program's median times on each shape, over the rounds."""
    found = {}
    for path in sorted(folder.glob(f"header_{instances}_*_*.csv")):
        for shape, row in rows(path).items():
            found.setdefault(shape, []).append(row)
    rounds_of_all = max(map(len, found.values()), default=0)
    return {shape: {"ms": statistics.median(float(row["ms"]) for row in rounds),
                    "cublas_ms": statistics.median(float(row["cublas_ms"]) for row in rounds),
                    "right": len(rounds) == rounds_of_all and all(row["check"] == "right" for row in rounds)}
            for shape, rounds in found.items()}


def summary(name, ratios, losses):
    """Of one program: speed relative to cuBLAS, and loss to tuning where it is known."""
    mean = math.exp(statistics.mean(map(math.log, ratios)))
    line = (f"{name:>9} {len(ratios):7d} {mean:6.3f} {min(ratios):6.3f} {sum(r < 0.85 for r in ratios):11d} "
            f"{sum(r < 1 for r in ratios):11d}")
    if losses:
        line += f" {100 * statistics.mean(losses):8.1f} % {100 * statistics.median(losses):6.1f} % "
        line += f"{100 * max(losses):6.1f} %"
    return line


folder = Path(sys.argv[1])
shapes = sys.argv[2].split(",")
instances = sys.argv[3:]
measured = {n: program_rows(n) for n in instances}
tuned_file = folder / "tuned.csv"
tuned = rows(tuned_file) if tuned_file.exists() else {}

print("ratio: to cuBLAS in the same program; cuBLAS ms: the median of the programs")
print("instances  shapes   mean  worst  under 0.85  under 1.00   loss: mean   median    worst")
for n, found in measured.items():
    ratios = [row["cublas_ms"] / row["ms"] for row in found.values()]
    losses = [max(0.0, row["ms"] / float(tuned[shape]["median_ms"]) - 1)
              for shape, row in found.items() if shape in tuned]
    wrong = sum(not row["right"] for row in found.values())
    print(summary(n, ratios, losses) + (f"  {wrong} WRONG or not always measured" if wrong else ""))
runs = {shape: [found[shape]["cublas_ms"] for found in measured.values() if shape in found] for shape in shapes}
cublas_ms = {shape: statistics.median(times) for shape, times in runs.items() if times}
ratios = [cublas_ms[s] / float(tuned[s]["median_ms"]) for s in shapes if s in tuned and s in cublas_ms]
if ratios:
    print(summary("tuned", ratios, []))

print(f"\n{'M x N x K':22}{'cuBLAS ms':>10}" + "".join(f"{n:>9} ms  ratio" for n in instances) + "   tuned, ratio")
for shape in shapes:
    line = f"{shape:22}"
    cublas = cublas_ms.get(shape)
    line += f"{cublas:10.5f}" if cublas else f"{'-':>10}"
    for n in instances:
        row = measured[n].get(shape)
        line += f"{row['ms']:12.5f}{row['cublas_ms'] / row['ms']:7.3f}" if row else f"{'-':>12}{'-':>7}"
    line += f"{cublas / float(tuned[shape]['median_ms']):15.3f}" if cublas and shape in tuned else f"{'-':>15}"
    print(line)
