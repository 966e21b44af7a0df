#include "tune/restarting_worker.hpp"

#include <algorithm>
#include <thread>

#include "model/error.hpp"
#include "worker/own_allocation.hpp"

namespace gtune {
namespace {

constexpr int start_attempts = 3;
/// A network recovers within seconds or not for a long time. The pauses double; together they take
/// about the grace time of the limits.
constexpr int link_attempts = 5;
constexpr int pauses_per_grace = 16;
/// More than any plausible sequence of bad configurations.
constexpr int most_lost_in_a_row = 25;
constexpr auto lock_poll = std::chrono::milliseconds(500);

}  // namespace

RestartingWorker::RestartingWorker(const WorkerCommand& command, WorkerTerms terms,
                                   OutputTail::LineListener say, RequestListener on_request)
    : m_command(command),
      m_terms(std::move(terms)),
      m_say([name = command.name, say = std::move(say)](const std::string& line) {
        say(name + ": " + line);
      }),
      m_on_request(std::move(on_request)),
      m_connection(m_terms.connect(command, m_terms.limits, m_terms.interrupted, m_say)) {}

template <typename Step>
auto RestartingWorker::persist(Step step) {
  auto wait = m_terms.limits.grace / pauses_per_grace;
  for (int attempt = 1;; ++attempt, wait *= 2) {
    try {
      if (!m_connection->running()) restore();
      return step();
    } catch (const WorkerLost& lost) {
      note_loss(lost.what());
      if (attempt == (m_command.remote ? link_attempts : start_attempts)) {
        throw UserError(ExitCode::failed, "no worker stays up: " + m_last_loss);
      }
    }
    if (m_command.remote) pause(wait);
  }
}

void RestartingWorker::note_loss(const std::string& reason) {
  ++m_lost;
  m_last_loss = reason;
  m_lost_at = std::chrono::steady_clock::now();
}

void RestartingWorker::pause(std::chrono::milliseconds duration) const {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) {
    if (m_terms.interrupted()) throw Interrupted();
    std::this_thread::sleep_for(std::min(duration, std::chrono::milliseconds(50)));
  }
}

Hello RestartingWorker::greeting() const {
  Hello hello;
  hello.kernel = m_terms.kernel;
  hello.remote = m_command.remote;
  if (m_command.remote) hello.silence_ms = static_cast<int>(m_terms.limits.silence.count());
  hello.own_allocation = m_command.remote && makes_own_allocation(m_command.argv.back());
  return hello;
}

/// Whether this tuner's own worker may still hold the GPU: after the loss of a link, it holds the
/// GPU until it assumes that the tuner is gone.
bool RestartingWorker::may_be_our_own() const {
  constexpr auto margin = std::chrono::seconds(10);  // for the process to end
  return m_first && std::chrono::steady_clock::now() - m_lost_at < m_terms.limits.silence + margin;
}

HelloReply RestartingWorker::greet() {
  m_connection->start();
  for (bool told = false;; told = true) {
    HelloReply reply = m_connection->ask(greeting());
    if (reply.held_by.empty()) return reply;
    const std::string line = "the GPU is in use by " + reply.held_by;
    if (m_terms.if_gpu_held == IfHeld::refuse && !may_be_our_own()) {
      throw UserError(ExitCode::failed, line + "; try later, or leave out --no-wait");
    }
    if (!told) m_say(line + "; waiting (--no-wait refuses instead)");
    pause(lock_poll);
  }
}

/// Fails if a launcher has started the worker on another node.
void RestartingWorker::require_the_same(const HelloReply& reply) const {
  const auto hash_of = [](const HelloReply& hello) {
    return hello.recorded_kernel ? hello.recorded_kernel->source_hash : "";
  };
  if (reply.device.uuid == m_first->device.uuid && hash_of(reply) == hash_of(*m_first)) return;
  throw UserError(ExitCode::failed, "it came back with another GPU, " + reply.device.name + " " +
                                        reply.device.uuid + " in place of " + m_first->device.uuid);
}

void RestartingWorker::restore() {
  m_use = ProcessUse::none;
  const HelloReply reply = greet();
  if (!m_first) {
    m_first = reply;
    return;
  }
  require_the_same(reply);
  if (m_prepare) {
    Prepare again = *m_prepare;
    again.measure_limits = false;
    static_cast<void>(m_connection->ask(again));
  }
  if (m_problem) static_cast<void>(m_connection->ask(*m_problem));
  if (m_command.remote && !m_renewed) {
    m_say("the link is open again; it was lost: " + m_last_loss);
  }
  m_renewed = false;
}

void RestartingWorker::renew() {
  m_use = ProcessUse::none;
  if (m_first && m_first->device.replayed) return;  // it would begin its recording anew
  m_connection->end();
  m_renewed = true;
  m_lost_at = std::chrono::steady_clock::now();
}

HelloReply RestartingWorker::connect() {
  return persist([&] {
    HelloReply reply = *m_first;
    m_first->recorded_configs.clear();  // with hundreds of workers, this list takes the most memory
    return reply;
  });
}

void RestartingWorker::bring_up() {
  persist([] { return 0; });
}

PrepareReply RestartingWorker::ask(Prepare request) {
  end_unfit<Prepare>();
  m_prepare.reset();
  m_problem.reset();
  const PrepareReply reply = persist([&] { return timed(request); });
  m_prepare = std::move(request);
  return reply;
}

OpenProblemReply RestartingWorker::ask(OpenProblem request) {
  end_unfit<OpenProblem>();
  m_problem.reset();
  const OpenProblemReply reply = persist([&] { return timed(request); });
  m_problem = std::move(request);
  return reply;
}

MeasureReply RestartingWorker::ask(const Measure& request) {
  if (m_lost_in_a_row >= most_lost_in_a_row) {
    throw UserError(ExitCode::failed, std::to_string(m_lost_in_a_row) +
                                          " workers lost in a row; the last: " + m_last_loss);
  }
  MeasureReply reply = ask_once(request);
  m_lost_in_a_row = reply.worker_lost ? m_lost_in_a_row + 1 : 0;
  return reply;
}

}  // namespace gtune
