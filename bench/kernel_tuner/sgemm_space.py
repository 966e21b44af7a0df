"""The space of tuner_configs/sgemm.toml at M = N = K = 4096 on an H200, as Kernel Tuner takes it:
parameters, restrictions, and what follows from a configuration. Written by hand, so that the number
of valid configurations, which must be gtune's, checks it.

    python3 sgemm_space.py    prints that number
"""

M = N = K = 4096
SM_COUNT = 132
MAX_THREADS = 1024
REGISTERS_PER_SM = 65536
MAX_SHARED = 232448  # bytes of a block that opts in
SHARED_PER_SM = 233472

TUNE_PARAMS = {
    "BM": [4, 8, 16, 32, 64, 128, 256],
    "BN": [4, 8, 16, 32, 64, 128, 256],
    "BK": [16, 32],
    "TM": [4, 8, 16],
    "TN": [4, 8, 16],
    "LANE_ROWS": [1, 2, 4, 8, 16, 32],
    "STAGES": [3, 4],
    "MIN_BLOCKS": [1, 2, 4],
    "SPLIT": [0, 1, 2, 4, 8],  # -1 is not valid at this size
}

# Values of tuner_configs/sgemm.toml that are only valid with STAGES=0, so not at this size, are left
# out. With neither operand transposed, A is turned on its way into shared memory and B is not.
KERNEL_NAME = (
    "sgemm_in_stages<BM,BN,BK,TM,TN,LANE_ROWS,STAGES,MIN_BLOCKS,b_vec(BN,BK,(BM/TM)*(BN/TN))>"
)
# The kernel without its last argument, a struct, which Kernel Tuner cannot pass and which does not
# count here, and the floats per copy of B as a function that the name above can call.
KERNEL_SOURCE = """#include "sgemm.cu"
__device__ constexpr int b_vec(int bn, int bk, int threads) {
  const int most = bk * bn / threads < 4 ? bk * bn / threads : 4;
  return bn / threads > most ? bn / threads : most;
}
template <int TILE_M, int TILE_N, int DEPTH, int ROWS, int COLUMNS, int LANES_M, int COUNT,
          int MIN_RESIDENT, int B_VEC>
__global__ void __launch_bounds__((TILE_M / ROWS) * (TILE_N / COLUMNS), MIN_RESIDENT)
    sgemm_in_stages(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                    const float* __restrict__ B, int ldb, float beta, float* __restrict__ C,
                    int ldc, int* arrivals) {
  const fp32::Thread thread;
  const fp32::Operands given{M, N, K, alpha, A, lda, B, ldb, beta, C, ldc};
  using Block = fp32::Block<TILE_M, TILE_N, DEPTH, ROWS, COLUMNS, LANES_M, COUNT, 0, 0, 1, B_VEC, 1,
                            0>;
  if (thread.number == 0) Block::init_barriers();
  __syncthreads();
  Block(given, thread, arrivals).multiply();
}
"""

_THREADS = "((BM // TM) * (BN // TN))"
_SHARED = "(STAGES * (BK * (BM + BN + 4) * 4 + 16))"
_TILES = f"(({M} // BM) * ({N} // BN))"
_REGISTERS = "(TM * TN + 2 * (TM + TN) + 28)"
_RESIDENT = f"({SM_COUNT} * MIN_BLOCKS)"

RESTRICTIONS = [
    # block_size
    f"{_THREADS} >= 64",
    f"{_THREADS} <= min(512, {MAX_THREADS})",
    # work_per_thread
    "TM * TN >= 16",
    "TM * TN <= 128",
    # warps_tile_the_block
    "BM % (LANE_ROWS * TM) == 0",
    "BN % (32 // LANE_ROWS * TN) == 0",
    # a_copied_evenly, b_copied_evenly
    f"{_THREADS} <= BK * BM",
    f"max(BN // {_THREADS}, min(4, BK * BN // {_THREADS})) <= 4",
    f"max(BN // {_THREADS}, min(4, BK * BN // {_THREADS})) > 0",
    # registers_fit
    f"{_REGISTERS} <= 255",
    f"{_REGISTERS} * {_THREADS} * MIN_BLOCKS <= {REGISTERS_PER_SM}",
    # shared_fits
    f"{_SHARED} <= {MAX_SHARED}",
    f"MIN_BLOCKS * ({_SHARED} + 1024) <= {SHARED_PER_SM}",
    # thin_tiles_for_thin_matrices, thin_warps_for_thin_tiles; tile_fits_the_problem holds
    "BM > 16",
    "BN > 16",
    "LANE_ROWS >= 4",
    "LANE_ROWS <= 8",
    # split_pays, stream_pays
    f"SPLIT <= 1 or {_TILES} * SPLIT <= 4 * {_RESIDENT}",
    f"SPLIT <= 1 or {K} // BK >= 4 * SPLIT",
    f"SPLIT != 0 or {_TILES} % {_RESIDENT} != 0",
    f"SPLIT != 0 or {_TILES} * ({K} // BK) >= 2 * {_RESIDENT}",
]


def threads(p):
    return (p["BM"] // p["TM"]) * (p["BN"] // p["TN"])


def shared_bytes(p):
    return p["STAGES"] * (p["BK"] * (p["BM"] + p["BN"] + 4) * 4 + 16)


def tiles(p):
    return (M // p["BM"]) * (N // p["BN"])


def blocks(p):
    slices = K // p["BK"]
    if p["SPLIT"] == 0:
        return min(SM_COUNT * p["MIN_BLOCKS"], tiles(p) * slices)
    return tiles(p) * min(p["SPLIT"], slices)


def most_tiles():
    """Of any configuration: what the workspace must hold an int for."""
    smallest = {name: min(v for v in TUNE_PARAMS[name] if v > 16) for name in ("BM", "BN")}
    return tiles(smallest)


def main():
    from kernel_tuner.searchspace import Searchspace

    print(Searchspace(TUNE_PARAMS, RESTRICTIONS, MAX_THREADS).size)


if __name__ == "__main__":
    main()
