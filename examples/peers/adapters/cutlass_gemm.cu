// CUTLASS's GEMM of FP32 on CUDA cores: C = A B, all row major. What the host would hand over is
// made here.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/device/default_gemm_configuration.h>
#include <cutlass/gemm/kernel/default_gemm.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle.h>

template <int BM, int BN, int BK, int WM, int WN, int STAGES, int SWIZZLE>
__global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32)
    gemm(int m, int n, int k, const float* a, const float* b, float* c) {
  using Row = cutlass::layout::RowMajor;
  using Swizzle = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<SWIZZLE>;
  using Kernel = typename cutlass::gemm::kernel::DefaultGemm<
      float, Row, 1, float, Row, 1, float, Row, float, cutlass::arch::OpClassSimt,
      cutlass::arch::Sm80, cutlass::gemm::GemmShape<BM, BN, BK>,
      cutlass::gemm::GemmShape<WM, WN, BK>, cutlass::gemm::GemmShape<1, 1, 1>,
      cutlass::epilogue::thread::LinearCombination<float, 1, float, float>, Swizzle, STAGES, false,
      cutlass::arch::OpMultiplyAdd>::GemmKernel;
  static_assert(sizeof(typename Kernel::SharedStorage) <= SHARED_BYTES, "the spec's shared memory");
  extern __shared__ __align__(16) char shared[];
  const cutlass::gemm::GemmCoord problem(m, n, k);
  const cutlass::gemm::GemmCoord tiles((m + BM - 1) / BM, (n + BN - 1) / BN, 1);
  typename Kernel::Params params(problem, tiles, {const_cast<float*>(a), k},
                                 {const_cast<float*>(b), n}, {c, n}, {c, n}, {1.0f, 0.0f}, nullptr);
  Kernel()(params, *reinterpret_cast<typename Kernel::SharedStorage*>(shared));
}
