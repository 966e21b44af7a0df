#include "system/fault_injection.hpp"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace gtune {

FaultInjection::FaultInjection(const std::string& process) {
  const char* text = std::getenv("GTUNE_FAULT");
  if (text == nullptr) return;
  std::string_view rest = text;
  const std::string prefix = process + ":";
  const auto at = rest.find('@');
  const auto hash = rest.find('#');
  if (!rest.starts_with(prefix) || at == rest.npos || hash == rest.npos) return;
  m_action = rest.substr(prefix.size(), at - prefix.size());
  m_kind = rest.substr(at + 1, hash - at - 1);
  const std::string_view number = rest.substr(hash + 1);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), m_countdown);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size() || m_countdown < 1) {
    m_action.clear();  // without a valid message number there is no fault
  }
}

void FaultInjection::before_reply(const std::string& kind, int out) {
  if (m_action.empty() || kind != m_kind || --m_countdown != 0) return;
  if (m_action == "crash") {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit
    raise(SIGSEGV);
  }
  if (m_action == "exit") _exit(7);
  if (m_action == "hang") {
    for (;;) pause();
  }
  constexpr std::string_view garbage = "printf from a kernel: 42\n\x01\xff\xfe";
  constexpr std::string_view half_a_header{"gtun\x40\x00\x00\x00", 8};
  const std::string_view bytes = m_action == "garbage" ? garbage : half_a_header;
  [[maybe_unused]] const auto written = write(out, bytes.data(), bytes.size());
  if (m_action == "truncate") _exit(0);
}

}  // namespace gtune
