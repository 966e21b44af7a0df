// What the probes of this folder time with: launches between events, L2 flushed by reading.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void read_all(const uint4* p, long long count, uint4* sink) {
  uint4 sum{};
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    sum.x ^= p[i].x;
  }
  if (sum.x == 0x12345678) *sink = sum;
}

/// A source and a destination of so many bytes, and what moving them takes.
class Mover {
 public:
  Mover(long long bytes, int samples) : m_bytes(bytes), m_samples(samples) {
    check(cudaMalloc(&m_in, bytes), "cudaMalloc");
    check(cudaMalloc(&m_out, bytes), "cudaMalloc");
    check(cudaMalloc(&m_flush, flush_bytes), "cudaMalloc");
    check(cudaMemset(m_in, 1, bytes), "cudaMemset");
    check(cudaMemset(m_flush, 0, flush_bytes), "cudaMemset");
    check(cudaEventCreate(&m_start), "cudaEventCreate");
    check(cudaEventCreate(&m_stop), "cudaEventCreate");
  }

  [[nodiscard]] char* in() const { return m_in; }
  [[nodiscard]] char* out() const { return m_out; }
  [[nodiscard]] long long bytes() const { return m_bytes; }

  /// Of cudaMemcpyAsync, in ms.
  double copy() {
    return median([&] { cudaMemcpyAsync(m_out, m_in, m_bytes, cudaMemcpyDeviceToDevice); });
  }
  /// Of so many launches, in ms.
  double median(const std::function<void()>& launch) {
    std::vector<float> times;
    for (int i = 0; i < m_samples; ++i) {
      read_all<<<132 * 8, 256>>>(static_cast<const uint4*>(m_flush), flush_bytes / 16,
                                 static_cast<uint4*>(m_flush));
      cudaEventRecord(m_start);
      launch();
      cudaEventRecord(m_stop);
      check(cudaEventSynchronize(m_stop), "launch");
      check(cudaGetLastError(), "launch");
      times.push_back(0);
      cudaEventElapsedTime(&times.back(), m_start, m_stop);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
  /// Read and written.
  [[nodiscard]] double gbps(double ms) const { return 2e-6 * static_cast<double>(m_bytes) / ms; }

 private:
  static constexpr long long flush_bytes = 160 << 20;

  long long m_bytes;
  int m_samples;
  char* m_in = nullptr;
  char* m_out = nullptr;
  void* m_flush = nullptr;
  cudaEvent_t m_start{};
  cudaEvent_t m_stop{};
};
