#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "jit/compile.hpp"
#include "jit/compile_frames.hpp"
#include "made_up_gpu.hpp"
#include "spec/device_table.hpp"
#include "system/take_stdout.hpp"
#include "worker/server.hpp"

namespace gtune::test {

HelloReply MadeUpGpu::answer(const Hello& request) {
  static_cast<void>(request);
  HelloReply reply;
  reply.device = typical_device("sm_90");
  reply.device.uuid = "GPU-made-up";
  reply.device.driver_version = "580.159";
  reply.device.runtime_version = "13.0";
  return reply;
}

PrepareReply MadeUpGpu::answer(const Prepare& request) {
  static_cast<void>(request);
  return {{.fma_tflops = 60, .dram_gbps = 4000}};
}

OpenProblemReply MadeUpGpu::answer(const OpenProblem& request) {
  if (const char* file = std::getenv("GTUNE_TEST_OPENED")) {
    std::ofstream(file) << to_frame(request).header;
  }
  return {};
}

MeasureReply MadeUpGpu::answer(const Measure& request) {
  MeasureReply reply;
  reply.gpu_ms = 5;
  const char* status = std::getenv("GTUNE_TEST_STATUS");
  if (status != nullptr) {
    reply.status = status_from_string(status);
    reply.reason = "made up";
    return reply;
  }
  reply.max_error = 0;
  if (!request.time) return reply;
  Timing timing;
  timing.samples_ms.assign(10, 1.0);
  timing.median_ms = timing.min_ms = timing.p95_ms = timing.mean_ms = 1;
  timing.ci_low_ms = timing.ci_high_ms = 1;
  timing.mode = request.mode;
  timing.converged = true;
  reply.timing = timing;
  return reply;
}

ProfileReply MadeUpGpu::answer(const Profile& request) {
  static_cast<void>(request);
  ProfileReply reply;
  reply.unavailable = true;
  reply.reason = "made up";
  return reply;
}

MeasureEnergyReply MadeUpGpu::answer(const MeasureEnergy& request) {
  static_cast<void>(request);
  MeasureEnergyReply reply;
  reply.unavailable = true;
  reply.reason = "made up";
  return reply;
}

SampleLinesReply MadeUpGpu::answer(const SampleLines& request) {
  static_cast<void>(request);
  SampleLinesReply reply;
  reply.unavailable = true;
  reply.reason = "made up";
  return reply;
}

namespace {

std::chrono::milliseconds pause_before(const std::string& entry) {
  const char* slow = std::getenv("GTUNE_TEST_SLOW");
  const std::string text = slow == nullptr ? "" : slow;
  const std::size_t equals = text.find('=');
  if (equals == text.npos || !entry.starts_with(text.substr(0, equals))) return {};
  return std::chrono::milliseconds(std::stoi(text.substr(equals + 1)));
}

}  // namespace

int run_slow_compiler() {
  const int out = take_stdout();
  const NvrtcLibrary nvrtc;
  while (const auto request = read_frame(STDIN_FILENO, std::nullopt)) {
    const CompileRequest kernel = compile_request_from(*request);
    std::this_thread::sleep_for(pause_before(kernel.entries.front()));
    write_frame(out, to_frame(compile(nvrtc, kernel)));
  }
  return 0;
}

}  // namespace gtune::test

// The test program is also its own worker and its own compiler process.
int main(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role == "made_up_gpu") {
    return gtune::serve([] { return std::make_unique<gtune::test::MadeUpGpu>(); });
  }
  if (role == "compiler") return gtune::test::run_slow_compiler();
  std::signal(SIGPIPE, SIG_IGN);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
