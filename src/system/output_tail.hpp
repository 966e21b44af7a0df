#pragma once

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

  /// `pipe`: the reading end. `on_line` may be empty; it is called in another thread or in text().
  /// Throws UserError if the system is out of threads or file descriptors.
  explicit OutputTail(FileDescriptor pipe, LineListener on_line = {});
  ~OutputTail();
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  /// The last 4 KiB of everything written up to now.
  [[nodiscard]] std::string text();

 private:
  void run();
  /// Reads what has arrived, at most a full pipe; false at the end of the stream.
  bool drain();
  void tell_lines(std::string_view piece);

  FileDescriptor m_pipe;
  FileDescriptor m_stop;  // an eventfd: readable once the thread must end
  std::mutex m_mutex;
  std::string m_tail;
  std::string m_line;  // incomplete
  LineListener m_on_line;
  std::jthread m_thread;
};

}  // namespace gtune
