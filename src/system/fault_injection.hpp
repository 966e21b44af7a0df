#pragma once

#include <string>

namespace gtune {

/// Makes a child process fail on purpose, to test its supervision:
/// $GTUNE_FAULT = "PROCESS:ACTION@KIND#N". PROCESS is worker or compiler; ACTION is crash, hang,
/// garbage, truncate or exit; KIND is a kind of message ("hello", "measure", "compile", ...); N
/// counts messages of that kind in this process, from 1.
class FaultInjection {
 public:
  explicit FaultInjection(const std::string& process);
  /// Misbehaves if this message is the selected one. `out`: the file descriptor for replies.
  void before_reply(const std::string& kind, int out);

 private:
  std::string m_action;
  std::string m_kind;
  long m_countdown = 0;
};

}  // namespace gtune
