#include "system/output_tail.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "model/error.hpp"
#include "system/start_thread.hpp"

namespace gtune {
namespace {

constexpr std::size_t kept = 4096;
// As much as a pipe holds. Without a limit, a fast writer would keep drain() in its loop forever.
constexpr int most_pieces = 16;

FileDescriptor make_event() {
  FileDescriptor event(eventfd(0, EFD_CLOEXEC));
  if (event.get() < 0) {
    throw UserError(ExitCode::failed,
                    std::string("cannot make an eventfd: ") + std::strerror(errno));
  }
  return event;
}

}  // namespace

OutputTail::OutputTail(FileDescriptor pipe, LineListener on_line)
    : m_pipe(std::move(pipe)), m_stop(make_event()), m_on_line(std::move(on_line)) {
  fcntl(m_pipe.get(), F_SETFL, O_NONBLOCK);
  m_thread = start_thread<std::jthread>([this] { run(); });
}

OutputTail::~OutputTail() { eventfd_write(m_stop.get(), 1); }

std::string OutputTail::text() {
  drain();
  tell_lines();
  const std::scoped_lock lock(m_mutex);
  return m_tail;
}

void OutputTail::run() {
  for (;;) {
    std::array<pollfd, 2> ready{{{m_pipe.get(), POLLIN, 0}, {m_stop.get(), POLLIN, 0}}};
    if (poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    if (ready[1].revents != 0) return;
    const bool is_open = drain();
    tell_lines();
    if (!is_open) return;
  }
}

bool OutputTail::drain() {
  const std::scoped_lock lock(m_mutex);
  std::array<char, kept> piece{};
  for (int i = 0; i < most_pieces; ++i) {
    const ssize_t count = read(m_pipe.get(), piece.data(), piece.size());
    if (count == 0) return false;
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN;
    }
    if (m_on_line) keep_lines({piece.data(), static_cast<std::size_t>(count)});
    m_tail.append(piece.data(), static_cast<std::size_t>(count));
    if (m_tail.size() > kept) m_tail.erase(0, m_tail.size() - kept);
  }
  return true;
}

void OutputTail::keep_lines(std::string_view piece) {
  for (const char c : piece) {
    if (c != '\n' && m_line.size() < kept) {
      if (c != '\r') m_line += c;
      continue;
    }
    if (!m_line.empty()) m_lines.push_back(std::move(m_line));
    m_line.clear();
  }
}

void OutputTail::tell_lines() {
  std::unique_lock lock(m_mutex);
  if (m_teller == std::this_thread::get_id()) return;  // the listener asks for text()
  m_told.wait(lock, [&] { return m_teller == std::thread::id(); });
  if (m_lines.empty()) return;
  m_teller = std::this_thread::get_id();
  try {
    while (!m_lines.empty()) {
      const std::string line = std::move(m_lines.front());
      m_lines.pop_front();
      lock.unlock();
      m_on_line(line);
      lock.lock();
    }
  } catch (...) {
    lock.lock();
    stop_telling();
    throw;
  }
  stop_telling();
}

void OutputTail::stop_telling() {
  m_teller = {};
  m_told.notify_all();
}

}  // namespace gtune
