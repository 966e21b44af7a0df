#include "spec/problem_sizes.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "model/error.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_sizes = 10'000;
constexpr std::size_t most_problems = 100'000;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

class ListParser {
 public:
  /// `noun`: names the numbers in errors: "size".
  ListParser(std::string_view option, std::string_view text, std::int64_t minimum,
             std::int64_t maximum, std::string noun)
      : m_option(option),
        m_text(text),
        m_minimum(minimum),
        m_maximum(maximum),
        m_noun(std::move(noun)) {}

  std::vector<std::int64_t> parse() {
    if (m_text.empty()) fail("", "no " + m_noun + " given; expected a number, a list or a range");
    for (const std::string_view part : split(m_text, ',')) {
      const auto pieces = split(part, ':');
      if (pieces.size() == 1) {
        add(size(part));
      } else if (pieces.size() <= 3) {
        add_range(part, size(pieces[0]), size(pieces[1]), pieces.size() == 3 ? pieces[2] : "1");
      } else {
        fail(part, "is not a range; expected FIRST:LAST, FIRST:LAST:STEP or FIRST:LAST:*FACTOR");
      }
    }
    return std::move(m_sizes);
  }

 private:
  [[noreturn]] void fail(std::string_view part, const std::string& what) const {
    std::string line = std::string(m_option) + ": ";
    if (!part.empty()) line += "'" + std::string(part) + "' ";
    throw UserError(ExitCode::usage, line + what);
  }

  [[nodiscard]] std::int64_t number(std::string_view text, const std::string& expected) const {
    if (text.empty()) fail(m_text, "has an empty entry; expected " + expected);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument) {
      fail(text, "is not a whole number; expected " + expected);
    }
    if (error == std::errc::result_out_of_range || value > largest_size) {
      const bool negative = text.front() == '-';
      fail(text, std::string("is too ") + (negative ? "small" : "large") + "; expected " +
                     std::to_string(m_minimum) + " to " + std::to_string(m_maximum));
    }
    return value;
  }

  [[nodiscard]] std::int64_t size(std::string_view text) const {
    const std::int64_t value = number(text, "a " + m_noun);
    if (value < m_minimum)
      fail(text, "is too small; expected at least " + std::to_string(m_minimum));
    if (value > m_maximum) {
      fail(text, "is too large; expected at most " + std::to_string(m_maximum));
    }
    return value;
  }

  void add(std::int64_t value) {
    if (!m_seen.insert(value).second) return;
    if (m_sizes.size() == most_sizes) {
      fail(m_text,
           "gives more than " + std::to_string(most_sizes) + " " + m_noun + "s; expected fewer");
    }
    m_sizes.push_back(value);
  }

  void add_range(std::string_view part, std::int64_t first, std::int64_t last,
                 std::string_view step_text) {
    if (first > last) fail(part, "runs backwards; expected the smaller " + m_noun + " first");
    const bool factor = step_text.starts_with('*');
    const bool marked = factor || step_text.starts_with('+');
    const std::int64_t step = number(step_text.substr(marked ? 1 : 0), "a step");
    if (step < (factor ? 2 : 1)) {
      fail(part, factor ? "never ends; expected a factor of at least 2"
                        : "never ends; expected a step of at least 1");
    }
    if (factor && first <= 0) fail(part, "never ends; expected to start above 0");
    // No sum or product overflows: sizes and steps are at most 2^40, and products stop there.
    for (std::int64_t value = first; value <= last;) {
      add(value);
      if (factor && value > largest_size / step) break;
      value = factor ? value * step : value + step;
    }
  }

  std::string_view m_option;
  std::string_view m_text;
  std::int64_t m_minimum;
  std::int64_t m_maximum;
  std::string m_noun;
  std::vector<std::int64_t> m_sizes;
  std::unordered_set<std::int64_t> m_seen;
};

void check_names(const KernelSpec& spec,
                 const std::map<std::string, std::vector<std::int64_t>>& given) {
  std::vector<std::string> names;
  for (const ProblemSize& size : spec.sizes) names.push_back(size.name);
  for (const auto& [name, values] : given) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw UserError(ExitCode::usage, "kernel '" + spec.name + "' has no problem size '" + name +
                                         "'" + did_you_mean(name, names));
  }
}

