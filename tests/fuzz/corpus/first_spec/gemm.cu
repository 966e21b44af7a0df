// A tiled product whose kernel is chosen by an enumeration and by types of layouts.
#include <cuda_fp16.h>

namespace gemm {
enum class Epilogue : unsigned char { None = 0, Bias, Relu };
namespace layout {
struct RowMajor {
  static constexpr bool row = true;
};
struct ColumnMajor {
  static constexpr bool row = false;
};
}  // namespace layout

namespace kernel {
template <typename Element, int BM, int BN, int BK = 16, Epilogue kEpilogue = Epilogue::None,
          typename LayoutA = layout::RowMajor>
__global__ void __launch_bounds__(((BM / 4) * (BN / 4) > 1024) ? 1024 : (BM / 4) * (BN / 4))
    tiled(int M, int N, int K, float alpha, Element const *A, int lda, Element const *B, int ldb,
          float beta, Element *C, int ldc) {
  __shared__ float As[BK][BM], Bs[BK][BN];
  const int threads = (BM / 4) * (BN / 4);
  float acc[4][4] = {};
  const int tx = threadIdx.x % (BN / 4), ty = threadIdx.x / (BN / 4);
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = threadIdx.x; e < BM * BK; e += threads) {
      int r = blockIdx.y * BM + e / BK, k = k0 + e % BK;
      As[e % BK][e / BK] =
          r < M && k < K ? float(A[LayoutA::row ? r * lda + k : k * lda + r]) : 0.f;
    }
    for (int e = threadIdx.x; e < BN * BK; e += threads) {
      int k = k0 + e / BN, c = blockIdx.x * BN + e % BN;
      Bs[e / BN][e % BN] = k < K && c < N ? float(B[k * ldb + c]) : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) acc[i][j] += As[k][ty * 4 + i] * Bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      int r = blockIdx.y * BM + ty * 4 + i, c = blockIdx.x * BN + tx * 4 + j;
      if (r < M && c < N) {
        float v = alpha * acc[i][j] + beta * float(C[r * ldc + c]);
        C[r * ldc + c] = Element(kEpilogue == Epilogue::Relu && v < 0 ? 0.f : v);
      }
    }
}
}  // namespace kernel

void launch(int M, int N, int K, half const *A, half const *B, half *C, cudaStream_t s) {
  constexpr int BM = 64, BN = 64;
  dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  kernel::tiled<half, BM, BN, 16, Epilogue::Relu>
      <<<grid, (BM / 4) * (BN / 4), 0, s>>>(M, N, K, 1.f, A, K, B, N, 0.f, C, N);
}
}  // namespace gemm
