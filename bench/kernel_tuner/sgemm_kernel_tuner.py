"""Tunes kernels/sgemm.cu at M = N = K = 4096 with Kernel Tuner; writes what it measured, and when.

    python3 sgemm_kernel_tuner.py --strategy NAME --seconds N --out FILE.json

Every configuration's result is checked, as gtune does. Times count from the call of tune_kernel:
imports, inputs and the reference come before it.
"""

import argparse
import contextlib
import json
import os
import random
import time
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from kernel_tuner import tune_kernel, util

import sgemm_space as space

KERNELS = Path(__file__).resolve().parents[2] / "kernels"
PACKAGES = ("kernel_tuner", "python-constraint2", "numpy", "cuda-bindings", "cupy-cuda13x")
MOST_EVALUATIONS = 1000000  # more than there are


def take_threads_from_the_configuration():
    """Kernel Tuner 1.4 knows block sizes only as parameters of their own; here they follow from
    others. One parameter more, bound by a restriction, would leave no configuration a neighbour
    that differs in one tile size."""
    util.get_thread_block_dimensions = lambda params, names=None: (space.threads(params), 1, 1)


def allow_all_of_shared_memory(lang):
    """Kernel Tuner 1.4 passes a launch its dynamic shared memory but never asks for more than the
    48 KiB that a block has without asking, which would leave less than a third of the space."""
    if lang == "cupy":
        from kernel_tuner.backends.cupy import CupyFunctions as Backend

        def allow(self):
            self.func.max_dynamic_shared_size_bytes = self.smem_size
    else:
        from kernel_tuner.backends.nvcuda import CudaFunctions as Backend, _check, driver

        def allow(self):
            limit = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            _check(driver.cuFuncSetAttribute(self.func, limit, self.smem_size))

    set_size = Backend.copy_shared_memory_args

    def copy_shared_memory_args(self, smem_args):
        set_size(self, smem_args)
        allow(self)

    Backend.copy_shared_memory_args = copy_shared_memory_args


def arguments_and_answer(seed):
    """Of sgemm(), in its order; the answer is None where there is nothing to compare."""
    generator = np.random.default_rng(seed)
    m, n, k = space.M, space.N, space.K
    a = generator.uniform(-1, 1, (m, k)).astype(np.float32)
    b = generator.uniform(-1, 1, (k, n)).astype(np.float32)
    product = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    arguments = [
        np.int32(m), np.int32(n), np.int32(k), np.float32(1), a, np.int32(k), b, np.int32(n),
        np.float32(0), np.zeros((m, n), np.float32), np.int32(n),
        np.zeros(space.most_tiles(), np.int32),
    ]
    answer = [product if argument is arguments[9] else None for argument in arguments]
    return arguments, answer


def compiler_options(lang):
    options = ["-std=c++17", f"-I{KERNELS}"]
    return options if lang == "cupy" else ["--gpu-architecture=compute_90a", *options]


def point(result, start):
    """One evaluation: seconds since the start, the configuration, milliseconds if it was valid."""
    failed = result.get("__error__")
    return {
        "t": round(datetime.fromisoformat(result["timestamp"]).timestamp() - start, 3),
        "config": {name: int(result[name]) for name in space.TUNE_PARAMS},
        "ms": None if failed else float(result["time"]),
        "status": str(failed) if failed else "ok",
        "compile_ms": result["compile_time"],
        "gpu_ms": result["verification_time"] + result["benchmark_time"],
    }


def versions():
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def tune(options):
    with contextlib.suppress(ImportError):  # Kernel Tuner would do so after its clock has started
        import cupy  # noqa: F401
    take_threads_from_the_configuration()
    allow_all_of_shared_memory(options.lang)
    arguments, answer = arguments_and_answer(options.seed)
    random.seed(options.seed)  # Kernel Tuner's strategies draw from both
    np.random.seed(options.seed)
    # Without a number of evaluations, random_sample stops at a tenth of the space.
    limits = {"time_limit": options.seconds, "max_fevals": MOST_EVALUATIONS}
    start = time.time()
    results, environment = tune_kernel(
        space.KERNEL_NAME, space.KERNEL_SOURCE,
        problem_size=lambda p: (space.blocks(p),), grid_div_x=[],
        arguments=arguments, tune_params=space.TUNE_PARAMS, restrictions=space.RESTRICTIONS,
        answer=None if options.unchecked else answer,
        atol=1e-6 * space.K / 3,  # gtune's tolerance, for the root mean square of such sums
        lang=options.lang, device=options.device, smem_args={"size": space.shared_bytes},
        compiler_options=compiler_options(options.lang), defines={}, quiet=True,
        strategy=options.strategy, strategy_options=limits)
    elapsed = time.time() - start
    return {
        "tuner": "Kernel Tuner", "versions": versions(), "lang": options.lang,
        "device": environment["device_name"], "strategy": options.strategy, "seed": options.seed,
        "checked": not options.unchecked, "seconds": options.seconds,
        "elapsed_s": round(elapsed, 3), "points": [point(result, start) for result in results],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strategy", default="adaptive_tabu_greywolf")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--lang", choices=["nvcuda", "cupy"], default="nvcuda",
                        help="nvcuda is what Kernel Tuner chooses where it finds both")
    parser.add_argument("--unchecked", action="store_true", help="do not check results")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    partial = options.out.with_suffix(".partial")
    partial.write_text(json.dumps(tune(options)))
    os.replace(partial, options.out)


if __name__ == "__main__":
    main()
