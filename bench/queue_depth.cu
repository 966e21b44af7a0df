// Whether a sample's time depends on how many samples are queued after it: each is a flush of L2,
// an event, a copy of 16 MiB by a kernel or by cudaMemcpyAsync, an event. The host queues DEPTH of
// them, then waits for all. Printed: what a sample takes in all, and the median time between the
// events for the first to the last of the DEPTH.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o queue_depth bench/queue_depth.cu && ./queue_depth

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "streams/timing.cuh"

namespace {

constexpr std::size_t copied_bytes = 16 << 20;
constexpr std::size_t flush_bytes = 120 << 20;
constexpr int words = 4;  // of 16 bytes, per thread
constexpr int threads = 64;
constexpr int repeats = 60;

__global__ void copy(const uint4* in, uint4* out) {
  const unsigned first = blockIdx.x * (threads * words) + threadIdx.x;
  uint4 loaded[words];
#pragma unroll
  for (int i = 0; i < words; ++i) loaded[i] = in[first + i * threads];
#pragma unroll
  for (int i = 0; i < words; ++i) out[first + i * threads] = loaded[i];
}

double now_us() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Bench {
 public:
  Bench() {
    check(cudaMalloc(&m_in, copied_bytes), "cudaMalloc");
    check(cudaMalloc(&m_out, copied_bytes), "cudaMalloc");
    check(cudaMalloc(&m_flush, flush_bytes), "cudaMalloc");
    check(cudaMemset(m_in, 1, copied_bytes), "cudaMemset");
    check(cudaMemset(m_flush, 0, flush_bytes), "cudaMemset");
    check(cudaStreamCreate(&m_stream), "cudaStreamCreate");
  }

  void run(const char* name, bool by_kernel, int depth) {
    std::vector<cudaEvent_t> start(depth), stop(depth);
    for (auto& event : start) check(cudaEventCreate(&event), "cudaEventCreate");
    for (auto& event : stop) check(cudaEventCreate(&event), "cudaEventCreate");
    std::vector<std::vector<double>> at(depth);
    const double begin = now_us();
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (int i = 0; i < depth; ++i) queue(by_kernel, start[i], stop[i]);
      for (int i = 0; i < depth; ++i) {
        while (cudaEventQuery(stop[i]) == cudaErrorNotReady) {
        }
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start[i], stop[i]), "cudaEventElapsedTime");
        at[i].push_back(ms * 1e3);
      }
    }
    const double sample_us = (now_us() - begin) / (repeats * depth);
    std::printf("%-16s depth %2d, %5.1f us a sample:", name, depth, sample_us);
    for (const auto& times : at) std::printf(" %.2f", median(times));
    std::printf("\n");
    for (auto& event : start) check(cudaEventDestroy(event), "cudaEventDestroy");
    for (auto& event : stop) check(cudaEventDestroy(event), "cudaEventDestroy");
  }

 private:
  void queue(bool by_kernel, cudaEvent_t start, cudaEvent_t stop) {
    read_all<<<8192, 256, 0, m_stream>>>(m_flush, flush_bytes / 16, m_flush);
    check(cudaEventRecord(start, m_stream), "cudaEventRecord");
    if (by_kernel) {
      copy<<<copied_bytes / (threads * words * 16), threads, 0, m_stream>>>(m_in, m_out);
    } else {
      check(cudaMemcpyAsync(m_out, m_in, copied_bytes, cudaMemcpyDeviceToDevice, m_stream),
            "cudaMemcpyAsync");
    }
    check(cudaEventRecord(stop, m_stream), "cudaEventRecord");
    check(cudaGetLastError(), "launch");
  }

  uint4* m_in = nullptr;
  uint4* m_out = nullptr;
  uint4* m_flush = nullptr;
  cudaStream_t m_stream{};
};

}  // namespace

int main() {
  Bench bench;
  for (const bool by_kernel : {true, false}) {
    for (const int depth : {1, 2, 3, 4, 5, 8, 20}) {
      bench.run(by_kernel ? "kernel" : "cudaMemcpyAsync", by_kernel, depth);
    }
  }
}
