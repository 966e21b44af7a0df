#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gtune::fuzz {

/// What the child that runs the inputs reports to the parent through shared memory, which survives
/// a crash of the child.
class Progress {
 public:
  /// In memory that is shared across fork(). Lives until the program ends.
  [[nodiscard]] static Progress& shared();

  void begin(std::uint64_t number);
  void set_input(const std::string& input);
  /// Why the input is a fault.
  void set_fault(const std::string& reason);
  void finish(std::uint64_t next);
  void clear();

  [[nodiscard]] std::uint64_t number() const { return m_number; }
  [[nodiscard]] bool finished() const { return m_finished; }
  [[nodiscard]] std::string input() const;
  [[nodiscard]] std::string fault() const;
  /// CPU seconds that `child` has spent on the current input.
  [[nodiscard]] double cpu_seconds(pid_t child) const;

 private:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  std::atomic<std::uint64_t> m_number = 0;
  std::atomic<std::int64_t> m_began_cpu_ns = 0;  // the child's CPU time at that moment
  std::atomic<bool> m_finished = false;
  std::atomic<std::size_t> m_size = 0;
  std::array<char, 4096> m_fault{};
  std::array<char, most_bytes> m_input;  // pages appear as they are written
};

}  // namespace gtune::fuzz
