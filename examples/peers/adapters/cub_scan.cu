// cub::BlockScan: each block replaces a row by its inclusive sums, a tile after another.
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

struct RunningTotal {
  int total = 0;
  __device__ int operator()(int of_the_tile) {
    const int before = total;
    total += of_the_tile;
    return before;
  }
};

template <int BLOCK, int ITEMS, cub::BlockScanAlgorithm SCAN, cub::BlockLoadAlgorithm LOAD,
          cub::BlockStoreAlgorithm STORE>
__global__ void __launch_bounds__(BLOCK) scan_rows(const int* in, int* out, int length) {
  using Load = cub::BlockLoad<int, BLOCK, ITEMS, LOAD>;
  using Scan = cub::BlockScan<int, BLOCK, SCAN>;
  using Store = cub::BlockStore<int, BLOCK, ITEMS, STORE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } shared;
  const size_t row = size_t(blockIdx.x) * length;
  RunningTotal before;
  for (int at = 0; at < length; at += BLOCK * ITEMS) {
    int items[ITEMS];
    Load(shared.load).Load(in + row + at, items, length - at, 0);
    __syncthreads();
    Scan(shared.scan).InclusiveSum(items, items, before);
    __syncthreads();
    Store(shared.store).Store(out + row + at, items, length - at);
    __syncthreads();
  }
}
