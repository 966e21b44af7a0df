// What the memory gives for the traffic of a transpose of a tall matrix, without the transpose:
// one stream is read and STREAMS are written (or the other way round), SEGMENT bytes of each at a
// time, beside cudaMemcpyAsync of as many bytes.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o streams bench/streams/streams.cu
//   ./streams [MEBIBYTES [STREAMS]]
//
// Every time is the median of SAMPLES launches between events, with L2 flushed by reading.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "timing.cuh"

namespace {

constexpr int samples = 41;

struct Shape {
  long long segments;  // of a stream
  int streams;
  int strips;  // parts of the sequence of units that take turns
};

/// A unit is a segment of each stream; together they are contiguous on the other side.
__device__ long long unit_of(const Shape& shape) {
  const long long strip = shape.segments / shape.strips;
  return blockIdx.x % shape.strips * strip + blockIdx.x / shape.strips;
}

/// Through registers: a thread has WORDS words of 16 bytes of the unit.
template <int THREADS, int WORDS, bool SPLITS>
__global__ void __launch_bounds__(THREADS) by_words(const uint4* in, uint4* out, Shape shape) {
  const long long unit = unit_of(shape);
  const int segment = THREADS * WORDS / shape.streams;
  uint4 words[WORDS];
  const auto scattered = [&](int index) {
    const int stream = index / segment;
    return (stream * shape.segments + unit) * segment + index % segment;
  };
  const long long first = unit * (THREADS * WORDS);
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    const int index = i * THREADS + static_cast<int>(threadIdx.x);
    words[i] = in[SPLITS ? first + index : scattered(index)];
  }
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    const int index = i * THREADS + static_cast<int>(threadIdx.x);
    out[SPLITS ? scattered(index) : first + index] = words[i];
  }
}

/// By the bulk copy engine (cp.async.bulk): one warp, a lane per stream on the scattered side.
template <bool SPLITS>
__global__ void __launch_bounds__(32) by_bulk(const char* in, char* out, Shape shape, int segment) {
  extern __shared__ __align__(128) char unit_bytes[];
  __shared__ __align__(8) unsigned long long barrier;
  const long long unit = unit_of(shape);
  const int bytes = segment * shape.streams;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const auto memory = static_cast<unsigned>(__cvta_generic_to_shared(unit_bytes));
  const int lane = static_cast<int>(threadIdx.x);
  if (lane == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes)
                 : "memory");
  }
  __syncwarp();
  const auto load = [&](unsigned to, const char* from, int count) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(to),
        "l"(from), "r"(count), "r"(at)
        : "memory");
  };
  const auto store = [&](char* to, unsigned from, int count) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from),
                 "r"(count)
                 : "memory");
  };
  const auto scattered = [&](int stream) {
    return (stream * shape.segments + unit) * static_cast<long long>(segment);
  };
  if (SPLITS) {
    if (lane == 0) load(memory, in + unit * bytes, bytes);
  } else {
    for (int s = lane; s < shape.streams; s += 32)
      load(memory + s * segment, in + scattered(s), segment);
  }
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
        " selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(at)
        : "memory");
  }
  if (SPLITS) {
    for (int s = lane; s < shape.streams; s += 32)
      store(out + scattered(s), memory + s * segment, segment);
  } else if (lane == 0) {
    store(out + unit * bytes, memory, bytes);
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

class Bench {
 public:
  Bench(long long bytes, int streams) : m_mover(bytes, samples), m_streams(streams) {
    std::vector<uint32_t> numbers(bytes / 4);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i);
    check(cudaMemcpy(m_mover.in(), numbers.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    m_copy_ms = m_mover.copy();
    std::printf("%lld MiB, %d streams; cudaMemcpyAsync %.0f GB/s\n", bytes >> 20, streams,
                m_mover.gbps(m_copy_ms));
  }

  template <int THREADS, int WORDS, bool SPLITS>
  void words(int strips) {
    const int segment = THREADS * WORDS * 16 / m_streams;
    const Shape shape{m_mover.bytes() / (THREADS * WORDS * 16), m_streams, strips};
    report(SPLITS, segment, strips, "words of " + std::to_string(THREADS) + " threads", [&] {
      by_words<THREADS, WORDS, SPLITS><<<static_cast<unsigned>(shape.segments), THREADS>>>(
          reinterpret_cast<const uint4*>(m_mover.in()), reinterpret_cast<uint4*>(m_mover.out()),
          shape);
    });
  }
  template <bool SPLITS>
  void bulk(int segment, int strips) {
    const int bytes = segment * m_streams;
    const Shape shape{m_mover.bytes() / bytes, m_streams, strips};
    check(cudaFuncSetAttribute(by_bulk<SPLITS>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "cudaFuncSetAttribute");
    report(SPLITS, segment, strips, "bulk", [&] {
      by_bulk<SPLITS><<<static_cast<unsigned>(shape.segments), 32, bytes>>>(
          m_mover.in(), m_mover.out(), shape, segment);
    });
  }

 private:
  void report(bool splits, int segment, int strips, const std::string& how,
              const std::function<void()>& launch) {
    check(cudaMemset(m_mover.out(), 0, m_mover.bytes()), "cudaMemset");
    const double ms = m_mover.median(launch);
    std::printf("%-5s segments of %5d bytes, %d strips, %-22s %5.0f GB/s x%.3f%s\n",
                splits ? "split" : "join", segment, strips, how.c_str(), m_mover.gbps(ms),
                m_copy_ms / ms, is_right(splits, segment) ? "" : "  WRONG");
    std::fflush(stdout);
  }
  /// Of the words at the beginning of some segments.
  bool is_right(bool splits, int segment) {
    const long long segments = m_mover.bytes() / segment / m_streams;
    for (int s = 0; s < m_streams; ++s) {
      for (long long unit : {0LL, segments / 3, segments - 1}) {
        const long long scattered = (s * segments + unit) * segment;
        const long long contiguous = (unit * m_streams + s) * segment;
        uint32_t word = 0;
        cudaMemcpy(&word, m_mover.out() + (splits ? scattered : contiguous), 4,
                   cudaMemcpyDeviceToHost);
        if (word != static_cast<uint32_t>((splits ? contiguous : scattered) / 4)) return false;
      }
    }
    return true;
  }

  Mover m_mover;
  int m_streams;
  double m_copy_ms = 0;
};

template <bool SPLITS>
void run(Bench& bench) {
  for (const int strips : {1, 2}) {
    bench.words<128, 4, SPLITS>(strips);
    bench.words<256, 4, SPLITS>(strips);
    bench.words<256, 8, SPLITS>(strips);
    bench.words<512, 8, SPLITS>(strips);
    bench.words<512, 16, SPLITS>(strips);
    bench.words<1024, 16, SPLITS>(strips);
    for (const int segment : {256, 512, 1024, 2048, 4096}) bench.bulk<SPLITS>(segment, strips);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long long bytes = (argc > 1 ? std::atoll(argv[1]) : 256) << 20;
  const int streams = argc > 2 ? std::atoi(argv[2]) : 32;
  Bench bench(bytes, streams);
  run<true>(bench);
  run<false>(bench);
}
