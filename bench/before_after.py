#!/usr/bin/env python3
"""Times the SGEMM kernels of two source trees on GPU 0 in turn, one configuration per size.
Usage: bench/before_after.py GTUNE BEFORE AFTER [ROUNDS]
BEFORE, AFTER: folders with kernels/ and tuner_configs/, as `git archive COMMIT kernels tuner_configs`
writes them. Prints for each size the medians of all runs in ms, and the change of their median."""

import datetime
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

# Sizes, each with a configuration that is among the best on an H200.
JOBS = [
    ("--M 4096",
     "BK=32,BM=128,BN=256,KEEP_A=0,LANE_ROWS=4,MIN_BLOCKS=1,SPLIT=0,STAGES=3,TM=16,TN=8"),
    ("--M 1024",
     "BK=16,BM=32,BN=256,KEEP_A=0,LANE_ROWS=4,MIN_BLOCKS=4,SPLIT=0,STAGES=3,TM=8,TN=8"),
    ("--M 4095 --N 4097 --K 4093",
     "BK=32,BM=256,BN=128,KEEP_A=0,LANE_ROWS=4,MIN_BLOCKS=1,SPLIT=1,STAGES=3,TM=16,TN=8"),
    ("--M 1000",
     "BK=16,BM=32,BN=256,KEEP_A=0,LANE_ROWS=4,MIN_BLOCKS=4,SPLIT=0,STAGES=3,TM=8,TN=8"),
    ("--M 2000",
     "BK=16,BM=64,BN=256,KEEP_A=0,LANE_ROWS=4,MIN_BLOCKS=2,SPLIT=0,STAGES=3,TM=16,TN=8"),
    ("--M 1 --N 4096 --K 4096",
     "BK=16,BM=8,BN=256,KEEP_A=0,LANE_ROWS=2,MIN_BLOCKS=4,SPLIT=0,STAGES=3,TM=4,TN=4"),
    ("--M 4096 --N 1 --K 4096",
     "BK=32,BM=256,BN=4,KEEP_A=0,LANE_ROWS=32,MIN_BLOCKS=2,SPLIT=0,STAGES=3,TM=4,TN=4"),
    ("--M 4096 --math tf32x3",
     "BM=128,BN=256,WARPGROUPS=2,STAGES=3,GROUP=16,SPLIT=1"),
]


def median_ms(gtune, data, size, config, scratch):
    """The median of one run, in a new database: stored measurements would not be repeated."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        environment = dict(os.environ, GTUNE_DATA=os.path.abspath(data),
                           GTUNE_DB=os.path.join(folder, "gtune.db"),
                           GTUNE_CACHE=os.path.join(scratch, "cache"))
        command = [gtune, "sgemm", *size.split(), "--config", config, "--device", "0",
                   "--profile", "off", "--quiet", "--json"]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"before_after.py: {shlex.join(command)}: exit code {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)["best"]["median_ms"]


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    gtune, *trees = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    print("command:", shlex.join(["bench/before_after.py", *sys.argv[1:]]))
    print("date:   ", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    print(subprocess.run([gtune, "devices"], capture_output=True, text=True, check=True).stdout,
          end="")
    print("medians in ms: before | after", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for size, config in JOBS:
            times = ([], [])
            for each in range(rounds):
                # The order alternates from round to round.
                for which in (0, 1) if each % 2 == 0 else (1, 0):
                    times[which].append(median_ms(gtune, trees[which], size, config, scratch))
            before, after = times
            change = statistics.median(after) / statistics.median(before) - 1
            print(f"sgemm {size}:", *(f"{t:.5f}" for t in before), "|",
                  *(f"{t:.5f}" for t in after), f"| {100 * change:+.2f} %", flush=True)


if __name__ == "__main__":
    main()
