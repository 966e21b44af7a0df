#pragma once

#include <string>
#include <utility>

#include "tune/observer.hpp"

namespace gtune {

/// Asks for measurements that may be unavailable, such as hardware metrics. Once they are, or two
/// workers were lost over them, it reports that and asks no more: one kernel may crash the
/// measurement; after a second crash, the measurement itself is considered broken.
class UntilGivenUp {
 public:
  /// `what`: for the message, "hardware metrics".
  UntilGivenUp(RunObserver& observer, std::string what)
      : m_observer(observer), m_what(std::move(what)) {}

  /// Returns what `ask` returns: a reply with members `reason`, `unavailable` and `worker_lost`.
  template <typename Ask>
  auto ask(Ask ask) {
    decltype(ask()) reply;
    reply.reason = m_given_up;
    if (!m_given_up.empty()) return reply;
    reply = ask();
    if (reply.worker_lost && ++m_workers_lost == most_workers_lost) reply.unavailable = true;
    if (reply.unavailable) {
      m_given_up = reply.reason;
      m_observer.on_note("no " + m_what + ": " + reply.reason);
    }
    return reply;
  }

 private:
  static constexpr int most_workers_lost = 2;

  RunObserver& m_observer;
  std::string m_what;
  int m_workers_lost = 0;
  std::string m_given_up;  // why nothing more is asked; empty: it is
};

}  // namespace gtune
