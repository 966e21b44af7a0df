#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <tuple>

#include "jit/compile_pool.hpp"
#include "jit/occupancy.hpp"
#include "jit/support.hpp"
#include "space/enumerate.hpp"
#include "spec/awkward_problems.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_catalog.hpp"
#include "spec/spec_reader.hpp"
#include "support/build_under_test.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

const std::vector<fs::path> data_folders = {GTUNE_SOURCE_DIR};

std::vector<std::string> bundled_kernels() {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : list_specs(data_folders)) names.push_back(entry.name);
  return names;
}

struct Submitted {
  std::string what;
  std::optional<LaunchPlan> launch;  // of the tuned kernel: it must be possible
};

/// One kernel on one architecture: everything that a run compiles, and a few configurations.
class BundledKernel : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  BundledKernel()
      : m_device(typical_device(std::get<1>(GetParam()))),
        m_spec(read_spec(
            fs::path(GTUNE_SOURCE_DIR) / "tuner_configs" / (std::get<0>(GetParam()) + ".toml"),
            kernel_folders(data_folders))),
        m_problem(expand_problems(m_spec, {}).front()),
        m_source(m_spec.source),
        m_pool(options()) {}

  static PoolOptions options() {
    PoolOptions out;
    out.threads = 2;
    out.compiler_command = {test::gtune_binary(), "compiler"};
    return out;
  }

  void submit(const std::vector<StepSpec>& steps, const Config& config,
              std::optional<LaunchPlan> launch) {
    submit(steps, m_problem, config, launch);
  }

  /// Submits a compile, unless another problem already led to the same kernel.
  void submit(const std::vector<StepSpec>& steps, const Problem& problem, const Config& config,
              std::optional<LaunchPlan> launch) {
    KernelRequest request = kernel_request(m_source, m_spec, steps, {problem, config, m_device});
    const std::string what = request.compile.entries.front();
    if (!m_known.insert(what).second) return;
    m_submitted.emplace(m_pool.submit(std::move(request)), Submitted{what, launch});
  }

  DeviceFacts m_device;
  KernelSpec m_spec;
  Problem m_problem;
  KernelSource m_source;
  CompilePool m_pool;
  std::map<std::uint64_t, Submitted> m_submitted;
  std::set<std::string> m_known;
};

TEST_P(BundledKernel, Compiles) {
  const SearchSpace space = enumerate(m_spec, m_problem, m_device).space;
  if (m_spec.name == "sgemm_tf32x3" && m_device.cc() != 90) {
    EXPECT_EQ(space.size(), 0U);  // it needs the instructions of sm_90
    return;
  }
  ASSERT_GT(space.size(), 10U);
  constexpr std::size_t tried = 5;
  for (std::size_t i = 1; i <= tried; ++i) {
    const Config config = space.config(space.size() * i / tried - 1);
    submit(m_spec.steps, config, only_launch(plan_steps(m_spec, {m_problem, config, m_device})));
  }
  // One more configuration with the awkward sizes and every choice.
  const Config middle = space.config(space.size() / 2);
  for (const Problem& problem : awkward_problems(m_spec, {m_problem, middle, m_device})) {
    submit(m_spec.steps, problem, middle, std::nullopt);
  }
  for (const ProblemSize& size : m_spec.sizes) {
    for (const std::int64_t choice : size.choices) {
      const Problem problem = expand_problems(m_spec, {{size.name, {choice}}}).front();
      const SearchSpace chosen = enumerate(m_spec, problem, m_device).space;
      if (chosen.size() == 0) continue;
      submit(m_spec.steps, problem, chosen.config(chosen.size() / 2), std::nullopt);
      submit(m_spec.check.reference->steps, problem, chosen.config(0), std::nullopt);
    }
  }
  submit(m_spec.check.reference->steps, space.config(0), std::nullopt);
  for (const Baseline& baseline : m_spec.baselines) {
    Config config = space.config(0);
    for (const auto& [name, value] : baseline.params.entries()) config.set(name, value);
    submit(baseline.steps, config,
           only_launch(plan_baseline_steps(m_spec, baseline, {m_problem, config, m_device})));
  }
  for (std::size_t i = 0; i < m_submitted.size(); ++i) {
    const auto finished = m_pool.wait_next(60s);
    ASSERT_TRUE(finished);
    const auto& [what, launch] = m_submitted.at(finished->ticket);
    const CompileResult& result = finished->result;
    EXPECT_TRUE(result.ok) << what << ": " << result.reason;
    EXPECT_GT(result.cubin.size(), 0U) << what;
    EXPECT_GT(result.kernel().resources.registers, 0) << what;
    if (!result.ok || !launch) continue;
    const auto refusal = why_it_cannot_launch(result.kernel().resources, *launch, m_device);
    EXPECT_FALSE(refusal) << what << ": " << *refusal;
  }
}

