#include "tune/worker_pool.hpp"

#include <algorithm>
#include <stdexcept>

#include "system/open_file_limit.hpp"

namespace gtune {
namespace {

/// Whether the error is the user's mistake, which would fail on every device.
bool is_the_users(const UserError& error) {
  return error.code() == ExitCode::usage || error.code() == ExitCode::nothing_stored;
}

}  // namespace

WorkerPool::WorkerPool(const std::vector<WorkerCommand>& commands, const WorkerTerms& terms,
                       RunObserver& observer, Wakeup& wakeup, Trace* trace)
    : m_observer(observer), m_wakeup(wakeup), m_trace(trace), m_busy_s(commands.size()) {
  raise_open_file_limit();
  for (const WorkerCommand& command : commands) {
    auto lane = std::make_unique<WorkerLane>(
        command, terms, [this](const std::string& line) { say(line); },
        [this, worker = m_members.size()](const WorkerRequest& request) {
          note_request(worker, request);
        });
    m_members.push_back({command, {}, {}, std::move(lane), 0, {}, false});
  }
}

WorkerPool::~WorkerPool() {
  // Ended in parallel, and before the queue that their jobs write to is destroyed.
  for (const Member& member : m_members) {
    if (member.lane) member.lane->begin_end();
  }
  for (Member& member : m_members) member.lane.reset();
  m_leaving.clear();
}

void WorkerPool::note_request(std::size_t worker, const WorkerRequest& request) {
  {
    const std::scoped_lock lock(m_mutex);
    m_busy_s[worker] += std::chrono::duration<double>(request.end - request.begin).count();
  }
  if (m_trace == nullptr) return;
  const std::string& lane = m_members[worker].command.name;
  m_trace->add({lane, std::string(request.kind), request.begin, request.end, request.detail});
  if (request.check_ms <= 0) return;
  const auto checked =
      request.begin + std::chrono::microseconds(static_cast<std::int64_t>(request.check_ms * 1000));
  m_trace->add({lane, "check", request.begin, checked, request.detail});
  m_trace->add({lane, "time", checked, request.end, request.detail});
}

WorkerPool::Usage WorkerPool::usage() const {
  const std::scoped_lock lock(m_mutex);
  return {Trace::Clock::now(), m_busy_s};
}

double WorkerPool::busy_share(const Usage& before) const {
  const Usage now = usage();
  double busy = 0;
  double wall = 0;
  for (std::size_t i = 0; i < m_members.size(); ++i) {
    const auto end = m_members[i].lane ? now.since : m_members[i].gone;
    if (end <= before.since) continue;
    busy += now.busy_s[i] - before.busy_s[i];
    wall += std::chrono::duration<double>(end - before.since).count();
  }
  return wall > 0 ? busy / wall : 0;
}

void WorkerPool::say(const std::string& line) {
  {
    const std::scoped_lock lock(m_mutex);
    m_said.push_back(line);
  }
  m_wakeup.ring();
}

void WorkerPool::tell() {
  std::vector<std::string> said;
  {
    const std::scoped_lock lock(m_mutex);
    said.swap(m_said);
  }
  for (const std::string& line : said) m_observer.on_note(line);
}

std::size_t WorkerPool::left() const {
  return static_cast<std::size_t>(std::count_if(m_members.begin(), m_members.end(),
                                                [](const Member& m) { return m.lane != nullptr; }));
}

const DeviceFacts& WorkerPool::device_of(DeviceId id) const {
  const auto found = std::find_if(m_members.begin(), m_members.end(),
                                  [&](const Member& member) { return member.device_id == id; });
  if (found == m_members.end()) throw std::out_of_range("no worker is on this device");
  return found->device;
}

int WorkerPool::workers_lost() const {
  int lost = 0;
  for (const Member& member : m_members) {
    lost += member.lane ? member.lane->workers_lost() : member.lost;
  }
  return lost;
}

void WorkerPool::wait_for_all(std::vector<std::pair<std::size_t, std::future<void>>>& calls) {
  for (auto& call : calls) wait_for(call.second);
  for (auto& [worker, call] : calls) {
    try {
      call.get();
    } catch (const UserError&) {
      drop(worker, std::current_exception());
    }
  }
}

void WorkerPool::drop(std::size_t worker, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const UserError& error) {
    if (left() == 1 || is_the_users(error)) throw;
    Member& member = m_members[worker];
    tell();
    member.lost = member.lane->workers_lost();
    member.lane->begin_end();  // the end may take seconds; the others continue
    m_leaving.push_back(std::move(member.lane));
    member.gone = Trace::Clock::now();
    while (!m_members[m_lead].lane) m_lead = (m_lead + 1) % m_members.size();
    m_observer.on_note(member.command.name + " drops out, " + std::to_string(left()) +
                       (left() == 1 ? " worker continues: " : " workers continue: ") +
                       error.what());
  }
}

std::uint64_t WorkerPool::submit(std::size_t worker, Measure request) {
  const std::uint64_t ticket = ++m_last_ticket;
  m_members[worker].lane->post(
      [this, worker, ticket, request = std::move(request)](RestartingWorker& restarting) {
        Outcome outcome{worker, ticket, std::nullopt, nullptr};
        try {
          outcome.reply = restarting.ask(request);
        } catch (...) {
          outcome.failure = std::current_exception();
        }
        finish(std::move(outcome));
      });
  return ticket;
}

void WorkerPool::forget_waiting() {
  for (const Member& member : m_members) {
    if (member.lane) member.lane->forget_waiting();
  }
}

void WorkerPool::finish(Outcome outcome) {
  {
    const std::scoped_lock lock(m_mutex);
    m_outcomes.push_back(std::move(outcome));
  }
  m_wakeup.ring();
}

std::optional<WorkerPool::Outcome> WorkerPool::next_outcome() {
  tell();
  const std::scoped_lock lock(m_mutex);
  if (m_outcomes.empty()) return std::nullopt;
  Outcome first = std::move(m_outcomes.front());
  m_outcomes.pop_front();
  return first;
}

}  // namespace gtune
