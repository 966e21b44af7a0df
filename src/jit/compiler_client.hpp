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

/// The tuner's end of one compiler process, started when first needed and again after a loss.
class CompilerClient {
 public:
  CompilerClient(std::vector<std::string> command, std::chrono::milliseconds limit)
      : m_command(std::move(command)), m_limit(limit) {}

  /// A compiler that crashes, hangs or answers garbage is a result that is not ok, and says so;
  /// `lost` tells it from a mistake in the source.
  [[nodiscard]] CompileResult compile(const CompileRequest& request, bool& lost);
  /// From another thread: ends a compile that is under way, and every later one at once.
  void interrupt();

 private:
  [[nodiscard]] ChildProcess& running_process();
  /// Sends to the running process, or to a new one if that died in the meantime.
  [[nodiscard]] ChildProcess& send(const Frame& request);
  /// nvcc gets a folder for its files.
  [[nodiscard]] static Frame frame_of(const CompileRequest& request,
                                      std::optional<ScratchFolder>& scratch);
  [[nodiscard]] CompileResult give_up(const std::string& reason);

  std::vector<std::string> m_command;
  std::chrono::milliseconds m_limit;
  std::mutex m_mutex;  // of the process's start and end, and the flag
  bool m_interrupted = false;
  std::unique_ptr<ChildProcess> m_process;
};

}  // namespace gtune
