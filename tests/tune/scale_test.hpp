#pragma once

#include <gtest/gtest.h>

#include <string>

#include "spec/spec_reader.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"
#include "tune/kernel_session.hpp"

namespace gtune::test {

/// Ignores all events.
class SilentObserver : public RunObserver {
 public:
  void on_progress(const Progress&) override {}
  void on_measurement(const Measurement&) override {}
  void on_note(const std::string&) override {}
};

/// A kernel that NVRTC compiles for a made-up GPU (see made_up_gpu.hpp).
class ScaleTest : public testing::Test {
 protected:
  ScaleTest() {
    folder.write("scale.cu",
                 "template <int BLOCK> __global__ void scale(float* x, int n) {}\n"
                 "__global__ void naive(float* x, int n) {}\n");
  }

  /// `reference` is the reference of [check].
  [[nodiscard]] KernelSpec spec(const std::string& reference) const {
    return read_spec(folder.write("scale.toml", R"toml([kernel]
source = "scale.cu"
entry = "scale<BLOCK>"
[problem]
n = 1024
[params]
BLOCK = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512]
[launch]
grid = ["ceil_div(n, BLOCK)"]
block = ["BLOCK"]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "inout"
[[args]]
name = "n"
type = "i32"
value = "n"
[check]
rtol = 0.0
reference = { )toml" + reference + " }\n"),
                     {});
  }

  [[nodiscard]] SessionOptions session_options() const {
    SessionOptions options;
    options.workers = {{"made-up GPU", {"/proc/self/exe", "made_up_gpu"}, true}};
    options.compiler_program = "/proc/self/exe";
    options.database = folder.path() / "results.db";
    return options;
  }

  TemporaryFolder folder;
  EnvironmentVariable no_cache{"GTUNE_CACHE", "off"};
};

}  // namespace gtune::test
