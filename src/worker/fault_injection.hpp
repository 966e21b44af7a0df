#pragma once

#include <string>

namespace gtune {

/// Makes a worker fail on purpose, so that its supervision can be tested:
/// $GTUNE_FAULT = "worker:ACTION@KIND#N" with ACTION crash, hang, garbage, truncate or exit,
/// KIND a kind of message ("hello", "measure", ...) and N its 1-based number in this process.
class FaultInjection {
 public:
  FaultInjection();
  /// Misbehaves if this message is the one; `out` is where replies go.
  void before_reply(const std::string& kind, int out);

 private:
  std::string m_action;
  std::string m_kind;
  long m_countdown = 0;
};

}  // namespace gtune