std::int64_t default_of(const KernelSpec& spec, const ProblemSize& size, const Problem& problem) {
  std::vector<std::int64_t> slots(spec.sizes.size(), 0);
  for (std::size_t i = 0; i < problem.entries().size(); ++i) slots[i] = problem.entries()[i].second;
  const Checked value = size.default_value.try_evaluate(slots);
  const std::string what = "kernel '" + spec.name + "', problem size '" + size.name +
                           "': its default '" + size.default_value.text() + "' ";
  if (value.failure != Failure::none) {
    throw UserError(ExitCode::usage, what + "cannot be computed for " + problem.text() + ": " +
                                         std::string(to_string(value.failure)));
  }
  if (!is_allowed(size, value.value)) {
    throw UserError(ExitCode::usage, what + "is " + std::to_string(value.value) + "; expected " +
                                         allowed_text(size));
  }
  return value.value;
}

}  // namespace

std::vector<std::int64_t> parse_value_list(std::string_view what, std::string_view text) {
  return ListParser(what, text, -largest_size, largest_size, "value").parse();
}

std::vector<std::int64_t> parse_sizes(const ProblemSize& size, std::string_view text) {
  const std::string option = "--" + size.name;
  std::vector<std::int64_t> values =
      ListParser(option, text, size.minimum, size.maximum, "size").parse();
  for (const std::int64_t value : values) {
    if (is_allowed(size, value)) continue;
    throw UserError(ExitCode::usage, "--" + size.name + ": '" + std::to_string(value) +
                                         "' is not a choice; expected " + allowed_text(size));
  }
  return values;
}

bool is_allowed(const ProblemSize& size, std::int64_t value) {
  if (size.choices.empty()) return value >= size.minimum && value <= size.maximum;
  return std::find(size.choices.begin(), size.choices.end(), value) != size.choices.end();
}

std::string allowed_text(const ProblemSize& size) {
  if (size.choices.empty()) {
    return std::to_string(size.minimum) + " to " + std::to_string(size.maximum);
  }
  std::string text;
  for (std::size_t i = 0; i < size.choices.size(); ++i) {
    if (i > 0) text += i + 1 == size.choices.size() ? " or " : ", ";
    text += std::to_string(size.choices[i]);
  }
  return text;
}

bool same_choices(const KernelSpec& spec, const Problem& a, const Problem& b) {
  return std::all_of(spec.sizes.begin(), spec.sizes.end(), [&](const ProblemSize& size) {
    return size.choices.empty() || a.find(size.name) == b.find(size.name);
  });
}

NamedValues sizes_to_give(const KernelSpec& spec, const Problem& problem) {
  NamedValues given;
  std::vector<std::int64_t> slots(spec.sizes.size(), 0);
  for (std::size_t i = 0; i < spec.sizes.size(); ++i) {
    const ProblemSize& size = spec.sizes[i];
    const std::int64_t value = problem.find(size.name).value_or(0);
    const Checked usual = size.default_value.try_evaluate(slots);
    if (i == 0 || usual.failure != Failure::none || usual.value != value) {
      given.set(size.name, value);
    }
    slots[i] = value;
  }
  return given;
}

std::vector<Problem> expand_problems(
    const KernelSpec& spec, const std::map<std::string, std::vector<std::int64_t>>& given) {
  check_names(spec, given);
  std::vector<Problem> problems(1);
  for (const ProblemSize& size : spec.sizes) {
    const auto found = given.find(size.name);
    std::vector<Problem> longer;
    for (const Problem& problem : problems) {
      const std::vector<std::int64_t> values =
          found != given.end() ? found->second
                               : std::vector<std::int64_t>{default_of(spec, size, problem)};
      for (const std::int64_t value : values) {
        longer.push_back(problem);
        longer.back().set(size.name, value);
      }
      if (longer.size() > most_problems) {
        throw UserError(ExitCode::usage, "these sizes make more than " +
                                             std::to_string(most_problems) +
                                             " problems; give fewer sizes");
      }
    }
    problems = std::move(longer);
  }
  return problems;
}

}  // namespace gtune
