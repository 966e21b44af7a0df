#!/usr/bin/env python3
"""The loss of exported headers on shapes whose measurements they never saw.

The tuned problems of a database are split into parts. For each part, a header is exported from a
copy of the database without that part's problems, compiled, and asked for them. Its choice is
looked up among all measurements; the loss is its time relative to the best time, minus 1. Beside it
stands the least loss of the header's variants, as far as they were measured: what a perfect choice
among them would lose. Needs no GPU. Programs are also compared on those problems for which the
choices of all were measured.

  bench/header_loss.py DATABASE NAME=GTUNE [NAME=GTUNE...] [--kernels sgemm,copy]
                       [--variants 8,12,24] [--parts 5] [--times DATABASE] [--unseen] [--each]

--times: look times and bests up in this database, which knows more than the first: the slow choices,
whose times a compacted database leaves out, or what later searches found.
--unseen: export one header from all of DATABASE, and ask it for the problems that only --times has, such
as bench/results/2026-12-01-h200/unseen_shapes.db.xz, unpacked.
"""
import argparse
import json
import math
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

MEASURED = """
SELECT problem.sizes, config.params, min(m.median_ms)
FROM measurement AS m
JOIN kernel ON kernel.id = m.kernel_id
JOIN problem ON problem.id = m.problem_id
JOIN config ON config.id = m.config_id
JOIN device ON device.id = m.device_id
WHERE kernel.name = ? AND m.status = 'ok' AND m.phase <> 'baseline' AND m.timing = 'cold'
  AND NOT device.replayed
GROUP BY problem.id, config.id"""

WINNERS = """
SELECT problem.id, problem.sizes, m.median_ms, device.name
FROM winner AS w
JOIN measurement AS m ON m.id = w.measurement_id
JOIN kernel ON kernel.id = w.kernel_id
JOIN problem ON problem.id = w.problem_id
JOIN device ON device.id = w.device_id
WHERE kernel.name = ? AND m.timing = 'cold' AND NOT device.replayed"""


def key(values):
    return tuple(sorted(values.items()))


def without(database, problems, copy):
    shutil.copyfile(database, copy)
    with sqlite3.connect(copy) as db:
        marks = ",".join("?" * len(problems))
        runs = f"SELECT id FROM run WHERE problem_id IN ({marks})"
        db.execute(f"DELETE FROM metric WHERE measurement_id IN "
                   f"(SELECT id FROM measurement WHERE problem_id IN ({marks}))", problems)
        db.execute(f"DELETE FROM result WHERE run_id IN ({runs})", problems)
        db.execute(f"DELETE FROM measurement WHERE problem_id IN ({marks})", problems)
        db.execute(f"DELETE FROM run WHERE problem_id IN ({marks})", problems)


def choices(folder, kernel, header, problems, device):
    """The configuration that the header chooses for each problem, None if it has none; and all
    that it has."""
    sizes = sorted(problems[0])
    rows = ",\n".join("{" + ", ".join(f".{s} = {p[s]}" for s in sizes) + "}" for p in problems)
    params = subprocess.run(["grep", "-A40", f"^typedef struct gtune_{kernel}_Config", header],
                            capture_output=True, text=True, check=True).stdout
    params = [line.split()[2].rstrip(";") for line in params.split("}")[0].splitlines()[1:]]
    prints = "".join(f'  printf("%lld ", k_config(variant)->{p});\n' for p in params)
    source = f"""#include "{header.name}"
#include <stdio.h>
static const k_Problem problems[] = {{{rows}}};
static void print_config(int variant) {{
{prints}}}
int main(void) {{
  for (int i = 0; i < k_variants; ++i) {{
    print_config(i);
    printf("\\n");
  }}
  for (unsigned i = 0; i < sizeof(problems) / sizeof(problems[0]); ++i) {{
    k_Selection chosen;
    const int found = k_select(k_known_device("{device}"), &problems[i], &chosen);
    printf("%d ", found);
    if (found) print_config(chosen.variant);
    printf("\\n");
  }}
}}""".replace("k_", f"gtune_{kernel}_")
    (folder / "ask.c").write_text(source)
    subprocess.run(["gcc", "-O1", "-o", folder / "ask", folder / "ask.c"], check=True)
    lines = subprocess.run([folder / "ask"], capture_output=True, text=True, check=True).stdout
    rows = [list(map(int, line.split())) for line in lines.splitlines()]
    configs, chosen = rows[:-len(problems)], rows[-len(problems):]
    return ([dict(zip(params, values)) if found else None for found, *values in chosen],
            [dict(zip(params, values)) for values in configs])


