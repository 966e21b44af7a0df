#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "system/child_process.hpp"
#include "system/frame.hpp"
#include "system/scratch_folder.hpp"

namespace gtune {

/// The tuner's end of one compiler process, which starts on first use and again after a loss.
class CompilerClient {
 public:
  CompilerClient(std::vector<std::string> command, std::chrono::milliseconds limit)
      : m_command(std::move(command)), m_limit(limit) {}

  /// If the compiler crashes, hangs or answers garbage, the result is not ok and gives the reason.
  /// `lost` distinguishes that from a mistake in the source.
  [[nodiscard]] CompileResult compile(const CompileRequest& request, bool& lost);
  /// Ends a running compile and makes later ones fail at once. Called from another thread.
  void interrupt();

 private:
  [[nodiscard]] ChildProcess& running_process();
  /// Sends to the running process, or to a new one if it has died.
  [[nodiscard]] ChildProcess& send(const Frame& request);
  /// Adds a folder for temporary files if the compiler needs one.
  [[nodiscard]] static Frame frame_of(const CompileRequest& request,
                                      std::optional<ScratchFolder>& scratch);
  [[nodiscard]] CompileResult give_up(const std::string& reason);

  std::vector<std::string> m_command;
  std::chrono::milliseconds m_limit;
  std::mutex m_mutex;  // guards the flag, and the start and end of the process
  bool m_interrupted = false;
  std::unique_ptr<ChildProcess> m_process;
};

}  // namespace gtune