TEST(KernelRequests, AParameterOfTheLaunchAloneMakesNoOtherKernel) {
  const KernelSpec spec = read_spec(fs::path(GTUNE_SOURCE_DIR) / "tuner_configs" / "sgemm.toml",
                                    kernel_folders(data_folders));
  const KernelSource source(spec.source);
  const Problem problem = expand_problems(spec, {}).front();
  const Config config = enumerate(spec, problem, typical_device("sm_90")).space.config(0);
  const auto with = [&](const char* name, std::int64_t value) {
    Config changed = config;
    changed.set(name, value);
    const KernelRequest request =
        kernel_request(source, spec, spec.steps, {problem, changed, typical_device("sm_90")});
    return std::pair(request.compile.entries, request.compile.options);
  };
  EXPECT_EQ(with("SPLIT", 1), with("SPLIT", 4));
  EXPECT_NE(with("STAGES", 3), with("STAGES", 4));
}

/// A kernel with one parameter, BLOCK. `options` are those of [kernel]; macros may follow them.
KernelSpec block_spec(const test::TemporaryFolder& folder, const std::string& options,
                      const std::string& source) {
  folder.write("k.cu", source);
  const auto file = folder.write(
      "k.toml",
      "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\noptions = [" + options +
          "\n[problem]\nn = { default = 1 }\n[params]\nBLOCK = [32]\n[launch]\ngrid = [1]\n"
          "block = [\"BLOCK\"]\n[[args]]\nname = \"out\"\ntype = \"f32\"\ncount = \"n\"\n"
          "direction = \"out\"\n[check]\nreference = { entry = \"k\", grid = [1], block = [32] }\n"
          "rtol = 0.0\n");
  return read_spec(file, {});
}

/// The macros of a compile for n = 7, in order.
std::vector<std::string> macros_of(const KernelSpec& spec) {
  std::vector<std::string> options =
      kernel_request(KernelSource(spec.source), spec, spec.steps,
                     {{{"n", 7}}, {{"BLOCK", 32}}, typical_device("sm_90")})
          .compile.options;
  std::erase_if(options, [](const std::string& option) { return !option.starts_with("-D"); });
  return options;
}

using Macros = std::vector<std::string>;

class OwnMacros : public testing::Test {
 protected:
  bool has_macro(const std::string& source, const std::string& options = "") const {
    return macros_of(block_spec(folder, options + "]", source)) == Macros{"-DBLOCK=32"};
  }

  const test::TemporaryFolder folder;
};

TEST_F(OwnMacros, AParameterIsOneWhereTheSourceNamesIt) {
  EXPECT_TRUE(has_macro("const int size = BLOCK;\n"));
  EXPECT_TRUE(has_macro("#ifndef BLOCK\n#endif\n"));
  EXPECT_TRUE(has_macro("const int size = BL\\\nOCK;\n"));
  EXPECT_TRUE(has_macro("_Pragma(\"unroll BLOCK\")\n"));
  EXPECT_FALSE(has_macro("// BLOCK\n/* BLOCK */ const char* s = \"BLOCK\";\n"));
  EXPECT_FALSE(has_macro("const int SUBBLOCK = 1, BLOCKS = 2;\n"));
  EXPECT_FALSE(has_macro("#define PASTED BL##OCK\n"));  // the spec must state such a macro
}

TEST_F(OwnMacros, AParameterIsOneWhereAnOwnIncludeNamesIt) {
  folder.write("sub/size.cuh", "#include \"deep.cuh\"\n#include \"beside.cuh\"\n");
  folder.write("sub/deep.cuh", "const int size = BLOCK;\n");
  EXPECT_TRUE(has_macro("#include \"sub/size.cuh\"\n"));
  folder.write("sub/deep.cuh", "\n");
  EXPECT_FALSE(has_macro("#include \"sub/size.cuh\"\n"));
  folder.write("beside.cuh", "const int size = BLOCK;\n");  // in the source's folder
  EXPECT_TRUE(has_macro("#include \"sub/size.cuh\"\n"));
  EXPECT_TRUE(has_macro("#define FILE \"beside.cuh\"\n#include FILE\n"));
  EXPECT_TRUE(has_macro("\n", "\"--pre-include=beside.cuh\""));
}

