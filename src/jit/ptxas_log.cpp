#include "jit/ptxas_log.hpp"

#include <charconv>

namespace gtune {
namespace {

/// The number before `unit`: 48 in "Used 48 registers" for " registers".
std::int64_t number_before(std::string_view text, std::string_view unit) {
  const auto at = text.find(unit);
  if (at == text.npos) return 0;
  auto start = at;
  while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
  std::int64_t value = 0;
  std::from_chars(text.data() + start, text.data() + at, value);
  return value;
}

/// Precedes an entry's name in quotes. The entry's lines follow, up to the next heading.
constexpr std::string_view heading = "Compiling entry function '";

}  // namespace

std::optional<ResourceUsage> parse_ptxas_log(std::string_view log, std::string_view kernel_name) {
  const auto start = log.find(std::string(heading) + std::string(kernel_name) + "'");
  if (start == log.npos) return std::nullopt;
  const std::string_view part =
      log.substr(start, log.find(heading, start + heading.size()) - start);
  ResourceUsage usage;
  usage.registers = static_cast<int>(number_before(part, " registers"));
  usage.stack_bytes = static_cast<int>(number_before(part, " bytes stack frame"));
  usage.spill_store_bytes = static_cast<int>(number_before(part, " bytes spill stores"));
  usage.spill_load_bytes = static_cast<int>(number_before(part, " bytes spill loads"));
  usage.static_shared_bytes = number_before(part, " bytes smem");
  return usage;
}

}  // namespace gtune
