#include "system/open_file_limit.hpp"

#include <mutex>

namespace gtune {
namespace {

std::mutex limit_mutex;
std::optional<rlimit> original_limit;

}  // namespace

void raise_open_file_limit() {
  const std::scoped_lock lock(limit_mutex);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0 && !original_limit) original_limit = limit;
}

std::optional<rlimit> original_open_file_limit() {
  const std::scoped_lock lock(limit_mutex);
  return original_limit;
}

}  // namespace gtune
