#include "tune/worker_session.hpp"

#include "model/error.hpp"

namespace gtune {
namespace {

constexpr int start_attempts = 3;
/// More than any plausible run of bad configurations asked for one after the other.
constexpr int most_lost_in_a_row = 25;

}  // namespace

template <typename Step>
auto WorkerSession::persist(Step step) {
  for (int attempt = 1;; ++attempt) {
    try {
      if (!m_client.running()) restore();
      return step();
    } catch (const WorkerLost& lost) {
      ++m_lost;
      if (attempt == start_attempts) {
        throw UserError(ExitCode::failed, "no worker stays up: " + std::string(lost.what()));
      }
    }
  }
}

void WorkerSession::restore() {
  m_client.start();
  static_cast<void>(m_client.hello());
  if (m_prepare) {
    Prepare again = *m_prepare;
    again.measure_limits = false;
    static_cast<void>(m_client.prepare(again));
  }
  if (m_problem) static_cast<void>(m_client.open_problem(*m_problem));
}

HelloReply WorkerSession::connect() {
  return persist([&] {
    m_client.start();
    HelloReply reply = m_client.hello();
    if (reply.protocol != protocol_version) {
      throw UserError(ExitCode::failed, "the worker speaks protocol " +
                                            std::to_string(reply.protocol) + ", this gtune " +
                                            std::to_string(protocol_version));
    }
    return reply;
  });
}

PrepareReply WorkerSession::prepare(Prepare request) {
  m_prepare.reset();
  m_problem.reset();
  const PrepareReply reply = persist([&] { return m_client.prepare(request); });
  m_prepare = std::move(request);
  return reply;
}

void WorkerSession::open_problem(OpenProblem request) {
  m_problem.reset();
  persist([&] { return m_client.open_problem(request); });
  m_problem = std::move(request);
}

MeasureReply WorkerSession::measure(const Measure& request) {
  if (m_lost_in_a_row >= most_lost_in_a_row) {
    throw UserError(ExitCode::failed, std::to_string(m_lost_in_a_row) +
                                          " workers lost in a row; the last: " + m_last_loss);
  }
  persist([] { return 0; });  // a lost worker is replaced first: not this configuration's fault
  MeasureReply reply;
  try {
    reply = m_client.measure(request);
  } catch (const WorkerLost& lost) {
    reply.status = lost.status();
    reply.reason = lost.what();
    reply.worker_lost = true;
  }
  m_lost += reply.worker_lost ? 1 : 0;
  m_lost_in_a_row = reply.worker_lost ? m_lost_in_a_row + 1 : 0;
  if (reply.worker_lost) m_last_loss = reply.reason;
  return reply;
}

ProfileReply WorkerSession::profile(const Profile& request) {
  persist([] { return 0; });
  ProfileReply reply;
  try {
    reply = m_client.profile(request);
  } catch (const WorkerLost& lost) {
    reply.reason = lost.what();
    reply.worker_lost = true;
  }
  m_lost += reply.worker_lost ? 1 : 0;
  return reply;
}

}  // namespace gtune
