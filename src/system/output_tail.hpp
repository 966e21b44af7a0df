#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "system/file_descriptor.hpp"

namespace gtune {

/// Reads what a process writes into a pipe, so that it never blocks there, and keeps the end.
class OutputTail {
 public:
  using LineListener = std::function<void(const std::string& line)>;

  /// `pipe`: the reading end. `on_line` may be empty, and is called by other threads. Throws
  /// UserError where the system has no thread or file descriptor left.
  explicit OutputTail(FileDescriptor pipe, LineListener on_line = {});
  ~OutputTail();
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  /// The last 4 KiB of everything written up to now.
  [[nodiscard]] std::string text();

 private:
  void run();
  /// Reads what is there, as much as a pipe holds at most; false at the end of the stream.
  bool drain();
  void tell_lines(std::string_view piece);

  FileDescriptor m_pipe;
  FileDescriptor m_stop;  // an eventfd: readable once the thread has to end
  std::mutex m_mutex;
  std::string m_tail;
  std::string m_line;  // as far as it has come
  LineListener m_on_line;
  std::jthread m_thread;
};

}  // namespace gtune