def open_database(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def measured_times(database, kernel):
    """Milliseconds, by the sizes of the problem and the parameters; and those of the bests, by sizes."""
    db = open_database(database)
    times = {(key(json.loads(sizes)), key(json.loads(params))): ms
             for sizes, params, ms in db.execute(MEASURED, (kernel,))}
    bests = {key(json.loads(sizes)): ms for _, sizes, ms, _ in db.execute(WINNERS, (kernel,))}
    return times, bests


def losses_of(gtune, database, known_times, kernel, variants, parts, unseen, folder):
    times, bests = known_times
    known = {sizes for sizes, _ in measured_times(database, kernel)[0]} if unseen else set()
    problems, devices = {}, {}
    for problem, sizes, _, device in open_database(unseen or database).execute(WINNERS, (kernel,)):
        if key(json.loads(sizes)) in bests and key(json.loads(sizes)) not in known:
            problems[problem], devices[problem] = json.loads(sizes), device
    tuned = sorted(problems, key=lambda problem: key(problems[problem]))
    losses = []
    for part in range(min(parts, len(tuned))):
        out = tuned[part::parts]
        copy = folder / "without.db"
        without(database, [] if unseen else out, copy)
        header = folder / "header.h"
        subprocess.run([gtune, "export", kernel, "--format", "c-header", "--db", copy, "-o", header,
                        "--max-variants", str(variants), "--max-loss", "0"],
                       check=True, capture_output=True)
        chosen, configs = choices(folder, kernel, header, [problems[p] for p in out],
                                  devices[out[0]])
        for problem, config in zip(out, chosen):
            sizes = key(problems[problem])
            time = times.get((sizes, key(config))) if config else None
            loss = None if time is None else max(0.0, time / bests[sizes] - 1)
            known = [times[sizes, key(c)] for c in configs if (sizes, key(c)) in times]
            least = max(0.0, min(known) / bests[sizes] - 1) if known else None
            losses.append((problems[problem], config, loss, least))
    return losses


def summary(losses):
    known = [(loss, least) for loss, least in losses if loss is not None]
    if not known:
        return f"{'-':>8} {'-':>13} {'-':>9} {0:5}"
    chosen, best = ([math.log1p(each) for each in column] for column in zip(*known))
    mean, least = (math.expm1(sum(logs) / len(known)) for logs in (chosen, best))
    return f"{mean:8.1%} {least:13.1%} {math.expm1(max(chosen)):9.1%} {len(known):5}"


def print_each(tried):
    for (problem, *_), *chosen in zip(next(iter(tried.values())), *tried.values()):
        print("   ", problem)
        for name, (_, config, loss, _) in zip(tried, chosen):
            print(f"      {name:10} {'not measured' if loss is None else f'{loss:.1%}':>12}  {config}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("database")
    parser.add_argument("programs", nargs="+", metavar="NAME=GTUNE")
    parser.add_argument("--kernels", default="sgemm,transpose,copy")
    parser.add_argument("--variants", default="8,12,24")
    parser.add_argument("--parts", type=int, default=5)
    parser.add_argument("--times", help="the database in which times are looked up [DATABASE]")
    parser.add_argument("--unseen", action="store_true", help="ask for the problems that only --times has")
    parser.add_argument("--each", action="store_true", help="print each problem too")
    args = parser.parse_args()
    if args.unseen and not args.times:
        parser.error("--unseen needs --times")
    print("geometric mean of the losses, and of the losses of each problem's best measured variant;\n"
          "worst loss; number of problems whose choice was measured; then the same of the problems on\n"
          "which the choices of all programs were measured\n")
    columns = "    mean best measured    worst known "
    print("kernel     variants  program    " + columns + columns)
    for kernel in args.kernels.split(","):
        times = measured_times(args.times or args.database, kernel)
        for variants in map(int, args.variants.split(",")):
            tried = {}
            for program in args.programs:
                name, gtune = program.split("=", 1)
                with tempfile.TemporaryDirectory() as folder:
                    tried[name] = losses_of(gtune, args.database, times, kernel, variants,
                                            1 if args.unseen else args.parts,
                                            args.times if args.unseen else None, Path(folder))
            shared = [all(loss is not None for *_, loss, _ in same)
                      for same in zip(*tried.values())]
            for name, losses in tried.items():
                own = [each[2:] for each in losses]
                both = [each for each, is_shared in zip(own, shared) if is_shared]
                print(f"{kernel:10} {variants:8}  {name:10} {summary(own)}  {summary(both)}",
                      flush=True)
            if args.each:
                print_each(tried)


main()
