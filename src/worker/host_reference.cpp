#include "worker/host_reference.hpp"

#include <algorithm>
#include <span>

#include "model/error.hpp"
#include "model/one_line.hpp"
#include "system/child_process.hpp"
#include "worker/host_call_frames.hpp"

namespace gtune {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw UserError(ExitCode::failed, one_line("the reference on the host " + why));
}

/// Copies the reply's buffers, one after another, to the written arguments.
void take_results(const Frame& reply, std::vector<HostArgument>& arguments) {
  const std::string reason = reply.header.value("reason", "");
  if (!reason.empty()) fail(reason);
  std::span<const std::byte> rest = reply.blob;
  for (HostArgument& argument : arguments) {
    if (!argument.is_written) continue;
    if (rest.size() < argument.bytes.size()) fail("answered too little");
    std::copy_n(rest.begin(), argument.bytes.size(), argument.bytes.begin());
    rest = rest.subspan(argument.bytes.size());
  }
}

}  // namespace

void call_on_host(const std::vector<std::string>& command, std::vector<std::byte> shared_object,
                  std::vector<HostArgument>& arguments, std::chrono::milliseconds limit) {
  ChildProcess process(command);
  const auto until = std::chrono::steady_clock::now() + limit;
  const auto end_of = [&] {
    process.kill();
    const std::string end = process.wait();
    const std::string said = process.last_stderr_line();
    return end + (said.empty() ? "" : ": " + said);
  };
  try {
    write_frame(process.stdin_fd(), to_frame(HostCall{std::move(shared_object), arguments}), until);
    const auto reply = read_frame(process.stdout_fd(), until);
    if (!reply) fail("ended without a result (" + end_of() + ")");
    take_results(*reply, arguments);
  } catch (const FrameError& error) {
    if (error.kind() == FrameError::Kind::timeout) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
      fail("took more than " + std::to_string(seconds) + " s");
    }
    fail(std::string("failed: ") + error.what() + " (" + end_of() + ")");
  } catch (const nlohmann::json::exception&) {
    fail("answered nonsense");
  }
}

}  // namespace gtune
