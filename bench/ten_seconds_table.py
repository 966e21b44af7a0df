#!/usr/bin/env python3
"""Reads the JSON of gtune's runs, and prints the table, for bench/ten_seconds.sh.

Usage: ten_seconds_table.py run RUN_JSON PROBLEM SEED MS      one line: a run and its winner
       ten_seconds_table.py options RUNS PROBLEM              the options that measure a problem's winners side by side
       ten_seconds_table.py winners WINNERS_JSON PROBLEM      a line for each of them
       ten_seconds_table.py print RUNS WINNERS                the table, and all lines
"""
import json
import statistics
import sys


def config_text(config):
    return ",".join(f"{name}={value}" for name, value in sorted(config.items()))


def read_lines(path):
    with open(path) as file:
        return [line.rstrip("\n").split("\t") for line in file]


def read_json(path):
    with open(path) as file:
        return json.load(file)


def print_run(path, problem, seed, ms):
    run = read_json(path)
    best = run["best"]
    print(problem, seed, ms, best["median_ms"], run["tried"], config_text(best["config"]), sep="\t")


def print_options(runs, problem):
    for config in sorted({line[5] for line in read_lines(runs) if line[0] == problem}):
        print("--config", config)


def print_winners(path, problem):
    for finalist in read_json(path)["finalists"]:
        print(problem, finalist["median_ms"], config_text(finalist["config"]), sep="\t")


def print_table(runs_path, winners_path):
    runs, winners = read_lines(runs_path), read_lines(winners_path)
    print(f"{'problem':<34} {'runs':>5} {'median s':>9} {'most s':>7} {'tried':>6} {'winners':>8} {'best ms':>9} "
          f"{'median loss':>12} {'most loss':>10}")
    for problem in dict.fromkeys(line[0] for line in runs):
        of_problem = [line for line in runs if line[0] == problem]
        ms = {config: float(time) for name, time, config in winners if name == problem}
        best = min(ms.values())
        seconds = [int(line[2]) / 1000 for line in of_problem]
        losses = [100 * (ms[line[5]] / best - 1) for line in of_problem]
        tried = statistics.median(int(line[4]) for line in of_problem)
        print(f"{problem:<34} {len(of_problem):>5} {statistics.median(seconds):>9.1f} {max(seconds):>7.1f} "
              f"{tried:>6.0f} {len(ms):>8} {best:>9.5f} {statistics.median(losses):>10.2f} % {max(losses):>8.2f} %")
    print("\neach run: problem, seed, ms from start to exit, median ms of the winner, configurations tried, winner")
    print(*("\t".join(line) for line in runs), sep="\n")
    print("\nall winners of a problem side by side: problem, median ms, configuration")
    print(*("\t".join(line) for line in winners), sep="\n")


if __name__ == "__main__":
    commands = {"run": print_run, "options": print_options, "winners": print_winners, "print": print_table}
    commands[sys.argv[1]](*sys.argv[2:])
