#include "progress.hpp"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace gtune::fuzz {
namespace {

std::int64_t cpu_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

}  // namespace

Progress& Progress::shared() {
  static Progress* const progress = [] {
    void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("mmap");
    return new (memory) Progress;
  }();
  return *progress;
}

void Progress::begin(std::uint64_t number) {
  m_size = 0;
  m_number = number;
  m_began_cpu_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void Progress::set_input(const std::string& input) {
  const std::size_t size = std::min(input.size(), m_input.size());
  std::memcpy(m_input.data(), input.data(), size);
  m_size = size;
}

void Progress::set_fault(const std::string& reason) {
  const std::size_t size = std::min(reason.size(), m_fault.size() - 1);
  std::memcpy(m_fault.data(), reason.data(), size);
  m_fault[size] = '\0';
}

void Progress::finish(std::uint64_t next) {
  m_number = next;
  m_finished = true;
}

void Progress::clear() {
  m_finished = false;
  m_size = 0;
  m_fault[0] = '\0';
  m_began_cpu_ns = 0;
}

std::string Progress::input() const { return {m_input.data(), m_size}; }
std::string Progress::fault() const { return m_fault.data(); }

double Progress::cpu_seconds(pid_t child) const {
  clockid_t clock{};
  if (clock_getcpuclockid(child, &clock) != 0) return 0;
  return static_cast<double>(cpu_ns(clock) - m_began_cpu_ns) * 1e-9;
}

}  // namespace gtune::fuzz
