#pragma once

#include <unistd.h>

#include <utility>

namespace gtune {

/// Owns a file descriptor and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : m_fd(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  ~FileDescriptor() {
    if (m_fd >= 0) close(m_fd);
  }

  /// -1 if there is none.
  [[nodiscard]] int get() const { return m_fd; }
  void reset() { FileDescriptor(std::move(*this)); }

 private:
  int m_fd = -1;
};

}  // namespace gtune
