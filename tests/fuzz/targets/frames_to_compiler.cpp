// Frames to a compiler process, and the tuner's checks of its replies and its log.

#include "../frames.hpp"
#include "../mutate.hpp"
#include "../target.hpp"
#include "jit/compile_frames.hpp"
#include "jit/occupancy.hpp"
#include "jit/ptxas_log.hpp"
#include "jit/step_resources.hpp"
#include "spec/device_table.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::string_view ptxas_log =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'toy' for 'sm_90'\n"
    "ptxas info    : Function properties for toy\n"
    "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Used 16 registers, used 1 barriers, 1024 bytes smem, 352 bytes cmem[0]\n";

class FramesToCompilerTarget : public Target {
 public:
  std::vector<std::string> seeds() override {
    CompileRequest request;
    request.source = ptxas_log;
    request.source_name = "toy.cu";
    request.entries = {"toy<1,2>", "other"};
    request.options = {"-arch=sm_90"};
    CompileResult result;
    result.ok = true;
    result.kernels = {{"toy<1,2>", "toy", {}, std::vector<KernelParameter>{{8, 8, false, false}}},
                      {"other", "other", {}}};
    result.kernels.front().resources.registers = 16;
    result.kernels.front().resources.static_shared_bytes = 1024;
    result.cubin.resize(64);
    CompileResult failed;
    failed.reason = "toy.cu(3): error: expected a ;";
    failed.detail = CompileDetail{"toy.cu(3): error: expected a ;\n"};
    result.detail = CompileDetail{""};
    return {stream_of(to_frame(request), to_frame(request)),
            stream_of(to_frame(result), to_frame(failed))};
  }

  void run(const std::string& input) override {
    const FrameStream stream(input);
    try {
      while (const auto frame = read_frame(stream.fd(), std::nullopt)) {
        read_request(*frame);
        read_result(*frame);
      }
    } catch (const FrameError& error) {
      check_message(error.what());
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_frames(input, other, random);
  }

 private:
  static void read_request(const Frame& frame) {
    try {
      const CompileRequest request = compile_request_from(frame);
      (void)parse_ptxas_log(request.source, "toy");
      const CompileRequest again = compile_request_from(to_frame(request));
      require(again.entries == request.entries, "a request that changes on its way");
    } catch (const FrameError& error) {
      check_message(error.what());
    }
  }

  void read_result(const Frame& frame) const {
    try {
      const CompileResult result = compile_result_from(frame);
      const LaunchPlan launch{{1, 1, 1}, {128, 1, 1}, 0};
      for (const CompiledKernel& kernel : result.kernels) {
        (void)with_occupancy(kernel.resources, launch, m_device);
        (void)why_entry_cannot_launch(result, kernel.entry, launch, m_device);
      }
    } catch (const FrameError& error) {
      check_message(error.what());
    }
  }

  DeviceFacts m_device = typical_device("sm_90");
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<FramesToCompilerTarget>(); }

}  // namespace gtune::fuzz
