#include "cli/seed_option.hpp"

#include <charconv>

namespace gtune {
namespace {

/// CLI11 would take -1 and 2^64 for 2^64 - 1.
std::string refuse_other_than_64_bits(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  return whole ? "" : "expected a number from 0 to 2^64 - 1, not " + text;
}

}  // namespace

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  command.add_option("--seed", seed, help)
      ->check(CLI::Validator(refuse_other_than_64_bits, ""))
      ->capture_default_str();
}

}  // namespace gtune
