#include "worker/worker_client.hpp"

#include <poll.h>

#include "model/error.hpp"
#include "worker/possible_reply.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A frame that has begun comes at the pipe's speed: a longer silence is a broken worker.
constexpr auto frame_limit = 5s;
constexpr int poll_ms = 100;

/// For a message, as one line.
std::string quoted_banner(std::string banner) {
  constexpr std::size_t most = 80;
  while (!banner.empty() && banner.back() < ' ') banner.pop_back();
  if (banner.empty()) return "";
  const bool cut = banner.size() > most;
  banner.resize(std::min(banner.size(), most));
  for (char& c : banner) {
    if (c < ' ' || c > '~') c = ' ';
  }
  return ", before it spoke: '" + banner + (cut ? "...'" : "'");
}

}  // namespace

WorkerClient::WorkerClient(std::vector<std::string> command, WorkerLimits limits,
                           std::function<bool()> interrupted)
    : m_command(std::move(command)), m_limits(limits), m_interrupted(std::move(interrupted)) {}

std::chrono::milliseconds WorkerClient::measure_limit(const Measure& request) const {
  // Check, warm-up and a second check, each a launch, and the sampling between them.
  const double launches = request.time_limit_ms * 4;
  const double samples = request.time ? request.sampling.max_seconds * 4000 : 0;
  return std::chrono::milliseconds(static_cast<std::int64_t>(launches + samples)) + m_limits.grace;
}

void WorkerClient::start() {
  m_process.reset();
  m_spoken = false;
  m_process = std::make_unique<ChildProcess>(m_command, m_say);
}

HelloReply WorkerClient::hello(const Hello& request) {
  return exchange<HelloReply>(request, m_limits.start);
}

PrepareReply WorkerClient::prepare(const Prepare& request) {
  const PrepareReply reply = exchange<PrepareReply>(request, m_limits.start);
  require_possible(reply);
  return reply;
}

OpenProblemReply WorkerClient::open_problem(const OpenProblem& request) {
  return exchange<OpenProblemReply>(request, m_limits.open_problem);
}

MeasureReply WorkerClient::measure(const Measure& request) {
  MeasureReply reply =
      possible_reply(request, exchange<MeasureReply>(request, measure_limit(request)));
  if (reply.worker_lost) {
    const std::string said = m_process->last_stderr_line();
    if (reply.status == Status::crashed && !said.empty()) reply.reason += "; it said: " + said;
    m_process.reset();
  }
  return reply;
}

ProfileReply WorkerClient::profile(const Profile& request) {
  ProfileReply reply = possible_reply(request, exchange<ProfileReply>(request, m_limits.profile));
  if (reply.worker_lost) m_process.reset();
  return reply;
}

template <typename Reply, typename Request>
Reply WorkerClient::exchange(const Request& request, std::chrono::milliseconds limit) {
  if (!m_process) throw WorkerLost(Status::crashed, "the worker is not running");
  try {
    send(to_frame(request), limit);
    Frame reply = m_say && !m_spoken ? await_first_reply(limit) : await_reply(limit);
    m_spoken = true;
    if (kind_of(reply) == "error") {
      const auto error = from_frame<ErrorReply>(std::move(reply));
      throw UserError(static_cast<ExitCode>(error.exit_code), error.line);
    }
    return from_frame<Reply>(std::move(reply));
  } catch (const FrameError& error) {
    give_up(error.kind() == FrameError::Kind::timeout ? Status::timeout : Status::crashed,
            error.what());
  }
}

void WorkerClient::send(const Frame& frame, std::chrono::milliseconds limit) {
  try {
    // A cubin is larger than a pipe: a worker that hangs would not take all of it.
    write_frame(m_process->stdin_fd(), frame, Clock::now() + limit);
  } catch (const FrameError& error) {
    // Who stopped reading may have said why: that still lies in the other pipe.
    if (error.kind() != FrameError::Kind::closed) throw;
  }
}

Frame WorkerClient::await_reply(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  pollfd ready{m_process->stdout_fd(), POLLIN, 0};
  while (poll(&ready, 1, poll_ms) <= 0) {
    if (m_interrupted()) throw Interrupted();
    if (Clock::now() > deadline) give_up_silent(limit);
  }
  auto frame = read_frame(m_process->stdout_fd(), Clock::now() + frame_limit);
  if (!frame) give_up(Status::crashed, "the worker died");
  return std::move(*frame);
}

Frame WorkerClient::await_first_reply(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  std::string banner;
  for (;;) {
    try {
      const auto soon = Clock::now() + std::chrono::milliseconds(poll_ms);
      if (skip_to_frame(m_process->stdout_fd(), soon, banner)) break;
      give_up(Status::crashed, "the worker died" + quoted_banner(banner));
    } catch (const FrameError& error) {
      if (error.kind() != FrameError::Kind::timeout) throw;
    }
    if (m_interrupted()) throw Interrupted();
    if (Clock::now() > deadline) {
      give_up(Status::timeout, "no worker answered" + quoted_banner(banner));
    }
  }
  Frame frame = read_frame_after(m_process->stdout_fd(), Clock::now() + frame_limit, banner);
  if (!banner.empty()) m_say("read over" + quoted_banner(banner).substr(1));
  return frame;
}

void WorkerClient::give_up_silent(std::chrono::milliseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
  give_up(Status::timeout, "the worker gave no answer for " + std::to_string(seconds) + " s");
}

void WorkerClient::give_up(Status status, const std::string& reason) {
  const std::string said = m_process->last_stderr_line();
  m_process->kill();
  std::string line = reason + " (" + m_process->wait() + ")";
  if (!said.empty()) line += "; it said: " + said;
  m_process.reset();
  throw WorkerLost(status, line);
}

}  // namespace gtune
