// Launch and buffer sizes inferred from a kernel's indices.
#include "authoring/index_outline.hpp"

#include <gtest/gtest.h>

namespace gtune::test {
namespace {

IndexOutline outline(const std::string& body, const std::vector<std::string>& arguments = {"n"},
                     const std::vector<std::string>& arrays = {"x", "y"}) {
  OutlinedKernel kernel{.name = "k", .body = source_tokens("{" + body + "}")};
  for (const std::string& name : arguments) kernel.arguments.push_back({name, {}});
  return outline_indices(kernel, arrays);
}

TEST(IndexOutline, CastsAndOldMultiplicationsChangeNothing) {
  for (const char* index :
       {"static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x",
        "(index_t)blockIdx.x * blockDim.x + (unsigned int)threadIdx.x",
        "std::int64_t(blockIdx.x) * index_t(blockDim.x) + threadIdx.x",
        "__mul24(blockIdx.x, blockDim.x) + threadIdx.x",
        "__umul24(static_cast<unsigned>(blockIdx.x), (blockDim.x)) + threadIdx.x"}) {
    const IndexOutline found =
        outline("const auto i = " + std::string(index) + "; if (i < n) y[i] = x[i];");
    EXPECT_EQ(found.axes[0].tile, "blockDim.x") << index;
    EXPECT_EQ(found.axes[0].bound, "n") << index;
  }
}

TEST(IndexOutline, CooperativeGroupsSayTheSameAsBuiltInVariables) {
  const std::string block = "cg::thread_block block = cg::this_thread_block();";
  const std::string grid = "auto grid = cooperative_groups::this_grid();";
  for (const std::string& lines :
       {block + "int i = block.group_index().x * block.group_dim().x + block.thread_index().x;",
        block + "int i = blockIdx.x * block.size() + block.thread_rank();",
        std::string("int i = blockIdx.x * blockDim.x + cg::this_thread_block().thread_rank();"),
        grid + "int i = grid.thread_rank();"}) {
    const IndexOutline found = outline(lines + " if (i < n) y[i] = x[i];");
    EXPECT_EQ(found.axes[0].tile, "blockDim.x") << lines;
    EXPECT_EQ(found.axes[0].bound, "n") << lines;
  }
  const IndexOutline warps =
      outline(block +
              "auto warp = cg::tiled_partition<32>(block);"
              "int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();"
              "if (row < n && warp.thread_rank() == 0) y[row] = 1;");
  EXPECT_EQ(warps.axes[0].tile, "blockDim.x");
  EXPECT_EQ(warps.axes[0].sharers, "32");
  EXPECT_EQ(warps.axes[0].bound, "n");
  EXPECT_EQ(
      outline("namespace_of::tile t = coop::tiled_partition<W / 4>(coop::this_thread_block());"
              "int lane = t.thread_rank(), i = blockIdx.x * W + lane; y[i] = n ? 1 : 2;")
          .axes[0]
          .tile,
      "W");
  // A rank in a block of two dimensions is no index along x.
  for (const char* along_y : {"threadIdx.y", "block.thread_index().y", "block.group_index().y"}) {
    EXPECT_FALSE(outline(block + "int i = blockIdx.x * TILE + block.thread_rank(); int j = " +
                         along_y + "; y[i] = x[j];")
                     .axes[0]
                     .has_threads)
        << along_y;
  }
}

TEST(IndexOutline, AWarpIs32Threads) {
  EXPECT_EQ(
      outline("int i = blockIdx.x * (WARPS * 32) + threadIdx.x; y[i] = x[i];").axes[0].threads,
      "32 * WARPS");
  EXPECT_EQ(outline("int i = blockIdx.x * (BLOCK * 4) + threadIdx.x; y[i] = x[i];").axes[0].threads,
            "BLOCK");
}

TEST(IndexOutline, ThreadsThatShareAnIndexAreCountedOnce) {
  const std::string end = "if (row < n) y[row] = 1;";
  for (const char* row :
       {"int row = (blockIdx.x * BLOCK + threadIdx.x) / 32;",
        "int row = (blockIdx.x * BLOCK + threadIdx.x) / warpSize;",
        "int row = (blockIdx.x * BLOCK + threadIdx.x) >> 5;",
        "int i = blockIdx.x * BLOCK + threadIdx.x; int row = i / 32, lane = i % 32;",
        "int i = blockIdx.x * BLOCK + threadIdx.x; int row = i >> 5;",
        "int row = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32;",
        "int row = (threadIdx.x >> 5) + (BLOCK >> 5) * blockIdx.x;",
        "int warps = BLOCK / 32, warp = threadIdx.x / 32; int row = blockIdx.x * warps + warp;",
        "int warp = threadIdx.x >> 5; int row = blockIdx.x * (BLOCK / 32) + warp;"}) {
    const IndexOutline found = outline(row + end);
    EXPECT_EQ(found.axes[0].tile, "BLOCK") << row;
    EXPECT_EQ(found.axes[0].sharers, "32") << row;
    EXPECT_EQ(found.axes[0].bound, "n") << row;
    EXPECT_EQ(found.elements.at("y"), "n") << row;
  }
  const std::string index = "int row = (blockIdx.x * BLOCK + threadIdx.x)";
  EXPECT_EQ(outline(index + " / VECTOR;" + end).axes[0].sharers, "VECTOR");
  EXPECT_EQ(outline(index + " >> bits;" + end).axes[0].sharers, "?");
  EXPECT_EQ(outline(index + ";" + end).axes[0].sharers, "");
  for (const char* row : {"int row = blockIdx.x * (BLOCK / 16) + threadIdx.x / 32;",
                          "int row = blockIdx.y * (BLOCK / 32) + threadIdx.x / 32;",
                          "int row = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32 + 1;",
                          "int row = blockIdx.x / 32 * BLOCK + threadIdx.x / 32;"}) {
    EXPECT_EQ(outline(row + end).axes[0].sharers, "") << row;
  }
}

TEST(IndexOutline, ALoopOverRowsStepsByTheThreads) {
  const std::string body =
      "int r = blockIdx.y * 32 + threadIdx.y; int c = blockIdx.x * 32 + threadIdx.x;"
      "for (int j = 0; j < 32; j += STEP) if (r + j < rows && c < cols) y[(r + j) * cols + c] = 1;";
  for (const char* step : {"8", "ROWS"}) {
    std::string own = body;
    const IndexOutline found =
        outline(own.replace(own.find("STEP"), 4, step), {"rows", "cols"}, {"y"});
    EXPECT_EQ(found.axes[1].threads, step);
    EXPECT_EQ(found.axes[1].tile, "32");
    EXPECT_EQ(found.axes[0].threads, "32");
  }
}

TEST(IndexOutline, WhatIsReadThroughItsPointerHasOneElement) {
  const IndexOutline found = outline(
      "const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(total, x[i] * *factor);",
      {"n"}, {"x", "total", "factor"});
  EXPECT_EQ(found.elements.at("x"), "n");
  EXPECT_EQ(found.elements.at("total"), "1");
  EXPECT_EQ(found.elements.at("factor"), "1");
  // A product is no pointer's element.
  EXPECT_EQ(outline("y[blockIdx.x * n] = 2 * x[0];").elements.at("x"), "1");
}

TEST(IndexOutline, ABlockHasAsManyThreadsAsNoOtherVariableRunsOver) {
  const IndexOutline found = outline(
      "for (int u = 0; u < UNROLL; ++u) { const int i = (blockIdx.x * UNROLL + u) * BLOCK + "
      "threadIdx.x; if (i < n) y[i] = x[i]; }");
  const AxisOutline& x = found.axes[0];
  EXPECT_TRUE(x.has_threads);
  EXPECT_FALSE(x.has_block_size);
  EXPECT_EQ(x.threads, "BLOCK");
  EXPECT_EQ(x.tile, "UNROLL * BLOCK");
  EXPECT_EQ(x.bound, "n");
  EXPECT_EQ(found.elements.at("y"), "n");
  EXPECT_FALSE(found.axes[1].has_blocks);
}

TEST(IndexOutline, TilesOfTwoDimensionsAreReadThroughOtherVariables) {
  const IndexOutline found = outline(
      "int bx = blockIdx.x, by = blockIdx.y; int tx = threadIdx.x; int ty = threadIdx.y; int row = "
      "by * TILE + ty; int col = bx * TILE + tx; for (int k = 0; k < K; ++k) sum += x[row * K + k];"
      "if (row < M && col < N) y[row * N + col] = sum;",
      {"M", "N", "K"});
  for (const std::size_t axis : {0U, 1U}) {
    EXPECT_EQ(found.axes.at(axis).threads, "TILE") << axis;
    EXPECT_EQ(found.axes.at(axis).tile, "TILE") << axis;
  }
  EXPECT_EQ(found.axes[0].bound, "N");
  EXPECT_EQ(found.axes[1].bound, "M");
  EXPECT_EQ(found.elements.at("x"), "M * K");
  EXPECT_EQ(found.elements.at("y"), "M * N");
}

TEST(IndexOutline, APointerMayMoveInTheHeadOfALoop) {
  const char* const body =
      "int col = blockIdx.x * blockDim.x + threadIdx.x;"
      "for (int k = 0; k < K; ++k, x += n) if (col < n) y[col] += x[col];";
  EXPECT_NE(outline(body, {"n", "K"}).elements["x"], "n");
}

TEST(IndexOutline, NumbersThatDoNotFitAreNotGuessed) {
  const char* const body =
      "unsigned a = threadIdx.x * 1664525u + 1013904223u; unsigned b = a * 1664525u + 1013904223u;"
      "unsigned c = b * 1664525u + 1013904223u; y[c] = x[9223372036854775807 + a];";
  const IndexOutline found = outline(body);
  for (const char* name : {"x", "y"}) {
    const auto elements = found.elements.find(name);
    EXPECT_TRUE(elements == found.elements.end() || elements->second.empty()) << elements->second;
  }
}

TEST(IndexOutline, AThreadsElementsAreNoThreads) {
  const AxisOutline x =
      outline(
          "unsigned i = blockIdx.x * blockSize * 2 + threadIdx.x; while (i < n) { s += x[i]; i "
          "+= blockSize * 2 * gridDim.x; } y[blockIdx.x] = s;")
          .axes[0];
  EXPECT_EQ(x.threads, "blockSize");
  EXPECT_EQ(x.tile, "2 * blockSize");
}

TEST(IndexOutline, WithoutAComparisonABlocksElementsAreOnesOfItsAxis) {
  const IndexOutline found = outline(
      "int i = blockIdx.x * TILE + threadIdx.x; y[blockIdx.y * TILE * n + threadIdx.y * n + i] = "
      "x[blockIdx.x] + z[threadIdx.x];",
      {"n"}, {"x", "y", "z"});
  EXPECT_EQ(found.elements.at("y"), "n * extent.y");
  EXPECT_EQ(found.elements.at("x"), "gridDim.x");
  EXPECT_EQ(found.elements.at("z"), "blockDim.x");
}

TEST(IndexOutline, AnIndexIsLimitedByTheComparisonBeforeIt) {
  const IndexOutline found = outline(
      "for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;"
      "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) "
      "local[x[i]]++;"
      "for (int i = threadIdx.x; i < BINS; i += blockDim.x) y[i] = local[i];");
  EXPECT_EQ(found.elements.at("x"), "n");
  EXPECT_EQ(found.elements.at("y"), "BINS");
}

TEST(IndexOutline, AnAddressHasTheElementsUpToIt) {
  EXPECT_EQ(outline("const int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;"
                    "if (at < n) { load(d, x + at); load(d, x + (at % m), x != nullptr); }",
                    {"n", "m"})
                .elements.at("x"),
            "n");
  const IndexOutline found = outline(
      "const size_t row = size_t(blockIdx.x) * n; for (int at = 0; at < n; at += 64) {"
      "load(x + row + at, n - at); store(m, y + at % m, 2); }",
      {"n", "m"});
  EXPECT_EQ(found.elements.at("x"), "gridDim.x * n");
  EXPECT_EQ(found.elements.at("y"), "m");
}

TEST(IndexOutline, ThreadsOfATileReachNoFurtherThanItsPlace) {
  const std::string index = "int r = threadIdx.x / 8, c = threadIdx.x % 8;";
  const auto of_y = [&](const std::string& body) {
    return outline(index + body, {"n", "m", "y"}).elements;
  };
  EXPECT_EQ(of_y("y[(blockIdx.y * TILE + r) * n + blockIdx.x * TILE + c] = 1;").at("y"),
            "n * extent.y");
  EXPECT_FALSE(of_y("y[r * gridDim.x + blockIdx.x] = 1;").contains("y"));
  EXPECT_FALSE(of_y("int i = blockIdx.x; if (i < n) y[i + 512 * c] = 1;").contains("y"));
}

TEST(IndexOutline, APointerMayBeMovedBeforeItIsIndexed) {
  const IndexOutline found = outline(
      "const int rows = gridDim.x; const int row = blockIdx.x; const int sample = blockIdx.y;"
      "x += sample * stride; y += (sample * rows + row) * n;"
      "for (int i = threadIdx.x; i < n; i += 32) y[i] = x[i];",
      {"n", "stride"});
  EXPECT_EQ(found.elements.at("x"), "gridDim.y * stride");
  EXPECT_EQ(found.elements.at("y"), "gridDim.y * gridDim.x * n");
  EXPECT_EQ(outline("for (int i = 0; i < n; ++i) { y[0] = i; y += n; }").elements.at("y"), "n * n");
  for (const auto& [inner, elements] :
       {std::pair("for (int j = 0; j < n; ++j) y += n;", "n * n * n"),
        std::pair("for (int j = 0; j < n; ++j) { y += n; }", "n * n * n"),
        std::pair("if (i > 3) y += n;", "n * n"), std::pair("y += f(n);", "")}) {
    const std::string loop = "for (int i = 0; i < n; ++i) { ";
    const IndexOutline moved = outline(loop + inner + " y[0] = i; }");
    const auto known = moved.elements.find("y");
    EXPECT_EQ(known == moved.elements.end() ? "" : known->second, elements) << inner;
  }
  // The second loop's variable has the first one's name, but not its limit.
  EXPECT_EQ(outline("for (int i = 0; i < n * 3; i += 4) { y += 4; }"
                    "for (int i = 0; i < 3; ++i) y[i] = 1;")
                .elements.at("y"),
            "3 * n");
  EXPECT_FALSE(
      outline("for (int i = 0; i < n; i += 4) { for (int i = 0; i < 8; ++i) y[i] = 1; y += 4; }")
          .elements.contains("y"));
  // A tiled product: each pass of the loop reads a tile, which it then moves.
  const IndexOutline tiles = outline(
      "x += blockIdx.y * BM * k; y += blockIdx.x * BN;"
      "int r = threadIdx.x / BK, c = threadIdx.x % BK, u = threadIdx.x / BN, v = threadIdx.x % BN;"
      "for (int i = 0; i < k; i += BK) { s += x[r * k + c] * y[u * n + v]; x += BK; y += BK * n; }",
      {"m", "n", "k", "x", "y"});
  EXPECT_EQ(tiles.elements.at("x"), "k * extent.y");
  EXPECT_EQ(tiles.elements.at("y"), "n * k");
  EXPECT_FALSE(outline("while (*y) y += n; y[0] = 1;").elements.contains("y"));
}

TEST(IndexOutline, WhatIsAddedAtAnIndexsPitchIsCounted) {
  const std::string lone = "const int i = blockIdx.x * blockDim.x + threadIdx.x;";
  const std::string flat = lone + "if (i < n) ";
  const std::string image =
      "const int c = blockIdx.x * blockDim.x + threadIdx.x;"
      "const int r = blockIdx.y * blockDim.y + threadIdx.y; if (r < m && c < n) ";
  for (const auto& [body, elements] :
       {std::pair(flat + "s = x[i] + x[i + n] + x[i + 2 * n];", "3 * n"),
        std::pair(flat + "s = x[i + m];", "n + m"),
        std::pair(flat + "s = x[i] + x[i + m] + x[i + 2 * m];", "n + 2 * m"),
        std::pair(flat + "s = x[i + 2 * m] + x[i + m] + x[i];", "n + 2 * m"),
        std::pair(flat + "s = x[i + n - 1] + x[i];", "2 * n"),
        std::pair(flat + "for (int j = 0; j < m + 8; ++j) s += x[i + j];", "n + m + 8"),
        std::pair(lone + "if (i < n - 1) s = x[i + n] - x[i + n + 1];", "2 * n"),
        std::pair(lone + "if (i < n - k) s = x[i + n];", "2 * n"),
        std::pair(lone + "if (i < n - k) for (int j = 0; j < m; ++j) s += x[i + j];", "n + m"),
        std::pair(lone + "x += k * pitch; if (i < n) s = x[i];", "n + k * pitch"),
        std::pair(image + "const int size = m * n; s = x[r * n + c + 2 * size];", "3 * m * n"),
        std::pair(flat + "for (int j = 0; j < m; ++j) s += x[i + j];", "n + m"),
        std::pair(flat + "for (int j = 0; j < 8; ++j) s += x[i + j];", "n + 8"),
        std::pair(image + "s = x[(r + k) * pitch + c];", "m * pitch + k * pitch"),
        std::pair(image + "for (int j = 0; j < k; ++j) s += x[(r + j) * pitch + c];",
                  "m * pitch + k * pitch"),
        std::pair(image + "s = x[(r + 1) * (n + 2) + c + 1];", "m * n + 2 * m + n + 3"),
        std::pair(image + "for (int j = 0; j < k; ++j) s += x[(r + j) * (n + k - 1) + c + j];",
                  "m * n + m * k + k * n + k * k"),
        // Within the pitch, and below what the condition leaves.
        std::pair(image + "s = x[r * pitch + c + k];", "m * pitch"),
        std::pair(image + "s = x[r * n + n - 1 - c];", "m * n"),
        std::pair(lone + "if (i < n - m) for (int j = 0; j < m; ++j) s += x[i + j];", "n"),
        std::pair(
            lone + "if (i + blockDim.x < n) s = x[i] + x[i + blockDim.x]; if (i < n) s += x[i];",
            "n"),
        std::pair(image + "if (r < m - 1) s = x[(r + 1) * pitch + c];", "m * pitch"),
        std::pair(image + "for (int j = 0; j < 32; j += 8) if (r + j < m) x[(r + j) * n + c] = s;",
                  "m * n"),
        std::pair(std::string("const int r = blockIdx.y * 32 + threadIdx.y; if (r < m)"
                              "for (int j = 0; j < 32; j += 8) x[(r + j) * n + threadIdx.x] = s;"),
                  "m * n"),
        std::pair(std::string("for (int i = 0; i < k; i += TILE) for (int j = 0; j < TILE; ++j)"
                              "s += x[(i + j) * n + threadIdx.x];"),
                  "k * n"),
        std::pair(flat + "s = x[i * n + i];", "n * n"),
        // Conditions on sums.
        std::pair(lone + "if (i < n + m) s = x[i];", "n + m"),
        std::pair(lone + "const int all = n + 2 * m; if (i >= all) return; s = x[i];", "2 * m + n"),
        std::pair(image + "const int all = n + 2 * k; x[r * all + c + k] = s;",
                  "2 * m * k + m * n"),
        std::pair(image + "x[r * (n - k + 1) + c] = s;", "m * n"),
        std::pair(std::string("const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);"
                              "if (i < n) for (int j = 0; j < 4; ++j) s += x[i + j];"),
                  "n"),
        std::pair(std::string("const int r = blockIdx.y * TILE + threadIdx.y * ROWS;"
                              "if (r < m) for (int j = 0; j < ROWS; ++j) s += x[(r + j) * n];"),
                  "m * n")}) {
    EXPECT_EQ(outline(body, {"n", "m", "k", "pitch"}).elements.at("x"), elements) << body;
  }
}

TEST(IndexOutline, ALimitOfAnotherLoopsVariableDoesNotCount) {
  for (const char* loop : {"for (int i = y[r]; i < y[r + 1]; ++i) s += x[i];",
                           "const int len = y[r]; for (int i = 0; i < len; ++i) s += x[i];"}) {
    const std::string first = "const int r = blockIdx.x; for (int i = 0; i < 4; ++i) s += z[i];";
    EXPECT_FALSE(outline(first + loop).elements.contains("x")) << loop;
    const std::string guarded =
        std::string(loop).insert(std::string(loop).find("s +="), "if (i < n) ");
    EXPECT_EQ(outline(first + guarded).elements.at("x"), "n") << guarded;
  }
}

TEST(IndexOutline, ALimitOfALaterDefinitionDoesNotCount) {
  const std::string first =
      "const int r = blockIdx.x; int i = y[r]; while (i < y[r + 1]) s += x[i++];";
  const std::string second = "for (int i = 0; i < 4; ++i) s += z[i];";
  EXPECT_FALSE(outline(first + second).elements.contains("x"));
}

TEST(IndexOutline, ALoopMayMoveACopyOfAPointer) {
  const std::string index =
      "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;";
  for (const char* loop :
       {"const float* p = x + i; for (int j = 0; j < k; ++j) { s += *p; p += n; }",
        "const float *q = y, *p = &x[i]; for (int j = k - 1; j >= 0; --j, p += n) s += *p;",
        "const float* p; p = i + x; for (int j = 0; j < k; j++) { s += p[0]; p = p + n; }",
        "x += i; for (int j = 0; j < k; ++j, x += n) s += *x;",
        "auto p = (x + i); int left = k; while (left-- > 0) { s += *p; p += n; }",
        "auto p = x + i; int j = 0; while (j < k) { s += *p; p += 4 * n; j += 4; }",
        "auto p = x, q = p + i; for (int j = 0; j < k; ++j) { s += q[n]; q += n; }"}) {
    EXPECT_EQ(outline(index + loop, {"n", "k"}).elements.at("x"), "n * k") << loop;
  }
  for (const auto& [loop, elements] :
       {std::pair("const float* p = x + i * k; for (int j = 0; j < k; ++j) s += *p++;", "n * k"),
        std::pair("const float* p = x; for (int j = 0; j < k; ++j) s += *p++;", "k"),
        std::pair(
            "const float* p = x + i * k; const float* end = p + k; while (p < end) s += *p++;",
            "n * k"),
        std::pair("for (const float *p = x + i * k, *e = p + k; p != e; ++p) s += *p;", "n * k"),
        std::pair("for (int j = i; j < n; ++j) { s += *x; ++x; }", "n"),
        std::pair("const float* p = x + i; for (int j = i; j < n; j += 32, p += 32) s += *p;", "n"),
        std::pair("const float* p = x + i * k; load(p, 4); p = y; p[k] = 2;", "n * k"),
        std::pair("for (int a = 0; a < k; ++a) { const float* p = x + a * n; s += *p++; }",
                  "k * n")}) {
    EXPECT_EQ(outline(index + loop, {"n", "k"}).elements.at("x"), elements) << loop;
  }
  for (const char* unknown : {"const float* p = x; while (*p) { s += *p; p += n; }",
                              "const float* p = c ? x : y; for (int j = 0; j < k; ++j) s += p[j];",
                              "const float* p = x; for (int j = 0; j < k; j += f(j)) s += *p++;"}) {
    EXPECT_FALSE(outline(index + unknown, {"n", "k"}).elements.contains("x")) << unknown;
  }
}

TEST(IndexOutline, AVectorOfElementsCountsEach) {
  const auto of_x = [](const std::string& body) {
    OutlinedKernel kernel{.name = "k", .body = source_tokens("{" + body + "}")};
    for (const char* name : {"x", "n", "m"}) kernel.arguments.push_back({name, {}});
    return outline_indices(kernel, {"x"}, {{"x", 4}}).elements;
  };
  const std::string index = "const int i = blockIdx.x * blockDim.x + threadIdx.x;";
  for (const char* body :
       {"const float4* p = reinterpret_cast<const float4*>(x); if (i < n / 4) s += p[i].x;",
        "auto p = (float4 *)x; if (i < n / 4) p[i] = s;",
        "if (i < n / 4) s += reinterpret_cast<const float4*>(x)[i].y;",
        "if (i < (n >> 2)) s += ((const float4*)x)[i].y;", "if (i < n / 4) *((float4*)x + i) = s;",
        "if (i < n / 2) *reinterpret_cast<float2*>(&x[2 * i]) = s;"}) {
    EXPECT_EQ(of_x(index + body).at("x"), "n") << body;
  }
  EXPECT_EQ(of_x(index + "if (i < m) *((uint4*)x + i) = s;").at("x"), "4 * m");
  EXPECT_EQ(of_x(index + "if (i < n * m / 4) *((float4*)x + i) = s;").at("x"), "n * m");
  EXPECT_FALSE(of_x(index + "if (i < n) *((Pack*)x + i) = s;").contains("x"));
}

TEST(IndexOutline, WhatIsNotUnderstoodIsNotSaid) {
  for (const char* body : {"y[x[0] % 3] = 1;", "f(y + 1);", "int i = blockIdx.x / 3; y[i] = 1;",
                           "int a = blockIdx.x; a += 3 * n; y[a] = 1;", "y[i << 2] = 1;", ""}) {
    EXPECT_FALSE(outline(body).elements.contains("y")) << body;
  }
  EXPECT_EQ(outline("int i = 0; if (i >= 0 && i < n - 1) y[i] = 1;").elements.at("y"), "n");
}

TEST(IndexOutline, AGuardThatLeavesLimitsByItsOpposite) {
  const std::string index = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
  for (const char* guard :
       {"if (i < 1 || i >= n - 1) return;", "if (i >= n - 1 || i < 1) { return; }",
        "if (i == 0 || i > n - 2) return;", "if (i >= 1 && i < n - 1)",
        "if (!(i < n - 1)) return;"}) {
    const IndexOutline found = outline(index + guard + " y[i] = x[i - 1] + x[i + 1];");
    EXPECT_EQ(found.axes[0].bound, "n") << guard;
    EXPECT_EQ(found.elements.at("x"), "n") << guard;
    EXPECT_EQ(found.elements.at("y"), "n") << guard;
  }
}

TEST(IndexOutline, TheLastElementCounts) {
  const std::string row = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) ";
  EXPECT_EQ(outline(row + "y[i] = x[i + 1] - x[i];").elements.at("x"), "n + 1");
  EXPECT_EQ(outline(row + "y[i] = x[n];").elements.at("x"), "n + 1");
  EXPECT_EQ(outline(row + "y[i] = x[n - 1];").elements.at("x"), "n");
  EXPECT_EQ(outline(row + "y[i] = x[i % n];").elements.at("x"), "n");
  EXPECT_EQ(outline("int i = threadIdx.x; for (; i <= n; ++i) y[i] = 1;").elements.at("y"),
            "n + 1");
}

TEST(IndexOutline, LimitsMayBeQuotientsAndConstants) {
  const std::string index = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
  for (const auto& [limit, bound] : {std::pair("if (i < n / 4)", "n / 4"),
                                     {"if (i >= (n + 3) / 4) return;", "(n + 3) / 4"},
                                     {"const int total = n * m; if (i < total)", "n * m"},
                                     {"const int m2 = n + 2; if (i < m2)", ""},
                                     {"const int m2 = flag ? n : m; if (i < m2)", ""},
                                     {"int m2 = n; m2 *= 2; if (i < m2)", ""},
                                     {"int half = n >> 1; if (i < half)", "n / 2"},
                                     {"int k = n / 2; if (i < k)", "n / 2"}}) {
    const IndexOutline found = outline(index + limit + " y[i] = 1;", {"n", "m"});
    EXPECT_EQ(found.axes[0].bound, bound) << limit;
  }
  const IndexOutline tiles = outline(
      "int row = blockIdx.y * TILE + threadIdx.y;"
      "for (int t = 0; t < n / TILE; ++t) s[0] = x[row * n + t * TILE + threadIdx.x];",
      {"n"});
  EXPECT_EQ(tiles.elements.at("x"), "n * extent.y");
}

TEST(IndexOutline, ASharedArrayOfTheThreadsHasTheirNumber) {
  const std::string array = "__shared__ float sums[THREADS]; int tid = threadIdx.x; ";
  EXPECT_EQ(outline(array + "sums[tid] = 0;").axes[0].threads, "THREADS");
  EXPECT_EQ(outline(array + "sums[threadIdx.x] = 0;").axes[0].threads, "THREADS");
  EXPECT_EQ(outline("__shared__ float s[256]; s[threadIdx.x] = 0;").axes[0].threads, "256");
  for (const char* other :
       {"if (tid < THREADS) sums[tid] = 0;", "if (tid == 0) { sums[tid] = 0; }", "x = sums[tid];",
        "sums[tid / 32] = 0;", "sums[tid + 1] = 0;", "sums[threadIdx.y] = 0;"}) {
    EXPECT_EQ(outline(array + other).axes[0].threads, "") << other;
  }
}

/// Threads that load a halo are more than the elements that their block computes.
TEST(IndexOutline, AHaloHasThreadsOfItsOwn) {
  const auto threads = [](const std::string& shift, const std::string& extent) {
    return outline("__shared__ float s[4][" + extent + "];" +
                       "int x = blockIdx.x * TILE + threadIdx.x" + shift + ";" +
                       "if (x >= 0 && x < n) { s[threadIdx.y][threadIdx.x] = in[x]; }",
                   {"n"})
        .axes[0];
  };
  EXPECT_EQ(threads(" - R", "TILE + 2 * R").threads, "TILE + 2 * R");
  EXPECT_EQ(threads(" - R", "TILE + 2 * R").tile, "TILE");
  EXPECT_EQ(threads(" - 1", "IN_TILE").threads, "IN_TILE");
  EXPECT_EQ(threads(" - 1", "TILE + 1").threads, "TILE");  // padding
  EXPECT_EQ(threads("", "TILE + 2 * R").threads, "TILE");  // each thread loads several
  const IndexOutline strided = outline(
      "__shared__ float s[TILE + 2 * R]; int x = blockIdx.x * TILE + threadIdx.x;"
      "for (int t = threadIdx.x; t < TILE + 2 * R; t += TILE) s[t] = in[x + t - R]; y[x - R] = 1;");
  EXPECT_EQ(strided.axes[0].threads, "TILE");
}

/// A pointer that is moved to the block's tile shows it where no index does.
TEST(IndexOutline, AMovedPointerShowsTheTile) {
  const IndexOutline moved =
      outline("c += blockIdx.y * BM * n + blockIdx.x * BN; c[0] = 1;", {"c", "n"});
  EXPECT_EQ(moved.axes[0].tile, "BN");
  EXPECT_EQ(moved.axes[1].tile, "BM");
  EXPECT_TRUE(moved.axes[0].is_tile_of_pointer);
  EXPECT_EQ(outline("c += blockIdx.y * gridDim.x * n; c[0] = 1;", {"c", "n"}).axes[1].tile, "");
  const IndexOutline known =
      outline("c += blockIdx.x * BN; int i = blockIdx.x * 64 + threadIdx.x; c[i] = 1;", {"c"});
  EXPECT_EQ(known.axes[0].tile, "64");
}

TEST(IndexOutline, ALoopMayReachItsLimit) {
  EXPECT_EQ(outline("for (int i = -4; i <= 4; ++i) s += y[i + 4];").elements.at("y"), "9");
  EXPECT_EQ(outline("if (i <= 0) return; if (i < n) y[i] = 1;", {"n"}).elements.at("y"), "n");
}

TEST(IndexOutline, ABlockMayHaveARow) {
  const std::string loop = "for (int d = threadIdx.x; d < 64; d += blockDim.x) y[r * 64 + d] = 1;";
  const IndexOutline found = outline("int r = blockIdx.x; if (r >= rows) return;" + loop, {"rows"});
  EXPECT_EQ(found.axes[0].bound, "rows");
  EXPECT_TRUE(found.axes[0].bound_counts_blocks);
  EXPECT_EQ(found.axes[0].threads, "");
  const IndexOutline pairs = outline(
      "for (int i = threadIdx.x; i < d; i += blockDim.x) y[i] = x[blockIdx.x * 2 * d + i];", {"d"});
  EXPECT_EQ(pairs.axes[0].threads, "");
}

TEST(IndexOutline, ARowMayHaveAMultipleOfASizeOfElements) {
  const auto tile_with = [](const std::string& head, const std::string& loop) {
    return outline(head + "for (int i = threadIdx.x; i < n; i += blockDim.x) " + loop).axes[0].tile;
  };
  const std::string row = "const int r = blockIdx.x;";
  for (const char* loop :
       {"y[r * n + i] = x[r * 2 * n + i] * x[r * 2 * n + n + i];", "y[r] += x[2 * r * n + i];"}) {
    EXPECT_EQ(tile_with(row, loop), "") << loop;
  }
  // The block has no number alone, or the index has rows of n as well.
  EXPECT_EQ(tile_with("", "y[i] += x[blockIdx.x * 2 * n + i];"), "2");
  EXPECT_EQ(tile_with(row, "for (int j = 0; j < 2; ++j) y[r] += x[(r * 2 + j) * n + i];"), "2");
}

TEST(IndexOutline, AConstantIndexHasTheElementsUpToIt) {
  EXPECT_EQ(outline("y[0] = x[0];").elements.at("y"), "1");
  EXPECT_EQ(outline("y[0] = y[2 + 1];").elements.at("y"), "4");
}

TEST(IndexOutline, AnyTextHasOne) {
  for (const char* body : {"a = a * a;", "a = b; b = a;", "[", "x[", "a[[[b", "i <", "i = ", "((((",
                           "blockIdx.", "x . . y", "i = blockIdx.x * i;"}) {
    EXPECT_NO_THROW((void)outline(body)) << body;
  }
}

}  // namespace
}  // namespace gtune::test
