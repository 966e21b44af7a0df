#include <charconv>
#include <cstdlib>
#include <memory>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "jit/compiler_process.hpp"
#include "model/error.hpp"
#include "system/frame.hpp"
#include "worker/gpu_backend.hpp"
#include "worker/host_reference.hpp"
#include "worker/replay_backend.hpp"
#include "worker/server.hpp"

namespace gtune {
namespace {

int device_index(const std::string& text) {
  int index = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error == std::errc() && rest == text.data() + text.size() && index >= 0) return index;
  throw UserError(ExitCode::usage,
                  "--device " + text + ": expected a number (see gtune devices) or replay:FILE");
}

std::unique_ptr<WorkerBackend> make_backend(const std::string& device) {
  constexpr std::string_view prefix = "replay:";
  if (device.starts_with(prefix)) {
    return std::make_unique<ReplayBackend>(read_recordings(device.substr(prefix.size())));
  }
  return std::make_unique<GpuBackend>(device_index(device));
}

}  // namespace

// The tuner starts these.
void add_worker_command(CLI::App& app, CommandContext& context) {
  CLI::App* worker = app.add_subcommand("worker", "Measure what the tuner sends (internal)");
  auto device = context.keep<std::string>("0");
  worker->add_option("--device", *device, "An index, or replay:FILE")
      ->type_name(value_type::devices);
  worker->callback([&context, device] {
    context.action = [device] {
      try {
        return serve([&] { return make_backend(*device); });
      } catch (const FrameError& error) {
        throw UserError(ExitCode::failed, std::string("worker: ") + error.what());
      }
    };
  });
}

void add_host_reference_command(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("host-reference", "Call the host function that a worker sends (internal)");
  command->callback([&context] { context.action = [] { return run_host_reference_process(); }; });
}

void add_compiler_command(CLI::App& app, CommandContext& context) {
  CLI::App* compiler = app.add_subcommand("compiler", "Compile what the tuner sends (internal)");
  compiler->callback([&context] { context.action = [] { return run_compiler_process(); }; });
}

}  // namespace gtune
