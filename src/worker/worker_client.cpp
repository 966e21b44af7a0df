#include "worker/worker_client.hpp"

#include <poll.h>

#include <algorithm>

#include "model/error.hpp"
#include "model/one_line.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
// A frame that has begun arrives at the pipe's speed; if it takes longer, the worker is broken.
constexpr auto frame_limit = 5s;
constexpr int poll_ms = 100;

// A launcher passes the end of input and SIGTERM on to another machine; a scheduler cancels a job
// within seconds. A local worker may hang in a kernel.
constexpr EndPatience launcher_patience{2s, 5s};
constexpr EndPatience worker_patience{300ms, 100ms};
// How many pings may be late or lost before the worker considers its tuner gone.
constexpr int pings_per_silence = 6;
constexpr std::size_t most_said = 400;   // bytes of the last line on standard error
constexpr std::size_t most_line = 2000;  // bytes of an error's line

/// What a launcher printed before the first frame, in one short line; empty if only whitespace.
std::string shown_banner(const std::string& banner) {
  constexpr std::size_t most = 80;
  std::string_view text = banner;
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return one_line(text, most);
}

/// The end of a message about a worker that never answered.
std::string after_banner(const std::string& banner) {
  const std::string shown = shown_banner(banner);
  return shown.empty() ? "" : "; before that, the command printed '" + shown + "'";
}

}  // namespace

WorkerClient::WorkerClient(std::vector<std::string> command, WorkerLimits limits,
                           std::function<bool()> interrupted)
    : WorkerConnection(limits),
      m_command(std::move(command)),
      m_interrupted(std::move(interrupted)) {}

void WorkerClient::through_launcher(OutputTail::LineListener say) {
  m_say = std::move(say);
  m_stderr_lines = std::make_unique<ShownLines>(m_say);
}

void WorkerClient::start() {
  end();
  m_spoken = false;
  m_remarked = false;
  m_started = Clock::now();
  ChildOptions options;
  if (m_say) {
    options.on_stderr = [this](const std::string& line) { m_stderr_lines->add(line); };
    options.signal_at_parents_end = SIGTERM;  // SIGKILL would leave its worker running
  }
  m_process = std::make_unique<ChildProcess>(m_command, std::move(options));
}

void WorkerClient::end() {
  if (m_process) m_process->end(m_say ? launcher_patience : worker_patience);
  m_process.reset();
}

void WorkerClient::keep_alive() {
  if (!m_process || !m_say) return;
  if (Clock::now() - m_last_sent < m_limits.silence / pings_per_silence) return;
  pollfd ready{m_process->stdin_fd(), POLLOUT, 0};
  if (poll(&ready, 1, 0) <= 0 || (ready.revents & POLLOUT) == 0) return;
  try {
    // A writable pipe takes so few bytes at once, or none of them.
    write_frame(m_process->stdin_fd(), to_frame(Ping{}), Clock::now());
  } catch (const FrameError&) {
    // The next request will fail and report it.
  }
  m_last_sent = Clock::now();
}

Message WorkerClient::exchange(Message request, std::chrono::milliseconds limit,
                               std::string_view reply_kind) {
  if (!m_process) throw WorkerLost(Status::crashed, "the worker is not running");
  try {
    send(to_frame(std::move(request)), limit);
    Frame reply = m_say && !m_spoken ? await_first_reply(limit) : await_reply(limit);
    m_spoken = true;
    if (kind_of(reply) == ErrorReply::kind) {
      const auto error = from_frame<ErrorReply>(std::move(reply));
      throw UserError(failure_code(error.exit_code), one_line(error.line, most_line));
    }
    return message_from(std::move(reply), reply_kind);
  } catch (const FrameError& error) {
    give_up(error.kind() == FrameError::Kind::timeout ? Status::timeout : Status::crashed,
            error.what());
  }
}

std::string WorkerClient::last_words() const {
  return one_line(m_process->last_stderr_line(), most_said);
}

void WorkerClient::send(const Frame& frame, std::chrono::milliseconds limit) {
  try {
    // A cubin is larger than the pipe's buffer, so a write to a hung worker would block.
    write_frame(m_process->stdin_fd(), frame, Clock::now() + limit);
    m_last_sent = Clock::now();
  } catch (const FrameError& error) {
    // A worker that stopped reading may have said why: its reply is still in the other pipe.
    if (error.kind() != FrameError::Kind::closed) throw;
  }
}

Frame WorkerClient::await_reply(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  pollfd ready{m_process->stdout_fd(), POLLIN, 0};
  while (poll(&ready, 1, poll_ms) <= 0) {
    if (m_interrupted()) throw Interrupted();
    if (Clock::now() > deadline) give_up_silent(limit);
    keep_alive();
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
      give_up(Status::crashed, "the worker died" + after_banner(banner));
    } catch (const FrameError& error) {
      if (error.kind() != FrameError::Kind::timeout) throw;
    }
    if (m_interrupted()) throw Interrupted();
    keep_alive();
    remark_on_silence(limit);
    if (Clock::now() > deadline) {
      give_up(Status::timeout, "no worker answered" + after_banner(banner));
    }
  }
  Frame frame = read_frame_after(m_process->stdout_fd(), Clock::now() + frame_limit, banner);
  if (const std::string shown = shown_banner(banner); !shown.empty()) {
    m_say("skipped output of the command: '" + shown + "'");
  }
  return frame;
}

void WorkerClient::give_up_silent(std::chrono::milliseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
  give_up(Status::timeout, "the worker gave no answer for " + std::to_string(seconds) + " s");
}

void WorkerClient::remark_on_silence(std::chrono::milliseconds limit) {
  const auto waited = Clock::now() - m_started;
  if (m_remarked || waited < m_limits.patience) return;
  m_remarked = true;
  const auto seconds = [](auto duration) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) +
           " s";
  };
  m_say("no worker has answered for " + seconds(waited) +
        ": is the command waiting for an allocation, a password or a host? Waiting for " +
        seconds(limit) + " in all (Ctrl-C ends)");
}

void WorkerClient::give_up(Status status, const std::string& reason) {
  std::string said = m_process->last_stderr_line();
  std::string how;
  if (m_say) {
    how = m_process->end(launcher_patience);
    if (said.empty()) said = m_process->last_stderr_line();  // a launcher's output comes late
  } else {
    m_process->kill();
    how = m_process->wait();
  }
  std::string line = reason + " (" + how + ")";
  if (!said.empty()) line += "; it said: " + one_line(said, most_said);
  m_process.reset();
  throw WorkerLost(status, line);
}

std::unique_ptr<WorkerConnection> connect_to_process(const WorkerCommand& command,
                                                     const WorkerLimits& limits,
                                                     std::function<bool()> interrupted,
                                                     OutputTail::LineListener say) {
  auto client = std::make_unique<WorkerClient>(command.argv, limits, std::move(interrupted));
  if (command.remote) client->through_launcher(std::move(say));
  return client;
}

}  // namespace gtune
