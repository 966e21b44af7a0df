#include <algorithm>
#include <array>
#include <sstream>

#include "mutate.hpp"

namespace gtune::fuzz {

std::size_t some_length(std::size_t most, Random& random) {
  std::size_t length = 1 + random.below(8);
  while (length < most && one_in(2, random)) length *= 4;
  return std::min(length, most);
}

std::string hostile_number(Random& random) {
  static constexpr std::array<std::string_view, 34> numbers = {"0",
                                                               "-0",
                                                               "1",
                                                               "-1",
                                                               "2",
                                                               "3",
                                                               "7",
                                                               "64",
                                                               "255",
                                                               "65536",
                                                               "2147483647",
                                                               "2147483648",
                                                               "-2147483649",
                                                               "4294967296",
                                                               "9223372036854775807",
                                                               "9223372036854775808",
                                                               "-9223372036854775808",
                                                               "-9223372036854775809",
                                                               "18446744073709551615",
                                                               "18446744073709551616",
                                                               "123456789012345678901234567890",
                                                               "0.1",
                                                               "-0.0",
                                                               "1e19",
                                                               "1e308",
                                                               "-1e308",
                                                               "1e400",
                                                               "5e-324",
                                                               "1e-400",
                                                               "NaN",
                                                               "Infinity",
                                                               "-Infinity",
                                                               "0x10",
                                                               "1_000"};
  return std::string(pick(numbers, random));
}

std::string hostile_text(Random& random) {
  using namespace std::string_literals;
  static const std::array<std::string, 22> texts = {""s,
                                                    "\0"s,
                                                    "a\0b"s,
                                                    "\n"s,
                                                    "\r\n"s,
                                                    "\t"s,
                                                    "\x1b[2J"s,
                                                    "\x1b]0;title\x07"s,
                                                    "\x7f"s,
                                                    "\xff\xfe"s,
                                                    "\xc3"s,
                                                    "\xed\xa0\x80"s,
                                                    "\xe2\x80\xae"s,
                                                    "'; DROP TABLE measurement; --"s,
                                                    "\"quoted\""s,
                                                    "\\"s,
                                                    "../../../etc/passwd"s,
                                                    "/dev/null"s,
                                                    "%s%n"s,
                                                    "-"s,
                                                    "--help"s,
                                                    "copy"s};
  if (!one_in(10, random)) return pick(texts, random);
  return std::string(some_length(100000, random), pick(std::string_view("aA0_[{(\"\x80"), random));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string mutate_lines(const std::string& input, const std::string& other, Random& random) {
  std::vector<std::string> lines = lines_of(input);
  if (lines.empty()) return other;
  const std::size_t at = random.below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(6)) {
    case 0:
      lines.erase(place);
      break;
    case 1: {
      const std::string line = lines[at];  // a copy: insert() moves the original
      lines.insert(place, some_length(64, random), line);
      break;
    }
    case 2:
      std::swap(lines[at], lines[random.below(lines.size())]);
      break;
    case 3:
      lines[at].resize(random.below(lines[at].size() + 1));
      break;
    case 4: {
      const std::vector<std::string> others = lines_of(other);
      if (!others.empty()) lines.insert(place, pick(others, random));
      break;
    }
    default:
      lines.resize(at + 1);
  }
  return joined(lines);
}

std::string mutate_bytes(std::string input, const std::string& other,
                         std::span<const std::string_view> words, Random& random) {
  const std::size_t at = random.below(input.size() + 1);
  const std::size_t count = std::min(input.size() - at, some_length(256, random));
  switch (random.below(9)) {
    case 0:
      if (at < input.size()) input[at] = static_cast<char>(random.below(256));
      return input;
    case 1:
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << random.below(8)));
      return input;
    case 2:
      return input.erase(at, count);
    case 3: {
      const std::string piece = input.substr(at, count);
      std::string repeated;
      for (std::size_t i = some_length(32, random); i > 0; --i) repeated += piece;
      return input.insert(at, repeated);
    }
    case 4: {
      const std::size_t from = random.below(other.size() + 1);
      return input.replace(at, count, other.substr(from, some_length(256, random)));
    }
    case 5:
      return input.insert(at, hostile_text(random));
    case 6:
      return input.insert(at, hostile_number(random));
    case 7:
      return one_in(8, random) ? input.substr(0, at) : input;
    default:
      if (!words.empty()) input.replace(at, one_in(2, random) ? count : 0, pick(words, random));
      return input;
  }
}

}  // namespace gtune::fuzz
