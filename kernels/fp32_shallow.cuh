// Shallow products of sgemm.cu, which says what this is about: the work is to write C, so a thread
// keeps its columns of B, and rows of A pass by.
#pragma once

#include "fp32_layout.cuh"
#include "fp32_loader.cuh"
#include "ptx.cuh"

#ifndef GTUNE_ON_HOST
namespace ptx {

// Not in ptx.cuh, see fp32_direct.cuh.
/// cp.async.wait_all: for all copies that this thread has started.
__device__ inline void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace ptx
#endif

namespace fp32 {

/// A tile of C, for K of DEPTH or less: where there is more, C is read and written again for each
/// DEPTH of it. A thread has TN columns of B in registers, 32 apart, and computes TM rows at a
/// time. The rows of A are in shared memory, where all lanes read the same: four k with each load.
template <int DEPTH, int TM, int TN, int TRANS_A, int TRANS_B>
class Shallow {
 public:
  __device__ Shallow(const Operands& given, const TileLayout& layout)
      : m_given(given), m_layout(layout), m_tiles_n(layout.columns.parts(given.N)) {}

  /// Computes and stores this block's tiles of C. All threads.
  __device__ void multiply() {
    const unsigned tiles = m_layout.rows.parts(m_given.M) * m_tiles_n;
#pragma unroll 1
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      m_row = m_layout.rows.times(static_cast<int>(tile / m_tiles_n));
      m_col = m_layout.columns.times(static_cast<int>(tile % m_tiles_n));
#pragma unroll 1
      for (m_k = 0; m_k < m_given.K; m_k += DEPTH) {
        load();
        const float keep = m_k == 0 ? m_given.beta : 1.0f;  // of what C holds
        if (keep == 0.0f) {
          multiply_rows([](float* to, float sum) { *to = sum; });
        } else {
          multiply_rows([&](float* to, float sum) { *to = fmaf(keep, *to, sum); });
        }
        __syncthreads();  // the rows have been read
      }
    }
  }

 private:
  static constexpr int PITCH = DEPTH + 4;  // floats from line to line; the padding changes banks
  static_assert(DEPTH % 4 == 0, "everything is regular");

  // Operands. A line is a row of op(A) or a column of op(B).

  __device__ void load() {
    const Operands& g = m_given;
    copy_lines<!TRANS_A>(m_layout.rows, g.A, g.lda, m_row, g.M, m_rows);
    if constexpr (TRANS_B) {
      copy_lines<true>(m_layout.columns, g.B, g.ldb, m_col, g.N, m_columns);
    } else {
      load_columns();
    }
    ptx::wait_for_copies();
    __syncthreads();
    if constexpr (TRANS_B) read_columns();
  }

  /// Copies `count` lines from `first` on; those beyond `extent` are the last one, whose products
  /// are not stored. Zeros behind K.
  template <bool ALONG_K>
  __device__ void copy_lines(PowerOfTwo count, const float* matrix, int pitch, int first,
                             int extent, ptx::Shared to) const {
    const int end = count.times(DEPTH);
    const int threads = static_cast<int>(blockDim.x);
#pragma unroll 4
    for (int at = m_thread; at < end; at += threads) {
      const int line = ALONG_K ? at / DEPTH : count.remainder(at);
      const int k = ALONG_K ? at % DEPTH : count.quotient(at);
      const long long from = min(first + line, extent - 1);
      const bool valid = m_k + k < m_given.K;
      const long long from_k = m_k + k;
      const long long offset = ALONG_K ? from * pitch + from_k : from_k * pitch + from;
      ptx::copy_async_if<1>(valid, to + 4 * (line * PITCH + k), valid ? matrix + offset : matrix);
    }
  }

  __device__ void load_columns() {
    const Operands& g = m_given;
    const float* from = g.B + static_cast<long long>(m_k) * g.ldb + col_of(0);
#pragma unroll
    for (int k = 0; k < DEPTH; ++k, from += g.ldb) {
#pragma unroll
      for (int j = 0; j < TN; ++j) {
        const bool inside = m_k + k < g.K && col_of(j) < g.N;
        m_b[k][j] = inside ? __ldg(from + 32 * j) : 0.0f;
      }
    }
  }

  __device__ void read_columns() {
#pragma unroll
    for (int j = 0; j < TN; ++j) {
#pragma unroll
      for (int k = 0; k < DEPTH; k += 4) {
        const float4 v = ptx::load_shared(m_columns + 4 * ((col_of(j) - m_col) * PITCH + k));
        m_b[k][j] = v.x, m_b[k + 1][j] = v.y, m_b[k + 2][j] = v.z, m_b[k + 3][j] = v.w;
      }
    }
  }

  __device__ int col_of(int j) const { return m_col + m_first + 32 * j; }

  // Products.

  /// Calls `put` with each output's place in C and its value.
  template <typename Put>
  __device__ void multiply_rows(Put put) const {
    const Operands& g = m_given;
    const int rows = min(m_layout.rows.value(), g.M - m_row);
    float* out = g.C + static_cast<long long>(m_row) * g.ldc + col_of(0);
    ptx::Shared a = m_rows;
#pragma unroll 1
    for (int row = 0; row < rows; row += TM) {
      float c[TM][TN] = {};
#pragma unroll
      for (int k = 0; k < DEPTH; k += 4) add_products(a + 4 * k, k, c);
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) {
          const bool inside = (i == 0 || row + i < rows) && col_of(j) < g.N;
          if (inside) put(out + static_cast<long long>(i) * g.ldc + 32 * j, g.alpha * c[i][j]);
        }
      }
      a += 4 * TM * PITCH;
      out += static_cast<long long>(TM) * g.ldc;
    }
  }

  /// Four steps of k.
  __device__ void add_products(ptx::Shared a, int k, float (&c)[TM][TN]) const {
    float rows[4][TM];
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      const float4 v = ptx::load_shared(a + 4 * i * PITCH);
      rows[0][i] = v.x, rows[1][i] = v.y, rows[2][i] = v.z, rows[3][i] = v.w;
    }
#pragma unroll
    for (int step = 0; step < 4; ++step) {
#pragma unroll
      for (int o = 0; o < TM * TN; ++o) {
        float& sum = c[o / TN][o % TN];
        sum = fmaf(rows[step][o / TN], m_b[k + step][o % TN], sum);
      }
    }
  }

  const Operands& m_given;
  const TileLayout& m_layout;
  unsigned m_tiles_n;
  int m_thread = static_cast<int>(threadIdx.x);
  int m_first = m_thread / 32 * 32 * TN + m_thread % 32;  // this thread's first column of a tile
  ptx::Shared m_rows = ptx::dynamic_shared();
  ptx::Shared m_columns = m_rows + m_layout.rows.times(4 * PITCH);  // with TRANS_B

  // Of the tile.
  int m_row = 0;
  int m_col = 0;
  int m_k = 0;
  float m_b[DEPTH][TN];
};

}  // namespace fp32
