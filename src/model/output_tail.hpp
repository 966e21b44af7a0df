#pragma once

#include <mutex>
#include <string>
#include <thread>

#include "model/file_descriptor.hpp"

namespace gtune {

/// Reads what a process writes into a pipe, so that it never blocks there, and keeps the end.
class OutputTail {
 public:
  /// `pipe`: the reading end.
  explicit OutputTail(FileDescriptor pipe);
  ~OutputTail();
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  /// The last 4 KiB of everything written up to now.
  [[nodiscard]] std::string text();

 private:
  void run();
  /// Reads all that is there; false at the end of the stream.
  bool drain();

  FileDescriptor m_pipe;
  FileDescriptor m_stop;  // an eventfd: readable once the thread has to end
  std::mutex m_mutex;
  std::string m_tail;
  std::jthread m_thread;
};

}  // namespace gtune
