#include "jit/compiler_client.hpp"

#include "jit/compile_frames.hpp"
#include "model/error.hpp"
#include "system/scratch_folder.hpp"

namespace gtune {
namespace {

/// The compiler process catches this signal to end the programs that it has started.
const ChildOptions at_tuners_end = {.on_stderr = {}, .signal_at_parents_end = SIGTERM};

}  // namespace

ChildProcess& CompilerClient::running_process() {
  const std::scoped_lock lock(m_mutex);
  if (m_interrupted) throw FrameError(FrameError::Kind::closed, "interrupted");
  if (!m_process) m_process = std::make_unique<ChildProcess>(m_command, at_tuners_end);
  return *m_process;
}

ChildProcess& CompilerClient::send(const Frame& request) {
  ChildProcess& process = running_process();
  const auto limit = std::chrono::steady_clock::now() + m_limit;
  try {
    write_frame(process.stdin_fd(), request, limit);
    return process;
  } catch (const FrameError& error) {
    if (error.kind() != FrameError::Kind::closed) throw;
  }
  // It died while idle, perhaps out of memory, so this request is not the cause.
  {
    const std::scoped_lock lock(m_mutex);
    m_process.reset();
  }
  ChildProcess& fresh = running_process();
  write_frame(fresh.stdin_fd(), request, limit);
  return fresh;
}

void CompilerClient::interrupt() {
  const std::scoped_lock lock(m_mutex);
  m_interrupted = true;
  if (m_process) m_process->kill();
}

CompileResult CompilerClient::compile(const CompileRequest& request, bool& lost) {
  lost = true;
  // Outside `try`: the folder must outlive the programs that write to it.
  std::optional<ScratchFolder> scratch;
  try {
    ChildProcess& process = send(frame_of(request, scratch));
    auto reply = read_frame(process.stdout_fd(), std::chrono::steady_clock::now() + m_limit);
    if (!reply) return give_up("the compiler died");
    CompileResult result = compile_result_from(std::move(*reply));
    if (!result.fits(request)) return give_up("the compiler lost a kernel");
    lost = false;
    return result;
  } catch (const FrameError& error) {
    if (error.kind() == FrameError::Kind::timeout) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_limit).count();
      CompileResult result =
          give_up("the compiler took more than " + std::to_string(seconds) + " s");
      result.timed_out = true;
      return result;
    }
    return give_up(std::string("the compiler failed: ") + error.what());
  } catch (const UserError& error) {
    return give_up(error.what());
  }
}

Frame CompilerClient::frame_of(const CompileRequest& request,
                               std::optional<ScratchFolder>& scratch) {
  const bool is_nvrtc = request.nvcc.empty() && request.host_compiler.empty();
  if (is_nvrtc && request.header_lines == 0) return to_frame(request);
  CompileRequest with_folder = request;
  try {
    with_folder.scratch = scratch.emplace().path().string();
  } catch (const UserError&) {
    if (!is_nvrtc) throw;
  }
  return to_frame(with_folder);
}

CompileResult CompilerClient::give_up(const std::string& reason) {
  const std::scoped_lock lock(m_mutex);
  CompileResult result;
  result.reason = reason;
  if (m_process) {
    m_process->kill();
    result.reason += " (" + m_process->wait() + ")";
    const std::string said = m_process->last_stderr_line();
    if (!said.empty()) result.reason += ": " + said;
    m_process.reset();
  }
  return result;
}

}  // namespace gtune
