#include "cli/app.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>

#include "cli/command_line.hpp"
#include "cli/complaint.hpp"
#include "cli/log.hpp"
#include "cli/output.hpp"
#include "cli/standard_streams.hpp"
#include "model/one_line.hpp"
#include "system/data_folders.hpp"

namespace gtune {
namespace {

int parse_and_run(int argc, char** argv) {
  open_closed_standard_streams();
  KernelFinder kernels(data_folders());
  const ParsedCommand command =
      parse_command_line({argv + std::min(argc, 1), argv + argc}, kernels);
  const int code = command.action();
  flush_out();
  return code;
}

}  // namespace

int run_app(int argc, char** argv) {
  // A closed pipe or a full disk is an error to handle, not a reason to die.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    set_up_log(false);
    return parse_and_run(argc, argv);
  } catch (const OutputClosed&) {
    constexpr int ended_by_sigpipe = 128 + SIGPIPE;  // as a shell reports it
    return ended_by_sigpipe;
  } catch (...) {
    const Complaint complaint = complaint_about(std::current_exception());
    // Quoted text may have line breaks or control characters, which one_line() replaces.
    spdlog::error("gtune: {}", one_line(complaint.line));
    return static_cast<int>(complaint.code);
  }
}

}  // namespace gtune
