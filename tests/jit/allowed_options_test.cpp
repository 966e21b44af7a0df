#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>

#include "jit/compile.hpp"
#include "jit/kernel_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/support.hpp"
#include "spec/compiler_options.hpp"

// Compares the options that a spec may have with the compiler that receives them.
namespace gtune {
namespace {

const char* const kernel = "extern \"C\" __global__ void f(float* x) { x[threadIdx.x] *= 2; }";

std::string reason_with(const std::string& option) {
  static const NvrtcLibrary nvrtc;
  const KernelRequest request = KernelSource(kernel, "f.cu").request({"f"}, {option}, "sm_90");
  const CompileResult result = compile(nvrtc, request.compile);
  return result.ok ? "" : result.reason;
}

std::set<std::string> names_here() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// Gives each test a new folder as working directory.
class AllowedOptions : public testing::Test {
 protected:
  AllowedOptions() { std::filesystem::current_path(m_folder.path()); }
  ~AllowedOptions() override { std::filesystem::current_path(m_before); }

  test::TemporaryFolder m_folder;
  std::filesystem::path m_before = std::filesystem::current_path();
};

TEST_F(AllowedOptions, TheCompilerTakesEachAndWritesNothing) {
  for (const char* option : {"--std=c++20",
                             "-std=c++14",
                             "-DX=1",
                             "-D X",
                             "-D=X",
                             "-DF(a)=a",
                             "-UX",
                             "--use_fast_math",
                             "--ftz=true",
                             "-fmad=false",
                             "--prec-div=false",
                             "--prec-sqrt=true",
                             "--maxrregcount=64",
                             "--extra-device-vectorization",
                             "--restrict",
                             "--dopt=on",
                             "-Ofc=0",
                             "--jump-table-density=50",
                             "--modify-stack-limit=true",
                             "--device-stack-protector=true",
                             "-default-device",
                             "--device-as-default-execution-space",
                             "--device-int128",
                             "--builtin-move-forward=true",
                             "--builtin-initializer-list=false",
                             "--minimal",
                             "-lineinfo",
                             "-w",
                             "-err-no",
                             "--no-display-error-number",
                             "--no-source-include",
                             "--diag-error=177",
                             "--diag-suppress=177,550",
                             "--diag-warn=177",
                             "--brief-diagnostics=true",
                             "--optimization-info=inline",
                             "--ptxas-options=-O2",
                             "--ptxas-options=--opt-level=4",
                             "-Xptxas=-v",
                             "--ptxas-options=-dlcm=cg",
                             "--ptxas-options=--def-store-cache=cs",
                             "--ptxas-options=--register-usage-level=3",
                             "--ptxas-options=-maxrregcount=64",
                             "--ptxas-options=--minnctapersm=2",
                             "--ptxas-options=-override-directive-values",
                             "--ptxas-options=-fmad=false",
                             "--ptxas-options=-opt-fp-atomics",
                             "--ptxas-options=-disable-optimizer-consts",
                             "--ptxas-options=--allow-expensive-optimizations=true",
                             "--ptxas-options=-warn-spills",
                             "--ptxas-options=-warn-lmem-usage",
                             "--ptxas-options=-warn-double-usage",
                             "--ptxas-options=-Werror",
                             "--ptxas-options=-w",
                             "--ptxas-options=--suppress-stack-size-warning",
                             "--ptxas-options=-suppress-async-bulk-multicast-advisory-warning"}) {
    EXPECT_EQ(why_refused(option), std::nullopt) << option;
    EXPECT_EQ(reason_with(option), "") << option;
  }
  EXPECT_TRUE(names_here().empty());
}

TEST_F(AllowedOptions, NewerCompilersTakeMore) {
  if (nvrtc_version() < "13") GTEST_SKIP() << "NVRTC " << nvrtc_version();
  for (const char* option : {"--Ofast-compile=min", "--frandom-seed=a1"}) {
    EXPECT_EQ(why_refused(option), std::nullopt) << option;
    EXPECT_EQ(reason_with(option), "") << option;
  }
}

TEST_F(AllowedOptions, WhatWritesAFileHereIsRefused) {
  for (const char* option : {"--create-pch=f", "--time=f", "-time=f", "--fdevice-time-trace=f"}) {
    EXPECT_EQ(reason_with(option), "") << option;
    EXPECT_FALSE(names_here().empty()) << option;  // otherwise this test would show nothing
    for (const std::string& name : names_here()) std::filesystem::remove(name);
    EXPECT_NE(why_refused(option), std::nullopt) << option;
  }
}

/// Holds whatever the compiler does with blanks, commas, equals signs and quotes within an option.
TEST_F(AllowedOptions, NoneMadeOfPiecesOfOthersWritesAFile) {
  const std::vector<std::string> pieces = {"-D",
                                           "-U",
                                           "--define-macro",
                                           "--ptxas-options",
                                           "-Xptxas",
                                           "--use_fast_math",
                                           "-O3",
                                           "-dlcm=",
                                           "X",
                                           "=",
                                           " ",
                                           ",",
                                           ";",
                                           "\"",
                                           "'",
                                           "\\",
                                           "@",
                                           "ca",
                                           "-o",
                                           "--create-pch=f",
                                           "--time",
                                           "f",
                                           "-std=",
                                           "-w",
                                           "--fdevice-time-trace=f",
                                           "--options-file=f"};
  std::mt19937 random(7);
  int allowed = 0;
  while (allowed < 100) {
    std::string option = pieces[random() % 8];
    for (std::size_t i = random() % 6; i > 0; --i) option += pieces[random() % pieces.size()];
    if (why_refused(option)) continue;
    ++allowed;
    static_cast<void>(reason_with(option));
    EXPECT_TRUE(names_here().empty()) << option;
  }
}

}  // namespace
}  // namespace gtune