TEST_F(OwnMacros, AHeaderOfALibraryMakesNone) {
  folder.write("far/lib.cuh", "#include \"part.cuh\"\n");
  folder.write("far/part.cuh", "int dim_threads(int BLOCK);\n");
  const std::string far = "\"-Ifar\"";
  EXPECT_FALSE(has_macro("#include <lib.cuh>\n", far));
  EXPECT_FALSE(has_macro("#include \"lib.cuh\"\n", far));
  EXPECT_TRUE(has_macro("#include <lib.cuh>\nint size = BLOCK;\n", far));
}

TEST_F(OwnMacros, AnOwnFileThatCannotBeKnownMayNameIt) {
  EXPECT_TRUE(has_macro("#include HEADER\n"));
  folder.write("far/lib.cuh", "#include LIBRARY_HEADER\n");
  EXPECT_FALSE(has_macro("#include <lib.cuh>\n", "\"-Ifar\""));
}

TEST_F(OwnMacros, AnOptionThatNamesAParameterNeedsIt) {
  EXPECT_EQ(macros_of(block_spec(folder, "\"-DSIZE=BLOCK\"]", "\n")),
            (Macros{"-DBLOCK=32", "-DSIZE=BLOCK"}));
  EXPECT_EQ(macros_of(block_spec(folder, "\"-DSIZE={BLOCK}\"]", "\n")), Macros{"-DSIZE=32"});
}

TEST_F(OwnMacros, ASpecSaysOthers) {
  EXPECT_EQ(macros_of(block_spec(folder, "]\nmacros = { N = \"n\", HALF = \"BLOCK/2\" }",
                                 "const int size = BLOCK;\n")),
            (Macros{"-DBLOCK=32", "-DN=7", "-DHALF=16"}));
  EXPECT_EQ(macros_of(block_spec(folder, "]\nmacros = { BLOCK = \"BLOCK+1\" }",
                                 "const int size = BLOCK;\n")),
            Macros{"-DBLOCK=33"});
}

TEST_F(OwnMacros, ANoteNamesTheLibraryThatNamesAParameter) {
  folder.write("far/lib.cuh", "int dim_threads(int BLOCK);\n");
  const auto notes = [&](const std::string& options, const std::string& source) {
    const KernelSpec spec = block_spec(folder, options, source);
    return macro_notes(KernelSource(spec.source), spec);
  };
  EXPECT_EQ(notes("\"-Ifar\"]", "#include <lib.cuh>\n"),
            std::vector<std::string>{
                "parameter 'BLOCK' is not defined as a macro: lib.cuh names it, but is not one of "
                "the kernel's own files; if it has to be, write macros = { BLOCK = \"BLOCK\" } "
                "into [kernel]"});
  EXPECT_TRUE(notes("\"-Ifar\"]", "#include <lib.cuh>\nint size = BLOCK;\n").empty());
  EXPECT_TRUE(notes("\"-Ifar\"]\nmacros = { BLOCK = \"BLOCK\" }", "#include <lib.cuh>\n").empty());
  EXPECT_TRUE(notes("]", "#include <lib.cuh>\n").empty());
}

TEST(KernelRequests, AParameterNamedLikeAMemberOfCooperativeGroupsCompiles) {
  const test::TemporaryFolder folder;
  folder.write("k.cu",
               "#include <cooperative_groups.h>\n"
               "extern \"C\" __global__ void k(float* out) {\n"
               "  const auto block = cooperative_groups::this_thread_block();\n"
               "  out[block.thread_rank()] = block.num_threads();\n}\n");
  const KernelSpec spec = read_spec(
      folder.write(
          "k.toml",
          "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nn = 1\n[params]\n"
          "threads = [32, 64]\nsize = [3]\n[launch]\ngrid = [1]\nblock = [\"threads\"]\n"
          "[[args]]\nname = \"out\"\ntype = \"f32\"\ncount = \"n\"\ndirection = \"out\"\n"
          "[check]\nreference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n"),
      {});
  const KernelSource source(spec.source);
  PoolOptions options;
  options.threads = 1;
  options.compiler_command = {test::gtune_binary(), "compiler"};
  CompilePool pool(options);
  const CompileResult result = test::compile_one(
      pool, kernel_request(source, spec, spec.steps,
                           {{{"n", 1}}, {{"threads", 32}, {"size", 3}}, typical_device("sm_90")}));
  EXPECT_TRUE(result.ok) << result.reason;
  EXPECT_TRUE(macro_notes(source, spec).empty());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, BundledKernel,
    testing::Combine(testing::ValuesIn(bundled_kernels()),
                     testing::Values("sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")),
    [](const auto& test) { return std::get<0>(test.param) + "_" + std::get<1>(test.param); });

}  // namespace
}  // namespace gtune
