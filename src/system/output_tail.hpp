#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "system/file_descriptor.hpp"

namespace gtune {

/// Reads a pipe continuously, so that its writer never blocks, and keeps the end of the text.
class OutputTail {
 public:
  using LineListener = std::function<void(const std::string& line)>;

  /// `pipe`: the reading end. `on_line` may be empty; it is called in another thread or in text(),
  /// in the order of the lines, and may itself call text(), which then tells no lines.
  /// Throws UserError if the system is out of threads or file descriptors.
  explicit OutputTail(FileDescriptor pipe, LineListener on_line = {});
  ~OutputTail();
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  /// The last 4 KiB of everything written up to now. All of its complete lines have been told when
  /// it returns, unless a listener asks.
  [[nodiscard]] std::string text();

 private:
  void run();
  /// Reads what has arrived, at most a full pipe; false at the end of the stream.
  bool drain();
  void keep_lines(std::string_view piece);
  /// Tells the kept lines. One thread at a time does, so that they stay in order.
  void tell_lines();
  void stop_telling();  // with the lock

  FileDescriptor m_pipe;
  FileDescriptor m_stop;  // an eventfd: readable once the thread must end
  std::mutex m_mutex;     // of the following, but not held while the listener runs
  std::string m_tail;
  std::string m_line;               // incomplete
  std::deque<std::string> m_lines;  // not told yet
  std::thread::id m_teller;         // the thread that runs the listener; none if default
  std::condition_variable m_told;
  LineListener m_on_line;
  std::jthread m_thread;
};

}  // namespace gtune
