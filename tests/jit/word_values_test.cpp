// Parameters with words as values, through NVRTC.
#include <gtest/gtest.h>

#include "jit/compile.hpp"
#include "jit/support.hpp"
#include "model/value_word.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

constexpr const char* source = R"(
#include <cuda_fp16.h>
template <typename T, int N> __global__ void scale(T* data) {
  static_assert(ROUND == 0 || ROUND == 1, "a boolean is 0 or 1");
  data[threadIdx.x] = data[threadIdx.x] * static_cast<T>(FACTOR) + static_cast<T>(N);
}
)";

constexpr const char* spec_text = R"([kernel]
source = "k.cu"
entry = "scale<T,ADD>"
[problem]
n = 64
[params]
T = ["float", "__half", "unsigned int"]
ADD = [3]
FACTOR = [0.5, 2.0]
ROUND = { values = [true, false], when = "T == 'unsigned int'" }
[constraints]
whole = "T != 'unsigned int' || FACTOR == '2.0'"
[launch]
grid = [1]
block = [32]
[[args]]
name = "data"
type = "f32"
count = "n"
direction = "out"
[check]
reference = { entry = "r", grid = [1], block = [32] }
rtol = 0.0
)";

class WordValues : public testing::Test {
 protected:
  [[nodiscard]] CompileResult compiled(const Config& config) const {
    const KernelRequest request = kernel_request(KernelSource(spec.source), spec, spec.steps,
                                                 {problem, config, typical_device("sm_90")});
    return compile(nvrtc, request.compile);
  }

  [[nodiscard]] KernelSpec read() const {
    folder.write("k.cu", source);
    return read_spec(folder.write("k.toml", spec_text), {});
  }

  const test::TemporaryFolder folder;
  const KernelSpec spec = read();
  const Problem problem = expand_problems(spec, {}).front();
  const NvrtcLibrary nvrtc;
};

TEST_F(WordValues, AreTypesInTheEntryAndNumbersInMacros) {
  const std::vector<std::pair<const char*, const char*>> kernels = {
      {"float", "_Z5scaleIfLi3EEvPT_"},
      {"__half", "_Z5scaleI6__halfLi3EEvPT_"},
      {"unsigned int", "_Z5scaleIjLi3EEvPT_"}};
  for (const auto& [type, name] : kernels) {
    const CompileResult result = compiled(
        {{"T", value_of_word(type)}, {"ADD", 3}, {"FACTOR", value_of_word("2.0")}, {"ROUND", 1}});
    ASSERT_TRUE(result.ok) << result.reason;
    EXPECT_EQ(result.kernel().name, name);
  }
}

TEST_F(WordValues, AreComparedInConstraints) {
  const auto valid = [&](const char* type, const char* factor, std::int64_t round) {
    const Config config = {{"T", value_of_word(type)},
                           {"ADD", 3},
                           {"FACTOR", value_of_word(factor)},
                           {"ROUND", round}};
    return satisfies(spec, {problem, config, typical_device("sm_90")});
  };
  EXPECT_TRUE(valid("float", "0.5", 1));
  EXPECT_FALSE(valid("float", "0.5", 0));  // ROUND does not exist there: its first value
  EXPECT_FALSE(valid("unsigned int", "0.5", 1));
  EXPECT_TRUE(valid("unsigned int", "2.0", 0));
}

}  // namespace
}  // namespace gtune
