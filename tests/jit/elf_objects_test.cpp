#include "jit/elf_objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "jit/compile.hpp"
#include "jit/support.hpp"

namespace gtune {
namespace {

constexpr const char* variables_cu = R"cu(
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ double total;
namespace inner { __device__ int other; }
extern "C" __global__ void k(float* y) {
  y[threadIdx.x] = weights[threadIdx.x] + total + inner::other;
}
)cu";

std::vector<std::byte> compiled() {
  return compile(NvrtcLibrary(), test::request_for(variables_cu, "k")).cubin;
}

const ElfObject* find(const std::vector<ElfObject>& objects, const std::string& name) {
  const auto found = std::find_if(objects.begin(), objects.end(),
                                  [&](const ElfObject& object) { return object.name == name; });
  return found == objects.end() ? nullptr : &*found;
}

TEST(ElfObjects, AreTheVariablesOfACubin) {
  const std::vector<std::byte> cubin = compiled();
  const std::vector<ElfObject> objects = elf_objects(cubin);
  const ElfObject* weights = find(objects, "weights");
  ASSERT_NE(weights, nullptr);
  EXPECT_EQ(weights->bytes, 16);
  ASSERT_EQ(weights->contents.size(), 16U);
  EXPECT_EQ(std::to_integer<int>(weights->contents[3]), 0x3f);  // 1.0f
  const ElfObject* total = find(objects, "total");
  ASSERT_NE(total, nullptr);
  EXPECT_EQ(total->bytes, 8);
  EXPECT_EQ(find(objects, "other"), nullptr);
  EXPECT_EQ(find(objects, "k"), nullptr);
}

TEST(ElfObjects, AreInSectionsThatHaveNames) {
  const std::vector<std::byte> cubin = compiled();
  EXPECT_EQ(elf_section(cubin, ".nv.constant3").size(), 16U);
  EXPECT_TRUE(elf_section(cubin, ".nv.global").empty());  // all zeros, not in the file
  EXPECT_TRUE(elf_section(cubin, ".other").empty());
}

TEST(ElfObjects, OfADamagedImageAreFewerOrNone) {
  const std::vector<std::byte> cubin = compiled();
  const std::size_t all = elf_objects(cubin).size();
  EXPECT_TRUE(elf_objects({}).empty());
  for (std::size_t bytes = 0; bytes < cubin.size(); bytes += 7) {
    const std::vector<std::byte> part(cubin.begin(), cubin.begin() + static_cast<long>(bytes));
    EXPECT_LE(elf_objects(part).size(), all) << bytes;
  }
  for (std::size_t at = 0; at < cubin.size(); at += 5) {
    std::vector<std::byte> changed = cubin;
    changed[at] = ~changed[at];
    EXPECT_LE(elf_objects(changed).size(), cubin.size()) << at;  // must not read beyond the end
  }
}

}  // namespace
}  // namespace gtune
