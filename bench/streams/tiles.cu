// What the memory gives for the traffic of a transpose, without the transpose: every block reads a
// tile of ROWS x COLS elements and writes as many bytes to where its transpose belongs, beside
// cudaMemcpyAsync of as many bytes. Words are 16 bytes and go through registers only, so that
// whatever a transpose with these tiles in this order loses beyond it is the kernel's.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o tiles bench/streams/tiles.cu
//   ./tiles ROWS COLS ELEMENT     e.g. 16384 16384 16
//
// Every time is the median of SAMPLES launches between events, with L2 flushed by reading.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "timing.cuh"

namespace {

constexpr int samples = 15;

/// A matrix of rows x cols elements in tiles. Tiles go down the input within a band of `band`
/// tiles, band after band; `strips` parts of that sequence take turns.
struct Tiling {
  long long in_words, out_words;  // of a row, 16 bytes each
  int down, across;               // tiles
  int row_words, col_words;       // of a tile's row, and of its transpose's
  int rows, cols;                 // of a tile, in elements
  int band;                       // tiles
  int strips;
};

struct Place {
  long long in, out;  // the tile's first word
};

__device__ Place place_of(const Tiling& t) {
  int index = static_cast<int>(blockIdx.x);
  const int strip = t.down * t.across / t.strips;
  if (index < strip * t.strips) index = index % t.strips * strip + index / t.strips;
  const int in_band = t.band * t.across;
  const int first = index / in_band * t.band;
  const int height = min(t.band, t.down - first);
  const int r = first + index % in_band % height;
  const int c = index % in_band / height;
  return {
      static_cast<long long>(r) * t.rows * t.in_words + static_cast<long long>(c) * t.row_words,
      static_cast<long long>(c) * t.cols * t.out_words + static_cast<long long>(r) * t.col_words};
}

template <int THREADS, int WORDS>
__global__ void __launch_bounds__(THREADS) move_tiles(const uint4* in, uint4* out, Tiling t) {
  const Place place = place_of(t);
  uint4 words[WORDS];
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    const int w = i * THREADS + static_cast<int>(threadIdx.x);
    words[i] = in[place.in + w / t.row_words * t.in_words + w % t.row_words];
  }
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    const int w = i * THREADS + static_cast<int>(threadIdx.x);
    out[place.out + w / t.col_words * t.out_words + w % t.col_words] = words[i];
  }
}

class Bench {
 public:
  Bench(long long rows, long long cols, int element)
      : m_rows(rows), m_cols(cols), m_element(element), m_mover(rows * cols * element, samples) {
    m_copy_ms = m_mover.copy();
    std::printf("%lld x %lld elements of %d bytes; cudaMemcpyAsync %.0f GB/s\n", rows, cols,
                element, m_mover.gbps(m_copy_ms));
  }

  void run() {
    for (int tile_rows = 16; tile_rows <= 512; tile_rows *= 2) {
      for (int tile_cols = 16; tile_cols <= 256; tile_cols *= 2) {
        if (m_rows % tile_rows == 0 && m_cols % tile_cols == 0) orders(tile_rows, tile_cols);
      }
    }
    std::sort(m_results.begin(), m_results.end());
    for (std::size_t i = 0; i < std::min<std::size_t>(m_results.size(), shown); ++i) {
      std::printf("%s\n", m_results[i].second.c_str());
    }
    std::printf("best of %zu\n", m_results.size());
  }

 private:
  static constexpr std::size_t shown = 6;

  void orders(int tile_rows, int tile_cols) {
    const int bytes = tile_rows * tile_cols * m_element;
    if (tile_rows * m_element < 64 || tile_cols * m_element < 64 || bytes < 4096 || bytes > 65536) {
      return;
    }
    const int down = static_cast<int>(m_rows / tile_rows);
    for (int band : {down, 512, 128, 32, 8, 1}) {
      if (band > down || (band == down && band < 2)) continue;
      for (int strips : {1, 2, 4}) {
        if (strips > 1 && band < down) continue;
        const Tiling t{m_cols * m_element / 16,
                       m_rows * m_element / 16,
                       down,
                       static_cast<int>(m_cols / tile_cols),
                       tile_cols * m_element / 16,
                       tile_rows * m_element / 16,
                       tile_rows,
                       tile_cols,
                       band,
                       strips};
        by_size(t, bytes / 16);
      }
    }
  }

  void by_size(const Tiling& t, int words) {
    if (words == 256) launches<64, 4>(t);
    if (words == 512) launches<128, 4>(t);
    if (words == 1024) launches<256, 4>(t);
    if (words == 2048) launches<512, 4>(t);
    if (words == 2048) launches<256, 8>(t);
    if (words == 4096) launches<512, 8>(t);
  }

  template <int THREADS, int WORDS>
  void launches(const Tiling& t) {
    const double ms = m_mover.median([&] {
      move_tiles<THREADS, WORDS><<<static_cast<unsigned>(t.down * t.across), THREADS>>>(
          reinterpret_cast<const uint4*>(m_mover.in()), reinterpret_cast<uint4*>(m_mover.out()), t);
    });
    char line[160];
    std::snprintf(line, sizeof line,
                  "tiles of %3d x %3d, %3d threads, bands of %5d, %d strips  %5.0f GB/s x%.3f",
                  t.rows, t.cols, THREADS, t.band, t.strips, m_mover.gbps(ms), m_copy_ms / ms);
    m_results.emplace_back(ms, line);
  }

  long long m_rows, m_cols;
  int m_element;
  Mover m_mover;
  double m_copy_ms = 0;
  std::vector<std::pair<double, std::string>> m_results;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s ROWS COLS ELEMENT\n", argv[0]);
    return 2;
  }
  Bench bench(std::atoll(argv[1]), std::atoll(argv[2]), std::atoi(argv[3]));
  bench.run();
}
