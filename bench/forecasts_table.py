"""Adds up the records of rules over kernels, as `gtune explain --forecasts --json` prints them.

Usage: forecasts_table.py OUTPUT.json INPUT.json...
"""

import json
import sys

COUNTS = ("pairs", "held", "faster", "steps", "steps_faster")
# A mean, and the count that it is over.
MEANS = {"mean_bound": "pairs", "mean_saved": "pairs", "mean_step_saved": "steps"}

rules = {}
for name in sys.argv[2:]:
    with open(name) as file:
        records = json.load(file)["rules"]
    for record in records:
        total = rules.setdefault(record["rule"], dict.fromkeys((*COUNTS, *MEANS), 0))
        for key in COUNTS:
            total[key] += record[key]
        for key, count in MEANS.items():
            total[key] += record[key] * record[count]
for total in rules.values():
    for key, count in MEANS.items():
        total[key] = round(total[key] / max(total[count], 1), 4)

with open(sys.argv[1], "w") as file:
    json.dump([{"rule": rule, **rules[rule]} for rule in sorted(rules)], file, indent=1)
    file.write("\n")


def share(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def mean(value, count):
    return f"{100 * value:.1f} %" if count else "-"


rows = [("rule", "pairs", "held", "faster", "bound", "saving", "steps", "faster", "saving")]
for rule in sorted(rules):
    r = rules[rule]
    rows.append((rule, str(r["pairs"]), share(r["held"], r["pairs"]), share(r["faster"], r["pairs"]),
                 mean(r["mean_bound"], r["pairs"]), mean(r["mean_saved"], r["pairs"]), str(r["steps"]),
                 share(r["steps_faster"], r["steps"]), mean(r["mean_step_saved"], r["steps"])))
widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
pairs, held = (sum(r[key] for r in rules.values()) for key in ("pairs", "held"))
print(f"over all kernels: {pairs} pairs, {held} of them within their bound "
      f"({share(held, pairs)}); bound and savings are means")
for row in rows:
    print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
