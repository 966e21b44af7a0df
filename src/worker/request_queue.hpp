#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "worker/messages.hpp"

namespace gtune {

/// The requests on a worker's input. A separate thread reads them: it notices the tuner's end or
/// silence even while a kernel runs or hangs, and frees the GPU.
class RequestQueue {
 public:
  /// Ends the process. `why` is empty if the input ended while a request was being served.
  using EndProcess = std::function<void(const std::string& why)>;

  /// `end_process` is called by the thread; it may return only in tests. Throws UserError if no
  /// thread can be started.
  RequestQueue(int input, EndProcess end_process);
  /// Waits for the input's end.
  ~RequestQueue() = default;
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;

  /// Waits for the next request; absent at the end of the input. Rethrows an error in reading.
  [[nodiscard]] std::optional<Frame> next();

 private:
  void read();
  void push(Frame request);
  void finish(const std::exception_ptr& failure);

  int m_input;
  EndProcess m_end_process;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Frame> m_waiting;
  std::exception_ptr m_failure;
  bool m_ended = false;  // no more requests come
  bool m_told = false;   // next() has reported that
  std::jthread m_thread;
};

}  // namespace gtune
