// cub::BlockRadixSort: each block sorts one segment of BLOCK * ITEMS keys.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

template <int BLOCK, int ITEMS, int RADIX_BITS, bool MEMOIZE, cub::BlockLoadAlgorithm LOAD>
__global__ void __launch_bounds__(BLOCK) sort_segments(const unsigned int* in, unsigned int* out) {
  using Load = cub::BlockLoad<unsigned int, BLOCK, ITEMS, LOAD>;
  using Sort = cub::BlockRadixSort<unsigned int, BLOCK, ITEMS, cub::NullType, RADIX_BITS, MEMOIZE>;
  using Store = cub::BlockStore<unsigned int, BLOCK, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } shared;
  unsigned int keys[ITEMS];
  const size_t segment = size_t(blockIdx.x) * BLOCK * ITEMS;
  Load(shared.load).Load(in + segment, keys);
  __syncthreads();
  Sort(shared.sort).Sort(keys);
  __syncthreads();
  Store(shared.store).Store(out + segment, keys);
}
