// Fibers: functions that take turns on one host thread, which costs far less than to wake as many
// threads.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace gtune::host {

/// The saved context of a fiber or of the host thread. Sanitizers are notified of each switch:
/// AddressSanitizer has to know the stack, and for ThreadSanitizer each fiber is a thread, which
/// only atomics synchronise with others, so Fiber has atomic members.
struct FiberState {
  /// Returns when another state switches back to this one.
  void switch_to(FiberState& other) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fake_stack, other.stack, other.stack_bytes);
#elif defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(other.thread, __tsan_switch_to_fiber_no_sync);
#endif
    swapcontext(&context, &other.context);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }

  ucontext_t context = {};
  const void* stack = nullptr;  // its lowest address
  std::size_t stack_bytes = 0;
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack = nullptr;
#elif defined(__SANITIZE_THREAD__)
  void* thread = __tsan_get_current_fiber();
#endif
};

/// Works in turns, and may get new work when it has ended. Lives as long as the program.
class Fiber {
 public:
  Fiber() {
    m_state.stack = m_stack.get();
    m_state.stack_bytes = k_stack_bytes;
    getcontext(&m_state.context);
    m_state.context.uc_stack.ss_sp = m_stack.get();
    m_state.context.uc_stack.ss_size = k_stack_bytes;
    makecontext(&m_state.context, &Fiber::enter, 0);
    // Otherwise AddressSanitizer forgets what it knows of a stack whenever its fiber goes on.
    m_state.context.uc_stack = {};
#if defined(__SANITIZE_THREAD__)
    m_state.thread = __tsan_create_fiber(0);
#endif
  }

  void begin(std::function<void()> work) {
    m_work = std::move(work);
    m_is_working = true;
  }
  [[nodiscard]] bool is_working() const { return m_is_working; }

  /// Called by the host thread: returns when the work ends or yields.
  void go_on() {
    s_current.store(this, std::memory_order_relaxed);
    s_host.switch_to(m_state);
  }
  /// Called by the work: lets other fibers go on before it does.
  static void yield() { current().m_state.switch_to(s_host); }

 private:
  static constexpr std::size_t k_stack_bytes = 256 * 1024;

  static Fiber& current() { return *s_current.load(std::memory_order_relaxed); }

  static void enter() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &s_host.stack, &s_host.stack_bytes);
#endif
    for (;; yield()) {
      Fiber& self = current();
      if (self.m_is_working) self.m_work();
      self.m_is_working = false;
    }
  }

  inline static FiberState s_host;
  inline static std::atomic<Fiber*> s_current = nullptr;

  FiberState m_state;
  std::function<void()> m_work;
  std::atomic<bool> m_is_working = false;
  const std::unique_ptr<std::byte[]> m_stack =
      std::make_unique_for_overwrite<std::byte[]>(k_stack_bytes);
};

/// Runs functions as fibers until all have ended. Each round is in another order, as some faults
/// show only in one.
inline void run_in_turns(std::vector<std::function<void()>> functions) {
  static std::vector<std::unique_ptr<Fiber>> all;
  while (all.size() < functions.size()) all.push_back(std::make_unique<Fiber>());
  std::vector<Fiber*> working;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    all[i]->begin(std::move(functions[i]));
    working.push_back(all[i].get());
  }
  std::mt19937 random(1);
  while (!working.empty()) {
    std::shuffle(working.begin(), working.end(), random);
    for (Fiber* fiber : working) fiber->go_on();
    std::erase_if(working, [](const Fiber* fiber) { return !fiber->is_working(); });
  }
}

}  // namespace gtune::host
