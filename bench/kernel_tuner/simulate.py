"""Which of Kernel Tuner's strategies needs the fewest evaluations on the recorded space, in Kernel
Tuner's simulation mode: which one to take for the comparison. Needs no GPU.

    python3 simulate.py RECORDING.jsonl [STRATEGY...]
"""

import argparse
import contextlib
import io
import json
import random
import statistics
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
from kernel_tuner import tune_kernel

import sgemm_space as space

# Others can be named. pso did not end within minutes in simulation.
STRATEGIES = ["adaptive_tabu_greywolf", "bayes_opt", "hybrid_vndx", "diff_evo",
              "genetic_algorithm", "random_sample"]
SHARES = (0.95, 0.99)  # of the optimum's speed


def read_recording(file):
    """Parameter values that were recorded, and milliseconds of each configuration."""
    header, *rows = [json.loads(line) for line in file.read_text().splitlines()]
    names = header["kernel"]["parameter_names"]
    times = {tuple(r["config"]): statistics.median(r["samples_ms"])
             for r in rows if "config" in r and r["status"] == "ok"}
    recorded = [set(column) for column in zip(*times)]
    tune_params = {name: [v for v in space.TUNE_PARAMS[name] if v in seen]
                   for name, seen in zip(names, recorded)}
    return tune_params, times


def write_cache(file, tune_params, times):
    """The form of Kernel Tuner's cache files."""
    names = list(tune_params)
    entries = {",".join(map(str, config)): {
        **dict(zip(names, config)), "time": ms, "times": [ms], "compile_time": 0,
        "verification_time": 0, "benchmark_time": 0} for config, ms in times.items()}
    file.write_text(json.dumps({
        "device_name": "recorded", "kernel_name": "sgemm", "problem_size": "callable",
        "tune_params_keys": names, "tune_params": tune_params, "objective": "time",
        "cache": entries}))


def evaluations_until(results, names, limits):
    """Different configurations evaluated until the best so far is within each limit, or None."""
    seen = set()
    needed = [None] * len(limits)
    for result in results:
        seen.add(tuple(result[name] for name in names))
        if "__error__" in result:
            continue
        for i, limit in enumerate(limits):
            if needed[i] is None and result["time"] <= limit:
                needed[i] = len(seen)
    return needed


def run(cache, tune_params, strategy, seed, evaluations):
    random.seed(seed)
    np.random.seed(seed)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results, _ = tune_kernel(
            "sgemm", "void sgemm() {}", problem_size=lambda p: (space.blocks(p),), arguments=[],
            tune_params=tune_params, restrictions=space.RESTRICTIONS, lang="nvcuda", quiet=True,
            simulation_mode=True, cache=str(cache), strategy=strategy,
            strategy_options={"max_fevals": evaluations})
    return results


def quantile(needed, share, evaluations):
    """What that share of the runs needed at most."""
    ordered = sorted(n if n is not None else evaluations + 1 for n in needed)
    value = ordered[int(np.ceil(share * len(ordered))) - 1]
    return f">{evaluations}" if value > evaluations else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("strategies", nargs="*", default=STRATEGIES)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--evaluations", type=int, default=300)
    options = parser.parse_args()
    tune_params, times = read_recording(options.recording)
    best = min(times.values())
    limits = [best / share for share in SHARES]
    print(f"# Kernel Tuner {version('kernel_tuner')} on {options.recording.name}: "
          f"{len(times)} configurations, {options.seeds} seeds, {options.evaluations} evaluations")
    columns = "".join(f"{f'{100 * share:.0f} % of optimum':>18}" for share in SHARES)
    print(f"{'evaluations until':<24}{columns}")
    print(f"{'for these runs':<24}" + f"{'50 %':>10}{'90 %':>8}" * len(SHARES))
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "recorded.json"
        write_cache(cache, tune_params, times)
        for strategy in options.strategies:
            needed = list(zip(*(evaluations_until(
                run(cache, tune_params, strategy, seed, options.evaluations), list(tune_params),
                limits) for seed in range(1, options.seeds + 1))))
            cells = "".join(f"{quantile(n, 0.5, options.evaluations):>10}"
                            f"{quantile(n, 0.9, options.evaluations):>8}" for n in needed)
            print(f"{strategy:<24}{cells}", flush=True)


if __name__ == "__main__":
    main()
