#pragma once

#include <string>

namespace gtune {

/// Makes a child process fail on purpose, so that its supervision can be tested:
/// $GTUNE_FAULT = "PROCESS:ACTION@KIND#N" with PROCESS worker or compiler, ACTION crash, hang,
/// garbage, truncate or exit, KIND a kind of message ("hello", "measure", "compile", ...) and N
/// its 1-based number in this process.
class FaultInjection {
 public:
  explicit FaultInjection(const std::string& process);
  /// Misbehaves if this message is the one; `out` is where replies go.
  void before_reply(const std::string& kind, int out);

 private:
  std::string m_action;
  std::string m_kind;
  long m_countdown = 0;
};

}  // namespace gtune
