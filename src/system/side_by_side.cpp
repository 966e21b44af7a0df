#include "system/side_by_side.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "system/start_thread.hpp"

namespace gtune {

std::size_t hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void work_side_by_side(std::size_t count, std::size_t threads, std::atomic<bool>& stop,
                       const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::once_flag first;
  const auto work_on = [&] {
    try {
      for (std::size_t i = next++; i < count && !stop; i = next++) work(i);
    } catch (...) {
      std::call_once(first, [&] { failure = std::current_exception(); });
      stop = true;
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t t = 1; t < threads; ++t) {
        others.push_back(start_thread<std::jthread>(work_on));
      }
    } catch (...) {
      stop = true;
      throw;
    }
    work_on();
  }
  if (failure) std::rethrow_exception(failure);
}

void work_side_by_side(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<bool> stop = false;
  work_side_by_side(count, std::min(count, hardware_threads()), stop, work);
}

}  // namespace gtune
