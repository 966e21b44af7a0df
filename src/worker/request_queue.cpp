#include "worker/request_queue.hpp"

#include <algorithm>

#include "system/start_thread.hpp"
#include "worker/own_allocation.hpp"

namespace gtune {
namespace {

using std::chrono::milliseconds;

/// How long the request in progress may take after the end of the input, which may be a file.
constexpr milliseconds last_request_limit(500);
/// More than a tuner sends: it waits for each reply.
constexpr std::size_t most_waiting = 4;

/// A local tuner sends no pings: when it ends, the input ends, and with it the worker.
FrameDeadline limit_after(const Frame& hello) {
  const auto silence = hello.header.find("silence_ms");
  const auto given =
      silence == hello.header.end() ? std::nullopt : integer_in<std::int64_t>(*silence);
  if (!given) return {};
  constexpr std::int64_t hour = 3600000;
  const auto ms = std::min(*given, hour);
  return ms > 0 ? FrameDeadline::after_silence(milliseconds(ms)) : FrameDeadline();
}

bool has_own_allocation(const Frame& hello) {
  const auto own = hello.header.find("own_allocation");
  return own != hello.header.end() && own->is_boolean() && own->get<bool>();
}

}  // namespace

RequestQueue::RequestQueue(int input, EndProcess end_process)
    : m_input(input), m_end_process(std::move(end_process)) {
  m_thread = start_thread<std::jthread>([this] { read(); });
}

std::optional<Frame> RequestQueue::next() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return m_ended || !m_waiting.empty(); });
  if (!m_waiting.empty()) {
    Frame request = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_changed.notify_all();
    return request;
  }
  m_told = true;
  m_changed.notify_all();
  if (m_failure) std::rethrow_exception(m_failure);
  return std::nullopt;
}

void RequestQueue::read() {
  FrameDeadline limit = FrameDeadline::after_silence(default_silence);
  bool own_allocation = false;  // until the greeting says otherwise
  try {
    while (auto request = read_frame(m_input, limit)) {
      const std::string kind = kind_of(*request);
      if (kind == "hello") {
        limit = limit_after(*request);
        own_allocation = has_own_allocation(*request);
      }
      if (kind != "ping") push(std::move(*request));
    }
    finish(nullptr);
  } catch (const FrameError& error) {
    if (error.kind() == FrameError::Kind::timeout) {
      const std::string cancelled = own_allocation ? cancel_own_allocation() : "";
      m_end_process("nothing was heard of the tuner for too long; the worker ends" +
                    (cancelled.empty() ? "" : "; " + cancelled));
    }
    finish(std::current_exception());
  } catch (...) {
    finish(std::current_exception());
  }
}

void RequestQueue::push(Frame request) {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return m_waiting.size() < most_waiting; });
  m_waiting.push_back(std::move(request));
  m_changed.notify_all();
}

void RequestQueue::finish(const std::exception_ptr& failure) {
  std::unique_lock lock(m_mutex);
  m_failure = failure;
  m_ended = true;
  m_changed.notify_all();
  if (!m_changed.wait_for(lock, last_request_limit, [this] { return m_told; })) m_end_process("");
}

}  // namespace gtune
