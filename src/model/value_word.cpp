#include "model/value_word.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

namespace gtune {
namespace {

/// FNV-1a, folded to 61 bits, plus 2^62.
std::int64_t hash_of(std::string_view word) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  const std::uint64_t folded = hash ^ (hash >> 61U);
  return first_word_value + static_cast<std::int64_t>(folded & 0x1FFFFFFFFFFFFFFFU);
}

/// The words of this process. Locked, because every thread prints configurations.
class KnownWords {
 public:
  std::int64_t add(std::string_view word) {
    const std::int64_t value = hash_of(word);
    const std::scoped_lock lock(m_mutex);
    const auto [known, is_new] = m_words.emplace(value, word);
    if (known->second != word) {
      throw std::invalid_argument("'" + std::string(word) + "' and '" + known->second +
                                  "' cannot be told apart; expected another word");
    }
    return value;
  }

  std::optional<std::string> find(std::int64_t value) {
    const std::scoped_lock lock(m_mutex);
    const auto known = m_words.find(value);
    return known == m_words.end() ? std::nullopt : std::optional(known->second);
  }

 private:
  std::mutex m_mutex;
  std::map<std::int64_t, std::string> m_words;
};

KnownWords& known_words() {
  static KnownWords words;
  return words;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_allowed(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_:<>.+-*& ").find(c) != std::string_view::npos;
}

}  // namespace

bool is_value_word(std::string_view text) {
  if (text.empty() || text.size() > 100 || text.front() == ' ' || text.back() == ' ') return false;
  const std::string_view digits = text.substr(text.front() == '-' ? 1 : 0);
  if (std::all_of(digits.begin(), digits.end(), is_digit)) return false;
  return std::all_of(text.begin(), text.end(), is_allowed);
}

std::int64_t value_of_word(std::string_view word) {
  if (!is_value_word(word)) throw std::invalid_argument("a text that is no value of a parameter");
  return known_words().add(word);
}

std::optional<std::string> word_of_value(std::int64_t value) {
  if (value < first_word_value) return std::nullopt;
  return known_words().find(value);
}

std::string value_text(std::int64_t value) {
  return word_of_value(value).value_or(std::to_string(value));
}

}  // namespace gtune
